//! Clauses of a text, at punctuation and conjunctions.

use super::fold::folded;

/// A part of a text that asks for one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// As it was written.
    pub text: String,
    /// Its words, folded.
    pub words: Vec<String>,
    /// Whether it continues the sentence of the clause before it.
    pub is_joined: bool,
    /// Whether it does so with "or": a negation before it holds for both.
    pub is_alternative: bool,
}

/// Where a text is split, besides at punctuation.
#[derive(Debug, Clone, Copy)]
pub struct Splitting {
    /// Words between clauses, folded.
    pub conjunctions: &'static [&'static str],
    /// Conjunctions that mean "or", folded.
    pub alternatives: &'static [&'static str],
    /// Words that begin a clause and belong to it, folded.
    pub openers: &'static [&'static str],
    /// Three words that are not split although the middle one is a conjunction, folded.
    pub kept: &'static [[&'static str; 3]],
}

/// Words whose vowel is dropped before an apostrophe in French.
const ELIDED: [&str; 9] = ["l", "d", "n", "c", "s", "j", "m", "t", "qu"];

#[derive(Clone, Copy, PartialEq)]
enum Gap {
    None,
    Clause,
    Sentence,
}

struct Token {
    word: String,
    start: usize,
    end: usize,
    /// What separates it from the token before it.
    gap: Gap,
}

/// Splits a text into clauses.
#[must_use]
pub fn clauses(text: &str, splitting: Splitting) -> Vec<Clause> {
    let tokens = tokens(text);
    let mut clauses: Vec<Clause> = Vec::new();
    let mut span: Option<(usize, usize)> = None;
    let (mut words, mut is_joined, mut is_alternative) = (Vec::new(), false, false);
    let mut close =
        |span: &mut Option<(usize, usize)>, words: &mut Vec<String>, is_joined: bool, is_alternative: bool| {
            if let Some((start, end)) = span.take() {
                let (text, words) = (text[start..end].to_owned(), std::mem::take(words));
                let is_joined = is_joined && !clauses.is_empty();
                clauses.push(Clause { text, words, is_joined, is_alternative: is_joined && is_alternative });
            }
        };
    for (i, token) in tokens.iter().enumerate() {
        let alternative = splitting.alternatives.contains(&token.word.as_str());
        let is_conjunction =
            (alternative || splitting.conjunctions.contains(&token.word.as_str())) && !is_kept(&tokens, i, splitting);
        let opens = splitting.openers.contains(&token.word.as_str());
        if token.gap != Gap::None || is_conjunction || opens {
            let was_open = span.is_some();
            close(&mut span, &mut words, is_joined, is_alternative);
            // A conjunction after a full stop starts a sentence.
            is_joined = token.gap != Gap::Sentence && (was_open || is_joined);
            is_alternative = alternative;
        }
        if !is_conjunction {
            span = Some((span.map_or(token.start, |(start, _)| start), token.end));
            words.push(token.word.clone());
        }
    }
    close(&mut span, &mut words, is_joined, is_alternative);
    clauses
}

/// Whether the token at `i` is the middle of words that stay together.
fn is_kept(tokens: &[Token], i: usize, splitting: Splitting) -> bool {
    let Some([before, token, after]) = i.checked_sub(1).and_then(|from| tokens.get(from..i + 2)) else { return false };
    token.gap == Gap::None
        && after.gap == Gap::None
        && splitting.kept.contains(&[before.word.as_str(), token.word.as_str(), after.word.as_str()])
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut gap = Gap::None;
    let mut current: Option<(String, usize, usize)> = None;
    let mut characters = text.char_indices().peekable();
    let mut last = ' ';
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map_or(' ', |(_, next)| *next);
        let is_number = last.is_ascii_digit() && next.is_ascii_digit();
        if c.is_alphanumeric() || is_accent(c) || (is_number && ['.', ',', ':'].contains(&c)) {
            let end = at + c.len_utf8();
            match &mut current {
                Some((word, _, until)) => {
                    word.push(c);
                    *until = end;
                }
                None => current = Some((c.to_string(), at, end)),
            }
        } else if is_apostrophe(c)
            && next.is_alphanumeric()
            && current.as_ref().is_some_and(|(word, _, _)| !is_elided(word))
        {
            // "don't" is one word.
        } else {
            push(&mut tokens, &mut current, &mut gap);
            let found = match c {
                '.' | ';' | '!' | '?' | '\n' | '\u{2026}' => Gap::Sentence,
                ',' | ':' | '(' | ')' | '[' | ']' | '|' | '/' | '\u{2022}' | '\u{2013}' | '\u{2014}' | '*' => {
                    Gap::Clause
                }
                '+' if !next.is_ascii_digit() => Gap::Clause,
                _ => Gap::None,
            };
            // "A & b", "contrast -10".
            let is_sign = ['-', '\u{2212}'].contains(&c) && next.is_ascii_digit() && !last.is_alphanumeric();
            if let Some(spoken) = if is_sign { Some("minus") } else { (c == '&').then_some("and") } {
                current = Some((spoken.to_owned(), at, at + c.len_utf8()));
                push(&mut tokens, &mut current, &mut gap);
            }
            if found == Gap::Sentence || gap == Gap::None {
                gap = found;
            }
        }
        last = c;
    }
    push(&mut tokens, &mut current, &mut gap);
    tokens
}

fn push(tokens: &mut Vec<Token>, current: &mut Option<(String, usize, usize)>, gap: &mut Gap) {
    if let Some((word, start, end)) = current.take() {
        let word = folded(&word);
        tokens.push(Token { word, start, end, gap: std::mem::replace(gap, Gap::None) });
    }
}

fn is_elided(word: &str) -> bool {
    ELIDED.iter().any(|elided| elided.eq_ignore_ascii_case(word))
}

fn is_apostrophe(c: char) -> bool {
    ['\'', '\u{2019}', '\u{2018}', '`', '\u{b4}'].contains(&c)
}

fn is_accent(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPLITTING: Splitting = Splitting {
        conjunctions: &["and", "but"],
        alternatives: &["or"],
        openers: &["without"],
        kept: &[["black", "and", "white"]],
    };

    fn read(text: &str) -> Vec<(String, String, bool)> {
        clauses(text, SPLITTING).into_iter().map(|c| (c.text, c.words.join(" "), c.is_joined)).collect()
    }

    #[test]
    fn clauses_are_quoted_as_they_were_written() {
        let expected = [
            ("Don't  Straighten", "dont straighten", false),
            ("Ciel d'été", "ciel d ete", true),
            ("no crop", "no crop", false),
        ];
        let expected = expected.map(|(text, words, joined)| (text.to_owned(), words.to_owned(), joined));
        assert_eq!(read("Don't  Straighten, Ciel d'été. And no crop!"), expected);
    }

    #[test]
    fn conjunctions_split_but_not_inside_a_phrase_or_a_number() {
        let texts = |text| read(text).into_iter().map(|(text, _, _)| text).collect::<Vec<_>>();
        assert_eq!(texts("black & white & sharp without noise"), ["black & white", "sharp", "without noise"]);
        assert_eq!(texts("crop 16:9, push-in 2.5 m and +20"), ["crop 16:9", "push-in 2.5 m", "20"]);
        assert!(read(" ,;and. ").is_empty());
    }
}
