//! The box of floor, ceiling and three walls that agrees best with what the network sees, for rooms whose lines leave doubts.

use aerie_photo::PhotoScene;
use aerie_photo::lines::Segment;
use aerie_photo::room::{Camera, Distances};
use aerie_photo::scene::Basis;
use aerie_photo::segmentation::{Class, Segmentation};
use glam::{DVec2, DVec3};

use super::settle::is_upright;

/// Cells of the comparison, across and down.
const CELLS: usize = 44;
/// Usual distances, camera heights, and the cost of being off by a factor of e.
const USUAL: Distances = Distances { ceiling: 0.8, left: 1.6, right: 1.6, far: 2.8 };
const UNUSUAL: f64 = 0.012;
/// Weight of what hides the box.
const HIDDEN: f64 = 0.5;
/// Cost of upright lines that would all lie on the floor or the ceiling.
const LYING: f64 = 0.2;
/// Least length of such a line, in heights of the photo; probability of the floor or of what stands from which it is no line of a wall;
/// and distance between points along it, in heights.
const LEAST_LINE: f64 = 0.06;
const NO_WALL: f64 = 0.4;
const ALONG: f64 = 0.02;
/// By how much another box has to agree better with the network than that of a reliable layout.
const CLEARLY: f64 = 0.07;
/// Usual camera height, meters.
const USUAL_METERS: f64 = 1.39;
/// Highest confidence in a box that lines leave in doubt.
const DOUBTFUL: f64 = 0.5;

/// A box under a photo.
pub(super) struct RoomBox {
    pub(super) camera: Camera,
    pub(super) distances: Distances,
    pub(super) meters: f64,
    pub(super) confidence: f64,
    /// Whether the lines of the photo do not settle it.
    pub(super) is_estimated: bool,
}

/// The layout's box where it is reliable, otherwise the best of its box and of boxes fitted to the segmentation.
pub(super) fn fitted(scene: &PhotoScene) -> RoomBox {
    let views = |camera: &Camera| Views::of(scene, camera);
    if let Some(layout) = scene.layout.as_ref().filter(|layout| layout.is_confident()) {
        let (camera, meters) = (layout.frame.camera, layout.scale.meters);
        let views = views(&camera);
        let (_, other) = best_box(&views, &camera, Some(layout.distances));
        let [own, other_agrees] = [&layout.distances, &other].map(|d| agreement(&views, &camera, d));
        return if other_agrees > own + CLEARLY {
            RoomBox { camera, distances: other, meters, confidence: confidence(other_agrees), is_estimated: true }
        } else {
            let (distances, confidence) = (layout.distances, layout.confidence);
            RoomBox { camera, distances, meters, confidence, is_estimated: false }
        };
    }
    let camera = scene.view.camera;
    let views = views(&camera);
    let own = scene.layout.as_ref().filter(|_| scene.view.basis == Basis::Frame);
    let (score, distances) = best_box(&views, &camera, own.map(|layout| layout.distances));
    let meters = own.map_or(USUAL_METERS, |layout| layout.scale.meters);
    let sure = 0.6 + 0.4 * scene.view.confidence;
    RoomBox { camera, distances, meters, confidence: sure * confidence(score), is_estimated: true }
}

fn confidence(score: f64) -> f64 {
    ((score - 0.55) / 0.35).clamp(0.1, 1.0) * DOUBTFUL
}

/// For each cell: its place in the photo as shares, and the probabilities of floor, ceiling, walls, and of what hides them.
type View = (DVec2, [f64; 4]);

/// What a box is compared with.
struct Views {
    cells: Vec<View>,
    /// Places of the photo, as shares, on upright lines of walls.
    uprights: Vec<DVec2>,
}

impl Views {
    fn of(scene: &PhotoScene, camera: &Camera) -> Self {
        let (size, seen) = (DVec2::new(camera.width as f64, camera.height as f64), &scene.segmentation);
        let points = [DVec3::Z, DVec3::X, DVec3::Y].map(|axis| camera.vanishing_point(axis));
        let of_wall = |at: &DVec2| {
            let other = [Class::Floor, Class::Furniture, Class::Fixture, Class::Outdoors];
            other.iter().map(|class| f64::from(seen.class(*class, at.to_array()))).sum::<f64>() < NO_WALL
        };
        let line = |segment: &Segment| {
            let [a, b] = [segment.a, segment.b].map(DVec2::from_array);
            let is_line = segment.length() > LEAST_LINE * size.y && is_upright([a, b], points);
            let count = if is_line { (segment.length() / size.y / ALONG) as usize } else { 0 };
            (0..count).map(move |n| a.lerp(b, (n as f64 + 0.5) / count as f64) / size)
        };
        Self { cells: cells(seen), uprights: scene.segments.iter().flat_map(line).filter(of_wall).collect() }
    }
}

fn cells(seen: &Segmentation) -> Vec<View> {
    let cell = |i: usize| {
        let at = [(i % CELLS) as f64 + 0.5, (i / CELLS) as f64 + 0.5].map(|v| v / CELLS as f64);
        let of = |class: Class| f64::from(seen.class(class, at));
        let walls = of(Class::Wall) + of(Class::Window) + of(Class::Door);
        let hidden = of(Class::Furniture) + of(Class::Fixture) + of(Class::Outdoors);
        (DVec2::from_array(at), [of(Class::Floor), of(Class::Ceiling), walls, hidden])
    };
    (0..CELLS * CELLS).map(cell).collect()
}

