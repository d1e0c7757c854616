//! The indexes of a pack by street: addresses of a street and number, and spellings of names for fuzzy search.

use fst::Set;
use rusqlite::{Connection, OptionalExtension, params};

use crate::house_number;
use crate::names;

/// Indexes an address under the keys of its street's names (separated by `;`) and the integers of its house number.
pub fn insert(db: &Connection, fid: i64, street: &str, number: &str) -> rusqlite::Result<()> {
    let mut insert = db.prepare_cached("INSERT OR IGNORE INTO aerie_street_index VALUES (?1, ?2, ?3)")?;
    for name in street.split(';') {
        for base in house_number::bases(number) {
            insert.execute(params![names::street_key(name), base, fid])?;
        }
    }
    Ok(())
}

/// A form of a street's name that fuzzy search compares with the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// Its key.
    Key = 0,
    /// Its letters, with endings spelled out.
    Plain = 1,
    /// The same with `s` for `ss`.
    SingleS = 2,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 3] = [Self::Key, Self::Plain, Self::SingleS];

    /// A name in this form, from its key and its plain letters.
    #[must_use]
    pub fn of(self, key: &str, plain: &str) -> String {
        match self {
            Self::Key => key.to_owned(),
            Self::Plain => plain.to_owned(),
            Self::SingleS => plain.replace("ss", "s"),
        }
    }
}

/// A street's name for fuzzy search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreetName {
    /// Key in `aerie_street_index`.
    pub key: String,
    /// Letters of the name as it is mapped.
    pub plain: String,
    /// Words of the name, and the first parts of compound words.
    pub words: Vec<String>,
}

/// Calls `each` with every street of a pack.
pub fn read_names(db: &Connection, mut each: impl FnMut(StreetName) -> rusqlite::Result<()>) -> rusqlite::Result<()> {
    let mut statement = db.prepare(
        "SELECT s.key, a.street, a.place, a.city, a.town
         FROM (SELECT key, min(fid) AS fid FROM aerie_street_index GROUP BY key) s JOIN addresses a ON a.fid = s.fid",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let key: String = row.get(0)?;
        let spellings: [Option<String>; 4] = [row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?];
        let folded = names::words(&spelling(&spellings, &key)).into_iter().map(|w| w.folded).collect::<Vec<_>>();
        let plain = folded.concat();
        let stems: Vec<String> = folded.iter().filter_map(|w| names::stem(w)).map(str::to_owned).collect();
        each(StreetName { key, plain, words: [folded, stems].concat() })?;
    }
    Ok(())
}

/// The spelling, among an address's names, that a key stands for.
#[must_use]
pub fn spelling(spellings: &[Option<String>; 4], key: &str) -> String {
    let parts = spellings.iter().flatten().flat_map(|n| n.split(';').map(str::trim));
    let mut first = None;
    for name in parts {
        if names::street_key(name) == key {
            return name.to_owned();
        }
        first.get_or_insert(name);
    }
    first.unwrap_or_default().to_owned()
}

/// Rebuilds the index for fuzzy search from the addresses of the pack. Packs of earlier versions lack its tables.
pub fn rebuild_spellings(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(
        "CREATE TABLE IF NOT EXISTS aerie_street_names (key TEXT NOT NULL PRIMARY KEY, plain TEXT NOT NULL) WITHOUT ROWID;
         CREATE TABLE IF NOT EXISTS aerie_street_forms (
           form INTEGER NOT NULL, text TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (form, text, key)) WITHOUT ROWID;
         CREATE TABLE IF NOT EXISTS aerie_street_forms_set (fst BLOB NOT NULL);
         CREATE TABLE IF NOT EXISTS aerie_street_words (word TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;
         CREATE TABLE IF NOT EXISTS aerie_street_word_index (word TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (word, key)) WITHOUT ROWID;
         DELETE FROM aerie_street_names; DELETE FROM aerie_street_forms; DELETE FROM aerie_street_forms_set;
         DELETE FROM aerie_street_words; DELETE FROM aerie_street_word_index; DROP TABLE IF EXISTS aerie_street_spellings;",
    )?;
    let mut name = db.prepare("INSERT INTO aerie_street_names VALUES (?1, ?2)")?;
    let mut form_of = db.prepare("INSERT INTO aerie_street_forms VALUES (?1, ?2, ?3)")?;
    let mut word = db.prepare("INSERT OR IGNORE INTO aerie_street_words VALUES (?1)")?;
    let mut of_word = db.prepare("INSERT OR IGNORE INTO aerie_street_word_index VALUES (?1, ?2)")?;
    read_names(db, |street| {
        name.execute([&street.key, &street.plain])?;
        for form in Form::ALL {
            form_of.execute(params![form as u8, form.of(&street.key, &street.plain), street.key])?;
        }
        for text in &street.words {
            word.execute([text])?;
            of_word.execute([text, &street.key])?;
        }
        Ok(())
    })?;
    let mut set = fst::SetBuilder::memory();
    let mut statement = db.prepare("SELECT DISTINCT form, text FROM aerie_street_forms ORDER BY form, text")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let text: String = row.get(1)?;
        set.insert(in_set(row.get(0)?, &text)).map_err(not_readable)?;
    }
    db.execute("INSERT INTO aerie_street_forms_set VALUES (?1)", [set.into_inner().map_err(not_readable)?])?;
    Ok(())
}

/// A form of a name as it is in the set of [`read_set`].
#[must_use]
pub fn in_set(form: u8, text: &str) -> Vec<u8> {
    [&[form], text.as_bytes()].concat()
}

/// All forms of all names, each behind the number of its form; `None` in packs of earlier versions.
pub fn read_set(db: &Connection) -> rusqlite::Result<Option<Set<Vec<u8>>>> {
    if !has_table(db, "aerie_street_forms_set")? {
        return Ok(None);
    }
    let set: Option<Vec<u8>> =
        db.query_row("SELECT fst FROM aerie_street_forms_set", [], |row| row.get(0)).optional()?;
    set.map(|bytes| Set::new(bytes).map_err(not_readable)).transpose()
}

fn not_readable(error: fst::Error) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Blob, Box::new(error))
}

/// At most `limit` keys of streets with a word in their names; none in packs of earlier versions.
pub fn keys_with_word(db: &Connection, word: &str, limit: usize) -> rusqlite::Result<Vec<String>> {
    if !has_table(db, "aerie_street_word_index")? {
        return Ok(Vec::new());
    }
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut statement = db.prepare_cached("SELECT key FROM aerie_street_word_index WHERE word = ?1 LIMIT ?2")?;
    let keys = statement.query_map(params![word, limit], |row| row.get(0))?;
    keys.collect()
}

fn has_table(db: &Connection, name: &str) -> rusqlite::Result<bool> {
    db.prepare_cached("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1")?.exists([name])
}
