//! Upright planes along the edge of the ground.
//!
//! Seen in a picture, the nearness of a vertical plane's foot is a straight line from left to right. One to three of them are fitted
//! to the edge: one for a façade or a backdrop, two or three that enclose a street or a yard. The corner of a house, which comes
//! toward the camera, is found by lines only: things that stand in the middle of a picture look the same.

use aerie_photo::room::Camera;
use glam::{DVec2, DVec3};

use super::ground::GroundEdge;
use crate::facade::Facades;
use crate::proxy::Surface;

/// Columns that are fitted.
const COLUMNS: usize = 40;
/// Least number of columns of a plane.
const LEAST: usize = 7;
/// Cost of a plane, in mean relative error.
const PLANE: f64 = 0.035;
/// Relative error from which a column is an outlier.
const OUTLIER: f64 = 0.5;
/// Factor on the error of a plane behind the edge: what stands there would lie on the ground.
const BEHIND: f64 = 3.0;
/// Largest share of nearness to which the ends of one plane may differ.
const STEEP: f64 = 4.5;
/// Nearness of the backdrop of a photo from above.
const FAR: f64 = 0.06;
/// How far above the walls' mean error the lines' own façades may be.
const TOLERANCE: f64 = 0.06;

/// How many times nearer than the walls the lower end of an upright line is that would lie on the ground; total length of such lines, in
/// heights of the photo, and number of strips of the picture that have them, from which the walls come nearer; share of it that may go
/// on lying there; and how much nearer the walls may come, in tenths.
const LIES: f64 = 1.08;
const LEAST_LYING: f64 = 0.6;
const STRIPS: f64 = 24.0;
const LEAST_STRIPS: usize = 6;
const STILL_LYING: f64 = 0.3;
const NEAREST: u32 = 14;

/// Upright planes.
pub(super) struct Walls {
    pub(super) surface: Surface,
    /// How well the edge fits them, 0 to 1.
    pub(super) confidence: f64,
    /// Whether they are the façades that the lines show.
    pub(super) is_by_lines: bool,
}

/// A place on the edge: where a ray meets the ground.
#[derive(Clone, Copy)]
struct Foot {
    ray: DVec3,
    nearness: f64,
}

impl Walls {
    /// A backdrop far away.
    pub(super) fn far(camera: &Camera) -> Self {
        let surface = Surface { planes: vec![ahead(camera) * FAR], corner: Vec::new() };
        Self { surface, confidence: 0.5, is_by_lines: false }
    }

    /// The façades that lines show.
    pub(super) fn of(facades: &Facades) -> Self {
        let surface = Surface { planes: vec![facades.beyond], corner: facades.walls.clone() };
        Self { surface, confidence: 0.5, is_by_lines: true }
    }

