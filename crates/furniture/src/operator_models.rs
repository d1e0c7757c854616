//! An operator's own furniture: `.glb` files in a folder, described by `pieces.toml`.
//!
//! A model replaces a generated piece of its kind wherever the room has space for its true size.

mod glb;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use aerie_math::Rng;
use glam::Vec3;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::material::Material;
use crate::mesh::Mesh;
use crate::piece::{Piece, PieceKind};
use crate::style::Style;
use crate::texture::DecodePixels;

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
    /// What all pieces have in common that do not say otherwise.
    #[serde(default)]
    catalog: Credit,
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
    /// Width, depth and height, meters, as `aerie furniture add` measured them: the file is then read only where the piece is used.
    size: Option<[f32; 3]>,
    license: Option<String>,
    attribution: Option<String>,
    source: Option<String>,
}

/// Under which terms a model is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credit {
    /// License ("CC-BY-4.0").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Whom to name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribution: Option<String>,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl Credit {
    /// As one line for the text of a picture; `None` where nobody is to be named.
    #[must_use]
    pub fn line(&self) -> Option<String> {
        let attribution = self.attribution.as_ref()?;
        Some(self.license.as_ref().map_or_else(|| attribution.clone(), |license| format!("{attribution} ({license})")))
    }
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

/// A model of the catalog.
#[derive(Debug)]
pub struct Model {
    /// Its kind.
    pub kind: PieceKind,
    /// Its name: the stem of its file.
    pub name: Arc<str>,
    /// Width, depth, height, meters.
    pub size: Vec3,
    /// The styles it suits; empty for all.
    pub styles: Vec<Style>,
    /// Its terms.
    pub credit: Credit,
    path: PathBuf,
    width: Option<f32>,
    front: Front,
    decode: DecodePixels,
    read: OnceLock<Result<Loaded, String>>,
}

/// What the file of a model holds.
#[derive(Debug)]
pub struct Loaded {
    /// The piece; its parts index `materials`.
    pub piece: Piece,
    /// Materials.
    pub materials: Vec<Material>,
}

impl Model {
    fn new(folder: &Path, entry: &Entry, common: &Credit, decode: DecodePixels) -> Result<Self, String> {
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
        if let Some(width) = entry.width.filter(|width| !(MIN_SIDE..=MAX_SIDE).contains(width)) {
            return Err(format!("`width` is {width}; it must be {MIN_SIDE} to {MAX_SIDE} meters"));
        }
        let either = |own: &Option<String>, common: &Option<String>| own.clone().or_else(|| common.clone());
        let mut model = Self {
            kind,
            name: Path::new(&entry.file).file_stem().unwrap_or_default().to_string_lossy().into(),
            size: Vec3::ZERO,
            styles,
            credit: Credit {
                license: either(&entry.license, &common.license),
                attribution: either(&entry.attribution, &common.attribution),
                source: either(&entry.source, &common.source),
            },
            path: folder.join(&entry.file),
            width: entry.width,
            front: entry.front,
            decode,
            read: OnceLock::new(),
        };
        match entry.size {
            Some(size) if model.path.is_file() => model.size = checked_size(Vec3::from_array(size))?,
            Some(_) => return Err("the file does not exist".to_owned()),
            None => model.size = model.load()?.piece.size,
        }
        Ok(model)
    }

    /// The contents of its file, read at the first call.
    ///
    /// # Errors
    /// What is wrong with the file, and the remedy.
    pub fn load(&self) -> Result<&Loaded, String> {
        self.read.get_or_init(|| self.read_file()).as_ref().map_err(Clone::clone)
    }

    fn read_file(&self) -> Result<Loaded, String> {
        let glb::Contents { mut mesh, materials } = glb::read(&self.path, self.decode)?;
        rotate(&mut mesh, self.front);
        let [low, high] = mesh.bounds();
        let mut size = high - low;
        let mut scale = 1.0;
        if let Some(width) = self.width.filter(|_| size.x > 1e-6) {
            scale = width / size.x;
            size *= scale;
        }
        let size = checked_size(size)?;
        if self.size != Vec3::ZERO && (size - self.size).abs().max_element() > 0.02 {
            let [was, is] = [self.size, size].map(|s| format!("{:.2} x {:.2} x {:.2} m", s.x, s.y, s.z));
            return Err(format!("the model is {is}, and {MANIFEST} says {was}: remove `size` there"));
        }
        let middle = (low + high) / 2.0;
        for v in &mut mesh.vertices {
            v.place = (v.place - Vec3::new(middle.x, middle.y, low.z)) * scale;
        }
        let piece =
            Piece { kind: self.kind, size, mesh: Arc::new(mesh), model: Some(Arc::clone(&self.name)), recipe: None };
        Ok(Loaded { piece, materials })
    }
}

