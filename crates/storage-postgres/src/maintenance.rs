//! Health checks, statistics, retention, secrets, and the API nodes and workers.

use std::time::Duration;

use aerie_domain::{JobId, JobStatus, JobType, OrgId};
use aerie_storage::backend::milliseconds;
use aerie_storage::maintenance::{FORGOTTEN_AFTER, LIVE, Node, NodeRole, SeenNode};
use aerie_storage::{
    AuthoritySecret, Leftovers, LinkSecret, MaintenanceStore, QueueStats, StageTime, StoreConnections, StoreError,
    StoreSize,
};
use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row;
use uuid::Uuid;

use crate::admission::lock;
use crate::error::{Error, Result};
use crate::pool::{execute, row, rows};
use crate::rows::{named, number, parsed_or_none, time};
use crate::{PostgresStore, health, in_transaction, leftovers, pool, snapshot, with_client};

#[async_trait]
impl MaintenanceStore for PostgresStore {
    async fn store_check(&self) -> Result<(), StoreError> {
        self.damage.check()?;
        with_client!(self, db => async {
            pool::row(db, "SELECT 1", &[]).await?;
            Ok::<_, Error>(())
        })
    }

    async fn store_check_use(&self) -> Result<(), StoreError> {
        self.damage.check()?;
        let client = self.client().await?;
        self.noting(health::check_use(&client, &self.written, self.time.given()).await)
    }

    async fn store_verify(&self) -> Result<(), StoreError> {
        let client = self.client().await?;
        self.noting(health::verify(&client).await)
    }

    async fn queue_stats(&self) -> Result<QueueStats, StoreError> {
        let mut client = self.client().await?;
        self.noting(async { queue_stats(&snapshot(&mut client).await?).await }.await)
    }

    async fn store_size(&self) -> Result<StoreSize, StoreError> {
        with_client!(self, db => store_size(db))
    }

    async fn stage_time_add(&self, kind: JobType, stages: Vec<(String, Duration)>) -> Result<(), StoreError> {
        in_transaction!(self, db => stage_time_add(db, kind, stages))
    }

    async fn duty_acquire(&self, name: &str, holder: &str, duration: Duration) -> Result<bool, StoreError> {
        with_client!(self, db => duty_acquire(db, name, holder, self.time.given(), milliseconds(duration)))
    }

    async fn job_expire(&self, org_id: OrgId, keep: Duration, limit: u32) -> Result<Vec<JobId>, StoreError> {
        in_transaction!(self, db => job_expire(db, org_id, milliseconds(keep), limit, self.time.given()))
    }

    async fn leftovers_expect(&self, org_id: OrgId, job_id: JobId, wait: Duration) -> Result<(), StoreError> {
        with_client!(self, db => leftovers::expect(db, (org_id, job_id), self.time.given(), milliseconds(wait)))
    }

    async fn leftovers_due(&self, limit: u32) -> Result<Vec<Leftovers>, StoreError> {
        with_client!(self, db => leftovers_due(db, self.time.given(), limit))
    }

    async fn leftovers_clear(&self, cleared: &[Leftovers]) -> Result<(), StoreError> {
        with_client!(self, db => leftovers_clear(db, cleared))
    }

    async fn link_secret_init(&self, proposed: &LinkSecret) -> Result<LinkSecret, StoreError> {
        with_client!(self, db => link_secret_init(db, proposed, self.time.given()))
    }

    async fn authority_init(&self, proposed: &AuthoritySecret) -> Result<AuthoritySecret, StoreError> {
        with_client!(self, db => authority_init(db, proposed, self.time.given()))
    }

    async fn node_beat(&self, node: &Node) -> Result<(), StoreError> {
        with_client!(self, db => node_beat(db, node, self.time.given()))
    }

    async fn node_remove(&self, name: &str) -> Result<(), StoreError> {
        with_client!(self, db => node_remove(db, name))
    }

    async fn node_list(&self) -> Result<Vec<SeenNode>, StoreError> {
        with_client!(self, db => node_list(db, self.time.given()))
    }

    fn store_connections(&self) -> Option<StoreConnections> {
        Some(self.pool.connections())
    }
}

/// Maximum number of stages of one kind, so that a faulty engine cannot fill the table.
const MAX_STAGES: i64 = 64;

/// Whether a row's first column is a kind that this version knows: during an upgrade, newer nodes may have others.
fn is_known(row: &&Row) -> bool {
    row.try_get(0).is_ok_and(|kind| JobType::from_name(kind).is_some())
}

