//! A boundary in rendered frames, compared with an independent projection: on the ground, occluded by buildings, and nowhere
//! else.

use aerie_geocode::geocode;
use aerie_geodata::place::{Place, Point};
use aerie_render::marking::{Marking, MarkingState};
use aerie_render::scene::Camera;
use aerie_render::still;
use aerie_render::{Picture, SceneRenderer};
use aerie_sample_town::SAMPLE_ADDRESSES;
use aerie_scenery::{Flight, Path, Side, VideoFormat};

use crate::gpu;

const PICTURE: Picture = Picture { width: 1280, height: 720, supersampling: 1.414, vignette: 0.0 };
const ALL: MarkingState = MarkingState { line: 1.0, fill: 0.12 };
const WIDTH: f64 = 0.8;
/// Radius of the white disc of a corner marker, meters, with some margin.
const DISC: f64 = 0.8;
type V = [f64; 3];

/// A property of the sample town on steep, uneven ground, with buildings only.
fn place() -> Place {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pack = aerie_sample_town::open(folder.path()).expect("the sample town is built");
    let found = geocode(&pack, SAMPLE_ADDRESSES[0]).expect("a sample address is found");
    let mut place = pack.place(&found, 250.0).expect("a place is made");
    place.trees.clear();
    place.barriers.clear();
    place.areas.clear();
    let (columns, spacing, [x, y]) = (place.terrain.columns, place.terrain.spacing, place.terrain.min);
    for (i, height) in place.terrain.heights.iter_mut().enumerate() {
        let (east, north) = (x + (i % columns) as f64 * spacing, y + (i / columns) as f64 * spacing);
        *height += (0.12 * east + 4.0 * (east / 60.0).sin() * (north / 80.0).cos() - 0.05 * north) as f32;
    }
    place
}

/// A plot around the property, its far side behind the house.
fn plot(place: &Place) -> Vec<Point> {
    let [x, y] = place.property.point;
    [[-17.0, -13.0], [4.0, -17.0], [22.0, -12.0], [19.0, 15.0], [-9.0, 19.0], [-20.0, 8.0]]
        .map(|[e, n]| [x + e, y + n])
        .to_vec()
}

fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: V) -> V {
    a.map(|v| v / dot(a, a).sqrt())
}

/// Projects a point by a pinhole camera, pixels.
fn seen_at(camera: &Camera, p: V) -> [f64; 2] {
    let eye = camera.eye.as_dvec3().to_array();
    let ahead = unit(sub(camera.target.as_dvec3().to_array(), eye));
    let right = unit(cross(ahead, camera.up.as_dvec3().to_array()));
    let up = cross(right, ahead);
    let to = sub(p, eye);
    let focal = 0.5 * f64::from(PICTURE.height) / (0.5 * f64::from(camera.field)).tan();
    let depth = dot(to, ahead);
    [
        0.5 * f64::from(PICTURE.width) + focal * dot(to, right) / depth,
        0.5 * f64::from(PICTURE.height) - focal * dot(to, up) / depth,
    ]
}

fn on_ground(place: &Place, p: Point) -> V {
    [p[0], p[1], place.terrain.height(p)]
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

fn to_ring(ring: &[Point], p: Point) -> f64 {
    let to_segment = |a: Point, b: Point| {
        let d = [b[0] - a[0], b[1] - a[1]];
        let t = ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / (d[0] * d[0] + d[1] * d[1]);
        let t = t.clamp(0.0, 1.0);
        distance(p, [a[0] + t * d[0], a[1] + t * d[1]])
    };
    (0..ring.len()).map(|i| to_segment(ring[i], ring[(i + 1) % ring.len()])).fold(f64::INFINITY, f64::min)
}

fn is_inside(ring: &[Point], p: Point) -> bool {
    (0..ring.len()).fold(false, |inside, i| {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        inside ^ ((a[1] > p[1]) != (b[1] > p[1]) && p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0])
    })
}

