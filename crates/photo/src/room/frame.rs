//! The Manhattan frame: focal length and the three directions of a room or house from line segments.
//!
//! Gravity first: vertical vanishing points are proposed from pairs of upright segments, without a focal length; for
//! each of them and each of a row of focal lengths, all other segments vote for the turn about the vertical. The best
//! hypotheses are refined together with the focal length by reweighted least squares (after Košecká and Zhang 2002, and
//! the Manhattan search of Bazin et al. 2012). Nothing is drawn by chance.
mod evidence;
mod refine;
mod upright;
mod yaw;

use glam::{DMat3, DVec2, DVec3};

use super::camera::{Camera, middle};
use crate::Photo;
use crate::lines::Segment;
use evidence::{Evidence, Hypothesis};

/// What is known about the camera beforehand.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hints {
    /// The focal length in pixels, as EXIF tells it or as it was calibrated.
    pub focal: Option<f64>,
    /// How far the told focal length may be off, as a share of it; 0.05 where none is given.
    pub focal_tolerance: Option<f64>,
    /// The principal point in pixels; the middle of the picture where none is given.
    pub center: Option<[f64; 2]>,
}

impl Hints {
    /// What a photo's own metadata tell.
    #[must_use]
    pub fn of(photo: &Photo) -> Self {
        Self { focal: photo.focal(), ..Self::default() }
    }
}

/// How the camera stood against the room's axes, and how sure that is.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The camera.
    pub camera: Camera,
    /// Share of the length of all segments that runs along X, Y and Z, 0 to 1 each.
    pub shares: [f64; 3],
    /// The range of focal lengths that explain the segments almost as well, pixels. Narrow: told by the lines. As wide
    /// as the search: they do not tell.
    pub focal_range: [f64; 2],
    /// How sharply the lines tell the focal length: 1 within a few per cent, 0 not at all. Where the focal length was
    /// given, it is what the lines alone would tell.
    pub focal_sharpness: f64,
    /// Upright segments by where they stand: the shares of their length in the left and the right half. A vertical
    /// direction is safe where both are well above 0.
    pub upright_balance: [f64; 2],
}

impl Frame {
    /// Finds the frame of a picture of the given size; none where there are fewer than eight segments.
    #[must_use]
    pub fn find(segments: &[Segment], width: usize, height: usize, hints: &Hints) -> Option<Self> {
        if segments.len() < 8 {
            return None;
        }
        let center = hints.center.map_or_else(|| middle(width, height), DVec2::from_array);
        let unit = width.max(height) as f64;
        let evidence = Evidence::new(segments, center, unit);
        let tolerance = hints.focal_tolerance.unwrap_or(0.05).max(1e-3);
        let prior = hints.focal.map_or((PRIOR_FOCAL, PRIOR_SPREAD), |focal| (focal / unit, tolerance));
        let focals: Vec<f64> = match hints.focal {
            Some(focal) => vec![focal / unit],
            None => (0..FOCALS).map(focal_of).collect(),
        };
        let best = search(&evidence, &focals, prior)?;

        let (focal_range, focal_sharpness) = sharpness(&evidence, &best, prior.0);
        let shares = evidence.shares(&best);
        let camera = Camera { width, height, focal: best.focal * unit, center, rotation: named(best.rotation) };
        // Names of the two horizontal axes may have changed places.
        let swapped = camera.rotation.x_axis.dot(best.rotation.x_axis).abs() < 0.5;
        let shares = if swapped { [shares[1], shares[0], shares[2]] } else { shares };
        Some(Self {
            camera,
            shares,
            focal_range: focal_range.map(|f| f * unit),
            focal_sharpness,
            upright_balance: evidence.upright_balance(&best),
        })
    }

