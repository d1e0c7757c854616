//! Furniture for rooms understood from one photo: true to scale, in the room's own light, with the architecture left as it is.
//!
//! [`Room`] understands a photo and takes its light; [`Room::staged`] furnishes it. What is changed of the photo is told
//! by a mask; outside the mask not one value differs.
pub mod arrange;
pub mod chance;
pub mod composite;
pub mod grid;
mod layers;
pub mod light;
pub mod material;
pub mod mesh;
pub mod own;
pub mod pieces;
pub mod shape;
pub mod site;
pub mod space;
pub mod staging;
pub mod style;
pub mod trace;
pub mod watch;

pub use arrange::RoomPlan;
pub use composite::{Composite, Effort};
pub use own::Own;
pub use staging::{Brief, Known, Refusal, Room, Shown, Staged};
pub use style::Wish;
pub use watch::Watch;
