//! Readings of an address, and the mapped addresses that fit them.

use aerie_geodata::house_number::Fit;
use aerie_geodata::names;

use crate::query::Token;
use crate::rows::Row;

/// One way to read the text: which words are the street.
#[derive(Debug, Clone)]
pub(crate) struct Reading {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) key: String,
    /// Typos that were corrected, or the cost of what was shortened.
    pub(crate) edits: usize,
    /// Whether the name may also be that of another street, so that the answer says what it was read as.
    pub(crate) is_guess: bool,
    /// Whether the name is so short that the text must also name the town or postcode.
    pub(crate) needs_town: bool,
}

/// A mapped address that explains all of the text.
pub(crate) struct Hit {
    /// The words of the text that name the street, from the first up to the last.
    pub(crate) words: (usize, usize),
    pub(crate) row: Row,
    pub(crate) fit: Fit,
    pub(crate) street: String,
    /// What was corrected, if anything.
    pub(crate) correction: Option<String>,
    /// What was left out of the text because the map does not know it.
    pub(crate) skipped: Option<String>,
    pub(crate) is_named: bool,
    pub(crate) is_unproven: bool,
    /// The apartment in the text.
    pub(crate) unit: Option<String>,
    /// How many of town and postcode are named by only one of the text and the address.
    pub(crate) mismatch: u8,
}

impl Hit {
    /// Whether words were left out, whether some were corrected, whether neither town nor postcode is named (`Singapore` may be the
    /// country alone), and whether the map cannot say that a postcode or state is right.
    pub(crate) fn guesses(&self) -> [bool; 4] {
        [self.skipped.is_some(), self.correction.is_some(), !self.is_named, self.is_unproven]
    }
}

/// Key of the street that a run of words names.
pub(crate) fn span_key(tokens: &[Token]) -> String {
    let words: Vec<String> = tokens.iter().map(|t| t.text.clone()).collect();
    names::street_key_of(&words)
}
