//! The difference between the annotated and the clean picture, with the noise level expected from encoding and
//! resampling.
//!
//! The clean picture is warped onto the annotated one and color-corrected by a polynomial that also sharpens or blurs.
//! The fit starts from the margin, where boundaries are rare, so that a fill over half the picture is not mistaken for
//! a color shift.

use aerie_register::{Homography, Plane};

use crate::mask::Mask;
use crate::picture::{Image, quantile};

/// Terms of the color fit.
const TERMS: usize = 8;

/// Width of the edge around the covered part that is not compared, pixels.
const EDGE: f32 = 4.0;

/// Weight of the pull toward the previous coefficients, relative to all pixels.
const DAMPING: f64 = 1e-5;

/// The annotated picture, its prediction from the clean one, and their difference, in pixels of the annotated picture.
pub(crate) struct Difference {
    pub(crate) annotated: Image,
    /// The annotated picture without the drawing, predicted from the clean one.
    pub(crate) predicted: Image,
    /// Norm of the color difference, in levels.
    pub(crate) size: Plane,
    /// Norm expected here where nothing is drawn, in levels.
    pub(crate) noise: Plane,
    /// Pixels that the clean picture does not cover.
    pub(crate) outside: Vec<bool>,
}

impl Difference {
    /// Compares the pictures. `map` converts pixels of the annotated picture to those of the clean one.
    pub(crate) fn new(annotated: Image, clean: &Image, map: &Homography) -> Self {
        let (warped, outside) = warp(&annotated, clean, map);
        let margin = Margin::new(&outside, annotated.width, annotated.height);
        let terms = Terms::new(&warped);
        let predicted = color_corrected(&annotated, &warped, &terms, &outside, &margin);
        let size = annotated.values.iter().zip(&predicted.values).zip(&outside);
        let size = size.map(|((a, p), out)| if *out { 0.0 } else { length(*a, *p) }).collect();
        let size = Plane::new(annotated.width, annotated.height, size);
        let noise = noise_level(&size, &predicted, &outside, &margin);
        Self { annotated, predicted, size, noise, outside }
    }
}

fn length(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f32>().sqrt()
}

/// Resamples the clean picture onto the annotated one's pixel grid, at its resolution.
fn warp(annotated: &Image, clean: &Image, map: &Homography) -> (Image, Vec<bool>) {
    let (sx, sy) = (map.0[0][0].abs().max(1e-3), map.0[1][1].abs().max(1e-3));
    let side = |s: usize, scale: f64| ((s as f64 / scale.max(1.0)).round() as usize).clamp(1, s);
    let reduced = clean.resized(side(clean.width, sx), side(clean.height, sy));
    let ratio = |to: usize, from: usize| to as f64 / from as f64;
    let down = Homography::scaling([ratio(reduced.width, clean.width), ratio(reduced.height, clean.height)]);
    let map = down.after(map);
    let mut values = Vec::with_capacity(annotated.values.len());
    let mut outside = Vec::with_capacity(annotated.values.len());
    for y in 0..annotated.height {
        for x in 0..annotated.width {
            let [u, v] = map.apply([x as f64 + 0.5, y as f64 + 0.5]);
            values.push(reduced.cubic(u as f32, v as f32));
            outside.push(u < -0.5 || v < -0.5 || u > reduced.width as f64 + 0.5 || v > reduced.height as f64 + 0.5);
        }
    }
    // Encoders blur the edge of the picture into what surrounds it.
    if outside.contains(&true) {
        outside = Mask::new(annotated.width, annotated.height, outside).dilated(EDGE).set;
    }
    (Image { width: annotated.width, height: annotated.height, values }, outside)
}

/// The outer part of what the clean picture covers, where boundaries are rare.
struct Margin {
    /// Left, top, right and bottom of the covered part.
    bounds: [usize; 4],
    ring: usize,
}

impl Margin {
    fn new(outside: &[bool], width: usize, height: usize) -> Self {
        let mut bounds = [width, height, 0, 0];
        for (i, _) in outside.iter().enumerate().filter(|(_, out)| !**out) {
            let (x, y) = (i % width, i / width);
            bounds = [bounds[0].min(x), bounds[1].min(y), bounds[2].max(x), bounds[3].max(y)];
        }
        let [left, top, right, bottom] = bounds;
        Self { bounds, ring: right.saturating_sub(left).min(bottom.saturating_sub(top)) / 8 }
    }

