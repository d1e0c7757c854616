//! How far a negation reaches.

use crate::clause::Clause;

/// Maximum number of clauses in a list after a negation.
const LONGEST_LIST: usize = 6;
/// Words that begin a new order, so that a negation before them ends, folded.
const ORDERING: [&str; 15] = [
    "please",
    "pls",
    "plz",
    "just",
    "only",
    "instead",
    "rather",
    "bitte",
    "nur",
    "sondern",
    "svp",
    "seulement",
    "solo",
    "sino",
    "better",
];
/// Whether each clause follows a conjunction ("and", "but"), not only punctuation.
pub(crate) fn conjoined(prompt: &str, clauses: &[Clause]) -> Vec<bool> {
    let mut rest = prompt;
    let is_conjoined = |clause: &Clause| {
        let Some((between, _)) = rest.split_once(clause.text.as_str()) else { return false };
        rest = &rest[between.len() + clause.text.len()..];
        between.contains(char::is_alphabetic) && !clause.is_alternative
    };
    clauses.iter().map(is_conjoined).collect()
}

/// Whether a list goes on from clause `i` to an "or" ("don't brighten it, warm it or sharpen it"), so that a negation holds for
/// all of it. `states` says whether a clause orders nothing, `is_known` whether it has a meaning.
pub(crate) fn is_listed(
    clauses: &[Clause],
    conjoined: &[bool],
    i: usize,
    states: impl Fn(usize) -> bool,
    is_known: impl Fn(usize) -> bool,
) -> bool {
    let next = i + 1;
    for at in next..clauses.len().min(next + LONGEST_LIST) {
        let clause = &clauses[at];
        let is_new = ORDERING.contains(&clause.words[0].as_str()) || states(at);
        if !clause.is_joined || conjoined[at] || is_new {
            return false;
        }
        if clause.is_alternative {
            return is_known(at);
        }
    }
    false
}
