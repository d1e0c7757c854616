//! Walls one after the other, from left to right: jogs, openings and L-shapes, where lines and colors speak for them.
//!
//! Seen from above, the camera looks round itself by azimuth. At each azimuth one wall is met first, across X or across
//! Y, at one of the distances that segments propose; a dynamic programme picks the walls, paying for each corner and
//! more for each place where a near wall hides what lies behind (after Lee, Hebert and Kanade 2009, by columns).
use std::collections::BTreeMap;

use glam::{DVec2, DVec3};

use super::clues::Clues;
use super::search::Proposals;
use super::{Distances, Face};
use crate::room::camera::Camera;

/// A wall, or the part of one that is seen between two azimuths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall {
    /// The axis that stands upright on it: 0 X, 1 Y.
    pub axis: usize,
    /// Where its plane cuts that axis, in camera heights from the camera.
    pub at: f64,
    /// Azimuths, radians to the right of Y, between which it is seen.
    pub azimuths: [f64; 2],
}

impl Wall {
    /// Which way it lies.
    #[must_use]
    pub fn face(&self) -> Face {
        match (self.axis, self.at < 0.0) {
            (0, true) => Face::Left,
            (0, false) => Face::Right,
            _ => Face::Far,
        }
    }

    /// Its distance from the camera along the floor at an azimuth, camera heights.
    #[must_use]
    pub fn reach(&self, azimuth: f64) -> f64 {
        reach(self.axis, self.at, azimuth)
    }
}

fn reach(axis: usize, at: f64, azimuth: f64) -> f64 {
    let slope = if axis == 0 { azimuth.sin() } else { azimuth.cos() };
    let distance = at / slope;
    if distance > 0.0 && distance < UNSEEN { distance } else { UNSEEN }
}

/// A distance at which nothing is told any more.
const UNSEEN: f64 = 40.0;
/// Azimuths looked at.
const STEPS: usize = 180;
/// What a corner costs, and what a wall that ends before another one costs.
const CORNER: f64 = 0.05;
const HIDING: f64 = 0.12;
/// How much better than three walls of a box more walls must be.
const WORTH: f64 = 0.15;
const BARE_EDGE: f64 = 0.30;
const CLEAR_EDGE: f64 = 0.8;
const EDGES: f64 = 1.0;
const VIOLATIONS: f64 = 3.0;
const COLORS: f64 = 0.9;

/// The azimuths that a picture shows.
fn view(camera: &Camera) -> [f64; 2] {
    let (width, height) = (camera.width as f64, camera.height as f64);
    let rim = (0..=40).flat_map(|i| {
        let t = f64::from(i) / 40.0;
        [
            DVec2::new(t * width, 0.0),
            DVec2::new(t * width, height),
            DVec2::new(0.0, t * height),
            DVec2::new(width, t * height),
        ]
    });
    let azimuths: Vec<f64> = rim.map(|p| camera.ray(p)).map(|ray| ray.x.atan2(ray.y)).collect();
    [azimuths.iter().copied().fold(f64::INFINITY, f64::min), azimuths.iter().copied().fold(f64::NEG_INFINITY, f64::max)]
}

/// The three walls of a box, as far as the picture shows them.
pub(super) fn of_box(d: &Distances, camera: &Camera) -> Vec<Wall> {
    let [from, to] = view(camera);
    let (left, right) = ((-d.left).atan2(d.far), d.right.atan2(d.far));
    let walls = [(0, -d.left, [from, left]), (1, d.far, [left, right]), (0, d.right, [right, to])];
    let seen = walls.into_iter().map(|(axis, at, [a, b])| Wall { axis, at, azimuths: [a.max(from), b.min(to)] });
    seen.filter(|w| w.azimuths[1] > w.azimuths[0]).collect()
}

/// Mean support by segments along the foot of walls, by its length in the picture; 0 where none of it is in view.
pub(super) fn foot(clues: &Clues, camera: &Camera, walls: &[Wall]) -> f64 {
    const PLACES: usize = 80;
    let (mut sum, mut total) = (0.0, 0.0);
    for wall in walls {
        let place = |t: f64| {
            let azimuth = wall.azimuths[0] + (wall.azimuths[1] - wall.azimuths[0]) * t;
            let reach = wall.reach(azimuth);
            let pixel = camera.pixel(DVec3::new(azimuth.sin() * reach, azimuth.cos() * reach, -1.0))?;
            (pixel.x >= 0.0 && pixel.y >= 0.0 && pixel.x < clues.width && pixel.y < clues.height).then_some(pixel)
        };
        for i in 0..PLACES {
            let at = |j: usize| j as f64 / PLACES as f64;
            if let (Some(a), Some(b)) = (place(at(i)), place(at(i + 1))) {
                let length = (b - a).length();
                sum += clues.support(1 - wall.axis, (a + b) / 2.0) * length;
                total += length;
            }
        }
    }
    if total > 0.0 { sum / total } else { 0.0 }
}

