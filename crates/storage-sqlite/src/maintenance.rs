//! Health checks, statistics, retention, secrets, and the API nodes and workers.

use std::time::Duration;

use aerie_domain::{JobId, JobStatus, JobType, OrgId};
use aerie_storage::backend::milliseconds;
use aerie_storage::maintenance::{FORGOTTEN_AFTER, LIVE, Node, NodeRole, SeenNode};
use aerie_storage::{
    AuthoritySecret, Leftovers, LinkSecret, MaintenanceStore, QueueStats, StageTime, StoreError, StoreSize,
};
use async_trait::async_trait;
use rusqlite::{Connection, Row, params};

use crate::error::Result;
use crate::rows::{named, parsed, parsed_or_none, time, time_or_none};
use crate::{SqliteStore, integrity, leftovers};

#[async_trait]
impl MaintenanceStore for SqliteStore {
    async fn store_check(&self) -> Result<(), StoreError> {
        self.damage.check()?;
        self.readers.read(|db| Ok(db.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?)).await
    }

    async fn store_check_use(&self) -> Result<(), StoreError> {
        self.damage.check()?;
        let read = integrity::inspect(self.file.clone(), integrity::read_every_tree).await;
        read.inspect_err(|error| self.damage.record(error))?;
        let now = self.now();
        self.writer.write(move |db| check_write(db, now)).await
    }

    async fn store_verify(&self) -> Result<(), StoreError> {
        let checked = integrity::inspect(self.file.clone(), integrity::quick_check).await;
        checked.inspect_err(|error| self.damage.record(error))
    }

    async fn queue_stats(&self) -> Result<QueueStats, StoreError> {
        self.readers.read(queue_stats).await
    }

    async fn store_size(&self) -> Result<StoreSize, StoreError> {
        self.readers.read(store_size).await
    }

    async fn stage_time_add(&self, kind: JobType, stages: Vec<(String, Duration)>) -> Result<(), StoreError> {
        self.writer.write(move |db| stage_time_add(db, kind, &stages)).await
    }

    async fn duty_acquire(&self, name: &str, holder: &str, duration: Duration) -> Result<bool, StoreError> {
        let (name, holder, now) = (name.to_owned(), holder.to_owned(), self.now());
        self.writer.write(move |db| duty_acquire(db, &name, &holder, now, milliseconds(duration))).await
    }

    async fn job_expire(&self, org_id: OrgId, keep: Duration, limit: u32) -> Result<Vec<JobId>, StoreError> {
        let now = self.now();
        let before = now - milliseconds(keep);
        self.writer.write(move |db| job_expire(db, org_id, before, limit, now)).await
    }

    async fn leftovers_expect(&self, org_id: OrgId, job_id: JobId, wait: Duration) -> Result<(), StoreError> {
        let due_at = self.now() + milliseconds(wait);
        let write = move |db: &_| leftovers::expect(db, &org_id.to_string(), &job_id.to_string(), due_at);
        self.writer.write(write).await
    }

    async fn leftovers_due(&self, limit: u32) -> Result<Vec<Leftovers>, StoreError> {
        let now = self.now();
        self.readers.read(move |db| leftovers_due(db, now, limit)).await
    }

    async fn leftovers_clear(&self, cleared: &[Leftovers]) -> Result<(), StoreError> {
        let cleared = cleared.to_vec();
        self.writer.write(move |db| leftovers_clear(db, &cleared)).await
    }

    async fn link_secret_init(&self, proposed: &LinkSecret) -> Result<LinkSecret, StoreError> {
        let (proposed, now) = (proposed.clone(), self.now());
        self.writer.write(move |db| link_secret_init(db, &proposed, now)).await
    }

    async fn authority_init(&self, proposed: &AuthoritySecret) -> Result<AuthoritySecret, StoreError> {
        let (proposed, now) = (proposed.clone(), self.now());
        self.writer.write(move |db| authority_init(db, &proposed, now)).await
    }

    async fn node_beat(&self, node: &Node) -> Result<(), StoreError> {
        let (node, now) = (node.clone(), self.now());
        self.writer.write(move |db| node_beat(db, &node, now)).await
    }

    async fn node_remove(&self, name: &str) -> Result<(), StoreError> {
        let name = name.to_owned();
        self.writer.write(move |db| node_remove(db, &name)).await
    }

