//! Model of how a pen or fill blends with the picture below.

use crate::picture::quantile;

/// Minimum number of pixels for a fit.
const MIN_PIXELS: usize = 8;

/// Ink over color `p` shows `keep * p + color`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ink {
    /// Transparency: 0 for opaque ink.
    pub(crate) keep: f32,
    color: [f32; 3],
}

impl Ink {
    /// Fits an ink by robust least squares to pairs of annotated and clean color. `None` if there are too few.
    pub(crate) fn fit(pairs: &[([f32; 3], [f32; 3])]) -> Option<Self> {
        if pairs.len() < MIN_PIXELS {
            return None;
        }
        // Start from opaque ink of the median color.
        let median = |c: usize| quantile(&mut pairs.iter().map(|(a, _)| a[c]).collect::<Vec<_>>(), 0.5);
        let mut ink = Self { keep: 0.0, color: [median(0), median(1), median(2)] };
        for _ in 0..6 {
            let mut misfits: Vec<f32> = pairs.iter().map(|(a, p)| ink.misfit(*a, *p)).collect();
            let weigh = |misfit: f32, scale: f32| 1.0 / (1.0 + (misfit / scale).powi(2));
            let scale = quantile(&mut misfits.clone(), 0.5).max(3.0);
            misfits.iter_mut().for_each(|m| *m = weigh(*m, scale));
            let (mut total, mut ma, mut mp) = (0.0, [0.0; 3], [0.0; 3]);
            for ((a, p), w) in pairs.iter().zip(&misfits) {
                total += w;
                for c in 0..3 {
                    ma[c] += w * a[c];
                    mp[c] += w * p[c];
                }
            }
            let (ma, mp) = (ma.map(|v| v / total), mp.map(|v| v / total));
            let (mut cov, mut var) = (0.0, 0.0);
            for ((a, p), w) in pairs.iter().zip(&misfits) {
                for c in 0..3 {
                    cov += w * (a[c] - ma[c]) * (p[c] - mp[c]);
                    var += w * (p[c] - mp[c]).powi(2);
                }
            }
            // Transparency cannot be estimated over a uniform color.
            let keep = if var > 30.0 * total { (cov / var).clamp(0.0, 0.95) } else { 0.0 };
            ink = Self { keep, color: [0, 1, 2].map(|c| ma[c] - keep * mp[c]) };
        }
        Some(ink)
    }

    /// The color that shows where the ink covers `ground`.
    pub(crate) fn over(&self, ground: [f32; 3]) -> [f32; 3] {
        [0, 1, 2].map(|c| self.keep * ground[c] + self.color[c])
    }

    /// Distance between the color shown and the one this ink predicts, in levels.
    pub(crate) fn misfit(&self, shown: [f32; 3], ground: [f32; 3]) -> f32 {
        let predicted = self.over(ground);
        (0..3).map(|c| (shown[c] - predicted[c]).powi(2)).sum::<f32>().sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn translucent_ink_is_fitted_despite_outliers() {
        let ground = |i: usize| [(i * 37 % 200) as f32, (i * 91 % 180) as f32 + 20.0, (i * 53 % 160) as f32];
        let shown = |i: usize| match i % 5 {
            0 => [9.0, 9.0, 9.0],
            _ => ground(i).map(|v| 0.6 * v + 0.4 * 200.0),
        };
        let pairs: Vec<_> = (0..400).map(|i| (shown(i), ground(i))).collect();
        let ink = Ink::fit(&pairs).expect("enough pixels");
        assert!((ink.keep - 0.6).abs() < 0.03, "{ink:?}");
        assert!(ink.misfit([80.0; 3], [0.0; 3]) < 6.0, "{ink:?}");
    }
}