    /// The side of the margin that a covered pixel lies in: left, right, top or bottom.
    fn side(&self, x: usize, y: usize) -> Option<usize> {
        let [left, top, right, bottom] = self.bounds;
        let away = [x.saturating_sub(left), right.saturating_sub(x), y.saturating_sub(top), bottom.saturating_sub(y)];
        let (side, away) = away.into_iter().enumerate().min_by_key(|(_, away)| *away)?;
        (away < self.ring).then_some(side)
    }
}

/// Terms of the color fit for each pixel: a constant, the colors, powers of the channel, and the details removed by two
/// small blurs.
struct Terms {
    fine: [Plane; 3],
    coarse: [Plane; 3],
}

impl Terms {
    fn new(warped: &Image) -> Self {
        let detail = |radius| {
            [0, 1, 2].map(|c| {
                let plane = warped.channel(c);
                let soft = plane.box_mean(radius);
                let values = plane.values.iter().zip(&soft.values).map(|(v, s)| v - s).collect();
                Plane::new(warped.width, warped.height, values)
            })
        };
        Self { fine: detail(1), coarse: detail(2) }
    }

    fn at(&self, warped: &Image, i: usize, channel: usize) -> [f64; TERMS] {
        let [r, g, b] = warped.values[i].map(|v| f64::from(v) / 255.0 - 0.5);
        let own = [r, g, b][channel];
        let detail = |of: &[Plane; 3]| f64::from(of[channel].values[i]) / 255.0;
        [1.0, r, g, b, own * own, own * own * own, detail(&self.fine), detail(&self.coarse)]
    }
}

/// Corrects the clean colors to match the annotated ones.
fn color_corrected(annotated: &Image, warped: &Image, terms: &Terms, outside: &[bool], margin: &Margin) -> Image {
    let (width, height) = (annotated.width, annotated.height);
    // 60,000 pixels are plenty for eight unknowns.
    let stride = ((width * height) as f64 / 60_000.0).sqrt().floor().max(1.0) as usize;
    let mut samples = Vec::new();
    for y in (0..height).step_by(stride) {
        for x in (0..width).step_by(stride) {
            if !outside[y * width + x] {
                samples.push((y * width + x, margin.side(x, y).is_some()));
            }
        }
    }
    let mut values = warped.values.clone();
    for channel in 0..3 {
        let rows: Vec<([f64; TERMS], f64, bool)> = samples
            .iter()
            .map(|(i, margin)| (terms.at(warped, *i, channel), f64::from(annotated.values[*i][channel]), *margin))
            .collect();
        let Some(fit) = robust_fit(&rows, channel) else { continue };
        for (i, out) in values.iter_mut().enumerate() {
            let t = terms.at(warped, i, channel);
            out[channel] = t.iter().zip(&fit).map(|(t, f)| t * f).sum::<f64>() as f32;
        }
    }
    Image { width, height, values }
}

/// Fits by least squares with Tukey weights: first over the margin, then over every pixel that agrees with it.
fn robust_fit(rows: &[([f64; TERMS], f64, bool)], channel: usize) -> Option<[f64; TERMS]> {
    // Start from unchanged colors.
    let mut fit = [0.0; TERMS];
    fit[0] = 127.5;
    fit[1 + channel] = 255.0;
    let mut scale = f64::INFINITY;
    for round in 0..10 {
        let whole = round >= 5;
        let residual = |(terms, value, _): &([f64; TERMS], f64, bool), fit: &[f64; TERMS]| {
            value - terms.iter().zip(fit).map(|(t, f)| t * f).sum::<f64>()
        };
        if round < 6 {
            let mut sizes: Vec<f32> = rows.iter().filter(|r| r.2).map(|r| residual(r, &fit).abs() as f32).collect();
            scale = f64::from(1.4826 * quantile(&mut sizes, 0.5)).max(0.8);
        }
        let cut = 4.685 * scale;
        let mut normal = [[0.0; TERMS]; TERMS];
        let mut right = [0.0; TERMS];
        for row in rows.iter().filter(|r| whole || r.2) {
            // Everything counts in the first round: contrast may have changed a lot.
            let weight = if round == 0 { 1.0 } else { (1.0 - (residual(row, &fit) / cut).powi(2)).max(0.0).powi(2) };
            if weight <= 0.0 {
                continue;
            }
            for i in 0..TERMS {
                right[i] += weight * row.0[i] * row.1;
                for (sum, other) in normal[i].iter_mut().zip(&row.0[..=i]) {
                    *sum += weight * row.0[i] * other;
                }
            }
        }
        // Damping, for pictures of few colors.
        let total = normal[0][0].max(1.0);
        for i in 0..TERMS {
            normal[i][i] += DAMPING * total;
            right[i] += DAMPING * total * fit[i];
        }
        fit = cholesky(&normal, &right)?;
    }
    Some(fit)
}

