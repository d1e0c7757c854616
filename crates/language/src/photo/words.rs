//! Words of prompts, by language.

mod english;
mod english_grammar;
mod english_things;
mod french;
mod german;
mod ordinary;
mod spanish;

use std::sync::LazyLock;

use super::item::Item;
use crate::clause::Splitting;
use crate::lexicon::Lexicon;

/// Where prompts are split into clauses.
pub(super) const SPLITTING: Splitting = Splitting {
    conjunctions: &["and", "but", "then", "while", "und", "dann", "aber", "et", "puis", "mais", "y", "luego", "pero"],
    alternatives: &["or", "nor", "oder", "ou", "o"],
    openers: &["without", "ohne", "sans", "sin", "dont", "never", "instead", "rather", "statt"],
    kept: &[
        ["light", "and", "airy"],
        ["bright", "and", "airy"],
        ["crisp", "and", "clear"],
        ["black", "and", "white"],
        ["dark", "and", "moody"],
        ["grainy", "and", "soft"],
        ["soft", "and", "grainy"],
        ["dark", "and", "soft"],
        ["soft", "and", "dark"],
        ["b", "and", "w"],
        ["noir", "et", "blanc"],
        ["blanco", "y", "negro"],
    ],
};

/// Words of all languages; of words that two languages share, the first language decides.
pub(super) static WORDS: LazyLock<Lexicon<Item>> = LazyLock::new(|| {
    Lexicon::new(
        &[english::WORDS, english_things::WORDS, english_grammar::WORDS, german::WORDS, french::WORDS, spanish::WORDS],
        &[ordinary::WORDS],
    )
});
