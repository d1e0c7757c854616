//! Registers the annotated picture on the clean one, which may differ in encoding, scale, crop, color and a small rotation.
//!
//! The first guess is the clean picture at another size. If that fails, the map is estimated from features. Each is refined to a fraction
//! of a pixel over a pyramid, and accepted only if enough patches of the pictures correlate.

use aerie_register::{Frame, Homography, Level, Plane, Sensitivity, Warp, affine_between, features};

use crate::picture::{Image, resized};

/// Alignment of the annotated picture with the clean one.
#[derive(Debug, Clone, Copy)]
pub struct Registration {
    /// Converts pixels of the annotated picture to pixels of the clean one.
    pub map: Homography,
    /// Share of the textured patches in which the two correlate, 0 to 1.
    pub agreement: f64,
}

/// Minimum [`Registration::agreement`] of matching pictures; low enough for a large fill.
const MIN_AGREEMENT: f64 = 0.45;
/// Minimum agreement of a guess at low resolution that is worth refining; pictures of different places reach a tenth.
const MIN_PROMISE: f64 = 0.2;
/// Agreement from which no other guess is tried.
const GOOD: f64 = 0.75;
/// Longer sides of the levels at which a guess shows its worth, in pixels.
const ROUGH: [usize; 2] = [128, 256];
/// Longer sides of the levels that refine it to a hundredth of a pixel, in pixels.
const FINE: [usize; 2] = [512, 1024];
/// Longer side of the copies whose features are compared, in pixels.
const COMPARED: usize = 640;
/// Features that are compared. The contrast is of lightness from 0 to 255.
const FEATURES: Sensitivity = Sensitivity { min_contrast: 2.0, max_features: 1200 };

/// Registers the annotated picture on the clean one. `None` if they do not match.
pub(crate) fn register(annotated: &Image, clean: &Image) -> Option<Registration> {
    let (a, c) = (annotated.luma(), clean.luma());
    let ratio = |to: usize, from: usize| to as f64 / from as f64;
    let whole = Homography::scaling([ratio(c.width, a.width), ratio(c.height, a.height)]);
    // A different aspect ratio means a crop, which only features can find.
    let same_aspect = (ratio(c.width, a.width) / ratio(c.height, a.height)).ln().abs() < 0.06;
    let whole = || same_aspect.then_some(whole);
    let tries: [(&dyn Fn() -> Option<Homography>, Warp); 3] =
        [(&whole, Warp::Scaling), (&whole, Warp::Affine), (&|| by_features(&a, &c), Warp::Affine)];
    let mut best: Option<Registration> = None;
    for (first, warp) in tries {
        let Some(first) = first() else { continue };
        let rough = refined([&a, &c], first, &ROUGH, warp);
        if agreement(&a, &c, &rough) < MIN_PROMISE {
            continue;
        }
        let map = refined([&a, &c], rough, &FINE, Warp::Affine);
        let found = Registration { map, agreement: agreement(&a, &c, &map) };
        if best.is_none_or(|b| found.agreement > b.agreement) {
            best = Some(found);
        }
        if found.agreement > GOOD {
            break;
        }
    }
    best.filter(|found| found.agreement >= MIN_AGREEMENT && is_plausible(&found.map))
}

/// Drawing tools scale and crop, scans are rotated a little; nothing mirrors or shears.
fn is_plausible(map: &Homography) -> bool {
    let [[a, b, _], [d, e, _], _] = map.0;
    // The sine of four degrees.
    let rotated = b.abs().max(d.abs()) < 0.07 * map.scale();
    a > 0.0 && e > 0.0 && (a / e).ln().abs() < 0.5 && rotated && (b + d).abs() < 0.05 * map.scale()
}

/// Estimates the map from features.
fn by_features(a: &Plane, c: &Plane) -> Option<Homography> {
    let copies = [a, c].map(|plane| downscaled(plane, plane.width.max(plane.height) as f64 / COMPARED as f64));
    let [own, other] = copies.each_ref().map(|copy| features(copy, FEATURES));
    let map = affine_between(&own, &other, 2.0)?;
    Some(scale(c, &copies[1]).after(&map).after(&scale(&copies[0], a))).filter(is_plausible)
}

