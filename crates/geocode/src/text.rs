//! An address as it is typed, with what is looked up for every run of its words.

use aerie_geodata::{names, postcode};

use crate::query::{self, Token};
use crate::words::{COUNTRIES, STATES};

/// Longest name of a town or street, words.
pub(crate) const MAX_SPAN: usize = 8;

/// A typed address.
pub(crate) struct Text {
    pub(crate) tokens: Vec<Token>,
    /// Runs of words: by the first word, then by their number.
    spans: Vec<Vec<Span>>,
}

/// A run of words.
pub(crate) struct Span {
    /// Key of the town that it may name.
    pub(crate) key: String,
    /// Letters and digits of all words.
    pub(crate) joined: String,
    /// It has the form of a postcode.
    pub(crate) is_postcode: bool,
    /// It has the form of the first half of a British postcode.
    pub(crate) is_outward: bool,
    /// It is the name or code of a state.
    pub(crate) is_state: bool,
    /// It is the name or code of a country.
    pub(crate) is_country: bool,
}

impl Text {
    pub(crate) fn new(address: &str) -> Self {
        let tokens = query::tokens(address);
        let span = |words: &[Token]| {
            let folded: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
            let (key, joined) = (names::locality_key_of(&folded), folded.concat());
            let is_state = STATES.named(&key).next().is_some();
            let is_country = COUNTRIES.named(&joined).next().is_some();
            let (is_postcode, is_outward) = (postcode::is_likely(&joined), postcode::is_outward(&joined));
            Span { key, joined, is_postcode, is_outward, is_state, is_country }
        };
        let spans_at = |at: usize| (at + 1..=tokens.len().min(at + MAX_SPAN)).map(|to| span(&tokens[at..to])).collect();
        let spans = (0..tokens.len()).map(spans_at).collect();
        Self { tokens, spans }
    }

    /// The run of `length` words from `at`, at most [`MAX_SPAN`].
    pub(crate) fn span(&self, at: usize, length: usize) -> &Span {
        &self.spans[at][length - 1]
    }
}
