//! Procedural rooms with ground truth (camera, planes, depth, light) for tests, benchmarks and the demo.
//!
//! [`imagine()`] generates a room and a camera from a seed; [`LitRoom`] computes its lighting once and renders any number of views;
//! [`View::developed`] turns a view into a photo.
mod disturbed;
pub mod imagine;
mod light;
mod noise;
mod paint;
pub mod room;
mod scene;
pub mod view;

pub use disturbed::disturbed;
pub use imagine::{Imagined, Style, imagine};
pub use room::Room;
pub use scene::Surface;
pub use view::{Developing, LitRoom, View, Viewpoint};
