//! API nodes and workers.

use aerie_domain::{JobId, JobType};
use aerie_storage::backend::milliseconds;
use aerie_storage::nodes::{FORGOTTEN_AFTER, LIVE, Node, NodeRole, SeenNode};
use deadpool_postgres::GenericClient;
use tokio_postgres::Row;
use uuid::Uuid;

use crate::error::Result;
use crate::pool::{execute, rows};
use crate::rows::{named, parsed_or_none, time};

pub(crate) async fn beat(db: &impl GenericClient, node: &Node, given: Option<i64>) -> Result<()> {
    // Rows that others are changing are left to them.
    let statement = "WITH forgotten AS (
                         DELETE FROM nodes WHERE name IN (
                             SELECT name FROM nodes WHERE seen_at <= now_ms($6) - $7 AND name <> $1
                             FOR UPDATE SKIP LOCKED))
                     INSERT INTO nodes AS known (name, role, version, kinds, host, started_at, seen_at, pack)
                     VALUES ($1, $2, $3, $4, $5, now_ms($6), now_ms($6), $8)
                     ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at, pack = excluded.pack";
    let kinds: Vec<&str> = node.kinds.iter().map(|kind| kind.as_str()).collect();
    let (role, forgotten) = (node.role.as_str(), milliseconds(FORGOTTEN_AFTER));
    let pack = node.pack.map(|pack| pack.to_string());
    execute(db, statement, &[&node.name, &role, &node.version, &kinds, &node.host, &given, &forgotten, &pack]).await?;
    Ok(())
}

pub(crate) async fn remove(db: &impl GenericClient, name: &str) -> Result<()> {
    execute(db, "DELETE FROM nodes WHERE name = $1", &[&name]).await?;
    Ok(())
}

pub(crate) async fn list(db: &impl GenericClient, given: Option<i64>) -> Result<Vec<SeenNode>> {
    let statement = "SELECT name, role, version, kinds, host, started_at, seen_at, seen_at > now_ms($1) - $2,
                         (SELECT jobs.id FROM jobs WHERE jobs.status = 'running' AND jobs.worker = nodes.name LIMIT 1),
                         pack
                     FROM nodes ORDER BY role, started_at, name";
    let found = rows(db, statement, &[&given, &milliseconds(LIVE)]).await?;
    found.iter().map(seen).collect()
}

fn seen(row: &Row) -> Result<SeenNode> {
    let kinds: Vec<&str> = row.try_get(3)?;
    // A newer version may know more kinds.
    let kinds = kinds.into_iter().filter_map(JobType::from_name).collect();
    let role = named(row, 1, NodeRole::from_name)?;
    let pack = parsed_or_none(row, 9)?;
    let node = Node { name: row.try_get(0)?, role, version: row.try_get(2)?, kinds, host: row.try_get(4)?, pack };
    let job = row.try_get::<_, Option<Uuid>>(8)?.map(JobId);
    Ok(SeenNode { node, started_at: time(row, 5)?, seen_at: time(row, 6)?, is_live: row.try_get(7)?, job })
}
