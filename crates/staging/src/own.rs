//! Furniture of an operator's own: `.glb` files in a folder, and `pieces.toml`, which says what each of them is.
//!
//! A piece stands in for one of ours of its kind wherever a plan has room for its true size.
mod glb;

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use crate::chance::Chance;
use crate::material::Material;
use crate::mesh::Mesh;
use crate::pieces::{KINDS, Piece};
use crate::style::STYLES;

/// The manifest's name.
pub const MANIFEST: &str = "pieces.toml";
/// How much wider and narrower than the piece of a plan one that stands in for it may be, how much deeper and higher.
const WIDER: f32 = 1.2;
const NARROWER: f32 = 0.55;
const DEEPER: f32 = 1.3;
const HIGHER: f32 = 1.5;
/// Sides of pieces, meters.
const LEAST: f32 = 0.02;
const MOST: f32 = 4.0;

/// What a manifest holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    #[serde(default)]
    piece: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    file: String,
    kind: String,
    #[serde(default)]
    styles: Vec<String>,
    width: Option<f32>,
    #[serde(default)]
    front: Front,
}

/// Where a model's front looks, in glTF's axes (Y up).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
enum Front {
    #[default]
    #[serde(rename = "+z")]
    PlusZ,
    #[serde(rename = "-z")]
    MinusZ,
    #[serde(rename = "+x")]
    PlusX,
    #[serde(rename = "-x")]
    MinusX,
}

/// A piece of the operator's.
#[derive(Debug, Clone)]
struct OwnPiece {
    /// Its parts name materials of its own.
    piece: Piece,
    materials: Vec<Material>,
    styles: Vec<String>,
}

/// The operator's pieces.
#[derive(Debug, Clone, Default)]
pub struct Own {
    pieces: Vec<OwnPiece>,
}

impl Own {
    /// Reads a folder; without a manifest in it there are none. Second: what is wrong with which piece, and what to do;
    /// such a piece is left out.
    #[must_use]
    pub fn read(folder: &Path) -> (Self, Vec<String>) {
        let manifest = folder.join(MANIFEST);
        let text = match std::fs::read_to_string(&manifest) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return (Self::default(), Vec::new()),
            Err(error) => return (Self::default(), vec![format!("{MANIFEST} cannot be read: {error}")]),
        };
        let entries = match toml::from_str::<Manifest>(&text) {
            Ok(manifest) => manifest.piece,
            Err(error) => {
                return (Self::default(), vec![format!("{MANIFEST} is not a good manifest: {}", error.message())]);
            }
        };
        let (mut pieces, mut faults) = (Vec::new(), Vec::new());
        for entry in entries {
            match read_piece(folder, &entry) {
                Ok(piece) => pieces.push(piece),
                Err(fault) => faults.push(format!("{}: {fault}", entry.file)),
            }
        }
        (Self { pieces }, faults)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Only those of a style, with their materials put after `materials`, which their parts then name.
    pub(crate) fn of_style(&self, style: &str, materials: &mut Vec<Material>) -> Vec<Piece> {
        let is_of = |own: &&OwnPiece| own.styles.is_empty() || own.styles.iter().any(|s| s == style);
        let mut pieces = Vec::new();
        for own in self.pieces.iter().filter(is_of) {
            let mut piece = own.piece.clone();
            piece.mesh.parts.iter_mut().for_each(|part| part.material += materials.len());
            materials.extend(own.materials.iter().cloned());
            pieces.push(piece);
        }
        pieces
    }
}

/// The piece that stands in for one of a plan: one of the same kind and of a size near it, by chance where there are
/// several; else the plan's.
pub(crate) fn stand_in(own: &[Piece], piece: Piece, seed: u64) -> Piece {
    let fits = |own: &&Piece| {
        let (is, was) = (own.size, piece.size);
        own.kind == piece.kind
            && (was.x * NARROWER..=was.x * WIDER).contains(&is.x)
            && is.y <= was.y * DEEPER + 0.02
            && is.z <= was.z * HIGHER + 0.02
            && (is.z <= 0.05) == (was.z <= 0.05)
    };
    let fitting: Vec<&Piece> = own.iter().filter(fits).collect();
    match fitting.len() {
        0 => piece,
        count => fitting[Chance::named(seed, piece.kind).below(count)].clone(),
    }
}

fn read_piece(folder: &Path, entry: &Entry) -> Result<OwnPiece, String> {
    let Some(kind) = KINDS.iter().find(|kind| **kind == entry.kind).copied() else {
        return Err(format!(
            "`kind` is \"{}\", which no plan of a room has; it is one of: {}",
            entry.kind,
            KINDS.join(", ")
        ));
    };
    if let Some(style) = entry.styles.iter().find(|s| !STYLES.contains(&s.as_str())) {
        return Err(format!("`styles` names \"{style}\"; there are: {}", STYLES.join(", ")));
    }
    let is_plain = Path::new(&entry.file).components().all(|c| matches!(c, std::path::Component::Normal(_)));
    if entry.file.is_empty() || !is_plain {
        return Err("`file` has to lie in the folder of the manifest".to_owned());
    }
    let glb::Model { mut mesh, materials } = glb::read(&folder.join(&entry.file))?;
    turn(&mut mesh, entry.front);
    let [low, high] = mesh.bounds();
    let mut size = high - low;
    let mut scale = 1.0;
    if let Some(width) = entry.width {
        if !(LEAST..=MOST).contains(&width) || size.x < 1e-6 {
            return Err(format!("`width` is {width}; it is in meters, {LEAST} to {MOST}"));
        }
        scale = width / size.x;
        size *= scale;
    }
    if size.x < LEAST || size.y < LEAST || size.max_element() > MOST {
        return Err(format!(
            "it is {:.2} m wide, {:.2} m deep and {:.2} m high; furniture is {LEAST} to {MOST} m. glTF is in meters: say its true \
             width in meters in `width`",
            size.x, size.y, size.z
        ));
    }
    let middle = (low + high) / 2.0;
    for v in &mut mesh.vertices {
        v.place = (v.place - glam::Vec3::new(middle.x, middle.y, low.z)) * scale;
    }
    let name: Arc<str> = Path::new(&entry.file).file_stem().unwrap_or_default().to_string_lossy().into();
    Ok(OwnPiece { piece: Piece { kind, size, mesh, model: Some(name) }, materials, styles: entry.styles.clone() })
}

/// From glTF's axes, Y up and the front as said, to a piece's: Z up, the front towards -Y.
fn turn(mesh: &mut Mesh, front: Front) {
    let turned = |v: glam::Vec3| match front {
        Front::PlusZ => glam::Vec3::new(v.x, -v.z, v.y),
        Front::MinusZ => glam::Vec3::new(-v.x, v.z, v.y),
        Front::PlusX => glam::Vec3::new(-v.z, -v.x, v.y),
        Front::MinusX => glam::Vec3::new(v.z, v.x, v.y),
    };
    for v in &mut mesh.vertices {
        (v.place, v.normal) = (turned(v.place), turned(v.normal));
    }
}
