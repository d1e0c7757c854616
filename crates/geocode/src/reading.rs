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
    /// Slips of the pen or cut words that had to be mended.
    pub(crate) mended: usize,
    /// Whether so little is left of the name that the town or postcode must be named as well.
    pub(crate) needs_town: bool,
}

/// A mapped address that accounts for all of the text.
pub(crate) struct Hit {
    pub(crate) row: Row,
    pub(crate) fit: Fit,
    pub(crate) street: String,
    pub(crate) mended: Option<String>,
    /// How much of what the text says of town and postcode the address does not itself say, or the other way round.
    pub(crate) apart: u8,
}

/// Key of the street that a run of words names.
pub(crate) fn span_key(tokens: &[Token]) -> String {
    let words: Vec<String> = tokens.iter().map(|t| t.text.clone()).collect();
    names::street_key_of(&words)
}
