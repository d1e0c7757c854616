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
    /// Number of the part of the text, between commas and the like, that it is in.
    pub(crate) segment: usize,
    /// What stands directly before it.
    pub(crate) before: Before,
}

/// What stands before a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    /// A space, a comma or the beginning.
    Space,
    /// A hyphen, dash or slash.
    Dash,
    /// The sign `#`.
    Hash,
}

/// Longest address, characters.
const MAX_TEXT: usize = 500;
/// Maximum number of words: the search tries every run of them.
const MAX_WORDS: usize = 40;
/// Longest house number, characters.
const LONGEST_NUMBER: usize = 12;

pub(crate) fn tokens(address: &str) -> Vec<Token> {
    let text: String = spaced(address.chars().take(MAX_TEXT));
    let (mut out, mut chunk) = (Vec::new(), String::new());
    let (mut segment, mut before) = (0, Before::Space);
    let flush = |chunk: &mut String, segment: usize, before: &mut Before, out: &mut Vec<Token>| {
        if push_chunk(chunk, segment, *before, out) {
            *before = Before::Space;
        }
        chunk.clear();
    };
    for c in text.chars() {
        match c {
            ',' | ';' | '(' | ')' | '"' | '\n' | '|' | '，' | '、' | ':' => {
                flush(&mut chunk, segment, &mut before, &mut out);
                // `No:12` is one part.
                segment += usize::from(c != ':');
            }
            '#' => {
                flush(&mut chunk, segment, &mut before, &mut out);
                before = Before::Hash;
            }
            c if c.is_whitespace() => {
                if is_dash(&chunk) {
                    segment += 1;
                    before = Before::Dash;
                    chunk.clear();
                } else {
                    flush(&mut chunk, segment, &mut before, &mut out);
                }
            }
            c => chunk.push(c),
        }
    }
    flush(&mut chunk, segment, &mut before, &mut out);
    out.truncate(MAX_WORDS);
    out
}

/// Words that end with one of these characters are written without spaces between them, and each is a part of its own.
const ENDS: &str = "省市区區县縣県州盟府都郡镇鎮乡鄉村里町路街道巷弄段號号目楼樓層层階室房幢座栋棟";
/// Those behind which another may begin a part: `府中市府川町`.
const ENDS_OF_CITIES: &str = "市区區";
/// What may follow a number.
const BEHIND_NUMBER: &str = "号號番巷弄段丁楼樓層层階室房幢座栋棟";

/// Whether a text is written in Chinese, Japanese or Korean, where the house comes last.
pub(crate) fn is_east_asian(text: &str) -> bool {
    text.chars().any(|c| is_unspaced(c) || ('\u{ac00}'..='\u{d7a3}').contains(&c))
}

/// Whether a character is of a script without spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ff66}'..='\u{ff9f}')
}

/// Full-width digits and signs as ASCII, and Chinese and Japanese texts cut between the parts of an address.
fn spaced(text: impl Iterator<Item = char>) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let chars: Vec<char> = text
        .collect::<String>()
        // `450番地の2` is 450-2.
        .replace("番地の", "の")
        .chars()
        .map(|c| match c {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
            '‐' | '‑' | '−' | '―' => '-',
            c => c,
        })
        .collect();
    for (at, c) in chars.iter().copied().enumerate() {
        let next = chars.get(at + 1).copied().unwrap_or(' ');
        let last = word.chars().next_back().unwrap_or(' ');
        let is_between = last.is_ascii_digit() && next.is_ascii_digit();
        let c = if is_between && matches!(c, 'ー' | '之' | '番' | 'の' | 'ノ') { '-' } else { c };
        // `目` ends a part only behind `丁`: Meguro is `目黒`.
        let is_last = ENDS.contains(last) && (last != '目' || word.ends_with("丁目"));
        let goes_on = ENDS.contains(c) && (!ENDS_OF_CITIES.contains(last) || ENDS.contains(next) || c == last);
        let is_end = is_last && word.chars().count() > 1 && !goes_on;
        let is_country = matches!(word.as_str(), "中国" | "中國" | "日本" | "日本国");
        if is_unspaced(last) && is_unspaced(c) && (is_end || is_country) {
            out.push_str(", ");
            word.clear();
        } else if is_unspaced(last) && c.is_ascii_alphanumeric() {
            out.push_str(if is_end { ", " } else { " " });
            word.clear();
        } else if last.is_ascii_alphanumeric() && is_unspaced(c) && !BEHIND_NUMBER.contains(c) {
            out.push_str(", ");
            word.clear();
        }
        // Words of Korean districts and towns stand alone, too.
        let is_district = "시구동읍면군도".contains(last) && word.chars().count() > 1;
        if c == ' ' && (is_district || (is_unspaced(last) && ENDS.contains(last))) {
            out.push(',');
        }
        if c.is_whitespace() || matches!(c, ',' | ';') {
            word.clear();
        } else {
            word.push(c);
        }
        out.push(c);
    }
    out
}

