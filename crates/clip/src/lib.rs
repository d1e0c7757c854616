//! Video clips from one photo: the planes that the photo shows, how far a camera may move in front of them, and its path.
//!
//! After Horry, Anjyo and Arai, "Tour Into the Picture" (1997): the photo is projected from its own camera onto the few planes of a
//! [`Proxy`] and seen from a moving camera. A [`CameraPath`] is limited, by computation, to what the photo can show.
//!
//! Lengths are in camera heights, angles in radians; pixels count from the top left corner of the frame, x right, y down.
//!
//! # Invariants
//!
//! - A path shows only what the photo shows, except fills that are disclosed. Test: `no_path_shows_what_the_photo_does_not_hold`.
//! - A clip moves visibly, in the requested direction. Tests: `every_clip_of_a_room_moves_visibly_and_shows_its_depth`,
//!   `the_picture_moves_the_way_that_was_asked_for`, `a_clip_that_cannot_pull_back_does_not_push_in_instead`,
//!   `the_sign_of_a_move_is_as_it_was_written`.
//! - Objects in a room stay attached to what carries them: furniture at its foot, lamps and fans at the ceiling. Tests:
//!   `a_piece_stands_on_its_lower_edge_and_not_on_its_upright_ones`,
//!   `what_hangs_is_as_far_away_at_its_upper_end_as_at_its_lower_one_and_the_walls_stay`.
//! - A path between two photos requires strong evidence of a shared geometry, and crosses no place that neither shows. Tests:
//!   `the_second_camera_is_found_and_the_frame_half_way_is_as_a_camera_there_would_see_it`,
//!   `pictures_of_different_places_share_nothing`, `a_way_to_where_neither_picture_shows_anything_is_not_planned`.

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
pub mod proxy;
mod reach;
pub mod scene_model;
pub mod straightness;
pub mod trees;
pub mod two_view;

pub use aerie_language::camera::{self as prompt, CameraPrompt};
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
pub use proxy::{BodySample, Kind, Proxy, Surface};
pub use scene_model::SceneModel;
pub use straightness::MovedLine;
pub use trees::Trees;
