//! Reading free text: clauses, words without accents, and phrases of several languages, with one-letter typing errors corrected.
//!
//! The prompts of photos and clips share it. Time is linear in the length of the text.

mod clause;
mod fold;
mod inflection;
mod lexicon;
mod statement;

pub use clause::{Clause, Splitting, clauses};
pub use fold::folded;
pub use lexicon::{Lexicon, Reading};
pub use statement::{asks, is_courtesy, is_of_people, is_statement, is_unseen};