/// A sample of the picture in one azimuth step: its slope (up over along) and what it says.
struct Column {
    azimuth: f64,
    /// Slope, axis and weight of pieces of segments.
    lines: Vec<(f64, usize, f64)>,
    /// Slope, and how much likelier its color is on the floor than elsewhere; from the lowest to the highest slope.
    colors: Vec<(f64, f64)>,
}

/// Walls that explain the picture clearly better than the box does; none where the box will do.
pub(super) fn better(clues: &Clues, camera: &Camera, proposals: &Proposals, d: &Distances) -> Option<Vec<Wall>> {
    let [from, to] = view(camera);
    // Beyond a right angle on both sides, columns of a picture are no azimuths.
    if to - from > 2.9 || camera.pitch().abs() > 0.7 {
        return None;
    }
    let step = (to - from) / STEPS as f64;
    let columns = columns(clues, camera, d, from, step);
    let states = states(proposals, d);
    let side = clues.width.max(clues.height);
    let seer = Seer { clues, camera, ceiling: d.ceiling, side };
    let gains: Vec<Vec<f64>> = columns
        .iter()
        .map(|column| states.iter().map(|&(axis, at)| seer.gain(column, axis, at, step)).collect())
        .collect();
    // Upright support at each border between steps, for each state's end there.
    let ends: Vec<Vec<f64>> = (1..STEPS)
        .map(|i| {
            let azimuth = from + i as f64 * step;
            states.iter().map(|&(axis, at)| seer.upright(azimuth, reach(axis, at, azimuth))).collect()
        })
        .collect();
    let path = cheapest(&states, &gains, &ends, from, step);
    let boxed: Vec<usize> = of_box(d, camera)
        .iter()
        .filter_map(|w| states.iter().position(|&(axis, at)| axis == w.axis && at == w.at))
        .collect();
    let by_box = along(&states, &gains, &ends, from, step, &box_path(&states, &boxed, from, step));
    let found = along(&states, &gains, &ends, from, step, &path);
    let mut walls: Vec<Wall> = Vec::new();
    for (i, &state) in path.iter().enumerate() {
        let (axis, at) = states[state];
        let end = from + (i + 1) as f64 * step;
        match walls.last_mut() {
            Some(last) if last.axis == axis && last.at == at => last.azimuths[1] = end,
            _ => walls.push(Wall { axis, at, azimuths: [end - step, end] }),
        }
    }
    snap(&mut walls, step);
    (found > by_box + WORTH && walls.len() > 1).then_some(walls)
}

/// Borders between walls that meet are put exactly where they meet.
fn snap(walls: &mut [Wall], step: f64) {
    for i in 1..walls.len() {
        let (a, b) = (walls[i - 1], walls[i]);
        if a.axis != b.axis {
            let (x, y) = if a.axis == 0 { (a.at, b.at) } else { (b.at, a.at) };
            let corner = x.atan2(y);
            if (corner - b.azimuths[0]).abs() < 2.0 * step {
                walls[i - 1].azimuths[1] = corner;
                walls[i].azimuths[0] = corner;
            }
        }
    }
}

fn states(proposals: &Proposals, d: &Distances) -> Vec<(usize, f64)> {
    let mut all: Vec<(usize, f64)> = vec![(0, -d.left), (1, d.far), (0, d.right)];
    let mut add = |axis: usize, sign: f64, list: &[(f64, f64)], by: f64| {
        for (value, _) in list.iter().take(16) {
            let at = sign * value * by;
            let is_new = all.iter().all(|&(x, v)| x != axis || v * at < 0.0 || (v / at).ln().abs() > 0.015);
            if is_new && at.abs() > 0.25 && at.abs() < 12.0 {
                all.push((axis, at));
            }
        }
    };
    add(1, 1.0, &proposals.far, 1.0);
    add(1, 1.0, &proposals.far_to_ceiling, d.ceiling);
    add(0, -1.0, &proposals.left, 1.0);
    add(0, -1.0, &proposals.left_to_ceiling, d.ceiling);
    add(0, 1.0, &proposals.right, 1.0);
    add(0, 1.0, &proposals.right_to_ceiling, d.ceiling);
    all
}

