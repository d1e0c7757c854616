//! Slips of the pen: names of streets that come near to what is written, where nothing is named so.
//!
//! A word that the map knows from elsewhere is no slip: who writes `Im Rain` or `Bergweg` means that, and not the `Am Rain` or
//! `Burgweg` that happens to be mapped.

use std::collections::HashSet;

use aerie_geodata::names;
use rusqlite::Connection;

use crate::query::Token;
use crate::reading::{Reading, span_key};
use crate::rows::{rows_of, street_of};

/// Longest name of a street, words.
const MAX_SPAN: usize = 8;
/// Names with fewer letters are taken as written.
const SHORTEST: usize = 4;
/// Names with fewer letters are mended only where the text names the town, too.
const SHORT: usize = 7;
/// From so many letters on, two slips are mended.
const LONG: usize = 14;
/// What the second part of a compound name mostly is.
const ENDINGS: [&str; 15] = [
    "strasse", "str", "weg", "gasse", "platz", "allee", "ring", "hof", "graben", "ufer", "park", "katu", "tie", "kuja",
    "gatan",
];

/// Names of all streets of the map.
struct Names {
    /// Key of each, and its plain letters.
    streets: Vec<(String, String)>,
    /// Words and first parts of compound words in them, and names of towns.
    words: HashSet<String>,
}

impl Names {
    fn read(db: &Connection) -> rusqlite::Result<Self> {
        let mut names = Self { streets: Vec::new(), words: HashSet::new() };
        let mut statement = db.prepare(
            "SELECT s.key, a.street, a.place, a.city, a.town
             FROM (SELECT key, min(fid) AS fid FROM aerie_street_index GROUP BY key) s JOIN addresses a ON a.fid = s.fid",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let key: String = row.get(0)?;
            let spelled: [Option<String>; 4] = [row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?];
            let words = names::words(&street_of(&spelled, &key));
            let plain = words.iter().map(|w| w.folded.as_str()).collect();
            for word in words {
                if let Some(stem) = stem(&word.folded) {
                    names.words.insert(stem.to_owned());
                }
                names.words.insert(word.folded);
            }
            names.streets.push((key, plain));
        }
        let mut statement = db.prepare("SELECT key FROM aerie_localities")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            names.words.insert(row.get(0)?);
        }
        Ok(names)
    }

    fn knows(&self, word: &str) -> bool {
        self.words.contains(word) || stem(word).is_some_and(|stem| self.words.contains(stem))
    }
}

/// The first part of a compound name.
fn stem(word: &str) -> Option<&str> {
    ENDINGS.iter().find_map(|ending| word.strip_suffix(ending)).filter(|stem| stem.len() >= 2)
}

/// A run of words of the text.
struct Span {
    from: usize,
    to: usize,
    key: String,
    plain: String,
    /// Whether the last word is cut short.
    dotted: bool,
    /// Whether the map knows every word of it.
    known: bool,
}

/// Runs of words that are the name of a street but for a word cut short (`Wieseng.`) or a slip of the pen, the nearest first.
pub(crate) fn readings(db: &Connection, tokens: &[Token]) -> rusqlite::Result<Vec<Reading>> {
    let names = Names::read(db)?;
    let mut spans: Vec<Span> = Vec::new();
    for length in 1..=MAX_SPAN.min(tokens.len()) {
        for from in 0..=tokens.len() - length {
            let words = &tokens[from..from + length];
            let key = span_key(words);
            if key.bytes().any(|b| b.is_ascii_alphabetic()) {
                let plain = words.iter().map(|w| w.text.as_str()).collect();
                let known = words.iter().all(|w| names.knows(&w.text));
                spans.push(Span { from, to: from + length, key, plain, dotted: words[length - 1].dotted, known });
            }
        }
    }
    let (mut cuts, mut out) = (Vec::new(), Vec::new());
    for (street, plain) in &names.streets {
        for span in &spans {
            let (from, to) = (span.from, span.to);
            let reading = |mended, needs_town| Reading { from, to, key: street.clone(), mended, needs_town };
            let cut =
                |short: &str, whole: &str| short.len() >= 4 && whole.len() > short.len() && whole.starts_with(short);
            if span.dotted && (cut(&span.key, street) || cut(&span.plain, plain)) {
                cuts.push(reading(1, false));
                continue;
            }
            if span.known {
                continue;
            }
            // As ß is ss here, a slip that moves it would count twice.
            let single = slips(&single(&span.plain), &single(plain)).map(|n| n.max(1));
            // Endings are compared both as codes and spelled out, as either may hold the slip.
            let slips = [slips(&span.key, street), slips(&span.plain, plain), single].into_iter().flatten().min();
            if let Some(slips) = slips {
                out.push(reading(slips, span.plain.len() < SHORT));
            }
        }
    }
    // What is cut short on purpose is no slip.
    out.retain(|r: &Reading| !cuts.iter().any(|cut: &Reading| (cut.from, cut.to) == (r.from, r.to)));
    out.append(&mut cuts);
    out.sort_by(|a, b| (a.mended, a.from, a.to, &a.key).cmp(&(b.mended, b.from, b.to, &b.key)));
    Ok(out)
}

/// Slips between what is written and a name, where they are few enough for its length.
fn slips(written: &str, name: &str) -> Option<usize> {
    let most = match written.len() {
        ..SHORTEST => return None,
        SHORTEST..LONG => 1,
        LONG.. => 2,
    };
    // Figures in a name are never a slip, and of two slips none is in the first letter.
    if name.len() < SHORTEST || digits(written) != digits(name) {
        return None;
    }
    let slips = names::edit_distance(written, name, most)?;
    (slips < 2 || written.as_bytes()[0] == name.as_bytes()[0]).then_some(slips)
}

fn single(text: &str) -> String {
    text.replace("ss", "s")
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Streets whose names come near to any run of words, the nearest first, each with its town.
pub(crate) fn similar_streets(db: &Connection, tokens: &[Token]) -> rusqlite::Result<Vec<String>> {
    let mut spans: Vec<String> = Vec::new();
    for length in 1..=4.min(tokens.len()) {
        spans.extend(
            (0..=tokens.len() - length).map(|from| span_key(&tokens[from..from + length])).filter(|k| k.len() >= 4),
        );
    }
    spans.retain(|s| s.bytes().any(|b| b.is_ascii_alphabetic()));
    let mut near: Vec<(usize, String)> = Vec::new();
    let mut statement = db.prepare("SELECT DISTINCT key FROM aerie_street_index")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let street = row.get_ref(0)?.as_str().unwrap_or_default();
        let slips = spans.iter().filter_map(|s| names::edit_distance(s, street, (s.len() / 3).min(3))).min();
        near.extend(slips.map(|n| (n, street.to_owned())));
    }
    near.sort();
    let mut out = Vec::new();
    for (_, key) in near.into_iter().take(5) {
        if let Some(row) = rows_of(db, &key, None)?.first() {
            let name = row.street_of(&key);
            out.push(row.town.as_ref().filter(|t| **t != name).map_or(name.clone(), |t| format!("{name}, {t}")));
        }
    }
    Ok(out)
}
