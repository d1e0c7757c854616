//! Profiles of ink across a contour.

use super::contour;
use crate::difference::Difference;
use crate::ink::Ink;
use crate::picture::quantile;

/// Distance between two samples of a profile, in pixels.
const STEP: f64 = 0.5;
/// Minimum share of full ink for a point to count as visible.
const MIN_INK: f64 = 0.45;

/// Profiles at the points of a contour, from the outside in.
pub(super) struct Profiles {
    line: Vec<[f64; 2]>,
    normals: Vec<[f64; 2]>,
    /// Distance of the first sample outside the contour, in pixels.
    outset: f64,
    samples: usize,
    /// For each point and sample: the dot product of difference and full ink, and full ink squared.
    ink: Vec<[f64; 2]>,
    /// Number of points to each side whose profiles are pooled.
    pooled: usize,
    is_fill: bool,
}

/// The contour moved onto the boundary.
pub(super) struct Fit {
    /// A point for each of the contour, interpolated where the boundary is not visible.
    pub(super) points: Vec<[f64; 2]>,
    pub(super) visible: Vec<bool>,
    /// Whether ink would be visible here.
    pub(super) legible: Vec<bool>,
    pub(super) width: f64,
}

impl Profiles {
    /// Samples profiles across a line. On the `first` pass the line runs along the outer edge of the drawing, later
    /// along its center.
    pub(super) fn sample(
        difference: &Difference,
        line: &[[f64; 2]],
        width: f64,
        is_fill: bool,
        first: bool,
    ) -> Option<Self> {
        let normals = contour::normals(line, ((width / contour::SPACING) as usize).clamp(4, 10));
        // A fill may have an outline, so search the widths at which boundaries are drawn.
        let side = difference.size.width.max(difference.size.height) as f64;
        let inward = match (is_fill, first) {
            (true, true) => 0.03 * side,
            (_, true) => 1.6 * width + 6.0,
            (_, false) => 1.1 * width + 4.0,
        };
        let outset = if first { 4.0 + 0.3 * width } else { 1.1 * width + 4.0 };
        let samples = ((outset + inward) / STEP) as usize + 1;
        // Just inside the edge of the drawing, or along its center.
        let depth = match (first, is_fill) {
            (true, true) => line_depth(difference, line, &normals),
            (true, false) => (0.5 * width).max(1.0),
            (false, _) => 0.0,
        };
        let pen = pen(difference, line, &normals, depth)?;
        let mut ink = Vec::with_capacity(line.len() * samples);
        for (p, n) in line.iter().zip(&normals) {
            for k in 0..samples {
                let t = outset - k as f64 * STEP;
                ink.push(ink_at(difference, pen, [p[0] + n[0] * t, p[1] + n[1] * t]));
            }
        }
        let pooled = ((0.8 * width / contour::SPACING) as usize).clamp(2, 8);
        Some(Self { line: line.to_vec(), normals, outset, samples, ink, pooled, is_fill })
    }

    /// The pooled profile of a point: numerators and weights.
    fn pooled(&self, i: usize, shifts: &[f64]) -> Vec<[f64; 2]> {
        let n = self.line.len();
        let mut sum = vec![[0.0; 2]; self.samples];
        for d in 0..=2 * self.pooled {
            let j = (i + n + d - self.pooled.min(n)) % n;
            let shift = ((shifts[j] - shifts[i]) / STEP).round() as isize;
            let row = &self.ink[j * self.samples..][..self.samples];
            for (k, sum) in sum.iter_mut().enumerate() {
                let from = (k as isize + shift).clamp(0, self.samples as isize - 1) as usize;
                sum[0] += row[from][0];
                sum[1] += row[from][1];
            }
        }
        sum
    }

    /// The mean profile over visible points, each moved by its shift.
    fn mean(&self, shifts: &[f64], visible: &[bool]) -> Vec<f64> {
        let mut columns = vec![[0.0_f64; 2]; self.samples];
        for i in (0..self.line.len()).filter(|i| visible[*i]) {
            let shift = (shifts[i] / STEP).round() as isize;
            for (k, column) in columns.iter_mut().enumerate() {
                let from = (k as isize + shift).clamp(0, self.samples as isize - 1) as usize;
                let [num, den] = self.ink[i * self.samples + from];
                column[0] += num;
                column[1] += den;
            }
        }
        columns.iter().map(|[num, den]| num / den.max(1e-6)).collect()
    }

