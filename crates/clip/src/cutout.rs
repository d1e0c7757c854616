//! Masks of everything in front of the sky, and the sky behind it.

use aerie_photo::sky::Matte;
use rayon::prelude::*;

use crate::plate::{Frame, Plate};
use crate::pose::Pose;
use crate::proxy::Proxy;
use aerie_photo::{box_mean, fill};
use glam::DVec2;

/// Width of the rim that belongs to a cutout, and of its fade, as shares of the longer side. The rim holds mixed edge pixels; behind
/// the fade lies the photo itself, so that nothing shows twice.
const RIM: f64 = 0.003;
const FADE: f64 = 0.003;

/// Detail above the grain of the sky, of 255, that cannot be sky.
const FINE: f32 = 4.0;

/// How far twigs reach from what the matte resolves, as a share of the longer side, and least share of that around them.
const TWIGS: f64 = 0.02;
const LEAST_BESIDE: f32 = 0.1;
/// Least share of the picture that something before the sky covers.
const LEAST_STANDING: f64 = 0.001;

/// Surfaces cut out of a photo.
#[derive(Debug, Clone, PartialEq)]
pub struct Cutouts {
    /// Pixels of the masks across and down: half the texels of [`Plate::double`].
    pub size: [usize; 2],
    /// Coverage of each surface but the last, 0 to 255.
    pub masks: Vec<Vec<u8>>,
    /// The photo without them, as [`Plate::double`].
    pub behind: Vec<u8>,
}

impl Cutouts {
    /// Cuts out everything below the sky, and fills the sky behind it.
    #[must_use]
    pub fn under_sky(matte: &Matte, frame: &Frame, plate: &Plate, photo: [usize; 2]) -> Self {
        let size = plate.double_size.map(|side| side / 2);
        let pixels = halved(plate, size);
        let mask = standing(matte, frame, size, photo, &pixels);
        let behind = without(plate, &mask, size, pixels);
        Self { size, masks: vec![mask], behind }
    }

    /// Whether a pixel shows, from a pose, filled sky that the photo does not show.
    pub(crate) fn is_filled(&self, proxy: &Proxy, pose: &Pose, pixel: DVec2) -> bool {
        let last = proxy.surfaces.len() - 1;
        let mask_at = |mask: &[u8], at: Option<DVec2>| {
            at.is_some_and(|at| {
                let place = at - DVec2::new(proxy.shown[0], proxy.shown[1]);
                let x = (place.x.max(0.0) as usize).min(self.size[0] - 1);
                let y = (place.y.max(0.0) as usize).min(self.size[1] - 1);
                mask[y * self.size[0] + x] > 127
            })
        };
        let seen = |surface: usize| proxy.photo_pixel_of(&proxy.surfaces[surface], pose, pixel);
        let is_covered = self.masks.iter().enumerate().any(|(i, mask)| mask_at(mask, seen(i)));
        !is_covered && self.masks.iter().any(|mask| mask_at(mask, seen(last)))
    }
}

/// Mask of everything in front of the sky: all that is not certainly sky, with a rim of sky.
fn standing(
    matte: &Matte,
    frame: &Frame,
    [width, height]: [usize; 2],
    photo: [usize; 2],
    pixels: &[[f32; 3]],
) -> Vec<u8> {
    let mut near = vec![0.0_f32; width * height];
    near.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        for (x, out) in row.iter_mut().enumerate() {
            let share = |at: usize, offset: f64, shown: f64, photo: usize, of: usize| {
                let place = (at as f64 + 0.5 + offset + shown) / frame.scale / photo as f64 * of as f64;
                place.clamp(0.0, of as f64 - 1.0) as usize
            };
            let u = share(x, frame.offset[0], frame.shown[0], photo[0], matte.width);
            let v = share(y, frame.offset[1], frame.shown[1], photo[1], matte.height);
            *out = f32::from(u8::from(matte.alpha[v * matte.width + u] < 0.95));
        }
    });
    let side = width.max(height) as f64;
    // Twigs and wires are finer than the matte resolves; a sky is smooth. Clouds are not, but stand apart.
    let radius = (side / 400.0).ceil() as usize;
    let fine = detail(pixels, width, height, radius);
    let beside = box_mean(&near, width, height, (side * TWIGS).ceil() as usize);
    let is_standing: Vec<bool> =
        (0..near.len()).map(|i| near[i] > 0.5 || (fine[i] > FINE && beside[i] > LEAST_BESIDE)).collect();
    let reached = reached(&is_standing, width, 4 * radius, |i| near[i] > 0.5);
    near.iter_mut().zip(&reached).for_each(|(near, reached)| *near = f32::from(u8::from(*reached)));
    rimmed(&near, width, height, (side * RIM).ceil().max(2.0) as usize, (side * FADE).ceil().max(2.0) as usize)
}

