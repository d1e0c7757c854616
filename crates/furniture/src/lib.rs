//! Furniture and decoration as meshes with materials: the pieces of rooms, in the style and colors of a prompt.
//!
//! A [`Catalog`] makes what a room is furnished with: from a [`Recipe`], [`pieces::make`] builds the [`Piece`](piece::Piece) that it
//! describes; an operator's own models ([`OperatorModels`]) stand in for pieces that they are like. The same recipe and palette give the
//! same piece. Lengths are in meters; a piece stands on z = 0, its front toward -Y.

pub mod catalog;
mod cloth;
pub mod joinery;
pub mod look;
pub mod material;
pub mod mesh;
pub mod noise;
pub mod operator_models;
mod paintings;
pub mod palette;
pub mod piece;
pub mod piece_kind;
pub mod pieces;
pub mod recipe;
mod rugs;
pub mod shape;
pub mod style;
pub mod surface;
pub mod texture;

pub use aerie_language::furniture::{self as prompt, StylePrompt};
pub use catalog::Catalog;
pub use operator_models::OperatorModels;
pub use piece::PieceKind;
pub use recipe::{Recipe, RecipeError};
pub use style::Style;
