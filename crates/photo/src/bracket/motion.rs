//! What moved between exposures, found on reduced copies: values that the curve from one exposure to the next does not explain.
//!
//! Each exposure is compared with what the exposures between it and the reference are known to show. Where those are clipped, an
//! exposure may show anything that is light enough to have clipped there; and where they are crushed, anything dark enough.

use rayon::prelude::*;

use super::small::{CLIPPED, CRUSHED, Gains, Small};
use super::tones::Tones;
use crate::box_mean;
use aerie_math::color::linear;

/// Deviation that is never taken for motion, encoded; and the noise of the picture that the curve amplifies.
const TOLERANCE: f32 = 9.0;
const NOISE: f32 = 1.6;
/// Standard deviations of noise within which there is no motion.
const DEVIATIONS: f32 = 3.0;
/// Share of the neighbors that must have moved, too: fewer are noise or an edge.
const AGREEING: f32 = 0.5;
/// Pixels that tell how much lighter an exposure is.
const LEAST_SHARED: usize = 100;
/// Radius by which motion is widened, and that of its soft edge, as shares of the longer side.
const WIDENED: usize = 170;
const SOFT: usize = 250;

/// Where an exposure is not used, because something moved.
#[derive(Debug, Clone)]
pub(super) struct Motion {
    pub(super) width: usize,
    pub(super) height: usize,
    /// How much of a pixel is that of the reference, 0 to 1.
    pub(super) mask: Vec<f32>,
    /// Curves from the reference to the exposure.
    pub(super) tones: Tones,
}

/// What the exposures so far are known to show, with the values of the last of them.
#[derive(Clone)]
pub(super) struct Latent {
    shown: Small,
    /// From the reference; none for the reference itself.
    tones: Option<Tones>,
    /// Whether each exposure is darker than the one before it.
    darker: bool,
}

impl Latent {
    pub(super) fn new(reference: &Small, darker: bool) -> Self {
        Self { shown: reference.clone(), tones: None, darker }
    }

    /// How much lighter an exposure is, per channel: by the median of the pixels that both show. `None` where there are few.
    pub(super) fn gains_to(&self, next: &Small) -> Option<Gains> {
        let usable = |v: f32| (20.0..235.0).contains(&v);
        let light = |v: f32| linear([(v * 257.0) as u16; 3])[1];
        let gain = |c: usize| {
            let pairs = self.shown.pixels.iter().zip(&next.pixels).filter(|(a, b)| usable(a[c]) && usable(b[c]));
            let mut gains: Vec<f32> = pairs.map(|(a, b)| light(b[c]) / light(a[c])).collect();
            gains.sort_unstable_by(f32::total_cmp);
            gains.get(gains.len() / 2).copied().filter(|_| gains.len() >= LEAST_SHARED)
        };
        Some([gain(0)?, gain(1)?, gain(2)?])
    }

    /// Compares the next darker, or lighter, exposure, and adds what it shows.
    pub(super) fn add(&mut self, mut next: Small) -> Motion {
        let (width, height) = (next.width, next.height);
        let curves = Tones::between(&self.shown, &next);
        let moved: Vec<f32> = (0..width * height)
            .into_par_iter()
            .map(|i| f32::from(u8::from(next.covered[i] && self.differs(&next, &curves, i))))
            .collect();
        let agreeing = box_mean(&moved, width, height, 2);
        let sure: Vec<f32> = agreeing.iter().map(|v| f32::from(u8::from(*v > AGREEING))).collect();
        let longer = width.max(height);
        let near = box_mean(&sure, width, height, (longer / WIDENED).max(2));
        let wide: Vec<f32> = near.iter().map(|v| f32::from(u8::from(*v > 0.001))).collect();
        let mask = box_mean(&wide, width, height, (longer / SOFT).max(1));
        for (i, pixel) in next.pixels.iter_mut().enumerate() {
            if wide[i] > 0.0 || !next.covered[i] {
                *pixel = [0, 1, 2].map(|c| match self.shown.pixels[i][c] {
                    v if self.darker && v >= CLIPPED => 255.0,
                    v if !self.darker && v <= CRUSHED => 0.0,
                    v => curves.at(c, v),
                });
            }
        }
        next.covered.fill(true);
        let tones = self.tones.as_ref().map_or_else(|| curves.clone(), |tones| tones.then(&curves));
        self.shown = next;
        self.tones = Some(tones.clone());
        Motion { width, height, mask, tones }
    }

    /// Whether a pixel is neither what the curves make of the known pixel, nor of one beside it.
    fn differs(&self, next: &Small, curves: &Tones, i: usize) -> bool {
        let (width, height) = (next.width, next.height);
        let (x, y) = (i % width, i / width);
        (0..3).any(|c| {
            let (mut least, mut most) = (255.0_f32, 0.0_f32);
            for v in y.saturating_sub(1)..=(y + 1).min(height - 1) {
                for u in x.saturating_sub(1)..=(x + 1).min(width - 1) {
                    let value = self.shown.pixels[v * width + u][c];
                    least = least.min(value);
                    most = most.max(value);
                }
            }
            let own = next.pixels[i][c];
            let tolerance = |value: f32| {
                let slope = (curves.at(c, value + 2.0) - curves.at(c, value - 2.0)) / 4.0;
                TOLERANCE + DEVIATIONS * curves.spread(c, value) + DEVIATIONS * NOISE * slope
            };
            let is_too_dark = (self.darker || least > CRUSHED) && own < curves.at(c, least) - tolerance(least);
            let is_too_light = (!self.darker || most < CLIPPED) && own > curves.at(c, most) + tolerance(most);
            is_too_dark || is_too_light
        })
    }
}

impl Motion {
    /// Share of the picture that is taken from the reference.
    pub(super) fn is_at(&self, i: usize) -> bool {
        self.mask[i] > 0.5
    }

    /// Row `y` of the mask for a picture of another size.
    pub(super) fn row(&self, y: usize, [width, height]: [usize; 2], out: &mut [f32]) {
        let place = |at: usize, of: usize, own: usize| {
            let place = ((at as f32 + 0.5) * own as f32 / of as f32 - 0.5).clamp(0.0, (own - 1) as f32);
            let first = (place as usize).min(own.saturating_sub(2));
            (first, (first + 1).min(own - 1), place - first as f32)
        };
        let (top, bottom, down) = place(y, height, self.height);
        for (x, out) in out.iter_mut().enumerate() {
            let (left, right, across) = place(x, width, self.width);
            let at = |row: usize| {
                let [a, b] = [left, right].map(|column| self.mask[row * self.width + column]);
                a + across * (b - a)
            };
            *out = at(top) + down * (at(bottom) - at(top));
        }
    }
}