/// The pixels of a mask that are connected, across small gaps, to a large part of it that is sure.
fn reached(mask: &[bool], width: usize, gap: usize, is_sure: impl Fn(usize) -> bool) -> Vec<bool> {
    // Cells as wide as the gap: neighboring ones are connected.
    let (across, down) = (width.div_ceil(gap), (mask.len() / width).div_ceil(gap));
    let (mut any, mut sure) = (vec![false; across * down], vec![0_usize; across * down]);
    for (i, is_set) in mask.iter().enumerate() {
        let cell = i / width / gap * across + i % width / gap;
        any[cell] |= is_set;
        sure[cell] += usize::from(*is_set && is_sure(i));
    }
    let mut state = vec![None; any.len()];
    for start in 0..any.len() {
        if !any[start] || state[start].is_some() {
            continue;
        }
        let (mut cells, mut next, mut count) = (vec![start], 0, 0);
        state[start] = Some(false);
        while next < cells.len() {
            let cell = cells[next];
            (next, count) = (next + 1, count + sure[cell]);
            let (x, y) = (cell % across, cell / across);
            for v in y.saturating_sub(1)..(y + 2).min(down) {
                for u in x.saturating_sub(1)..(x + 2).min(across) {
                    let beside = v * across + u;
                    if any[beside] && state[beside].is_none() {
                        state[beside] = Some(false);
                        cells.push(beside);
                    }
                }
            }
        }
        if count as f64 > LEAST_STANDING * mask.len() as f64 {
            cells.into_iter().for_each(|cell| state[cell] = Some(true));
        }
    }
    let is_kept = |i: usize| state[i / width / gap * across + i % width / gap] == Some(true);
    (0..mask.len()).map(|i| mask[i] && is_kept(i)).collect()
}

/// How much darker each pixel is than the mean around it, less the grain (four times the first quartile of deviations), in
/// levels of 255: twigs are darker than the sky, edges of clouds are not.
fn detail(pixels: &[[f32; 3]], width: usize, height: usize, radius: usize) -> Vec<f32> {
    let light: Vec<f32> = pixels.iter().map(|[r, g, b]| 0.21 * r + 0.72 * g + 0.07 * b).collect();
    let mean = |plane: &[f32], across: bool| {
        let mut out = vec![0.0; plane.len()];
        out.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, to) in row.iter_mut().enumerate() {
                let (at, side) = if across { (x, width) } else { (y, height) };
                let (from, until) = (at.saturating_sub(radius), (at + radius + 1).min(side));
                let value = |i: usize| if across { plane[y * width + i] } else { plane[i * width + x] };
                *to = (from..until).map(value).sum::<f32>() / (until - from) as f32;
            }
        });
        out
    };
    let smooth = mean(&mean(&light, true), false);
    let off: Vec<f32> = light.iter().zip(&smooth).map(|(a, b)| b - a).collect();
    let mut usual: Vec<f32> = off.iter().step_by(97).map(|v| v.abs()).collect();
    usual.sort_by(f32::total_cmp);
    let grain = 4.0 * usual[usual.len() / 4];
    off.into_iter().map(|v| v - grain).collect()
}

