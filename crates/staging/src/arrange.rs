//! Where furniture goes: a group of each room's own, moved about by simulated annealing under rules that are never
//! broken, then what stands beside it, each where it fits best (rules after Merrell et al. 2011).
mod beside;
mod others;
mod rooms;
mod score;

use std::f32::consts::PI;

use glam::{Vec2, Vec3};

use crate::chance::Chance;
use crate::mesh::Mesh;
use crate::pieces::Piece;
use crate::site::{Footprint, Site};
use crate::style::Palette;

pub use rooms::{RoomPlan, known_rooms};

/// A piece in its place.
#[derive(Debug, Clone)]
pub struct Placed {
    /// The piece.
    pub piece: Piece,
    /// Where the middle of its footprint stands; z above 0 for what hangs or stands on something.
    pub at: Vec3,
    /// How far it is turned, radians: 0 looks towards the camera (-Y).
    pub yaw: f32,
}

impl Placed {
    /// Its footprint.
    #[must_use]
    pub fn footprint(&self) -> Footprint {
        Footprint { center: self.at.truncate(), half: self.piece.size.truncate() / 2.0, yaw: self.yaw }
    }

    /// Whether it takes up floor: rugs and pictures do not.
    #[must_use]
    pub fn is_solid(&self) -> bool {
        self.piece.size.z > 0.05 && self.at.z < 0.3
    }

    /// Whether it lies flat on the floor, to be walked on.
    fn is_flat(&self) -> bool {
        self.piece.size.z <= 0.05 && self.at.z < 0.3
    }
}

/// A furnished room's furniture.
#[derive(Debug, Clone, Default)]
pub struct Arrangement {
    /// Every piece.
    pub placed: Vec<Placed>,
    /// What of a plan had no place, in words.
    pub left_out: Vec<&'static str>,
}

impl Arrangement {
    /// One mesh of all.
    #[must_use]
    pub fn mesh(&self) -> Mesh {
        let mut mesh = Mesh::default();
        for placed in &self.placed {
            mesh.place(&placed.piece.mesh, placed.yaw, placed.at);
        }
        mesh
    }

    fn footprints(&self) -> Vec<Footprint> {
        self.placed.iter().filter(|p| p.is_solid()).map(Placed::footprint).collect()
    }
}

/// Furnishes a room; none where not even the group that a room is about has a place.
#[must_use]
pub fn arrange(site: &Site<'_>, plan: RoomPlan, palette: &Palette, seed: u64) -> Option<Arrangement> {
    rooms::furnish(site, plan, palette, seed)
}

/// Works on an arrangement.
struct Builder<'a> {
    site: &'a Site<'a>,
    done: Arrangement,
}

impl<'a> Builder<'a> {
    /// Whether pieces may be added: each where the room allows, none in another, ways kept.
    fn admits(&self, new: &[Placed]) -> bool {
        self.admits_apart(new, 0.02)
    }

    /// The same with so many meters between pieces.
    fn admits_apart(&self, new: &[Placed], gap: f32) -> bool {
        let mut prints = self.done.footprints();
        for placed in new.iter().filter(|p| p.is_solid()) {
            let print = placed.footprint();
            if !self.site.allows(&print, placed.piece.size.z) || prints.iter().any(|f| f.overlaps(&print.wider(gap))) {
                return false;
            }
            prints.push(print);
        }
        let lies_well = |p: &Placed| {
            let print = p.footprint();
            let on_floor = self.done.placed.iter().filter(|d| d.is_flat() || d.is_solid());
            self.site.allows(&print, 0.0) && on_floor.map(Placed::footprint).all(|other| !other.overlaps(&print))
        };
        new.iter().filter(|p| p.is_flat()).all(lies_well)
    }

    fn keeps_ways(&self, new: &[Placed]) -> bool {
        let mut prints = self.done.footprints();
        prints.extend(new.iter().filter(|p| p.is_solid()).map(Placed::footprint));
        self.site.is_walkable(&prints)
    }

    /// Adds pieces if they fit.
    fn add(&mut self, new: Vec<Placed>) -> bool {
        let fits = self.admits(&new) && self.keeps_ways(&new);
        if fits {
            self.done.placed.extend(new);
        }
        fits
    }