/// `3丁目` as `三丁目`, the form on maps.
fn in_characters(chunk: &str) -> Option<String> {
    const DIGITS: [&str; 10] = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    let digits = chunk.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = chunk.split_at(digits);
    let number: usize = number.parse().ok().filter(|n| (1..100).contains(n))?;
    let tens = match number / 10 {
        0 => String::new(),
        1 => "十".to_owned(),
        tens => format!("{}十", DIGITS[tens]),
    };
    matches!(rest, "丁目" | "丁" | "段").then(|| format!("{tens}{}{rest}", DIGITS[number % 10]))
}

/// The two parts of a number and a name without a space between them: `12Rue`, `75011paris`, `laurent75011`.
fn glued(chunk: &str) -> Option<(&str, &str)> {
    let first_letter = chunk.find(char::is_alphabetic)?;
    let first_digit = chunk.find(|c: char| c.is_ascii_digit())?;
    let at = first_letter.max(first_digit);
    let (first, second) = chunk.split_at(at);
    let letters = |text: &str| text.chars().count() >= 3 && text.chars().all(char::is_alphabetic);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let word = names::letters(second);
    let is_ending = is_ordinal(&names::letters(chunk)) || matches!(word.as_str(), "bis" | "ter" | "quater");
    let is_cut = if first_letter == 0 {
        letters(first) && digits(second) && second.len() == 5
    } else {
        digits(first) && letters(second)
    };
    (is_cut && !is_ending).then_some((first, second))
}

/// `C.so` and `P.za` without the dot.
fn contracted(chunk: &str) -> Option<String> {
    let (first, rest) = chunk.split_once('.')?;
    let is_ending = (2..=3).contains(&rest.len()) && rest.bytes().all(|b| b.is_ascii_lowercase());
    (first.len() == 1 && first.bytes().all(|b| b.is_ascii_alphabetic()) && is_ending).then(|| format!("{first}{rest}"))
}

/// The text with the first part of a Japanese number read as a quarter: `山王4-1-1` as `山王四丁目1-1`. `None` where there is none.
pub(crate) fn with_quarter(tokens: &[Token]) -> Option<String> {
    let is_japanese = |token: &Token| token.raw.chars().all(is_unspaced);
    let at = (1..tokens.len()).find(|at| is_japanese(&tokens[at - 1]) && tokens[*at].raw.contains('-'))?;
    let (quarter, rest) = tokens[at].raw.split_once('-')?;
    let quarter = in_characters(&format!("{quarter}丁目"))?;
    let raw = |tokens: &[Token]| tokens.iter().map(|token| token.raw.as_str()).collect::<Vec<_>>().join(", ");
    Some(format!("{}{quarter}, {rest}, {}", raw(&tokens[..at]), raw(&tokens[at + 1..])))
}

fn is_dash(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| matches!(c, '-' | '–' | '—' | '/'))
}