/// Grown by a rim, and faded beyond it: 0 to 255.
pub(crate) fn rimmed(inside: &[f32], width: usize, height: usize, rim: usize, fade: usize) -> Vec<u8> {
    // Distance by two passes along the axes, city block's: near enough for a rim.
    let most = (rim + fade + 1) as f32;
    let mut away: Vec<f32> = inside.iter().map(|v| if *v > 0.5 { 0.0 } else { most }).collect();
    let step = |a: f32, b: f32, by: f32| a.min(b + by);
    for y in 0..height {
        for x in 0..width {
            let i = y * width + x;
            let mut best = away[i];
            if x > 0 {
                best = step(best, away[i - 1], 1.0);
            }
            if y > 0 {
                best = step(best, away[i - width], 1.0);
                if x > 0 {
                    best = step(best, away[i - width - 1], 1.4);
                }
                if x + 1 < width {
                    best = step(best, away[i - width + 1], 1.4);
                }
            }
            away[i] = best;
        }
    }
    for y in (0..height).rev() {
        for x in (0..width).rev() {
            let i = y * width + x;
            let mut best = away[i];
            if x + 1 < width {
                best = step(best, away[i + 1], 1.0);
            }
            if y + 1 < height {
                best = step(best, away[i + width], 1.0);
                if x > 0 {
                    best = step(best, away[i + width - 1], 1.4);
                }
                if x + 1 < width {
                    best = step(best, away[i + width + 1], 1.4);
                }
            }
            away[i] = best;
        }
    }
    away.into_iter().map(|d| ((1.0 - (d - rim as f32) / fade as f32).clamp(0.0, 1.0) * 255.0).round() as u8).collect()
}

/// A plate at half the size of its texels.
pub(crate) fn halved(plate: &Plate, [width, height]: [usize; 2]) -> Vec<[f32; 3]> {
    let across = plate.double_size[0];
    let texel = |x: usize, y: usize, c: usize| f32::from(plate.double[(y * across + x) * 4 + c]);
    let pixel = |i: usize| {
        let (x, y) = (2 * (i % width), 2 * (i / width));
        [0, 1, 2].map(|c| (texel(x, y, c) + texel(x + 1, y, c) + texel(x, y + 1, c) + texel(x + 1, y + 1, c)) / 4.0)
    };
    (0..width * height).into_par_iter().map(pixel).collect()
}

/// The photo with fully masked pixels filled from their surroundings.
fn without(plate: &Plate, mask: &[u8], [width, height]: [usize; 2], mut pixels: Vec<[f32; 3]>) -> Vec<u8> {
    fill(&mut pixels, width, height, |i| mask[i] == 0);
    let across = plate.double_size[0];
    let mut behind = plate.double.clone();
    behind.par_chunks_mut(across * 4).enumerate().for_each(|(y, row)| {
        for (x, texel) in row.chunks_exact_mut(4).enumerate() {
            let i = (y / 2).min(height - 1) * width + (x / 2).min(width - 1);
            if mask[i] == 255 {
                (0..3).for_each(|c| texel[c] = pixels[i][c].round() as u8);
            }
        }
    });
    behind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_roof_and_its_antenna_are_cut_out_and_the_edge_of_a_cloud_is_not() {
        let (width, height) = (200, 120);
        let roof = |x: usize, y: usize| y > 80 && x < 150;
        let antenna = |x: usize, y: usize| x == 70 && (50..=80).contains(&y);
        let cloud = |x: usize, y: usize| y == 20 && (100..160).contains(&x);
        let place = |i: usize| (i % width, i / width);
        let mask: Vec<bool> = (0..width * height)
            .map(|i| {
                let (x, y) = place(i);
                roof(x, y) || antenna(x, y) || cloud(x, y)
            })
            .collect();
        let kept = reached(&mask, width, 4, |i| roof(place(i).0, place(i).1));
        for (i, is_kept) in kept.iter().enumerate() {
            let (x, y) = place(i);
            assert_eq!(*is_kept, roof(x, y) || antenna(x, y), "{x} {y}");
        }
    }

    #[test]
    fn dark_twigs_before_the_sky_are_detail_and_bright_edges_of_clouds_are_not() {
        let (width, height) = (64, 64);
        let pixel = |i: usize| match i % width {
            20 => [60.0; 3],
            44 => [250.0; 3],
            _ => [180.0; 3],
        };
        let pixels: Vec<[f32; 3]> = (0..width * height).map(pixel).collect();
        let fine = detail(&pixels, width, height, 3);
        let row = &fine[32 * width..33 * width];
        assert!(row[20] > FINE && row[44] <= FINE, "{} {}", row[20], row[44]);
    }
}
