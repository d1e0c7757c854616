//! Spellings of the streets of a pack, in order, for fuzzy search.

use std::collections::{BTreeMap, BTreeSet};

use aerie_geodata::street_index::{self, Form};
use rusqlite::{Connection, OptionalExtension, params};

/// Letters and digits of [`Form`]s, in order.
const ALPHABET: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
/// Sorts after every text that ends where another continues with a letter or digit, and before that other.
const END: char = ' ';

/// Spellings of the streets of a pack.
pub(crate) struct Spellings<'a> {
    db: &'a Connection,
    /// The spellings in memory, for packs of earlier versions, which have no index.
    old: Option<Old>,
}

#[derive(Default)]
struct Old {
    plain: BTreeMap<String, String>,
    texts: BTreeSet<(Form, bool, String, String)>,
    words: BTreeSet<String>,
}

impl Old {
    fn read(db: &Connection) -> rusqlite::Result<Self> {
        let mut old = Self::default();
        street_index::read_names(db, |street| {
            for form in Form::ALL {
                let text = form.of(&street.key, &street.plain);
                let reversed = text.chars().rev().collect();
                old.texts.insert((form, false, text, street.key.clone()));
                old.texts.insert((form, true, reversed, street.key.clone()));
            }
            old.words.extend(street.words);
            old.plain.insert(street.key, street.plain);
            Ok(())
        })?;
        Ok(old)
    }
}

impl<'a> Spellings<'a> {
    /// Opens the index of a pack; without one, all streets are read.
    pub(crate) fn open(db: &'a Connection) -> rusqlite::Result<Self> {
        let old = if street_index::has_spellings(db)? { None } else { Some(Old::read(db)?) };
        Ok(Self { db, old })
    }

    /// Plain letters of a street.
    pub(crate) fn plain(&self, key: &str) -> rusqlite::Result<Option<String>> {
        match &self.old {
            Some(old) => Ok(old.plain.get(key).cloned()),
            None => self
                .db
                .prepare_cached("SELECT plain FROM aerie_street_names WHERE key = ?1")?
                .query_row([key], |r| r.get(0))
                .optional(),
        }
    }

    /// Whether a word is part of a street's name.
    pub(crate) fn has_word(&self, word: &str) -> rusqlite::Result<bool> {
        match &self.old {
            Some(old) => Ok(old.words.contains(word)),
            None => self.db.prepare_cached("SELECT 1 FROM aerie_street_words WHERE word = ?1")?.exists([word]),
        }
    }

    /// Adds the keys of all streets that may be within `most` edits of `written`, and perhaps of others.
    ///
    /// Of two halves of `written`, one has at most half of the edits (rounded down), so that the name begins with nearly the
    /// first half or ends with nearly the second. An exchange of the two letters in the middle lies in neither half: undone, one
    /// edit fewer is left.
    pub(crate) fn find(
        &self,
        form: Form,
        written: &str,
        most: usize,
        keys: &mut BTreeSet<String>,
    ) -> rusqlite::Result<()> {
        let middle = written.len() / 2;
        let mut halves = |text: &[u8], edits: usize| {
            let reversed: Vec<u8> = text[middle..].iter().rev().copied().collect();
            self.find_prefix(form, false, &text[..middle], edits, keys)?;
            self.find_prefix(form, true, &reversed, edits, keys)
        };
        let mut letters = written.as_bytes().to_vec();
        halves(&letters, most / 2)?;
        if most > 0 && middle > 0 && letters[middle - 1] != letters[middle] {
            letters.swap(middle - 1, middle);
            halves(&letters, (most - 1) / 2)?;
        }
        Ok(())
    }

