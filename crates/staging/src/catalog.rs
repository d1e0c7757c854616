//! Furniture to choose from: generated pieces of one style, and an operator's models that replace them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use aerie_math::Rng;

use crate::material::Material;
use crate::operator_models::{Model, OperatorModels};
use crate::palette::Palette;
use crate::piece::{Piece, PieceKind};
use crate::pieces;
use crate::prompt::StylePrompt;

/// Furniture of one style.
#[derive(Debug)]
pub struct Catalog {
    /// Colors and materials of generated pieces.
    pub palette: Palette,
    models: OperatorModels,
    used: Mutex<Used>,
    seed: u64,
}

/// The models that were picked.
#[derive(Debug)]
struct Used {
    /// Their pieces, whose parts index `materials`, by name; `None` for those that cannot be read.
    pieces: BTreeMap<Arc<str>, Option<Piece>>,
    /// The materials of the palette's roles, then those of the models.
    materials: Vec<Material>,
}

impl Catalog {
    /// The catalog of a style, with the operator's models of that style.
    #[must_use]
    pub fn new(prompt: &StylePrompt, models: &OperatorModels, seed: u64) -> Self {
        let palette = Palette::new(prompt, seed);
        let used = Mutex::new(Used { pieces: BTreeMap::new(), materials: palette.materials.clone() });
        Self { palette, models: models.clone(), used, seed }
    }

    /// A piece at its usual size.
    pub fn piece(&self, kind: PieceKind, rng: &mut Rng) -> Piece {
        self.pick(pieces::build(kind, &self.palette, rng))
    }

    /// The operator's model that replaces a generated piece, or the piece itself.
    pub fn pick(&self, piece: Piece) -> Piece {
        let models = self.models.instead_of(&piece, self.palette.style, self.seed);
        models.into_iter().find_map(|model| self.used(model)).unwrap_or(piece)
    }

    /// The piece of a model; `None` if its file cannot be read.
    fn used(&self, model: &Model) -> Option<Piece> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(piece) = used.pieces.get(&model.name) {
            return piece.clone();
        }
        let piece = model.load().ok().map(|loaded| {
            let mut piece = loaded.piece.clone();
            piece.mesh.parts.iter_mut().for_each(|part| part.material += used.materials.len());
            used.materials.extend(loaded.materials.iter().cloned());
            piece
        });
        used.pieces.insert(Arc::clone(&model.name), piece.clone());
        piece
    }

    /// The materials that all pieces' parts index.
    #[must_use]
    pub fn into_materials(self) -> Vec<Material> {
        self.used.into_inner().unwrap_or_else(PoisonError::into_inner).materials
    }
}
