//! Map data: a region pack in, a [`place::Place`] out.
//!
//! A region pack is a GeoPackage with files of terrain and imagery in the data folder. `aerie-import` writes it, [`Pack`] opens it,
//! `aerie-geocode` finds the house that an address names, and [`Pack::place`] returns that house with its surroundings as plain
//! geometry in local meters.

pub mod address;
mod assemble;
mod error;
pub mod geodesy;
pub mod gpkg;
pub mod house_number;
mod imagery;
mod interpolation;
pub mod land_cover;
pub mod length;
pub mod mercator;
pub mod names;
pub mod online;
pub mod pack;
pub mod place;
pub mod postcode;
pub mod street_index;
pub mod survey;
pub mod terrain;
pub mod tiles;

pub use address::{Match, Precision};
pub use aerie_sources::{Service, Sources, XyzTiles};
pub use assemble::Plan;
pub use error::GeodataError;
pub use geodesy::LocalFrame;
pub use imagery::{Grid, Orthophoto};
pub use pack::{Pack, PackSummary};
