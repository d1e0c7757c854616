//! Mapped addresses, looked up by street.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use aerie_geodata::gpkg::Geometry;
use aerie_geodata::{names, street_index};
use rusqlite::{Connection, OptionalExtension, params};

use crate::query::is_short_code;
use crate::words::{COUNTRIES, UNIT_WORDS};

/// Maximum number of addresses read per street.
const MAX_ROWS: i64 = 20_000;

/// A mapped address.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) fid: i64,
    pub(crate) at: [f64; 2],
    pub(crate) housenumber: String,
    pub(crate) street: Option<String>,
    pub(crate) place: Option<String>,
    pub(crate) postcode: Option<String>,
    pub(crate) city: Option<String>,
    pub(crate) town: Option<String>,
    pub(crate) on_building: bool,
    pub(crate) localities: String,
    pub(crate) postcodes: String,
    /// Apartments that it stands for.
    pub(crate) unit: Option<String>,
    /// Its state or province.
    pub(crate) state: Option<String>,
    /// Lower-case code of its country.
    pub(crate) country: Option<String>,
    pub(crate) words_of_towns: OnceCell<Vec<Vec<String>>>,
}

impl Row {
    /// The spelling of its names that a key stands for.
    pub(crate) fn street_of(&self, key: &str) -> String {
        street_index::spelling(&[self.street.clone(), self.place.clone(), self.city.clone(), self.town.clone()], key)
    }

    /// The words of the names of its town.
    pub(crate) fn words_of_towns(&self) -> &[Vec<String>] {
        let words = |town: &String| names::words(town).into_iter().map(|word| word.folded).collect();
        self.words_of_towns.get_or_init(|| [&self.city, &self.town].into_iter().flatten().map(words).collect())
    }

    /// Returns true if a town or area around it has this key.
    pub(crate) fn is_around(&self, key: &str) -> bool {
        !key.is_empty() && self.localities.split('|').any(|own| own == key)
    }

    /// Whether it may lie in a country, by its tag or by its place.
    pub(crate) fn may_be_in(&self, code: &str) -> bool {
        match &self.country {
            Some(own) => own == code,
            None => {
                let country = COUNTRIES.with_code(code);
                country.is_none_or(|country| country.may_contain(self.at)) || !COUNTRIES.is_land(self.at)
            }
        }
    }

    /// Whether it lies in one of these countries, by its tag or, where it can lie in no other, by its place.
    pub(crate) fn is_in(&self, codes: &[&str]) -> bool {
        if let Some(own) = &self.country {
            return codes.contains(&own.as_str());
        }
        let mut around = COUNTRIES.around(self.at).peekable();
        around.peek().is_some() && around.all(|code| codes.contains(&code))
    }

    /// Whether it stands for an apartment: `Apt 3` and `3-5` for 3.
    pub(crate) fn has_unit(&self, asked: &str) -> bool {
        let asked = bare_unit(asked);
        self.unit.iter().flat_map(|unit| unit.split([';', ','])).any(|unit| {
            let whole = |text: &str| text.trim().parse::<u32>().ok();
            let range = unit.split_once(['-', '–']).and_then(|(from, to)| Some(whole(from)?..=whole(to)?));
            let last = names::words(unit).pop().map(|word| word.folded);
            bare_unit(unit) == asked
                || last.as_ref() == Some(&asked)
                || range.zip(whole(&asked)).is_some_and(|(range, n)| range.contains(&n))
        })
    }
}

/// Addresses of a street, by its key; only those with the integer `base` in their house number, if it is given.
pub(crate) fn rows_of(db: &Connection, key: &str, base: Option<u32>) -> rusqlite::Result<Vec<Row>> {
    let mut statement = db.prepare_cached(
        "SELECT DISTINCT a.fid, a.geom, a.housenumber, a.street, a.place, a.city, a.town, a.on_building, a.localities, a.postcodes, a.postcode, a.tags
         FROM aerie_street_index s JOIN addresses a ON a.fid = s.fid
         WHERE s.key = ?1 AND (?2 IS NULL OR s.base = ?2) ORDER BY a.fid LIMIT ?3",
    )?;
    read(statement.query(params![key, base, MAX_ROWS])?)
}

