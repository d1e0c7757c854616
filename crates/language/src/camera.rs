//! The camera prompt: free text, read with a small grammar.
//!
//! The text is split into clauses (`clause`), and each clause into known words of English, German, French and
//! Spanish. Verbs and directions compose a move ("glide", "to the left"), so that its kind and its sign are as they
//! were written. A clause is understood, refused with a reason, or reported as not understood.

pub(crate) mod compound;
mod grammar;
pub(crate) mod item;
mod remark;

use crate::RefusedRequest;
use crate::clause::clauses;
use crate::statement::{Statement, courtesies, is_listed, is_question, is_rejection, without_reason};

pub use item::{CameraMove, Refusal};

use grammar::{Meaning, Moves, ends, is_negation, is_unknown, meaning, only_forbids, takes_back};
use item::Item;
use remark::{stated, states};

/// A parsed camera prompt.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CameraPrompt {
    /// Moves, in the order in which they were named.
    pub verbs: Vec<CameraMove>,
    /// Moves that were excluded ("no zoom").
    pub avoided: Vec<CameraMove>,
    /// Factor on how far the camera goes: under 1 for slow and gentle, over 1 for dramatic.
    pub strength: f64,
    /// Clauses that take effect, as they were written.
    pub understood: Vec<String>,
    /// Clauses that are recognized and refused, with the reason.
    pub refused: Vec<(String, Refusal)>,
    /// Clauses that are not recognized, and are ignored.
    pub not_understood: Vec<String>,
}

impl CameraPrompt {
    /// Parses a prompt; without one, no moves are requested.
    #[must_use]
    pub fn parse(prompt: Option<&str>) -> Self {
        let mut parsed = Self { strength: 1.0, ..Self::default() };
        let mut found: Vec<Moves> = Vec::new();
        let mut fillers: Vec<String> = Vec::new();
        let mut is_negated = false;
        let mut is_forbidding = false;
        // The verb of an earlier clip that the prompt describes.
        let mut earlier = None;
        // What is high or low where the clip begins and ends.
        let mut heights: Vec<Item> = Vec::new();
        // Whether a negation holds for a list up to an "or".
        let mut is_listing = false;
        let prompt = prompt.unwrap_or_default();
        let clauses = clauses(prompt, item::SPLITTING);
        let courtesies = courtesies(&clauses, is_unknown);
        for (i, clause) in clauses.iter().cloned().enumerate() {
            let before = found.last().filter(|_| clause.is_joined).and_then(|before| before.verb);
            is_forbidding &= clause.is_joined;
            let is_listed_before = is_listing && clause.is_joined;
            let is_negated_before = is_negated && (clause.is_alternative || is_listed_before) || is_forbidding;
            is_forbidding |= only_forbids(&clause.words);
            if let Some(last) = found.last_mut().filter(|_| clause.is_joined && takes_back(&clause.words)) {
                last.is_negated = true;
                parsed.understood.push(clause.text);
                continue;
            }
            if courtesies[i] {
                fillers.push(clause.text);
                continue;
            }
            let said = Statement::of(&clause.words);
            let ends = ends(&clause.words);
            let is_way = ends.len() > 1;
            heights.extend(ends);
            let words = if is_rejection(&clause.words) { &clause.words } else { without_reason(&clause.words) };
            let meaning = match meaning(words, is_negated_before, before, earlier) {
                _ if is_question(&clause.words) => Meaning::Unknown,
                meaning => stated(meaning, words, &found),
            };
            match meaning {
                Meaning::Moves(moves) => {
                    parsed.strength *= moves.strength;
                    is_negated = moves.is_negated;
                    is_listing = is_negated
                        && is_listed(
                            &clauses,
                            i,
                            |at| states(&clauses[at].words),
                            |at| !is_unknown(&clauses[at].words),
                        );
                    found.push(moves);
                    parsed.understood.push(clause.text);
                }
                Meaning::Earlier(verb, strength) => {
                    earlier = verb;
                    parsed.strength *= strength;
                    parsed.understood.push(clause.text);
                }
                Meaning::Unknown | Meaning::Filler if is_way => parsed.understood.push(clause.text),
                Meaning::Remark => parsed.understood.push(clause.text),
                Meaning::Refused(refusal, moves) => {
                    parsed.strength *= moves.as_ref().map_or(1.0, |moves| moves.strength);
                    found.extend(moves);
                    parsed.refused.push((clause.text, refusal));
                }
                Meaning::Filler => fillers.push(clause.text),
                Meaning::Unknown if said.is_stated || said.is_reason => fillers.push(clause.text),
                Meaning::Unknown => {
                    is_negated = is_negation(&clause.words);
                    parsed.not_understood.push(clause.text);
                }
            }
        }
        let is_answered = !parsed.understood.is_empty() || !parsed.refused.is_empty();
        if is_answered { &mut parsed.understood } else { &mut parsed.not_understood }.extend(fillers);
        parsed.strength = parsed.strength.clamp(0.4, 1.5);
        parsed.verbs = composed(&found);
        // "Begin at the floor, end on the chandelier, the camera stays put".
        if let ([from, .., to], [] | [CameraMove::Hold]) = (&heights[..], &parsed.verbs[..])
            && from != to
        {
            parsed.verbs = vec![if *to == Item::High { CameraMove::TiltUp } else { CameraMove::TiltDown }];
        }
        parsed.avoided =
            found.iter().filter(|part| part.is_negated).flat_map(|part| part.moves.iter().copied()).collect();
        parsed
    }

