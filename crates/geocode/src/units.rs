//! Apartments, floors and boxes for mail in an address.

use crate::account::{Part, Remainder};
use crate::query::{self, Before, Token};
use crate::rows::Row;
use crate::words::UNIT_WORDS;

/// Longest name of an apartment, characters.
const LONGEST: usize = 6;
/// Last characters of floors, rooms and buildings in Chinese and Japanese.
const EAST_ASIAN: [char; 11] = ['楼', '樓', '層', '层', '階', '室', '房', '幢', '座', '栋', '棟'];

/// Whether a word may be the name of an apartment.
fn is_name(token: &Token) -> bool {
    (1..=LONGEST).contains(&token.text.len()) && query::is_short_code(&token.text)
}

/// Whether a word may be the number of a floor: `3`, `3rd`.
fn is_floor_number(token: &Token) -> bool {
    let digits = token.text.bytes().take_while(u8::is_ascii_digit).count();
    (1..=2).contains(&digits) && token.text.len() <= digits + 3
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

fn is_alone(token: &Token) -> bool {
    UNIT_WORDS.alone.contains(&token.text)
}

impl Remainder<'_> {
    /// The part of a house, or the box, that the first words of a run from `at` name, and how many they are.
    pub(crate) fn unit(&self, row: &Row, at: usize, run: &[Token]) -> Option<(usize, Part)> {
        let found =
            self.unnamed_unit(row, at, run).or_else(|| named_unit(run)).map(|(count, name)| (count, Part::Unit(name)));
        let found = found.or_else(|| mailbox(run)).or_else(|| floor(run).map(|count| (count, Part::Noise)));
        found.or_else(|| self.behind_number(at, run)).or_else(|| glued_unit(run).map(|name| (1, Part::Unit(name))))
    }

    /// An apartment without a word for it: one that the map has, or one that is joined to the number (`3-II`, `P2-1855`) or stands first
    /// (`C2 1845 West 10th Avenue`).
    fn unnamed_unit(&self, row: &Row, at: usize, run: &[Token]) -> Option<(usize, String)> {
        let first = &run[0];
        let number = self.number;
        let is_beside = at == number.to || at + 1 == number.from || at == self.street.1;
        if let Some(next) = run.get(1).filter(|next| is_beside && next.before == Before::Dash) {
            let joined = format!("{}{}", first.text, next.text);
            if row.has_unit(&joined) {
                return Some((2, joined));
            }
        }
        if !is_name(first) {
            return None;
        }
        let is_mapped = is_beside && row.has_unit(&first.text);
        let is_mixed = (2..=3).contains(&first.text.len()) && first.text.starts_with(|c: char| c.is_ascii_alphabetic());
        let is_first = at == 0 && at + 1 == number.from && number.from < self.street.0 && is_mixed;
        let next = &self.tokens[number.from];
        let is_joined = at + 1 == number.from && next.before == Before::Dash && first.segment == next.segment;
        let is_behind = at == number.to && first.before == Before::Dash && !is_digits(&first.text);
        let is_marked = first.before == Before::Hash;
        // `4th apartment`
        if at >= number.to
            && first.text.len() <= 3
            && run.get(1).is_some_and(|t| t.text.len() > 1 && UNIT_WORDS.unit.contains(&t.text))
        {
            return Some((2, first.text.clone()));
        }
        (is_mapped || is_first || is_joined || is_behind || is_marked).then(|| (1, first.text.clone()))
    }

    /// What may stand behind the number: floor and door (`12, 3º B`), a room in Chinese or Japanese, `ground floor`.
    fn behind_number(&self, at: usize, run: &[Token]) -> Option<(usize, Part)> {
        let first = &run[0];
        if at > self.number.from && first.raw.ends_with(EAST_ASIAN) {
            return Some((1, Part::Noise));
        }
        let is_ordinal = first.raw.ends_with(['º', 'ª', '°']) || query::is_ordinal(&first.text);
        if is_ordinal && (self.number.to..=self.number.to + 2).contains(&at) {
            let door = run.get(1).filter(|t| (t.text.len() <= 2 || is_alone(t)) && t.segment <= first.segment + 1);
            return Some((1 + usize::from(door.is_some()), Part::Noise));
        }
        let is_near = (self.number.to..=self.number.to + 3).contains(&at);
        if is_alone(first) && (first.text.len() > 2 || is_near) {
            let with_floor = run.get(1).is_some_and(|t| UNIT_WORDS.floor.contains(&t.text));
            return Some((1 + usize::from(with_floor), Part::Noise));
        }
        None
    }
}

