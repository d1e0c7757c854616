//! The affine map between two pictures of the same scene, by their features.

use crate::{Descriptor, Feature, Homography, Limits, Lookalikes, consensus};

/// Limits of a match by its look alone.
const LIMITS: Limits = Limits { likeness: MIN_LIKENESS, ratio: 0.85 };
/// Minimum likeness of the lookalikes of a feature.
const MIN_LIKENESS: f32 = 0.6;
/// Maximum distance of features that show the same place, in pixels.
const SAME_PLACE: f64 = 4.0;
/// Minimum number of matches that agree.
const MIN_INLIERS: f64 = 6.0;

/// Estimates the affine map from pixels of the first picture to pixels of the second from their features. Matches that are off by more than
/// `tolerance` pixels are outliers. `None` where few matches agree.
#[must_use]
pub fn affine_between(a: &[Feature], b: &[Feature], tolerance: f64) -> Option<Homography> {
    let looks = |features: &[Feature]| features.iter().map(|f| f.descriptor).collect::<Vec<Descriptor>>();
    let is_same = |of: &[Feature], i: usize, k: usize| of[i].at.distance_squared(of[k].at) < SAME_PLACE * SAME_PLACE;
    let matches = Lookalikes::of(&looks(a), &looks(b), MIN_LIKENESS).matches(
        LIMITS,
        |_, _| true,
        [&|i, k| is_same(a, i, k), &|i, k| is_same(b, i, k)],
    );
    let pairs: Vec<[[f64; 2]; 2]> = matches.iter().map(|[i, j]| [a[*i].at.to_array(), b[*j].at.to_array()]).collect();
    let error = |map: &Homography, i: usize| {
        let ([x, y], [u, v]) = (map.apply(pairs[i][0]), pairs[i][1]);
        ((x - u).powi(2) + (y - v).powi(2)) / (tolerance * tolerance)
    };
    let (map, cost) =
        consensus(pairs.len(), |sample: [usize; 3]| Homography::through(sample.map(|i| pairs[i])), error)?;
    (pairs.len() as f64 - cost >= MIN_INLIERS).then_some(map)
}
