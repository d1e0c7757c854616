//! Constraints of a room on furniture: doors, windows, walkways, and what already stands at the walls.

mod ceiling;
mod detect;
mod footprint;
mod foreground;
mod ground;
#[cfg(test)]
mod tests;

use aerie_photo::lines::Segment;
use aerie_photo::segmentation::{Class, Segmentation};
use glam::{Vec2, Vec3};

use self::detect::mean_class;
use self::footprint::{BEFORE_DOOR, STEP};
pub use self::footprint::{Door, Footprint};
use self::foreground::{Foreground, Sight};
use self::ground::{Ground, WALKWAY};
use crate::light::Shell;
use crate::space::Surface;

/// A room and what has to stay free in it.
pub struct Site<'a> {
    /// Its light and shape.
    pub shell: &'a Shell,
    /// Doors and passages.
    pub doors: Vec<Door>,
    /// Doors that are seen in the photo, and glass down to the floor: what `doors` has not.
    glazed: Vec<Door>,
    /// In front of doors.
    zones: Vec<Footprint>,
    /// Where doors swing and people step in: not even a rug lies there.
    landings: Vec<Footprint>,
    foreground: Foreground,
    /// Per wall, in cells of 10 cm: share of its lower part that is not bare wall.
    odd: Vec<Vec<Option<f32>>>,
    /// Points of the floor that are covered or hidden by obstacles.
    things: Vec<Vec2>,
    /// Fireplaces, kitchens, radiators and shelves along the walls.
    pub fixtures: Vec<Door>,
    segmentation: Option<&'a Segmentation>,
    /// Upright lines on the walls, by side: where, from which height and to which.
    uprights: Vec<Vec<[f32; 3]>>,
    /// How rough the walls look, by side.
    rough: Vec<f32>,
    ground: Ground,
}

/// Share of the height of a rectangle on a wall that an upright line in it may have.
const CROSSED: f32 = 0.6;
/// Distance from a fixture within which a seat does not turn its back on it, and the same for a door, of which it hides more than a
/// part, meters.
const NEAR_FIXTURE: f32 = 4.0;
const NEAR_OPENING: f32 = 2.2;
const PART_OF_OPENING: f32 = 0.3;
/// Minimum distance from the camera, meters.
const AT_CAMERA: f32 = 0.95;
/// Depth before doors where not even a rug lies, and distance of rugs from walls, meters.
const LANDING: f32 = 0.6;
const RUG_OFF_WALL: f32 = 0.12;
/// Least width of a fixture, and widths of doors that the segmentation sees, meters. Wider ones are walls of glass, unless a part of them
/// is surely a door.
const FIXTURE: f32 = 0.4;
const DOOR: std::ops::Range<f32> = 0.5..2.2;
const WIDE_DOOR: std::ops::Range<f32> = 2.2..3.4;
const SURELY: f32 = 0.12;
/// Height of a sill below which a window may be a door, and width from which it is a wall of glass, meters.
const GLASS_DOOR: f32 = 0.45;
const WALL_OF_GLASS: f32 = 2.2;
/// Height and depth from which a piece keeps away from walls of glass as well, meters.
const TALL: f32 = 0.75;
const DEEP: f32 = 0.5;

impl<'a> Site<'a> {
    /// Detects doors, passages and obstacles. With a segmentation, only doors and passages that it sees as well are kept.
    #[must_use]
    pub fn of(shell: &'a Shell, segments: &[Segment], segmentation: Option<&'a Segmentation>) -> Self {
        let odd: Vec<Vec<Option<f32>>> =
            (0..shell.space.sides.len()).map(|side| shell.oddness(side, [0.25, 1.7], STEP)).collect();
        let mut doors = detect::doors(shell, segments);
        doors.extend(detect::passages(shell, &odd, &doors));
        if let Some(segmentation) = segmentation {
            doors.retain(|door| detect::is_seen(shell, segmentation, door));
        }
        let mut fixtures = detect::hearths(shell, &doors);
        let stretches =
            |classes, widths| segmentation.map(|s| detect::stretches(shell, s, classes, widths)).unwrap_or_default();
        fixtures.extend(stretches(&[Class::Fixture], FIXTURE..f32::MAX));
        let mut things = shell.obstacles();
        things.extend(segmentation.into_iter().flat_map(|segmentation| detect::covered(shell, segmentation)));
        let mut site = Self { things, segmentation, ..Self::with_doors(shell, doors, odd) };
        let mut doors_seen = stretches(&[Class::Door, Class::Window], DOOR);
        let wide = stretches(&[Class::Door, Class::Window], WIDE_DOOR);
        doors_seen.extend(wide.into_iter().filter(|door| {
            segmentation.and_then(|s| detect::share(shell, s, Class::Door, door)).is_some_and(|share| share > SURELY)
        }));
        doors_seen.extend(detect::cased(shell, segments));
        site.zones.extend(fixtures.iter().chain(&doors_seen).map(|f| detect::zone(shell, f, BEFORE_DOOR)));
        site.landings.extend(doors_seen.iter().map(|door| detect::zone(shell, door, LANDING)));
        if let Some(segmentation) = segmentation {
            site.foreground = Foreground::of(&shell.space, |place| Sight::of(&shell.space, segmentation, place));
        }
        site.fixtures = fixtures;
        site.glazed = doors_seen;
        site.glazed.extend(detect::low_windows(shell, GLASS_DOOR));
        site.rough = (0..shell.space.sides.len()).map(|side| shell.roughness(side)).collect();
        site.uprights =
            (0..shell.space.sides.len()).map(|side| detect::uprights(&shell.space, side, segments)).collect();
        site
    }

