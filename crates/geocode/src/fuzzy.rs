//! Fuzzy search: streets whose names nearly match the query, where no street matches exactly.
//!
//! A word that occurs elsewhere on the map is not a typo: `Im Rain` or `Bergweg` does not mean the `Am Rain` or
//! `Burgweg` that happens to be mapped.

use std::collections::BTreeSet;

use aerie_geodata::names;
use aerie_geodata::street_index::Form;
use rusqlite::Connection;

use crate::near;
use crate::query::Token;
use crate::reading::{Reading, span_key};
use crate::rows::{name_of, rows_between};
use crate::spellings::Spellings;
use crate::words::{STREET_WORDS, Sort};

/// Longest name of a street, words.
const MAX_SPAN: usize = 8;
/// Names with fewer letters are not corrected.
const SHORTEST: usize = 4;
/// Names with fewer letters are corrected only where the text also names the town.
const SHORT: usize = 7;
/// Names with this many letters or more may have two typos.
const LONG: usize = 14;
/// Maximum number of streets that an error lists.
const MAX_SIMILAR: usize = 5;

/// A run of words of the text.
struct Span {
    from: usize,
    to: usize,
    key: String,
    plain: String,
    /// Whether the last word is abbreviated.
    dotted: bool,
    /// Whether every word of it occurs on the map.
    known: bool,
}