fn checked_size(size: Vec3) -> Result<Vec3, String> {
    if size.x < MIN_SIDE || size.y < MIN_SIDE || size.max_element() > MAX_SIDE || !size.is_finite() {
        return Err(format!(
            "the model is {:.2} m wide, {:.2} m deep and {:.2} m high; sides must be {MIN_SIDE} to {MAX_SIDE} m. glTF is in meters: \
             set `width` to the true width in meters",
            size.x, size.y, size.z
        ));
    }
    Ok(size)
}

/// An operator's models.
#[derive(Debug, Clone, Default)]
pub struct OperatorModels {
    models: Arc<[Model]>,
}

impl OperatorModels {
    /// Reads a folder; `decode` reads the images in its files. Without a manifest it has no models.
    ///
    /// Also returns the problems found, each with its fix. A model with a problem is left out. Of models whose size the manifest
    /// gives, the files are not read yet: [`Self::check`] does.
    #[must_use]
    pub fn read(folder: &Path, decode: DecodePixels) -> (Self, Vec<String>) {
        let manifest = folder.join(MANIFEST);
        let text = match std::fs::read_to_string(&manifest) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return (Self::default(), Vec::new()),
            Err(error) => return (Self::default(), vec![format!("{MANIFEST} cannot be read: {error}")]),
        };
        let Manifest { catalog, piece: entries } = match toml::from_str::<Manifest>(&text) {
            Ok(manifest) => manifest,
            Err(error) => {
                return (Self::default(), vec![format!("{MANIFEST} is not valid: {}", error.message())]);
            }
        };
        let (mut models, mut problems) = (Vec::new(), Vec::new());
        for entry in entries {
            match Model::new(folder, &entry, &catalog, decode) {
                Ok(model) => models.push(model),
                Err(problem) => problems.push(format!("{}: {problem}", entry.file)),
            }
        }
        (Self { models: models.into() }, problems)
    }

    /// Reads a folder and the files of all models.
    #[must_use]
    pub fn check(folder: &Path, decode: DecodePixels) -> (Self, Vec<String>) {
        let (Self { models }, mut problems) = Self::read(folder, decode);
        let file =
            |model: &Model| model.path.strip_prefix(folder).unwrap_or(&model.path).to_string_lossy().into_owned();
        let faults = models.iter().filter_map(|model| Some(format!("{}: {}", file(model), model.load().err()?)));
        problems.extend(faults);
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

    /// All models.
    pub fn iter(&self) -> impl Iterator<Item = &Model> {
        self.models.iter()
    }

    /// The model with a name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Model> {
        self.models.iter().find(|model| &*model.name == name)
    }

    /// The models that may replace a generated piece in a style, in an order that depends on the seed.
    pub(crate) fn instead_of(&self, piece: &Piece, style: Style, seed: u64) -> Vec<&Model> {
        let fits = |model: &&Model| {
            let (size, original) = (model.size, piece.size);
            model.kind == piece.kind
                && (model.styles.is_empty() || model.styles.contains(&style))
                && (original.x * MIN_WIDTH..=original.x * MAX_WIDTH).contains(&size.x)
                && size.y <= original.y * MAX_DEPTH + 0.02
                && size.z <= original.z * MAX_HEIGHT + 0.02
                && (size.z <= 0.05) == (original.z <= 0.05)
        };
        let mut fitting: Vec<&Model> = self.models.iter().filter(fits).collect();
        let first = Rng::named(seed, piece.kind.as_str()).below(fitting.len().max(1));
        fitting.rotate_left(first);
        fitting
    }
}

/// Rotates from glTF's axes, Y up, to those of a piece: Z up, the front toward -Y.
fn rotate(mesh: &mut Mesh, front: Front) {
    let rotated = |v: Vec3| match front {
        Front::PlusZ => Vec3::new(v.x, -v.z, v.y),
        Front::MinusZ => Vec3::new(-v.x, v.z, v.y),
        Front::PlusX => Vec3::new(-v.z, -v.x, v.y),
        Front::MinusX => Vec3::new(v.z, v.x, v.y),
    };
    for v in &mut mesh.vertices {
        (v.place, v.normal) = (rotated(v.place), rotated(v.normal));
    }
}