    /// Fits planes to the edge of a ground; `facades` are what the lines of the photo show.
    /// `uprights` are upright lines, each from its upper to its lower end.
    pub(super) fn fit(
        edge: &GroundEdge,
        camera: &Camera,
        ground: DVec3,
        facades: Option<&Facades>,
        uprights: &[[DVec2; 2]],
    ) -> Self {
        let points: Vec<_> = edge.points().collect();
        let lowest = ground.dot(camera.ray(DVec2::new(camera.width as f64 / 2.0, camera.height as f64)));
        let feet: Vec<Foot> = (0..COLUMNS)
            .filter_map(|n| {
                let span =
                    n * points.len() / COLUMNS..((n + 1) * points.len() / COLUMNS).max(n * points.len() / COLUMNS + 1);
                let mut near: Vec<_> = points.get(span)?.to_vec();
                // What stands in front of most of the column hides the ground behind it.
                near.sort_by(|a, b| a.y.total_cmp(&b.y));
                let ray = camera.ray(*near.get(near.len() * 2 / 3)?);
                let nearness = ground.dot(ray).max(0.08 * lowest);
                Some(Foot { ray: ray.with_z(0.0), nearness })
            })
            .collect();
        let fits = Fits::of(&feet);
        let mut best = (f64::INFINITY, Surface { planes: vec![DVec3::Y * lowest / 2.0], corner: Vec::new() });
        let mut consider = |surface: Surface, count: usize| {
            let error = mean_error(&surface, &feet);
            let cost = error + PLANE * count as f64;
            if cost < best.0 {
                best = (cost, surface);
            }
        };
        let across = |plane: DVec3| Surface { planes: vec![plane], corner: Vec::new() };
        if let Some(plane) = level(&feet, camera) {
            consider(across(plane), 0);
        }
        if let Some(plane) = fits.get(0, feet.len()) {
            consider(across(plane), 1);
        }
        for first in LEAST..=feet.len().saturating_sub(LEAST) {
            let (Some(a), Some(b)) = (fits.get(0, first), fits.get(first, feet.len())) else { continue };
            consider(Surface { planes: vec![a, b], corner: Vec::new() }, 2);
            for second in first + LEAST..=feet.len().saturating_sub(LEAST) {
                let (Some(b), Some(c)) = (fits.get(first, second), fits.get(second, feet.len())) else { continue };
                consider(Surface { planes: vec![a, b, c], corner: Vec::new() }, 3);
            }
        }
        let (cost, mut surface) = best;
        let mut is_by_lines = false;
        for far in facades.into_iter().flat_map(|facades| beside(facades, &feet)) {
            let error = mean_error(&far, &feet);
            if error < cost + TOLERANCE && (!is_by_lines || error < mean_error(&surface, &feet)) {
                (surface, is_by_lines) = (far, true);
            }
        }
        if !is_by_lines {
            surface = before_uprights(surface, camera, ground, uprights);
        }
        let confidence =
            (1.0 - mean_error(&surface, &feet) / 0.25).clamp(0.0, 1.0) * (edge.margin / 2.0).clamp(0.0, 1.0);
        Self { surface, confidence, is_by_lines }
    }
}

/// Brings walls nearer where many upright lines, such as the pickets of a fence, would lie on the ground before them and break at
/// their foot.
fn before_uprights(walls: Surface, camera: &Camera, ground: DVec3, uprights: &[[DVec2; 2]]) -> Surface {
    let (width, height) = (camera.width as f64, camera.height as f64);
    let lying = |walls: &Surface| -> Vec<&[DVec2; 2]> {
        let before = |at: DVec2| {
            let ray = camera.ray(at);
            ground.dot(ray) / walls.nearness(ray.with_z(0.0)).max(1e-6)
        };
        uprights.iter().filter(|[_, low]| before(*low) > LIES).collect()
    };
    let length = |lines: &[&[DVec2; 2]]| lines.iter().map(|[a, b]| (*b - *a).length() / height).sum::<f64>();
    let all = lying(&walls);
    let mut columns: Vec<usize> = all.iter().map(|[_, low]| (low.x / width * STRIPS) as usize).collect();
    columns.sort_unstable();
    columns.dedup();
    let much = length(&all);
    if much < LEAST_LYING || columns.len() < LEAST_STRIPS {
        return walls;
    }
    let nearer = |step: u32| {
        let by = 1.0 + 0.1 * f64::from(step);
        let scaled = |planes: &[DVec3]| planes.iter().map(|plane| *plane * by).collect();
        Surface { planes: scaled(&walls.planes), corner: scaled(&walls.corner) }
    };
    (1..=NEAREST).map(nearer).find(|walls| length(&lying(walls)) < STILL_LYING * much).unwrap_or(walls)
}

