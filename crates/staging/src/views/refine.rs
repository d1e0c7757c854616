//! Refines the pose of the second camera, with what the tilts and focal lengths of both cameras lack, by robust least squares
//! (Levenberg 1944, Marquardt 1963; Cauchy weights).

use super::observation::Depth;
use super::pose::{FLOOR_SPREAD, SURFACE_SPREAD};
use super::pose::{FOCALS, HEIGHT, Pair, Rig, TILTS, UNKNOWNS, Unknowns, YAW};
use aerie_math::linear;
use aerie_photo::room::Camera;

/// Standard deviations of tilts, of the turn from a multiple of a quarter, radians, and of the logarithm of the scale.
const TILT: f64 = 0.012;
const TURN: f64 = 0.05;
const SCALE: f64 = 0.15;
/// Values per pair: direction and two distances.
const VALUES: usize = 5;

/// Two views to be registered.
pub(super) struct Setup<'a> {
    /// Their cameras.
    pub(super) cameras: [&'a Camera; 2],
    /// Heights of their cameras, meters.
    pub(super) eyes: [f64; 2],
    /// Standard deviations of the logarithms of their focal lengths.
    pub(super) focals: [f64; 2],
    /// Multiple of a quarter turn from the second room axes to the first ones.
    pub(super) quarters: usize,
}

impl Setup<'_> {
    /// The cameras.
    pub(super) fn rig(&self, unknowns: &Unknowns) -> Rig {
        Rig::new(self.cameras, self.eyes, unknowns)
    }

    /// The turn without deviation, radians.
    pub(super) fn turn(&self) -> f64 {
        std::f64::consts::FRAC_PI_2 * self.quarters as f64
    }

    /// What is known of the unknowns: mean and deviation.
    fn prior(&self, i: usize) -> Option<(f64, f64)> {
        match i {
            YAW => Some((self.turn(), TURN)),
            HEIGHT => Some((self.eyes[1].ln(), SCALE)),
            _ if i == FOCALS[0] => Some((0.0, self.focals[0])),
            _ if i == FOCALS[1] => Some((0.0, self.focals[1])),
            _ if i >= TILTS[0] => Some((0.0, TILT)),
            _ => None,
        }
    }

    /// Greatest correction of a tilt or focal length, in standard deviations.
    pub(super) fn correction(&self, unknowns: &Unknowns) -> f64 {
        let off = |i: usize| self.prior(i).map_or(0.0, |(mean, deviation)| ((unknowns[i] - mean) / deviation).abs());
        (TILTS[0]..UNKNOWNS).map(off).fold(0.0, f64::max)
    }

    /// Deviations of a pair in standard deviations.
    fn deviations(&self, rig: &Rig, pair: &Pair, spread: f64) -> [f64; VALUES] {
        /// Deviation of what is behind a camera.
        const BEHIND: f64 = 50.0;
        let Some(fit) = rig.fit(pair, spread) else { return [BEHIND; VALUES] };
        let distance = |i: usize| match pair.depths[i] {
            Depth::Floor => fit.deeper[i] / FLOOR_SPREAD,
            Depth::Surface(_) => fit.deeper[i] / SURFACE_SPREAD,
            Depth::Unknown => 0.0,
        };
        [fit.off.x / spread, fit.off.y / spread, fit.off.z / spread, distance(0), distance(1)]
    }

    fn cost(&self, pairs: &[Pair], unknowns: &Unknowns, spread: f64) -> f64 {
        let rig = self.rig(unknowns);
        let known: f64 =
            (0..UNKNOWNS).filter_map(|i| self.prior(i).map(|(m, d)| ((unknowns[i] - m) / d).powi(2))).sum();
        let of = |pair: &Pair| {
            let v = self.deviations(&rig, pair, spread);
            let direction: f64 = v[..3].iter().map(|v| v * v).sum();
            direction.ln_1p() + (v[3] * v[3]).ln_1p() + (v[4] * v[4]).ln_1p()
        };
        known + pairs.iter().map(of).sum::<f64>()
    }

    /// The unknowns that explain pairs best, from a start near them. `spread` is the uncertainty of directions, radians.
    pub(super) fn refined(&self, pairs: &[Pair], start: &Unknowns, spread: f64) -> Unknowns {
        let (mut best, mut damping) = (*start, 1e-3);
        let mut cost = self.cost(pairs, &best, spread);
        for _ in 0..25 {
            let (matrix, right) = self.normal_equations(pairs, &best, spread);
            let mut gained = 0.0;
            for _ in 0..6 {
                let mut damped = matrix;
                (0..UNKNOWNS).for_each(|i| damped[i][i] *= 1.0 + damping);
                let next = linear::solve(damped, right, 1e-12).map(|step| std::array::from_fn(|i| best[i] + step[i]));
                let value = next.map_or(f64::MAX, |next| self.cost(pairs, &next, spread));
                if let Some(next) = next.filter(|_| value < cost) {
                    (gained, best, cost, damping) = (cost - value, next, value, damping * 0.3);
                    break;
                }
                damping *= 8.0;
            }
            if gained < 1e-4 * cost {
                break;
            }
        }
        best
    }

    /// Matrix and right side of the normal equations with Cauchy weights.
    fn normal_equations(
        &self,
        pairs: &[Pair],
        at: &Unknowns,
        spread: f64,
    ) -> ([[f64; UNKNOWNS]; UNKNOWNS], [f64; UNKNOWNS]) {
        const STEP: f64 = 1e-5;
        let rig = self.rig(at);
        let moved: Vec<Rig> = (0..UNKNOWNS)
            .map(|i| {
                let mut next = *at;
                next[i] += STEP;
                self.rig(&next)
            })
            .collect();
        let (mut matrix, mut right) = ([[0.0; UNKNOWNS]; UNKNOWNS], [0.0; UNKNOWNS]);
        for i in 0..UNKNOWNS {
            if let Some((mean, deviation)) = self.prior(i) {
                matrix[i][i] += 1.0 / (deviation * deviation);
                right[i] += (mean - at[i]) / (deviation * deviation);
            }
        }
        for pair in pairs {
            let values = self.deviations(&rig, pair, spread);
            let direction: f64 = values[..3].iter().map(|v| v * v).sum();
            let squares = [direction, direction, direction, values[3] * values[3], values[4] * values[4]];
            let weights = squares.map(|s| 1.0 / (1.0 + s));
            let slopes: Vec<[f64; VALUES]> = moved
                .iter()
                .map(|rig| {
                    let next = self.deviations(rig, pair, spread);
                    std::array::from_fn(|v| (next[v] - values[v]) / STEP)
                })
                .collect();
            for i in 0..UNKNOWNS {
                for k in 0..UNKNOWNS {
                    matrix[i][k] += (0..VALUES).map(|v| weights[v] * slopes[i][v] * slopes[k][v]).sum::<f64>();
                }
                right[i] -= (0..VALUES).map(|v| weights[v] * slopes[i][v] * values[v]).sum::<f64>();
            }
        }
        (matrix, right)
    }
}
