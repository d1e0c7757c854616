//! Noise reduction by shrinking the coefficients of overlapping 8 x 8 cosine transforms (Yu and Sapiro 2011). Grain of wood,
//! joints of brick and weave of fabric are few strong coefficients and stay; noise is many weak ones. The noise is that of each
//! brightness, as measured in the photo, and color is smoothed more than lightness.

use rayon::prelude::*;

use crate::Photo;
use crate::noise::cosine::{SIDE, forward, inverse};
use crate::noise::levels::{Levels, luma};

/// Coefficients below this many standard deviations of noise are removed, in lightness and in color; those well above stay.
const LIGHTNESS: f32 = 1.45;
const COLOR: f32 = 3.2;
/// Share of a removed coefficient that is kept: a photo without any grain looks painted.
const GRAIN_KEPT: f32 = 0.12;
/// Pixels between blocks, and rows of a band of a thread.
const STRIDE: usize = 2;
const BAND: usize = 64;

/// Reduces the noise of a photo; `strength` is 1 for what was measured.
#[must_use]
pub fn denoised(photo: &Photo, strength: f32) -> Photo {
    let (width, height) = (photo.width, photo.height);
    if width < 2 * SIDE || height < 2 * SIDE || strength <= 0.0 {
        return photo.clone();
    }
    let plane = |row: [f32; 3]| -> Vec<f32> {
        photo.pixels.par_iter().map(|p| (0..3).map(|c| row[c] * f32::from(p[c]) / 257.0).sum()).collect()
    };
    let luma = luma(photo);
    let levels = Levels::of(&luma, &luma, width, height);
    let quiet = shrunk(&luma, &luma, (width, height), &levels, [LIGHTNESS * strength, GRAIN_KEPT]);
    // Color at half the size, where noise is lower and the window twice as wide.
    let (across, down) = (width.div_ceil(2), height.div_ceil(2));
    let guide = halved(&luma, width, height);
    let [blue, red] = [CB, CR].map(|row| {
        let full = plane(row);
        let half = halved(&full, width, height);
        let levels = Levels::of(&half, &guide, across, down);
        let smooth = shrunk(&half, &guide, (across, down), &levels, [COLOR * strength, 0.0]);
        (full, half, smooth, levels)
    });
    let mut pixels = vec![[0_u16; 3]; width * height];
    pixels.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        for (x, pixel) in row.iter_mut().enumerate() {
            let i = y * width + x;
            let color = |(full, half, smooth, levels): &(Vec<f32>, Vec<f32>, Vec<f32>, Levels)| {
                // Differences within four pixels that noise does not explain are edges of color.
                let low = bilinear(smooth, across, down, x, y);
                let fine = full[i] - bilinear(half, across, down, x, y);
                let sigma = 2.0 * COLOR * strength * levels.at(luma[i]) + 1e-3;
                low + fine * (1.0 - sigma * sigma / (fine * fine).max(sigma * sigma))
            };
            let (l, b, r) = (quiet[i], color(&blue), color(&red));
            let rgb = [l + 1.402 * r, l - 0.344_136 * b - 0.714_136 * r, l + 1.772 * b];
            *pixel = rgb.map(|v| (v.clamp(0.0, 255.0) * 257.0 + 0.5) as u16);
        }
    });
    Photo { pixels, ..photo.clone() }
}

/// Rows of the matrix of JPEG's YCbCr, without offsets.
const CB: [f32; 3] = [-0.168_736, -0.331_264, 0.5];
const CR: [f32; 3] = [0.5, -0.418_688, -0.081_312];

/// Shrinks the coefficients of all blocks of a plane, and averages the blocks by how few coefficients they needed.
fn shrunk(
    plane: &[f32],
    guide: &[f32],
    (width, height): (usize, usize),
    levels: &Levels,
    [threshold, kept]: [f32; 2],
) -> Vec<f32> {
    let starts = |length: usize| {
        let last = length - SIDE;
        (0..last).step_by(STRIDE).chain([last]).collect::<Vec<usize>>()
    };
    let (columns, rows) = (starts(width), starts(height));
    let mut out = vec![0.0_f32; width * height];
    out.par_chunks_mut(width * BAND).enumerate().for_each(|(band, out)| {
        let (from, to) = (band * BAND, band * BAND + out.len() / width);
        let mut weights = vec![0.0_f32; out.len()];
        for &y in rows.iter().filter(|y| **y + SIDE > from && **y < to) {
            for &x in &columns {
                let mut block = [[0.0_f32; SIDE]; SIDE];
                for (v, row) in block.iter_mut().enumerate() {
                    let at = (y + v) * width + x;
                    row.copy_from_slice(&plane[at..at + SIDE]);
                }
                let middle = (y + SIDE / 2) * width + x + SIDE / 2;
                let light =
                    (guide[middle] + guide[middle - 1] + guide[middle - width] + guide[middle - width - 1]) / 4.0;
                let limit = threshold * levels.at(light);
                let limit = limit * limit;
                let mut block = forward(&block);
                let mean = block[0][0];
                let mut used = 1.0_f32;
                for value in block.as_flattened_mut() {
                    let square = *value * *value;
                    let ratio = limit / square.max(1e-9);
                    let fourth = ratio * ratio * ratio * ratio;
                    let gain = if ratio < 1.0 { 1.0 - fourth } else { 0.0 };
                    used += gain;
                    *value *= if gain > kept { gain } else { kept };
                }
                block[0][0] = mean;
                let weight = 1.0 / used;
                let block = inverse(&block);
                for (v, row) in block.iter().enumerate() {
                    if y + v < from || y + v >= to {
                        continue;
                    }
                    let at = (y + v - from) * width + x;
                    let (sums, weights) = (&mut out[at..at + SIDE], &mut weights[at..at + SIDE]);
                    for u in 0..SIDE {
                        sums[u] += weight * row[u];
                        weights[u] += weight;
                    }
                }
            }
        }
        out.iter_mut().zip(&weights).for_each(|(sum, weight)| *sum /= weight);
    });
    out
}

