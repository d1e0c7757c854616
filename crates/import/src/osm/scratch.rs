//! Data kept between the passes over a file, in a temporary database rather than in memory.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};

use aerie_geodata::gpkg::OsmKind;

use super::element::{Member, Tags};
use super::rings::Spot;

/// Relations and their member ways.
pub(crate) struct Scratch {
    db: Connection,
    /// Ids of member ways, checked for every way of a file and therefore in memory, eight bytes each.
    wanted: Vec<i64>,
}

/// A relation that was set aside.
pub(crate) struct Relation {
    pub(crate) id: i64,
    pub(crate) members: Vec<Member>,
    pub(crate) tags: Tags<'static>,
}

impl Scratch {
    pub(crate) fn new(folder: &Path) -> rusqlite::Result<Self> {
        let db = Connection::open(folder.join("scratch.sqlite"))?;
        db.execute_batch(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768; PRAGMA locking_mode = EXCLUSIVE;
             CREATE TABLE relation (id INTEGER PRIMARY KEY, members TEXT NOT NULL, tags TEXT NOT NULL);
             CREATE TABLE way (id INTEGER PRIMARY KEY, spots BLOB NOT NULL, tags TEXT NOT NULL);
             BEGIN;",
        )?;
        Ok(Self { db, wanted: Vec::new() })
    }

    /// Sets a relation aside and marks its ways as wanted.
    pub(crate) fn put_relation(&mut self, id: i64, members: &[Member], tags: &Tags<'_>) -> rusqlite::Result<()> {
        let list: Vec<(u8, i64, &str)> = members.iter().map(|m| (m.kind as u8, m.id, m.role.as_str())).collect();
        self.db.prepare_cached("INSERT OR REPLACE INTO relation VALUES (?1, ?2, ?3)")?.execute(params![
            id,
            json(&list),
            json(&tags.0)
        ])?;
        // Until the way itself comes, which has tags.
        for member in members.iter().filter(|m| m.kind == OsmKind::Way && !m.spots.is_empty()) {
            self.db
                .prepare_cached("INSERT OR IGNORE INTO way VALUES (?1, ?2, '[]')")?
                .execute(params![member.id, bytes(&member.spots)])?;
        }
        self.wanted.extend(members.iter().filter(|m| m.kind == OsmKind::Way).map(|m| m.id));
        Ok(())
    }

    /// Must be called after the last relation and before the first way.
    pub(crate) fn finish_relations(&mut self) {
        self.wanted.sort_unstable();
        self.wanted.dedup();
    }

    pub(crate) fn wants(&self, way: i64) -> bool {
        self.wanted.binary_search(&way).is_ok()
    }

    pub(crate) fn put_way(&self, id: i64, spots: &[Spot], tags: &Tags<'_>) -> rusqlite::Result<()> {
        self.db.prepare_cached("INSERT OR REPLACE INTO way VALUES (?1, ?2, ?3)")?.execute(params![
            id,
            bytes(spots),
            json(&tags.0)
        ])?;
        Ok(())
    }

    pub(crate) fn way(&self, id: i64) -> rusqlite::Result<Option<(Vec<Spot>, Tags<'static>)>> {
        let row = self
            .db
            .prepare_cached("SELECT spots, tags FROM way WHERE id = ?1")?
            .query_row([id], |r| Ok((r.get::<_, Vec<u8>>(0)?, r.get::<_, String>(1)?)))
            .optional()?;
        Ok(row.map(|(bytes, tags)| {
            let (words, _) = bytes.as_chunks::<8>();
            let word = |w: &[u8]| i32::from_le_bytes([w[0], w[1], w[2], w[3]]);
            (words.iter().map(|w| (word(w), word(&w[4..]))).collect(), parse_tags(&tags))
        }))
    }

    /// The relation with the next higher id.
    pub(crate) fn relation_after(&self, id: i64) -> rusqlite::Result<Option<Relation>> {
        let row = self
            .db
            .prepare_cached("SELECT id, members, tags FROM relation WHERE id > ?1 ORDER BY id LIMIT 1")?
            .query_row([id], |r| Ok((r.get(0)?, r.get::<_, String>(1)?, r.get::<_, String>(2)?)))
            .optional()?;
        Ok(row.map(|(id, members, tags)| {
            let list: Vec<(u8, i64, String)> = serde_json::from_str(&members).unwrap_or_default();
            let members = list
                .into_iter()
                .map(|(kind, id, role)| Member { kind: kind_of(kind), id, role, spots: Vec::new() })
                .collect();
            Relation { id, members, tags: parse_tags(&tags) }
        }))
    }
}

fn bytes(spots: &[Spot]) -> Vec<u8> {
    spots.iter().flat_map(|s| [s.0.to_le_bytes(), s.1.to_le_bytes()]).flatten().collect()
}

fn kind_of(number: u8) -> OsmKind {
    match number {
        0 => OsmKind::Node,
        1 => OsmKind::Way,
        _ => OsmKind::Relation,
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn parse_tags(text: &str) -> Tags<'static> {
    Tags(serde_json::from_str(text).unwrap_or_default())
}
