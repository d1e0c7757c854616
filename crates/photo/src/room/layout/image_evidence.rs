//! Image evidence by which layouts are scored: segments by axis, maps of their support, and a thumbnail of colors.

use glam::{DVec2, DVec3};

use crate::Photo;
use crate::lines::{self, Segment};
use crate::room::frame::Frame;
use aerie_math::color;
use aerie_segmentation::{CLASSES, Class, Segmentation};

/// Longer side of the support maps, and of the color thumbnail.
const MAP_SIDE: usize = 320;
const COLOR_SIDE: usize = 64;
/// Standard deviation of a segment in a support map, pixels.
const SPREAD: f64 = 1.25;

/// A segment that runs along an axis of the room.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) axis: usize,
    /// Length in longer sides of the image.
    pub(super) length: f64,
    /// Points near its ends and at its midpoint, `(x, y, 1)` in pixels.
    pub(super) points: [DVec3; 3],
    /// Ray through its midpoint, in room axes.
    pub(super) ray: DVec3,
    /// Whether its axis is unambiguous, so that it can contradict a face.
    pub(super) is_clear: bool,
}

/// Evidence in one image.
pub(super) struct ImageEvidence {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) lines: Vec<Line>,
    /// Image pixels per map pixel.
    pub(super) step: f64,
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// For each axis, support by segments along it, 0 to 1.
    pub(super) maps: [Vec<f32>; 3],
    /// Pixels `(x, y, 1)` with their weighted L*, a*, b*.
    pub(super) colors: Vec<(DVec3, [f32; 3])>,
    /// Class probabilities at the same pixels.
    pub(super) classes: Vec<[f32; CLASSES]>,
    /// Sum of squared deviations of the colors from their mean.
    pub(super) variance: f32,
}

impl ImageEvidence {
    pub(super) fn new(photo: &Photo, segments: &[Segment], segmentation: &Segmentation, frame: &Frame) -> Self {
        let (width, height) = (photo.width as f64, photo.height as f64);
        let side = width.max(height);
        let lines = lines(segments, frame, side);
        let step = side / MAP_SIDE as f64;
        let (columns, rows) = ((width / step).ceil() as usize + 1, (height / step).ceil() as usize + 1);
        let mut maps = [0, 1, 2].map(|_| vec![0.0_f32; columns * rows]);
        for line in &lines {
            draw(&mut maps[line.axis], columns, rows, line, step);
        }
        let small = photo.reduced(COLOR_SIDE);
        let scale = [width / small.width as f64, height / small.height as f64];
        let colors: Vec<(DVec3, [f32; 3])> = small
            .pixels
            .iter()
            .enumerate()
            .map(|(i, p)| {
                let at = [(i % small.width) as f64 + 0.5, (i / small.width) as f64 + 0.5];
                let [l, a, b] = color::lab(*p);
                // Lightness varies within a face and clips at windows; chroma hardly does.
                (DVec3::new(at[0] * scale[0], at[1] * scale[1], 1.0), [l.min(90.0) * 0.7, a * 1.6, b * 1.6])
            })
            .collect();
        const ALL: [Class; CLASSES] = [
            Class::Floor,
            Class::Wall,
            Class::Ceiling,
            Class::Window,
            Class::Door,
            Class::Fixture,
            Class::Furniture,
            Class::Outdoors,
        ];
        let classes =
            colors.iter().map(|(p, _)| ALL.map(|class| segmentation.class(class, [p.x / width, p.y / height])));
        let classes = classes.collect();
        let count = colors.len() as f32;
        let mean = [0, 1, 2].map(|c| colors.iter().map(|(_, v)| v[c]).sum::<f32>() / count);
        let variance = colors.iter().map(|(_, v)| (0..3).map(|c| (v[c] - mean[c]).powi(2)).sum::<f32>()).sum::<f32>();
        Self { width, height, lines, step, columns, rows, maps, colors, classes, variance }
    }