    /// Moves each point to where its profile best fits the mean.
    pub(super) fn fit(&self) -> Option<Fit> {
        let n = self.line.len();
        let mut shifts = vec![0.0; n];
        let mut visible = vec![true; n];
        let mut shape = Shape::new(&self.mean(&shifts, &visible), self.is_fill)?;
        for _ in 0..3 {
            let model = &shape;
            let found: Vec<Option<f64>> = (0..n).map(|i| self.shift(i, &shifts, model)).collect();
            for i in 0..n {
                visible[i] = found[i].is_some();
                if let Some(shift) = found[i] {
                    shifts[i] = shift;
                }
            }
            if visible.iter().filter(|s| **s).count() < n / 5 {
                return None;
            }
            interpolate_gaps(&mut shifts, &visible);
            shape = Shape::new(&self.mean(&shifts, &visible), self.is_fill)?;
        }
        let points = (0..n)
            .map(|i| {
                let t = self.outset - shape.middle * STEP - shifts[i];
                [self.line[i][0] + self.normals[i][0] * t, self.line[i][1] + self.normals[i][1] * t]
            })
            .collect();
        // Mean contrast of full ink, in levels. A fifth of the median is lost in the noise of encoding.
        let contrast = |i: usize| {
            let row = &self.ink[i * self.samples..][..self.samples];
            (row.iter().map(|[_, full]| full).sum::<f64>() / self.samples as f64).sqrt() as f32
        };
        let contrasts: Vec<f32> = (0..n).map(contrast).collect();
        let least = (0.2 * quantile(&mut contrasts.clone(), 0.5)).max(12.0);
        let legible = contrasts.iter().map(|c| *c > least).collect();
        Some(Fit { points, visible, legible, width: shape.width * STEP })
    }

    /// The inward shift in pixels of one point's profile against the mean. `None` if the boundary is not visible there.
    fn shift(&self, i: usize, shifts: &[f64], shape: &Shape) -> Option<f64> {
        let profile = self.pooled(i, shifts);
        let reach = ((shape.width * 0.6) as isize + 6).min(self.samples as isize / 3);
        let score = |shift: isize| {
            let (mut tt, mut at) = (0.0, 0.0);
            let mut aa = 0.0;
            for (k, [num, den]) in profile.iter().enumerate() {
                let from = (k as isize - shift).clamp(0, self.samples as isize - 1) as usize;
                let t = shape.mean[from];
                // The ink share is num / den, its weight den.
                tt += den * t * t;
                at += num * t;
                aa += num * num / den.max(1e-6);
            }
            // Squared misfit, and the share of ink.
            (aa - 2.0 * at + tt, at / tt.max(1e-6))
        };
        let tried: Vec<(isize, (f64, f64))> = (-reach..=reach).map(|s| (s, score(s))).collect();
        let best = (0..tried.len()).min_by(|a, b| tried[*a].1.0.total_cmp(&tried[*b].1.0))?;
        if best == 0 || best + 1 == tried.len() || tried[best].1.1 < MIN_INK {
            return None;
        }
        let [a, b, c] = [best - 1, best, best + 1].map(|j| tried[j].1.0);
        let curvature = a - 2.0 * b + c;
        let part = if curvature > 1e-9 { (0.5 * (a - c) / curvature).clamp(-0.5, 0.5) } else { 0.0 };
        Some((tried[best].0 as f64 + part) * STEP)
    }
}

/// Interpolates the shifts of points where the boundary is not visible.
fn interpolate_gaps(shifts: &mut [f64], visible: &[bool]) {
    let n = shifts.len();
    let known: Vec<usize> = (0..n).filter(|i| visible[*i]).collect();
    for (at, &a) in known.iter().enumerate() {
        let b = known[(at + 1) % known.len()];
        let gap = (b + n - a) % n;
        for d in 1..gap {
            let t = d as f64 / gap as f64;
            shifts[(a + d) % n] = shifts[a] * (1.0 - t) + shifts[b] * t;
        }
    }
}

/// The mean profile, and the position and width of the boundary in it, in samples.
struct Shape {
    mean: Vec<f64>,
    middle: f64,
    width: f64,
}

