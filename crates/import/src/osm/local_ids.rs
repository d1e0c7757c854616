//! Negative ids, which editors give to objects that were never uploaded. They are valid in one file only.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use aerie_math::rng;
use rusqlite::{Connection, params};

/// Prefix of the keys of `aerie_meta` under which files with such ids are remembered.
const KEY: &str = "local_ids:";
/// Maximum size of a file that is recognized by its content, bytes. Those of editors are smaller.
const MAX_FILE: u64 = 64 << 20;

/// Replaces the negative ids of a file by others that no other file has. They stay the same when the file is imported again from
/// the same path, or with the same name and content.
pub(super) struct LocalIds {
    key: String,
    value: String,
    is_used: bool,
}

impl LocalIds {
    /// Finds the file among those imported before.
    pub(super) fn of(db: &Connection, path: &Path, name: &str) -> Result<Self, crate::error::ImportError> {
        let content = fingerprint(path).map_err(|e| crate::error::ImportError::io(path, e))?;
        let place = std::path::absolute(path).map_or_else(|_| name.to_owned(), |p| p.to_string_lossy().into_owned());
        let value = format!("{content:016x} {place}");
        let mut known = db.prepare("SELECT value FROM aerie_meta WHERE key = ?1")?;
        let mut number = 0;
        loop {
            let key = format!("{KEY}{name}#{number}");
            let mut rows = known.query([&key])?;
            let Some(row) = rows.next()? else { return Ok(Self { key, value, is_used: false }) };
            let earlier: String = row.get(0)?;
            let is_same = earlier
                .split_once(' ')
                .is_some_and(|(of_content, at)| at == place || content != 0 && of_content == format!("{content:016x}"));
            if is_same {
                return Ok(Self { key, value, is_used: false });
            }
            number += 1;
        }
    }

    /// The id in the pack.
    pub(super) fn in_pack(&mut self, id: i64) -> i64 {
        if id >= 0 {
            return id;
        }
        self.is_used = true;
        let mixed = rng::fnv1a(rng::fnv1a(rng::FNV_BASIS, &self.key), &format!(" {id}"));
        // Between -2^59 and -2^58, far from any id that an editor counts to.
        -(1 << 58) - (mixed >> 6) as i64
    }

    /// Remembers the file, if it has negative ids.
    pub(super) fn remember(&self, db: &Connection) -> rusqlite::Result<()> {
        if self.is_used {
            db.prepare_cached("INSERT OR REPLACE INTO aerie_meta VALUES (?1, ?2)")?
                .execute(params![self.key, self.value])?;
        }
        Ok(())
    }
}

/// FNV-1a of a file's bytes; 0 for large files.
fn fingerprint(path: &Path) -> io::Result<u64> {
    let file = File::open(path)?;
    if file.metadata()?.len() > MAX_FILE {
        return Ok(0);
    }
    let mut hash = rng::FNV_BASIS;
    for byte in BufReader::with_capacity(1 << 16, file).bytes() {
        hash = (hash ^ u64::from(byte?)).wrapping_mul(0x0100_0000_01B3);
    }
    Ok(hash.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack() -> Connection {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch("CREATE TABLE aerie_meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)").unwrap();
        db
    }

    #[test]
    fn a_file_keeps_its_ids_when_it_moves_or_changes_and_another_of_its_name_gets_its_own() {
        let (folder, db) = (tempfile::tempdir().unwrap(), pack());
        let id = |place: &str, content: &str| {
            let path = folder.path().join(place).join("map.osm");
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, content).unwrap();
            let mut ids = LocalIds::of(&db, &path, "map.osm").unwrap();
            let id = ids.in_pack(-7);
            ids.remember(&db).unwrap();
            id
        };
        let first = id("a", "one");
        assert_eq!(id("a", "one, edited"), first);
        let other = id("b", "two");
        assert!(first < -7 && other < -7 && other != first);
        assert_eq!(id("c", "two"), other);
        assert_eq!(id("a", "one, edited"), first);
    }

    #[test]
    fn ids_of_uploaded_objects_stay_and_negative_ones_stay_apart() {
        let (folder, db) = (tempfile::tempdir().unwrap(), pack());
        let path = folder.path().join("map.osm");
        std::fs::write(&path, "one").unwrap();
        let mut ids = LocalIds::of(&db, &path, "map.osm").unwrap();
        assert_eq!((ids.in_pack(0), ids.in_pack(123)), (0, 123));
        let many: std::collections::BTreeSet<i64> = (1..100_000).map(|id| ids.in_pack(-id)).collect();
        assert_eq!(many.len(), 99_999);
        assert!(many.iter().all(|id| (-(1 << 59)..=-(1 << 58)).contains(id)));
    }
}