/// Solves a positive definite system given by its lower triangle.
fn cholesky(normal: &[[f64; TERMS]; TERMS], right: &[f64; TERMS]) -> Option<[f64; TERMS]> {
    let mut l = [[0.0; TERMS]; TERMS];
    for i in 0..TERMS {
        for j in 0..=i {
            let sum: f64 = normal[i][j] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>();
            if i == j {
                if sum <= 0.0 {
                    return None;
                }
                l[i][i] = sum.sqrt();
            } else {
                l[i][j] = sum / l[j][j];
            }
        }
    }
    let mut y = [0.0; TERMS];
    for i in 0..TERMS {
        y[i] = (right[i] - (0..i).map(|k| l[i][k] * y[k]).sum::<f64>()) / l[i][i];
    }
    let mut x = [0.0; TERMS];
    for i in (0..TERMS).rev() {
        x[i] = (y[i] - (i + 1..TERMS).map(|k| l[k][i] * x[k]).sum::<f64>()) / l[i][i];
    }
    Some(x)
}

/// Estimates the noise level from local contrast: encoding and resampling errors concentrate at edges.
fn noise_level(size: &Plane, predicted: &Image, outside: &[bool], margin: &Margin) -> Plane {
    const CLASSES: usize = 18;
    let (width, height) = (size.width, size.height);
    // Deviation over 7 by 7 pixels, because quantization errors spread over a block. Colors count too: encoders
    // subsample them.
    let mut roughness = vec![0.0_f32; width * height];
    for channel in 0..3 {
        let plane = predicted.channel(channel);
        let mean = plane.box_mean(3);
        let square = Plane::new(width, height, plane.values.iter().map(|v| v * v).collect()).box_mean(3);
        for (sum, (m, s)) in roughness.iter_mut().zip(mean.values.iter().zip(&square.values)) {
            *sum += (s - m * m).max(0.0);
        }
    }
    roughness.iter_mut().for_each(|r| *r = r.sqrt());
    let class = |roughness: f32| (((1.0 + roughness).ln() * 4.0) as usize).min(CLASSES - 1);
    let mut all = Vec::with_capacity(width * height);
    let mut margins = vec![[(); 4].map(|()| Vec::new()); CLASSES];
    for y in 0..height {
        for x in 0..width {
            let i = y * width + x;
            if outside[i] {
                continue;
            }
            let k = class(roughness[i]);
            all.push(size.values[i]);
            if let Some(side) = margin.side(x, y) {
                margins[k][side].push(size.values[i]);
            }
        }
    }
    // Errors at edges are few and large, so the upper tail is scaled as for a normal distribution.
    let of_side = |side: &mut Vec<f32>| quantile(side, 0.5).max(quantile(side, 0.9) / 1.63);
    let mut levels = [(0.0, 0.0); CLASSES];
    for k in 0..CLASSES {
        // The second quietest side of the margin, because a boundary may come near the others.
        let mut sides: Vec<f32> = margins[k].iter_mut().filter(|s| s.len() > 60).map(of_side).collect();
        let weight = margins[k].iter().map(Vec::len).sum::<usize>() as f32;
        levels[k] = match sides.len() {
            0 => (0.0, 0.0),
            1 | 2 => (quantile(&mut sides, 0.0), weight),
            n => (quantile(&mut sides, 1.0 / (n - 1) as f64), weight),
        };
    }
    let levels = monotone_levels(levels, quantile(&mut all, 0.4) * 1.15);
    let values = roughness.iter().map(|r| levels[class(*r)]).collect();
    Plane::new(width, height, values).box_mean(1)
}

/// Makes noise levels rise with roughness (pool adjacent violators). Classes without weight take the level of the
/// smoother class before them.
fn monotone_levels<const N: usize>(levels: [(f32, f32); N], fallback: f32) -> [f32; N] {
    let mut pools: Vec<(f32, f32, usize)> = Vec::new();
    for (level, weight) in levels {
        pools.push((level, weight, 1));
        while let [.., a, b] = pools.as_slice()
            && (b.1 == 0.0 || a.1 == 0.0 || a.0 > b.0)
        {
            let weight = a.1 + b.1;
            let level = if weight > 0.0 { (a.0 * a.1 + b.0 * b.1) / weight } else { 0.0 };
            let merged = (level, weight, a.2 + b.2);
            pools.truncate(pools.len() - 2);
            pools.push(merged);
        }
    }
    let mut out = [fallback.max(1.0); N];
    let mut k = 0;
    for (level, weight, count) in pools {
        for out in &mut out[k..k + count] {
            *out = if weight > 0.0 { level } else { fallback }.max(1.0);
        }
        k += count;
    }
    out
}
