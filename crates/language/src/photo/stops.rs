//! Exposure in stops.

/// Units of exposure, folded.
const STOPS: [&str; 12] = [
    "stop",
    "stops",
    "ev",
    "evs",
    "blende",
    "blenden",
    "blendenstufe",
    "blendenstufen",
    "diaphragme",
    "diaph",
    "diafragma",
    "diafragmas",
];
/// Number words before a unit of exposure, folded.
const NUMBERS: [&str; 20] = [
    "a", "an", "one", "two", "three", "half", "third", "quarter", "full", "thirds", "eine", "zwei", "halbe", "drittel",
    "un", "deux", "demi", "dos", "medio", "another",
];

/// Whether exposure is given in stops ("+1 stop", "down half a stop").
pub(super) fn is_in_stops(words: &[String]) -> bool {
    (1..words.len()).any(|at| is_stop(words, at))
}

/// Whether the word at `at` is a unit of exposure after a number.
pub(super) fn is_stop(words: &[String], at: usize) -> bool {
    let is_number = |word: &String| NUMBERS.contains(&word.as_str()) || word.starts_with(|c: char| c.is_ascii_digit());
    STOPS.contains(&words[at].as_str()) && at.checked_sub(1).is_some_and(|before| is_number(&words[before]))
}