fn columns(clues: &Clues, camera: &Camera, d: &Distances, from: f64, step: f64) -> Vec<Column> {
    let mut columns: Vec<Column> = (0..STEPS)
        .map(|i| Column { azimuth: from + (i as f64 + 0.5) * step, lines: Vec::new(), colors: Vec::new() })
        .collect();
    let place = |pixel: DVec3| {
        let ray = camera.ray(pixel.truncate());
        let along = ray.truncate().length().max(1e-9);
        let index = (ray.x.atan2(ray.y) - from) / step;
        (index >= 0.0 && (index as usize) < STEPS).then(|| (index as usize, ray.z / along))
    };
    let total: f64 = clues.lines.iter().filter(|l| l.is_clear).map(|l| l.length).sum::<f64>().max(1e-9);
    for line in clues.lines.iter().filter(|l| l.is_clear) {
        const PIECES: usize = 12;
        let [a, _, b] = line.places;
        for i in 0..PIECES {
            if let Some((index, slope)) = place(a.lerp(b, (i as f64 + 0.5) / PIECES as f64)) {
                columns[index].lines.push((slope, line.axis, line.length / total / PIECES as f64));
            }
        }
    }
    let likelier = floor_colors(clues, camera, d);
    let share = 1.0 / clues.colors.len() as f64;
    for ((pixel, _), log) in clues.colors.iter().zip(likelier) {
        if let Some((index, slope)) = place(*pixel) {
            columns[index].colors.push((slope, log * share));
        }
    }
    columns
}

/// For each color of the picture, the logarithm of how much likelier it is on the box's floor than elsewhere.
fn floor_colors(clues: &Clues, camera: &Camera, d: &Distances) -> Vec<f64> {
    let functions = d.functions(camera);
    let key = |c: &[f32; 3]| c.map(|v| (v / 7.0).round() as i32);
    let mut counts: BTreeMap<[i32; 3], [f64; 2]> = BTreeMap::new();
    let mut totals = [1.0, 1.0];
    for (place, color) in &clues.colors {
        let which = usize::from(super::score::greatest(&functions, *place) != 0);
        counts.entry(key(color)).or_default()[which] += 1.0;
        totals[which] += 1.0;
    }
    let log =
        |[floor, other]: [f64; 2]| (((floor + 0.5) / totals[0]) / ((other + 0.5) / totals[1])).ln().clamp(-2.0, 2.0);
    clues.colors.iter().map(|(_, color)| log(counts[&key(color)])).collect()
}

struct Seer<'a> {
    clues: &'a Clues,
    camera: &'a Camera,
    ceiling: f64,
    side: f64,
}

impl Seer<'_> {
    fn pixel(&self, azimuth: f64, reach: f64, height: f64) -> Option<DVec2> {
        self.camera.pixel(DVec3::new(azimuth.sin() * reach, azimuth.cos() * reach, height))
    }

    fn in_view(&self, p: DVec2) -> bool {
        p.x >= 0.0 && p.y >= 0.0 && p.x < self.clues.width && p.y < self.clues.height
    }

    /// What a wall adds in one step of azimuth.
    fn gain(&self, column: &Column, axis: usize, at: f64, step: f64) -> f64 {
        let distance = reach(axis, at, column.azimuth);
        if distance >= UNSEEN {
            return -1.0;
        }
        let mut gain = 0.0;
        for height in [-1.0, self.ceiling] {
            let end = |side: f64| {
                let azimuth = column.azimuth + side * step / 2.0;
                self.pixel(azimuth, reach(axis, at, azimuth), height)
            };
            if let (Some(a), Some(b), Some(middle)) =
                (end(-1.0), end(1.0), self.pixel(column.azimuth, distance, height))
                && self.in_view(middle)
            {
                let length = ((b - a).length() / self.side).min(0.05);
                gain += EDGES * (self.clues.support(1 - axis, middle) - BARE_EDGE) * length;
            }
        }
        let (floor, ceiling) = (-1.0 / distance, self.ceiling / distance);
        for &(slope, line, weight) in &column.lines {
            let on_wall = slope > floor && slope < ceiling;
            if (on_wall && line == axis) || (!on_wall && line == 2) {
                gain -= VIOLATIONS * weight;
            }
        }
        for &(slope, log) in &column.colors {
            if slope < 0.0 {
                gain += COLORS * if slope < floor { log } else { -log };
            }
        }
        gain
    }

    /// What the upright end of a wall takes where no line is seen there, by its visible length. A line alone adds
    /// nothing: jambs and window bars are upright, too.
    fn upright(&self, azimuth: f64, distance: f64) -> f64 {
        const PLACES: usize = 14;
        let places = (0..PLACES).filter_map(|i| {
            let height = -1.0 + (1.0 + self.ceiling) * (i as f64 + 0.5) / PLACES as f64;
            self.pixel(azimuth, distance, height).filter(|p| self.in_view(*p))
        });
        let (mut sum, mut count) = (0.0, 0.0);
        let mut ends: Option<(DVec2, DVec2)> = None;
        for place in places {
            sum += self.clues.support(2, place);
            count += 1.0;
            ends = Some(ends.map_or((place, place), |(first, _)| (first, place)));
        }
        let Some((first, last)) = ends else { return 0.0 };
        0.5 * (sum / count - CLEAR_EDGE).min(0.0) * ((last - first).length() / self.side)
    }
}

