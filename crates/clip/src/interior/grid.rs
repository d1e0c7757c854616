//! A reduced copy of the available part of a photo, on which depths are computed.

use aerie_math::color::{lab, linear};
use aerie_photo::lines::Segment;
use aerie_photo::segmentation::{Class, Segmentation};
use glam::{DVec2, DVec3};
use rayon::prelude::*;

use crate::plate::Frame;
use crate::proxy::Proxy;

/// Longer side, pixels.
const SIDE: usize = 480;
/// Probability of the floor and of furniture together below which the network sees something else.
const LEAST_SEEN: f32 = 0.4;
/// Factor on furniture that would hang from the ceiling.
const ON_CEILING: f32 = 0.4;
/// Least length of a line, and of one that may be the cord of a lamp, in longer sides.
const LINE: f64 = 0.05;
const CORD: f64 = 0.018;

/// The reduced copy, with what lies behind each pixel.
pub(super) struct Grid {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Pixels of the frame to one of the grid, across and down.
    pub(super) step: DVec2,
    /// Where lines toward the zenith and along the level axes of the room meet, homogeneous.
    pub(super) vanishing_points: [DVec3; 3],
    /// Straight lines of the photo.
    pub(super) lines: Vec<[DVec2; 2]>,
    /// Shorter ones too.
    pub(super) segments: Vec<[DVec2; 2]>,
    /// L*, a*, b*.
    pub(super) tones: Vec<[f32; 3]>,
    /// Probability of furniture or fixtures.
    pub(super) standing: Vec<f32>,
    /// Probability of the floor.
    pub(super) floor: Vec<f32>,
    /// Number of the plane behind each pixel.
    pub(super) faces: Vec<u8>,
    /// One over the distance ahead, measured on the floor, of the plane behind each pixel.
    pub(super) behind: Vec<f32>,
    /// The same of the plane of the floor, although it may be hidden; negative above the horizon.
    pub(super) level: Vec<f32>,
    /// What that is multiplied by for the nearness along the ray of the pixel.
    pub(super) slant: Vec<f32>,
}

impl Grid {
    /// `pixels` are those of the available part of the photo, one for each of the frame.
    pub(super) fn of(
        (segmentation, segments): (&Segmentation, &[Segment]),
        proxy: &Proxy,
        frame: &Frame,
        photo: [usize; 2],
        pixels: &[[f32; 3]],
    ) -> Self {
        let [left, top, right, bottom] = frame.shown;
        let (across, down) = ((right - left) as usize, (bottom - top) as usize);
        let scale = (across.max(down) as f64 / SIDE as f64).max(1.0);
        let width = ((across as f64 / scale) as usize).max(8);
        let height = ((down as f64 / scale) as usize).max(8);
        let step = DVec2::new(across as f64 / width as f64, down as f64 / height as f64);
        let corner = DVec2::new(left, top);
        let start = proxy.ray_matrix(&proxy.start());
        let ahead = proxy.forward().truncate().normalize();
        let planes = &proxy.main().planes;
        let cell = |i: usize| {
            let at = DVec2::new((i % width) as f64 + 0.5, (i / width) as f64 + 0.5);
            let pixel = at * step + corner;
            let whole = DVec2::new(photo[0] as f64, photo[1] as f64) * frame.scale;
            let share = ((pixel + DVec2::from_array(frame.offset)) / whole).to_array();
            let of = |class: Class| segmentation.class(class, share);
            let furnished = of(Class::Furniture) + of(Class::Fixture);
            let floor = of(Class::Floor);
            let ray = start * pixel.extend(1.0);
            let slant = ahead.dot(ray.truncate()).max(0.05);
            let (face, nearness) = planes.iter().enumerate().fold((0, f64::MIN), |best, (face, plane)| {
                let nearness = plane.dot(ray);
                if nearness > best.1 { (face, nearness) } else { best }
            });
            let standing = match face {
                // What is seen before the floor stands on it, or is it.
                0 => furnished / (furnished + floor).max(LEAST_SEEN),
                1 => furnished * ON_CEILING,
                _ => furnished,
            };
            let tone = mean(pixels, across, at, step);
            let behind = (nearness.max(1e-3) / slant) as f32;
            (tone, standing, floor, face as u8, behind, slant as f32, (-ray.z / slant) as f32)
        };
        let end =
            |at: [f64; 2]| (DVec2::from_array(at) * frame.scale - DVec2::from_array(frame.offset) - corner) / step;
        let segments: Vec<[DVec2; 2]> = segments.iter().map(|segment| [end(segment.a), end(segment.b)]).collect();
        let longer = |than: f64| {
            let least = than * width.max(height) as f64;
            segments.iter().copied().filter(move |[a, b]| (*b - *a).length() > least)
        };
        let vanishing_point = |direction: DVec3| {
            let point = proxy.camera.vanishing_point(direction);
            ((point.truncate() - corner * point.z) / step).extend(point.z)
        };
        let vanishing_points = [DVec3::Z, DVec3::X, DVec3::Y].map(vanishing_point);
        let lines = longer(LINE).collect();
        let cells: Vec<_> = (0..width * height).into_par_iter().map(cell).collect();
        Self {
            width,
            height,
            step,
            vanishing_points,
            lines,
            segments: longer(CORD).collect(),
            tones: cells.iter().map(|c| c.0).collect(),
            standing: cells.iter().map(|c| c.1).collect(),
            floor: cells.iter().map(|c| c.2).collect(),
            faces: cells.iter().map(|c| c.3).collect(),
            behind: cells.iter().map(|c| c.4).collect(),
            slant: cells.iter().map(|c| c.5).collect(),
            level: cells.iter().map(|c| c.6).collect(),
        }
    }

