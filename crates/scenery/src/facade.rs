//! Walls that stand on the ground: windows in stories around the building, doors and plinths where the ground is.

use aerie_geodata::place::Terrain;
use aerie_render::scene::Finish;
use glam::{DVec2, Vec2};

use crate::materials::{self, Materials};
use crate::mesh::Builder;

/// Height of the plinth above the ground, meters, as in `solids.wgsl`.
const PLINTH: f64 = 0.35;
/// The most that the ground may rise above the floor of a story with windows, meters: they begin 0.92 m above the floor.
const BURIED: f64 = 0.5;
/// Height of the ground above or below the floor from which the plinth is built along the ground, meters.
const RELIEF: f64 = 0.8;
/// Share of open sky at the foot and at the top of a wall: its foot sees half of the sky at most, the eaves darken its top.
const OPEN: [f64; 2] = [0.55, 0.86];

/// A part of a wall with a straight top.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Strip {
    pub(crate) from: DVec2,
    pub(crate) to: DVec2,
    /// Heights of its top at both ends, meters above the datum.
    pub(crate) tops: [f64; 2],
}

/// What the walls of a building have in common.
pub(crate) struct Facade<'a> {
    pub(crate) materials: &'a Materials,
    pub(crate) terrain: &'a Terrain,
    /// Height of the ground floor, meters above the datum. The other stories follow above, and below where the ground falls.
    pub(crate) floor: f64,
    /// Height of the foot of the walls, meters above the datum.
    pub(crate) bottom: f64,
    /// Whether the walls reach the ground.
    pub(crate) is_grounded: bool,
}

/// A part of a wall between two distances from its start, whose first story is `lift` stories above the ground floor.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Part {
    from: f64,
    to: f64,
    lift: i32,
}

impl Facade<'_> {
    /// Adds a straight wall of consecutive strips; `stories` is the number of stories with windows, or `None` where the building's.
    pub(crate) fn wall(
        &self,
        strips: &[Strip],
        (door, windows): (bool, bool),
        stories: Option<u32>,
        out: &mut Builder,
    ) {
        let (Some(first), Some(last)) = (strips.first(), strips.last()) else { return };
        let run: f64 = strips.iter().map(|strip| strip.from.distance(strip.to)).sum();
        let (mut material, stretch) = self.materials.wall_material(run, door, windows);
        if let Some(stories) = stories {
            material = materials::with_stories(material, stories);
        }
        let on = |s: f64| first.from.lerp(last.to, s / run);
        for part in self.parts(materials::bays(material), run, on) {
            let floor = self.floor + f64::from(part.lift) * self.materials.story_height;
            let mut material = materials::raised(material, part.lift);
            if let Some(bay) = materials::door_bay(material) {
                let middle = (f64::from(bay) + 0.5) / f64::from(materials::bays(material).max(1)) * run;
                if self.is_grounded {
                    material = materials::with_door(material, self.ground(on(middle)) + 0.02 - floor);
                }
            }
            let level = Level { floor, stretch, material };
            let mut start = 0.0;
            for strip in strips {
                let length = strip.from.distance(strip.to);
                let ends = [part.from.max(start), part.to.min(start + length)];
                if ends[1] - ends[0] > 1e-6 {
                    let shares = ends.map(|s| ((s - start) / length).clamp(0.0, 1.0));
                    let points = shares.map(|share| strip.from.lerp(strip.to, share));
                    let tops = shares.map(|share| strip.tops[0] + (strip.tops[1] - strip.tops[0]) * share);
                    self.quads(&level, ends, points, tops, out);
                }
                start += length;
            }
        }
    }

    fn ground(&self, p: DVec2) -> f64 {
        self.terrain.height(p.to_array())
    }

    /// Divides a wall where the ground leaves the story that it met: between bays, so that no window is cut.
    fn parts(&self, bays: u32, run: f64, on: impl Fn(f64) -> DVec2) -> Vec<Part> {
        if !self.is_grounded || bays == 0 {
            return vec![Part { from: 0.0, to: run, lift: 0 }];
        }
        let bay = run / f64::from(bays);
        let mut parts: Vec<Part> = Vec::new();
        for i in 0..bays {
            let from = f64::from(i) * bay;
            let highest =
                [0.0, 0.5, 1.0].map(|share| self.ground(on(from + bay * share))).into_iter().fold(f64::MIN, f64::max);
            let lift = -((self.floor + BURIED - highest) / self.materials.story_height).floor() as i32;
            match parts.last_mut() {
                Some(part) if part.lift == lift => part.to = from + bay,
                _ => parts.push(Part { from, to: from + bay, lift }),
            }
        }
        if let Some(last) = parts.last_mut() {
            last.to = run;
        }
        parts
    }

    /// Adds the faces of a strip between two distances from the start of its wall.
    fn quads(&self, level: &Level, ends: [f64; 2], points: [DVec2; 2], tops: [f64; 2], out: &mut Builder) {
        let low = self.bottom.min(tops[0].min(tops[1]) - 0.05);
        let grounds = points.map(|p| self.ground(p));
        let is_sloping = grounds.iter().any(|ground| (ground - level.floor).abs() > RELIEF);
        let mut quad = |lows: [f64; 2], highs: [f64; 2], material: [u32; 4]| {
            let corner = |end: usize, z: f64| {
                let open = OPEN[0] + (OPEN[1] - OPEN[0]) * ((z - low) / (tops[end] - low).max(0.01));
                let uv = Vec2::new(ends[end] as f32 * level.stretch, (z - level.floor) as f32);
                (points[end].extend(z).as_vec3(), uv, open as f32)
            };
            let corners = [corner(0, lows[0]), corner(1, lows[1]), corner(1, highs[1]), corner(0, highs[0])];
            out.face(Finish::Wall, &corners, material);
        };
        if self.is_grounded && is_sloping && materials::has_plinth(level.material) {
            let plinth = [0, 1].map(|end| (grounds[end] + PLINTH).clamp(low, tops[end] - 0.02));
            quad([low; 2], plinth, level.material);
            quad(plinth, tops, materials::without_plinth(level.material));
        } else {
            quad([low; 2], tops, level.material);
        }
    }
}

