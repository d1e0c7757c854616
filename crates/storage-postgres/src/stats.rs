//! Statistics.

use std::time::Duration;

use aerie_domain::{JobStatus, JobType};
use aerie_storage::backend::milliseconds;
use aerie_storage::{QueueStats, StageTime, StoreSize};
use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row;

use crate::error::Result;
use crate::pool::{execute, row, rows};
use crate::rows::{named, number, time};

/// Maximum number of stages of one kind, so that a faulty engine cannot fill the table.
const MAX_STAGES: i64 = 64;

/// Whether a row's first column is a kind that this version knows: during an upgrade, newer nodes may have others.
fn is_known(row: &&Row) -> bool {
    row.try_get(0).is_ok_and(|kind| JobType::from_name(kind).is_some())
}

pub(crate) async fn queue(db: &Transaction<'_>) -> Result<QueueStats> {
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

pub(crate) async fn size(db: &impl GenericClient) -> Result<StoreSize> {
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
pub(crate) async fn add_stage_time(
    db: &Transaction<'_>,
    kind: JobType,
    mut stages: Vec<(String, Duration)>,
) -> Result<()> {
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
