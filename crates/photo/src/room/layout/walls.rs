//! Wall sequence from left to right: jogs, openings and L-shapes, where segments and colors support them.
//!
//! At each azimuth around the camera one wall is met first, perpendicular to X or Y, at one of the proposed distances. Dynamic
//! programming selects the walls, with a cost for each corner and a greater one for each occlusion (after Lee, Hebert and Kanade
//! 2009, by columns).
use glam::{DVec2, DVec3};

use super::face::{Distances, Face};
use super::image_evidence::ImageEvidence;
use super::search::Proposals;
use crate::room::camera::Camera;

/// The part of a wall that is visible between two azimuths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall {
    /// Axis of its normal: 0 X, 1 Y.
    pub axis: usize,
    /// Position of its plane on that axis, in camera heights from the camera.
    pub at: f64,
    /// Azimuths between which it is visible, radians to the right of Y.
    pub azimuths: [f64; 2],
}

impl Wall {
    /// The face it belongs to.
    #[must_use]
    pub fn face(&self) -> Face {
        match (self.axis, self.at < 0.0) {
            (0, true) => Face::Left,
            (0, false) => Face::Right,
            _ => Face::Far,
        }
    }

    /// Its horizontal distance from the camera at an azimuth, camera heights.
    #[must_use]
    pub fn reach(&self, azimuth: f64) -> f64 {
        reach(self.axis, self.at, azimuth)
    }
}

fn reach(axis: usize, at: f64, azimuth: f64) -> f64 {
    let slope = if axis == 0 { azimuth.sin() } else { azimuth.cos() };
    let distance = at / slope;
    if distance > 0.0 && distance < OUT_OF_SIGHT { distance } else { OUT_OF_SIGHT }
}

/// Distance beyond which a wall counts as not visible.
const OUT_OF_SIGHT: f64 = 40.0;
/// Number of azimuths.
const STEPS: usize = 180;
/// Cost of a corner, and of an occlusion.
const CORNER: f64 = 0.05;
const OCCLUSION: f64 = 0.12;
/// Gain over the box that further walls must have.
const LEAST_GAIN: f64 = 0.15;
const BARE_EDGE: f64 = 0.30;
const CLEAR_EDGE: f64 = 0.8;
const EDGES: f64 = 1.0;
const VIOLATIONS: f64 = 3.0;
const COLORS: f64 = 0.9;

/// Range of azimuths in the image.
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

/// Visible walls of a box.
pub(super) fn of_box(d: &Distances, camera: &Camera) -> Vec<Wall> {
    let [from, to] = view(camera);
    let (left, right) = ((-d.left).atan2(d.far), d.right.atan2(d.far));
    let walls = [(0, -d.left, [from, left]), (1, d.far, [left, right]), (0, d.right, [right, to])];
    let visible = walls.into_iter().map(|(axis, at, [a, b])| Wall { axis, at, azimuths: [a.max(from), b.min(to)] });
    visible.filter(|w| w.azimuths[1] > w.azimuths[0]).collect()
}

/// Mean support of the lower edges of walls by segments, weighted by length in the image; 0 if none is visible.
pub(super) fn foot(image: &ImageEvidence, camera: &Camera, walls: &[Wall]) -> f64 {
    const SAMPLES: usize = 80;
    let (mut sum, mut total) = (0.0, 0.0);
    for wall in walls {
        let place = |t: f64| {
            let azimuth = wall.azimuths[0] + (wall.azimuths[1] - wall.azimuths[0]) * t;
            let reach = wall.reach(azimuth);
            let pixel = camera.pixel(DVec3::new(azimuth.sin() * reach, azimuth.cos() * reach, -1.0))?;
            (pixel.x >= 0.0 && pixel.y >= 0.0 && pixel.x < image.width && pixel.y < image.height).then_some(pixel)
        };
        for i in 0..SAMPLES {
            let at = |j: usize| j as f64 / SAMPLES as f64;
            if let (Some(a), Some(b)) = (place(at(i)), place(at(i + 1))) {
                let length = (b - a).length();
                sum += image.support(1 - wall.axis, (a + b) / 2.0) * length;
                total += length;
            }
        }
    }
    if total > 0.0 { sum / total } else { 0.0 }
}

