//! Furniture to choose from: generated pieces of one style, and an operator's models that replace them.

use aerie_math::Rng;

use crate::operator_models::{self, OperatorModels};
use crate::palette::Palette;
use crate::piece::{Piece, PieceKind};
use crate::pieces;
use crate::prompt::StylePrompt;

/// Furniture of one style.
#[derive(Debug, Clone)]
pub struct Catalog {
    /// Colors and materials. The materials of the operator's models follow those of the roles.
    pub palette: Palette,
    models: Vec<Piece>,
    seed: u64,
}

impl Catalog {
    /// The catalog of a style, with the operator's models of that style.
    #[must_use]
    pub fn new(prompt: &StylePrompt, models: &OperatorModels, seed: u64) -> Self {
        let mut palette = Palette::new(prompt, seed);
        let models = models.of_style(palette.style, &mut palette.materials);
        Self { palette, models, seed }
    }

    /// A piece at its usual size.
    pub fn piece(&self, kind: PieceKind, rng: &mut Rng) -> Piece {
        self.pick(pieces::build(kind, &self.palette, rng))
    }

    /// The operator's model that replaces a generated piece, or the piece itself.
    pub fn pick(&self, piece: Piece) -> Piece {
        operator_models::replace(&self.models, piece, self.seed)
    }
}