/// Share of the photo whose face is what the network sees there, less the cost of upright lines that lie.
fn agreement(views: &Views, camera: &Camera, d: &Distances) -> f64 {
    let size = DVec2::new(camera.width as f64, camera.height as f64);
    let planes = [-DVec3::Z, DVec3::Z / d.ceiling, -DVec3::X / d.left, DVec3::X / d.right, DVec3::Y / d.far];
    let face = |at: DVec2| {
        let ray = camera.ray(at * size);
        (1..5).fold(0, |best, i| if planes[i].dot(ray) > planes[best].dot(ray) { i } else { best })
    };
    let lying = views.uprights.iter().filter(|at| face(**at) < 2).count() as f64 / views.uprights.len().max(1) as f64;
    let total: f64 = views
        .cells
        .iter()
        .map(|(at, [floor, ceiling, walls, hidden])| {
            let best = face(*at);
            HIDDEN * hidden + [floor, ceiling, walls, walls, walls][best]
        })
        .sum();
    total / views.cells.len() as f64 - LYING * lying
}

/// Coordinate descent from several starts: score and distances.
fn best_box(views: &Views, camera: &Camera, given: Option<Distances>) -> (f64, Distances) {
    let usual = |d: &Distances| {
        let off = |value: f64, usual: f64| libm::log(value / usual).powi(2);
        off(d.ceiling, USUAL.ceiling) + off(d.left, USUAL.left) + off(d.right, USUAL.right) + off(d.far, USUAL.far)
    };
    let score = |d: &Distances| agreement(views, camera, d) - UNUSUAL * usual(d);
    let mut starts: Vec<Distances> = given.into_iter().collect();
    for far in [1.6, 2.8, 4.5] {
        for left in [0.9, 2.0] {
            for right in [0.9, 2.0] {
                starts.push(Distances { ceiling: USUAL.ceiling, left, right, far });
            }
        }
    }
    let mut scored: Vec<(f64, Distances)> = starts.into_iter().map(|d| (score(&d), d)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.truncate(4);
    let mut best: Option<(f64, Distances)> = None;
    for (mut most, mut d) in scored {
        for steps in [[0.75, 1.3], [0.87, 1.15], [0.94, 1.06], [0.97, 1.03]] {
            for _ in 0..2 {
                for which in 0..4 {
                    for step in steps {
                        let next = scaled(d, which, step);
                        let reached = score(&next);
                        if reached > most {
                            (most, d) = (reached, next);
                        }
                    }
                }
            }
        }
        if best.is_none_or(|(least, _)| most > least) {
            best = Some((most, d));
        }
    }
    best.expect("there are starts")
}

fn scaled(d: Distances, which: usize, by: f64) -> Distances {
    let within = |v: f64, low: f64, high: f64| (v * by).clamp(low, high);
    match which {
        0 => Distances { far: within(d.far, 0.6, 12.0), ..d },
        1 => Distances { left: within(d.left, 0.2, 10.0), ..d },
        2 => Distances { right: within(d.right, 0.2, 10.0), ..d },
        _ => Distances { ceiling: within(d.ceiling, 0.3, 3.0), ..d },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_found_from_what_is_floor_wall_and_ceiling_although_furniture_hides_its_edges() {
        let camera = Camera::turned(960, 640, 620.0, -0.04, 0.0, 0.3);
        let truth = Distances { ceiling: 0.9, left: 0.8, right: 2.4, far: 3.4 };
        let planes =
            [-DVec3::Z, DVec3::Z / truth.ceiling, -DVec3::X / truth.left, DVec3::X / truth.right, DVec3::Y / truth.far];
        let view = |i: usize| {
            let at = DVec2::new((i % CELLS) as f64 + 0.5, (i / CELLS) as f64 + 0.5) / CELLS as f64;
            let ray = camera.ray(at * DVec2::new(960.0, 640.0));
            let face = (1..5).fold(0, |best, i| if planes[i].dot(ray) > planes[best].dot(ray) { i } else { best });
            let is_hidden = (0.3..0.6).contains(&at.x) && (0.5..0.75).contains(&at.y);
            let mut seen = [0.0; 4];
            seen[if is_hidden { 3 } else { face.min(2) }] = 1.0;
            (at, seen)
        };
        let views = Views { cells: (0..CELLS * CELLS).map(view).collect(), uprights: Vec::new() };
        let (score, found) = best_box(&views, &camera, None);
        let off = |a: f64, b: f64| (a / b - 1.0).abs();
        assert!(off(found.far, truth.far) < 0.12 && off(found.ceiling, truth.ceiling) < 0.08, "{score} {found:?}");
        assert!(off(found.left, truth.left) < 0.12 && off(found.right, truth.right) < 0.12, "{score} {found:?}");
    }
    #[test]
    fn upright_lines_lie_on_no_floor() {
        let camera = Camera::turned(960, 640, 620.0, 0.0, 0.0, 0.0);
        // Nothing is known but that the end of the room has an upright line down to row 500: the floor cannot begin above it.
        let unknown = |i: usize| {
            let at = DVec2::new((i % CELLS) as f64 + 0.5, (i / CELLS) as f64 + 0.5) / CELLS as f64;
            (at, [0.25, 0.25, 0.25, 0.25])
        };
        let uprights = (0..20).map(|n| DVec2::new(0.45, 0.3 + f64::from(n) * 0.024)).collect();
        let views = Views { cells: (0..CELLS * CELLS).map(unknown).collect(), uprights };
        let (_, found) = best_box(&views, &camera, None);
        let foot = 320.0 + 620.0 / found.far;
        assert!(foot > 470.0, "{foot}");
    }
}
