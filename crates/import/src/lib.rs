//! Imports files of map data into a region pack.
//!
//! [`import()`] reads OpenStreetMap extracts, elevation, imagery, parcels and surveyed building heights into the pack
//! of a data folder. It works on a copy of the pack and renames it into place on success. A failed import leaves the
//! pack unchanged, byte for byte, and readers can keep reading the old pack meanwhile.
//!
//! # Invariants
//!
//! - An import is atomic and idempotent. Tests: `importing_twice_is_importing_once`,
//!   `a_bad_file_is_named_with_its_remedy_and_leaves_the_pack_to_the_byte`, `a_canceled_import_leaves_the_pack_as_it_was`,
//!   `what_a_killed_import_left_behind_is_cleared_by_the_next`, `a_damaged_model_or_cloud_changes_nothing`.
//! - Time and memory are bounded by the size of a file, not by what it declares: `growth.rs` limits what it unpacks to. GDAL's
//!   conversions of a GeoTIFF have no time limit. Tests: `bombs_are_refused_by_name_in_bounded_memory_and_leave_the_pack_to_the_byte`;
//!   in `e2e`: `files_that_unpack_to_gigabytes_are_refused_within_seconds_and_in_little_memory`.
//! - Of a tile file, only tiles and metadata are copied. Tests: `tiles_that_are_queries_are_refused`,
//!   `nothing_but_tiles_and_metadata_is_taken_from_a_tile_file`.
//! - Coordinates agree with PROJ to centimeters, and surveys give roofs, trees and ground to real outlines. Tests:
//!   `positions_are_those_of_proj_within_centimeters_and_lead_back`,
//!   `a_real_cloud_gives_real_outlines_their_roofs_trees_and_a_fine_ground`.
//!
//! # Adding a map format
//!
//! For example, lists of trees as CSV:
//!
//! 1. `src/tree_list.rs` (new, with `mod tree_list;` here): `import(db, path, &mut report, progress, options)` reads the
//!    file and writes features and their bounds with `aerie_geodata::gpkg` (`put`, `put_bounds`). Use `geojson.rs` as a
//!    model. Count what was added in [`FileReport`], also with `report.used(count)`, and what was left out with `report.skip(reason)`:
//!    together they are what the file holds. End with `report.require_half`. Call `options.canceled` now and then.
//! 2. `src/format.rs`: a variant of `Format`, and its first bytes in `recognize`. File names do not decide.
//! 3. `src/import_files.rs`: an arm in `import_file`; without it the crate does not compile. `change_pack` gives you a copy of the
//!    pack in a transaction.
//! 4. `src/error.rs`: name the format in the message of [`ImportError::Foreign`].
//! 5. `tests/importing.rs`: import a small file twice, and a damaged one. The pack must be equal after the second import, and
//!    unchanged after the damaged one.
//!
//! A new kind of feature also needs a variant of `gpkg::Layer`; packs of earlier versions get the table at their next import.

mod archive;
mod city_model;
pub mod download;
mod error;
mod format;
mod geojson;
mod growth;
mod import_files;
mod options;
mod osm;
pub mod overpass;
mod point_cloud;
mod projection;
mod raster;
mod report;
mod srtm;
mod tool;
mod varint;
pub mod work_folder;
mod xml_format;

pub use download::{DownloadError, download, is_url};
pub use error::ImportError;
pub use import_files::{count_elements, import, import_into};
pub use options::{Confine, ImportOptions, ImportProgress};
pub use report::{FileReport, ImportReport};
