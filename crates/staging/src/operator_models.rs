//! An operator's own furniture: `.glb` files in a folder, described by `pieces.toml`.
//!
//! A model replaces a generated piece of its kind wherever the room has space for its true size.

mod glb;

use std::path::Path;
use std::sync::Arc;

use aerie_math::Rng;
use serde::Deserialize;
use strum::VariantArray;

use crate::material::Material;
use crate::mesh::Mesh;
use crate::piece::{Piece, PieceKind};
use crate::style::Style;

/// File name of the manifest.
pub const MANIFEST: &str = "pieces.toml";
/// Size of a model relative to the generated piece that it replaces.
const MIN_WIDTH: f32 = 0.55;
const MAX_WIDTH: f32 = 1.2;
const MAX_DEPTH: f32 = 1.3;
const MAX_HEIGHT: f32 = 1.5;
/// Allowed sides of a model, meters.
const MIN_SIDE: f32 = 0.02;
const MAX_SIDE: f32 = 4.0;

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

/// Direction in which the front of a model faces, in glTF axes (Y up).
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

#[derive(Debug, Clone)]
struct Model {
    /// Its parts index `materials`.
    piece: Piece,
    materials: Vec<Material>,
    /// The styles it suits; empty for all.
    styles: Vec<Style>,
}

/// An operator's models.
#[derive(Debug, Clone, Default)]
pub struct OperatorModels {
    models: Vec<Model>,
}

impl OperatorModels {
    /// Reads a folder. Without a manifest it has no models.
    ///
    /// Also returns the problems found, each with its fix. A model with a problem is left out.
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
                return (Self::default(), vec![format!("{MANIFEST} is not valid: {}", error.message())]);
            }
        };
        let (mut models, mut problems) = (Vec::new(), Vec::new());
        for entry in entries {
            match read_model(folder, &entry) {
                Ok(model) => models.push(model),
                Err(problem) => problems.push(format!("{}: {problem}", entry.file)),
            }
        }
        (Self { models }, problems)
    }

    /// Number of models.
    #[must_use]
    pub fn len(&self) -> usize {
        self.models.len()
    }

    /// Whether there are no models.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.models.is_empty()
    }

    /// The models of a style. Their materials are appended to `materials`, which their parts then index.
    pub(crate) fn of_style(&self, style: Style, materials: &mut Vec<Material>) -> Vec<Piece> {
        let is_of_style = |model: &&Model| model.styles.is_empty() || model.styles.contains(&style);
        let mut pieces = Vec::new();
        for model in self.models.iter().filter(is_of_style) {
            let mut piece = model.piece.clone();
            piece.mesh.parts.iter_mut().for_each(|part| part.material += materials.len());
            materials.extend(model.materials.iter().cloned());
            pieces.push(piece);
        }
        pieces
    }
}

/// A model of the same kind and of a similar size, chosen at random among several; without one, the piece itself.
pub(crate) fn replace(models: &[Piece], piece: Piece, seed: u64) -> Piece {
    let fits = |model: &&Piece| {
        let (size, original) = (model.size, piece.size);
        model.kind == piece.kind
            && (original.x * MIN_WIDTH..=original.x * MAX_WIDTH).contains(&size.x)
            && size.y <= original.y * MAX_DEPTH + 0.02
            && size.z <= original.z * MAX_HEIGHT + 0.02
            && (size.z <= 0.05) == (original.z <= 0.05)
    };
    let fitting: Vec<&Piece> = models.iter().filter(fits).collect();
    match fitting.len() {
        0 => piece,
        count => fitting[Rng::named(seed, piece.kind.as_str()).below(count)].clone(),
    }
}

fn read_model(folder: &Path, entry: &Entry) -> Result<Model, String> {
    let Some(kind) = entry.kind.parse().ok().filter(|kind: &PieceKind| kind.is_replaceable()) else {
        let kinds = PieceKind::VARIANTS.iter().filter(|kind| kind.is_replaceable()).map(|kind| kind.as_str());
        return Err(format!(
            "`kind` is \"{}\"; it must be one of: {}",
            entry.kind,
            kinds.collect::<Vec<_>>().join(", ")
        ));
    };
    let mut styles = Vec::new();
    for style in &entry.styles {
        let Ok(style) = style.parse() else {
            let all: Vec<&str> = Style::VARIANTS.iter().map(|style| style.as_str()).collect();
            return Err(format!("`styles` contains \"{style}\"; the styles are: {}", all.join(", ")));
        };
        styles.push(style);
    }
    let is_plain = Path::new(&entry.file).components().all(|c| matches!(c, std::path::Component::Normal(_)));
    if entry.file.is_empty() || !is_plain {
        return Err(format!("`file` must be a path below the folder of {MANIFEST}, without `..`"));
    }
    let glb::Contents { mut mesh, materials } = glb::read(&folder.join(&entry.file))?;
    rotate(&mut mesh, entry.front);
    let [low, high] = mesh.bounds();
    let mut size = high - low;
    let mut scale = 1.0;
    if let Some(width) = entry.width {
        if !(MIN_SIDE..=MAX_SIDE).contains(&width) || size.x < 1e-6 {
            return Err(format!("`width` is {width}; it must be {MIN_SIDE} to {MAX_SIDE} meters"));
        }
        scale = width / size.x;
        size *= scale;
    }
    if size.x < MIN_SIDE || size.y < MIN_SIDE || size.max_element() > MAX_SIDE {
        return Err(format!(
            "the model is {:.2} m wide, {:.2} m deep and {:.2} m high; sides must be {MIN_SIDE} to {MAX_SIDE} m. glTF is in meters: \
             set `width` to the true width in meters",
            size.x, size.y, size.z
        ));
    }
    let middle = (low + high) / 2.0;
    for v in &mut mesh.vertices {
        v.place = (v.place - glam::Vec3::new(middle.x, middle.y, low.z)) * scale;
    }
    let name: Arc<str> = Path::new(&entry.file).file_stem().unwrap_or_default().to_string_lossy().into();
    Ok(Model { piece: Piece { kind, size, mesh, model: Some(name) }, materials, styles })
}

/// Rotates from glTF's axes, Y up, to those of a piece: Z up, the front toward -Y.
fn rotate(mesh: &mut Mesh, front: Front) {
    let rotated = |v: glam::Vec3| match front {
        Front::PlusZ => glam::Vec3::new(v.x, -v.z, v.y),
        Front::MinusZ => glam::Vec3::new(-v.x, v.z, v.y),
        Front::PlusX => glam::Vec3::new(-v.z, -v.x, v.y),
        Front::MinusX => glam::Vec3::new(v.z, v.x, v.y),
    };
    for v in &mut mesh.vertices {
        (v.place, v.normal) = (rotated(v.place), rotated(v.normal));
    }
}
