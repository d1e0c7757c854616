//! Rules for adding pieces to a room.

use aerie_math::Rng;
use aerie_photo::segmentation::Class;
use glam::Vec2;

use super::placement::{Arrangement, Placed, at_wall};
use super::score;
use crate::site::Site;
use aerie_furniture::catalog::Catalog;
use aerie_furniture::palette::MOTIFS;
use aerie_furniture::piece::{Piece, PieceKind};
use aerie_furniture::recipe::Recipe;

/// Share of a piece, as the camera sees it, that may lie before fixtures, and before windows if the piece is tall and wide.
const HIDES_FIXTURE: f32 = 0.12;
const HIDES_WINDOW: f32 = 0.3;
/// The same for all that is built in and for doors, of any piece.
const HIDES_ANY: f32 = 0.35;
/// Share of the wall behind a tall piece that may be window.
const BEFORE_WINDOW: f32 = 0.08;
/// Heights at which glass is that of a door, meters, and share of the wall behind what stores things that it may be.
const GLASS_DOOR: [f32; 2] = [0.1, 0.45];
const BEFORE_GLASS: f32 = 0.2;
/// Height from which a piece is tall, meters.
const TALL: f32 = 1.1;
/// Share of the picture of a piece that may show what stands before it: noise of the segmentation.
const COVERS: f32 = 0.02;
/// Share of a rug that may lie to the side of the picture.
const OFF_SIDES: f32 = 0.1;
/// Cost of a piece that the edge of the picture cuts off.
const CUT: f32 = 2.0;
/// Cost of a tall piece that the camera sees from its side, and least cosine to the camera from which it does not.
const EDGE_ON: f32 = 4.0;
const FACING: f32 = 0.35;
/// Cost of standing at a wall that people look at.
const ATTRACTS: f32 = 0.8;
/// Cost of standing behind or before other furniture in the picture.
const STACKED: f32 = 1.2;
/// Distance within which the back of a seat matters, and within which it always does, meters.
const NEAR: f32 = 6.0;
const FOREGROUND: f32 = 3.5;

/// An arrangement in the making: pieces are added only where the room allows.
pub(super) struct Builder<'a> {
    pub(super) site: &'a Site<'a>,
    pub(super) done: Arrangement,
    /// Motifs of the pictures that hang.
    motifs: Vec<usize>,
    pub(super) leniency: Leniency,
}

/// How much of what is built in pieces may hide, and whether seats beyond the foreground show their backs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leniency {
    /// Next to nothing.
    None,
    /// Twice as much: the main piece comes first.
    Some,
    /// Any amount: nothing else fits.
    Full,
}

impl Leniency {
    /// Factor on the shares that may be hidden.
    fn factor(self) -> f32 {
        match self {
            Self::None => 1.0,
            Self::Some => 2.0,
            Self::Full => f32::INFINITY,
        }
    }
}

impl<'a> Builder<'a> {
    pub(super) fn new(site: &'a Site<'a>) -> Self {
        Self { site, done: Arrangement::default(), motifs: Vec::new(), leniency: Leniency::None }
    }

    /// A picture with a motif that hangs nowhere else; `None` when all hang.
    pub(super) fn picture(
        &self,
        catalog: &Catalog,
        size: [f32; 2],
        mounted: bool,
        rng: &mut Rng,
    ) -> Option<(Piece, usize)> {
        let free: Vec<usize> = (0..MOTIFS.len()).filter(|motif| !self.motifs.contains(motif)).collect();
        let motif = *free.get(rng.below(free.len().max(1)))?;
        Some((
            catalog.make(
                Recipe::usual(PieceKind::FramedArt, 0)
                    .sized(size[0], size[1])
                    .formed((2 * motif) as u8 + u8::from(mounted)),
            ),
            motif,
        ))
    }

    /// Hangs a picture with another motif than those that hang, if the wall is bare there.
    pub(super) fn hang_picture(
        &mut self,
        catalog: &Catalog,
        size: [f32; 2],
        (side, along, middle): (usize, f32, f32),
        rng: &mut Rng,
    ) -> bool {
        let mounted = rng.random_bool_f32(0.7);
        let Some((piece, motif)) = self.picture(catalog, size, mounted, rng) else { return false };
        let hangs = self.hang(&piece, side, along, middle);
        if hangs {
            self.motifs.push(motif);
        }
        hangs
    }

    /// Adds a picture whose place was checked.
    pub(super) fn push_picture(&mut self, placed: Placed, motif: usize) {
        self.done.placed.push(placed);
        self.motifs.push(motif);
    }