/// Means of two by two pixels.
fn halved(plane: &[f32], width: usize, height: usize) -> Vec<f32> {
    let (across, down) = (width.div_ceil(2), height.div_ceil(2));
    let mut half = vec![0.0; across * down];
    half.par_chunks_mut(across).enumerate().for_each(|(y, out)| {
        let (above, below) = (2 * y * width, (2 * y + 1).min(height - 1) * width);
        for (x, out) in out.iter_mut().enumerate() {
            let (left, right) = (2 * x, (2 * x + 1).min(width - 1));
            *out = (plane[above + left] + plane[above + right] + plane[below + left] + plane[below + right]) / 4.0;
        }
    });
    half
}

/// Value of a half-size plane at a pixel of the full size.
fn bilinear(half: &[f32], across: usize, down: usize, x: usize, y: usize) -> f32 {
    let near = |at: usize, of: usize| {
        let own = at / 2;
        let other = if at.is_multiple_of(2) { own.saturating_sub(1) } else { (own + 1).min(of - 1) };
        (own, other)
    };
    let ((x0, x1), (y0, y1)) = (near(x, across), near(y, down));
    let row = |y: usize| 0.75 * half[y * across + x0] + 0.25 * half[y * across + x1];
    0.75 * row(y0) + 0.25 * row(y1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use aerie_math::color;

    /// Boards with grain along them beside a plain wall, and the same with the noise of a sensor.
    fn floor() -> (Photo, Photo) {
        let (width, height) = (256, 192);
        let mut state = 11_u32;
        let mut random = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        let grain: Vec<f32> = (0..height).map(|_| 0.82 + 0.36 * random()).collect();
        let clean = (0..width * height).map(|i| {
            let light =
                if i % width < width / 2 { [0.4, 0.38, 0.35] } else { [0.3, 0.2, 0.12].map(|v| v * grain[i / width]) };
            color::encoded(light)
        });
        let clean: Vec<[u16; 3]> = clean.collect();
        let mut normal = || (0..12).map(|_| random()).sum::<f32>() - 6.0;
        let noisy = clean
            .iter()
            .map(|p| color::encoded(color::linear(*p).map(|v| (v + (1.6e-3 * v).sqrt() * normal()).clamp(0.0, 1.0))));
        (Photo::new(width, height, noisy.collect()), Photo::new(width, height, clean))
    }

    fn luma(photo: &Photo, x: usize, y: usize) -> f32 {
        let [r, g, b] = photo.pixels[y * photo.width + x].map(f32::from);
        (0.299 * r + 0.587 * g + 0.114 * b) / 257.0
    }

    #[test]
    fn noise_of_a_plain_wall_is_nearly_halved() {
        let (noisy, clean) = floor();
        let quiet = denoised(&noisy, 1.0);
        let left = |photo: &Photo| {
            let off = (8..184).flat_map(|y| (8..120).map(move |x| (x, y)));
            off.map(|(x, y)| (luma(photo, x, y) - luma(&clean, x, y)).powi(2)).sum::<f32>().sqrt()
        };
        assert!(left(&quiet) < 0.6 * left(&noisy), "{} {}", left(&quiet), left(&noisy));
    }

    #[test]
    fn the_grain_of_wood_stays() {
        let (noisy, clean) = floor();
        let quiet = denoised(&noisy, 1.0);
        // Share of the differences between rows that is kept.
        let (mut own, mut kept) = (0.0, 0.0);
        for (x, y) in (8..183).flat_map(|y| (136..248).map(move |x| (x, y))) {
            let step = |photo: &Photo| luma(photo, x, y + 1) - luma(photo, x, y);
            own += step(&clean).powi(2);
            kept += step(&clean) * step(&quiet);
        }
        assert!(kept > 0.95 * own, "{}", kept / own);
    }

    #[test]
    fn the_grain_of_wood_alone_is_not_noise() {
        let (noisy, clean) = floor();
        assert!(crate::noise(&clean) < 0.3 && crate::noise(&noisy) > 1.0);
        let quiet = denoised(&clean, 1.0);
        let moved = |x: usize, y: usize| (luma(&quiet, x, y) - luma(&clean, x, y)).abs();
        let most = (0..192).flat_map(|y| (0..256).map(move |x| (x, y))).map(|(x, y)| moved(x, y)).fold(0.0, f32::max);
        assert!(most < 1.0, "{most}");
    }
}
