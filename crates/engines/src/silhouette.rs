//! The outline of what the camera sees of the property's building, drawn over the frame: plants do not hide it, other buildings do.

use aerie_geodata::place::Place;
use aerie_render::Picture;
use aerie_render::layer::{self, Layer};
use aerie_render::scene::Camera;
use contour::ContourBuilder;
use geo::Simplify as _;
use glam::{Mat4, Vec2, Vec3, vec2};

/// Color of the outline, sRGB.
pub(crate) const COLOR: [u8; 3] = [255, 212, 0];
/// Width of the line, as a share of the picture's shorter side.
const WIDTH: f32 = 1.0 / 230.0;
/// Maximum distance of the line from the rim of the mask, pixels.
const TOLERANCE: f64 = 0.3;
/// Samples of the mask along each side of a pixel.
const FINE: usize = 2;
/// Nearest depth at which buildings are drawn, meters: none is ever this near.
const NEAR: f32 = 1.0;
/// Distance from the middle of the property up to which buildings hide it, meters.
const REACH: f64 = 160.0;
/// Factor on the closeness of the property, so that it wins against a neighbor's wall in the same plane.
const BEFORE: f32 = 1.004;

/// The outline of a building.
pub(crate) struct Silhouette {
    own: Vec<[Vec3; 3]>,
    neighbors: Vec<[Vec3; 3]>,
}

/// The samples of the mask: the first, which may lie beyond the frame, and how many there are.
#[derive(Debug, Clone, Copy)]
struct Window {
    low: [isize; 2],
    size: [usize; 2],
}

impl Silhouette {
    /// The silhouette of the property's building; `None` where no building is known.
    pub(crate) fn of(place: &Place) -> Option<Self> {
        let [own, neighbors] = aerie_scenery::building_triangles(place, REACH);
        (!own.is_empty()).then_some(Self { own, neighbors })
    }

    /// Draws the outline into an NV12 frame with an opacity of `strength`, 0 to 1.
    pub(crate) fn blend(&self, camera: &Camera, strength: f32, picture: Picture, nv12: &mut [u8]) {
        if strength <= 0.004 {
            return;
        }
        let size = vec2(picture.width as f32, picture.height as f32);
        let width = WIDTH * size.min_element();
        let Some((window, mask)) = self.mask(camera.view_projection(size.x / size.y), size, width) else { return };
        let Some(rim) = layer::polygon(window.rim(&mask)) else { return };
        let Some(mut layer) = Layer::around(&rim, width, picture, Layer::FINE) else { return };
        layer.line(&rim, COLOR, width, f32::INFINITY);
        layer.blend(picture, nv12, strength);
    }

    /// The samples that show the building, in the window that holds it and the line around it.
    fn mask(&self, view: Mat4, size: Vec2, width: f32) -> Option<(Window, Vec<bool>)> {
        let scale = size * FINE as f32;
        // Place on screen, and closeness: the inverse of the depth, which is linear there.
        let on_screen = |p: &Vec3| {
            let clip = view * p.extend(1.0);
            let at = vec2(clip.x / clip.w + 1.0, 1.0 - clip.y / clip.w) * 0.5 * scale;
            (clip.w > NEAR).then(|| at.extend(1.0 / clip.w))
        };
        let seen = |triangles: &[[Vec3; 3]]| -> Vec<[Vec3; 3]> {
            triangles.iter().filter_map(|[a, b, c]| Some([on_screen(a)?, on_screen(b)?, on_screen(c)?])).collect()
        };
        let own = seen(&self.own);
        let corners = || own.iter().flatten().map(|p| p.truncate());
        // So far beyond the frame that its own edge shows no line.
        let margin = Vec2::splat((width * FINE as f32).ceil());
        let low = (corners().fold(scale, Vec2::min) - 1.0).floor().clamp(-margin, scale);
        let high = (corners().fold(Vec2::ZERO, Vec2::max) + 1.0).ceil().clamp(Vec2::ZERO, scale + margin);
        let extent = high - low;
        if extent.x < 1.0 || extent.y < 1.0 {
            return None;
        }
        let window = Window { low: [low.x as isize, low.y as isize], size: [extent.x as usize, extent.y as usize] };
        let mut nearest = vec![0.0_f32; window.size[0] * window.size[1]];
        for triangle in own {
            let triangle = triangle.map(|p| Vec3::new(p.x - low.x, p.y - low.y, p.z * BEFORE));
            visit(triangle, window, |sample, closeness| nearest[sample] = nearest[sample].max(closeness));
        }
        let mut mask: Vec<bool> = nearest.iter().map(|closeness| *closeness > 0.0).collect();
        for triangle in seen(&self.neighbors) {
            let triangle = triangle.map(|p| p - low.extend(0.0));
            visit(triangle, window, |sample, closeness| mask[sample] &= nearest[sample] > closeness);
        }
        Some((window, mask))
    }
}

