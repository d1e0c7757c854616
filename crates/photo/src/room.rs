//! Rooms understood from one photo: how the camera stood, and which planes it sees.
//!
//! The room's axes: X to the right, Y away, Z up, right-handed. The camera's: x right, y down, z forward. Pictures
//! count pixels from the top left corner, x right, y down.
pub mod camera;
pub mod frame;
pub mod layout;
pub mod overlay;
pub mod scale;

pub use camera::Camera;
pub use frame::{Frame, Hints};
pub use layout::{Distances, Doubt, Face, Layout, Wall};
pub use overlay::{overlay, png};
pub use scale::Scale;
