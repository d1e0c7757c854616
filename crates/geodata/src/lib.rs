//! Map data in, a [`place::Place`] out.
//!
//! [`import()`] turns OpenStreetMap extracts, elevation, imagery, parcels and surveyed heights into a region pack (a GeoPackage and
//! files of tiles) in the data folder. [`Pack`] opens it, finds the one house that an address names, and gives that house with
//! its surroundings as plain geometry in local meters. Where nothing was imported there is an invented sample town. [`locate`]
//! asks the online sources that are switched on for what was not imported.

mod assemble;
mod download;
mod error;
mod geocode;
mod geodesy;
mod gpkg;
mod imagery;
mod import;
mod locate;
mod online;
mod pack;
pub mod place;
mod sample;
mod sources;
mod terrain;

pub use download::{DownloadError, download, is_url};
pub use error::WorldError;
pub use geocode::{GeocodeError, Match, Precision};
pub use geodesy::LocalFrame;
pub use imagery::{Grid, Orthophoto};
pub use import::{
    FileReport, ImportError, ImportOptions, ImportProgress, ImportReport, WORK as WORK_OF_IMPORTS, import,
};
pub use locate::{Located, locate};
pub use pack::{Pack, PackSummary};
pub use sample::SAMPLE_ADDRESSES;
pub use sources::{Service, Sources, XyzTiles};