    /// Adds the keys of streets whose (reversed) spelling begins with `start`.
    pub(crate) fn starting_with(
        &self,
        form: Form,
        reversed: bool,
        start: &str,
        keys: &mut BTreeSet<String>,
    ) -> rusqlite::Result<()> {
        let end = successor(start);
        if let Some(old) = &self.old {
            let bound = |text: &str| (form, reversed, text.to_owned(), String::new());
            keys.extend(old.texts.range(bound(start)..bound(&end)).map(|t| t.3.clone()));
            return Ok(());
        }
        let mut statement = self.db.prepare_cached(
            "SELECT key FROM aerie_street_spellings WHERE form = ?1 AND reversed = ?2 AND text >= ?3 AND text < ?4",
        )?;
        let mut rows = statement.query(params![form as u8, reversed, start, end])?;
        while let Some(row) = rows.next()? {
            keys.insert(row.get(0)?);
        }
        Ok(())
    }

    /// Adds the keys of at most `limit` streets whose spelling begins with `start`, in alphabetical order.
    pub(crate) fn begun_by(
        &self,
        form: Form,
        start: &str,
        limit: usize,
        keys: &mut BTreeSet<String>,
    ) -> rusqlite::Result<()> {
        if self.old.is_some() {
            let mut all = BTreeSet::new();
            self.starting_with(form, false, start, &mut all)?;
            keys.extend(all.into_iter().take(limit));
            return Ok(());
        }
        let mut statement = self.db.prepare_cached(
            "SELECT key FROM aerie_street_spellings
             WHERE form = ?1 AND reversed = 0 AND text >= ?2 AND text < ?3 ORDER BY text LIMIT ?4",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut rows = statement.query(params![form as u8, start, successor(start), limit])?;
        while let Some(row) = rows.next()? {
            keys.insert(row.get(0)?);
        }
        Ok(())
    }

    /// Adds the keys of streets whose spelling begins with something within one edit of `start`.
    pub(crate) fn nearly_begun_by(&self, form: Form, start: &str, keys: &mut BTreeSet<String>) -> rusqlite::Result<()> {
        self.find_prefix(form, false, start.as_bytes(), 1, keys)
    }

    /// Adds the keys of streets whose (reversed) spelling begins with something within `most` edits of `pattern`: walks the
    /// ordered spellings and skips all that share a beginning from which the pattern cannot be reached any more.
    fn find_prefix(
        &self,
        form: Form,
        reversed: bool,
        pattern: &[u8],
        most: usize,
        keys: &mut BTreeSet<String>,
    ) -> rusqlite::Result<()> {
        if most == 0 {
            return self.starting_with(form, reversed, &String::from_utf8_lossy(pattern), keys);
        }
        let mut from = String::new();
        'spellings: while let Some(text) = self.at_or_after(form, reversed, &from)? {
            let mut table = EditTable::new(pattern);
            for (at, letter) in text.bytes().enumerate() {
                let row = table.next_row(letter);
                if row[pattern.len()] <= most {
                    self.starting_with(form, reversed, &text[..=at], keys)?;
                    from = successor(&text[..=at]);
                    continue 'spellings;
                }
                if row.iter().all(|edits| *edits > most) {
                    let reachable = |next: &&u8| **next > letter && table.next_row(**next).iter().any(|e| *e <= most);
                    match ALPHABET.iter().find(reachable) {
                        Some(next) => from = format!("{}{}", &text[..at], char::from(*next)),
                        None if at == 0 => return Ok(()),
                        None => from = successor(&text[..at]),
                    }
                    continue 'spellings;
                }
                table.push(letter, row);
            }
            from = text;
            from.push(END);
        }
        Ok(())
    }

    /// The first spelling that is not less than `from`.
    fn at_or_after(&self, form: Form, reversed: bool, from: &str) -> rusqlite::Result<Option<String>> {
        if let Some(old) = &self.old {
            let next = old.texts.range((form, reversed, from.to_owned(), String::new())..).next();
            return Ok(next.filter(|t| (t.0, t.1) == (form, reversed)).map(|t| t.2.clone()));
        }
        self.db
            .prepare_cached(
                "SELECT text FROM aerie_street_spellings WHERE form = ?1 AND reversed = ?2 AND text >= ?3 ORDER BY text LIMIT 1",
            )?
            .query_row(params![form as u8, reversed, from], |r| r.get(0))
            .optional()
    }
}

