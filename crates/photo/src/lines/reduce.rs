//! Downscaling to gray that preserves the position of edges to a fraction of a pixel.

use rayon::prelude::*;

use crate::Photo;

/// Gray values from 0 to 255, with the gamma of the photo.
pub(super) struct Gray {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) values: Vec<f64>,
    /// Pixels of the photo per pixel, across and down.
    pub(super) step: [f64; 2],
}

/// Standard deviation of the Gaussian in pixels of the result, as in LSD.
const SIGMA: f64 = 0.6;

/// Filter weights of one pixel of the result.
struct Taps {
    from: usize,
    weights: Vec<f32>,
}

pub(super) fn gray(photo: &Photo, side: usize) -> Gray {
    let scale = (photo.width.max(photo.height) as f64 / side as f64).max(1.0);
    let width = ((photo.width as f64 / scale).round() as usize).max(1);
    let height = ((photo.height as f64 / scale).round() as usize).max(1);
    let step = [photo.width as f64 / width as f64, photo.height as f64 / height as f64];
    let (columns, rows) = (taps(width, photo.width), taps(height, photo.height));
    let mut across = vec![0.0_f32; width * photo.height];
    across.par_chunks_mut(width).zip(photo.pixels.par_chunks(photo.width)).for_each(|(out, row)| {
        let row: Vec<f32> = row.iter().map(|p| luma(*p)).collect();
        for (value, taps) in out.iter_mut().zip(&columns) {
            *value = row[taps.from..].iter().zip(&taps.weights).map(|(v, w)| v * w).sum();
        }
    });
    let mut values = vec![0.0; width * height];
    values.par_chunks_mut(width).zip(rows.par_iter()).for_each(|(out, taps)| {
        for (source, weight) in across[taps.from * width..].chunks_exact(width).zip(&taps.weights) {
            out.iter_mut().zip(source).for_each(|(o, v)| *o += f64::from(v * weight));
        }
    });
    Gray { width, height, values, step }
}

fn luma([r, g, b]: [u16; 3]) -> f32 {
    (0.299 * f32::from(r) + 0.587 * f32::from(g) + 0.114 * f32::from(b)) / 257.0
}

fn taps(count: usize, source: usize) -> Vec<Taps> {
    let step = source as f64 / count as f64;
    let (sigma, reach) = (SIGMA * step, (3.0 * SIGMA * step).max(1.0));
    (0..count)
        .map(|i| {
            let center = (i as f64 + 0.5) * step;
            let from = (center - reach).floor().max(0.0) as usize;
            let to = ((center + reach).ceil() as usize).min(source);
            let raw: Vec<f64> =
                (from..to).map(|j| (-0.5 * ((j as f64 + 0.5 - center) / sigma).powi(2)).exp()).collect();
            let sum: f64 = raw.iter().sum();
            Taps { from, weights: raw.iter().map(|w| (w / sum) as f32).collect() }
        })
        .collect()
}
