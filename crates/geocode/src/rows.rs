//! Mapped addresses, looked up by street.

use aerie_geodata::gpkg::Geometry;
use aerie_geodata::street_index;
use rusqlite::{Connection, params};

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
}

impl Row {
    /// The spelling of its names that a key stands for.
    pub(crate) fn street_of(&self, key: &str) -> String {
        street_index::spelling(&[self.street.clone(), self.place.clone(), self.city.clone(), self.town.clone()], key)
    }
}

/// Addresses of a street, by its key; only those with the integer `base` in their house number, if it is given.
pub(crate) fn rows_of(db: &Connection, key: &str, base: Option<u32>) -> rusqlite::Result<Vec<Row>> {
    let mut statement = db.prepare_cached(
        "SELECT DISTINCT a.fid, a.geom, a.housenumber, a.street, a.place, a.city, a.town, a.on_building, a.localities, a.postcodes, a.postcode
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
        "SELECT a.fid, a.geom, a.housenumber, a.street, a.place, a.city, a.town, a.on_building, a.localities, a.postcodes, a.postcode
         FROM aerie_street_index s JOIN addresses a ON a.fid = s.fid
         WHERE s.key = ?1 AND s.base BETWEEN ?2 AND ?3 ORDER BY s.base, s.fid LIMIT ?4",
    )?;
    read(statement.query(params![key, from, to, i64::try_from(limit).unwrap_or(i64::MAX)])?)
}

/// The address with a row id.
pub(crate) fn row_of(db: &Connection, fid: i64) -> rusqlite::Result<Option<Row>> {
    let mut statement = db.prepare_cached(
        "SELECT fid, geom, housenumber, street, place, city, town, on_building, localities, postcodes, postcode FROM addresses WHERE fid = ?1",
    )?;
    Ok(read(statement.query([fid])?)?.pop())
}

fn read(mut rows: rusqlite::Rows<'_>) -> rusqlite::Result<Vec<Row>> {
    let mut out = Vec::new();
    while let Some(row) = rows.next()? {
        let Some(Geometry::Point(at)) = Geometry::from_blob(row.get_ref(1)?.as_blob().unwrap_or_default()) else {
            continue;
        };
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
        });
    }
    Ok(out)
}
