//! A piece of furniture: its kind, its size and its mesh.

use std::sync::Arc;

use glam::Vec3;

use crate::mesh::{Mesh, Solid};
use crate::palette::Role;
use crate::recipe::Recipe;

pub use crate::piece_kind::PieceKind;

/// A piece of furniture. It stands on z = 0 with the center of its footprint at the origin, its front toward -Y.
#[derive(Debug, Clone)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// Width (X), depth (Y), height (Z), meters.
    pub size: Vec3,
    /// Its shape; parts refer to materials by [`Role`], or by index for an operator's model.
    /// Shared by its copies, which a search for places makes by the thousand.
    pub mesh: Arc<Mesh>,
    /// File stem of the operator's model, if it is one.
    pub model: Option<Arc<str>>,
    /// How it was generated, and what stands on it; `None` for parts of others.
    pub recipe: Option<Recipe>,
}

impl Piece {
    /// A piece without a shape yet.
    #[must_use]
    pub fn new(kind: PieceKind, size: Vec3) -> Self {
        Self { kind, size, mesh: Arc::default(), model: None, recipe: None }
    }

    /// The mesh, to change it: this piece alone, not its copies.
    pub fn mesh_mut(&mut self) -> &mut Mesh {
        Arc::make_mut(&mut self.mesh)
    }

    /// Adds a solid of one material.
    pub fn add(&mut self, solid: Solid, role: Role) {
        self.mesh_mut().add(solid, role as usize);
    }

    /// Puts another piece on or into this one.
    pub fn attach(&mut self, other: &Piece, yaw: f32, at: Vec3) {
        self.mesh_mut().place(&other.mesh, yaw, at);
    }

    /// The piece scaled in all directions.
    #[must_use]
    pub fn scaled(mut self, factor: f32) -> Self {
        self.size *= factor;
        self.mesh_mut().vertices.iter_mut().for_each(|v| v.place *= factor);
        self
    }
}
