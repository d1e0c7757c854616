//! Clauses that state something and move nothing ("the left side is ugly", "zooming makes people dizzy").

use crate::chatter::{ends_in_subject, is_reason, is_rejection};
use crate::statement::{asks, is_statement};

use super::grammar::{Meaning, Moves};
use super::item::CameraMove;

/// Words that begin the subject of a statement, folded.
const DETERMINERS: [&str; 19] = [
    "the", "that", "those", "these", "this", "my", "our", "their", "its", "they", "der", "die", "das", "le", "la",
    "les", "el", "los", "las",
];
/// Words for the camera and the clip, whose motion a statement may describe ("the camera is moving left"), folded.
const CAMERA: [&str; 20] = [
    "camera", "cam", "kamera", "camara", "clip", "video", "shot", "movement", "motion", "move", "drone", "drohne",
    "dron", "view", "viewer", "lens", "blick", "plan", "plano", "toma",
];

/// Words that begin a purpose or a reason, folded.
const PURPOSES: [&str; 5] = ["so", "because", "damit", "weil", "since"];

/// Whether a clause states something about the scene or about people, and orders nothing.
pub(super) fn states(words: &[String]) -> bool {
    let has_subject = words.len() > 2 && DETERMINERS.contains(&words[0].as_str());
    let is_camera = words.iter().take(3).any(|word| CAMERA.contains(&word.as_str()));
    !is_camera && !asks(words) && (is_statement(words) || is_reason(words) || has_subject)
}

/// The meaning of a clause that states something, after the moves of the clauses before it: a reason for a negation asks for
/// nothing, whatever it names.
pub(super) fn stated(meaning: Meaning, words: &[String], found: &[Moves]) -> Meaning {
    let meaning = match meaning {
        Meaning::Moves(moves) if is_rejection(words) && !moves.moves.is_empty() => {
            return Meaning::Moves(Moves { is_negated: true, strength: 1.0, ..moves });
        }
        // "Push in slowly so people | don't get dizzy".
        Meaning::Refused(..) if PURPOSES.contains(&words[0].as_str()) && ends_in_subject(words) => Meaning::Filler,
        meaning if !states(words) => return meaning,
        meaning => meaning,
    };
    let last = found.last();
    let is_still = |last: &Moves| last.moves == [CameraMove::Hold];
    let explains = last.is_some_and(|last| last.is_negated || is_still(last));
    match meaning {
        Meaning::Moves(moves) if moves.only_directs && (explains || is_statement(words)) => Meaning::Filler,
        Meaning::Moves(moves)
            if explains
                && !moves.moves.is_empty()
                && last.is_some_and(|last| is_still(last) || is_named_again(&moves, last)) =>
        {
            Meaning::Filler
        }
        Meaning::Refused(..) if explains => Meaning::Filler,
        meaning => meaning,
    }
}

/// Whether all moves of a clause were named by the clause before it.
fn is_named_again(moves: &Moves, before: &Moves) -> bool {
    moves.moves.iter().all(|done| {
        let is_unsided = moves.unsided.contains(done);
        before.moves.contains(done) || is_unsided && done.mirrored().is_some_and(|other| before.moves.contains(&other))
    })
}
