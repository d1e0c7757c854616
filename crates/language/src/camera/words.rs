//! Words of camera prompts, by language.

mod english;
mod french;
mod german;
mod ordinary;
mod spanish;

use std::sync::LazyLock;

use crate::clause::Splitting;
use crate::lexicon::Lexicon;

use super::item::Item;

/// Where prompts are split into clauses.
pub(super) const SPLITTING: Splitting = Splitting {
    conjunctions: &[
        "and", "then", "while", "wahrend", "but", "before", "after", "und", "dann", "aber", "et", "puis", "mais", "y",
        "luego", "mientras", "pero",
    ],
    alternatives: &["or", "nor", "oder", "ou", "o"],
    openers: &[
        "with", "without", "mit", "ohne", "avec", "sans", "con", "sin", "dont", "never", "not", "no", "instead",
        "rather", "statt",
    ],
    kept: &[["forward", "and", "backward"]],
};

/// Words of all languages; of words that two languages share, the first language decides.
pub(super) static WORDS: LazyLock<Lexicon<Item>> =
    LazyLock::new(|| Lexicon::new(&[english::WORDS, german::WORDS, french::WORDS, spanish::WORDS], &[ordinary::WORDS]));