    /// Share of the length of segments that run along the normal of their face; `axis_at` gives the normal's axis at a pixel.
    pub(super) fn violations(&self, axis_at: impl Fn([f64; 2]) -> usize) -> f64 {
        let (mut wrong, mut all) = (0.0, 0.0);
        for line in self.lines.iter().filter(|l| l.is_clear) {
            let bad = line.points.iter().filter(|p| axis_at([p.x, p.y]) == line.axis).count();
            wrong += line.length * bad as f64 / 3.0;
            all += line.length;
        }
        if all > 0.0 { wrong / all } else { 1.0 }
    }

    /// Overlap of a floor with the segmented one. What hides the floor, or is seen through doors, counts neither way.
    pub(super) fn floor_overlap(&self, is_floor: impl Fn([f64; 2]) -> bool) -> f64 {
        let (mut both, mut either) = (0.0, 0.0);
        for ((place, _), classes) in self.colors.iter().zip(&self.classes) {
            let [floor, _, _, _, door, fixture, furniture, _] = classes.map(f64::from);
            let other = (1.0 - floor - door - fixture - furniture).max(0.0);
            if is_floor([place.x, place.y]) {
                both += floor;
                either += floor + other;
            } else {
                either += floor;
            }
        }
        if either > 0.0 { both / either } else { 0.0 }
    }

    /// Support of an edge along an axis at a pixel, 0 to 1.
    pub(super) fn support(&self, axis: usize, at: DVec2) -> f64 {
        let x = ((at.x / self.step) as usize).min(self.columns - 1);
        let y = ((at.y / self.step) as usize).min(self.rows - 1);
        f64::from(self.maps[axis][y * self.columns + x])
    }
}

fn lines(segments: &[Segment], frame: &Frame, side: f64) -> Vec<Line> {
    let joined = lines::longer(&lines::merged(segments, 0.0018 * side, 0.03 * side), 0.018 * side);
    let camera = &frame.camera;
    joined
        .iter()
        .filter_map(|segment| {
            // Directions of short segments are inaccurate.
            let tolerance = 1.6 + (0.0012 * side / segment.length()).to_degrees();
            let axis = frame.axis_of(segment, tolerance)?;
            let others = frame.axes_near(segment, 2.0 * tolerance);
            let [a, b] = [segment.a, segment.b].map(DVec2::from_array);
            let points = [0.08, 0.5, 0.92].map(|t| a.lerp(b, t).extend(1.0));
            let ray = camera.ray(DVec2::from_array(segment.middle()));
            Some(Line { axis, length: segment.length() / side, points, ray, is_clear: others == 1 })
        })
        .collect()
}

/// Draws a segment into a support map; short ones are weaker.
fn draw(map: &mut [f32], columns: usize, rows: usize, line: &Line, step: f64) {
    let strength = (line.length / 0.14).sqrt().clamp(0.3, 1.0);
    let [a, _, b] = line.points.map(|p| p.truncate() / step);
    let (a, b) = (a - (b - a) * 0.08 / 0.84, b + (b - a) * 0.08 / 0.84);
    let length = (b - a).length().max(1e-6);
    let along = (b - a) / length;
    let reach = 3.0 * SPREAD;
    let low = (a.min(b) - reach).max(DVec2::ZERO);
    let high = (a.max(b) + reach).min(DVec2::new(columns as f64 - 1.0, rows as f64 - 1.0));
    for y in low.y as usize..=high.y.max(0.0) as usize {
        for x in low.x as usize..=high.x.max(0.0) as usize {
            let from = DVec2::new(x as f64 + 0.5, y as f64 + 0.5) - a;
            let t = from.dot(along);
            let beyond = (-t).max(t - length).max(0.0);
            let off = along.perp_dot(from).hypot(beyond) / SPREAD;
            let value = (strength * (-0.5 * off * off).exp()) as f32;
            let cell = &mut map[y * columns + x];
            *cell = cell.max(value);
        }
    }
}
