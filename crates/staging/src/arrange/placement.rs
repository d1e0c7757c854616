//! Pieces at their places.

use std::f32::consts::PI;

use glam::{Vec2, Vec3};

use crate::mesh::Mesh;
use crate::piece::{Piece, PieceKind};
use crate::site::{Footprint, Site};

/// A piece at its place.
#[derive(Debug, Clone)]
pub struct Placed {
    /// The piece.
    pub piece: Piece,
    /// Center of its footprint, meters. z is above 0 for pieces that hang on a wall.
    pub at: Vec3,
    /// Rotation, radians: 0 faces the camera (-Y).
    pub yaw: f32,
}

impl Placed {
    /// Its footprint.
    #[must_use]
    pub fn footprint(&self) -> Footprint {
        Footprint { center: self.at.truncate(), half: self.piece.size.truncate() / 2.0, yaw: self.yaw }
    }

    /// Whether it occupies floor; rugs and pictures do not.
    #[must_use]
    pub fn is_solid(&self) -> bool {
        self.piece.size.z > 0.05 && self.at.z < 0.3
    }

    /// Whether it lies flat on the floor and can be walked on.
    pub(super) fn is_flat(&self) -> bool {
        self.piece.size.z <= 0.05 && self.at.z < 0.3
    }
}

/// The furniture of a room.
#[derive(Debug, Clone, Default)]
pub struct Arrangement {
    /// Every piece.
    pub placed: Vec<Placed>,
    /// Pieces of the plan for which there was no space.
    pub left_out: Vec<PieceKind>,
}

impl Arrangement {
    /// The mesh of all pieces.
    #[must_use]
    pub fn mesh(&self) -> Mesh {
        let mut mesh = Mesh::default();
        for placed in &self.placed {
            mesh.place(&placed.piece.mesh, placed.yaw, placed.at);
        }
        mesh
    }

    /// Footprints of pieces that occupy floor.
    pub(super) fn footprints(&self) -> Vec<Footprint> {
        self.placed.iter().filter(|p| p.is_solid()).map(Placed::footprint).collect()
    }
}

/// A piece with its back to a wall, `gap` meters from it.
pub(super) fn at_wall(site: &Site<'_>, piece: &Piece, side: usize, along: f32, gap: f32) -> Placed {
    let wall = &site.shell.space.sides[side];
    let place = wall.at(along, 0.0).truncate() + wall.inward * (piece.size.y / 2.0 + gap);
    // The front faces along the inward normal of the wall; yaw 0 faces along -Y.
    let yaw = wall.inward.to_angle() + PI / 2.0;
    Placed { piece: piece.clone(), at: place.extend(0.0), yaw }
}

/// A piece of a group. `at` is in the axes of the group: its back at y = 0, its front toward -Y; `group` is origin and rotation.
pub(super) fn in_group(piece: &Piece, at: Vec2, yaw: f32, group: (Vec2, f32)) -> Placed {
    let (origin, turn) = group;
    let place = origin + Vec2::from_angle(turn).rotate(at);
    Placed { piece: piece.clone(), at: place.extend(0.0), yaw: yaw + turn }
}
