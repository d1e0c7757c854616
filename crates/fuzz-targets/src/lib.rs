//! Fuzz targets: everything that parses bytes of strangers, one function for each parser.
//!
//! A target must not panic, overflow, take seconds or take much memory, whatever its input; it also asserts what must hold of the
//! result. `bench/fuzz.sh` runs them under libFuzzer, which lives in a workspace of its own (`fuzz/`). The corpora, in
//! `fuzz/corpus`, are replayed by a test. `cargo run --example seeds -- FOLDER` writes the first files of a corpus: they come from our
//! own encoders, never from other people's files.
//!
//! # Adding a target
//!
//! 1. A function here, and a line in [`TARGETS`].
//! 2. `fuzz/Cargo.toml` and `fuzz/fuzz_targets`: a binary, like the others.
//! 3. `examples/seeds.rs`: a file or more that the parser accepts; `fuzz/corpus.py pack` makes an archive of them.

mod boundaries;
mod furniture;
mod maps;
mod pictures;
mod surveys;
mod text;

use std::path::Path;

pub use boundaries::{boundary_drawing, boundary_geojson};
pub use furniture::furniture_model;
pub use maps::{geojson, geotiff, mbtiles, osm_pbf, osm_pbf_block, osm_xml, pmtiles, terrain_zip};
pub use pictures::{image_decode, image_header, image_metadata, map_tile};
pub use surveys::{city_model, point_cloud, roof_points};
pub use text::{address, prompts, request_body};

/// A target.
pub type Target = fn(&[u8]);

/// All targets by name, the riskiest first.
pub const TARGETS: &[(&str, Target)] = &[
    ("image_header", image_header),
    ("image_decode", image_decode),
    ("image_metadata", image_metadata),
    ("furniture_model", furniture_model),
    ("osm_pbf", osm_pbf),
    ("osm_pbf_block", osm_pbf_block),
    ("pmtiles", pmtiles),
    ("mbtiles", mbtiles),
    ("map_tile", map_tile),
    ("terrain_zip", terrain_zip),
    ("osm_xml", osm_xml),
    ("geojson", geojson),
    ("geotiff", geotiff),
    ("city_model", city_model),
    ("point_cloud", point_cloud),
    ("roof_points", roof_points),
    ("boundary_drawing", boundary_drawing),
    ("boundary_geojson", boundary_geojson),
    ("address", address),
    ("prompts", prompts),
    ("request_body", request_body),
];

/// Makes every panic in Aerie's own code end the process, even one that is caught. Panics of third-party parsers are reported in a
/// line each and go on: Aerie catches those.
pub fn abort_on_panic() {
    std::panic::set_hook(Box::new(|panic| {
        let file = panic.location().map_or("", std::panic::Location::file);
        let is_third_party = file.contains("/registry/") || file.contains("/rustc/") || file.starts_with("library/");
        eprintln!("{}: {panic}", if is_third_party { "caught" } else { "panic" });
        if !is_third_party {
            std::process::abort();
        }
    }));
}

/// An empty temporary folder, in memory where the system has such a place.
fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.expect("a folder")
}

/// Whether to make checks that take long: of one input in eight, always the same ones.
fn is_sampled(bytes: &[u8]) -> bool {
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
    (hash >> 32).is_multiple_of(8)
}
