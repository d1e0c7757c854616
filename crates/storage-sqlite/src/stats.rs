//! Statistics, and the check for writing.

use std::time::Duration;

use aerie_domain::{JobStatus, JobType};
use aerie_storage::backend::milliseconds;
use aerie_storage::{QueueStats, StageTime, StoreSize};
use rusqlite::{Connection, params};

use crate::error::Result;
use crate::rows::{named, time_or_none};

/// Maximum number of stages of one kind, so that a faulty engine cannot fill the table.
const MAX_STAGES: i64 = 64;

pub(crate) fn check_write(db: &Connection, now: i64) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO duties (name, holder, expires_at) VALUES ('written', '', ?1)
         ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at + 1",
    )?
    .execute([now])?;
    Ok(())
}

pub(crate) fn queue(db: &Connection) -> Result<QueueStats> {
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

pub(crate) fn size(db: &Connection) -> Result<StoreSize> {
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

pub(crate) fn add_stage_time(db: &Connection, kind: JobType, stages: &[(String, Duration)]) -> Result<()> {
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
