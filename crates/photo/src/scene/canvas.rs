//! The small copy of a photo on which regions are determined.

use glam::DVec2;

use crate::Photo;
use crate::box_filter::box_mean;
use crate::color::{encoded, lab};
use crate::room::Camera;

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
    /// The camera in cells.
    pub camera: Camera,
}

impl Canvas {
    /// Reduces a photo to a longer side of at most `side` cells. `camera` is in pixels of the photo.
    #[must_use]
    pub fn of(photo: &Photo, side: usize, camera: &Camera) -> Self {
        let reduced = photo.reduced(side);
        let (width, height) = (reduced.width, reduced.height);
        let scale = width as f64 / photo.width as f64;
        let camera = Camera {
            width,
            height,
            focal: camera.focal * scale,
            center: camera.center * scale,
            rotation: camera.rotation,
        };
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
        let ray = |i: usize| camera.ray(DVec2::new((i % width) as f64 + 0.5, (i / width) as f64 + 0.5));
        let depression = (0..width * height).map(|i| -ray(i).z as f32).collect();
        Self { width, height, lab: values, texture, greenness, depression, camera }
    }

    /// Center of a cell, as shares of the width and height.
    #[must_use]
    pub fn place(&self, i: usize) -> [f64; 2] {
        [((i % self.width) as f64 + 0.5) / self.width as f64, ((i / self.width) as f64 + 0.5) / self.height as f64]
    }
}
