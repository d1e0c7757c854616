//! Features that look alike in both photos: by look alone, or near where a pose expects them.

use aerie_register::{Descriptor, Limits, Lookalikes, turned};
use rayon::prelude::*;

use super::observation::{Observation, Sighting};
use super::pose::{Pair, Rig};
use super::sheet::{FACES, WALLS};

/// Minimum likeness of any match, 1 for the same.
const MIN_LIKENESS: f32 = 0.82;
/// Limits of matches by look alone.
const TENTATIVE: Limits = Limits { likeness: MIN_LIKENESS, ratio: 0.86 };
/// Limits of matches near where they are expected.
const GUIDED: Limits = Limits { likeness: 0.86, ratio: 0.92 };
/// Cosine of the angle within which features are the same place: 1 degree.
const SAME_PLACE: f64 = 0.999_848;
/// Greatest logarithm of a distance over that by the room's shape.
const DEEPEST: f64 = 0.5;

/// The faces of the first view with those of the second one that show the same if its axes are turned by `quarters`, and the quarters
/// by which the descriptors of the latter are turned.
fn faces(quarters: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..FACES).map(move |face| if face < WALLS { [(face + quarters) % WALLS, face, 0] } else { [face, face, quarters] })
}

/// Features of both views that look alike, for a quarter turn between them.
pub(super) struct ViewLookalikes<'a> {
    faces: Vec<FaceLookalikes<'a>>,
}

/// Features of two faces that look alike.
struct FaceLookalikes<'a> {
    sightings: [&'a [Sighting]; 2],
    lookalikes: Lookalikes,
}

fn pair(first: &Sighting, second: &Sighting) -> Pair {
    Pair { offsets: [first.offset, second.offset], rays: [first.ray, second.ray], depths: [first.depth, second.depth] }
}

impl<'a> ViewLookalikes<'a> {
    /// Compares the features of two views.
    pub(super) fn of(first: &'a Observation<'a>, second: &'a Observation<'a>, quarters: usize) -> Self {
        let looks = |of: &[Sighting], quarters: usize| -> Vec<Descriptor> {
            of.par_iter().map(|s| turned(&s.feature.look, quarters)).collect()
        };
        let of = |[ours, theirs, turn]: [usize; 3]| {
            let sightings @ [a, b] = [first.faces[ours].as_slice(), second.faces[theirs].as_slice()];
            FaceLookalikes { sightings, lookalikes: Lookalikes::of(&looks(a, 0), &looks(b, turn), MIN_LIKENESS) }
        };
        Self { faces: faces(quarters).map(of).collect() }
    }

    /// Pairs by look alone.
    pub(super) fn tentative(&self) -> Vec<Pair> {
        self.faces.iter().flat_map(|face| face.pairs(TENTATIVE, |_| true)).collect()
    }

    /// Pairs within `tolerance` radians of where a pose expects them.
    pub(super) fn guided(&self, rig: &Rig, tolerance: f64) -> Vec<Pair> {
        let is_near = |pair: &Pair| {
            rig.fit(pair, tolerance / 2.0).is_some_and(|f| {
                f.off.length() < tolerance && f.deeper.iter().all(|d| d.abs() < DEEPEST) && f.place.z > -0.3
            })
        };
        self.faces.iter().flat_map(|face| face.pairs(GUIDED, is_near)).collect()
    }
}

impl FaceLookalikes<'_> {
    fn pairs(&self, limits: Limits, is_possible: impl Fn(&Pair) -> bool + Sync) -> Vec<Pair> {
        let [a, b] = self.sightings;
        let is_same = |of: &[Sighting], i: usize, k: usize| of[i].ray.dot(of[k].ray) > SAME_PLACE;
        let found = self.lookalikes.matches(
            limits,
            |i, j| is_possible(&pair(&a[i], &b[j])),
            [&|i, k| is_same(a, i, k), &|i, k| is_same(b, i, k)],
        );
        found.into_iter().map(|[i, j]| pair(&a[i], &b[j])).collect()
    }
}
