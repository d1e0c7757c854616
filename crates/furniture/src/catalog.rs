//! Furniture to choose from: generated pieces of one style, and an operator's models that replace them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use aerie_language::furniture::StylePrompt;
use aerie_math::Rng;
use aerie_math::rng::mix;
use glam::Vec3;

use crate::material::Material;
use crate::mesh::Part;
use crate::operator_models::{Model, OperatorModels};
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::pieces;
use crate::recipe::Recipe;

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
    /// Roles of recolored materials.
    roles: BTreeMap<usize, Role>,
}

impl Catalog {
    /// The catalog of a style, with the operator's models of that style.
    #[must_use]
    pub fn new(prompt: &StylePrompt, models: &OperatorModels, seed: u64) -> Self {
        let palette = Palette::new(prompt, seed);
        let used =
            Mutex::new(Used { pieces: BTreeMap::new(), materials: palette.materials.clone(), roles: BTreeMap::new() });
        Self { palette, models: models.clone(), used, seed }
    }

    /// A piece at its usual size.
    pub fn piece(&self, kind: PieceKind, rng: &mut Rng) -> Piece {
        self.make(self.drawn(kind, rng))
    }

    /// Draws a piece of its usual size, in a form that suits the style.
    pub fn drawn(&self, kind: PieceKind, rng: &mut Rng) -> Recipe {
        pieces::drawn(kind, self.palette.style, rng)
    }

    /// A potted plant that suits the style: a large one, or one for narrow places.
    pub fn plant(&self, is_large: bool, rng: &mut Rng) -> Piece {
        let recipe = Recipe::drawn(PieceKind::PottedPlant, rng);
        self.make(recipe.formed(pieces::forms::plant(is_large, self.palette.style, rng)))
    }

    /// A rug made to measure in a design that suits the style: the same in all of a room.
    pub fn rug(&self, width: f32, depth: f32, is_round: bool) -> Piece {
        let form = pieces::forms::rug(is_round, self.palette.style, mix(self.seed ^ 0x0052_5547));
        self.make(Recipe::usual(PieceKind::Rug, 5).sized(width, depth).formed(form))
    }

    /// A piece with what stands on it: generated, or the operator's model that replaces it.
    pub fn make(&self, recipe: Recipe) -> Piece {
        let generated = pieces::make(&recipe, &self.palette);
        let models = self.models.instead_of(&generated, self.palette.style, self.seed);
        let piece = models.into_iter().find_map(|model| self.used(model)).unwrap_or(generated);
        self.topped(piece, recipe)
    }

    /// A piece that a person asked for: the operator's model with a name, or exactly what the recipe makes.
    pub fn asked(&self, model: Option<&str>, recipe: Recipe) -> Option<Piece> {
        let piece = match model {
            Some(name) => self.used(self.models.named(name)?)?,
            None => pieces::make(&recipe, &self.palette),
        };
        Some(self.topped(piece, recipe))
    }

    fn topped(&self, mut piece: Piece, recipe: Recipe) -> Piece {
        if let Some(topping) = pieces::topping(&recipe) {
            let top = piece.size.z;
            piece.attach(&self.make(topping), 0.0, Vec3::new(0.0, 0.0, top));
        }
        Piece { recipe: Some(recipe), ..piece }
    }

    /// The colors of the materials of a generated piece, by role.
    pub fn colors(&self, piece: &Piece) -> BTreeMap<Role, Vec3> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let color = |part: &Part| {
            let role = used.roles.get(&part.material).copied().or_else(|| Role::from_repr(part.material))?;
            Some((role, used.materials[part.material].color))
        };
        piece.mesh.parts.iter().filter_map(color).collect()
    }

    /// Gives the materials of some roles another color.
    pub fn recolored(&self, mut piece: Piece, colors: &BTreeMap<Role, Vec3>) -> Piece {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        for (role, color) in colors {
            let material = used.materials[*role as usize].recolored(*color);
            let number = used.materials.len();
            used.materials.push(material);
            used.roles.insert(number, *role);
            piece
                .mesh_mut()
                .parts
                .iter_mut()
                .filter(|part| part.material == *role as usize)
                .for_each(|p| p.material = number);
        }
        piece
    }

    /// The piece of a model; `None` if its file cannot be read.
    fn used(&self, model: &Model) -> Option<Piece> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(piece) = used.pieces.get(&model.name) {
            return piece.clone();
        }
        let piece = model.load().ok().map(|loaded| {
            let mut piece = loaded.piece.clone();
            piece.mesh_mut().parts.iter_mut().for_each(|part| part.material += used.materials.len());
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