/// Whether a word is part of the name of a street or of a town.
fn is_known(db: &Connection, spellings: &Spellings<'_>, word: &str) -> rusqlite::Result<bool> {
    let mut towns = db.prepare_cached("SELECT 1 FROM aerie_localities WHERE key = ?1")?;
    for word in std::iter::once(word).chain(names::stem(word)) {
        if spellings.has_word(word)? || towns.exists([word])? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Runs of words that are the name of a street but for an abbreviation (`Wieseng.`) or a typo, the nearest first.
pub(crate) fn readings(db: &Connection, spellings: &Spellings<'_>, tokens: &[Token]) -> rusqlite::Result<Vec<Reading>> {
    let known: Vec<bool> = tokens.iter().map(|t| is_known(db, spellings, &t.text)).collect::<Result<_, _>>()?;
    let (mut abbreviated, mut out) = (Vec::new(), Vec::new());
    for length in 1..=MAX_SPAN.min(tokens.len()) {
        for from in 0..=tokens.len() - length {
            let to = from + length;
            let words = &tokens[from..to];
            let key = span_key(words);
            if key.bytes().any(|b| b.is_ascii_alphabetic()) {
                let plain = words.iter().map(|w| w.text.as_str()).collect();
                let known = known[from..to].iter().all(|known| *known);
                let span = Span { from, to, key, plain, dotted: words[length - 1].dotted, known };
                read_span(spellings, &span, &mut abbreviated, &mut out)?;
            }
        }
    }
    // An abbreviation is not a typo.
    out.retain(|r: &Reading| !abbreviated.iter().any(|short: &Reading| (short.from, short.to) == (r.from, r.to)));
    out.append(&mut abbreviated);
    let mut kept = Vec::new();
    for reading in out {
        let name = name_of(db, &reading.key)?.unwrap_or_default();
        if !is_other_side(&tokens[reading.from..reading.to], &name) {
            kept.push(reading);
        }
    }
    let mut out = kept;
    out.sort_by(|a, b| (a.edits, a.from, a.to, &a.key).cmp(&(b.edits, b.from, b.to, &b.key)));
    Ok(out)
}

/// Whether a direction among the words contradicts a name: `East` is no typo of `West`.
fn is_other_side(words: &[Token], name: &str) -> bool {
    let sides =
        |word: &str| STREET_WORDS.groups(word).iter().filter(|group| group.1 == Sort::Side).map(|group| group.0);
    let typed: BTreeSet<u16> = words.iter().flat_map(|word| sides(&word.text)).collect();
    let mapped: BTreeSet<u16> = names::words(name).iter().flat_map(|word| sides(&word.folded)).collect();
    !typed.is_empty() && typed.is_disjoint(&mapped)
}

/// Adds the streets that a run of words abbreviates, and those that it nearly matches.
fn read_span(
    spellings: &Spellings<'_>,
    span: &Span,
    abbreviated: &mut Vec<Reading>,
    out: &mut Vec<Reading>,
) -> rusqlite::Result<()> {
    let mut candidates = BTreeSet::new();
    if span.dotted {
        for (form, text) in [(Form::Key, &span.key), (Form::Plain, &span.plain)] {
            if text.len() >= SHORTEST {
                spellings.begun_by(form, text, usize::MAX, &mut candidates)?;
            }
        }
    }
    if !span.known {
        for form in Form::ALL {
            let written = form.of(&span.key, &span.plain);
            if let Some(most) = most_edits(&written) {
                spellings.find(form, &written, most, &mut candidates)?;
            }
        }
    }
    for street in candidates {
        let Some(plain) = spellings.plain(&street)? else { continue };
        let begins =
            |short: &str, whole: &str| short.len() >= SHORTEST && whole.len() > short.len() && whole.starts_with(short);
        let is_abbreviated = span.dotted && (begins(&span.key, &street) || begins(&span.plain, &plain));
        let reading =
            |key, edits, needs_town| Reading { from: span.from, to: span.to, key, edits, is_guess: true, needs_town };
        if is_abbreviated {
            abbreviated.push(reading(street, 1, false));
            continue;
        }
        if span.known {
            continue;
        }
        // As ß is ss here, a typo that moves it would count twice; endings are compared both as codes and spelled out, as either
        // may hold the typo.
        let edits = |form: Form| {
            let edits = edits(&form.of(&span.key, &span.plain), &form.of(&street, &plain));
            if form == Form::SingleS { edits.map(|n| n.max(1)) } else { edits }
        };
        if let Some(edits) = Form::ALL.into_iter().filter_map(edits).min() {
            out.push(reading(street, edits, span.plain.len() < SHORT));
        }
    }
    Ok(())
}

/// How many typos a name of this length may have; `None` where it is too short for any.
fn most_edits(written: &str) -> Option<usize> {
    match written.len() {
        ..SHORTEST => None,
        SHORTEST..LONG => Some(1),
        LONG.. => Some(2),
    }
}

/// Number of edits from the query to a name, if few enough for its length.
fn edits(written: &str, name: &str) -> Option<usize> {
    let most = most_edits(written)?;
    // Digits in a name are never typos, and a name with two typos has none in its first letter.
    if name.len() < SHORTEST || digits(written) != digits(name) {
        return None;
    }
    let edits = names::edit_distance(written, name, most)?;
    (edits < 2 || written.as_bytes()[0] == name.as_bytes()[0]).then_some(edits)
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Streets whose names are similar to any run of words, the nearest first, each with its town.
pub(crate) fn similar_streets(
    db: &Connection,
    spellings: &Spellings<'_>,
    tokens: &[Token],
) -> rusqlite::Result<Vec<String>> {
    let mut spans: Vec<String> = Vec::new();
    for length in 1..=4.min(tokens.len()) {
        spans.extend(
            (0..=tokens.len() - length).map(|from| span_key(&tokens[from..from + length])).filter(|k| k.len() >= 4),
        );
    }
    spans.retain(|s| s.bytes().any(|b| b.is_ascii_alphabetic()));
    let most = |span: &str| (span.len() / 3).min(near::MOST);
    let mut nearest: Vec<String> = Vec::new();
    for edits in 0..=near::MOST {
        let mut candidates = BTreeSet::new();
        for span in spans.iter().filter(|span| most(span) >= edits) {
            spellings.find(Form::Key, span, edits, &mut candidates)?;
        }
        candidates.retain(|key| !nearest.contains(key));
        nearest.extend(candidates);
        if nearest.len() >= MAX_SIMILAR {
            break;
        }
    }
    let mut out = Vec::new();
    for key in nearest.into_iter().take(MAX_SIMILAR) {
        if let Some(row) = rows_between(db, &key, (0, u32::MAX), 1)?.first() {
            let name = row.street_of(&key);
            out.push(row.town.as_ref().filter(|t| **t != name).map_or(name.clone(), |t| format!("{name}, {t}")));
        }
    }
    Ok(out)
}
