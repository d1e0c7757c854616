//! Exposure in stops.

use crate::class::Class;

/// Whether exposure is given in stops ("+1 stop", "down half a stop").
pub(super) fn is_in_stops(words: &[String]) -> bool {
    (1..words.len()).any(|at| is_stop(words, at))
}

/// Whether the word at `at` is a unit of exposure after a number.
pub(super) fn is_stop(words: &[String], at: usize) -> bool {
    let is_number = |word: &String| Class::Number.has(word) || word.starts_with(|c: char| c.is_ascii_digit());
    Class::Stop.has(&words[at]) && at.checked_sub(1).is_some_and(|before| is_number(&words[before]))
}