    /// Returns the refused clauses with their reasons.
    #[must_use]
    pub fn refused_requests(&self) -> Vec<RefusedRequest> {
        let refused = self.refused.iter();
        refused.map(|(request, why)| RefusedRequest { request: request.clone(), reason: why.reason() }).collect()
    }
}

/// Returns the moves of all clauses together.
fn composed(clauses: &[Moves]) -> Vec<CameraMove> {
    let wanted = || clauses.iter().filter(|part| !part.is_negated);
    let mut verbs: Vec<CameraMove> = Vec::new();
    for done in wanted().flat_map(|part| part.moves.iter().copied()) {
        if !verbs.contains(&done) {
            verbs.push(done);
        }
    }
    verbs = without_instruments(verbs, &wanted().collect::<Vec<_>>());
    // "Truck left, the camera moves sideways": the side that was named counts.
    let is_unsided =
        |done: CameraMove| wanted().all(|part| !part.moves.contains(&done) || part.unsided.contains(&done));
    let opposed: Vec<CameraMove> = verbs
        .iter()
        .copied()
        .filter(|done| is_unsided(*done) && done.mirrored().is_some_and(|other| verbs.contains(&other)))
        .collect();
    verbs.retain(|done| !opposed.contains(done));
    // "Push in while zooming out".
    let zooms = |to| wanted().any(|part| part.is_zoom && part.moves.contains(&to));
    let moves = |to| wanted().any(|part| !part.is_zoom && part.moves.contains(&to));
    let (inward, outward) = (CameraMove::PushIn, CameraMove::PullOut);
    if moves(inward) && zooms(outward) || moves(outward) && zooms(inward) {
        verbs.retain(|done| ![inward, outward].contains(done));
        verbs.push(CameraMove::DollyZoom);
    }
    let is_plain_parallax = wanted().any(|part| part.is_plain_parallax);
    let sides =
        [(CameraMove::SlideLeft, CameraMove::ParallaxLeft), (CameraMove::SlideRight, CameraMove::ParallaxRight)];
    if let Some((_, parallax)) = sides.into_iter().find(|(slide, _)| is_plain_parallax && verbs.contains(slide)) {
        verbs
            .retain(|done| !matches!(done, CameraMove::SlideLeft | CameraMove::SlideRight | CameraMove::ParallaxRight));
        verbs.push(parallax);
    }
    // Any camera that travels has a parallax.
    let travels = verbs
        .iter()
        .any(|done| done.is_travel() && !matches!(done, CameraMove::ParallaxLeft | CameraMove::ParallaxRight));
    if travels && is_plain_parallax {
        verbs.retain(|done| *done != CameraMove::ParallaxRight);
    }
    // "Reveal the garden with a pull back".
    if wanted().any(|part| part.is_means && !part.moves.is_empty()) && verbs.len() > 1 {
        verbs.retain(|done| *done != CameraMove::Reveal);
    }
    // It stands still only if nothing else is asked for.
    if verbs.len() > 1 {
        verbs.retain(|done| *done != CameraMove::Hold);
    }
    verbs
}

/// Drops the moves that are only implied by an instrument where another clause, or the same one, names a move.
fn without_instruments(mut verbs: Vec<CameraMove>, wanted: &[&Moves]) -> Vec<CameraMove> {
    let is_means = |part: &Moves| part.is_means && part.has_instrument && !part.has_direction;
    let named = |done: &CameraMove| wanted.iter().any(|part| !is_means(part) && part.moves.contains(done));
    // "Reveal the garden with a crane": the crane is the move.
    if verbs.iter().any(|done| *done != CameraMove::Reveal && named(done)) {
        verbs.retain(named);
    }
    // "Descend on a crane".
    let is_implied = |part: &&&Moves| part.has_instrument && part.unsided.contains(&CameraMove::Rise);
    let descends = |part: &&&Moves| part.moves.contains(&CameraMove::Descend);
    if wanted.iter().filter(is_implied).any(|part| descends(&part)) {
        verbs.retain(|done| *done != CameraMove::Rise);
    }
    verbs
}
