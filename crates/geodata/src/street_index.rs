//! The index of addresses by street and house number (table `aerie_street_index` of a pack).

use rusqlite::{Connection, params};

use crate::{house_number, names};

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
