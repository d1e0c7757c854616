//! Virtual staging: furniture for an empty room, from one photo. True to scale, in the light of the room, with the architecture left
//! as it is.
//!
//! [`Room::analyze`] reconstructs the room and its light; [`Room::stage`] furnishes it. A mask marks every changed pixel: outside the
//! mask, values are those of the photo.

pub mod arrange;
pub mod asked;
pub mod composite;
pub mod effort;
pub mod grid;
mod images;
mod layers;
pub mod light;
pub mod monitor;
pub mod room;
mod sampling;
pub mod site;
pub mod space;
pub mod studio;
pub mod trace;
pub mod views;

pub use arrange::RoomPlan;
pub use asked::Asked;
pub use composite::Composite;
pub use effort::Effort;
pub use images::decode_pixels;
pub use monitor::Monitor;
pub use room::{Brief, FirstView, FurnitureItem, Refusal, Room, RoomHints, Staged};
