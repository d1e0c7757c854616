//! Spellings of the streets of a pack, for fuzzy search and for names that are being typed.

use std::collections::{BTreeMap, BTreeSet};

use aerie_geodata::street_index::{self, Form};
use fst::{IntoStreamer, Set, Streamer};
use rusqlite::{Connection, OptionalExtension, params};

use crate::near::Near;

/// Spellings of the streets of a pack.
pub(crate) struct Spellings<'a> {
    db: &'a Connection,
    /// All spellings, as they are in [`street_index::read_set`].
    set: Set<Vec<u8>>,
    /// The rest of the index in memory, for packs of earlier versions, which have none.
    old: Option<Old>,
}

#[derive(Default)]
struct Old {
    plain: BTreeMap<String, String>,
    texts: BTreeSet<(Form, String, String)>,
    words: BTreeSet<String>,
}

impl Old {
    fn read(db: &Connection) -> rusqlite::Result<Self> {
        let mut old = Self::default();
        street_index::read_names(db, |street| {
            for form in Form::ALL {
                old.texts.insert((form, form.of(&street.key, &street.plain), street.key.clone()));
            }
            old.words.extend(street.words);
            old.plain.insert(street.key, street.plain);
            Ok(())
        })?;
        Ok(old)
    }

    fn set(&self) -> Set<Vec<u8>> {
        let texts: BTreeSet<Vec<u8>> =
            self.texts.iter().map(|(form, text, _)| street_index::in_set(*form as u8, text)).collect();
        Set::from_iter(texts).unwrap_or_default()
    }
}

impl<'a> Spellings<'a> {
    /// Opens the index of a pack; without one, all streets are read.
    pub(crate) fn open(db: &'a Connection) -> rusqlite::Result<Self> {
        Ok(match street_index::read_set(db)? {
            Some(set) => Self { db, set, old: None },
            None => {
                let old = Old::read(db)?;
                Self { db, set: old.set(), old: Some(old) }
            }
        })
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

    /// Adds the keys of all streets that have a spelling within `most` edits of `written`. More than one edit only where the first letter is
    /// right.
    pub(crate) fn find(
        &self,
        form: Form,
        written: &str,
        most: usize,
        keys: &mut BTreeSet<String>,
    ) -> rusqlite::Result<()> {
        let pattern = street_index::in_set(form as u8, written);
        let near = |most: usize, fixed: usize| Near { pattern: &pattern, most, fixed, is_beginning: false };
        self.add_near(form, &near(most.min(1), 1), keys)?;
        if most > 1 {
            self.add_near(form, &near(most, 2), keys)?;
        }
        Ok(())
    }

    /// Adds the keys of streets whose spelling begins with something within one edit of `start`.
    pub(crate) fn nearly_begun_by(&self, form: Form, start: &str, keys: &mut BTreeSet<String>) -> rusqlite::Result<()> {
        let pattern = street_index::in_set(form as u8, start);
        self.add_near(form, &Near { pattern: &pattern, most: 1, fixed: 1, is_beginning: true }, keys)
    }

    fn add_near(&self, form: Form, near: &Near<'_>, keys: &mut BTreeSet<String>) -> rusqlite::Result<()> {
        let mut found = self.set.search(near).into_stream();
        while let Some(text) = found.next() {
            // The first byte is the number of the form.
            self.add_spelled(form, &String::from_utf8_lossy(&text[1..]), keys)?;
        }
        Ok(())
    }

    /// Adds the keys of streets with a spelling.
    fn add_spelled(&self, form: Form, text: &str, keys: &mut BTreeSet<String>) -> rusqlite::Result<()> {
        self.add_between(form, [text, &format!("{text}\0")], usize::MAX, keys)
    }

    /// Adds the keys of at most `limit` streets whose spelling begins with `start`, in alphabetical order.
    pub(crate) fn begun_by(
        &self,
        form: Form,
        start: &str,
        limit: usize,
        keys: &mut BTreeSet<String>,
    ) -> rusqlite::Result<()> {
        self.add_between(form, [start, &successor(start)], limit, keys)
    }

    /// Adds the keys of at most `limit` streets with a spelling from one text up to another, in alphabetical order.
    fn add_between(
        &self,
        form: Form,
        [from, to]: [&str; 2],
        limit: usize,
        keys: &mut BTreeSet<String>,
    ) -> rusqlite::Result<()> {
        if let Some(old) = &self.old {
            let bound = |text: &str| (form, text.to_owned(), String::new());
            keys.extend(old.texts.range(bound(from)..bound(to)).take(limit).map(|text| text.2.clone()));
            return Ok(());
        }
        let mut statement = self.db.prepare_cached(
            "SELECT key FROM aerie_street_forms WHERE form = ?1 AND text >= ?2 AND text < ?3 ORDER BY text LIMIT ?4",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut rows = statement.query(params![form as u8, from, to, limit])?;
        while let Some(row) = rows.next()? {
            keys.insert(row.get(0)?);
        }
        Ok(())
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
                        let spelling = form.of(&key, street);
                        let edits = names::edit_distance(&written, &spelling, most);
                        if edits.is_some_and(|edits| edits < 2 || spelling.as_bytes()[0] == written.as_bytes()[0]) {
                            assert!(keys[0].contains(&key), "{i}: {street} for {written} within {most} as {form:?}");
                        }
                    }
                }
            }
        }
    }
}