async fn queue_stats(db: &Transaction<'_>) -> Result<QueueStats> {
    let counts = "SELECT job_type, status, sum(jobs)::bigint FROM job_counts GROUP BY job_type, status";
    let jobs = rows(db, counts, &[]).await?;
    let jobs = jobs.iter().filter(is_known);
    let jobs =
        jobs.map(|row| Ok((named(row, 0, JobType::from_name)?, named(row, 1, JobStatus::from_name)?, number(row, 2)?)));
    let oldest = "SELECT counted.job_type, min(head.created_at) FROM job_counts AS counted, LATERAL (
                      SELECT created_at FROM jobs
                      WHERE org_id = counted.org_id AND job_type = counted.job_type AND status = 'queued'
                      ORDER BY created_at NULLS FIRST, id NULLS FIRST LIMIT 1) AS head
                  WHERE counted.waiting GROUP BY counted.job_type";
    let oldest_queued = rows(db, oldest, &[]).await?;
    let oldest_queued =
        oldest_queued.iter().filter(is_known).map(|row| Ok((named(row, 0, JobType::from_name)?, time(row, 1)?)));
    let stage_time = rows(db, "SELECT job_type, stage, runs, milliseconds FROM engine_time", &[]).await?;
    let stage_time = stage_time.iter().filter(is_known).map(|row| {
        let time = Duration::from_millis(number(row, 3)?);
        Ok(StageTime { kind: named(row, 0, JobType::from_name)?, stage: row.try_get(1)?, runs: number(row, 2)?, time })
    });
    Ok(QueueStats {
        jobs: jobs.collect::<Result<_>>()?,
        oldest_queued: oldest_queued.collect::<Result<_>>()?,
        stage_time: stage_time.collect::<Result<_>>()?,
    })
}

async fn store_size(db: &impl GenericClient) -> Result<StoreSize> {
    // With the indexes of tables, and what is stored beside them.
    let statement = "SELECT (SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
                             WHERE relnamespace = 'aerie'::regnamespace AND relkind = 'r'),
                            (SELECT coalesce(sum(size), 0)::bigint FROM
                                 (SELECT max(size) AS size FROM uploads WHERE sha256 IS NOT NULL GROUP BY stored_as)
                                 AS files)";
    let Some(found) = row(db, statement, &[]).await? else { return Ok(StoreSize::default()) };
    Ok(StoreSize { database: number(&found, 0)?, uploads: number(&found, 1)? })
}

/// Adds times. The stages are sorted, so that two workers cannot wait for each other. All runs of a kind change the same rows, so
/// these are not locked until they are on disk: a crash of the server loses the times of its last moments.
async fn stage_time_add(db: &Transaction<'_>, kind: JobType, mut stages: Vec<(String, Duration)>) -> Result<()> {
    stages.sort();
    let statement = "INSERT INTO engine_time AS known (job_type, stage, runs, milliseconds)
                     SELECT $1, $2, 1, $3 FROM (SELECT set_config('synchronous_commit', 'off', true)) AS relaxed
                     WHERE (SELECT count(*) FROM engine_time WHERE job_type = $1) < $4
                         OR EXISTS (SELECT 1 FROM engine_time WHERE job_type = $1 AND stage = $2)
                     ON CONFLICT (job_type, stage) DO UPDATE
                         SET runs = known.runs + 1, milliseconds = known.milliseconds + excluded.milliseconds";
    for (stage, took) in stages {
        execute(db, statement, &[&kind.as_str(), &stage, &milliseconds(took), &MAX_STAGES]).await?;
    }
    Ok(())
}

/// Acquires a duty that nobody holds or whose holder has not renewed it. One that ends later than any can was acquired
/// before the clock was set back.
async fn duty_acquire(
    db: &impl GenericClient,
    name: &str,
    holder: &str,
    given: Option<i64>,
    lasts: i64,
) -> Result<bool> {
    let statement = "INSERT INTO duties AS held (name, holder, expires_at) VALUES ($1, $2, now_ms($3) + $4)
                     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
                         WHERE held.holder = $2 OR held.expires_at <= now_ms($3) OR held.expires_at > now_ms($3) + $4";
    Ok(execute(db, statement, &[&name, &holder, &given, &lasts]).await? > 0)
}

/// Marks jobs that ended, or began to wait for their owner, more than `keep` milliseconds ago; not those with an active video. The organization
/// is locked, so that no video is submitted meanwhile.
async fn job_expire(
    db: &Transaction<'_>,
    org_id: OrgId,
    keep: i64,
    limit: u32,
    given: Option<i64>,
) -> Result<Vec<JobId>> {
    lock(db, org_id, given).await?;
    let statement = "WITH expired AS (
                     UPDATE jobs SET expired_at = now_ms($4) WHERE id IN (
                         SELECT id FROM jobs AS old
                         WHERE org_id = $1 AND expired_at IS NULL
                             AND status IN ('awaiting_input', 'completed', 'failed') AND updated_at < now_ms($4) - $2
                             AND NOT EXISTS (
                                 SELECT 1 FROM jobs AS video
                                 WHERE video.parent_id = old.id AND video.status IN ('queued', 'running'))
                         ORDER BY updated_at LIMIT $3 FOR UPDATE OF old SKIP LOCKED)
                     RETURNING id),
                     noted AS (
                         INSERT INTO leftovers AS noted (job_id, org_id, due_at) SELECT id, $1, now_ms($4) FROM expired
                         ON CONFLICT (job_id) DO UPDATE SET due_at = least(noted.due_at, excluded.due_at))
                     SELECT id FROM expired";
    let expired = rows(db, statement, &[&org_id.0, &keep, &i64::from(limit), &given]).await?;
    expired.iter().map(|row| Ok(JobId(row.try_get(0)?))).collect()
}