    async fn node_list(&self) -> Result<Vec<SeenNode>, StoreError> {
        let now = self.now();
        self.readers.read(move |db| node_list(db, now)).await
    }
}

/// Maximum number of stages of one kind, so that a faulty engine cannot fill the table.
const MAX_STAGES: i64 = 64;

fn check_write(db: &Connection, now: i64) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO duties (name, holder, expires_at) VALUES ('written', '', ?1)
         ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at + 1",
    )?
    .execute([now])?;
    Ok(())
}

fn queue_stats(db: &Connection) -> Result<QueueStats> {
    let jobs = db
        .prepare_cached("SELECT job_type, status, sum(jobs) FROM job_counts GROUP BY job_type, status")?
        .query_map([], |row| {
            let jobs: i64 = row.get(2)?;
            let (kind, status) = (named(row, 0, JobType::from_name)?, named(row, 1, JobStatus::from_name)?);
            Ok((kind, status, u64::try_from(jobs).unwrap_or(0)))
        })?
        .collect::<rusqlite::Result<_>>()?;
    let mut oldest_queued = Vec::new();
    for kind in JobType::ALL {
        let oldest = db
            .prepare_cached(
                "SELECT min((SELECT created_at FROM jobs WHERE org_id = waiting.org_id AND job_type = ?1 AND status = 'queued'
                     ORDER BY created_at, id LIMIT 1))
                 FROM job_counts AS waiting WHERE status = 'queued' AND jobs > 0 AND job_type = ?1",
            )?
            .query_row([kind.as_str()], |row| time_or_none(row, 0))?;
        oldest_queued.extend(oldest.map(|oldest| (kind, oldest)));
    }
    let stage_time = db
        .prepare_cached("SELECT job_type, stage, runs, milliseconds FROM engine_time")?
        .query_map([], |row| {
            let number = |column| row.get::<_, i64>(column).map(|number| u64::try_from(number).unwrap_or(0));
            let time = Duration::from_millis(number(3)?);
            Ok(StageTime { kind: named(row, 0, JobType::from_name)?, stage: row.get(1)?, runs: number(2)?, time })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(QueueStats { jobs, oldest_queued, stage_time })
}

fn store_size(db: &Connection) -> Result<StoreSize> {
    let number = |statement: &str| -> Result<u64> {
        Ok(u64::try_from(db.prepare_cached(statement)?.query_row([], |row| row.get::<_, i64>(0))?).unwrap_or(0))
    };
    let database = number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")?;
    let uploads = number(
        "SELECT coalesce(sum(size), 0) FROM
             (SELECT max(size) AS size FROM uploads WHERE sha256 IS NOT NULL GROUP BY stored_as)",
    )?;
    Ok(StoreSize { database, uploads })
}

fn stage_time_add(db: &Connection, kind: JobType, stages: &[(String, Duration)]) -> Result<()> {
    for (stage, took) in stages {
        db.prepare_cached(
            "INSERT INTO engine_time (job_type, stage, runs, milliseconds)
             SELECT ?1, ?2, 1, ?3 WHERE (SELECT count(*) FROM engine_time WHERE job_type = ?1) < ?4
                 OR EXISTS (SELECT 1 FROM engine_time WHERE job_type = ?1 AND stage = ?2)
             ON CONFLICT DO UPDATE SET runs = runs + 1, milliseconds = milliseconds + excluded.milliseconds",
        )?
        .execute(params![kind.as_str(), stage, milliseconds(*took), MAX_STAGES])?;
    }
    Ok(())
}

/// Acquires a duty that nobody holds or whose holder has not renewed it. One that ends later than any can was acquired
/// before the clock was set back.
fn duty_acquire(db: &Connection, name: &str, holder: &str, now: i64, lasts: i64) -> Result<bool> {
    let taken = db
        .prepare_cached(
            "INSERT INTO duties (name, holder, expires_at) VALUES (?1, ?2, ?3 + ?4)
             ON CONFLICT DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
                 WHERE holder = ?2 OR expires_at <= ?3 OR expires_at > ?3 + ?4",
        )?
        .execute(params![name, holder, now, lasts])?;
    Ok(taken > 0)
}

/// Marks jobs that ended, or began to wait for their owner, before a time; not those with an active video.
fn job_expire(db: &Connection, org_id: OrgId, before: i64, limit: u32, now: i64) -> Result<Vec<JobId>> {
    let expired = db
        .prepare_cached(
            "UPDATE jobs SET expired_at = ?4 WHERE id IN (
                 SELECT id FROM jobs AS old
                 WHERE org_id = ?1 AND expired_at IS NULL AND status IN ('awaiting_input', 'completed', 'failed')
                     AND updated_at < ?2
                     AND NOT EXISTS (
                         SELECT 1 FROM jobs AS video
                         WHERE video.parent_id = old.id AND video.status IN ('queued', 'running'))
                 ORDER BY updated_at LIMIT ?3)
             RETURNING id",
        )?
        .query_map(params![org_id.to_string(), before, limit, now], |row| parsed(row, 0))?
        .collect::<rusqlite::Result<Vec<JobId>>>()?;
    for job_id in &expired {
        leftovers::expired(db, &org_id.to_string(), &job_id.to_string(), now)?;
    }
    Ok(expired)
}

