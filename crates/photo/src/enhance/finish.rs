//! The pixels: tone at full size, then noise and sharpness on what came of it.

use rayon::prelude::*;

use crate::Photo;
use crate::colour::{encoded, linear};
use crate::encode::Finished;

use super::Strengths;
use super::guided::Base;
use super::material::Material;
use super::tone::Tone;

/// Makes the pixels.
pub(crate) fn finish(
    mut photo: Photo,
    (tone, base): &(Tone, Base),
    strengths: &Strengths,
    material: &Material,
) -> Finished {
    let (width, height) = (photo.width, photo.height);
    photo.pixels.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        let coefficients = base.row(y, height, width);
        for (pixel, coefficients) in row.iter_mut().zip(coefficients) {
            *pixel = encoded(tone.pixel(linear(*pixel), coefficients));
        }
    });
    material.apply(&mut photo);
    let smoothed = if strengths.noise > 0.0 { smoothed(&photo, strengths.noise) } else { photo.pixels };
    let luma: Vec<f32> = smoothed.par_iter().map(|p| luma(*p)).collect();
    let mut pixels = vec![0; width * height * 3];
    // Noise is not worth sharpening.
    let amount = strengths.sharpening * (1.0 - strengths.noise / 3.0).max(0.0);
    pixels.par_chunks_mut(width * 3).enumerate().for_each(|(y, out)| {
        let rows = [y.saturating_sub(1), y, (y + 1).min(height - 1)].map(|v| &luma[v * width..(v + 1) * width]);
        for x in 0..width {
            let pixel = smoothed[y * width + x];
            let added = amount * crispness(rows, x);
            for c in 0..3 {
                let value = f32::from(pixel[c]) / 257.0;
                // What was inside stays inside.
                let sharp = if added == 0.0 { value } else { (value + added).clamp(value.min(2.0), value.max(253.0)) };
                out[3 * x + c] = (sharp + 0.5) as u8;
            }
        }
    });
    Finished { width, height, pixels }
}

/// Encoded luma, 0 to 255.
fn luma(p: [u16; 3]) -> f32 {
    (0.299 * f32::from(p[0]) + 0.587 * f32::from(p[1]) + 0.114 * f32::from(p[2])) / 257.0
}

/// What unsharp masking would add, kept within the lightest and darkest neighbour, so that no edge gets a rim.
fn crispness(rows: [&[f32]; 3], x: usize) -> f32 {
    let (left, right) = (x.saturating_sub(1), (x + 1).min(rows[1].len() - 1));
    let (mut sum, mut least, mut most) = (0.0, f32::MAX, f32::MIN);
    for (row, weight) in rows.iter().zip([1.0, 2.0, 1.0]) {
        for (at, across) in [(left, 1.0), (x, 2.0), (right, 1.0)] {
            sum += row[at] * weight * across;
            least = least.min(row[at]);
            most = most.max(row[at]);
        }
    }
    let own = rows[1][x];
    let crisp = 1.6 * (own - sum / 16.0);
    // Less than a grain is left alone.
    let crisp = crisp.signum() * (crisp.abs() - 0.8).max(0.0);
    crisp.clamp(least - own - 1.5, most - own + 1.5)
}

/// Wiener's filter in a window of 5 x 5 on the luma; colour is averaged over neighbours of like luma.
fn smoothed(photo: &Photo, noise: f32) -> Vec<[u16; 3]> {
    let (width, height) = (photo.width, photo.height);
    let sigma = noise * 2.55;
    let plane: Vec<f32> = photo.pixels.par_iter().map(|p| luma(*p)).collect();
    let mut out = vec![[0_u16; 3]; width * height];
    out.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        let rows = y.saturating_sub(2)..(y + 3).min(height);
        for (x, pixel) in row.iter_mut().enumerate() {
            let columns = x.saturating_sub(2)..(x + 3).min(width);
            let own = plane[y * width + x];
            let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0_f32);
            let (mut like, mut colour) = (0.0_f32, [0.0_f32; 3]);
            for v in rows.clone() {
                for u in columns.clone() {
                    let value = plane[v * width + u];
                    sum += value;
                    squares += value * value;
                    count += 1.0;
                    if (value - own).abs() <= 3.0 * sigma {
                        like += 1.0;
                        let p = photo.pixels[v * width + u];
                        (0..3).for_each(|c| colour[c] += f32::from(p[c]) / 257.0 - value);
                    }
                }
            }
            let mean = sum / count;
            let variance = (squares / count - mean * mean).max(1e-6);
            let kept = ((variance - sigma * sigma) / variance).max(0.15);
            let quiet = mean + (own - mean) * kept;
            *pixel = colour.map(|c| ((quiet + c / like).clamp(0.0, 255.0) * 257.0 + 0.5) as u16);
        }
    });
    out
}