/// At most `limit` addresses of a street, by its key, whose house numbers have an integer in this range; in the order of integers.
pub(crate) fn rows_between(
    db: &Connection,
    key: &str,
    (from, to): (u32, u32),
    limit: usize,
) -> rusqlite::Result<Vec<Row>> {
    let mut statement = db.prepare_cached(
        "SELECT a.fid, a.geom, a.housenumber, a.street, a.place, a.city, a.town, a.on_building, a.localities, a.postcodes, a.postcode, a.tags
         FROM aerie_street_index s JOIN addresses a ON a.fid = s.fid
         WHERE s.key = ?1 AND s.base BETWEEN ?2 AND ?3 ORDER BY s.base, s.fid LIMIT ?4",
    )?;
    read(statement.query(params![key, from, to, i64::try_from(limit).unwrap_or(i64::MAX)])?)
}

/// The name of a street, by its key.
pub(crate) fn name_of(db: &Connection, key: &str) -> rusqlite::Result<Option<String>> {
    let mut statement = db.prepare_cached(
        "SELECT a.street, a.place, a.city, a.town FROM aerie_street_index s JOIN addresses a ON a.fid = s.fid WHERE s.key = ?1 LIMIT 1",
    )?;
    let found = statement.query_row([key], |r| Ok([r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?])).optional()?;
    Ok(found.map(|spellings: [Option<String>; 4]| street_index::spelling(&spellings, key)))
}

/// The address with a row id.
pub(crate) fn row_of(db: &Connection, fid: i64) -> rusqlite::Result<Option<Row>> {
    let mut statement = db.prepare_cached(
        "SELECT fid, geom, housenumber, street, place, city, town, on_building, localities, postcodes, postcode, tags FROM addresses WHERE fid = ?1",
    )?;
    Ok(read(statement.query([fid])?)?.pop())
}

fn read(mut rows: rusqlite::Rows<'_>) -> rusqlite::Result<Vec<Row>> {
    let mut out = Vec::new();
    while let Some(row) = rows.next()? {
        let Some(Geometry::Point(at)) = Geometry::from_blob(row.get_ref(1)?.as_blob().unwrap_or_default()) else {
            continue;
        };
        let mut tags = tags_of(row.get_ref(11)?.as_str().unwrap_or_default());
        let mut tag = |keys: &[&str]| keys.iter().find_map(|key| tags.remove(*key)).filter(|text| !text.is_empty());
        out.push(Row {
            fid: row.get(0)?,
            at,
            housenumber: row.get(2)?,
            street: row.get(3)?,
            place: row.get(4)?,
            city: row.get(5)?,
            town: row.get(6)?,
            on_building: row.get(7)?,
            localities: row.get(8)?,
            postcodes: row.get(9)?,
            postcode: row.get(10)?,
            unit: tag(&["addr:unit", "addr:flats", "addr:door"]).filter(|unit| is_unit(unit)),
            state: tag(&["addr:state", "addr:province"]),
            country: tag(&["addr:country"]).map(|code| code.to_lowercase()),
            words_of_towns: OnceCell::new(),
        });
    }
    Ok(out)
}

/// Tags of an address, if it has any of those that are used.
fn tags_of(json: &str) -> BTreeMap<String, String> {
    const USED: [&str; 6] = ["addr:unit", "addr:flats", "addr:door", "addr:state", "addr:province", "addr:country"];
    let is_used = json.contains("addr:") && USED.iter().any(|key| json.contains(key));
    if is_used { serde_json::from_str(json).unwrap_or_default() } else { BTreeMap::new() }
}

/// Whether a tag names an apartment: some name a floor, or a firm.
fn is_unit(text: &str) -> bool {
    let words: Vec<String> = names::words(text).into_iter().map(|word| word.folded).collect();
    let is_plain = |word: &String| word.len() <= 6 && is_short_code(word);
    let has_word = words.iter().any(|word| word.len() > 1 && UNIT_WORDS.unit.contains(word));
    let has_floor = words.iter().any(|word| word.len() > 1 && UNIT_WORDS.floor.contains(word));
    has_word || (words.iter().all(is_plain) && !has_floor && !words.is_empty())
}

/// The folded name of an apartment without words for it: `3b` of `Apt. 3 B`.
fn bare_unit(text: &str) -> String {
    let words = names::words(text).into_iter().map(|word| word.folded);
    let kept: Vec<String> = words.filter(|word| word.len() == 1 || !UNIT_WORDS.unit.contains(word)).collect();
    if kept.is_empty() { names::letters(text) } else { kept.concat() }
}
