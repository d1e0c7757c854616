//! Features of two pictures that look alike.

use rayon::prelude::*;

use crate::Descriptor;

/// Maximum number of lookalikes of a feature that are kept.
const MAX_KEPT: usize = 40;

/// Likeness of two descriptors, at most 1.
fn likeness(a: &Descriptor, b: &Descriptor) -> f32 {
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

/// The likeness and the number of a feature of the other picture.
type Lookalike = (f32, u32);

/// For each feature of either picture, those of the other that look like it, the most alike first.
pub struct Lookalikes {
    min_likeness: f32,
    forth: Vec<Vec<Lookalike>>,
    back: Vec<Vec<Lookalike>>,
}

/// Limits of a match.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Minimum likeness.
    pub likeness: f32,
    /// Maximum distance, as a share of the distance to the next lookalike at another place (Lowe 2004).
    pub ratio: f32,
}

impl Lookalikes {
    /// Compares the features of two pictures. Pairs of a likeness of `min_likeness` or less are dropped.
    #[must_use]
    pub fn of(a: &[Descriptor], b: &[Descriptor], min_likeness: f32) -> Self {
        let sort = |list: &mut Vec<Lookalike>| {
            list.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
            list.truncate(MAX_KEPT);
        };
        let list = |look: &Descriptor| {
            let all = b.iter().zip(0..).map(|(other, j)| (likeness(look, other), j));
            let mut list: Vec<Lookalike> = all.filter(|(alike, _)| *alike > min_likeness).collect();
            sort(&mut list);
            list
        };
        let forth: Vec<Vec<Lookalike>> = a.par_iter().map(list).collect();
        let mut back: Vec<Vec<Lookalike>> = vec![Vec::new(); b.len()];
        for (list, i) in forth.iter().zip(0..) {
            list.iter().for_each(|(alike, j)| back[*j as usize].push((*alike, i)));
        }
        back.par_iter_mut().for_each(sort);
        Self { min_likeness, forth, back }
    }

    /// Pairs of features that are each other's best match within `limits`, among the pairs that `is_possible`. `is_same` returns whether two
    /// features of the first, or of the second picture, are at the same place.
    pub fn matches(
        &self,
        limits: Limits,
        is_possible: impl Fn(usize, usize) -> bool + Sync,
        is_same: [&(dyn Fn(usize, usize) -> bool + Sync); 2],
    ) -> Vec<[usize; 2]> {
        let best = |list: &[Lookalike], is_possible: &dyn Fn(usize) -> bool, is_same: &dyn Fn(usize, usize) -> bool| {
            let alike = list.iter().take_while(|(alike, _)| *alike > limits.likeness);
            let mut kept = alike.map(|(alike, i)| (*alike, *i as usize)).filter(|(_, i)| is_possible(*i));
            let (alike, found) = kept.next()?;
            let rival = kept.find(|(_, other)| !is_same(*other, found)).map_or(self.min_likeness, |(alike, _)| alike);
            (distance(alike) < limits.ratio * distance(rival)).then_some(found)
        };
        let pair = |i: usize| {
            let j = best(&self.forth[i], &|j| is_possible(i, j), is_same[1])?;
            let k = best(&self.back[j], &|k| is_possible(k, j), is_same[0])?;
            (k == i || is_same[0](k, i)).then_some([i, j])
        };
        (0..self.forth.len()).into_par_iter().filter_map(pair).collect()
    }
}
