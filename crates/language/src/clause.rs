//! Clauses of a text, at punctuation and conjunctions.

use crate::class::Class;
use crate::fold::folded;
use crate::lexicon::Reading;

/// A part of a text that asks for one thing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Clause {
    /// As it was written.
    pub(crate) text: String,
    /// Its words, folded.
    pub(crate) words: Vec<String>,
    /// Where each of them begins and ends in the text, bytes.
    spans: Vec<(usize, usize)>,
    /// True if it continues the sentence of the clause before it.
    pub(crate) is_joined: bool,
    /// True if it does so with "or": a negation before it holds for both.
    pub(crate) is_alternative: bool,
    /// True if it follows another conjunction ("and", "but"), not only punctuation.
    pub(crate) is_conjoined: bool,
}

impl Clause {
    /// Returns the words of a reading, as they were written.
    pub(crate) fn quoted<T>(&self, reading: &Reading<T>) -> &str {
        &self.text[self.spans[reading.at].0..self.spans[reading.at + reading.length - 1].1]
    }

    /// Appends another clause.
    pub(crate) fn extend(&mut self, other: Self) {
        let shift = self.text.len() + 1;
        self.text = format!("{} {}", self.text, other.text);
        self.words.extend(other.words);
        self.spans.extend(other.spans.into_iter().map(|(start, end)| (start + shift, end + shift)));
    }
}

/// Where a text is split, besides at punctuation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Splitting {
    /// Words between clauses.
    pub(crate) conjunctions: &'static [Class],
    /// Words that begin a clause and belong to it.
    pub(crate) openers: &'static [Class],
}

impl Splitting {
    /// Returns whether a word begins a clause and belongs to it ("without").
    pub(crate) fn opens(self, word: &str) -> bool {
        self.openers.iter().any(|class| class.has(word))
    }
}

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
    /// Separator from the token before it.
    gap: Gap,
}

/// Splits a text into clauses.
pub(crate) fn clauses(text: &str, splitting: Splitting) -> Vec<Clause> {
    let tokens = tokens(text);
    let mut clauses: Vec<Clause> = Vec::new();
    // Whether the next word begins a clause, and how that continues the text.
    let (mut is_new, mut is_joined, mut is_alternative, mut is_conjoined) = (true, false, false, false);
    let mut end = 0;
    for (i, token) in tokens.iter().enumerate() {
        let is_or = Class::Or.has(&token.word);
        let is_conjunction =
            (is_or || splitting.conjunctions.iter().any(|class| class.has(&token.word))) && !is_kept(&tokens, i);
        if token.gap != Gap::None || is_conjunction || splitting.opens(&token.word) {
            // A conjunction after a full stop starts a sentence.
            is_joined = token.gap != Gap::Sentence && (!is_new || is_joined);
            is_conjoined &= is_new;
            is_alternative = is_or;
            is_new = true;
        }
        if is_conjunction {
            is_conjoined = true;
            continue;
        }
        if is_new {
            let is_joined = is_joined && !clauses.is_empty();
            let is_alternative = is_joined && is_alternative;
            let is_conjoined = is_conjoined && !is_alternative;
            clauses.push(Clause { is_joined, is_alternative, is_conjoined, ..Clause::default() });
            (is_new, end) = (false, token.start);
        }
        if let Some(clause) = clauses.last_mut() {
            clause.text.push_str(&text[end..token.end]);
            let length = clause.text.len();
            clause.spans.push((length - (token.end - token.start), length));
            clause.words.push(token.word.clone());
        }
        end = token.end;
    }
    clauses
}

/// Returns whether the token at `i` is the middle of words that stay together.
fn is_kept(tokens: &[Token], i: usize) -> bool {
    let Some([before, token, after]) = i.checked_sub(1).and_then(|from| tokens.get(from..i + 2)) else { return false };
    token.gap == Gap::None
        && after.gap == Gap::None
        && Class::Unsplit.has(format!("{} {} {}", before.word, token.word, after.word))
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
    Class::Elided.has(word.to_ascii_lowercase())
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

    const SPLITTING: Splitting = Splitting { conjunctions: &[Class::Conjunction], openers: &[Class::Opener] };

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