    /// Share of the length of all segments that the frame explains, 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.shares.iter().sum()
    }

    /// The vertical vanishing point, homogeneous in pixels.
    #[must_use]
    pub fn vertical(&self) -> [f64; 3] {
        self.camera.vanishing_point(DVec3::Z).to_array()
    }

    /// The axis (0 X, 1 Y, 2 Z) that a segment runs along, if it does within `degrees`.
    #[must_use]
    pub fn axis_of(&self, segment: &Segment, degrees: f64) -> Option<usize> {
        let off = self.off_axes(segment);
        let best = (0..3).min_by(|a, b| off[*a].total_cmp(&off[*b]))?;
        (off[best] < degrees).then_some(best)
    }

    /// How many of the three axes a segment runs along within `degrees`.
    pub(super) fn axes_near(&self, segment: &Segment, degrees: f64) -> usize {
        self.off_axes(segment).into_iter().filter(|off| *off < degrees).count()
    }

    /// Degrees between a segment and the lines from its middle to the three vanishing points.
    fn off_axes(&self, segment: &Segment) -> [f64; 3] {
        let middle = DVec2::from_array(segment.middle());
        let along = DVec2::from_array(segment.direction());
        [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| {
            let vanishing = self.camera.vanishing_point(axis);
            let towards = (vanishing.truncate() - middle * vanishing.z).normalize_or_zero();
            along.perp_dot(towards).abs().min(1.0).asin().to_degrees()
        })
    }
}

/// Where nothing is told, focal lengths are about 0.8 of the longer side (a phone's 29 mm), between wide rooms' 0.45 and
/// a normal lens's 1.4: the mean and spread of its logarithm.
const PRIOR_FOCAL: f64 = 0.80;
const PRIOR_SPREAD: f64 = 0.40;
/// Focal lengths tried, each 15 % above the one before, from 0.36 of the longer side.
const FOCALS: usize = 14;

fn focal_of(step: usize) -> f64 {
    0.36 * 1.15_f64.powi(step as i32)
}

/// The best frame of all hypotheses, refined.
fn search(evidence: &Evidence, focals: &[f64], prior: (f64, f64)) -> Option<Hypothesis> {
    let mut seeds: Vec<(f64, Hypothesis)> = Vec::new();
    let coarse = evidence.longest(COARSE);
    for upright in upright::candidates(evidence) {
        for &focal in focals {
            let up = DVec3::new(upright.x / focal, upright.y / focal, upright.z).normalize();
            for rotation in yaw::peaks(&coarse, focal, up) {
                let hypothesis = Hypothesis { focal, rotation };
                seeds.push((coarse.score(&hypothesis, prior), hypothesis));
            }
        }
    }
    let best_of = |mut scored: Vec<(f64, Hypothesis)>, keep: usize| {
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        scored.truncate(keep);
        scored
    };
    let seeds = best_of(seeds, REFINED);
    let near = seeds.into_iter().map(|(_, seed)| {
        let better = refine::refined(&coarse, seed, prior, true, 4);
        (evidence.score(&better, prior), better)
    });
    let refined = best_of(near.collect(), FINISHED).into_iter().map(|(_, seed)| {
        let better = refine::refined(evidence, seed, prior, true, 10);
        (evidence.score(&better, prior), better)
    });
    refined.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, best)| best)
}

/// Hypotheses that are refined roughly, and those of them that are refined to the end.
const REFINED: usize = 60;
const FINISHED: usize = 10;
/// Segments, the longest, that the search looks at; all decide in the end.
const COARSE: usize = 260;

/// The focal lengths that explain the lines nearly as well, with the rotation refined for each; and how sharp that is.
fn sharpness(evidence: &Evidence, best: &Hypothesis, prior: f64) -> ([f64; 2], f64) {
    let wide = (prior, 10.0);
    let full = evidence.score(best, wide);
    let walk = |factor: f64| {
        let mut current = *best;
        let mut edge = best.focal;
        for _ in 0..12 {
            current =
                refine::refined(evidence, Hypothesis { focal: current.focal * factor, ..current }, wide, false, 5);
            if full - evidence.score(&current, wide) > CLEARLY_WORSE {
                return (current.focal * edge).sqrt();
            }
            edge = current.focal;
        }
        edge
    };
    let range = [walk(1.0 / 1.1), walk(1.1)];
    let spread = (range[1] / range[0]).ln();
    (range, (1.0 - (spread - 0.1) / 1.0).clamp(0.0, 1.0))
}

/// A loss of score, in segments of ordinary length, that is no chance.
const CLEARLY_WORSE: f64 = 1.5;

/// The same axes under their names: Z up, Y the horizontal one that points forward most, X to its right.
fn named(rotation: DMat3) -> DMat3 {
    let up = if rotation.z_axis.y > 0.0 { -rotation.z_axis } else { rotation.z_axis };
    let [a, b] = [rotation.x_axis, rotation.y_axis];
    let away = if a.z.abs() > b.z.abs() { a } else { b };
    let away = if away.z < 0.0 { -away } else { away };
    DMat3::from_cols(away.cross(up), away, up)
}

#[cfg(test)]
mod tests;
