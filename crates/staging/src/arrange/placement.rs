//! Pieces at their places.

use std::f32::consts::PI;

use glam::{Vec2, Vec3};

use crate::site::{Footprint, Site};
use aerie_furniture::mesh::Mesh;
use aerie_furniture::piece::{Piece, PieceKind};

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

    /// The boxes that it fills, as footprints with heights: a bed is as high as its head only there.
    pub(super) fn bodies(&self) -> impl Iterator<Item = (Footprint, f32)> {
        /// Depth of the head of a bed, and height of the rest with its pillows, meters.
        const HEAD: f32 = 0.25;
        const BED: f32 = 0.75;
        let (print, size) = (self.footprint(), self.piece.size);
        let has_head = matches!(self.piece.kind, PieceKind::Bed | PieceKind::SingleBed) && size.z > BED;
        let back = Vec2::from_angle(self.yaw).rotate(Vec2::Y) * (size.y - HEAD) / 2.0;
        let head = Footprint { center: print.center + back, half: Vec2::new(print.half.x, HEAD / 2.0), ..print };
        std::iter::once((print, if has_head { BED } else { size.z })).chain(has_head.then_some((head, size.z)))
    }

    /// Height of its upper end above the floor, with what stands on it.
    pub(super) fn top(&self) -> f32 {
        self.at.z + self.piece.size.z.max(self.piece.mesh.bounds()[1].z)
    }

    /// Whether it occupies floor; rugs, pictures and curtains do not.
    #[must_use]
    pub fn is_solid(&self) -> bool {
        self.piece.kind != PieceKind::Curtains && self.piece.size.z > 0.05 && self.at.z < 0.3
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

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(kind: PieceKind, size: Vec3) -> Placed {
        Placed { piece: Piece::new(kind, size), at: Vec3::new(1.0, 3.0, 0.0), yaw: PI }
    }

    #[test]
    fn a_bed_is_high_at_its_head_only() {
        let bodies: Vec<_> = placed(PieceKind::Bed, Vec3::new(1.6, 2.2, 1.1)).bodies().collect();
        assert_eq!(bodies.len(), 2);
        let ((whole, low), (head, high)) = (bodies[0], bodies[1]);
        assert!(low < 0.8 && high == 1.1 && whole.half.y == 1.1);
        // Turned by half a circle, it has its head toward the camera.
        assert!((head.center - Vec2::new(1.0, 3.0 - 0.975)).length() < 1e-4, "{head:?}");
        assert_eq!(placed(PieceKind::Sofa, Vec3::new(2.0, 0.9, 0.9)).bodies().count(), 1);
    }

    #[test]
    fn what_stands_on_a_piece_counts_to_its_top() {
        let mut console = placed(PieceKind::MediaConsole, Vec3::new(1.6, 0.4, 0.5));
        console.piece.add(
            aerie_furniture::shape::block(Vec3::new(1.2, 0.1, 0.7), 0.01).moved(0.0, 0.0, 0.9),
            aerie_furniture::palette::Role::Wood,
        );
        let high = console.piece.mesh.bounds()[1].z;
        assert!(high > 0.5 && console.top() == high, "{high}");
    }
}
