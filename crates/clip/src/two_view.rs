//! Two photos of the same place: what both show, where the second camera stood, and how far away things are.
//!
//! Features are matched, the relative pose is estimated from them, and depths are triangulated. [`TwoView::of`] says nothing where
//! the evidence is weak.

mod field;
mod transit;

use aerie_register::{Descriptor, Limits, Lookalikes, Sensitivity, features};
use glam::DVec2;

pub use aerie_register::{Lens, Plane, RelativePose};
pub use transit::Transit;

/// Features that are compared. The contrast is of lightness from 0 to 1.
const FEATURES: Sensitivity = Sensitivity { min_contrast: 0.008, max_features: 2500 };
/// Minimum likeness of features that are compared.
const MIN_LIKENESS: f32 = 0.6;
/// Limits of a match.
const LIMITS: Limits = Limits { likeness: MIN_LIKENESS, ratio: 0.82 };
/// Maximum distance of features that are views of the same point, in pixels.
const SAME_PLACE: f64 = 4.0;

/// Features of a picture, by which others are compared with it.
pub struct Features {
    /// Width and height, pixels.
    pub size: [usize; 2],
    places: Vec<DVec2>,
    looks: Vec<Descriptor>,
}

impl Features {
    /// Finds them.
    #[must_use]
    pub fn of(picture: &Plane) -> Self {
        let (places, looks) = features(picture, FEATURES).into_iter().map(|found| (found.at, found.descriptor)).unzip();
        Self { size: picture.size(), places, looks }
    }

    fn matches(&self, other: &Self) -> Vec<[DVec2; 2]> {
        let is_same = |of: &Self, i: usize, k: usize| of.places[i].distance(of.places[k]) <= SAME_PLACE;
        let lookalikes = Lookalikes::of(&self.looks, &other.looks, MIN_LIKENESS);
        let places: [&(dyn Fn(usize, usize) -> bool + Sync); 2] =
            [&|i, k| is_same(self, i, k), &|i, k| is_same(other, i, k)];
        let pairs = lookalikes.matches(LIMITS, |_, _| true, places);
        pairs.into_iter().map(|[i, k]| [self.places[i], other.places[k]]).collect()
    }
}

/// The geometry that two pictures share.
#[derive(Debug, Clone)]
pub struct TwoView {
    /// The second camera relative to the first.
    pub pose: RelativePose,
    /// Lenses of both.
    pub lenses: [Lens; 2],
    /// Places of the same points in both, pixels.
    pub matches: Vec<[DVec2; 2]>,
    /// Number of matches before they were checked.
    pub tried: usize,
}

/// Matches, their share of those that were tried, and cells of a picture with a match, that make strong evidence.
const LEAST_MATCHES: usize = 30;
const LEAST_SHARE: f64 = 0.45;
const LEAST_CELLS: usize = 6;
/// Cells across and down.
const CELLS: [usize; 2] = [6, 4];

/// How what both pictures show moves from the first to the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drift {
    /// How far the camera seems to go to the right, as a share of the width.
    pub right: f64,
    /// By how much it seems to go forward: the logarithm of the growth.
    pub forward: f64,
}

/// Focal lengths that are tried where none is known, in longer sides.
const FOCALS: [f64; 5] = [0.5, 0.65, 0.85, 1.1, 1.5];

impl TwoView {
    /// Compares two pictures. A focal length, in pixels, that is not known is estimated.
    #[must_use]
    pub fn of(a: &Features, b: &Features, focals: Option<[f64; 2]>) -> Option<Self> {
        let matches = a.matches(b);
        let side = |size: [usize; 2]| size[0].max(size[1]) as f64;
        let tries: Vec<[f64; 2]> = match focals {
            Some(focals) => vec![focals],
            None => FOCALS.iter().map(|focal| [focal * side(a.size), focal * side(b.size)]).collect(),
        };
        let center = |size: [usize; 2]| DVec2::new(size[0] as f64, size[1] as f64) / 2.0;
        let estimates = tries.into_iter().filter_map(|[first, second]| {
            let lenses =
                [Lens { focal: first, center: center(a.size) }, Lens { focal: second, center: center(b.size) }];
            let estimate = RelativePose::estimate(&matches, lenses, side(a.size))?;
            Some((lenses, estimate))
        });
        let (lenses, estimate) = estimates.min_by(|(_, a), (_, b)| a.cost.total_cmp(&b.cost))?;
        let right = estimate.inliers.iter().map(|i| matches[*i]).collect();
        Some(Self { pose: estimate.pose, lenses, matches: right, tried: matches.len() })
    }

    /// Whether the evidence is strong: many matches, few wrong ones, and spread over both pictures.
    #[must_use]
    pub fn is_strong(&self) -> bool {
        let cells = |number: usize| {
            let size = self.lenses[number].center * 2.0;
            let cell = |place: DVec2| {
                let [x, y] = [place.x / size.x * CELLS[0] as f64, place.y / size.y * CELLS[1] as f64];
                (x.clamp(0.0, CELLS[0] as f64 - 1.0) as usize, y.clamp(0.0, CELLS[1] as f64 - 1.0) as usize)
            };
            self.matches.iter().map(|pair| cell(pair[number])).collect::<std::collections::BTreeSet<_>>().len()
        };
        self.matches.len() >= LEAST_MATCHES
            && self.matches.len() as f64 >= LEAST_SHARE * self.tried as f64
            && [0, 1].into_iter().all(|number| cells(number) >= LEAST_CELLS)
    }

    /// How the picture moves.
    #[must_use]
    pub fn drift(&self) -> Drift {
        let count = self.matches.len().max(1) as f64;
        let means = [0, 1].map(|i| self.matches.iter().map(|pair| pair[i]).sum::<DVec2>() / count);
        let growth = self.matches.iter().map(|pair| {
            let [before, after] = [0, 1].map(|i| (pair[i] - means[i]).length().max(1.0));
            (after / before).ln()
        });
        let right = (means[0].x - means[1].x) / (2.0 * self.lenses[0].center.x);
        Drift { right, forward: growth.sum::<f64>() / count }
    }

    /// The same in pictures that are larger by a factor.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let lens = |lens: Lens| Lens { focal: lens.focal * factor, center: lens.center * factor };
        let matches = self.matches.iter().map(|pair| pair.map(|place| place * factor)).collect();
        Self { lenses: self.lenses.map(lens), matches, ..self.clone() }
    }
}
