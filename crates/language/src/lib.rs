//! The language of prompts: free text in English, German, French and Spanish.
//!
//! A text is split into clauses (`clause`), and each clause into known words and phrases (`lexicon`). Three readers
//! compose the meanings of the words: changes of a photo ([`photo`]), moves of a camera ([`camera`]) and a style of
//! furnishing ([`furniture`]). Reading takes linear time.
//!
//! # Invariants
//!
//! - Each clause takes effect, is refused with a reason, or is reported as not understood. Test:
//!   `prompts_are_understood_or_refused_as_they_are_meant`.
//! - A negation never orders what it forbids, and a reason orders nothing. Tests:
//!   `what_shall_not_be_done_is_never_done`, `a_move_that_shall_not_be_made_is_never_made`,
//!   `a_reason_never_turns_a_negation_into_an_order`.

pub mod camera;
mod class;
mod clause;
mod fold;
pub mod furniture;
mod inflection;
mod lexicon;
pub mod photo;
mod statement;
mod words;

use serde::Serialize;

/// A request that was recognized and refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RefusedRequest {
    /// The clause, as it was written.
    pub request: String,
    /// Why it was refused.
    pub reason: &'static str,
}
