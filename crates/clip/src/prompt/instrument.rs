//! Instruments that a camera is moved with: beside a move they only say how it is made ("descend with a crane").

use super::grammar::Moves;
use super::item::CameraMove;

/// Instruments, folded.
const INSTRUMENTS: [&str; 24] = [
    "crane",
    "jib",
    "boom",
    "drone",
    "dolly",
    "slider",
    "gimbal",
    "steadicam",
    "rails",
    "rail",
    "track",
    "helicopter",
    "lift",
    "elevator",
    "kran",
    "kamerakran",
    "drohne",
    "schiene",
    "schienen",
    "grue",
    "rail",
    "dron",
    "grua",
    "railes",
];

/// Whether a clause names an instrument.
pub(super) fn has_instrument(words: &[String]) -> bool {
    words.iter().any(|word| INSTRUMENTS.contains(&word.as_str()))
}

/// Drops the moves that are only implied by an instrument where another clause, or the same one, names a move.
pub(super) fn without_instruments(mut verbs: Vec<CameraMove>, wanted: &[&Moves]) -> Vec<CameraMove> {
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
