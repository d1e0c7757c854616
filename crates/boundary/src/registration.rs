//! Registers the annotated picture on the clean one, which may differ in encoding, scale, crop, color and a small rotation.
//!
//! The first guess is the clean picture at another size. If that fails, scale and position are searched by correlation, and
//! then rotations, too (`coarse`). Each is refined to a fraction of a pixel by robust least squares over a pyramid (`refine`; Baker and
//! Matthews 2004), and accepted only if enough patches of the pictures correlate.
mod affine;
mod coarse;
mod level;
mod refine;

pub use affine::Affine;

use crate::picture::{Image, Plane};
use level::Level;

/// Alignment of the annotated picture with the clean one.
#[derive(Debug, Clone, Copy)]
pub struct Registration {
    /// Converts pixels of the annotated picture to pixels of the clean one.
    pub map: Affine,
    /// Share of the textured patches in which the two correlate, 0 to 1.
    pub agreement: f64,
}

/// Minimum [`Registration::agreement`] of matching pictures; low enough for a large fill.
const MIN_AGREEMENT: f64 = 0.45;

/// The same of a guess at low resolution that is worth refining; pictures of different places reach a tenth.
const PROMISING: f64 = 0.2;

/// Registers the annotated picture on the clean one. `None` if they do not match.
pub(crate) fn register(annotated: &Image, clean: &Image) -> Option<Registration> {
    let (a, c) = (annotated.luma(), clean.luma());
    let ratio = |to: usize, from: usize| to as f64 / from as f64;
    let whole = Affine::scaling(ratio(c.width, a.width), ratio(c.height, a.height), 0.0, 0.0);
    // A different aspect ratio means a crop, which only the search can find.
    let same_aspect = (whole.0[0] / whole.0[4]).ln().abs() < 0.06;
    let whole = || same_aspect.then_some(whole);
    let tries: [(&dyn Fn() -> Option<Affine>, bool); 4] = [
        (&whole, false),
        (&whole, true),
        (&|| coarse::search(&a, &c), false),
        (&|| coarse::search_rotated(&a, &c), true),
    ];
    let mut best: Option<Registration> = None;
    for (first, rotated) in tries {
        let Some(first) = first() else { continue };
        let rough = refine::rough(&a, &c, first, rotated);
        if agreement(&a, &c, &rough) < PROMISING {
            continue;
        }
        let map = refine::fine(&a, &c, rough);
        let found = Registration { map, agreement: agreement(&a, &c, &map) };
        if best.is_none_or(|b| found.agreement > b.agreement) {
            best = Some(found);
        }
        // Good enough to skip the searches.
        if found.agreement > 0.75 {
            break;
        }
    }
    best.filter(|found| found.agreement >= MIN_AGREEMENT && is_plausible(&found.map))
}

/// Drawing tools scale and crop, scans are rotated a little; nothing mirrors or shears.
fn is_plausible(map: &Affine) -> bool {
    let [a, b, _, d, e, _] = map.0;
    // The sine of four degrees.
    let rotated = b.abs().max(d.abs()) < 0.07 * map.scale();
    a > 0.0 && e > 0.0 && (a / e).ln().abs() < 0.5 && rotated && (b + d).abs() < 0.05 * map.scale()
}

/// Share of the textured patches in which both pictures correlate.
fn agreement(a: &Plane, c: &Plane, map: &Affine) -> f64 {
    const PATCH: usize = 16;
    let level = Level::new(a, c, map, 512);
    let (a, c, map) = (&level.annotated, &level.clean, &level.map);
    let inside = |[x, y]: [f64; 2]| x >= 0.0 && y >= 0.0 && x <= c.width as f64 && y <= c.height as f64;
    // High-pass: fills, vignettes and skies would correlate with anything.
    let (fine_a, fine_c) = (a.box_blurred(6), c.box_blurred(6));
    let (mut agree, mut all) = (0_u32, 0_u32);
    for top in (0..a.height.saturating_sub(PATCH - 1)).step_by(PATCH) {
        for left in (0..a.width.saturating_sub(PATCH - 1)).step_by(PATCH) {
            let mut sums = [0.0_f64; 5];
            let mut count = 0.0;
            for y in top..top + PATCH {
                for x in left..left + PATCH {
                    let at = map.map([x as f64 + 0.5, y as f64 + 0.5]);
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