/// Adds the words of a text without spaces; returns whether there are any.
fn push_chunk(chunk: &str, segment: usize, before: Before, out: &mut Vec<Token>) -> bool {
    let trimmed = chunk.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '½' | '¼' | '¾'));
    let bare = trimmed.trim_end_matches('.');
    let bare = bare.strip_suffix(['号', '號', '番']).filter(|number| is_number(number)).unwrap_or(bare);
    if let Some((first, second)) = glued(bare) {
        push_chunk(first, segment, before, out);
        push_chunk(second, segment, Before::Space, out);
        return true;
    }
    let characters = in_characters(bare).or_else(|| contracted(bare));
    let bare = characters.as_deref().unwrap_or(bare);
    if is_number(bare) {
        out.push(Token {
            text: names::letters(bare),
            raw: bare.to_owned(),
            dotted: trimmed.len() > bare.len(),
            number: Some(house_number::normal(bare)),
            segment,
            before,
        });
        return true;
    }
    let from = out.len();
    for word in names::words(characters.as_deref().unwrap_or(trimmed)) {
        let is_joined = out.len() > from && trimmed.contains(['-', '–', '—', '/']);
        let before = if out.len() == from {
            before
        } else if is_joined {
            Before::Dash
        } else {
            Before::Space
        };
        let has_digit = word.folded.bytes().any(|b| b.is_ascii_digit()) && word.folded.len() <= LONGEST_NUMBER;
        let number = (has_digit && !is_ordinal(&word.folded)).then(|| house_number::normal(&word.raw));
        out.push(Token { text: word.folded, raw: word.raw, dotted: word.dotted, number, segment, before });
    }
    out.len() > from
}

/// Whether a folded word is a number with the ending of an order: `83rd`, `2eme`.
pub(crate) fn is_ordinal(word: &str) -> bool {
    let ending = word.trim_start_matches(|c: char| c.is_ascii_digit());
    ending.len() < word.len() && matches!(ending, "st" | "nd" | "rd" | "th" | "er" | "ere" | "eme" | "ieme")
}

/// Whether a text has the form of a house number: digits, then at most one letter, and further such parts after dashes
/// and slashes.
fn is_number(text: &str) -> bool {
    let mut parts = text.split(['-', '–', '—', '/', '½']);
    let part = |p: &str, first: bool| {
        let digits = p.bytes().take_while(u8::is_ascii_digit).count();
        let tail = &p[digits..];
        let letter = tail.is_empty() || (tail.len() == 1 && tail.as_bytes()[0].is_ascii_alphabetic());
        letter && p.len() <= 6 && (!p.is_empty() || !first) && (digits > 0 || !first)
    };
    parts.next().is_some_and(|p| part(p, true)) && parts.all(|p| part(p, false))
}

/// Whether a folded word is a Roman numeral, a letter or digits, as apartments and postcodes have them.
pub(crate) fn is_short_code(word: &str) -> bool {
    let is_roman = word.bytes().all(|b| matches!(b, b'i' | b'v' | b'x'));
    word.len() == 1 || word.bytes().any(|b| b.is_ascii_digit()) || (is_roman && !word.is_empty())
}

/// Words before a house number.
pub(crate) fn is_number_word(key: &str) -> bool {
    const WORDS: [&str; 23] = [
        "nr",
        "no",
        "num",
        "number",
        "nummer",
        "hausnr",
        "hausnummer",
        "numero",
        "nro",
        "n",
        "d",
        "dom",
        "bud",
        "budynek",
        "c",
        "cp",
        "hs",
        "nomor",
        "numer",
        "haus",
        "hno",
        "num",
        "h",
    ];
    WORDS.contains(&key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_into_words_and_numbers() {
        let found: Vec<(String, bool, usize)> = tokens("FL-9495 Triesen, Dorfstr. 9 - 11")
            .into_iter()
            .map(|t| (t.text, t.number.is_some(), t.segment))
            .collect();
        let want = [
            ("fl", false, 0),
            ("9495", true, 0),
            ("triesen", false, 0),
            ("dorfstr", false, 1),
            ("9", true, 1),
            ("11", true, 2),
        ];
        assert_eq!(found, want.map(|(t, n, s)| (t.to_owned(), n, s)));
    }
}