/// Whether a building hides the ground at a point; `None` where that is too close to call: walls up to the eaves certainly hide
/// it, and lines of sight well clear of ridges and walls are certainly free.
fn hidden(place: &Place, camera: &Camera, at: Point) -> Option<bool> {
    let (from, eye) = (on_ground(place, at), camera.eye.as_dvec3().to_array());
    let mut clear = true;
    for i in 0..4000 {
        let t = f64::from(i) * 0.1 / distance([from[0], from[1]], [eye[0], eye[1]]);
        if t >= 1.0 {
            break;
        }
        let p = [0, 1, 2].map(|c| from[c] + (eye[c] - from[c]) * t);
        if p[2] > from[2] + 25.0 {
            break;
        }
        for building in &place.buildings {
            let ring = &building.footprint.outer;
            let heights = || ring.iter().map(|c| place.terrain.height(*c));
            let (inside, away) = (is_inside(ring, [p[0], p[1]]), to_ring(ring, [p[0], p[1]]));
            if inside && away > 0.3 && p[2] < heights().fold(f64::INFINITY, f64::min) + building.eaves - 0.5 {
                return Some(true);
            }
            if (inside || away < 1.5) && p[2] < heights().fold(f64::MIN, f64::max) + building.ridge + 1.5 {
                clear = false;
            }
        }
        // The terrain itself may hide the point.
        if i > 20 && p[2] < place.terrain.height([p[0], p[1]]) + 0.4 {
            clear = false;
        }
    }
    clear.then_some(false)
}

/// Whether all of a corner's disc is hidden, not just its center.
fn all_hidden(place: &Place, camera: &Camera, corner: Point) -> bool {
    (0..8).all(|i| {
        let (sin, cos) = (f64::from(i) * std::f64::consts::FRAC_PI_4).sin_cos();
        hidden(place, camera, [corner[0] + DISC * cos, corner[1] + DISC * sin]) == Some(true)
    })
}

/// Frames with a given state of the marking, as RGB.
fn frames(renderer: &SceneRenderer<'_>, cameras: &[Camera], drawn: MarkingState) -> Vec<Vec<u8>> {
    let mut out = Vec::new();
    renderer
        .render_marked(
            cameras.len() as u32,
            |frame| (cameras[frame as usize], drawn),
            |_, nv12| {
                out.push(still::rgb_from_nv12(PICTURE, nv12));
                Ok(())
            },
        )
        .expect("frames are drawn");
    out
}

fn pixel(frame: &[u8], x: i64, y: i64) -> Option<[u8; 3]> {
    let inside = (0..i64::from(PICTURE.width)).contains(&x) && (0..i64::from(PICTURE.height)).contains(&y);
    let at = (y * i64::from(PICTURE.width) + x) as usize * 3;
    inside.then(|| [frame[at], frame[at + 1], frame[at + 2]])
}

/// Weighted center of the white disc near a position, since it has few pixels from afar. Pixels that are as white
/// without it do not count.
fn disc_near(frame: &[u8], plain: &[u8], at: [f64; 2]) -> Option<[f64; 2]> {
    let mut sum = [0.0; 3];
    let reach = 11;
    for y in (at[1] as i64 - reach)..=(at[1] as i64 + reach) {
        for x in (at[0] as i64 - reach)..=(at[0] as i64 + reach) {
            let (Some([r, g, b]), Some(without)) = (pixel(frame, x, y), pixel(plain, x, y)) else { continue };
            // The line is magenta, so pixels that also have more green than the ground belong to the disc.
            if r > 205 && b > 205 && g > 120 && g > without[1].saturating_add(15) {
                let weight = f64::from(g - 120);
                sum = [sum[0] + weight * (x as f64 + 0.5), sum[1] + weight * (y as f64 + 0.5), sum[2] + weight];
            }
        }
    }
    (sum[2] >= 100.0).then(|| [sum[0] / sum[2], sum[1] / sum[2]])
}

fn is_line(rgb: [u8; 3]) -> bool {
    i16::from(rgb[0].min(rgb[2])) - i16::from(rgb[1]) > 40
}