/// Visits the samples of a triangle, wound either way, row by row, with the closeness at each.
fn visit(corners: [Vec3; 3], window: Window, mut each: impl FnMut(usize, f32)) {
    let [width, height] = window.size;
    let rows = corners.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), p| (low.min(p.y), high.max(p.y)));
    let first = (rows.0 - 0.5).ceil().clamp(0.0, height as f32) as usize;
    let end = (rows.1 + 0.5).floor().clamp(0.0, height as f32) as usize;
    for y in first..end {
        let middle = y as f32 + 0.5;
        // Where the row enters and leaves the triangle: x and closeness.
        let (mut from, mut to) = (vec2(f32::INFINITY, 0.0), vec2(f32::NEG_INFINITY, 0.0));
        for i in 0..3 {
            let (a, b) = (corners[i], corners[(i + 1) % 3]);
            if (a.y <= middle) != (b.y <= middle) {
                let on = a.lerp(b, (middle - a.y) / (b.y - a.y));
                if on.x < from.x {
                    from = vec2(on.x, on.z);
                }
                if on.x > to.x {
                    to = vec2(on.x, on.z);
                }
            }
        }
        if from.x > to.x {
            continue;
        }
        let step = (to.y - from.y) / (to.x - from.x).max(1e-6);
        let start = (from.x - 0.5).ceil().clamp(0.0, width as f32) as usize;
        let stop = (to.x + 0.5).floor().clamp(start as f32, width as f32) as usize;
        for x in start..stop {
            each(y * width + x, from.y + (x as f32 + 0.5 - from.x) * step);
        }
    }
}

impl Window {
    /// The rings around the samples of a mask, in pixels of the picture.
    fn rim(self, mask: &[bool]) -> Vec<Vec<[f64; 2]>> {
        let values: Vec<f64> = mask.iter().map(|shown| f64::from(u8::from(*shown))).collect();
        let step = 1.0 / FINE as f64;
        let [x, y] = self.low.map(|v| v as f64 * step);
        let grid =
            ContourBuilder::new(self.size[0], self.size[1], true).x_step(step).y_step(step).x_origin(x).y_origin(y);
        // Runs through the outermost samples of the building.
        let lines = grid.lines(&values, &[0.99]).expect("there is a value for each sample");
        let rings = lines.iter().flat_map(|line| line.geometry().simplify(TOLERANCE));
        rings.map(|ring| ring.coords().map(|p| [p.x, p.y]).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PICTURE: Picture = Picture { width: 960, height: 540, supersampling: 1.0, vignette: 0.0 };

    /// A cube of 10 m that a camera sees from the south and from above.
    fn cube() -> (Silhouette, Camera) {
        let mut triangles = Vec::new();
        for axis in 0..3 {
            for side in [-5.0, 5.0] {
                let corner = |u: f32, v: f32| {
                    let mut p = Vec3::ZERO;
                    p[axis] = side;
                    p[(axis + 1) % 3] = u;
                    p[(axis + 2) % 3] = v;
                    p
                };
                let [a, b, c, d] = [corner(-5.0, -5.0), corner(5.0, -5.0), corner(5.0, 5.0), corner(-5.0, 5.0)];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        let camera = Camera { eye: Vec3::new(0.0, -40.0, 20.0), target: Vec3::ZERO, up: Vec3::Z, field: 0.6 };
        (Silhouette { own: triangles, neighbors: vec![] }, camera)
    }

    fn drawn(strength: f32) -> Vec<u8> {
        let (silhouette, camera) = cube();
        let mut nv12 = vec![100; PICTURE.frame_bytes()];
        nv12[960 * 540..].fill(128);
        silhouette.blend(&camera, strength, PICTURE, &mut nv12);
        nv12
    }

    #[test]
    fn the_outline_runs_around_the_building_and_not_across_it() {
        let nv12 = drawn(1.0);
        let row: Vec<u8> = nv12[270 * 960..271 * 960].to_vec();
        // Left and right rim are bright; between and beside them nothing changed.
        let bright: Vec<usize> = (0..960).filter(|x| row[*x] > 150).collect();
        let (left, right) = (bright[0], bright[bright.len() - 1]);
        assert!(left < 420 && right > 540, "{bright:?}");
        assert!(bright.iter().all(|x| *x < left + 8 || *x > right - 8), "{bright:?}");
        assert!(row[450..510].iter().all(|v| *v == 100) && row[..left - 8].iter().all(|v| *v == 100));
    }

    #[test]
    fn a_hidden_outline_changes_nothing_and_one_out_of_view_draws_no_line_at_the_frames_edge() {
        assert_eq!(drawn(0.0), {
            let mut nv12 = vec![100; PICTURE.frame_bytes()];
            nv12[960 * 540..].fill(128);
            nv12
        });
        let (silhouette, camera) = cube();
        let near = Camera { eye: Vec3::new(0.0, -14.0, 0.0), target: Vec3::ZERO, ..camera };
        let mut nv12 = vec![100; PICTURE.frame_bytes()];
        silhouette.blend(&near, 1.0, PICTURE, &mut nv12);
        assert!(nv12[..960].iter().all(|v| *v == 100), "the cube fills the frame");
    }

    #[test]
    fn a_neighbor_in_front_hides_the_outline_and_one_behind_does_not() {
        let (mut silhouette, camera) = cube();
        let wall = |y: f32| {
            let [a, b, c, d] = [[0.0, -9.0], [20.0, -9.0], [20.0, 30.0], [0.0, 30.0]].map(|[x, z]| Vec3::new(x, y, z));
            vec![[a, b, c], [a, c, d]]
        };
        let row = |silhouette: &Silhouette| {
            let mut nv12 = vec![100; PICTURE.frame_bytes()];
            silhouette.blend(&camera, 1.0, PICTURE, &mut nv12);
            (0..960).filter(|x| nv12[270 * 960 + x] > 150).collect::<Vec<usize>>()
        };
        let alone = row(&silhouette);
        silhouette.neighbors = wall(20.0);
        assert_eq!(row(&silhouette), alone);
        silhouette.neighbors = wall(-12.0);
        let hidden = row(&silhouette);
        // The line ends at the neighbor's edge in the middle of the frame.
        assert!(hidden.last().is_some_and(|x| *x < 490) && hidden[0] == alone[0], "{hidden:?}");
    }
}