impl Shape {
    fn new(mean: &[f64], is_fill: bool) -> Option<Self> {
        let peak = mean.iter().copied().fold(0.0, f64::max);
        if peak < 0.2 {
            return None;
        }
        let tail = mean.len() - mean.len() / 6;
        let inside = mean[tail..].iter().sum::<f64>() / (mean.len() - tail) as f64;
        let inside = inside.max(0.0);
        let outer = crossing(mean, 0.5 * peak)?;
        let has_line = !is_fill || inside < 0.72 * peak;
        let (middle, width) = if has_line {
            let top = mean.iter().position(|v| *v == peak)?;
            let level = 0.5 * (peak + inside);
            let after = (top..mean.len()).find(|k| mean[*k] < level)?;
            let (a, b) = (mean[after - 1], mean[after]);
            let inner = after as f64 - 1.0 + (a - level) / (a - b).max(1e-9);
            (0.5 * (outer + inner), inner - outer)
        } else {
            (outer, 0.0)
        };
        Some(Self { mean: mean.to_vec(), middle, width })
    }
}

/// Where a profile first reaches a level.
fn crossing(profile: &[f64], level: f64) -> Option<f64> {
    let k = profile.iter().position(|v| *v >= level)?;
    if k == 0 {
        return Some(0.0);
    }
    let (a, b) = (profile[k - 1], profile[k]);
    Some(k as f64 - 1.0 + (level - a) / (b - a).max(1e-9))
}

/// Ink at a position: the dot product of the difference and full ink, and full ink squared.
fn ink_at(difference: &Difference, pen: Ink, [x, y]: [f64; 2]) -> [f64; 2] {
    let (width, height) = (difference.annotated.width as f64, difference.annotated.height as f64);
    if x < 0.0 || y < 0.0 || x >= width || y >= height {
        return [0.0, 0.0];
    }
    let (u, v) = ((x - 0.5).clamp(0.0, width - 1.001), (y - 0.5).clamp(0.0, height - 1.001));
    let (i, j) = (u as usize, v as usize);
    let (fu, fv) = ((u - i as f64) as f32, (v - j as f64) as f32);
    let mut sum = [0.0_f32; 2];
    for (dx, dy, w) in
        [(0, 0, (1.0 - fu) * (1.0 - fv)), (1, 0, fu * (1.0 - fv)), (0, 1, (1.0 - fu) * fv), (1, 1, fu * fv)]
    {
        let at = (j + dy).min(difference.annotated.height - 1) * difference.annotated.width
            + (i + dx).min(difference.annotated.width - 1);
        let (a, p) = (difference.annotated.values[at], difference.predicted.values[at]);
        for c in 0..3 {
            let full = pen.over(p)[c] - p[c];
            sum[0] += w * (a[c] - p[c]) * full;
            sum[1] += w * full * full;
        }
    }
    [f64::from(sum[0]), f64::from(sum[1])]
}

/// Depth inside the contour of a fill at which the difference is largest: its line, if it has one. The contour is too
/// wide because fills are detected by a mean over pixels.
fn line_depth(difference: &Difference, line: &[[f64; 2]], normals: &[[f64; 2]]) -> f64 {
    let (width, height) = (difference.size.width, difference.size.height);
    let median = |depth: f64| {
        let along = line.iter().zip(normals).map(|(p, n)| (p[0] - n[0] * depth, p[1] - n[1] * depth));
        let inside = along.filter(|(x, y)| *x >= 0.0 && *y >= 0.0 && *x < width as f64 && *y < height as f64);
        let mut sizes: Vec<f32> =
            inside.map(|(x, y)| difference.size.values[y as usize * width + x as usize]).collect();
        quantile(&mut sizes, 0.5)
    };
    let depths = (2..=24).map(|k| f64::from(k) * 0.5);
    depths.map(|d| (d, median(d))).fold((1.0, 0.0), |best, d| if d.1 > best.1 * 1.05 { d } else { best }).0
}

/// Fits the ink of the pixels `depth` inside a line.
fn pen(difference: &Difference, line: &[[f64; 2]], normals: &[[f64; 2]], depth: f64) -> Option<Ink> {
    let (width, height) = (difference.annotated.width, difference.annotated.height);
    let mut samples = Vec::new();
    for (p, n) in line.iter().zip(normals) {
        let (x, y) = ((p[0] - n[0] * depth) as isize, (p[1] - n[1] * depth) as isize);
        if x < 0 || y < 0 || x >= width as isize || y >= height as isize {
            continue;
        }
        let i = y as usize * width + x as usize;
        // Without a difference there is a gap, or ground of the pen's color.
        if !difference.outside[i] && difference.size.values[i] > 2.0 * difference.noise.values[i] {
            samples.push((difference.annotated.values[i], difference.predicted.values[i]));
        }
    }
    Ink::fit(&samples)
}
