//! Rectified pictures of what a photo shows: seen straight along the axes of the room, every wall, the floor and the ceiling look the
//! same from everywhere but for their size, so that their features can be matched across wide changes of the viewpoint.

use aerie_math::color::luminance;
use aerie_photo::Photo;
use aerie_photo::photo::Linear;
use aerie_photo::room::Camera;
use glam::{DVec2, DVec3};
use rayon::prelude::*;

/// Directions of view: ahead, left, behind and right, each a quarter turn to the left of the one before; down and up.
pub(super) const FACES: usize = 6;
/// Number of horizontal directions.
pub(super) const WALLS: usize = 4;

/// Longer side of the copy of the photo that is rectified.
const WORKING_SIDE: usize = 1200;
/// Extent of a sheet in tangents, across and up: of walls, and of floor and ceiling.
const EXTENT: [[f64; 2]; 2] = [[1.25, 0.9], [4.0, 4.0]];
/// Pixels per tangent of floor and ceiling.
const FLAT_FOCAL: f64 = 150.0;
/// Least pixels of the copy per pixel of a sheet: less is blur.
const LEAST_STEP: f64 = 0.22;
/// Least width and height of a sheet, pixels.
const LEAST_SIDE: usize = 40;

/// A rectified picture.
pub(super) struct Sheet {
    /// The direction of view.
    pub(super) face: usize,
    /// Pixels across.
    pub(super) width: usize,
    /// Pixels down.
    pub(super) height: usize,
    /// Encoded lightness, 0 to 1; NaN where the photo shows nothing.
    pub(super) light: Vec<f32>,
    /// Tangents of the upper left corner, across and up.
    corner: DVec2,
    /// Pixels per tangent.
    focal: f64,
}

/// The axes of a face: forward, right, up.
fn axes(face: usize) -> [DVec3; 3] {
    match face {
        0 => [DVec3::Y, DVec3::X, DVec3::Z],
        1 => [-DVec3::X, DVec3::Y, DVec3::Z],
        2 => [-DVec3::Y, -DVec3::X, DVec3::Z],
        3 => [DVec3::X, -DVec3::Y, DVec3::Z],
        4 => [-DVec3::Z, DVec3::X, DVec3::Y],
        _ => [DVec3::Z, DVec3::X, DVec3::Y],
    }
}

impl Sheet {
    /// Direction of a pixel of the sheet in room axes, not normalized.
    pub(super) fn ray(&self, at: DVec2) -> DVec3 {
        let [forward, right, up] = axes(self.face);
        let (across, high) = (self.corner.x + at.x / self.focal, self.corner.y - at.y / self.focal);
        forward + right * across + up * high
    }
}

/// Rectifies a photo toward all directions that it shows enough of.
pub(super) fn sheets(photo: &Photo, camera: &Camera) -> Vec<Sheet> {
    let levels = levels(&photo.reduced(WORKING_SIDE));
    let ratio = levels[0].width as f64 / photo.width as f64;
    (0..FACES).into_par_iter().filter_map(|face| sheet(&levels, ratio, camera, face)).collect()
}

/// Lightness of a picture.
struct Gray {
    width: usize,
    height: usize,
    light: Vec<f32>,
}

impl Gray {
    fn of(linear: &Linear) -> Self {
        let light = linear.pixels.iter().map(|p| luminance(*p).max(0.0).sqrt()).collect();
        Self { width: linear.width, height: linear.height, light }
    }

    /// Bilinear value at a point, pixel centers at halves; `None` outside.
    fn at(&self, p: DVec2) -> Option<f32> {
        let q = p - 0.5;
        let (limit_x, limit_y) = ((self.width - 1) as f64, (self.height - 1) as f64);
        if !(-0.5..=limit_x + 0.5).contains(&q.x) || !(-0.5..=limit_y + 0.5).contains(&q.y) {
            return None;
        }
        let (x, y) = (q.x.clamp(0.0, limit_x), q.y.clamp(0.0, limit_y));
        let (i, j) = (x as usize, y as usize);
        let (u, v) = ((x - i as f64) as f32, (y - j as f64) as f32);
        let (right, below) = ((i + 1).min(self.width - 1), (j + 1).min(self.height - 1));
        let [a, b] = [j, below].map(|row| {
            let row = row * self.width;
            self.light[row + i] * (1.0 - u) + self.light[row + right] * u
        });
        Some(a * (1.0 - v) + b * v)
    }
}

/// The copy and its halves.
fn levels(copy: &Linear) -> Vec<Gray> {
    let mut levels = vec![Gray::of(copy)];
    let mut linear = copy.halved();
    while linear.width.min(linear.height) > 40 && levels.len() < 5 {
        levels.push(Gray::of(&linear));
        linear = linear.halved();
    }
    levels
}

/// Bounds in tangents of what the photo shows in a direction: low and high corner.
fn bounds(camera: &Camera, face: usize) -> Option<[DVec2; 2]> {
    const STEPS: usize = 48;
    let [forward, right, up] = axes(face);
    let limit = DVec2::from_array(EXTENT[usize::from(face >= WALLS)]);
    let (mut low, mut high) = (DVec2::MAX, DVec2::MIN);
    for i in 0..=STEPS * STEPS + 2 * STEPS {
        let share = DVec2::new((i % (STEPS + 1)) as f64, (i / (STEPS + 1)) as f64) / STEPS as f64;
        let ray = camera.ray(share * DVec2::new(camera.width as f64, camera.height as f64));
        let along = ray.dot(forward);
        if along > 0.05 {
            let at = DVec2::new(ray.dot(right), ray.dot(up)) / along;
            if at.abs().cmple(limit).all() {
                (low, high) = (low.min(at), high.max(at));
            }
        }
    }
    low.cmplt(high).all().then_some([low, high])
}

fn sheet(levels: &[Gray], ratio: f64, camera: &Camera, face: usize) -> Option<Sheet> {
    let [low, high] = bounds(camera, face)?;
    let focal = if face < WALLS { camera.focal * ratio } else { FLAT_FOCAL };
    let size = ((high - low) * focal).floor();
    let (width, height) = (size.x as usize, size.y as usize);
    if width.min(height) < LEAST_SIDE {
        return None;
    }
    let mut sheet =
        Sheet { face, width, height, light: vec![f32::NAN; width * height], corner: DVec2::new(low.x, high.y), focal };
    let mut light = std::mem::take(&mut sheet.light);
    light.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        let place = |x: f64, y: f64| camera.pixel(sheet.ray(DVec2::new(x, y))).map(|p| p * ratio);
        for (x, out) in row.iter_mut().enumerate() {
            let (x, y) = (x as f64 + 0.5, y as f64 + 0.5);
            if let (Some(at), Some(right), Some(below)) = (place(x, y), place(x + 1.0, y), place(x, y + 1.0)) {
                *out = sampled(levels, at, [right - at, below - at]).unwrap_or(f32::NAN);
            }
        }
    });
    sheet.light = light;
    Some(sheet)
}

/// Lightness of an area of the copy, by its middle and its sides.
fn sampled(levels: &[Gray], at: DVec2, sides: [DVec2; 2]) -> Option<f32> {
    let (a, b) = (sides[0].length(), sides[1].length());
    if a.min(b) < LEAST_STEP {
        return None;
    }
    let step = (a * b).sqrt();
    let level = (step.log2().round().max(0.0) as usize).min(levels.len() - 1);
    levels[level].at(at / f64::from(1_u32 << level))
}
