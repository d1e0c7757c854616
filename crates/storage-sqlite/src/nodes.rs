//! API nodes and workers.

use aerie_domain::JobType;
use aerie_storage::backend::milliseconds;
use aerie_storage::nodes::{FORGOTTEN_AFTER, LIVE, Node, NodeRole, SeenNode};
use rusqlite::{Connection, Row, params};

use crate::error::Result;
use crate::rows::{named, parsed_or_none, time};

pub(crate) fn beat(db: &Connection, node: &Node, now: i64) -> Result<()> {
    db.prepare_cached("DELETE FROM nodes WHERE seen_at <= ?1")?.execute([now - milliseconds(FORGOTTEN_AFTER)])?;
    let kinds = node.kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(",");
    db.prepare_cached(
        "INSERT INTO nodes (name, role, version, kinds, host, started_at, seen_at, pack)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)
         ON CONFLICT DO UPDATE SET seen_at = excluded.seen_at, pack = excluded.pack",
    )?
    .execute(params![
        node.name,
        node.role.as_str(),
        node.version,
        kinds,
        node.host,
        now,
        node.pack.map(|pack| pack.to_string()),
    ])?;
    Ok(())
}

pub(crate) fn remove(db: &Connection, name: &str) -> Result<()> {
    db.prepare_cached("DELETE FROM nodes WHERE name = ?1")?.execute([name])?;
    Ok(())
}

pub(crate) fn list(db: &Connection, now: i64) -> Result<Vec<SeenNode>> {
    let found = db
        .prepare_cached(
            "SELECT name, role, version, kinds, host, started_at, seen_at, seen_at > ?1,
                 (SELECT id FROM jobs WHERE status = 'running' AND worker = nodes.name LIMIT 1), pack
             FROM nodes ORDER BY role, started_at, name",
        )?
        .query_map([now - milliseconds(LIVE)], seen)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

fn seen(row: &Row<'_>) -> rusqlite::Result<SeenNode> {
    let kinds: String = row.get(3)?;
    let node = Node {
        name: row.get(0)?,
        role: named(row, 1, NodeRole::from_name)?,
        version: row.get(2)?,
        kinds: kinds.split(',').filter_map(JobType::from_name).collect(),
        host: row.get(4)?,
        pack: parsed_or_none(row, 9)?,
    };
    let job = parsed_or_none(row, 8)?;
    Ok(SeenNode { node, started_at: time(row, 5)?, seen_at: time(row, 6)?, is_live: row.get(7)?, job })
}