/// The material of a part of a wall, and the height that it counts from.
struct Level {
    floor: f64,
    stretch: f32,
    material: [u32; 4],
}

#[cfg(test)]
mod tests {
    use aerie_geodata::place::{BuildingKind, GeoPoint};

    use super::*;
    use crate::fixtures::building;
    use crate::region::Region;

    /// The faces of a wall 20 m long and 6 m high above a slope, by their corners, heights above the floor and materials.
    fn wall_on_slope(fall: f64) -> Vec<aerie_render::scene::SolidVertex> {
        let house = building("way/1", BuildingKind::House, vec![[0.0, 0.0], [20.0, 0.0], [20.0, 8.0], [0.0, 8.0]]);
        let materials = Materials::of(&house, 160.0, false, Region::of(GeoPoint { lat: 50.0, lon: 11.0 }));
        let mut terrain = Terrain::flat(100.0, 0.0);
        terrain.heights = [0.0, -1.0, 0.0, -1.0].map(|side| (side * fall * 200.0 + fall * 100.0) as f32).to_vec();
        let facade = Facade { materials: &materials, terrain: &terrain, floor: 0.0, bottom: -9.0, is_grounded: true };
        let mut out = Builder::default();
        let strip = Strip { from: DVec2::ZERO, to: DVec2::new(20.0, 0.0), tops: [6.0; 2] };
        facade.wall(&[strip], (true, true), None, &mut out);
        out.finish().vertices
    }

    #[test]
    fn on_a_slope_no_story_with_windows_begins_far_below_or_above_the_ground() {
        let vertices = wall_on_slope(0.25);
        let ground = |x: f32| f64::from(x) * -0.25;
        for quad in vertices.chunks_exact(4) {
            let floor = f64::from(quad[0].position[2] - quad[0].uv[1]);
            let highest = quad.iter().map(|v| ground(v.position[0])).fold(f64::MIN, f64::max);
            assert!(highest < floor + BURIED + 0.01 && highest > floor + BURIED - 5.01, "{floor} {highest}");
        }
        let stories = |v: &aerie_render::scene::SolidVertex| v.material[3] & 255;
        assert!(vertices.iter().map(stories).max() > vertices.iter().map(stories).min());
    }

    #[test]
    fn a_door_stands_on_the_ground_at_its_place() {
        for fall in [0.0, 0.1, 0.3] {
            let vertices = wall_on_slope(fall);
            let quad = vertices.chunks_exact(4).find(|quad| {
                let bay = quad[0].material[3] >> 24;
                let middle = 10.0 + 0.5 * 20.0 / f64::from(quad[0].material[3] >> 16 & 255);
                bay < 255
                    && quad.iter().any(|v| f64::from(v.position[0]) >= middle - 3.0)
                    && f64::from(quad[0].position[0]) <= middle
                    && f64::from(quad[1].position[0]) >= middle
            });
            let quad = quad.expect("a door");
            let bays = f64::from(quad[0].material[3] >> 16 & 255);
            let middle = (f64::from(quad[0].material[3] >> 24) + 0.5) * 20.0 / bays;
            let floor = f64::from(quad[0].position[2] - quad[0].uv[1]);
            let foot = floor + f64::from(quad[0].material[0] as i32 >> 26) * 0.125;
            assert!((foot + middle * fall).abs() < 0.1, "{fall}: {foot} at {middle}");
        }
    }

    #[test]
    fn the_plinth_follows_the_ground() {
        let plinths = wall_on_slope(0.25);
        let lower = plinths.chunks_exact(4).filter(|quad| quad[0].position[2] < -8.0);
        for quad in lower {
            for v in &quad[2..] {
                assert!(
                    (f64::from(v.position[2]) + f64::from(v.position[0]) * 0.25 - PLINTH).abs() < 0.01,
                    "{:?}",
                    v.position
                );
            }
        }
    }
}