#[test]
fn a_boundary_lies_on_the_ground_behind_what_stands_before_it_and_nowhere_else() {
    let place = place();
    let plot = plot(&place);
    // From low down and from above, all over the flights.
    let step = std::env::var("AERIE_MARKING_STEP").map_or(60, |step| step.parse().expect("a number of frames"));
    let mut cameras = Vec::new();
    for path in [Path::Original, Path::From(Side::North), Path::TopdownRising] {
        let flight = Flight::plan_with_plot(&place, path, VideoFormat::default(), &plot);
        cameras.extend(flight.cameras.into_iter().step_by(step).skip(1));
    }
    let flight = Flight { cameras: cameras.clone() };
    let mut scene = aerie_scenery::scene(&place, &flight);
    let rings = vec![plot.iter().map(|p| glam::vec2(p[0] as f32, p[1] as f32)).collect()];
    scene.marking = Some(Marking { rings, color: [1.0, 0.0, 1.0], width: WIDTH as f32 });
    let renderer = SceneRenderer::new(gpu(), &scene, PICTURE).expect("the scene is accepted");
    let (mut corners, mut hidden_corners, mut lines, mut behind, mut worst) = (0, 0, 0, 0, 0.0_f64);
    // Some at a time, for memory's sake.
    let drawn = cameras.chunks(20).flat_map(|some| {
        let marked = frames(&renderer, some, ALL);
        some.iter().zip(marked.into_iter().zip(frames(&renderer, some, MarkingState::HIDDEN)))
    });
    for (number, (camera, (marked, plain))) in drawn.enumerate() {
        let (marked, plain) = (&marked[..], &plain[..]);
        for corner in &plot {
            let wanted = seen_at(camera, on_ground(&place, *corner));
            match (hidden(&place, camera, *corner), disc_near(marked, plain, wanted)) {
                (Some(false), Some(found)) => {
                    corners += 1;
                    worst = worst.max(distance(found, wanted));
                    assert!(distance(found, wanted) < 2.0, "a corner at {wanted:?} is drawn at {found:?}");
                }
                (Some(false), None) => {
                    let seen = |frame| pixel(frame, wanted[0] as i64, wanted[1] as i64);
                    let (with, without) = (seen(marked), seen(plain));
                    panic!(
                        "the corner at {wanted:?} of picture {number} is not drawn: {with:?}, {without:?} without it"
                    )
                }
                (Some(true), Some(found)) if all_hidden(&place, camera, *corner) => {
                    panic!("a hidden corner is drawn at {found:?}")
                }
                (Some(true), None) => hidden_corners += 1,
                _ => {}
            }
        }
        for i in 0..plot.len() {
            let (a, b) = (plot[i], plot[(i + 1) % plot.len()]);
            for step in 2..29 {
                let t = f64::from(step) / 30.0;
                let p = [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
                let at = seen_at(camera, on_ground(&place, p));
                let Some(rgb) = pixel(marked, at[0] as i64, at[1] as i64) else { continue };
                match hidden(&place, camera, p) {
                    Some(true) => {
                        behind += 1;
                        assert!(!is_line(rgb), "the line is seen through a building at {at:?}: {rgb:?}");
                    }
                    Some(false) => {
                        lines += 1;
                        // Within a pixel: far away the line is hardly wider than two.
                        let near =
                            (0..9).filter_map(|i| pixel(marked, at[0] as i64 + i % 3 - 1, at[1] as i64 + i / 3 - 1));
                        assert!(near.into_iter().any(is_line), "no line at {at:?}: {rgb:?}");
                    }
                    None => {}
                }
            }
        }
        // Nothing changes except on the plot and within the line's width of it.
        let rim: Vec<[f64; 2]> = (0..plot.len() * 40)
            .map(|i| {
                let (a, b, t) = (plot[i / 40], plot[(i / 40 + 1) % plot.len()], (i % 40) as f64 / 40.0);
                seen_at(camera, on_ground(&place, [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]))
            })
            .collect();
        let step =
            [[0.0, 0.0], [WIDTH, 0.0]].map(|off| seen_at(camera, on_ground(&place, [plot[0][0] + off[0], plot[0][1]])));
        let room = 2.2 * distance(step[0], step[1]) + 4.0;
        let mut changed = 0;
        for y in 0..i64::from(PICTURE.height) {
            for x in 0..i64::from(PICTURE.width) {
                let (Some(with), Some(without)) = (pixel(marked, x, y), pixel(plain, x, y)) else { continue };
                if with.iter().zip(without).all(|(a, b)| a.abs_diff(b) <= 6) {
                    continue;
                }
                changed += 1;
                let p = [x as f64 + 0.5, y as f64 + 0.5];
                assert!(is_inside(&rim, p) || to_ring(&rim, p) < room, "something is drawn at {p:?}, off the plot");
            }
        }
        assert!(changed > 2000, "the plot is drawn");
    }
    eprintln!(
        "{} frames: {corners} corners within {worst:.2} px, {hidden_corners} not drawn where hidden, {lines} points of line seen and {behind} hidden",
        cameras.len()
    );
    assert!(corners > 40 && lines > 1000 && behind > 60, "{corners} corners, {lines} points seen, {behind} hidden");
}
