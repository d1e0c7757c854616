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
    /// Typos or abbreviations that were corrected.
    pub(crate) edits: usize,
    /// Whether the name is so short that the text must also name the town or postcode.
    pub(crate) needs_town: bool,
}

/// A mapped address that explains all of the text.
pub(crate) struct Hit {
    pub(crate) row: Row,
    pub(crate) fit: Fit,
    pub(crate) street: String,
    /// What was corrected, if anything.
    pub(crate) correction: Option<String>,
    /// How many of town and postcode are named by only one of the text and the address.
    pub(crate) mismatch: u8,
}

/// Key of the street that a run of words names.
pub(crate) fn span_key(tokens: &[Token]) -> String {
    let words: Vec<String> = tokens.iter().map(|t| t.text.clone()).collect();
    names::street_key_of(&words)
}