async fn leftovers_due(db: &impl GenericClient, given: Option<i64>, limit: u32) -> Result<Vec<Leftovers>> {
    let statement = "SELECT org_id, job_id, due_at FROM leftovers WHERE due_at <= now_ms($1) ORDER BY due_at LIMIT $2";
    let found = rows(db, statement, &[&given, &i64::from(limit)]).await?;
    let leftovers = |row: &tokio_postgres::Row| {
        Ok(Leftovers { org_id: OrgId(row.try_get(0)?), job_id: JobId(row.try_get(1)?), due_at: time(row, 2)? })
    };
    found.iter().map(leftovers).collect()
}

async fn leftovers_clear(db: &impl GenericClient, cleared: &[Leftovers]) -> Result<()> {
    let jobs: Vec<Uuid> = cleared.iter().map(|leftovers| leftovers.job_id.0).collect();
    let times: Vec<i64> = cleared.iter().map(|leftovers| leftovers.due_at.as_millisecond()).collect();
    let statement = "DELETE FROM leftovers USING unnest($1::uuid[], $2::bigint[]) AS cleared (job_id, due_at)
                     WHERE leftovers.job_id = cleared.job_id AND leftovers.due_at = cleared.due_at";
    execute(db, statement, &[&jobs, &times]).await?;
    Ok(())
}

const LINKS: &str = "media_links";
const AUTHORITY: &str = "credentials_authority";

async fn link_secret_init(db: &impl GenericClient, proposed: &LinkSecret, given: Option<i64>) -> Result<LinkSecret> {
    let malformed = || Error(StoreError::Backend("the secret that signs links does not have 32 bytes".to_owned()));
    let secret = secret_init(db, LINKS, proposed.reveal(), given).await?.ok_or_else(malformed)?;
    Ok(LinkSecret::new(secret.try_into().map_err(|_| malformed())?))
}

async fn authority_init(
    db: &impl GenericClient,
    proposed: &AuthoritySecret,
    given: Option<i64>,
) -> Result<AuthoritySecret> {
    let malformed = || Error(StoreError::Backend("the stored certificate authority is damaged".to_owned()));
    let pem = secret_init(db, AUTHORITY, proposed.reveal().as_bytes(), given).await?.ok_or_else(malformed)?;
    Ok(AuthoritySecret::new(String::from_utf8(pem).map_err(|_| malformed())?))
}

/// Stores a secret, unless there is one of that name; returns the stored one.
async fn secret_init(
    db: &impl GenericClient,
    name: &str,
    proposed: &[u8],
    given: Option<i64>,
) -> Result<Option<Vec<u8>>> {
    let statement = "INSERT INTO secrets (name, value, created_at) VALUES ($1, $2, now_ms($3)) ON CONFLICT DO NOTHING";
    execute(db, statement, &[&name, &proposed, &given]).await?;
    let found = row(db, "SELECT value FROM secrets WHERE name = $1", &[&name]).await?;
    Ok(found.map(|found| found.try_get(0)).transpose()?)
}

async fn node_beat(db: &impl GenericClient, node: &Node, given: Option<i64>) -> Result<()> {
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

async fn node_remove(db: &impl GenericClient, name: &str) -> Result<()> {
    execute(db, "DELETE FROM nodes WHERE name = $1", &[&name]).await?;
    Ok(())
}

async fn node_list(db: &impl GenericClient, given: Option<i64>) -> Result<Vec<SeenNode>> {
    let statement = "SELECT name, role, version, kinds, host, started_at, seen_at, seen_at > now_ms($1) - $2,
                         (SELECT jobs.id FROM jobs WHERE jobs.status = 'running' AND jobs.worker = nodes.name LIMIT 1),
                         pack
                     FROM nodes ORDER BY role, started_at, name";
    let found = rows(db, statement, &[&given, &milliseconds(LIVE)]).await?;
    found.iter().map(seen_node).collect()
}

fn seen_node(row: &Row) -> Result<SeenNode> {
    let kinds: Vec<&str> = row.try_get(3)?;
    // A newer version may know more kinds.
    let kinds = kinds.into_iter().filter_map(JobType::from_name).collect();
    let role = named(row, 1, NodeRole::from_name)?;
    let pack = parsed_or_none(row, 9)?;
    let node = Node { name: row.try_get(0)?, role, version: row.try_get(2)?, kinds, host: row.try_get(4)?, pack };
    let job = row.try_get::<_, Option<Uuid>>(8)?.map(JobId);
    Ok(SeenNode { node, started_at: time(row, 5)?, seen_at: time(row, 6)?, is_live: row.try_get(7)?, job })
}