/// Evidence in one azimuth step, by slope (rise over horizontal distance).
struct Column {
    azimuth: f64,
    /// Slope, axis and weight of parts of segments.
    lines: Vec<(f64, usize, f64)>,
    /// Slope, and weighted log likelihood ratio that its color belongs to the floor.
    colors: Vec<(f64, f64)>,
}

/// Walls that explain the image clearly better than the box; `None` if there are none.
pub(super) fn better(
    image: &ImageEvidence,
    camera: &Camera,
    proposals: &Proposals,
    d: &Distances,
) -> Option<Vec<Wall>> {
    let [from, to] = view(camera);
    // Image columns do not correspond to azimuths in very wide or steep views.
    if to - from > 2.9 || camera.pitch().abs() > 0.7 {
        return None;
    }
    let step = (to - from) / STEPS as f64;
    let columns = columns(image, camera, from, step);
    let states = states(proposals, d);
    let side = image.width.max(image.height);
    let scorer = WallScorer { image, camera, ceiling: d.ceiling, side };
    let gains: Vec<Vec<f64>> = columns
        .iter()
        .map(|column| states.iter().map(|&(axis, at)| scorer.gain(column, axis, at, step)).collect())
        .collect();
    // Support of a vertical edge at each boundary between steps, for each state.
    let ends: Vec<Vec<f64>> = (1..STEPS)
        .map(|i| {
            let azimuth = from + i as f64 * step;
            states.iter().map(|&(axis, at)| scorer.upright(azimuth, reach(axis, at, azimuth))).collect()
        })
        .collect();
    let path = best_path(&states, &gains, &ends, from, step);
    let boxed: Vec<usize> = of_box(d, camera)
        .iter()
        .filter_map(|w| states.iter().position(|&(axis, at)| axis == w.axis && at == w.at))
        .collect();
    let by_box = total_of(&states, &gains, &ends, from, step, &box_path(&states, &boxed, from, step));
    let by_path = total_of(&states, &gains, &ends, from, step, &path);
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
    (by_path > by_box + LEAST_GAIN && walls.len() > 1).then_some(walls)
}

/// Moves boundaries between adjoining walls to their exact intersection.
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

fn columns(image: &ImageEvidence, camera: &Camera, from: f64, step: f64) -> Vec<Column> {
    let mut columns: Vec<Column> = (0..STEPS)
        .map(|i| Column { azimuth: from + (i as f64 + 0.5) * step, lines: Vec::new(), colors: Vec::new() })
        .collect();
    let place = |pixel: DVec3| {
        let ray = camera.ray(pixel.truncate());
        let along = ray.truncate().length().max(1e-9);
        let index = (ray.x.atan2(ray.y) - from) / step;
        (index >= 0.0 && (index as usize) < STEPS).then(|| (index as usize, ray.z / along))
    };
    let total: f64 = image.lines.iter().filter(|l| l.is_clear).map(|l| l.length).sum::<f64>().max(1e-9);
    for line in image.lines.iter().filter(|l| l.is_clear) {
        const PIECES: usize = 12;
        let [a, _, b] = line.points;
        for i in 0..PIECES {
            if let Some((index, slope)) = place(a.lerp(b, (i as f64 + 0.5) / PIECES as f64)) {
                columns[index].lines.push((slope, line.axis, line.length / total / PIECES as f64));
            }
        }
    }
    let ratios = floor_odds(image);
    let share = 1.0 / image.colors.len() as f64;
    for ((pixel, _), log) in image.colors.iter().zip(ratios) {
        if let Some((index, slope)) = place(*pixel) {
            columns[index].colors.push((slope, log * share));
        }
    }
    columns
}

/// For each color sample, the logarithm of the odds that it is floor.
fn floor_odds(image: &ImageEvidence) -> Vec<f64> {
    let odds = |c: &[f32; aerie_segmentation::CLASSES]| {
        let floor = f64::from(c[0] + 0.5 * (c[5] + c[6]));
        ((floor + 0.01) / (1.01 - floor)).ln().clamp(-2.0, 2.0)
    };
    image.classes.iter().map(odds).collect()
}

