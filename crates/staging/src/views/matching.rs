//! Features that look alike in both photos: by look alone, or near where a pose expects them.

use rayon::prelude::*;

use super::feature::{self, LENGTH};
use super::observation::{Observation, Sighting};
use super::pose::{Pair, Rig};
use super::sheet::{FACES, WALLS};

/// Greatest distance of a match relative to the second best: by look alone, and near where it is expected.
const RATIO: f32 = 0.86;
const GUIDED_RATIO: f32 = 0.92;
/// Least likeness of descriptors, 1 for the same: of any two, and of matches near where they are expected.
const LEAST: f32 = 0.82;
const LEAST_GUIDED: f32 = 0.86;
/// Most lookalikes of a feature that are kept.
const MOST: usize = 40;
/// Cosine of the angle within which features are the same place: 1 degree.
const SAME_PLACE: f64 = 0.999_848;
/// Greatest logarithm of a distance over that by the room's shape.
const DEEPEST: f64 = 0.5;

/// Likeness of two descriptors, at most 1.
fn likeness(a: &[f32; LENGTH], b: &[f32; LENGTH]) -> f32 {
    let mut sums = [0.0_f32; 16];
    for (a, b) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0) {
        (0..16).for_each(|i| sums[i] += a[i] * b[i]);
    }
    sums.iter().sum()
}

/// Distance of descriptors by their likeness.
fn distance(likeness: f32) -> f32 {
    (2.0 - 2.0 * likeness).max(0.0).sqrt()
}

/// The faces of the first view with those of the second one that show the same if its axes are turned by `quarters`, and the quarters
/// by which the descriptors of the latter are turned.
fn faces(quarters: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..FACES).map(move |face| if face < WALLS { [(face + quarters) % WALLS, face, 0] } else { [face, face, quarters] })
}

fn looks(of: &[Sighting], quarters: usize) -> Vec<[f32; LENGTH]> {
    of.par_iter().map(|s| feature::turned(&s.feature.look, quarters)).collect()
}

/// A feature of the other view with its likeness.
type Lookalike = (f32, u32);

/// Features of two faces that look alike, by feature of either view, the most alike first.
struct FaceLookalikes {
    ours: usize,
    theirs: usize,
    forth: Vec<Vec<Lookalike>>,
    back: Vec<Vec<Lookalike>>,
}

/// Features of both views that look alike, for a quarter turn between them.
pub(super) struct Lookalikes<'a> {
    first: &'a Observation<'a>,
    second: &'a Observation<'a>,
    faces: Vec<FaceLookalikes>,
}

fn pair(first: &Sighting, second: &Sighting) -> Pair {
    Pair { offsets: [first.offset, second.offset], rays: [first.ray, second.ray], depths: [first.depth, second.depth] }
}

/// The first of the lookalikes that one can be matched with, unless one at another place is nearly as good.
fn best(lookalikes: impl Iterator<Item = Lookalike>, others: &[Sighting], ratio: f32) -> Option<usize> {
    let mut kept = lookalikes;
    let (alike, i) = kept.next()?;
    let ray = others[i as usize].ray;
    let next = kept.find(|(_, k)| others[*k as usize].ray.dot(ray) < SAME_PLACE).map_or(LEAST, |(alike, _)| alike);
    (distance(alike) < ratio * distance(next)).then_some(i as usize)
}

impl FaceLookalikes {
    fn of(a: &[Sighting], b: &[Sighting], [ours, theirs, turn]: [usize; 3]) -> Self {
        let (looks_a, looks_b) = (looks(a, 0), looks(b, turn));
        let ordered = |list: &mut Vec<Lookalike>| {
            list.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
            list.truncate(MOST);
        };
        let list = |look: &[f32; LENGTH]| {
            let all = looks_b.iter().zip(0..).map(|(other, j)| (likeness(look, other), j));
            let mut list: Vec<Lookalike> = all.filter(|(alike, _)| *alike > LEAST).collect();
            ordered(&mut list);
            list
        };
        let forth: Vec<Vec<Lookalike>> = looks_a.par_iter().map(list).collect();
        let mut back: Vec<Vec<Lookalike>> = vec![Vec::new(); b.len()];
        for (list, i) in forth.iter().zip(0..) {
            list.iter().for_each(|(alike, j)| back[*j as usize].push((*alike, i)));
        }
        back.par_iter_mut().for_each(ordered);
        Self { ours, theirs, forth, back }
    }
}

impl<'a> Lookalikes<'a> {
    /// Compares the features of two views.
    pub(super) fn of(first: &'a Observation<'a>, second: &'a Observation<'a>, quarters: usize) -> Self {
        let of = |[ours, theirs, turn]: [usize; 3]| {
            FaceLookalikes::of(&first.faces[ours], &second.faces[theirs], [ours, theirs, turn])
        };
        Self { first, second, faces: faces(quarters).map(of).collect() }
    }

    /// Pairs by look alone.
    pub(super) fn tentative(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for face in &self.faces {
            let (a, b) = (&self.first.faces[face.ours], &self.second.faces[face.theirs]);
            for (i, list) in face.forth.iter().enumerate() {
                let Some(j) = best(list.iter().copied(), b, RATIO) else { continue };
                let back = best(face.back[j].iter().copied(), a, RATIO);
                if back.is_some_and(|k| a[k].ray.dot(a[i].ray) > SAME_PLACE) {
                    pairs.push(pair(&a[i], &b[j]));
                }
            }
        }
        pairs
    }

    /// Pairs within `tolerance` radians of where a pose expects them.
    pub(super) fn guided(&self, rig: &Rig, tolerance: f64) -> Vec<Pair> {
        self.faces.iter().flat_map(|face| self.guided_on(face, rig, tolerance)).collect()
    }

    fn guided_on(&self, face: &FaceLookalikes, rig: &Rig, tolerance: f64) -> Vec<Pair> {
        let (a, b) = (&self.first.faces[face.ours], &self.second.faces[face.theirs]);
        let is_near = |i: usize, j: usize| {
            let fit = rig.fit(&pair(&a[i], &b[j]), tolerance / 2.0);
            fit.is_some_and(|f| {
                f.off.length() < tolerance && f.deeper.iter().all(|d| d.abs() < DEEPEST) && f.place.z > -0.3
            })
        };
        let is_alike = |lookalike: &Lookalike| lookalike.0 > LEAST_GUIDED;
        let forth = face.forth.par_iter().enumerate().map(|(i, list)| {
            let near = list.iter().copied().filter(is_alike).filter(|(_, j)| is_near(i, *j as usize));
            best(near, b, GUIDED_RATIO)
        });
        let forth: Vec<Option<usize>> = forth.collect();
        let is_mutual = |i: usize, j: usize| {
            let near = face.back[j].iter().copied().filter(is_alike).filter(|(_, i)| is_near(*i as usize, j));
            best(near, a, GUIDED_RATIO).is_some_and(|k| a[k].ray.dot(a[i].ray) > SAME_PLACE)
        };
        let chosen = forth.into_par_iter().enumerate().filter_map(|(i, j)| j.map(|j| (i, j)));
        chosen.filter(|(i, j)| is_mutual(*i, *j)).map(|(i, j)| pair(&a[i], &b[j])).collect()
    }
}