/// Façades with what stands beside them: far behind, or where the ground ends there.
fn beside(facades: &Facades, feet: &[Foot]) -> Vec<Surface> {
    let with = |plane: DVec3| Surface { planes: vec![plane], corner: facades.walls.clone() };
    let mut all = vec![with(facades.beyond)];
    let house = Surface { planes: Vec::new(), corner: facades.walls.clone() };
    let others: Vec<Foot> =
        feet.iter().copied().filter(|foot| house.nearness(foot.ray) < 0.85 * foot.nearness).collect();
    if others.len() >= 3 && facades.walls.len() > 1 {
        let ahead = facades.beyond.normalize_or(DVec3::Y);
        let mut nearness: Vec<f64> = others.iter().map(|foot| foot.nearness / ahead.dot(foot.ray).max(0.05)).collect();
        nearness.sort_by(f64::total_cmp);
        all.push(with(ahead * nearness[nearness.len() / 2]));
    }
    all
}

/// The level direction in which a camera looks.
pub(super) fn ahead(camera: &Camera) -> DVec3 {
    let forward = camera.rotation.transpose() * DVec3::Z;
    DVec3::new(forward.x, forward.y, 0.0).normalize_or(DVec3::Y)
}

/// The plane across the view that fits best.
fn level(feet: &[Foot], camera: &Camera) -> Option<DVec3> {
    let ahead = ahead(camera);
    let mut nearness: Vec<f64> = feet.iter().map(|foot| foot.nearness / ahead.dot(foot.ray).max(0.05)).collect();
    nearness.sort_by(f64::total_cmp);
    // Nearer than the median: ground on a wall is harmless, a wall on the ground bends.
    nearness.get(nearness.len() * 7 / 10).map(|nearness| ahead * *nearness)
}

/// How far a plane is off, relative to the nearness of a foot.
fn error(nearness: f64, foot: &Foot) -> f64 {
    let off = (nearness - foot.nearness) / nearness.max(foot.nearness).max(1e-6);
    if off < 0.0 { (-off * BEHIND).min(OUTLIER) } else { off.min(OUTLIER) }
}

fn mean_error(surface: &Surface, feet: &[Foot]) -> f64 {
    feet.iter().map(|foot| error(surface.nearness(foot.ray), foot)).sum::<f64>() / feet.len().max(1) as f64
}

/// The best plane through each range of feet.
struct Fits {
    count: usize,
    planes: Vec<Option<DVec3>>,
}

impl Fits {
    fn of(feet: &[Foot]) -> Self {
        let count = feet.len();
        let mut planes = vec![None; (count + 1) * (count + 1)];
        for from in 0..count {
            for until in from + LEAST..=count {
                // Only ranges that a split can make.
                planes[from * (count + 1) + until] = through(&feet[from..until]);
            }
        }
        Self { count, planes }
    }

    fn get(&self, from: usize, until: usize) -> Option<DVec3> {
        self.planes.get(from * (self.count + 1) + until).copied().flatten()
    }
}