struct WallScorer<'a> {
    image: &'a ImageEvidence,
    camera: &'a Camera,
    ceiling: f64,
    side: f64,
}

impl WallScorer<'_> {
    fn pixel(&self, azimuth: f64, reach: f64, height: f64) -> Option<DVec2> {
        self.camera.pixel(DVec3::new(azimuth.sin() * reach, azimuth.cos() * reach, height))
    }

    fn in_view(&self, p: DVec2) -> bool {
        p.x >= 0.0 && p.y >= 0.0 && p.x < self.image.width && p.y < self.image.height
    }

    /// Contribution of a wall in one azimuth step.
    fn gain(&self, column: &Column, axis: usize, at: f64, step: f64) -> f64 {
        let distance = reach(axis, at, column.azimuth);
        if distance >= OUT_OF_SIGHT {
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
                gain += EDGES * (self.image.support(1 - axis, middle) - BARE_EDGE) * length;
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

    /// Penalty of a vertical edge without support, by its visible length. Support gains nothing, because door jambs and window bars
    /// are vertical, too.
    fn upright(&self, azimuth: f64, distance: f64) -> f64 {
        const SAMPLES: usize = 14;
        let points = (0..SAMPLES).filter_map(|i| {
            let height = -1.0 + (1.0 + self.ceiling) * (i as f64 + 0.5) / SAMPLES as f64;
            self.pixel(azimuth, distance, height).filter(|p| self.in_view(*p))
        });
        let (mut sum, mut count) = (0.0, 0.0);
        let mut ends: Option<(DVec2, DVec2)> = None;
        for place in points {
            sum += self.image.support(2, place);
            count += 1.0;
            ends = Some(ends.map_or((place, place), |(first, _)| (first, place)));
        }
        let Some((first, last)) = ends else { return 0.0 };
        0.5 * (sum / count - CLEAR_EDGE).min(0.0) * ((last - first).length() / self.side)
    }
}

/// Contribution of a transition between two walls.
fn transition(states: &[(usize, f64)], ends: &[f64], a: usize, b: usize, azimuth: f64, step: f64) -> f64 {
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
    // An occlusion: the edge is that of the nearer wall.
    let (near_a, near_b) = (reach(axis_a, at_a, azimuth), reach(axis_b, at_b, azimuth));
    (if near_a < near_b { ends[a] } else { ends[b] }) - OCCLUSION
}

/// The best sequence of walls, by dynamic programming.
fn best_path(states: &[(usize, f64)], gains: &[Vec<f64>], ends: &[Vec<f64>], from: f64, step: f64) -> Vec<usize> {
    let count = states.len();
    let mut best = gains[0].clone();
    let mut back: Vec<Vec<usize>> = Vec::with_capacity(STEPS);
    for i in 1..STEPS {
        let azimuth = from + i as f64 * step;
        let mut next = vec![f64::NEG_INFINITY; count];
        let mut came = vec![0; count];
        for b in 0..count {
            for (a, &so_far) in best.iter().enumerate() {
                // Transitions contribute nothing positive.
                if so_far <= next[b] {
                    continue;
                }
                let value = so_far + transition(states, &ends[i - 1], a, b, azimuth, step);
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

/// Total of a given sequence.
fn total_of(
    states: &[(usize, f64)],
    gains: &[Vec<f64>],
    ends: &[Vec<f64>],
    from: f64,
    step: f64,
    path: &[usize],
) -> f64 {
    let inside: f64 = path.iter().zip(gains).map(|(s, g)| g[*s]).sum();
    let borders: f64 =
        (1..STEPS).map(|i| transition(states, &ends[i - 1], path[i - 1], path[i], from + i as f64 * step, step)).sum();
    inside + borders
}

/// Sequence of the box's walls: the nearest at each step.
fn box_path(states: &[(usize, f64)], walls: &[usize], from: f64, step: f64) -> Vec<usize> {
    (0..STEPS)
        .map(|i| {
            let azimuth = from + (i as f64 + 0.5) * step;
            let far = |s: &usize| reach(states[*s].0, states[*s].1, azimuth);
            walls.iter().copied().min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(0)
        })
        .collect()
}
