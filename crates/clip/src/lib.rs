//! A camera into one photo: which planes it shows, how far a camera may go between them, and the path it takes.
//!
//! After Horry, Anjyo and Arai, "Tour Into the Picture" (1997): the photo is projected from its own camera onto the few
//! planes of a [`Proxy`] and seen from a camera that moves. Nothing is drawn that the photo does not hold: a
//! [`Course`] is bounded, by computation, to what it can show.
//!
//! Lengths are in camera heights, angles in radians; pixels count from the top left corner of the frame, x right, y down.
pub mod bodies;
pub mod compose;
pub mod course;
pub mod cutout;
pub mod facade;
mod grade;
mod limits;
pub mod plate;
pub mod proxy;
pub mod trees;
pub mod understood;
mod unseen;
pub mod wishes;

pub use bodies::{Bodies, Mark};
pub use course::{Course, Level, Moves, Pose, Wanted};
pub use cutout::Cutouts;
pub use facade::Facades;
pub use grade::Grade;
pub use plate::{Frame, Plate};
pub use proxy::{Kind, Proxy, Surface};
pub use trees::Trees;
pub use understood::Understood;
pub use unseen::synthesized;
pub use wishes::Wishes;