    /// A site with known doors.
    #[must_use]
    pub fn with_doors(shell: &'a Shell, doors: Vec<Door>, odd: Vec<Vec<Option<f32>>>) -> Self {
        let zones = |deep: f32| doors.iter().map(|door| detect::zone(shell, door, deep)).collect();
        let (zones, landings) = (zones(BEFORE_DOOR), zones(LANDING));
        let ground = Ground::of(&shell.space);
        Self {
            shell,
            doors,
            glazed: Vec::new(),
            zones,
            landings,
            foreground: Foreground::default(),
            odd,
            things: Vec::new(),
            fixtures: Vec::new(),
            segmentation: None,
            uprights: Vec::new(),
            rough: Vec::new(),
            ground,
        }
    }

    /// Mean probability of a class in the photo at places that it shows; 0 without a segmentation.
    fn class_at(&self, class: Class, places: impl Iterator<Item = Vec3>) -> f32 {
        let Some(segmentation) = self.segmentation else { return 0.0 };
        mean_class(&self.shell.space, segmentation, class, places).unwrap_or(0.0)
    }

    /// Share of a piece, as the camera sees it, that lies before a class in the photo.
    #[must_use]
    pub fn hidden(&self, class: Class, print: &Footprint, height: f32) -> f32 {
        let way = print.center.normalize_or(Vec2::Y);
        let reach = print.corners().map(|c| (c - print.center).dot(way.perp()).abs()).into_iter().fold(0.0, f32::max);
        let places = (0..35).map(|i| {
            let across = (f32::from(i % 7_u8) / 3.0 - 1.0) * reach * 0.9;
            let up = height * (0.15 + 0.2 * f32::from(i / 7_u8));
            (print.center + way.perp() * across).extend(up)
        });
        self.class_at(class, places)
    }

    /// Share of the picture of a piece that shows something nearer than the piece: a column, a counter, an open door. Drawn there, the
    /// piece would cover what stands before it.
    #[must_use]
    pub fn covers(&self, print: &Footprint, height: f32) -> f32 {
        self.foreground.covers(&self.shell.space, print, height)
    }

    /// Share of a class in the photo on the wall behind a piece, seen from the piece and not from the camera.
    #[must_use]
    pub fn behind(&self, class: Class, print: &Footprint, up: [f32; 2]) -> f32 {
        let space = &self.shell.space;
        let back = Vec2::from_angle(print.yaw).rotate(Vec2::Y);
        let from = |across: f32| print.center + back.perp() * (across * print.half.x);
        let wall = |across: f32| {
            let eye = from(across).extend(1.0);
            let (reach, surface) = space.intersect(eye, back.extend(0.0));
            matches!(surface, Surface::Wall(_)).then(|| (from(across) + back * reach).extend(0.0))
        };
        let feet = (0..7_u8).filter_map(|i| wall(f32::from(i) / 3.0 - 1.0));
        let places = feet.flat_map(|foot| {
            (0..5_u8).map(move |k| foot + Vec3::Z * (up[0] + (up[1] - up[0]) * (f32::from(k) + 0.5) / 5.0))
        });
        self.class_at(class, places)
    }

    /// Doors, passages and glass down to the floor.
    pub fn openings(&self) -> impl Iterator<Item = &Door> {
        self.doors.iter().chain(&self.glazed)
    }

