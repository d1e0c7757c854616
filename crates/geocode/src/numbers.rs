//! Every place of a text that may be the house number.

use crate::query::{Before, Token};
use crate::words::UNIT_WORDS;

/// A place in the text that may be the house number: its tokens and the number in normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NumberSpan {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) number: String,
    /// The rest of what is written, read as part of the house.
    pub(crate) unit: Option<Unit>,
}

/// A part of the house, written as one with the number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) text: String,
    /// Whether it stands before the number (`5/20 Smith Street`) rather than behind it (`Lindengasse 12/3`).
    pub(crate) is_before: bool,
    /// Whether a slash separates them.
    pub(crate) by_slash: bool,
}

impl Unit {
    /// Whether it is an apartment for certain: a Czech house has two numbers.
    pub(crate) fn is_named(&self) -> bool {
        self.is_before || !self.text.is_empty()
    }
}

/// Words that belong to a number.
const ENDINGS: [&str; 6] = ["bis", "ter", "quater", "quinquies", "sexies", "septies"];

/// Every place that may be the house number; `19 b` may be 19b, or 19 before something else.
pub(crate) fn numbers(tokens: &[Token]) -> Vec<NumberSpan> {
    let mut out = Vec::new();
    // `Floor 6` holds no house number where another number is.
    let is_of_unit = |at: usize| {
        let before = at.checked_sub(1).map(|before| tokens[before].text.as_str());
        before.is_some_and(|word| word.len() > 1 && (UNIT_WORDS.floor.contains(word) || UNIT_WORDS.unit.contains(word)))
    };
    let has_other = (0..tokens.len()).any(|at| tokens[at].number.is_some() && !is_of_unit(at));
    for (i, token) in tokens.iter().enumerate() {
        if has_other && is_of_unit(i) {
            continue;
        }
        let Some(number) = &token.number else { continue };
        let mut add = |to: usize, number: String| out.push(NumberSpan { from: i, to, number, unit: None });
        let next = tokens.get(i + 1);
        if number.ends_with(|c: char| c.is_ascii_digit()) {
            parts(tokens, i, number, &mut add);
            if let Some(next) = next {
                if is_letter(next) {
                    // `11 B 9`: staircase and apartment, if they are part of the mapped number.
                    if let Some(flat) = tokens.get(i + 2).and_then(|t| t.number.as_ref()) {
                        add(i + 3, format!("{number}{}{flat}", next.text));
                    }
                    add(i + 2, format!("{number}{}", next.text));
                }
                if ENDINGS.contains(&next.text.as_str()) {
                    add(i + 2, format!("{number}{}", next.text));
                }
                let is_fraction = matches!(next.raw.as_str(), "1/2" | "½" | "1/4" | "3/4");
                if is_fraction {
                    add(i + 2, format!("{number} {}", next.number.as_deref().unwrap_or_default().trim()));
                }
                let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
                let second = next.number.as_deref().filter(|second| digits(number) && digits(second));
                if let Some(second) = second.filter(|_| next.before == Before::Dash) {
                    add(i + 2, format!("{number}-{second}"));
                    add(i + 2, format!("{number}/{second}"));
                }
            }
        }
        // The grid of Wisconsin.
        if let Some(second) = next.and_then(|next| next.number.as_ref()) {
            let is_grid = |text: &str| text.starts_with(['n', 's', 'e', 'w']);
            if is_grid(number) && is_grid(second) {
                add(i + 2, format!("{number}{second}"));
            }
        }
        add(i + 1, number.clone());
        with_units(token, i, &mut out);
    }
    out
}

fn is_letter(token: &Token) -> bool {
    token.raw.chars().count() == 1 && token.text.len() == 1 && token.text.as_bytes()[0].is_ascii_alphabetic()
}

