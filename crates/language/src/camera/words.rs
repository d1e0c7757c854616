//! Words of camera prompts, by language.

use std::sync::LazyLock;

use crate::class::Class;
use crate::clause::Splitting;
use crate::lexicon::Lexicon;

use super::item::Item;
use crate::words::{checked, word_files};

/// Where prompts are split into clauses.
pub(super) const SPLITTING: Splitting = Splitting {
    conjunctions: &[Class::Conjunction, Class::CameraConjunction],
    openers: &[Class::Opener, Class::CameraOpener],
};

/// Words of all languages.
pub(super) static WORDS: LazyLock<Lexicon<Item>> =
    LazyLock::new(|| checked(Lexicon::parse(&word_files!("camera"), Item::parse)));
