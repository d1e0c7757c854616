//! Answers to tasks other than jobs.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The result of one check of the machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What was checked ("graphics device").
    pub what: Cow<'static, str>,
    /// Whether Aerie can work with it.
    pub ok: bool,
    /// What was found.
    pub found: String,
    /// How to fix it, if it is not OK.
    pub remedy: Option<String>,
}

impl Finding {
    /// A finding that needs no remedy.
    pub fn good(what: &'static str, found: impl Into<String>) -> Self {
        Self { what: what.into(), ok: true, found: found.into(), remedy: None }
    }

    /// A fault, with its remedy.
    pub fn bad(what: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), ok: false, found: found.into(), remedy: Some(remedy.into()) }
    }
}

/// Name of the folder with the operator's own furniture, in a data folder or published pack.
pub const FURNITURE: &str = "furniture";

/// Name of the file in it that describes the pieces.
pub const FURNITURE_MANIFEST: &str = "pieces.toml";

/// What is in a folder of furniture.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Furniture {
    /// Pieces that can be used.
    pub pieces: Vec<PieceOfFurniture>,
    /// What is wrong with the others.
    pub faults: Vec<String>,
}

/// An operator's piece.
#[derive(Debug, Serialize, Deserialize)]
pub struct PieceOfFurniture {
    /// Its name.
    pub name: String,
    /// Its kind ("sofa").
    pub kind: String,
    /// Width, depth, height, meters.
    pub size: [f32; 3],
    /// Styles that it suits; empty for all.
    pub styles: Vec<String>,
    /// License.
    pub license: Option<String>,
    /// Whom to name.
    pub attribution: Option<String>,
    /// Where it comes from.
    pub source: Option<String>,
    /// Number of triangles.
    pub triangles: usize,
    /// Number of materials.
    pub materials: usize,
}

/// Where the sample town is.
#[derive(Debug, Serialize, Deserialize)]
pub struct SampleTown {
    /// Its folder.
    pub folder: PathBuf,
    /// An address in it.
    pub example_address: String,
}

/// The member of a measured boundary that says what is wrong with a polygon.
pub const BAD_POLYGON: &str = "bad_polygon";

/// Addresses of the sample town that can be geocoded, for demos, tests and messages.
pub const SAMPLE_ADDRESSES: &[&str] = &[
    "12 Larkspur Lane, 10001 Featherstone Vale",
    "9 Foxglove Crescent, 10001 Featherstone Vale",
    "14 Hawthorn Road, 10001 Featherstone Vale",
    "21 Millrace Lane, 10001 Featherstone Vale",
    "7 Orchard Row, 10001 Featherstone Vale",
    "10 Bramble Way, 10001 Featherstone Vale",
    "5 Church Hill, 10001 Featherstone Vale",
    "4 Poplar Avenue, 10001 Featherstone Vale",
];
