//! Video clips from one photo: the planes that the photo shows, how far a camera may move in front of them, and its path.
//!
//! After Horry, Anjyo and Arai, "Tour Into the Picture" (1997): the photo is projected from its own camera onto the few planes of a
//! [`Proxy`] and seen from a moving camera. A [`CameraPath`] is limited, by computation, to what the photo can show.
//!
//! Lengths are in camera heights, angles in radians; pixels count from the top left corner of the frame, x right, y down.

pub mod bodies;
pub mod camera_path;
pub mod compose;
pub mod cutout;
mod disocclusion;
pub mod exterior;
pub mod facade;
mod grade;
pub mod image_motion;
pub mod interior;
mod limits;
mod moves;
pub mod plate;
pub mod pose;
pub mod prompt;
pub mod proxy;
mod reach;
pub mod scene_model;
pub mod straightness;
pub mod trees;
pub mod two_view;

pub use bodies::Bodies;
pub use camera_path::{CameraPath, CameraRequest, Level, Moves, Pace};
pub use cutout::Cutouts;
pub use disocclusion::synthesized_share;
pub use exterior::Exterior;
pub use facade::Facades;
pub use grade::Grade;
pub use image_motion::ImageMotion;
pub use interior::Interior;
pub use plate::{Frame, Plate};
pub use pose::Pose;
pub use prompt::CameraPrompt;
pub use proxy::{BodySample, Kind, Proxy, Surface};
pub use scene_model::SceneModel;
pub use straightness::MovedLine;
pub use trees::Trees;