/// What going from one wall to another at a border adds.
fn passing(states: &[(usize, f64)], ends: &[f64], a: usize, b: usize, azimuth: f64, step: f64) -> f64 {
    if a == b {
        return 0.0;
    }
    let ((axis_a, at_a), (axis_b, at_b)) = (states[a], states[b]);
    let meet = axis_a != axis_b && {
        let (x, y) = if axis_a == 0 { (at_a, at_b) } else { (at_b, at_a) };
        (x.atan2(y) - azimuth).abs() < 0.75 * step
    };
    if meet {
        return ends[a].max(ends[b]) - CORNER;
    }
    // The nearer of the two ends here, before the other.
    let (near_a, near_b) = (reach(axis_a, at_a, azimuth), reach(axis_b, at_b, azimuth));
    (if near_a < near_b { ends[a] } else { ends[b] }) - HIDING
}

/// The best wall for each step.
fn cheapest(states: &[(usize, f64)], gains: &[Vec<f64>], ends: &[Vec<f64>], from: f64, step: f64) -> Vec<usize> {
    let count = states.len();
    let mut best = gains[0].clone();
    let mut back: Vec<Vec<usize>> = Vec::with_capacity(STEPS);
    for i in 1..STEPS {
        let azimuth = from + i as f64 * step;
        let mut next = vec![f64::NEG_INFINITY; count];
        let mut came = vec![0; count];
        for b in 0..count {
            for (a, &so_far) in best.iter().enumerate() {
                // A border adds nothing.
                if so_far <= next[b] {
                    continue;
                }
                let value = so_far + passing(states, &ends[i - 1], a, b, azimuth, step);
                if value > next[b] {
                    (next[b], came[b]) = (value, a);
                }
            }
            next[b] += gains[i][b];
        }
        best = next;
        back.push(came);
    }
    let mut at = (0..count).max_by(|a, b| best[*a].total_cmp(&best[*b])).unwrap_or(0);
    let mut path = vec![at; STEPS];
    for i in (1..STEPS).rev() {
        at = back[i - 1][at];
        path[i - 1] = at;
    }
    path
}

/// What a given row of walls adds up to.
fn along(states: &[(usize, f64)], gains: &[Vec<f64>], ends: &[Vec<f64>], from: f64, step: f64, path: &[usize]) -> f64 {
    let inside: f64 = path.iter().zip(gains).map(|(s, g)| g[*s]).sum();
    let borders: f64 =
        (1..STEPS).map(|i| passing(states, &ends[i - 1], path[i - 1], path[i], from + i as f64 * step, step)).sum();
    inside + borders
}

/// The box's own walls, step by step: whichever is nearest.
fn box_path(states: &[(usize, f64)], walls: &[usize], from: f64, step: f64) -> Vec<usize> {
    (0..STEPS)
        .map(|i| {
            let azimuth = from + (i as f64 + 0.5) * step;
            let far = |s: &usize| reach(states[*s].0, states[*s].1, azimuth);
            walls.iter().copied().min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(0)
        })
        .collect()
}
