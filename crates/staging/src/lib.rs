//! Virtual staging: furniture for an empty room, from one photo. True to scale, in the light of the room, with the architecture left
//! as it is.
//!
//! [`Room::analyze`] reconstructs the room and its light; [`Room::stage`] furnishes it. A mask marks every changed pixel: outside the
//! mask, values are those of the photo.

pub mod arrange;
pub mod asked;
pub mod catalog;
mod cloth;
pub mod composite;
pub mod effort;
pub mod grid;
pub mod joinery;
mod layers;
pub mod light;
pub mod look;
pub mod material;
pub mod mesh;
pub mod monitor;
pub mod noise;
pub mod operator_models;
mod paintings;
pub mod palette;
pub mod piece;
pub mod piece_kind;
pub mod pieces;
pub mod prompt;
pub mod recipe;
pub mod room;
mod rugs;
mod sampling;
pub mod shape;
pub mod site;
pub mod space;
pub mod studio;
pub mod style;
pub mod surface;
pub mod texture;
pub mod trace;
pub mod views;

pub use arrange::RoomPlan;
pub use asked::Asked;
pub use catalog::Catalog;
pub use composite::Composite;
pub use effort::Effort;
pub use monitor::Monitor;
pub use operator_models::OperatorModels;
pub use piece::PieceKind;
pub use prompt::StylePrompt;
pub use recipe::{Recipe, RecipeError};
pub use room::{Brief, FirstView, FurnitureItem, Refusal, Room, RoomHints, Staged};
pub use style::Style;
