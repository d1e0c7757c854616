//! Photos of two lightnesses: a front against a bright sky, a dark room around bright windows.
//!
//! One exposure suits only one of the two. Their base layer is divided by its histogram, and each part gets an exposure of its own, by one
//! curve over the base layer. The base keeps the edges between the parts, so that there are no halos, and the curve rises, so that no order
//! of lightness is reversed.

/// Bins of the histogram of base lightness.
const BINS: usize = 100;
/// Least difference between the mean lightness of the two parts, L*, and the difference from which they are treated fully apart.
const LEAST_APART: f32 = 24.0;
const FAR_APART: f32 = 38.0;
/// Least share of the picture that each part has, and the largest share of the light one.
const LEAST_LIGHT: f32 = 0.02;
const MOST_LIGHT: f32 = 0.72;
/// Lightness above which something is light, even in a dark picture.
const LEAST_BRIGHT: f32 = 62.0;
/// Least slope of the curve between the parts.
const LEAST_SLOPE: f32 = 0.36;

/// Division of a photo into a dark and a light part, by lightness of the base layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Backlight {
    /// Mean lightness of the dark part, L*.
    pub(crate) dark: f32,
    /// Lightness that divides the two.
    pub(crate) between: f32,
    /// Mean lightness of the light part.
    pub(crate) light: f32,
    /// How far they are treated apart, 0 to 1.
    pub(crate) degree: f32,
}

impl Backlight {
    /// Divides base lightnesses where their histogram is divided best (Otsu 1979); `None` if they are of one lightness.
    pub(crate) fn find(base: impl Iterator<Item = f32>) -> Option<Self> {
        let mut histogram = [0.0_f32; BINS];
        let mut count = 0.0;
        for value in base {
            histogram[((value / 100.0 * BINS as f32).max(0.0) as usize).min(BINS - 1)] += 1.0;
            count += 1.0;
        }
        let center = |bin: usize| (bin as f32 + 0.5) * 100.0 / BINS as f32;
        let total: f32 = histogram.iter().enumerate().map(|(i, n)| center(i) * n).sum();
        let (mut below, mut sum) = (0.0, 0.0);
        let mut best: Option<(f32, Self)> = None;
        for (bin, number) in histogram.iter().enumerate() {
            below += number;
            sum += center(bin) * number;
            let above = count - below;
            if below <= 0.0 || above <= 0.0 {
                continue;
            }
            let (dark, light) = (sum / below, (total - sum) / above);
            let variance = below * above * (light - dark) * (light - dark);
            if best.is_none_or(|(most, _)| variance > most) {
                let share = above / count;
                let is_apart = (LEAST_LIGHT..MOST_LIGHT).contains(&share) && light > LEAST_BRIGHT;
                let degree = if is_apart { (light - dark - LEAST_APART) / (FAR_APART - LEAST_APART) } else { 0.0 };
                let between = center(bin) + 50.0 / BINS as f32;
                best = Some((variance, Self { dark, between, light, degree: degree.clamp(0.0, 1.0) }));
            }
        }
        best.map(|(_, found)| found).filter(|found| found.degree > 0.0)
    }

    /// The curve over base lightness that brings the dark part to `opened`, and leaves the light part as light as `kept` says.
    pub(crate) fn curve(&self, opened: f32, kept: f32) -> Curve {
        let kept = kept.clamp(self.light, self.light.max(99.0));
        let opened = opened.min(kept - LEAST_SLOPE * (self.light - self.dark)).max(self.dark);
        Curve::through([[0.0, 0.0], [self.dark.max(1.0), opened.max(1.0)], [self.light, kept], [100.0, 100.0]])
    }
}

/// A rising curve through four points, with continuous slope (Fritsch and Carlson 1980).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Curve {
    points: [[f32; 2]; 4],
    slopes: [f32; 4],
}

impl Curve {
    fn through(points: [[f32; 2]; 4]) -> Self {
        let secant = |i: usize| (points[i + 1][1] - points[i][1]) / (points[i + 1][0] - points[i][0]).max(1e-3);
        let secants = [secant(0), secant(1), secant(2)];
        let inner = |a: f32, b: f32| if a * b <= 0.0 { 0.0 } else { 2.0 * a * b / (a + b) };
        let slopes = [secants[0], inner(secants[0], secants[1]), inner(secants[1], secants[2]), secants[2]];
        Self { points, slopes }
    }

    pub(crate) fn at(&self, x: f32) -> f32 {
        let i = (0..2).find(|i| x < self.points[i + 1][0]).unwrap_or(2);
        let ([x0, y0], [x1, y1]) = (self.points[i], self.points[i + 1]);
        let width = (x1 - x0).max(1e-3);
        let t = ((x - x0) / width).clamp(0.0, 1.0);
        let (u, v) = (t * t * (3.0 - 2.0 * t), t * (1.0 - t));
        let bend = v * ((1.0 - t) * self.slopes[i] - t * self.slopes[i + 1]) * width;
        (y0 + (y1 - y0) * u + bend).clamp(y0.min(y1), y0.max(y1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dark_front_under_a_bright_sky_is_divided_and_an_even_picture_is_not() {
        let front = (0..700).map(|i| 18.0 + (i % 20) as f32);
        let sky = (0..300).map(|i| 82.0 + (i % 10) as f32);
        let found = Backlight::find(front.chain(sky)).expect("two lightnesses");
        assert!((26.0..30.0).contains(&found.dark) && (84.0..90.0).contains(&found.light), "{found:?}");
        assert!(found.dark < found.between && found.between < found.light && found.degree > 0.9, "{found:?}");
        assert_eq!(Backlight::find((0..1000).map(|i| 55.0 + (i % 30) as f32)), None);
        // A few lamps are no second lightness.
        assert_eq!(Backlight::find((0..1000).map(|i| if i < 10 { 95.0 } else { 40.0 })), None);
    }

    #[test]
    fn the_curve_rises_opens_the_dark_part_and_leaves_the_light_one() {
        let parts = Backlight { dark: 24.0, between: 55.0, light: 88.0, degree: 1.0 };
        let curve = parts.curve(48.0, 90.0);
        let values: Vec<f32> = (0..=200).map(|i| curve.at(i as f32 / 2.0)).collect();
        assert!(values.windows(2).all(|w| w[1] >= w[0]), "{values:?}");
        assert!((curve.at(24.0) - 48.0).abs() < 0.1 && (curve.at(88.0) - 90.0).abs() < 0.1);
        assert!(curve.at(0.0) == 0.0 && curve.at(100.0) == 100.0);
        // Asked for too much, it still rises between the parts.
        let steep = parts.curve(95.0, 88.0);
        assert!(steep.at(24.0) <= 88.0 - 0.35 * 64.0, "{}", steep.at(24.0));
    }
}
