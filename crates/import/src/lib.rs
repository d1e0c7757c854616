//! Imports files of map data into a region pack.
//!
//! [`import()`] reads OpenStreetMap extracts, elevation, imagery, parcels and surveyed building heights into the pack of a data
//! folder. It works on a copy of the pack and renames that into place when everything is well: a failed import leaves the pack
//! unchanged to the byte, and readers keep reading the old pack meanwhile.

pub mod download;
mod error;
mod format;
mod geojson;
mod import_files;
mod options;
mod osm;
pub mod overpass;
mod raster;
mod report;
mod srtm;
pub mod work_folder;

pub use download::{DownloadError, download, is_url};
pub use error::ImportError;
pub use import_files::{import, import_into};
pub use options::{ImportOptions, ImportProgress};
pub use report::{FileReport, ImportReport};