    /// Whether a fireplace or another fixture is on the wall behind a piece.
    #[must_use]
    pub fn backs_onto_fixture(&self, print: &Footprint) -> bool {
        self.fixtures.iter().any(|fixture| self.backs_onto(print, fixture, NEAR_FIXTURE, 0.0))
    }

    /// Whether a door is close behind a piece, which hides more than a part of it.
    #[must_use]
    pub fn backs_onto_opening(&self, print: &Footprint) -> bool {
        self.openings().any(|opening| self.backs_onto(print, opening, NEAR_OPENING, PART_OF_OPENING))
    }

    /// Whether a stretch of wall is behind a piece, nearer to its middle than `near` meters, and more than `least` meters of it.
    fn backs_onto(&self, print: &Footprint, stretch: &Door, near: f32, least: f32) -> bool {
        let back = Vec2::from_angle(print.yaw).rotate(Vec2::Y);
        let side = &self.shell.space.sides[stretch.side];
        let to = print.center - side.from;
        let (along, off) = (side.along().dot(to), side.inward.dot(to));
        let [from, to] = stretch.across;
        side.inward.dot(back) < -0.7
            && off < near
            && (along + print.half.x).min(to) - (along - print.half.x).max(from) > least
    }

    /// How much a wall looks like something to look at, 0 to 1: brick, stone, shelves, a hearth or glass.
    #[must_use]
    pub fn attracts(&self, side: usize) -> f32 {
        /// Roughness from which a wall is more than paint, and at which it surely is.
        const ROUGH: [f32; 2] = [0.06, 0.2];
        let rough = self.rough.get(side).copied().unwrap_or(0.0);
        ((rough - ROUGH[0]) / (ROUGH[1] - ROUGH[0])).clamp(0.0, 1.0)
    }

    /// Whether a rectangle on a wall is bare wall, by its color and by the segmentation.
    #[must_use]
    pub fn is_bare(&self, side: usize, rect: [Vec2; 2], margin: f32) -> bool {
        /// Least mean probability of wall, and at any point.
        const WALL: [f32; 2] = [0.75, 0.3];
        if !self.shell.is_bare(side, rect, margin) {
            return false;
        }
        // The edge of a jog, a pilaster or a casing.
        let crossed = self.uprights.get(side).into_iter().flatten().any(|[at, from, to]| {
            (rect[0].x + 0.02..rect[1].x - 0.02).contains(at)
                && to.min(rect[1].y) - from.max(rect[0].y) > CROSSED * (rect[1].y - rect[0].y)
        });
        if crossed {
            return false;
        }
        let Some(segmentation) = self.segmentation else { return true };
        let [low, high] = [rect[0] - margin, rect[1] + margin];
        let place = |i: u8| {
            let at = low + (high - low) * Vec2::new(f32::from(i % 5), f32::from(i / 5)) / 4.0;
            self.shell.space.sides[side].at(at.x, at.y)
        };
        let space = &self.shell.space;
        let of = |i: u8| mean_class(space, segmentation, Class::Wall, std::iter::once(place(i)));
        let walls: Vec<f32> = (0..25).filter_map(of).collect();
        walls.iter().sum::<f32>() >= WALL[0] * walls.len() as f32 && walls.iter().all(|w| *w > WALL[1])
    }

    /// Share of a stretch of wall that is not bare near the floor; hidden parts count half.
    #[must_use]
    pub fn oddness(&self, side: usize, across: [f32; 2]) -> f32 {
        let Some(cells) = self.odd.get(side).filter(|c| !c.is_empty()) else { return 0.0 };
        let at = |v: f32| ((v / STEP).max(0.0) as usize).min(cells.len() - 1);
        let kept = &cells[at(across[0])..=at(across[1])];
        kept.iter().map(|c| c.unwrap_or(0.5)).sum::<f32>() / kept.len() as f32
    }

    /// How much a piece would hide of fireplaces, shelves and obstacles, 0 to 1.
    #[must_use]
    pub fn hides(&self, print: &Footprint) -> f32 {
        const BEFORE: f32 = 1.0;
        if self.things.iter().any(|place| print.distance(*place) < BEFORE) {
            return 1.0;
        }
        let sides = self.shell.space.sides.iter().enumerate().filter(|(_, s)| s.seen);
        let before = sides.filter_map(|(i, side)| {
            let to = print.center - side.from;
            let (along, off) = (side.along().dot(to), side.inward.dot(to));
            let half = print.half.max_element();
            let is_near = off < BEFORE + half && along > 0.0 && along < side.length();
            is_near.then(|| self.oddness(i, [along - half, along + half]))
        });
        before.fold(0.0, f32::max)
    }