    /// Whether pieces may be added: each where the room allows, and none in another.
    pub(super) fn admits(&self, new: &[Placed]) -> bool {
        self.admits_apart(new, 0.02)
    }

    /// The same with a distance between pieces, meters.
    pub(super) fn admits_apart(&self, new: &[Placed], gap: f32) -> bool {
        let mut prints = self.done.footprints();
        for placed in new.iter().filter(|p| p.is_solid()) {
            let print = placed.footprint();
            if !placed.bodies().all(|(body, high)| self.site.allows(&body, high))
                || self.is_in_the_way(placed)
                || prints.iter().any(|f| f.overlaps(&print.wider(gap)))
            {
                return false;
            }
            prints.push(print);
        }
        new.iter().filter(|p| p.is_flat()).all(|p| self.lies_well(p, 0))
    }

    /// Whether a rug may lie at a place, but for the last `under` pieces, which stand on it.
    pub(super) fn lies_well(&self, rug: &Placed, under: usize) -> bool {
        let print = rug.footprint();
        let others = &self.done.placed[..self.done.placed.len() - under];
        let mut on_floor = others.iter().filter(|d| d.is_flat() || d.is_solid()).map(Placed::footprint);
        self.site.allows(&print, 0.0)
            && self.site.covers(&print, 0.0) <= COVERS
            && score::off_sides(&self.site.shell.space, rug) <= OFF_SIDES
            && on_floor.all(|other| !other.overlaps(&print))
    }

    /// Whether a piece stands where no stager would put it: before a fireplace or a kitchen, a seat's back to the camera or to a
    /// fireplace, something tall and wide before a window.
    fn is_in_the_way(&self, placed: &Placed) -> bool {
        let (print, size) = (placed.footprint(), placed.piece.size);
        if placed.bodies().any(|(body, high)| self.site.covers(&body, high) > COVERS) {
            return true;
        }
        let hides = |class: Class| self.site.hidden(class, &print, size.z);
        let is_wide = size.x.max(size.y) > 0.55;
        let more = self.leniency.factor();
        if is_wide && hides(Class::Fixture) + hides(Class::Furniture) > more * HIDES_FIXTURE {
            return true;
        }
        // Small things before a door or a counter hide it as well.
        if hides(Class::Fixture) + hides(Class::Furniture) + hides(Class::Door) > more * HIDES_ANY {
            return true;
        }
        // A television stands on its console.
        let high = if placed.piece.kind == PieceKind::MediaConsole { placed.top() } else { size.z };
        if is_wide
            && high > TALL
            && (hides(Class::Window) > HIDES_WINDOW
                || (!matches!(placed.piece.kind, PieceKind::Bed | PieceKind::SingleBed)
                    && self.site.behind(Class::Window, &print, [0.4, high]) > BEFORE_WINDOW))
        {
            return true;
        }
        // Glass down to the floor is a door.
        let stores = matches!(placed.piece.kind, PieceKind::Sideboard | PieceKind::Dresser | PieceKind::MediaConsole);
        if stores && self.site.behind(Class::Window, &print, GLASS_DOOR) > BEFORE_GLASS {
            return true;
        }
        match placed.piece.kind {
            PieceKind::Sofa | PieceKind::Sectional => {
                self.shows_back(placed, 0.0) || self.site.backs_onto_fixture(&print) || self.is_before_opening(placed)
            }
            PieceKind::Bed | PieceKind::SingleBed | PieceKind::Daybed => {
                self.site.backs_onto_fixture(&print) || self.is_before_opening(placed)
            }
            PieceKind::Armchair => self.shows_back(placed, 0.0),
            _ => false,
        }
    }

    /// Whether a piece turns its back on a door close to it; for want of another place, it may.
    fn is_before_opening(&self, placed: &Placed) -> bool {
        self.leniency == Leniency::None && self.site.backs_onto_opening(&placed.footprint())
    }

    /// Whether a seat turns to the camera what is behind it; `least` is the cosine to the camera from which it does not.
    fn shows_back(&self, placed: &Placed, least: f32) -> bool {
        let near = if self.leniency == Leniency::None { NEAR } else { FOREGROUND };
        score::faces_camera(placed) < least && placed.at.truncate().length() < near
    }

    /// Whether walkways stay open with these pieces added.
    pub(super) fn keeps_ways(&self, new: &[Placed]) -> bool {
        let mut prints = self.done.footprints();
        prints.extend(new.iter().filter(|p| p.is_solid()).map(Placed::footprint));
        self.site.is_walkable(&prints)
    }

