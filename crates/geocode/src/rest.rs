//! The words of a text that name neither street nor house number: town, postcode, country. The last may be incomplete.

use aerie_geodata::names;

use crate::query::{self, Token};
use crate::rows::Row;
use crate::words::COUNTRIES;

/// Longest name of a town, words.
const MAX_SPAN: usize = 5;
/// Names of towns with fewer letters are not corrected.
const SHORTEST_CORRECTED: usize = 5;
/// Maximum number of words that may contradict an address.
const MAX_UNEXPLAINED: usize = 1;

/// The words of a text that name neither street nor house number.
pub(crate) struct Rest<'a> {
    /// Runs of adjacent words.
    runs: Vec<&'a [Token]>,
    /// Whether the last run ends with the text, so that its last word may be incomplete.
    is_open: bool,
}

impl<'a> Rest<'a> {
    /// All words but those in `taken`.
    pub(crate) fn new(tokens: &'a [Token], taken: &[(usize, usize)]) -> Self {
        let is_taken = |at: usize| taken.iter().any(|(from, to)| (*from..*to).contains(&at));
        let (mut runs, mut from) = (Vec::new(), 0);
        for at in 0..=tokens.len() {
            if at == tokens.len() || is_taken(at) {
                if from < at {
                    runs.push(&tokens[from..at]);
                }
                from = at + 1;
            }
        }
        Self { runs, is_open: !tokens.is_empty() && !is_taken(tokens.len() - 1) }
    }

    /// How many words an address does not explain, and how many name its town or postcode; `None` if too many are unexplained.
    pub(crate) fn fit(&self, row: &Row) -> Option<(usize, usize)> {
        let (mut unexplained, mut named) = (0, 0);
        for (at, run) in self.runs.iter().enumerate() {
            let is_open = self.is_open && at + 1 == self.runs.len();
            let mut from = 0;
            while from < run.len() {
                let longest = MAX_SPAN.min(run.len() - from);
                let explained = (1..=longest).rev().find_map(|length| {
                    let is_begun = is_open && from + length == run.len();
                    explain(&run[from..from + length], row, is_begun).map(|names_place| (length, names_place))
                });
                let (length, names_place) = explained.unwrap_or_else(|| {
                    unexplained += 1;
                    (1, false)
                });
                named += usize::from(names_place);
                from += length;
            }
        }
        (unexplained <= MAX_UNEXPLAINED).then_some((unexplained, named))
    }
}

/// Whether words add nothing (`false`) or name the place of an address (`true`); `None` for others.
fn explain(words: &[Token], row: &Row, is_begun: bool) -> Option<bool> {
    let folded: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
    let (key, joined) = (names::locality_key_of(&folded), folded.concat());
    let names = |list: &str, key: &str| {
        list.split('|').filter(|own| !own.is_empty()).any(|own| own == key || (is_begun && own.starts_with(key)))
    };
    if names(&row.localities, &key) || names(&row.postcodes, &joined) {
        return Some(true);
    }
    if COUNTRIES.named(&joined).next().is_some() || query::is_number_word(&joined) {
        return Some(false);
    }
    let is_near = |own: &str| {
        let edits = if is_begun { edits_to_beginning(&key, own, 1) } else { names::edit_distance(&key, own, 1) };
        own.len() >= SHORTEST_CORRECTED && edits.is_some()
    };
    let may_be_typo = key.len() >= SHORTEST_CORRECTED && key.bytes().all(|byte| byte.is_ascii_alphabetic());
    (may_be_typo && row.localities.split('|').any(is_near)).then_some(true)
}

/// Fewest edits from a text to a beginning of a name. Digits are never typos.
pub(crate) fn edits_to_beginning(written: &str, name: &str, most: usize) -> Option<usize> {
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).collect::<Vec<u8>>();
    let lengths = written.len().saturating_sub(most)..=(written.len() + most).min(name.len());
    let beginnings = lengths.filter_map(|length| name.get(..length));
    let same_digits = beginnings.filter(|beginning| digits(beginning) == digits(written));
    same_digits.filter_map(|beginning| names::edit_distance(written, beginning, most)).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_is_compared_with_the_beginning_of_a_name() {
        assert_eq!(edits_to_beginning("haupts", "hauptstrasse", 1), Some(0));
        assert_eq!(edits_to_beginning("huapts", "hauptstrasse", 1), Some(1));
        assert_eq!(edits_to_beginning("haupst", "hauptstrasse", 1), Some(1));
        assert_eq!(edits_to_beginning("fetherstone", "featherstonevale", 1), Some(1));
        assert_eq!(edits_to_beginning("bahnho", "hauptstrasse", 2), None);
        assert_eq!(edits_to_beginning("strasse17", "strasse18", 1), None);
        assert_eq!(edits_to_beginning("strasse1", "strassex", 1), None);
    }
}