/// Refines a map on copies of these longer sides.
fn refined(planes: [&Plane; 2], map: Homography, sides: &[usize], warp: Warp) -> Homography {
    let frames = planes.map(|plane| Frame::of(plane.size()));
    let longest = planes[0].width.max(planes[0].height);
    let used = sides.iter().filter(|side| **side <= ROUGH[0] || **side <= longest * 3 / 2);
    used.fold(map, |map, side| {
        let copies = downscaled_both(planes, &map, *side);
        let level = |i: usize| {
            let [across, down] = [0, 1].map(|axis| planes[i].size()[axis] as f64 / copies[i].size()[axis] as f64);
            let frame = frames[i].copy([across / 2.0, down / 2.0], [across, down]);
            Level::of(copies[i].clone(), frame, &(f32::NEG_INFINITY..f32::INFINITY))
        };
        let [from, to] = frames.each_ref();
        level(0).refined(&level(1), map.of_points([from, to]), warp).of_pixels([from, to])
    })
}

/// Scales pixels of a picture to pixels of a copy.
fn scale(to: &Plane, from: &Plane) -> Homography {
    Homography::scaling([to.width as f64 / from.width as f64, to.height as f64 / from.height as f64])
}

/// Copies of both pictures with pixels of about the same size, the first of this longer side at most.
fn downscaled_both([a, c]: [&Plane; 2], map: &Homography, side: usize) -> [Plane; 2] {
    let down = (a.width.max(a.height) as f64 / side as f64).max(1.0);
    [downscaled(a, down), downscaled(c, down * map.scale())]
}

fn downscaled(plane: &Plane, factor: f64) -> Plane {
    let side = |s: usize| ((s as f64 / factor.max(1.0)).round() as usize).clamp(1, s);
    let (width, height) = (side(plane.width), side(plane.height));
    if (width, height) == (plane.width, plane.height) {
        return plane.clone();
    }
    resized((plane.width, plane.height), (width, height), |i| [plane.values[i], 0.0, 0.0]).channel(0)
}

/// Share of the textured patches in which both pictures correlate.
fn agreement(a: &Plane, c: &Plane, map: &Homography) -> f64 {
    const PATCH: usize = 16;
    let copies = downscaled_both([a, c], map, 512);
    let map = scale(&copies[1], c).after(map).after(&scale(a, &copies[0]));
    let [a, c] = &copies;
    let inside = |[x, y]: [f64; 2]| x >= 0.0 && y >= 0.0 && x <= c.width as f64 && y <= c.height as f64;
    // High-pass: fills, vignettes and skies would correlate with anything.
    let (fine_a, fine_c) = (a.box_mean(6), c.box_mean(6));
    let (mut agree, mut all) = (0_u32, 0_u32);
    for top in (0..a.height.saturating_sub(PATCH - 1)).step_by(PATCH) {
        for left in (0..a.width.saturating_sub(PATCH - 1)).step_by(PATCH) {
            let mut sums = [0.0_f64; 5];
            let mut count = 0.0;
            for y in top..top + PATCH {
                for x in left..left + PATCH {
                    let at = map.apply([x as f64 + 0.5, y as f64 + 0.5]);
                    if !inside(at) {
                        continue;
                    }
                    let i = y * a.width + x;
                    let (u, v) = (at[0] as f32, at[1] as f32);
                    let p = f64::from(a.values[i] - fine_a.values[i]);
                    let q = f64::from(c.linear(u, v) - fine_c.linear(u, v));
                    count += 1.0;
                    for (sum, add) in sums.iter_mut().zip([p, q, p * p, q * q, p * q]) {
                        *sum += add;
                    }
                }
            }
            if count < (PATCH * PATCH / 2) as f64 {
                continue;
            }
            let [p, q, pp, qq, pq] = sums.map(|s| s / count);
            let (vp, vq, cov) = (pp - p * p, qq - q * q, pq - p * q);
            if vq < 6.0 {
                continue;
            }
            all += 1;
            agree += u32::from(cov > 0.6 * (vp * vq).sqrt());
        }
    }
    // Too little texture to compare.
    if all < 8 { 0.0 } else { f64::from(agree) / f64::from(all) }
}