    /// Puts a piece against a wall where it scores best: `worth(side, along)` says how well it stands.
    fn against_wall(
        &mut self,
        piece: &Piece,
        gap: f32,
        chance: &mut Chance,
        worth: impl Fn(&Placed, usize) -> f32,
    ) -> bool {
        let space = &self.site.shell.space;
        let mut found: Vec<(f32, Placed)> = Vec::new();
        for (i, side) in space.sides.iter().enumerate().filter(|(_, s)| s.seen && s.length() > piece.size.x + 0.05) {
            for _ in 0..40 {
                let along = chance.within(piece.size.x / 2.0 + 0.03, side.length() - piece.size.x / 2.0 - 0.03);
                let placed = at_wall(self.site, piece, i, along, gap);
                if self.admits_apart(std::slice::from_ref(&placed), 0.35) {
                    let score = worth(&placed, i) + score::view(space, &placed)
                        - 1.2 * self.site.oddness(i, [along - piece.size.x / 2.0, along + piece.size.x / 2.0]);
                    found.push((score, placed));
                }
            }
        }
        self.best_of(found)
    }

    fn best_of(&mut self, mut found: Vec<(f32, Placed)>) -> bool {
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.retain(|(score, _)| *score > 0.0);
        found.truncate(6);
        found.into_iter().any(|(_, placed)| self.add(vec![placed]))
    }

    /// Hangs a piece on a wall at a height of its middle, above `along`, if the wall is bare there.
    fn hang(&mut self, piece: &Piece, side: usize, along: f32, middle: f32) -> bool {
        let (wide, high) = (piece.size.x, piece.size.z);
        let rect =
            [Vec2::new(along - wide / 2.0, middle - high / 2.0), Vec2::new(along + wide / 2.0, middle + high / 2.0)];
        if !self.site.shell.is_bare(side, rect, 0.12) || self.hangs_over(side, rect) || self.is_hidden(side, rect) {
            return false;
        }
        let mut placed = at_wall(self.site, piece, side, along, 0.004);
        placed.at.z = rect[0].y;
        self.done.placed.push(placed);
        true
    }

    /// Whether something that stands before the wall reaches up to a rectangle on it.
    fn is_hidden(&self, side: usize, rect: [Vec2; 2]) -> bool {
        let side = &self.site.shell.space.sides[side];
        self.done.placed.iter().filter(|p| p.is_solid() && p.piece.size.z > rect[0].y - 0.05).any(|p| {
            let corners = p.footprint().corners();
            let off = corners.map(|c| side.inward.dot(c - side.from)).into_iter().fold(f32::MAX, f32::min);
            let along = corners.map(|c| side.along().dot(c - side.from));
            let (low, high) = (along.into_iter().fold(f32::MAX, f32::min), along.into_iter().fold(f32::MIN, f32::max));
            off < 0.6 && low < rect[1].x && high > rect[0].x
        })
    }

    fn hangs_over(&self, side: usize, rect: [Vec2; 2]) -> bool {
        let side = &self.site.shell.space.sides[side];
        self.done.placed.iter().filter(|p| p.at.z > 0.3).any(|p| {
            let to = p.at.truncate() - side.from;
            let along = side.along().dot(to);
            side.inward.dot(to) < 0.2
                && along + p.piece.size.x / 2.0 > rect[0].x - 0.05
                && along - p.piece.size.x / 2.0 < rect[1].x + 0.05
        })
    }
}

/// A piece with its back at a wall.
fn at_wall(site: &Site<'_>, piece: &Piece, side: usize, along: f32, gap: f32) -> Placed {
    let wall = &site.shell.space.sides[side];
    let place = wall.at(along, 0.0).truncate() + wall.inward * (piece.size.y / 2.0 + gap);
    // Fronts look along the wall's inward normal: yaw 0 looks along -Y.
    let yaw = wall.inward.to_angle() + PI / 2.0;
    Placed { piece: piece.clone(), at: place.extend(0.0), yaw }
}

/// A piece of a group: in the group's own axes, whose back lies at y = 0 and whose front is towards -Y.
fn in_group(piece: &Piece, at: Vec2, yaw: f32, group: (Vec2, f32)) -> Placed {
    let (origin, turn) = group;
    let place = origin + Vec2::from_angle(turn).rotate(at);
    Placed { piece: piece.clone(), at: place.extend(0.0), yaw: yaw + turn }
}