/// The vertical plane through two of the feet that fits all best.
fn through(feet: &[Foot]) -> Option<DVec3> {
    let mut best: Option<(f64, DVec3)> = None;
    let step = (feet.len() / 14).max(1);
    for i in (0..feet.len()).step_by(step) {
        for j in (i + feet.len() / 3 + 1..feet.len()).step_by(step) {
            let (a, b) = (&feet[i], &feet[j]);
            let area = a.ray.x * b.ray.y - a.ray.y * b.ray.x;
            if area.abs() < 1e-6 {
                continue;
            }
            let plane = DVec3::new(
                (a.nearness * b.ray.y - b.nearness * a.ray.y) / area,
                (a.ray.x * b.nearness - b.ray.x * a.nearness) / area,
                0.0,
            );
            let ends = [feet.first()?, feet.last()?].map(|foot| plane.dot(foot.ray));
            if ends[0].min(ends[1]) * STEEP < ends[0].max(ends[1]) {
                continue;
            }
            let sum: f64 = feet.iter().map(|foot| error(plane.dot(foot.ray), foot)).sum();
            if best.is_none_or(|(least, _)| sum < least) {
                best = Some((sum, plane));
            }
        }
    }
    best.map(|(_, plane)| plane)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUND: DVec3 = DVec3::NEG_Z;

    fn camera() -> Camera {
        Camera::turned(900, 600, 700.0, -0.03, 0.0, 0.0)
    }

    /// The edge of the ground before surfaces, with a bush in front of every ninth column.
    fn edge(walls: &Surface) -> GroundEdge {
        let row = |x: usize| {
            let at = |y: usize| DVec2::new(x as f64 * 6.0 + 3.0, y as f64);
            let foot = (250..600).find(|y| {
                let ray = camera().ray(at(*y));
                GROUND.dot(ray) >= walls.nearness(ray)
            });
            foot.unwrap_or(600) as f64 + if x.is_multiple_of(9) { 40.0 } else { 0.0 }
        };
        GroundEdge { rows: (0..150).map(row).collect(), step: 6.0, margin: 2.0 }
    }

    fn worst(walls: &Surface, found: &Surface) -> f64 {
        let off = |n: usize| {
            let ray = camera().ray(DVec2::new(n as f64 * 45.0 + 20.0, 300.0));
            (found.nearness(ray) / walls.nearness(ray)).ln().abs()
        };
        (0..20).map(off).fold(0.0, f64::max)
    }

    #[test]
    fn a_wall_and_a_street_are_found_from_where_the_ground_ends() {
        let slanting = Surface { planes: vec![DVec3::new(0.06, 0.14, 0.0)], corner: Vec::new() };
        let street = Surface { planes: vec![DVec3::X / 2.2, -DVec3::X / 2.5, DVec3::Y / 12.0], corner: Vec::new() };
        for (name, walls) in [("wall", slanting), ("street", street)] {
            let found = Walls::fit(&edge(&walls), &camera(), GROUND, None, &[]);
            assert!(worst(&walls, &found.surface) < 0.25, "{name}: {:?}", found.surface);
            assert!(found.confidence > 0.5, "{name}: {}", found.confidence);
        }
    }

    #[test]
    fn a_ragged_edge_is_one_plane_across_the_view_of_which_little_is_certain() {
        let rows = (0..150_u64).map(|x| 380.0 + (x * 7919 % 83) as f64 * 2.0).collect();
        let found = Walls::fit(&GroundEdge { rows, step: 6.0, margin: 0.5 }, &camera(), GROUND, None, &[]);
        assert!(found.surface.planes.len() == 1 && found.surface.corner.is_empty(), "{:?}", found.surface);
        assert!(found.surface.planes[0].x.abs() < 0.2 * found.surface.planes[0].y, "{:?}", found.surface);
        assert!(found.confidence < 0.3, "{}", found.confidence);
    }
    #[test]
    fn a_fence_before_the_walls_stands_and_a_single_post_does_not_move_them() {
        let wall = Surface { planes: vec![DVec3::Y / 9.0], corner: Vec::new() };
        let picket = |x: f64| [DVec2::new(x, 300.0), DVec2::new(x, 420.0)];
        let lower = |uprights: &[[DVec2; 2]]| {
            let walls = Walls::fit(&edge(&wall), &camera(), GROUND, None, uprights).surface;
            let [high, low] = [300.0, 420.0].map(|y| camera().ray(DVec2::new(450.0, y)));
            (GROUND.dot(low) / walls.nearness(low.with_z(0.0)), walls.nearness(high.with_z(0.0)) * 9.0)
        };
        let fence: Vec<_> = (0..12).map(|n| picket(200.0 + 40.0 * f64::from(n))).collect();
        assert!(lower(&fence).0 < 1.1, "{:?}", lower(&fence));
        assert!(lower(&fence[4..5]).0 > 1.3 && lower(&fence[4..5]).1 < 1.2, "{:?}", lower(&fence[4..5]));
    }
}
