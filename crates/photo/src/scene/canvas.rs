//! The small copy of a photo on which regions are determined.

use glam::DVec2;

use crate::Photo;
use crate::box_mean;
use crate::lines::Segment;
use crate::room::Camera;
use aerie_math::color::{encoded, lab};

/// Least length of segments that count, in longer sides; shorter ones are texture.
const LEAST_LENGTH: f64 = 0.03;
/// Greatest lean of an upright segment, as the sine of the angle.
const UPRIGHT: f64 = 0.17;

/// A small copy of a photo with features of each cell.
#[derive(Debug, Clone)]
pub struct Canvas {
    /// Cells across.
    pub width: usize,
    /// Cells down.
    pub height: usize,
    /// L*, a*, b* of each cell.
    pub lab: Vec<[f32; 3]>,
    /// Standard deviation of L* around each cell.
    pub texture: Vec<f32>,
    /// Excess green (Woebbecke et al. 1995) of sRGB chromaticities: above 0.1 is vegetation.
    pub greenness: Vec<f32>,
    /// Sine of the angle by which each cell's ray points down: above 0 is below the horizon.
    pub depression: Vec<f32>,
    /// Share of the surroundings of each cell that upright segments cover.
    pub uprights: Vec<f32>,
    /// The same of all other segments.
    pub slanted: Vec<f32>,
}

impl Canvas {
    /// Reduces a photo to a longer side of at most `side` cells. `camera` and `segments` are in pixels of the photo.
    #[must_use]
    pub fn of(photo: &Photo, side: usize, camera: &Camera, segments: &[Segment]) -> Self {
        let reduced = photo.reduced(side);
        let (width, height) = (reduced.width, reduced.height);
        let values: Vec<[f32; 3]> = reduced.pixels.iter().map(|p| lab(*p)).collect();
        let plane: Vec<f32> = values.iter().map(|v| v[0]).collect();
        let squares: Vec<f32> = plane.iter().map(|v| v * v).collect();
        let (mean, square) = (box_mean(&plane, width, height, 2), box_mean(&squares, width, height, 2));
        let texture = mean.iter().zip(&square).map(|(m, s)| (s - m * m).max(0.0).sqrt()).collect();
        let greenness = reduced.pixels.iter().map(|p| {
            let [r, g, b] = encoded(*p).map(f32::from);
            (2.0 * g - r - b) / (r + g + b).max(1.0)
        });
        let greenness = greenness.collect();
        let scale = DVec2::new(photo.width as f64 / width as f64, photo.height as f64 / height as f64);
        let ray = |i: usize| camera.ray(DVec2::new((i % width) as f64 + 0.5, (i / width) as f64 + 0.5) * scale);
        let depression = (0..width * height).map(|i| -ray(i).z as f32).collect();
        let least = LEAST_LENGTH * photo.width.max(photo.height) as f64;
        let covered = |upright: bool| {
            let mut mask = vec![0.0_f32; width * height];
            let is_counted = |s: &&Segment| s.length() >= least && (s.direction()[0].abs() < UPRIGHT) == upright;
            for segment in segments.iter().filter(is_counted) {
                let (a, b) = (DVec2::from_array(segment.a) / scale, DVec2::from_array(segment.b) / scale);
                let steps = (b - a).length().ceil().max(1.0);
                for step in 0..=steps as usize {
                    let at = a + (b - a) * (step as f64 / steps);
                    let (x, y) = ((at.x.max(0.0) as usize).min(width - 1), (at.y.max(0.0) as usize).min(height - 1));
                    mask[y * width + x] = 1.0;
                }
            }
            box_mean(&mask, width, height, (width.max(height) / 64).max(1))
        };
        let (uprights, slanted) = (covered(true), covered(false));
        Self { width, height, lab: values, texture, greenness, depression, uprights, slanted }
    }

    /// Center of a cell, as shares of the width and height.
    #[must_use]
    pub fn place(&self, i: usize) -> [f64; 2] {
        [((i % self.width) as f64 + 0.5) / self.width as f64, ((i / self.width) as f64 + 0.5) / self.height as f64]
    }
}