fn leftovers_due(db: &Connection, now: i64, limit: u32) -> Result<Vec<Leftovers>> {
    let found = db
        .prepare_cached("SELECT org_id, job_id, due_at FROM leftovers WHERE due_at <= ?1 ORDER BY due_at LIMIT ?2")?
        .query_map(params![now, limit], |row| {
            Ok(Leftovers { org_id: parsed(row, 0)?, job_id: parsed(row, 1)?, due_at: time(row, 2)? })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

fn leftovers_clear(db: &Connection, cleared: &[Leftovers]) -> Result<()> {
    let mut delete = db.prepare_cached("DELETE FROM leftovers WHERE job_id = ?1 AND due_at = ?2")?;
    for leftovers in cleared {
        delete.execute(params![leftovers.job_id.to_string(), leftovers.due_at.as_millisecond()])?;
    }
    Ok(())
}

/// The name of the secret that signs links.
const LINKS: &str = "media_links";
const AUTHORITY: &str = "credentials_authority";

fn link_secret_init(db: &Connection, proposed: &LinkSecret, now: i64) -> Result<LinkSecret> {
    let secret = secret_init(db, LINKS, proposed.reveal(), now)?;
    let malformed = |_| StoreError::Backend("the secret that signs links does not have 32 bytes".to_owned());
    Ok(LinkSecret::new(secret.try_into().map_err(malformed)?))
}

fn authority_init(db: &Connection, proposed: &AuthoritySecret, now: i64) -> Result<AuthoritySecret> {
    let pem = secret_init(db, AUTHORITY, proposed.reveal().as_bytes(), now)?;
    let malformed = |_| StoreError::Backend("the stored certificate authority is damaged".to_owned());
    Ok(AuthoritySecret::new(String::from_utf8(pem).map_err(malformed)?))
}

/// Stores a secret, unless there is one of that name; returns the stored one.
fn secret_init(db: &Connection, name: &str, proposed: &[u8], now: i64) -> Result<Vec<u8>> {
    db.prepare_cached("INSERT INTO secrets (name, value, created_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")?
        .execute(params![name, proposed, now])?;
    Ok(db.prepare_cached("SELECT value FROM secrets WHERE name = ?1")?.query_row([name], |row| row.get(0))?)
}

fn node_beat(db: &Connection, node: &Node, now: i64) -> Result<()> {
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

fn node_remove(db: &Connection, name: &str) -> Result<()> {
    db.prepare_cached("DELETE FROM nodes WHERE name = ?1")?.execute([name])?;
    Ok(())
}

fn node_list(db: &Connection, now: i64) -> Result<Vec<SeenNode>> {
    let found = db
        .prepare_cached(
            "SELECT name, role, version, kinds, host, started_at, seen_at, seen_at > ?1,
                 (SELECT id FROM jobs WHERE status = 'running' AND worker = nodes.name LIMIT 1), pack
             FROM nodes ORDER BY role, started_at, name",
        )?
        .query_map([now - milliseconds(LIVE)], seen_node)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

fn seen_node(row: &Row<'_>) -> rusqlite::Result<SeenNode> {
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
