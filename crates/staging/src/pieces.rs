//! Furniture, piece by piece. Each stands on z = 0 with the middle of its footprint over the origin, its front
//! towards -Y, its back towards +Y.
pub mod beds;
pub mod decor;
pub mod household;
pub mod lamps;
pub mod plants;
pub mod seats;
pub mod storage;
pub mod tables;

use std::sync::Arc;

use glam::Vec3;

use crate::mesh::{Mesh, Solid};
use crate::style::Role;

/// What pieces there are, for which an operator may have models of their own.
pub const KINDS: &[&str] = &[
    "armchair",
    "basket",
    "bath mat",
    "bed",
    "bench",
    "blanket ladder",
    "bookshelf",
    "coffee table",
    "console table",
    "cot",
    "desk",
    "desk chair",
    "dining chair",
    "dining table",
    "dresser",
    "floor lamp",
    "framed art",
    "lantern",
    "laundry basket",
    "media console",
    "mirror",
    "nightstand",
    "planter",
    "potted plant",
    "pouf",
    "round table",
    "rug",
    "side table",
    "sideboard",
    "small plant",
    "sofa",
    "stool",
    "table lamp",
    "towel ladder",
    "toy chest",
    "trolley",
    "wall clock",
];

/// A piece of furniture.
#[derive(Debug, Clone)]
pub struct Piece {
    /// What it is ("sofa").
    pub kind: &'static str,
    /// Width (X), depth (Y), height (Z), meters.
    pub size: Vec3,
    /// Its shape.
    pub mesh: Mesh,
    /// The operator's model that it is, by its file's name.
    pub model: Option<Arc<str>>,
}

impl Piece {
    pub(crate) fn new(kind: &'static str, size: Vec3) -> Self {
        Self { kind, size, mesh: Mesh::default(), model: None }
    }

    pub(crate) fn add(&mut self, solid: Solid, role: Role) {
        self.mesh.add(solid, role as usize);
    }

    /// Puts another piece on or into this one.
    pub(crate) fn bear(&mut self, other: &Piece, yaw: f32, at: Vec3) {
        self.mesh.place(&other.mesh, yaw, at);
    }

    /// The box that its mesh takes up, from the middle of its footprint.
    #[must_use]
    pub fn measured(&self) -> [Vec3; 2] {
        self.mesh.bounds()
    }
}
