//! Normalized segments, and how well a frame explains them. Units are longer sides of the image, from the principal point.

use glam::{DMat3, DVec2, DVec3};

use crate::lines::Segment;

/// A focal length, and the axes X, Y, Z as columns in camera axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hypothesis {
    pub(super) focal: f64,
    pub(super) rotation: DMat3,
}

/// A segment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) middle: DVec2,
    pub(crate) along: DVec2,
    pub(crate) length: f64,
    /// Weight, 1 for a segment of ordinary length.
    pub(crate) weight: f64,
    /// Standard error of its direction, radians.
    pub(crate) sigma: f64,
}

impl Piece {
    /// Sine of the angle between the segment and the line from its midpoint to a vanishing point.
    pub(crate) fn off(&self, vanishing: DVec3) -> f64 {
        let toward = vanishing.truncate() - self.middle * vanishing.z;
        self.along.perp_dot(toward) / toward.length().max(1e-12)
    }

    /// 1 where the segment points to the vanishing point, falling to 0.
    pub(crate) fn fit(&self, vanishing: DVec3) -> f64 {
        let z = self.off(vanishing) / self.sigma;
        (-0.5 * z * z).exp()
    }
}

/// All segments.
pub(crate) struct Evidence {
    pub(crate) pieces: Vec<Piece>,
}

/// Error of a direction that does not shrink with length (crooked walls, lens distortion), radians; and error of an endpoint.
const BENT: f64 = 0.5 * std::f64::consts::PI / 180.0;
const END: f64 = 0.8e-3;
/// Number of longest segments that are used.
const MOST: usize = 700;

/// Weight of nearby parallel segments, including this one, relative to its own: the slats of a blind are one observation, not
/// thirty.
fn crowd(piece: &Piece, all: &[Piece]) -> f64 {
    const NEAR: f64 = 0.06;
    const ALIKE: f64 = 0.05;
    let is_near = |q: &&Piece| {
        piece.along.perp_dot(q.along).abs() < ALIKE && piece.middle.distance_squared(q.middle) < NEAR * NEAR
    };
    all.iter().filter(is_near).map(|q| (q.weight / piece.weight).min(1.0)).sum::<f64>().max(1.0)
}

impl Evidence {
    pub(crate) fn new(segments: &[Segment], center: DVec2, unit: f64) -> Self {
        let mut pieces: Vec<Piece> = segments
            .iter()
            .filter(|s| s.length() > 0.012 * unit)
            .map(|s| {
                let length = s.length() / unit;
                Piece {
                    middle: (DVec2::from_array(s.middle()) - center) / unit,
                    along: DVec2::from_array(s.direction()),
                    length,
                    weight: (length / 0.08).powf(0.8).min(3.0),
                    sigma: BENT.hypot(END / length),
                }
            })
            .collect();
        pieces.sort_by(|a, b| b.length.total_cmp(&a.length));
        pieces.truncate(MOST);
        let crowds: Vec<f64> = pieces.iter().map(|p| crowd(p, &pieces)).collect();
        pieces.iter_mut().zip(crowds).for_each(|(p, n)| p.weight /= n.sqrt());
        Self { pieces }
    }

    /// Only the longest segments.
    pub(super) fn longest(&self, count: usize) -> Self {
        Self { pieces: self.pieces.iter().take(count).copied().collect() }
    }

    /// Number of explained segments, in segments of ordinary length, minus the penalty of an unlikely camera.
    pub(super) fn score(&self, hypothesis: &Hypothesis, (focal, spread): (f64, f64)) -> f64 {
        let vanishing = hypothesis.vanishing();
        let sum: f64 =
            self.pieces.iter().map(|p| p.weight * vanishing.map(|v| p.fit(v)).into_iter().fold(0.0, f64::max)).sum();
        let up = hypothesis.rotation.z_axis;
        let (pitch, roll) = (up.z.abs().min(1.0).asin(), (up.x / up.y).atan());
        let log = (hypothesis.focal / focal).ln() / spread;
        sum - 0.5 * (log * log + (pitch / PITCH).powi(2) + (roll / ROLL).powi(2))
    }

    /// Share of the length along each axis.
    pub(super) fn shares(&self, hypothesis: &Hypothesis) -> [f64; 3] {
        let mut shares = [0.0; 3];
        for (piece, axis) in self.assigned(hypothesis) {
            shares[axis] += piece.length;
        }
        let total: f64 = self.pieces.iter().map(|p| p.length).sum();
        shares.map(|s| s / total)
    }

    /// Shares of the length of vertical segments in the left and right half of the image.
    pub(super) fn upright_balance(&self, hypothesis: &Hypothesis) -> [f64; 2] {
        let mut sides = [0.0, 0.0];
        for (piece, _) in self.assigned(hypothesis).filter(|(_, axis)| *axis == 2) {
            sides[usize::from(piece.middle.x > 0.0)] += piece.length;
        }
        let total: f64 = sides.iter().sum();
        sides.map(|s| if total > 0.0 { s / total } else { 0.0 })
    }

    /// Segments that clearly run along an axis, with that axis.
    fn assigned(&self, hypothesis: &Hypothesis) -> impl Iterator<Item = (&Piece, usize)> {
        let vanishing = hypothesis.vanishing();
        self.pieces.iter().filter_map(move |piece| {
            let off = vanishing.map(|v| piece.off(v).abs());
            let axis = (0..3).min_by(|a, b| off[*a].total_cmp(&off[*b]))?;
            (off[axis] < 2.0 * piece.sigma).then_some((piece, axis))
        })
    }
}

/// Typical pitch and roll of cameras, radians.
const PITCH: f64 = 20.0 * std::f64::consts::PI / 180.0;
const ROLL: f64 = 6.0 * std::f64::consts::PI / 180.0;

impl Hypothesis {
    /// Vanishing points of X, Y and Z, homogeneous.
    pub(super) fn vanishing(&self) -> [DVec3; 3] {
        let point = |axis: DVec3| DVec3::new(axis.x * self.focal, axis.y * self.focal, axis.z);
        [point(self.rotation.x_axis), point(self.rotation.y_axis), point(self.rotation.z_axis)]
    }
}
