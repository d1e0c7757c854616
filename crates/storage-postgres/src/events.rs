//! Events and progress.

use std::time::Duration;

use aerie_domain::{JobId, JobStatus, JobType, OrgId};
use aerie_storage::backend::milliseconds;
use aerie_storage::{Event, EventPosition, EventStore, EventSubject, JobProgress, Lease, StoreError};
use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use tokio_postgres::Row;

use crate::error::Result;
use crate::job_rows::HELD;
use crate::pool::{execute, row, rows};
use crate::rows::{json, named, number, time};
use crate::{PostgresStore, with_client};

#[async_trait]
impl EventStore for PostgresStore {
    async fn event_position(&self) -> Result<EventPosition, StoreError> {
        with_client!(self, db => position(db, self.time.given()))
    }

    async fn event_list(&self, org_id: OrgId, after: EventPosition, limit: u32) -> Result<Vec<Event>, StoreError> {
        with_client!(self, db => list(db, org_id, after, limit))
    }

    async fn event_expire(&self, keep: Duration, limit: u32) -> Result<usize, StoreError> {
        with_client!(self, db => expire(db, milliseconds(keep), limit, self.time.given()))
    }

    async fn progress_report(&self, held: &Lease, stage: &str, percent: u8) -> Result<(), StoreError> {
        with_client!(self, db => report(db, held, (stage, percent), self.time.given()))
    }

    async fn progress_list(&self, org_id: OrgId, limit: u32) -> Result<Vec<JobProgress>, StoreError> {
        with_client!(self, db => progress(db, org_id, limit))
    }
}

/// All transactions before the oldest one that is running have ended, and no later one has an earlier number.
async fn position(db: &impl GenericClient, given: Option<i64>) -> Result<EventPosition> {
    let statement = "SELECT now_ms($1), pg_snapshot_xmin(pg_current_snapshot())::text::bigint";
    let found = row(db, statement, &[&given]).await?;
    let Some(found) = found else { return Ok(EventPosition { at: 0, transaction: 0, number: 0 }) };
    Ok(EventPosition { at: found.try_get(0)?, transaction: found.try_get(1)?, number: 0 })
}

async fn list(db: &impl GenericClient, org_id: OrgId, after: EventPosition, limit: u32) -> Result<Vec<Event>> {
    // No transaction adds to both tables.
    let next = "WHERE org_id = $1 AND (transaction, number) > ($2, $3)
                    AND transaction < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
                ORDER BY transaction, number LIMIT $4";
    let statement = format!(
        "(SELECT transaction, number, at, job_id, job_type, status, NULL::text AS review FROM events {next})
         UNION ALL (SELECT transaction, number, at, NULL::uuid, NULL::text, NULL::text, review FROM review_events {next})
         ORDER BY transaction, number LIMIT $4"
    );
    let found = rows(db, &statement, &[&org_id.0, &after.transaction, &after.number, &i64::from(limit)]).await?;
    found.iter().map(event).collect()
}

fn event(row: &Row) -> Result<Event> {
    let subject = match row.try_get(3)? {
        Some(id) => {
            EventSubject::Job(JobId(id), named(row, 4, JobType::from_name)?, named(row, 5, JobStatus::from_name)?)
        }
        None => EventSubject::Review(json(row, 6)?),
    };
    Ok(Event {
        position: EventPosition { at: row.try_get(2)?, transaction: row.try_get(0)?, number: row.try_get(1)? },
        subject,
    })
}

/// Of the oldest events by number, so that few are read when there is nothing to remove.
async fn expire(db: &impl GenericClient, keep: i64, limit: u32, given: Option<i64>) -> Result<usize> {
    let mut removed = 0;
    for table in ["events", "review_events"] {
        let statement = format!(
            "DELETE FROM {table} WHERE at < now_ms($1) - $2
                 AND number IN (SELECT number FROM {table} ORDER BY number LIMIT $3)"
        );
        let left = i64::from(limit) - removed;
        removed += i64::try_from(execute(db, &statement, &[&given, &keep, &left]).await?).unwrap_or(i64::MAX);
    }
    Ok(usize::try_from(removed).unwrap_or(usize::MAX))
}

async fn report(db: &impl GenericClient, held: &Lease, (stage, percent): (&str, u8), given: Option<i64>) -> Result<()> {
    let statement = format!(
        "INSERT INTO job_progress (job_id, org_id, job_type, stage, percent, at)
             SELECT id, org_id, job_type, $4::text, $5::bigint, now_ms($6) FROM jobs WHERE {HELD}
         ON CONFLICT (job_id) DO UPDATE SET stage = excluded.stage, percent = excluded.percent, at = excluded.at"
    );
    let attempt = i64::from(held.attempt);
    execute(db, &statement, &[&held.job_id.0, &held.worker, &attempt, &stage, &i64::from(percent), &given]).await?;
    Ok(())
}

async fn progress(db: &impl GenericClient, org_id: OrgId, limit: u32) -> Result<Vec<JobProgress>> {
    let statement = "SELECT job_id, job_type, stage, percent, at FROM job_progress
                     WHERE org_id = $1 ORDER BY at DESC LIMIT $2";
    let found = rows(db, statement, &[&org_id.0, &i64::from(limit)]).await?;
    let read = |row: &Row| {
        Ok(JobProgress {
            job_id: JobId(row.try_get(0)?),
            job_type: named(row, 1, JobType::from_name)?,
            stage: row.try_get(2)?,
            percent: number(row, 3)?,
            at: time(row, 4)?,
        })
    };
    found.iter().map(read).collect()
}
