//! Reduced exposures in the frame of the reference.

use aerie_register::{Frame, Homography};
use rayon::prelude::*;

use crate::Photo;
use aerie_math::color::encoded;

/// Longer side, pixels.
const SIDE: usize = 1024;
/// Encoded values from which a channel is clipped, and up to which it is crushed.
pub(super) const CLIPPED: f32 = 240.0;
pub(super) const CRUSHED: f32 = 5.0;

/// How much lighter an exposure is than the reference, per channel: the white balance may differ, too.
pub(super) type Gains = [f32; 3];

/// A reduced exposure.
#[derive(Debug, Clone)]
pub(super) struct Small {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Encoded red, green and blue, 0 to 255.
    pub(super) pixels: Vec<[f32; 3]>,
    /// Whether the exposure shows the pixel.
    pub(super) covered: Vec<bool>,
}

impl Small {
    pub(super) fn of(photo: &Photo) -> Self {
        let reduced = photo.reduced(SIDE);
        let pixels: Vec<[f32; 3]> =
            reduced.pixels.par_iter().map(|p| encoded(*p).map(|v| f32::from(v) / 257.0)).collect();
        let covered = vec![true; pixels.len()];
        Self { width: reduced.width, height: reduced.height, pixels, covered }
    }

    /// In the frame of the reference.
    pub(super) fn framed(self, map: &Homography) -> Self {
        if *map == Homography::IDENTITY {
            return self;
        }
        let (width, height) = (self.width, self.height);
        let frame = Frame::of([width, height]);
        let sampled = |i: usize| {
            let [x, y] = frame.pixel(map.apply(frame.point([i % width, i / width].map(|v| v as f64 + 0.5))));
            let (x, y) = (x - 0.5, y - 0.5);
            let covered = x > -0.5 && y > -0.5 && x < width as f64 - 0.5 && y < height as f64 - 0.5;
            let (x, y) = (x.clamp(0.0, (width - 1) as f64), y.clamp(0.0, (height - 1) as f64));
            let (left, top) = ((x as usize).min(width - 2), (y as usize).min(height - 2));
            let (right, down) = ((x - left as f64) as f32, (y - top as f64) as f32);
            let at = |c: usize, i: usize| self.pixels[i][c] + right * (self.pixels[i + 1][c] - self.pixels[i][c]);
            let i = top * width + left;
            ([0, 1, 2].map(|c| at(c, i) + down * (at(c, i + width) - at(c, i))), covered)
        };
        let (pixels, covered) = (0..width * height).into_par_iter().map(sampled).unzip();
        Self { width, height, pixels, covered }
    }
}