    /// Whether the room allows a piece at a place: inside, not in front of a door or a window, not at the camera.
    #[must_use]
    pub fn allows(&self, print: &Footprint, height: f32) -> bool {
        let space = &self.shell.space;
        let corners = print.corners();
        let edges = (0..4).flat_map(|i| (0..4).map(move |k| corners[i].lerp(corners[(i + 1) % 4], k as f32 / 4.0)));
        for place in edges {
            if !space.holds(place) || (height > 0.05 && space.clearance(place) < 0.015) || place.y < 0.25 {
                return false;
            }
        }
        if self.things.iter().any(|place| print.distance(*place) == 0.0) {
            return false;
        }
        // A protruding corner of the room may lie inside a large piece.
        if space.sides.iter().any(|s| print.distance(s.from) == 0.0) || self.foreground.distance(print) < LANDING {
            return false;
        }
        if height <= 0.05 {
            let is_off_walls = print.corners().iter().all(|corner| space.clearance(*corner) > RUG_OFF_WALL);
            return is_off_walls && !self.landings.iter().any(|landing| landing.overlaps(print));
        }
        // Under the ceiling, also where that is low.
        if height > space.height - 0.03 {
            return false;
        }
        if self.zones.iter().any(|z| z.overlaps(print)) || print.distance(Vec2::ZERO) < AT_CAMERA {
            return false;
        }
        // Tall pieces close to the camera hide the room.
        if print.distance(Vec2::ZERO) < 1.9 && height > 1.0 {
            return false;
        }
        !self.shell.windows.iter().any(|w| {
            let Some(side) = w.side().map(|side| &space.sides[side]) else { return false };
            // A window down to the floor may be a door; before a wall of glass, only low and flat pieces stand close.
            let is_wall = w.rect[1].x - w.rect[0].x > WALL_OF_GLASS;
            let is_big = height > TALL || 2.0 * print.half.min_element() > DEEP;
            let is_kept_free = w.rect[0].y < GLASS_DOOR && (is_big || !is_wall);
            let free = if is_kept_free { BEFORE_DOOR } else { 0.45 };
            height > w.rect[0].y + 0.12 && corners.iter().any(|c| side.inward.dot(*c - side.from) < free) && {
                let along = corners.map(|c| side.along().dot(c - side.from));
                let (low, high) =
                    (along.iter().copied().fold(f32::MAX, f32::min), along.iter().copied().fold(f32::MIN, f32::max));
                high > w.rect[0].x + 0.06 && low < w.rect[1].x - 0.06
            }
        })
    }

    /// Whether a person can walk from the camera to every door between pieces.
    #[must_use]
    pub fn is_walkable(&self, pieces: &[Footprint]) -> bool {
        let ground = &self.ground;
        let mut free = ground.free.clone();
        for piece in pieces {
            let reach = piece.half.length() + WALKWAY;
            let low = ground.cell(piece.center - reach);
            let high = ground.cell(piece.center + reach);
            for y in low.y..=high.y {
                for x in low.x..=high.x {
                    let i = (y * ground.size.x + x) as usize;
                    free[i] = free[i] && piece.distance(ground.place(i)) >= WALKWAY / 2.0;
                }
            }
        }
        let near_start = ground.within(Vec2::new(0.0, 0.3), 1.2).filter(|(i, _)| free[*i]);
        let Some((start, _)) = near_start.min_by(|a, b| a.1.total_cmp(&b.1)) else { return false };
        let mut reached = vec![false; free.len()];
        let mut open = vec![start as u32];
        reached[start] = true;
        let size = ground.size;
        while let Some(i) = open.pop() {
            let (x, y) = (i % size.x, i / size.x);
            let next = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
            for (x, y) in next {
                if x < size.x && y < size.y {
                    let n = y * size.x + x;
                    if free[n as usize] && !reached[n as usize] {
                        reached[n as usize] = true;
                        open.push(n);
                    }
                }
            }
        }
        let near_door = |door: &Door| {
            let side = &self.shell.space.sides[door.side];
            let at = side.at((door.across[0] + door.across[1]) / 2.0, 0.0).truncate() + side.inward * 0.45;
            ground.within(at, 0.4).any(|(i, _)| reached[i])
        };
        self.doors.iter().all(near_door)
    }
}
