//! What is measured of each pixel to detect the sky.

use rayon::prelude::*;

use crate::box_mean;
use crate::photo::Linear;
use aerie_math::color::lab;

/// Features of each pixel.
pub(super) struct Features {
    pub(super) width: usize,
    pub(super) height: usize,
    /// L*, a*, b*.
    pub(super) lab: Vec<[f32; 3]>,
    /// Local standard deviation of L*.
    pub(super) texture: Vec<f32>,
}

impl Features {
    pub(super) fn of(reduced: &Linear) -> Self {
        let (width, height) = (reduced.width, reduced.height);
        let lab: Vec<[f32; 3]> = reduced.pixels.par_iter().map(|p| lab(*p)).collect();
        let plane: Vec<f32> = lab.iter().map(|v| v[0]).collect();
        let squares: Vec<f32> = plane.iter().map(|v| v * v).collect();
        let radius = (width.max(height) / 200).max(1);
        let (mean, square) = (box_mean(&plane, width, height, radius), box_mean(&squares, width, height, radius));
        let texture = mean.iter().zip(&square).map(|(m, s)| (s - m * m).max(0.0).sqrt()).collect();
        Self { width, height, lab, texture }
    }
}
