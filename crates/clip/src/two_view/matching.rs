//! Which features of two pictures show the same point.

use glam::DVec2;
use rayon::prelude::*;

use super::features::{Feature, LENGTH};

/// Largest distance to the best match, as a share of that to the second best (Lowe).
const RATIO: f32 = 0.82;
/// Features that lie this close, in pixels, are views of the same point: the second best must lie elsewhere.
const SAME: f64 = 4.0;

/// Pairs of places that are each other's best match.
pub(super) fn matches(a: &[Feature], b: &[Feature]) -> Vec<[DVec2; 2]> {
    let forth: Vec<Option<usize>> = a.par_iter().map(|feature| best(feature, b)).collect();
    let back: Vec<Option<usize>> = b.par_iter().map(|feature| best(feature, a)).collect();
    let pairs = forth.iter().enumerate().filter_map(|(i, j)| {
        let j = (*j)?;
        (back[j] == Some(i)).then(|| [a[i].at, b[j].at])
    });
    pairs.collect()
}

/// The feature among others that is much more like this one than all others.
fn best(feature: &Feature, others: &[Feature]) -> Option<usize> {
    let mut nearest = (i32::MAX, 0);
    let distances: Vec<i32> = others.iter().map(|other| distance(&feature.descriptor, &other.descriptor)).collect();
    for (i, distance) in distances.iter().enumerate() {
        if *distance < nearest.0 {
            nearest = (*distance, i);
        }
    }
    let own = others.get(nearest.1)?.at;
    let is_elsewhere = |i: &usize| (others[*i].at - own).length_squared() > SAME * SAME;
    let below = (nearest.0 as f32 / (RATIO * RATIO)) as i32;
    let mut rivals = distances.iter().enumerate().filter(|(_, distance)| **distance < below).map(|(i, _)| i);
    (!rivals.any(|i| is_elsewhere(&i))).then_some(nearest.1)
}

/// Squared distance of descriptors.
fn distance(a: &[u8; LENGTH], b: &[u8; LENGTH]) -> i32 {
    a.iter().zip(b).map(|(a, b)| (i32::from(*a) - i32::from(*b)).pow(2)).sum()
}