/// An apartment with a word for it: `Apt 4 B`, `Unit No. 3-5`.
fn named_unit(run: &[Token]) -> Option<(usize, String)> {
    let first = &run[0];
    if !UNIT_WORDS.unit.contains(&first.text) {
        return None;
    }
    let has_number_word = run.get(1).is_some_and(|t| query::is_number_word(&t.text)) && run.get(2).is_some_and(is_name);
    let at = 1 + usize::from(has_number_word);
    // A word of one letter names a short number behind it: `m. 5`.
    let is_certain = |t: &Token| first.text.len() > 1 || (t.text.len() <= 3 && t.segment == first.segment);
    let own = run.get(at).filter(|t| is_name(t) && is_certain(t))?;
    let belongs =
        |t: &&Token| (t.segment == own.segment && t.text.len() == 1) || (t.before == Before::Dash && is_name(t));
    match run.get(at + 1).filter(belongs) {
        Some(more) => Some((at + 2, format!("{}{}", own.text, more.text))),
        None => Some((at + 1, own.text.clone())),
    }
}

/// An apartment joined to the word for it: `Apt403`, `PH1`.
fn glued_unit(run: &[Token]) -> Option<String> {
    let text = &run[0].text;
    let (word, name) = text.split_at(text.find(|c: char| c.is_ascii_digit())?);
    let is_word = word.len() > 2 && UNIT_WORDS.unit.contains(word);
    let is_penthouse = word.len() > 1 && word.starts_with("ph") && UNIT_WORDS.alone.contains(word);
    (name.len() <= LONGEST && (is_word || is_penthouse)).then(|| if is_word { name.to_owned() } else { text.clone() })
}

/// A box for mail, or a code that stands for one: `PO Box 12`, `BP 90123`, `CEDEX 08`.
fn mailbox(run: &[Token]) -> Option<(usize, Part)> {
    let first = &run[0];
    if first.text == "cedex" {
        let office = run.get(1).filter(|t| t.text.len() <= 2 && is_digits(&t.text));
        return Some((1 + usize::from(office.is_some()), Part::Cedex));
    }
    let is_word = |at: usize| run.get(at).is_some_and(|t| UNIT_WORDS.mailbox.contains(&t.text));
    let is_letters = first.text == "p" && run.get(1).is_some_and(|t| t.text == "o");
    let words = match (is_word(0), is_letters) {
        (true, _) => 1 + usize::from(is_word(1)),
        (_, true) => 2 + usize::from(is_word(2)),
        _ => return None,
    };
    let is_number = |t: &&Token| {
        let plain = t.text.strip_prefix("no").or(t.text.strip_prefix('n')).unwrap_or(&t.text);
        is_digits(plain) && t.segment == first.segment
    };
    let numbers = run[words.min(run.len())..].iter().take(3).take_while(is_number).count();
    (numbers > 0).then_some((words + numbers, Part::Noise))
}

/// A floor, staircase or part of a building: `Floor 3`, `3rd floor`, `2. OG`.
fn floor(run: &[Token]) -> Option<usize> {
    let is_word = |t: &Token| UNIT_WORDS.floor.contains(&t.text);
    let next = run.get(1)?;
    let is_number = |t: &Token| is_floor_number(t) || t.text.len() == 1 || is_alone(t) || is_ordinal_word(&t.text);
    ((is_word(&run[0]) && is_number(next))
        || ((is_floor_number(&run[0]) || is_ordinal_word(&run[0].text)) && is_word(next)))
    .then_some(2)
}

/// Returns true for ordinals of storeys: `Sixth Floor`, `Erster Stock`.
fn is_ordinal_word(word: &str) -> bool {
    const WORDS: [&str; 16] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "top", "primer",
        "premier", "deuxieme", "erster", "zweiter",
    ];
    WORDS.contains(&word)
}
