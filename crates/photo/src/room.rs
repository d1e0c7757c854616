//! Camera and room layout from a single photo.
//!
//! Room axes: X right, Y away from the camera, Z up, right-handed. Camera axes: x right, y down, z forward. Pixel coordinates
//! start at the top left corner; x right, y down.
pub mod camera;
pub mod frame;
pub mod layout;
pub mod overlay;
mod rulers;
pub mod scale;

pub use camera::Camera;
pub use frame::{Frame, Hints};
pub use layout::{Distances, Doubt, Face, Layout, Wall};
pub use overlay::{overlay, png};
pub use scale::{Ruler, Scale};
