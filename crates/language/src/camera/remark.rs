//! Clauses that state something and move nothing ("the left side is ugly", "zooming makes people dizzy").

use super::grammar::{Meaning, Moves};
use super::item::CameraMove;
use crate::class::Class;
use crate::statement::{Statement, ends_in_subject, is_rejection};

/// Returns whether a clause states something about the scene or about people, not about the camera, and orders nothing.
pub(super) fn states(words: &[String]) -> bool {
    let is_camera = words.iter().take(3).any(|word| Class::Camera.has(word));
    !is_camera && Statement::of(words).orders_nothing
}

/// Returns the meaning of a clause that states something, after the moves of the clauses before it: a reason for a
/// negation asks for nothing, whatever it names.
pub(super) fn stated(meaning: Meaning, words: &[String], found: &[Moves]) -> Meaning {
    let meaning = match meaning {
        Meaning::Moves(moves) if is_rejection(words) && !moves.moves.is_empty() => {
            return Meaning::Moves(Moves { is_negated: true, strength: 1.0, ..moves });
        }
        // "Push in slowly so people | don't get dizzy".
        Meaning::Refused(..)
            if (Class::Purpose.begins(words) || Class::Because.begins(words)) && ends_in_subject(words) =>
        {
            Meaning::Filler
        }
        meaning if !states(words) => return meaning,
        meaning => meaning,
    };
    let last = found.last();
    let is_still = |last: &Moves| last.moves == [CameraMove::Hold];
    let explains = last.is_some_and(|last| last.is_negated || is_still(last));
    match meaning {
        Meaning::Moves(moves) if moves.only_directs && (explains || Statement::of(words).is_stated) => Meaning::Filler,
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

/// Returns whether all moves of a clause were named by the clause before it.
fn is_named_again(moves: &Moves, before: &Moves) -> bool {
    moves.moves.iter().all(|done| {
        let is_unsided = moves.unsided.contains(done);
        before.moves.contains(done) || is_unsided && done.mirrored().is_some_and(|other| before.moves.contains(&other))
    })
}
