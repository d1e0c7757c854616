//! Map data: a region pack in, a [`place::Place`] out.
//!
//! A region pack is a GeoPackage with files of terrain and imagery in the data folder. `aerie-import` writes it, [`Pack`] opens it,
//! `aerie-geocode` finds the house that an address names, and [`Pack::place`] returns that house with its surroundings as plain
//! geometry in local meters.
//!
//! # Invariants
//!
//! - The same address gives the same place, byte for byte. Test in `geocode`: `the_same_address_gives_the_same_place_to_the_byte`.
//! - Nothing is planted on the property, on roads or in houses. Test in `geocode`:
//!   `nothing_is_planted_on_the_property_on_roads_or_in_houses`.
//! - A measured roof belongs to the outline that it overlaps, whatever the order of imports. A changed outline falls back to the rules.
//!   Tests in `import`: `a_roof_of_a_model_belongs_to_its_own_outline_in_any_order_of_imports_and_however_often`,
//!   `a_model_without_a_map_is_a_building_of_its_own`.
//! - Fine terrain joins the coarse one without a step. Test:
//!   `the_fine_ground_joins_the_coarse_one_without_a_step_and_keeps_its_own_heights_inside`.

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
