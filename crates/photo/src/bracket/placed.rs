//! Exposures at full size in the frame of the reference, with what moved replaced by the reference.

use aerie_register::{Frame, Homography};
use rayon::prelude::*;

use super::motion::Motion;
use super::small::{CLIPPED, CRUSHED, Gains};
use crate::Photo;

/// Encoded range over which the reference gets unusable toward clipping, and toward black.
const TOWARD_CLIPPED: [f32; 2] = [CLIPPED - 40.0, CLIPPED - 5.0];
const TOWARD_CRUSHED: [f32; 2] = [CRUSHED + 6.0, CRUSHED];

/// How an exposure is placed.
pub(super) struct Placement {
    pub(super) map: Homography,
    pub(super) motion: Motion,
    /// Whether it is darker than the reference.
    pub(super) darker: bool,
    /// How much lighter than the reference it is.
    pub(super) gains: Gains,
    /// False where neither the pixels nor EXIF tell how much lighter.
    pub(super) is_lit: bool,
}

/// Pixels of an exposure, and how far each may be used.
pub(super) struct Placed {
    pub(super) pixels: Vec<[u16; 3]>,
    pub(super) usable: Vec<u8>,
}

impl Placement {
    pub(super) fn apply(&self, photo: Photo, reference: &[[u16; 3]]) -> Placed {
        let size = [photo.width, photo.height];
        let width = size[0];
        let is_still = self.map == Homography::IDENTITY;
        let mut usable = vec![u8::MAX; photo.pixels.len()];
        let mut pixels = if is_still { photo.pixels } else { warped(&photo, &self.map, &mut usable) };
        let rows = pixels.par_chunks_mut(width).zip(usable.par_chunks_mut(width)).zip(reference.par_chunks(width));
        rows.enumerate().for_each(|(y, ((pixels, usable), reference))| {
            let mut moved = vec![0.0; width];
            self.motion.row(y, size, &mut moved);
            for (x, moved) in moved.into_iter().enumerate().filter(|(_, moved)| *moved > 0.0) {
                let own = reference[x].map(|v| f32::from(v) / 257.0);
                let replaced = [0, 1, 2].map(|c| self.motion.tones.at(c, own[c]) * 257.0);
                pixels[x] = [0, 1, 2].map(|c| {
                    let value = f32::from(pixels[x][c]);
                    (value + moved * (replaced[c] - value)).round() as u16
                });
                let kept = 1.0 - moved * (1.0 - self.reliability(own));
                usable[x] = (f32::from(usable[x]) * kept).round() as u8;
            }
        });
        Placed { pixels, usable }
    }

    /// How far the reference shows what this exposure would: not where it is clipped or crushed, 0 to 1.
    fn reliability(&self, reference: [f32; 3]) -> f32 {
        let most = reference[0].max(reference[1]).max(reference[2]);
        let [none, all] = if self.darker { TOWARD_CLIPPED } else { TOWARD_CRUSHED };
        1.0 - ((most - none) / (all - none)).clamp(0.0, 1.0)
    }
}

/// Pixels of a photo in the frame of the reference, by cubic interpolation (Keys 1981). What lies outside is not usable.
fn warped(photo: &Photo, map: &Homography, usable: &mut [u8]) -> Vec<[u16; 3]> {
    let (width, height) = (photo.width, photo.height);
    let frame = Frame::of([width, height]);
    let mut pixels = vec![[0_u16; 3]; photo.pixels.len()];
    pixels.par_chunks_mut(width).zip(usable.par_chunks_mut(width)).enumerate().for_each(|(y, (pixels, usable))| {
        for (x, (pixel, usable)) in pixels.iter_mut().zip(usable).enumerate() {
            let [u, v] = frame.pixel(map.apply(frame.point([x, y].map(|v| v as f64 + 0.5))));
            if !(u > 0.0 && v > 0.0 && u < width as f64 && v < height as f64) {
                *usable = 0;
            }
            let (columns, across) = taps(u - 0.5, width);
            let (rows, down) = taps(v - 0.5, height);
            let mut sum = [0.0_f32; 3];
            for (row, weight) in rows.into_iter().zip(down) {
                for (column, share) in columns.into_iter().zip(across) {
                    let value = photo.pixels[row * width + column];
                    (0..3).for_each(|c| sum[c] += weight * share * f32::from(value[c]));
                }
            }
            *pixel = sum.map(|v| v.clamp(0.0, 65_535.0).round() as u16);
        }
    });
    pixels
}

/// The four pixels around a place, and their weights.
fn taps(place: f64, length: usize) -> ([usize; 4], [f32; 4]) {
    let place = place.clamp(0.0, (length - 1) as f64);
    let first = place as usize;
    let t = (place - first as f64) as f32;
    let last = length - 1;
    let pixels = [first.saturating_sub(1), first, (first + 1).min(last), (first + 2).min(last)];
    let weights = [
        ((2.0 - t) * t - 1.0) * t * 0.5,
        ((3.0 * t - 5.0) * t * t + 2.0) * 0.5,
        ((4.0 - 3.0 * t) * t + 1.0) * t * 0.5,
        (t - 1.0) * t * t * 0.5,
    ];
    (pixels, weights)
}
