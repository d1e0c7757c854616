//! From matches to the pose of one camera relative to the other: the essential matrix by random samples, its decomposition, and
//! refinement by the first-order geometric error (Sampson).

use aerie_math::linear;
use glam::{DMat3, DVec2, DVec3};

use crate::consensus;
use crate::five_point::essential_matrices;

/// Distance from the epipolar line at which a match is right, as a share of the longer side.
const TOLERANCE: f64 = 0.0014;
/// Maximum steps of refinement.
const ROUNDS: usize = 8;
/// Step of numeric derivatives.
const STEP: f64 = 1e-6;

/// Intrinsics of a camera: focal length and center, pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lens {
    /// Focal length.
    pub focal: f64,
    /// Where the optical axis meets the picture.
    pub center: DVec2,
}

impl Lens {
    /// The ray of a pixel, with a depth of 1.
    #[must_use]
    pub fn ray(&self, pixel: DVec2) -> DVec3 {
        ((pixel - self.center) / self.focal).extend(1.0)
    }

    /// The pixel of a point before the camera.
    #[must_use]
    pub fn pixel(&self, point: DVec3) -> Option<DVec2> {
        (point.z > 1e-6).then(|| point.truncate() / point.z * self.focal + self.center)
    }
}

/// The second camera relative to the first: a point `x` of the first is at `rotation * x + shift` of the second. The shift has length 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RelativePose {
    /// Rotation.
    pub rotation: DMat3,
    /// Shift, of unknown scale.
    pub shift: DVec3,
}

impl RelativePose {
    /// The first camera relative to the second.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let back = self.rotation.transpose();
        Self { rotation: back, shift: -(back * self.shift) }
    }

    /// One over the depth of a match in the first picture, in units of the shift; negative behind it.
    #[must_use]
    pub fn nearness(&self, [a, b]: [DVec3; 2]) -> f64 {
        let by_shift = b.cross(self.shift);
        let by_turn = b.cross(self.rotation * a);
        -by_shift.dot(by_turn) / by_shift.length_squared().max(1e-12)
    }

    fn essential(&self) -> DMat3 {
        cross(self.shift) * self.rotation
    }
}

/// A pose with its matches.
#[derive(Debug, Clone)]
pub struct Estimate {
    /// The pose.
    pub pose: RelativePose,
    /// Numbers of the matches that agree.
    pub inliers: Vec<usize>,
    /// Sum of the truncated errors, in squared tolerances.
    pub cost: f64,
}

impl RelativePose {
    /// Estimates the pose of two pictures with matches, in pixels; `None` if there is none. `side` is the longer side, in pixels.
    #[must_use]
    pub fn estimate(matches: &[[DVec2; 2]], [a, b]: [Lens; 2], side: f64) -> Option<Estimate> {
        if matches.len() < 12 {
            return None;
        }
        let rays: Vec<[DVec3; 2]> = matches.iter().map(|[p, q]| [a.ray(*p), b.ray(*q)]).collect();
        let tolerance = TOLERANCE * side / a.focal.min(b.focal);
        let error = |essential: &DMat3, pair: &[DVec3; 2]| sampson(essential, pair) / tolerance;
        let sample = |chosen: [usize; 5]| essential_matrices(chosen.map(|i| (rays[i][0], rays[i][1])));
        let (best, _) = consensus(rays.len(), sample, |essential, i| error(essential, &rays[i]).powi(2))?;
        let right: Vec<[DVec3; 2]> = rays.iter().filter(|pair| error(&best, pair).abs() < 1.0).copied().collect();
        let pose = refined(decomposed(&best, &right)?, &rays, tolerance);
        let essential = pose.essential();
        let is_right = |pair: &[DVec3; 2]| error(&essential, pair).abs() < 1.0 && pose.nearness(*pair) > -0.02;
        let inliers = (0..rays.len()).filter(|i| is_right(&rays[*i])).collect();
        Some(Estimate { pose, inliers, cost: cost(&essential, &rays, tolerance) })
    }
}

/// First-order distance of a match from its epipolar lines.
fn sampson(essential: &DMat3, [a, b]: &[DVec3; 2]) -> f64 {
    let (forth, back) = (*essential * *a, essential.transpose() * *b);
    let slope = forth.truncate().length_squared() + back.truncate().length_squared();
    b.dot(forth) / slope.max(1e-18).sqrt()
}

/// Sum of the squares of the errors, in tolerances, each truncated to 1.
fn cost(essential: &DMat3, rays: &[[DVec3; 2]], tolerance: f64) -> f64 {
    rays.iter().map(|pair| (sampson(essential, pair) / tolerance).powi(2).min(1.0)).sum()
}