    /// Position of a pixel of the available part, in pixels of the grid from the center of the first.
    pub(super) fn place(&self, x: usize, y: usize) -> [f32; 2] {
        let at = DVec2::new(x as f64 + 0.5, y as f64 + 0.5) / self.step - 0.5;
        [at.x.clamp(0.0, self.width as f64 - 1.0) as f32, at.y.clamp(0.0, self.height as f64 - 1.0) as f32]
    }

    /// Bilinear interpolation of values of the grid.
    pub(super) fn between(&self, values: &[f32], [x, y]: [f32; 2]) -> f32 {
        let (left, top) = (x as usize, y as usize);
        let (right, below) = ((left + 1).min(self.width - 1), (top + 1).min(self.height - 1));
        let (u, v) = (x - left as f32, y - top as f32);
        let row = |y: usize| values[y * self.width + left] * (1.0 - u) + values[y * self.width + right] * u;
        row(top) * (1.0 - v) + row(below) * v
    }
}

/// L*, a*, b* of the mean of the pixels under a cell.
fn mean(pixels: &[[f32; 3]], across: usize, at: DVec2, step: DVec2) -> [f32; 3] {
    let (from, until) = ((at - 0.5) * step, (at + 0.5) * step);
    let (mut sum, mut count) = ([0.0_f32; 3], 0.0_f32);
    let down = pixels.len() / across;
    for y in from.y as usize..(until.y.ceil() as usize).min(down) {
        for x in from.x as usize..(until.x.ceil() as usize).min(across) {
            let pixel = pixels[y * across + x];
            (0..3).for_each(|c| sum[c] += pixel[c]);
            count += 1.0;
        }
    }
    tone(sum.map(|s| s / count.max(1.0)))
}

/// L*, a*, b* of a pixel of 0 to 255.
pub(super) fn tone(pixel: [f32; 3]) -> [f32; 3] {
    lab(linear(pixel.map(|v| (v * 257.0) as u16)))
}

/// Likeness of two tones, 0 to 1.
pub(super) fn likeness(a: [f32; 3], b: [f32; 3], spread: f32) -> f32 {
    let square: f32 = (0..3).map(|c| (a[c] - b[c]).powi(2)).sum();
    libm::expf(-square / (2.0 * spread * spread))
}

/// Grids for tests.
#[cfg(test)]
pub(super) mod blank {
    use super::*;

    pub(in super::super) const WIDTH: usize = 200;
    pub(in super::super) const HEIGHT: usize = 130;

    /// A grid of one tone without lines; the face behind each row. The camera looks straight ahead, so that upright lines are upright
    /// in the picture.
    pub(in super::super) fn grid(face: impl Fn(usize) -> u8) -> Grid {
        let all = |value: f32| vec![value; WIDTH * HEIGHT];
        Grid {
            width: WIDTH,
            height: HEIGHT,
            step: DVec2::ONE,
            vanishing_points: [DVec3::new(0.0, 1.0, 0.0), DVec3::new(1.0, 0.0, 0.0), DVec3::new(130.0, 60.0, 1.0)],
            lines: Vec::new(),
            segments: Vec::new(),
            tones: vec![[90.0, 0.0, 0.0]; WIDTH * HEIGHT],
            standing: all(0.0),
            floor: all(0.0),
            faces: (0..WIDTH * HEIGHT).map(|i| face(i / WIDTH)).collect(),
            behind: all(0.2),
            level: all(0.0),
            slant: all(1.0),
        }
    }
}