/// Corpus, building and letter behind a Russian number: `10 к. 2 стр. 1`.
fn parts(tokens: &[Token], at: usize, number: &str, add: &mut impl FnMut(usize, String)) {
    let (mut number, mut to) = (number.to_owned(), at + 1);
    while let Some(token) = tokens.get(to) {
        let code = |word: &str| match word {
            "k" | "korp" | "korpus" | "kor" => Some("k"),
            "s" | "str" | "stroenie" => Some("s"),
            "lit" | "litera" | "liter" => Some(""),
            _ => None,
        };
        let digits = token.text.find(|c: char| c.is_ascii_digit()).unwrap_or(token.text.len());
        let (word, rest) = token.text.split_at(digits);
        let Some(code) = code(word) else { return };
        let (value, next) = match tokens.get(to + 1) {
            _ if !rest.is_empty() => (rest.to_owned(), to + 1),
            Some(value) if is_letter(value) && code.is_empty() => (value.text.clone(), to + 2),
            Some(value) if !code.is_empty() && value.text.starts_with(|c: char| c.is_ascii_digit()) => {
                (value.text.clone(), to + 2)
            }
            _ => return,
        };
        number = format!("{number}{code}{value}");
        to = next;
        add(to, number.clone());
    }
}

/// The parts of `12/5`, `3-HS` and `5/20`, of which one is the number and the other an apartment.
fn with_units(token: &Token, at: usize, out: &mut Vec<NumberSpan>) {
    let raw = token.raw.to_lowercase();
    let by_slash = raw.contains('/');
    // `12A/74-76`: the apartment stands before the slash.
    let separators: &[char] = if by_slash { &['/'] } else { &['-', '–'] };
    let most = if by_slash && raw.contains('-') { 9 } else { 5 };
    let whole = |text: &str| !text.is_empty() && text.len() <= most && text.starts_with(|c: char| c.is_ascii_digit());
    let mut add = |number: &str, unit: &str, is_before: bool| {
        let unit = Unit { text: unit.to_owned(), is_before, by_slash };
        out.push(NumberSpan {
            from: at,
            to: at + 1,
            number: aerie_geodata::house_number::normal(number),
            unit: Some(unit),
        });
    };
    if let Some((number, unit)) = raw.split_once(separators).filter(|(number, unit)| whole(number) && !unit.is_empty())
    {
        add(number, unit, false);
    }
    if let Some((unit, number)) = raw.rsplit_once(separators).filter(|(unit, number)| whole(number) && !unit.is_empty())
    {
        add(number, unit, true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tokens;

    fn written(text: &str) -> Vec<String> {
        numbers(&tokens(text)).into_iter().filter(|s| s.unit.is_none()).map(|s| s.number).collect()
    }

    #[test]
    fn a_letter_apart_may_belong_to_the_number() {
        assert_eq!(written("Bühelstrasse 19 b Triesenberg"), ["19b", "19"]);
    }

    #[test]
    fn words_and_numbers_behind_a_number_may_belong_to_it() {
        for (text, number) in [
            ("9 bis rue des Tilleuls", "9bis"),
            ("12 1/2 Cedar Court", "12 1/2"),
            ("ул. Ленина, д. 10 к. 2 стр. 1", "10k2s1"),
            ("улица Фонвизина 10 с2", "10s2"),
            ("Dorfstr. 9 - 11", "9-11"),
            ("N6 W23001 Bluemound Road", "n6w23001"),
        ] {
            assert!(written(text).contains(&number.to_owned()), "{text}: {:?}", written(text));
        }
        assert!(written("Via Sempione, 155 - 28053 Castelletto").contains(&"155".to_owned()));
    }

    #[test]
    fn one_part_of_a_number_may_be_an_apartment() {
        let read = |text: &str| {
            let spans = numbers(&tokens(text)).into_iter();
            spans.filter_map(|s| s.unit.map(|u| (s.number, u.text, u.is_before))).collect::<Vec<_>>()
        };
        let owned = |n: &str, u: &str, b| (n.to_owned(), u.to_owned(), b);
        assert_eq!(read("Lindengasse 12/3/7"), [owned("12", "3/7", false), owned("7", "12/3", true)]);
        assert_eq!(read("5/20 Smith Street"), [owned("5", "20", false), owned("20", "5", true)]);
        assert!(read("Dorfstrasse 24").is_empty());
    }
}