/// The decomposition for which most of the matches that agree lie before both cameras (Horn, "Recovering baseline and orientation from
/// essential matrix", 1990).
fn decomposed(essential: &DMat3, right: &[[DVec3; 2]]) -> Option<RelativePose> {
    let size = (essential.to_cols_array().iter().map(|v| v * v).sum::<f64>() / 2.0).sqrt();
    let e = *essential * (1.0 / size.max(1e-12));
    let square = e * e.transpose();
    // The shift times itself.
    let outer = DMat3::IDENTITY - square;
    let column = (0..3).map(|i| outer.col(i)).max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))?;
    let shift = column.normalize();
    let cofactors = DMat3::from_cols(e.col(1).cross(e.col(2)), e.col(2).cross(e.col(0)), e.col(0).cross(e.col(1)));
    let turned = |shift: DVec3| cofactors - cross(shift) * e;
    let all = [(turned(shift), shift), (turned(shift), -shift), (turned(-shift), shift), (turned(-shift), -shift)];
    let score = |pose: &RelativePose| {
        let (there, back) = (pose, pose.inverse());
        let is_before = |[a, b]: &[DVec3; 2]| there.nearness([*a, *b]) > -1e-3 && back.nearness([*b, *a]) > -1e-3;
        right.iter().filter(|pair| is_before(pair)).count()
    };
    let poses = all.into_iter().map(|(rotation, shift)| RelativePose { rotation, shift });
    poses.max_by_key(score)
}

/// Minimizes the error of the matches that agree, over rotation and direction of the shift (Gauss and Newton).
fn refined(mut pose: RelativePose, rays: &[[DVec3; 2]], tolerance: f64) -> RelativePose {
    for _ in 0..ROUNDS {
        let essential = pose.essential();
        let near: Vec<&[DVec3; 2]> =
            rays.iter().filter(|pair| sampson(&essential, pair).abs() < 2.0 * tolerance).collect();
        let shifted: Vec<DMat3> = (0..5).map(|i| moved(&pose, i, STEP).essential()).collect();
        let (mut normal, mut right) = ([[0.0; 5]; 5], [0.0; 5]);
        for pair in near {
            let error = sampson(&essential, pair);
            let slopes: [f64; 5] = std::array::from_fn(|i| (sampson(&shifted[i], pair) - error) / STEP);
            let weight = 1.0 / (1.0 + (error / tolerance).powi(2));
            for i in 0..5 {
                right[i] -= weight * slopes[i] * error;
                (0..5).for_each(|j| normal[i][j] += weight * slopes[i] * slopes[j]);
            }
        }
        (0..5).for_each(|i| normal[i][i] *= 1.0 + 1e-6);
        let Some(step) = linear::solve(normal, right, 1e-18) else { break };
        let next = (0..5).fold(pose, |pose, i| moved(&pose, i, step[i]));
        if cost(&next.essential(), rays, tolerance) > cost(&essential, rays, tolerance) {
            break;
        }
        pose = next;
    }
    pose
}

/// The pose with one of its five parameters moved.
fn moved(pose: &RelativePose, parameter: usize, by: f64) -> RelativePose {
    match parameter {
        0 => RelativePose { rotation: DMat3::from_rotation_x(by) * pose.rotation, ..*pose },
        1 => RelativePose { rotation: DMat3::from_rotation_y(by) * pose.rotation, ..*pose },
        2 => RelativePose { rotation: DMat3::from_rotation_z(by) * pose.rotation, ..*pose },
        _ => {
            let one = pose.shift.any_orthonormal_vector();
            let way = if parameter == 3 { one } else { pose.shift.cross(one) };
            RelativePose { shift: (pose.shift + way * by).normalize(), ..*pose }
        }
    }
}

/// The matrix of a cross product from the left.
fn cross(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

#[cfg(test)]
mod tests {
    use aerie_math::Rng;

    use super::*;

    #[test]
    fn the_pose_of_two_cameras_is_found_among_wrong_matches() {
        let mut rng = Rng::new(3);
        let lens = Lens { focal: 900.0, center: DVec2::new(640.0, 360.0) };
        let truth = RelativePose {
            rotation: DMat3::from_rotation_y(0.25) * DMat3::from_rotation_x(0.04),
            shift: DVec3::new(-0.9, 0.05, 0.4).normalize(),
        };
        let mut matches = Vec::new();
        while matches.len() < 150 {
            let mut number = |most: f64| rng.range_f64(-most, most);
            let place = DVec3::new(number(4.0), number(2.0), 6.0 + number(3.0));
            let noise = [DVec2::new(number(0.5), number(0.5)), DVec2::new(number(0.5), number(0.5))];
            let wrong = DVec2::new(number(300.0), number(200.0));
            let (Some(p), Some(q)) = (lens.pixel(place), lens.pixel(truth.rotation * place + truth.shift)) else {
                continue;
            };
            let q = if matches.len() % 3 == 0 { q + wrong } else { q };
            matches.push([p + noise[0], q + noise[1]]);
        }
        let found = RelativePose::estimate(&matches, [lens; 2], 1280.0).expect("a pose");
        assert!(found.inliers.len() >= 95, "{}", found.inliers.len());
        assert!((found.pose.shift - truth.shift).length() < 0.05, "{:?}", found.pose);
        let turn = found.pose.rotation * truth.rotation.transpose();
        assert!((turn.x_axis.x + turn.y_axis.y + turn.z_axis.z - 3.0).abs() < 1e-3, "{:?}", found.pose);
    }
}