    /// Adds pieces if they fit.
    pub(super) fn add(&mut self, new: Vec<Placed>) -> bool {
        let fits = self.admits(&new) && self.keeps_ways(&new);
        if fits {
            self.done.placed.extend(new);
        }
        fits
    }

    /// Puts a piece against a wall where it scores best. `worth` scores a placement at a wall.
    pub(super) fn against_wall(
        &mut self,
        piece: &Piece,
        gap: f32,
        rng: &mut Rng,
        worth: impl Fn(&Placed, usize) -> f32,
    ) -> bool {
        let space = &self.site.shell.space;
        let mut candidates: Vec<(f32, Placed)> = Vec::new();
        for (i, side) in space.sides.iter().enumerate().filter(|(_, s)| s.seen && s.length() > piece.size.x + 0.05) {
            for _ in 0..40 {
                let along = rng.range_f32(piece.size.x / 2.0 + 0.03, side.length() - piece.size.x / 2.0 - 0.03);
                let placed = at_wall(self.site, piece, i, along, gap);
                if self.admits_apart(std::slice::from_ref(&placed), 0.35) {
                    let score = worth(&placed, i) + score::view(space, &placed)
                        - STACKED * self.stacked(&placed)
                        - CUT * (1.0 - score::seen(space, &placed))
                        - EDGE_ON * edge_on(&placed)
                        - ATTRACTS * self.site.attracts(i)
                        - 1.2 * self.site.oddness(i, [along - piece.size.x / 2.0, along + piece.size.x / 2.0]);
                    candidates.push((score, placed));
                }
            }
        }
        self.best_of(candidates)
    }

    /// Share of a piece's width in the picture in which it stands behind or before furniture that is there, if either is tall.
    fn stacked(&self, placed: &Placed) -> f32 {
        const TALL: f32 = 1.0;
        let [low, high] = score::bearings(&placed.footprint());
        let overlap = |other: &Placed| {
            let [from, to] = score::bearings(&other.footprint());
            let is_tall = placed.piece.size.z.max(other.piece.size.z) > TALL;
            if is_tall { (high.min(to) - low.max(from)).max(0.0) / (high - low).max(1e-3) } else { 0.0 }
        };
        self.done.placed.iter().filter(|p| p.is_solid()).map(overlap).fold(0.0, f32::max)
    }

    /// Adds the best of the candidates that fits, if its score is above 0.
    pub(super) fn best_of(&mut self, mut candidates: Vec<(f32, Placed)>) -> bool {
        candidates.sort_by(|a, b| b.0.total_cmp(&a.0));
        candidates.retain(|(score, _)| *score > 0.0);
        candidates.truncate(6);
        candidates.into_iter().any(|(_, placed)| self.add(vec![placed]))
    }

    /// Hangs a piece on a wall if the wall is bare there. `middle` is the height of its center.
    pub(super) fn hang(&mut self, piece: &Piece, side: usize, along: f32, middle: f32) -> bool {
        let (wide, high) = (piece.size.x, piece.size.z);
        let rect =
            [Vec2::new(along - wide / 2.0, middle - high / 2.0), Vec2::new(along + wide / 2.0, middle + high / 2.0)];
        if !self.site.is_bare(side, rect, 0.12) || self.hangs_over(side, rect) || self.is_hidden(side, rect) {
            return false;
        }
        let mut placed = at_wall(self.site, piece, side, along, 0.004);
        placed.at.z = rect[0].y;
        self.done.placed.push(placed);
        true
    }

    /// Whether furniture in front of the wall hides a rectangle on it.
    fn is_hidden(&self, side: usize, rect: [Vec2; 2]) -> bool {
        let side = &self.site.shell.space.sides[side];
        self.done.placed.iter().filter(|p| p.is_solid() && p.top() > rect[0].y - 0.05).any(|p| {
            let corners = p.footprint().corners();
            let off = corners.map(|c| side.inward.dot(c - side.from)).into_iter().fold(f32::MAX, f32::min);
            let along = corners.map(|c| side.along().dot(c - side.from));
            let (low, high) = (along.into_iter().fold(f32::MAX, f32::min), along.into_iter().fold(f32::MIN, f32::max));
            off < 0.6 && low < rect[1].x && high > rect[0].x
        })
    }

    /// Whether a rectangle on a wall overlaps something that hangs there.
    pub(super) fn hangs_over(&self, side: usize, rect: [Vec2; 2]) -> bool {
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

/// How much a tall piece turns its side to the camera.
fn edge_on(placed: &Placed) -> f32 {
    if placed.piece.size.z > TALL { (FACING - score::faces_camera(placed)).max(0.0) } else { 0.0 }
}
