//! Where the annotated picture lies on the clean one: re-encoded, rescaled, cropped a little or with its colors moved.
//!
//! First as a whole: it may be the clean picture at another size. Where that does not hold, scale and position are
//! searched by correlation (`coarse`). Either way the answer is refined to a fraction of a pixel by robust least squares
//! over a pyramid (`refine`; Baker and Matthews 2004), and then believed only where the pictures agree piece by piece.
mod coarse;
mod refine;

use crate::picture::{Image, Plane};

/// An affine map of positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affine(pub [f64; 6]);

impl Affine {
    /// Scales and moves.
    #[must_use]
    pub fn scaling(sx: f64, sy: f64, tx: f64, ty: f64) -> Self {
        Self([sx, 0.0, tx, 0.0, sy, ty])
    }

    /// Where a position goes.
    #[must_use]
    pub fn map(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [a, b, c, d, e, f] = self.0;
        [a * x + b * y + c, d * x + e * y + f]
    }

    /// First `first`, then this.
    #[must_use]
    pub fn after(&self, first: &Affine) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let [g, h, i, j, k, l] = first.0;
        Self([a * g + b * j, a * h + b * k, a * i + b * l + c, d * g + e * j, d * h + e * k, d * i + e * l + f])
    }

    /// The way back, unless it squeezes the plane to a line.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        let [a, b, c, d, e, f] = self.0;
        let det = a * e - b * d;
        if det.abs() < 1e-12 {
            return None;
        }
        let (ia, ib, id, ie) = (e / det, -b / det, -d / det, a / det);
        Some(Self([ia, ib, -(ia * c + ib * f), id, ie, -(id * c + ie * f)]))
    }

    /// Mean scale.
    #[must_use]
    pub fn scale(&self) -> f64 {
        let [a, b, _, d, e, _] = self.0;
        (a * e - b * d).abs().sqrt()
    }
}

/// How the annotated picture lies on the clean one.
#[derive(Debug, Clone, Copy)]
pub struct Registration {
    /// Pixels of the annotated picture to pixels of the clean one.
    pub map: Affine,
    /// Share of the patches with structure in which the two agree, 0 to 1.
    pub agreement: f64,
}

/// Least [`Registration::agreement`] at which two pictures show the same: a large fill leaves that much.
const AGREES: f64 = 0.45;

/// Registers the annotated picture on the clean one; none where they do not show the same.
pub(crate) fn register(annotated: &Image, clean: &Image) -> Option<Registration> {
    let (a, c) = (annotated.luma(), clean.luma());
    let ratio = |to: usize, from: usize| to as f64 / from as f64;
    let whole = Affine::scaling(ratio(c.width, a.width), ratio(c.height, a.height), 0.0, 0.0);
    // Pictures of another shape are cropped, so that the search has to come first.
    let alike = (whole.0[0] / whole.0[4]).ln().abs() < 0.06;
    let tries: [&dyn Fn() -> Option<Affine>; 2] = [&|| alike.then_some(whole), &|| coarse::search(&a, &c)];
    let mut best: Option<Registration> = None;
    for first in tries {
        let Some(first) = first() else { continue };
        let map = refine::refine(&a, &c, first);
        let found = Registration { map, agreement: agreement(&a, &c, &map) };
        if best.is_none_or(|b| found.agreement > b.agreement) {
            best = Some(found);
        }
        // Near enough to whole that searching could not do better.
        if found.agreement > 0.75 {
            break;
        }
    }
    best.filter(|found| found.agreement >= AGREES && is_plausible(&found.map))
}

/// Drawing tools scale and crop; they neither turn nor mirror nor shear.
fn is_plausible(map: &Affine) -> bool {
    let [a, b, _, d, e, _] = map.0;
    a > 0.0 && e > 0.0 && (a / e).ln().abs() < 0.5 && b.abs().max(d.abs()) < 0.05 * map.scale()
}

/// Share of the patches with structure in which both pictures correlate.
fn agreement(a: &Plane, c: &Plane, map: &Affine) -> f64 {
    const PATCH: usize = 16;
    let level = Level::new(a, c, map, 512);
    let (a, c, map) = (&level.annotated, &level.clean, &level.map);
    let inside = |[x, y]: [f64; 2]| x >= 0.0 && y >= 0.0 && x <= c.width as f64 && y <= c.height as f64;
    // Without what is broad: shades of fills, vignettes, skies agree with anything.
    let (fine_a, fine_c) = (a.boxed(6), c.boxed(6));
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
    // A picture of nothing agrees with nothing.
    if all < 8 { 0.0 } else { f64::from(agree) / f64::from(all) }
}

/// Both pictures reduced, so that a pixel of one is about as large as a pixel of the other.
struct Level {
    annotated: Plane,
    clean: Plane,
    /// Between the reduced pictures.
    map: Affine,
    to_annotated: Affine,
    to_clean: Affine,
}

impl Level {
    fn new(a: &Plane, c: &Plane, map: &Affine, side: usize) -> Self {
        let down = (a.width.max(a.height) as f64 / side as f64).max(1.0);
        let annotated = shrunk(a, down);
        let clean = shrunk(c, (down * map.scale()).max(1.0));
        let ratio = |to: &Plane, from: &Plane| {
            Affine::scaling(to.width as f64 / from.width as f64, to.height as f64 / from.height as f64, 0.0, 0.0)
        };
        let to_annotated = ratio(a, &annotated);
        let to_clean = ratio(c, &clean);
        let down_clean = ratio(&clean, c);
        let map = down_clean.after(map).after(&to_annotated);
        Self { annotated, clean, map, to_annotated, to_clean }
    }

    /// The map between the whole pictures.
    fn whole(&self, map: &Affine) -> Affine {
        let back = self.to_annotated.inverse().unwrap_or(Affine::scaling(1.0, 1.0, 0.0, 0.0));
        self.to_clean.after(map).after(&back)
    }
}

fn shrunk(plane: &Plane, factor: f64) -> Plane {
    let side = |s: usize| ((s as f64 / factor).round() as usize).clamp(1, s);
    let (width, height) = (side(plane.width), side(plane.height));
    if (width, height) == (plane.width, plane.height) {
        return plane.clone();
    }
    let values = plane.values.iter().map(|v| [*v, 0.0, 0.0]).collect();
    Image { width: plane.width, height: plane.height, values }.resized(width, height).channel(0)
}