/// The least text that is greater than all that begin with `start`.
fn successor(start: &str) -> String {
    let mut text = start.to_owned();
    if let Some(last) = text.pop() {
        text.push(char::from(u8::try_from(last).unwrap_or(b'z') + 1));
    }
    text
}

/// Rows of the table of optimal string alignment: edits from the beginnings of a pattern to the beginning of a text.
struct EditTable<'a> {
    pattern: &'a [u8],
    rows: Vec<Vec<usize>>,
    letters: Vec<u8>,
}

impl<'a> EditTable<'a> {
    fn new(pattern: &'a [u8]) -> Self {
        Self { pattern, rows: vec![(0..=pattern.len()).collect()], letters: Vec::new() }
    }

    /// The row of the text with one more letter.
    fn next_row(&self, letter: u8) -> Vec<usize> {
        let i = self.rows.len();
        let last = &self.rows[i - 1];
        let mut row = vec![i; self.pattern.len() + 1];
        for j in 1..=self.pattern.len() {
            let exchange = last[j - 1] + usize::from(self.pattern[j - 1] != letter);
            row[j] = exchange.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && letter == self.pattern[j - 2] && self.letters[i - 2] == self.pattern[j - 1] {
                row[j] = row[j].min(self.rows[i - 2][j - 2] + 1);
            }
        }
        row
    }

    fn push(&mut self, letter: u8, row: Vec<usize>) {
        self.letters.push(letter);
        self.rows.push(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aerie_geodata::{gpkg, names};
    use aerie_math::Rng;

    /// A pack with these streets, each with one house.
    fn pack(streets: &BTreeSet<String>, indexed: bool) -> Connection {
        let db = Connection::open_in_memory().unwrap();
        gpkg::create(&db).unwrap();
        for (i, street) in streets.iter().enumerate() {
            db.execute(
                "INSERT INTO addresses (fid, geom, osm_id, housenumber, street) VALUES (?1, x'', '', '1', ?2)",
                params![i as i64 + 1, street],
            )
            .unwrap();
            street_index::insert(&db, i as i64 + 1, street, "1").unwrap();
        }
        if indexed {
            street_index::rebuild_spellings(&db).unwrap();
        }
        db
    }

    /// A word over a small alphabet, so that many words are similar.
    fn word(rng: &mut Rng, letters: usize) -> String {
        (0..letters).map(|_| char::from(rng.pick(b"abcs1"))).collect()
    }

    #[test]
    fn every_street_within_the_limit_is_found_with_and_without_the_index() {
        let mut rng = Rng::new(17);
        let streets: BTreeSet<String> = (0..3_000)
            .map(|_| 4 + rng.below(9))
            .map(|n| word(&mut Rng::new(n as u64 * 31), n))
            .chain((0..3_000_u64).map(|i| word(&mut Rng::new(i), 4 + i as usize % 9)))
            .collect();
        let packs = [true, false].map(|indexed| pack(&streets, indexed));
        let [indexed, old] = packs.each_ref().map(|db| Spellings::open(db).unwrap());
        assert!(indexed.old.is_none() && old.old.is_some());
        for i in 0..150 {
            let length = 4 + rng.below(9);
            let written = word(&mut rng, length);
            for form in Form::ALL {
                for most in 1..=3_usize.min(length / 2 - 1) {
                    let mut keys = [BTreeSet::new(), BTreeSet::new()];
                    indexed.find(form, &written, most, &mut keys[0]).unwrap();
                    old.find(form, &written, most, &mut keys[1]).unwrap();
                    assert_eq!(keys[0], keys[1], "{written}");
                    for street in &streets {
                        let key = names::street_key(street);
                        if names::edit_distance(&written, &form.of(&key, street), most).is_some() {
                            assert!(keys[0].contains(&key), "{i}: {street} for {written} within {most} as {form:?}");
                        }
                    }
                    assert!(most > 1 || keys[0].len() < streets.len() / 4, "{written}: {} keys", keys[0].len());
                }
            }
        }
    }
}
