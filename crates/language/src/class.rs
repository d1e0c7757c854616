//! Words of grammar, by class: `words/grammar.*.tsv`.

use std::collections::HashMap;
use std::sync::LazyLock;

use strum::EnumString;

use crate::fold::folded;
use crate::words::{checked, word_files};

/// A class of words that readers ask for by name. Its words are in the files; `words/README.md` says what each is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumString)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Class {
    Conjunction,
    CameraConjunction,
    Or,
    Opener,
    CameraOpener,
    Inserted,
    Subject,
    Reason,
    Stating,
    Asking,
    Question,
    Courtesy,
    Civility,
    BesideCivility,
    Closing,
    Thanks,
    Salutation,
    Feeling,
    Speaker,
    Seeing,
    Unable,
    Person,
    Reasoning,
    Rejecting,
    Prohibiting,
    Sick,
    Possessive,
    Appointment,
    Denial,
    Because,
    Causing,
    Purpose,
    Origin,
    Determiner,
    Ordering,
    Negating,
    Being,
    Pronoun,
    Hardly,
    Uneven,
    White,
    Gray,
    LessLight,
    Mildly,
    Saturation,
    Shining,
    Ensuring,
    Like,
    Fresh,
    Mild,
    Lessening,
    LesseningParticle,
    They,
    It,
    Back,
    Stop,
    Number,
    Reference,
    Making,
    Clear,
    Means,
    Denying,
    Concluding,
    BesideDenial,
    Past,
    Ending,
    LongEnding,
    Clitic,
    Intensifier,
    Wider,
    Excluding,
    Unwanted,
    Forbidding,
    Instrument,
    Camera,
    Inquiring,
    Unsplit,
    QuestionPhrase,
    Straightening,
    Elided,
}

/// Words of all languages.
struct Grammar {
    /// Classes of each word, as bits.
    classes: HashMap<String, u128>,
    /// Words of each class, in the order of the files.
    lists: HashMap<Class, Vec<String>>,
}

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| {
    let mut grammar = Grammar { classes: HashMap::new(), lists: HashMap::new() };
    let rows = word_files!("grammar").into_iter().flat_map(|file| file.rows(|name| name.parse::<Class>().ok()));
    for (class, words) in rows.map(checked) {
        for word in words.into_iter().map(folded) {
            *grammar.classes.entry(word.clone()).or_default() |= 1 << class as u32;
            grammar.lists.entry(class).or_default().push(word);
        }
    }
    grammar
});

impl Class {
    /// Returns whether a word, or a phrase with single spaces, belongs to the class.
    pub(crate) fn has(self, word: impl AsRef<str>) -> bool {
        GRAMMAR.classes.get(word.as_ref()).is_some_and(|classes| classes >> self as u32 & 1 == 1)
    }

    /// Returns whether a word of the class is among the words.
    pub(crate) fn is_in(self, words: &[String]) -> bool {
        words.iter().any(|word| self.has(word))
    }

    /// Returns whether the words begin with one of the class.
    pub(crate) fn begins(self, words: &[String]) -> bool {
        words.first().is_some_and(|first| self.has(first))
    }

    /// Returns the words of the class, English ones first.
    pub(crate) fn list(self) -> &'static [String] {
        GRAMMAR.lists.get(&self).map_or(&[], Vec::as_slice)
    }

    /// Returns where the first word of the class is.
    pub(crate) fn at(self, words: &[String]) -> Option<usize> {
        words.iter().position(|word| self.has(word))
    }
}
