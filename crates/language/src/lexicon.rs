//! Phrases and their meanings.

use std::collections::{HashMap, HashSet};

use crate::class::Class;
use crate::fold::{british, folded, without_umlauts};
use crate::inflection::base_forms;
use crate::words::{WordError, WordFile};

/// Shortest word in which a typing error is corrected, letters.
const SHORTEST_CORRECTED: usize = 5;
/// Shortest word in which two typing errors are corrected, letters.
const SHORTEST_CORRECTED_TWICE: usize = 9;
/// Longer words are not looked up with typing errors.
const LONGEST_CORRECTED: usize = 24;
/// Most such words in a row.
const MOST_INSERTED: usize = 2;

/// Phrases of several words with a meaning each.
#[derive(Debug)]
pub(crate) struct Lexicon<T> {
    /// By first word, longest first.
    phrases: HashMap<String, Vec<(Vec<String>, T)>>,
    words: HashSet<String>,
    /// Words that are long enough for two typing errors, by first letter.
    long_words: HashMap<char, Vec<String>>,
    /// Words by what is left of them without one letter.
    shortened: HashMap<String, Vec<String>>,
    ordinary: HashSet<&'static str>,
}

/// A part of a clause: a phrase, or one word without a meaning.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading<T> {
    /// Its meaning; `None` for an unknown word.
    pub(crate) meaning: Option<T>,
    /// First word.
    pub(crate) at: usize,
    /// Number of words.
    pub(crate) length: usize,
}

impl<T: Copy> Lexicon<T> {
    /// Parses files; the first that has a phrase decides its meaning. `ordinary` words are never taken for another
    /// word's inflected form or typing error.
    pub(crate) fn parse(files: &[WordFile], meaning: impl Fn(&str) -> Option<T>) -> Result<Self, WordError> {
        let mut lexicon = Self {
            phrases: HashMap::new(),
            words: HashSet::new(),
            long_words: HashMap::new(),
            shortened: HashMap::new(),
            ordinary: HashSet::new(),
        };
        let known = |name: &str| if name == "ordinary" { Some(None) } else { meaning(name).map(Some) };
        for row in files.iter().flat_map(|file| file.rows(&known)) {
            let (meaning, phrases) = row?;
            let Some(meaning) = meaning else {
                lexicon.ordinary.extend(phrases);
                continue;
            };
            for phrase in phrases {
                let lower = phrase.to_lowercase();
                for spelled in [Some(folded(&lower)), without_umlauts(&lower), british(&lower)].into_iter().flatten() {
                    lexicon.insert(&spelled, meaning);
                }
            }
        }
        for phrases in lexicon.phrases.values_mut() {
            phrases.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
        }
        Ok(lexicon)
    }

    fn insert(&mut self, phrase: &str, meaning: T) {
        let mut words = phrase.split_whitespace().map(str::to_owned);
        let Some(first) = words.next() else { return };
        let rest: Vec<String> = words.collect();
        for word in std::iter::once(&first).chain(&rest) {
            if self.words.insert(word.clone()) && word.len() >= SHORTEST_CORRECTED {
                for part in without_a_letter(word).chain([word.clone()]) {
                    self.shortened.entry(part).or_default().push(word.clone());
                }
                if let Some(first) = word.chars().next().filter(|_| word.chars().count() >= SHORTEST_CORRECTED_TWICE) {
                    self.long_words.entry(first).or_default().push(word.clone());
                }
            }
        }
        let known = self.phrases.entry(first).or_default();
        if known.iter().all(|(other, _)| *other != rest) {
            known.push((rest, meaning));
        }
    }

    /// Reads words from the left, the longest phrase first.
    pub(crate) fn read(&self, words: &[String]) -> Vec<Reading<T>> {
        let known: Vec<&str> = words.iter().map(|word| self.known(word)).collect();
        // "Turn around": the form that begins the longer phrase.
        readings(&known, |rest| {
            let own = self.longest(rest[0], rest);
            let is_inflected = |base: &&str| base.len() >= SHORTEST_CORRECTED || rest[0].ends_with("ing");
            let base = self.base(rest[0]).filter(|base| own.is_none() || is_inflected(base));
            let base = base.and_then(|base| self.longest(base, rest));
            match (own, base) {
                (Some(own), Some(base)) => Some(if base.1 > own.1 { base } else { own }),
                (own, base) => own.or(base),
            }
        })
    }

