//! Several photos of one room: where the second camera stood in the room of the first photo, and with that where the furniture of the
//! first photo stands in the second one.
//!
//! Each photo is rectified along the axes of its room (`sheet`), so that corners look the same from everywhere (`feature`) and are
//! matched (`matching`) for each of the four quarter turns between the axes of both rooms. Every match proposes a pose (`search`);
//! the best ones are refined together with what both cameras lack (`refine`), matched again near where they expect features, and
//! judged (`judgment`): furniture at a wrong place is worse than a photo that is furnished on its own.

mod carry;
mod feature;
mod judgment;
mod matching;
mod observation;
mod plan;
mod pose;
mod refine;
mod search;
mod sheet;

use std::cmp::Reverse;
use std::sync::Arc;

use rayon::prelude::*;

pub use carry::carried;
pub use judgment::{Evidence, Registration, Unregistered};
pub use observation::RoomView;
pub use plan::PlanTransform;

use judgment::Candidate;
use matching::ViewLookalikes;
use observation::Observation;
use pose::{Pair, Unknowns};
use refine::Setup;

/// Proposed poses that are refined.
const REFINED: usize = 8;

/// Relative uncertainty of a focal length that the photo states, and of one by vanishing points.
const FOCAL: [f64; 2] = [0.02, 0.05];
/// Uncertainty of directions while a pose is refined, from the room's shape to single features, radians.
const SPREADS: [f64; 3] = [0.03, 0.012, 0.006];
/// Uncertainty of directions of matches near where a pose expects them, and how near that is, radians.
const GUIDED: [(f64, f64); 3] = [(0.004, 0.02), (0.0025, 0.01), (0.002, 0.012)];

/// Registers the second of two views in the room of the first. The same views give the same answer.
///
/// # Errors
/// [`Unregistered`] if the photos do not show enough of one room to be sure.
pub fn register(first: RoomView<'_>, second: RoomView<'_>) -> Result<Registration, Unregistered> {
    let [first, second] = [first, second].map(Observation::of);
    let mut drafts: Vec<Draft<'_>> = (0..4).flat_map(|quarters| drafts(&first, &second, quarters)).collect();
    drafts.sort_by_key(|draft| Reverse(draft.votes));
    drafts.truncate(REFINED);
    let mut candidates: Vec<Candidate<'_>> = drafts.par_iter().map(Draft::refined).collect();
    candidates.sort_by_key(|candidate| Reverse(candidate.evidence.support));
    judgment::judged([first.view, second.view], &candidates)
}

/// A proposed pose with what it takes to refine it.
struct Draft<'a> {
    setup: Arc<Setup<'a>>,
    lookalikes: Arc<ViewLookalikes<'a>>,
    pairs: Arc<[Pair]>,
    start: Unknowns,
    votes: usize,
}

/// Proposed poses for a quarter turn.
fn drafts<'a>(first: &'a Observation<'a>, second: &'a Observation<'a>, quarters: usize) -> Vec<Draft<'a>> {
    let views = [&first.view, &second.view];
    let setup = Arc::new(Setup {
        cameras: views.map(|v| &v.space.camera),
        eyes: views.map(|v| f64::from(v.space.eye.z)),
        focals: views.map(|v| FOCAL[usize::from(v.photo.focal().is_none())]),
        quarters,
    });
    let lookalikes = Arc::new(ViewLookalikes::of(first, second, quarters));
    let pairs: Arc<[Pair]> = lookalikes.tentative().into();
    let draft = |proposal: search::Proposal| Draft {
        setup: setup.clone(),
        lookalikes: lookalikes.clone(),
        pairs: pairs.clone(),
        start: proposal.start,
        votes: proposal.votes,
    };
    search::proposals(&setup, &pairs).into_iter().map(draft).collect()
}

impl<'a> Draft<'a> {
    /// Refines the pose, and matches again near where it expects features.
    fn refined(&self) -> Candidate<'a> {
        let pairs = thinned(&self.pairs);
        let mut at = SPREADS.iter().fold(self.start, |at, spread| self.setup.refined(&pairs, &at, *spread));
        let mut near = Vec::new();
        for (spread, tolerance) in GUIDED {
            near = self.lookalikes.guided(&self.setup.rig(&at), tolerance);
            at = self.setup.refined(&thinned(&near), &at, spread);
        }
        Candidate::new(&self.setup, at, &near, self.votes)
    }
}

/// As many pairs as a pose is refined with, evenly from all.
fn thinned(pairs: &[Pair]) -> Vec<Pair> {
    const MOST: usize = 240;
    pairs.iter().step_by(pairs.len().div_ceil(MOST).max(1)).copied().collect()
}

#[cfg(test)]
mod tests;
