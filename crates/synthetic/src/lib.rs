//! Rooms made up by rule, with the truth about them: camera, planes, depth, light. For tests, benchmarks and
//! the samples of the demo.
//!
//! [`imagine`] draws a room and a camera from a seed; [`LitRoom`] works out its light once and shows it from anywhere:
//! a second view of the same room is a second call. [`View::developed`] makes a photograph of it.
pub mod imagine;
mod light;
mod noise;
mod paint;
pub mod room;
mod scene;
pub mod view;

pub use imagine::{Imagined, Style, imagine};
pub use room::Room;
pub use scene::Surface;
pub use view::{Developing, LitRoom, View, Viewpoint};
