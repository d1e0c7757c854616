//! Rendering at full size: noise reduction, then tone and sharpening.

use rayon::prelude::*;

use crate::Photo;
use crate::denoise::denoised;
use crate::guided_filter::Coefficients;
use crate::picture::Picture;
use aerie_math::color::{encoded, linear};

use super::material_changes::MaterialChanges;
use super::mixed_light::{self, MixedLight};
use super::strengths::Strengths;
use super::tone::{Tone, greater, lesser};

/// Rows per band of a thread; one more row at each end is computed twice.
const BAND: usize = 64;

/// Renders the pixels.
pub(crate) fn render(
    mut photo: Photo,
    (tone, base): &(Tone, Coefficients),
    mixed: Option<&MixedLight>,
    strengths: &Strengths,
    material: &MaterialChanges,
) -> Picture {
    let (width, height) = (photo.width, photo.height);
    if strengths.noise > 0.0 {
        photo = denoised(&photo, strengths.noise_factor);
    }
    let base = base.resampled(width, height);
    let mixed = mixed.map(|light| light.resampled(width, height));
    let lit = |y: usize, pixels: &[[u16; 3]], out: &mut [[u16; 3]]| {
        let mut coefficients = vec![[0.0; 2]; width];
        base.row(y, &mut coefficients);
        let mut light: Vec<[f32; 3]> = pixels.iter().map(|p| linear(*p)).collect();
        if let Some(mixed) = &mixed {
            let mut warmth = vec![[0.0; 2]; width];
            mixed.row(y, &mut warmth);
            mixed_light::remove(&mut light, &warmth);
        }
        tone.apply(&mut light, &coefficients);
        out.iter_mut().zip(light).for_each(|(out, light)| *out = encoded(light));
    };
    // Sharpening would amplify noise.
    let amount = strengths.sharpening * (1.0 - strengths.noise / 3.0).max(0.0);
    let row = |y: usize| y * width..(y + 1) * width;
    if material.is_empty() {
        return sharpened(width, height, amount, |y, out| lit(y, &photo.pixels[row(y)], out));
    }
    photo.pixels.par_chunks_mut(width).enumerate().for_each(|(y, pixels)| {
        let own = pixels.to_vec();
        lit(y, &own, pixels);
    });
    material.apply(&mut photo);
    sharpened(width, height, amount, |y, out| out.copy_from_slice(&photo.pixels[row(y)]))
}

/// Unsharp masking of the rows given by `row`, bounded by the lightest and darkest neighbor so that edges get no halos, to 8 bits.
fn sharpened(width: usize, height: usize, amount: f32, row: impl Fn(usize, &mut [[u16; 3]]) + Sync) -> Picture {
    let mut pixels = vec![0; width * height * 3];
    pixels.par_chunks_mut(width * 3 * BAND).enumerate().for_each(|(band, out)| {
        let (from, rows) = (band * BAND, out.len() / (width * 3));
        let first = from.saturating_sub(1);
        let last = (from + rows).min(height - 1);
        let mut rendered = vec![[0_u16; 3]; (last + 1 - first) * width];
        let mut light = vec![0.0_f32; rendered.len()];
        for (i, (row_pixels, light)) in rendered.chunks_mut(width).zip(light.chunks_mut(width)).enumerate() {
            row(first + i, row_pixels);
            row_pixels.iter().zip(light).for_each(|(pixel, light)| *light = luma(*pixel));
        }
        let mut crisp = UnsharpMask::new(width);
        for (i, out) in out.chunks_mut(width * 3).enumerate() {
            let y = from + i;
            let at = |v: usize| (v - first) * width..(v - first + 1) * width;
            let near = [y.saturating_sub(1), y, (y + 1).min(height - 1)].map(|v| &light[at(v)]);
            let added = crisp.row(near);
            for ((out, pixel), added) in out.chunks_exact_mut(3).zip(&rendered[at(y)]).zip(added) {
                let added = amount * added;
                for c in 0..3 {
                    let value = f32::from(pixel[c]) * (1.0 / 257.0);
                    // Values inside the range stay inside.
                    out[c] = ((value + added).max(value.min(2.0)).min(value.max(253.0)) + 0.5) as u8;
                }
            }
        }
    });
    Picture { width, height, pixels }
}

/// Encoded luma, 0 to 255.
fn luma(p: [u16; 3]) -> f32 {
    (0.299 * f32::from(p[0]) + 0.587 * f32::from(p[1]) + 0.114 * f32::from(p[2])) * (1.0 / 257.0)
}

/// Unsharp mask of one row, separably: down the columns first, then across.
struct UnsharpMask {
    sum: Vec<f32>,
    least: Vec<f32>,
    most: Vec<f32>,
    added: Vec<f32>,
}

impl UnsharpMask {
    fn new(width: usize) -> Self {
        // One more column at each end, a copy of the outermost.
        let columns = || vec![0.0; width + 2];
        Self { sum: columns(), least: columns(), most: columns(), added: vec![0.0; width] }
    }

    fn row(&mut self, [above, own, below]: [&[f32]; 3]) -> &[f32] {
        let width = own.len();
        let inner = 1..=width;
        let (sum, least, most) = (&mut self.sum[inner.clone()], &mut self.least[inner.clone()], &mut self.most[inner]);
        for x in 0..width {
            let (a, b, c) = (above[x], own[x], below[x]);
            sum[x] = a + 2.0 * b + c;
            least[x] = lesser(a, lesser(b, c));
            most[x] = greater(a, greater(b, c));
        }
        for plane in [&mut self.sum, &mut self.least, &mut self.most] {
            plane[0] = plane[1];
            plane[width + 1] = plane[width];
        }
        let (sum, least, most) = (&self.sum, &self.least, &self.most);
        let three = |plane: &'_ [f32], x: usize| [plane[x], plane[x + 1], plane[x + 2]];
        for (x, (added, own)) in self.added.iter_mut().zip(own).enumerate() {
            let [a, b, c] = three(sum, x);
            let crisp = 1.6 * (own - (a + 2.0 * b + c) / 16.0);
            // Differences below the grain are ignored.
            let crisp = crisp - greater(lesser(crisp, GRAIN), -GRAIN);
            let ([a, b, c], [d, e, f]) = (three(least, x), three(most, x));
            let (least, most) = (lesser(a, lesser(b, c)), greater(d, greater(e, f)));
            *added = greater(lesser(crisp, most - own + 1.5), least - own - 1.5);
        }
        &self.added
    }
}

/// Differences that are not sharpened, 8-bit steps.
const GRAIN: f32 = 1.8;
