//! Splits a line of text into words and possible house numbers.

use aerie_geodata::{house_number, names};

/// A word or number of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    /// Folded letters and digits.
    pub(crate) text: String,
    /// As written.
    pub(crate) raw: String,
    /// Whether it is abbreviated with a dot.
    pub(crate) dotted: bool,
    /// The house number that it may be, in normal form.
    pub(crate) number: Option<String>,
}

/// A place in the text that may be the house number: its tokens and the number in normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NumberSpan {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) number: String,
}

/// Longest address, characters.
const MAX_TEXT: usize = 500;
/// Maximum number of words: the search tries every run of them.
const MAX_WORDS: usize = 40;

pub(crate) fn tokens(address: &str) -> Vec<Token> {
    let text: String = address.chars().take(MAX_TEXT).collect();
    let text = close_ranges(&text);
    let mut out = Vec::new();
    for chunk in text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '#' | '"')) {
        let trimmed = chunk.trim_matches(|c: char| !c.is_alphanumeric() && c != '.');
        let bare = trimmed.trim_end_matches('.');
        if is_number(bare) {
            out.push(Token {
                text: names::letters(bare),
                raw: bare.to_owned(),
                dotted: trimmed.len() > bare.len(),
                number: Some(house_number::normal(bare)),
            });
            continue;
        }
        for word in names::words(trimmed) {
            let number = word.folded.bytes().all(|b| b.is_ascii_digit()).then(|| word.folded.clone());
            out.push(Token { text: word.folded, raw: word.raw, dotted: word.dotted, number });
        }
    }
    out.truncate(MAX_WORDS);
    out
}

/// `9 - 11` as `9-11`.
fn close_ranges(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let digit = |c: Option<&char>| c.is_some_and(char::is_ascii_digit);
    let mut out = String::with_capacity(text.len());
    let mut i = 0;
    while i < chars.len() {
        let dash = matches!(chars[i], '-' | '–' | '—' | '/');
        if dash
            && i >= 2
            && chars[i - 1] == ' '
            && digit(chars.get(i - 2))
            && chars.get(i + 1) == Some(&' ')
            && digit(chars.get(i + 2))
        {
            out.pop();
            out.push('-');
            i += 2;
            continue;
        }
        out.push(chars[i]);
        i += 1;
    }
    out
}

/// Whether a text has the form of a house number: digits, then at most one letter, and further such parts after dashes
/// and slashes.
fn is_number(text: &str) -> bool {
    let mut parts = text.split(['-', '–', '—', '/']);
    let part = |p: &str, first: bool| {
        let digits = p.bytes().take_while(u8::is_ascii_digit).count();
        let tail = &p[digits..];
        let letter = tail.is_empty() || (tail.len() == 1 && tail.as_bytes()[0].is_ascii_alphabetic());
        letter && p.len() <= 6 && !p.is_empty() && (digits > 0 || !first)
    };
    parts.next().is_some_and(|p| part(p, true)) && parts.all(|p| part(p, false))
}

/// Every place that may be the house number; `19 b` may be 19b, or 19 before something else.
pub(crate) fn numbers(tokens: &[Token]) -> Vec<NumberSpan> {
    let mut out = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let Some(number) = &token.number else { continue };
        let letter = tokens.get(i + 1).filter(|t| t.text.len() == 1 && t.text.as_bytes()[0].is_ascii_alphabetic());
        if let Some(letter) = letter.filter(|_| number.ends_with(|c: char| c.is_ascii_digit())) {
            // `11 B 9`: staircase and apartment, if they are part of the mapped number.
            if let Some(flat) = tokens.get(i + 2).and_then(|t| t.number.as_ref()) {
                out.push(NumberSpan { from: i, to: i + 3, number: format!("{number}{}{flat}", letter.text) });
            }
            out.push(NumberSpan { from: i, to: i + 2, number: format!("{number}{}", letter.text) });
        }
        out.push(NumberSpan { from: i, to: i + 1, number: number.clone() });
    }
    out
}

/// Words that add nothing to an address: countries as people write them after a town.
pub(crate) fn is_country(key: &str) -> bool {
    const COUNTRIES: [&str; 80] = [
        "liechtenstein",
        "fl",
        "li",
        "furstentumliechtenstein",
        "deutschland",
        "germany",
        "allemagne",
        "d",
        "de",
        "brd",
        "bundesrepublikdeutschland",
        "schweiz",
        "suisse",
        "svizzera",
        "switzerland",
        "ch",
        "osterreich",
        "austria",
        "at",
        "a",
        "finland",
        "suomi",
        "fi",
        "fin",
        "sverige",
        "sweden",
        "se",
        "norge",
        "norway",
        "no",
        "danmark",
        "denmark",
        "dk",
        "france",
        "frankreich",
        "fr",
        "f",
        "italia",
        "italy",
        "it",
        "i",
        "espana",
        "spain",
        "es",
        "portugal",
        "pt",
        "nederland",
        "netherlands",
        "thenetherlands",
        "nl",
        "belgium",
        "belgie",
        "belgique",
        "be",
        "luxembourg",
        "luxemburg",
        "lu",
        "uk",
        "gb",
        "unitedkingdom",
        "greatbritain",
        "england",
        "scotland",
        "wales",
        "ireland",
        "ie",
        "usa",
        "us",
        "unitedstates",
        "unitedstatesofamerica",
        "canada",
        "ca",
        "australia",
        "au",
        "newzealand",
        "nz",
        "polska",
        "poland",
        "pl",
        "cz",
    ];
    COUNTRIES.contains(&key)
}

/// Words before a house number.
pub(crate) fn is_number_word(key: &str) -> bool {
    matches!(key, "nr" | "no" | "num" | "number" | "nummer" | "hausnr" | "hausnummer" | "house")
}

/// Words before the number of an apartment, which does not change the house.
pub(crate) fn is_flat_word(key: &str) -> bool {
    matches!(key, "apt" | "apartment" | "unit" | "flat" | "suite" | "ste" | "wohnung" | "whg" | "floor" | "stock")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_into_words_and_numbers() {
        let found: Vec<(String, bool)> =
            tokens("FL-9495 Triesen, Dorfstr. 9 - 11").into_iter().map(|t| (t.text, t.number.is_some())).collect();
        let want = [("fl", false), ("9495", true), ("triesen", false), ("dorfstr", false), ("911", true)];
        assert_eq!(found, want.map(|(t, n)| (t.to_owned(), n)));
        assert_eq!(tokens("Dorfstr. 9 - 11")[1].number.as_deref(), Some("9-11"));
    }

    #[test]
    fn a_letter_apart_may_belong_to_the_number() {
        let spans = numbers(&tokens("Bühelstrasse 19 b Triesenberg"));
        assert_eq!(spans.iter().map(|s| s.number.as_str()).collect::<Vec<_>>(), ["19b", "19"]);
    }
}