    /// Reads words as they are written, without inflected forms and typing errors.
    pub(crate) fn read_exactly(&self, words: &[String]) -> Vec<Reading<T>> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        readings(&words, |rest| self.longest(rest[0], rest))
    }

    /// Returns the longest phrase that begins with `first` and goes on with the words after the first.
    fn longest(&self, first: &str, words: &[&str]) -> Option<(T, usize)> {
        let phrases = self.phrases.get(first)?;
        phrases.iter().find_map(|(rest, meaning)| {
            let mut at = 1;
            for wanted in rest {
                let skipped = words[at.min(words.len())..].iter().take(MOST_INSERTED);
                at += skipped.take_while(|word| !is_same(word, wanted) && Class::Inserted.has(word)).count();
                is_same(words.get(at)?, wanted).then_some(())?;
                at += 1;
            }
            Some((*meaning, at))
        })
    }

    /// Returns the word of the lexicon that is meant: the same, its base form, or one that differs by a typing error.
    fn known<'a>(&'a self, word: &'a str) -> &'a str {
        if self.words.contains(word) || self.ordinary.contains(word) {
            return word;
        }
        let base = self.base(word);
        let letters = word.chars().count();
        if base.is_none() && (SHORTEST_CORRECTED..=LONGEST_CORRECTED).contains(&letters) {
            return self.corrected(word).unwrap_or(word);
        }
        base.unwrap_or(word)
    }

    /// Returns the base form of a word, if that is in the lexicon.
    fn base(&self, word: &str) -> Option<&str> {
        let is_free = !self.ordinary.contains(word);
        let known = || base_forms(word).filter(|_| is_free).filter_map(|base| self.words.get(&base));
        known().find(|base| self.phrases.contains_key(*base)).or_else(|| known().next()).map(String::as_str)
    }

    /// Returns the word that was meant if one letter is wrong, missing or too many, or two are swapped, or two such
    /// errors are in a long word; the first letter is right.
    fn corrected(&self, word: &str) -> Option<&str> {
        if word.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let letters: Vec<char> = word.chars().collect();
        let parts = std::iter::once(word.to_owned()).chain(without_a_letter(word));
        let mut near = parts.filter_map(|part| self.shortened.get(&part)).flatten();
        let is_meant = |known: &&String, errors| {
            let known: Vec<char> = known.chars().collect();
            known.first() == letters.first() && is_near(&known, &letters, errors)
        };
        if let Some(known) = near.find(|known| is_meant(known, 1)) {
            return Some(known);
        }
        let long = self.long_words.get(letters.first()?).filter(|_| letters.len() >= SHORTEST_CORRECTED_TWICE)?;
        let is_as_long = |known: &&String| known.len().abs_diff(word.len()) <= 1;
        long.iter().filter(is_as_long).find(|known| is_meant(known, 2)).map(String::as_str)
    }
}

/// Reads words from the left: `find` returns the meaning and the number of words of a phrase that they begin with.
fn readings<T>(words: &[&str], find: impl Fn(&[&str]) -> Option<(T, usize)>) -> Vec<Reading<T>> {
    let mut readings = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let found = find(&words[at..]);
        let (meaning, length) = found.map_or((None, 1), |(meaning, length)| (Some(meaning), length));
        readings.push(Reading { meaning, at, length });
        at += length;
    }
    readings
}

/// Returns whether a word is the wanted one, or its plural.
fn is_same(word: &str, wanted: &str) -> bool {
    word.strip_prefix(wanted).is_some_and(|rest| ["", "s"].contains(&rest))
}

fn without_a_letter(word: &str) -> impl Iterator<Item = String> {
    word.char_indices().map(|(at, c)| format!("{}{}", &word[..at], &word[at + c.len_utf8()..]))
}

/// Returns whether two words differ by at most so many letters that are wrong, missing, too many or swapped with their
/// neighbor (restricted Damerau-Levenshtein distance).
fn is_near(a: &[char], b: &[char], errors: usize) -> bool {
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    if a.is_empty() && b.is_empty() {
        return true;
    }
    let Some(errors) = errors.checked_sub(1) else { return false };
    a.get(1..).is_some_and(|left| is_near(left, b, errors))
        || b.get(1..).is_some_and(|right| is_near(a, right, errors))
        || a.get(1..).zip(b.get(1..)).is_some_and(|(left, right)| is_near(left, right, errors))
        || matches!((a, b), ([x, y, left @ ..], [v, w, right @ ..]) if x == w && y == v && is_near(left, right, errors))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon() -> Lexicon<u8> {
        let text = "1\tbrighter, tone down, warm\n2\tbrighter, wärmer, straighten\nordinary\twarmth, brigade";
        Lexicon::parse(&[WordFile { name: "test", text }], |name| name.parse().ok()).unwrap()
    }

    fn meanings(text: &str) -> Vec<Option<u8>> {
        let words: Vec<String> = text.split(' ').map(folded).collect();
        lexicon().read(&words).into_iter().map(|reading| reading.meaning).collect()
    }

    #[test]
    fn phrases_are_found_with_words_in_between_and_in_their_forms() {
        assert_eq!(meanings("tone it down"), [Some(1)]);
        assert_eq!(meanings("tone the sofa down"), [None, None, None, None]);
        assert_eq!(meanings("straightened warming WÄRMER waermer"), [Some(2), Some(1), Some(2), Some(2)]);
    }

    #[test]
    fn one_typing_error_is_corrected_in_longer_words() {
        assert_eq!(meanings("brigther brihter brightter brightar"), [Some(1); 4]);
        assert_eq!(meanings("brgihtre righter warn warmth"), [None; 4]);
    }

    #[test]
    fn two_typing_errors_are_corrected_in_long_words() {
        assert_eq!(meanings("straihgtne strraightne"), [Some(2); 2]);
        assert_eq!(meanings("brgihtre sraigten xtraighten"), [None; 3]);
    }

    #[test]
    fn text_of_any_shape_is_read_to_its_end() {
        for text in ["", "tone", "tone it it it down", "tone the", "\u{1f3e0} éé ß"] {
            let words: Vec<String> = text.split_whitespace().map(folded).collect();
            let read: usize = lexicon().read(&words).iter().map(|reading| reading.length).sum();
            assert_eq!(read, words.len(), "{text}");
        }
    }
}
