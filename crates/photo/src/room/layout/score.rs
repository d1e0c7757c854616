//! Score of a box layout against the image evidence.

use glam::{DMat3, DVec3};

use super::face::{Distances, Face, greatest};
use super::image_evidence::ImageEvidence;
use super::outline;
use crate::room::camera::Camera;

/// Terms of a score, and their sum.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Score {
    pub(super) edges: f64,
    pub(super) violations: f64,
    pub(super) colors: f64,
    pub(super) total: f64,
}

/// Support below which an edge counts against a layout, and the weights of the terms.
const BARE_EDGE: f64 = 0.30;
const EDGES: f64 = 1.0;
const VIOLATIONS: f64 = 3.0;
const COLORS: f64 = 1.5;
const CLASSES: f64 = 3.0;
/// Log-normal prior of the ceiling, in camera heights above the camera.
const CEILING: f64 = 0.86;
const CEILING_SPREAD: f64 = 0.30;
const CEILING_WEIGHT: f64 = 0.08;

/// Scores layouts against the evidence of one image.
pub(super) struct Scorer<'a> {
    pub(super) image: &'a ImageEvidence,
    to_pixel: DMat3,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(image: &'a ImageEvidence, camera: &Camera) -> Self {
        let to_sight = DMat3::from_cols(
            DVec3::X / camera.focal,
            DVec3::Y / camera.focal,
            (-camera.center / camera.focal).extend(1.0),
        );
        Self { image, to_pixel: (camera.rotation.transpose() * to_sight).transpose() }
    }

    pub(super) fn functions(&self, distances: &Distances) -> [DVec3; 5] {
        distances.coefficients().map(|c| self.to_pixel * c)
    }

    pub(super) fn score(&self, distances: &Distances) -> Score {
        self.score_above(distances, f64::NEG_INFINITY, 1.0)
    }

    /// The score. Colors are the most expensive term: they are evaluated only if the total could exceed `bar` with `colors`
    /// explained.
    pub(super) fn score_above(&self, distances: &Distances, bar: f64, colors: f64) -> Score {
        let functions = self.functions(distances);
        let (edges, gain) = self.edges(&functions);
        let high = (distances.ceiling / CEILING).ln() / CEILING_SPREAD;
        // Walls very near or very far are possible but rare.
        let rare: f64 = [distances.left, distances.right, distances.far]
            .map(|d| ((0.5 / d).ln().max(0.0) + (d / 6.0).ln().max(0.0)).powi(2))
            .iter()
            .sum();
        let before = EDGES * gain - CEILING_WEIGHT * 0.5 * high * high - 0.1 * rare;
        if before + COLORS * colors <= bar {
            return Score { edges, total: f64::NEG_INFINITY, ..Score::default() };
        }
        let violations = self.violations(&functions);
        let before = before - VIOLATIONS * violations;
        if before + COLORS * colors <= bar {
            return Score { edges, violations, total: f64::NEG_INFINITY, ..Score::default() };
        }
        let colors = self.colors(&functions);
        let classes = self.classes(&functions);
        Score { edges, violations, colors, total: before + COLORS * colors + CLASSES * (classes - 1.0) }
    }

    /// The score without colors and priors, for a first ranking.
    pub(super) fn outline_score(&self, distances: &Distances) -> f64 {
        let functions = self.functions(distances);
        EDGES * self.edges(&functions).1 - VIOLATIONS * self.violations(&functions)
    }

    /// Mean support of the visible edges, and their contribution to the score.
    fn edges(&self, functions: &[DVec3; 5]) -> (f64, f64) {
        let ImageEvidence { width, height, step, .. } = *self.image;
        let side = width.max(height);
        let (mut sum, mut total, mut gain) = (0.0, 0.0, 0.0);
        for (a, b, axis) in outline::EDGES {
            let Some([from, to]) = outline::edge(functions, a, b, width, height) else { continue };
            let length = (to - from).length();
            if length < 2.0 * step {
                continue;
            }
            let count = ((length / (2.5 * step)) as usize).clamp(3, 60);
            let support: f64 = (0..count)
                .map(|i| self.image.support(axis, from.lerp(to, (i as f64 + 0.5) / count as f64)))
                .sum::<f64>()
                / count as f64;
            sum += support * length;
            total += length;
            gain += (support - BARE_EDGE) * (length / side).sqrt();
        }
        (if total > 0.0 { sum / total } else { 0.0 }, gain)
    }

    fn violations(&self, functions: &[DVec3; 5]) -> f64 {
        self.image.violations(|[x, y]| Face::ALL[greatest(functions, DVec3::new(x, y, 1.0))].axis())
    }

    /// Mean probability of the classes that the faces allow.
    fn classes(&self, functions: &[DVec3; 5]) -> f64 {
        let pixels = self.image.colors.iter().zip(&self.image.classes);
        let sum: f32 =
            pixels.map(|((place, _), classes)| allowed(Face::ALL[greatest(functions, *place)], classes)).sum();
        f64::from(sum) / self.image.classes.len() as f64
    }

    fn colors(&self, functions: &[DVec3; 5]) -> f64 {
        let mut sums = [[0.0_f32; 5]; 5];
        for (place, color) in &self.image.colors {
            let sum = &mut sums[greatest(functions, *place)];
            sum[0] += 1.0;
            sum[1] += color[0] * color[0] + color[1] * color[1] + color[2] * color[2];
            (0..3).for_each(|c| sum[2 + c] += color[c]);
        }
        let within: f32 = sums.iter().map(|s| s[1] - (s[2] * s[2] + s[3] * s[3] + s[4] * s[4]) / s[0].max(1.0)).sum();
        f64::from(1.0 - within / self.image.variance.max(1e-3))
    }
}

/// Probability that a pixel with these class probabilities lies on a face. Furniture and fixtures hide floor and walls.
pub(super) fn allowed(face: Face, classes: &[f32; aerie_segmentation::CLASSES]) -> f32 {
    let [floor, wall, ceiling, window, door, fixture, furniture, _] = *classes;
    match face {
        Face::Floor => floor + 0.5 * (fixture + furniture),
        Face::Ceiling => ceiling + 0.3 * (window + fixture),
        Face::Left | Face::Right | Face::Far => wall + window + door + 0.7 * (fixture + furniture),
    }
}
