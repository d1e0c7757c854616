//! Events and progress.

use std::time::Duration;

use aerie_domain::{JobStatus, JobType, OrgId};
use aerie_storage::backend::milliseconds;
use aerie_storage::{Event, EventPosition, EventStore, EventSubject, JobProgress, Lease, StoreError};
use async_trait::async_trait;
use rusqlite::{Connection, Row, named_params, params};

use crate::SqliteStore;
use crate::error::Result;
use crate::job_rows::HELD;
use crate::rows::{json_or_none, named, parsed, time};

#[async_trait]
impl EventStore for SqliteStore {
    async fn event_position(&self) -> Result<EventPosition, StoreError> {
        let now = self.now();
        self.readers.read(move |db| position(db, now)).await
    }

    async fn event_list(&self, org_id: OrgId, after: EventPosition, limit: u32) -> Result<Vec<Event>, StoreError> {
        self.readers.read(move |db| list(db, org_id, after, limit)).await
    }

    async fn event_expire(&self, keep: Duration, limit: u32) -> Result<usize, StoreError> {
        let before = self.now() - milliseconds(keep);
        self.writer.write(move |db| expire(db, before, limit)).await
    }

    async fn progress_report(&self, held: &Lease, stage: &str, percent: u8) -> Result<(), StoreError> {
        let (held, stage, now) = (held.clone(), stage.to_owned(), self.now());
        self.writer.write(move |db| report(db, &held, &stage, percent, now)).await
    }

    async fn progress_list(&self, org_id: OrgId, limit: u32) -> Result<Vec<JobProgress>, StoreError> {
        self.readers.read(move |db| progress(db, org_id, limit)).await
    }
}

fn position(db: &Connection, now: i64) -> Result<EventPosition> {
    let number = db
        .prepare_cached("SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)")?
        .query_row([], |row| row.get(0))?;
    Ok(EventPosition { at: now, transaction: 0, number })
}

fn list(db: &Connection, org_id: OrgId, after: EventPosition, limit: u32) -> Result<Vec<Event>> {
    let found = db
        .prepare_cached(
            "SELECT id, at, job_id, job_type, status, review FROM events
             WHERE org_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3",
        )?
        .query_map(params![org_id.to_string(), after.number, limit], event)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

fn event(row: &Row<'_>) -> rusqlite::Result<Event> {
    let subject = match json_or_none(row, 5)? {
        Some(ids) => EventSubject::Review(ids),
        None => {
            EventSubject::Job(parsed(row, 2)?, named(row, 3, JobType::from_name)?, named(row, 4, JobStatus::from_name)?)
        }
    };
    Ok(Event { position: EventPosition { at: row.get(1)?, transaction: 0, number: row.get(0)? }, subject })
}

/// Of the oldest events by number, so that few are read when there is nothing to remove.
fn expire(db: &Connection, before: i64, limit: u32) -> Result<usize> {
    let removed = db
        .prepare_cached("DELETE FROM events WHERE at < ?1 AND id IN (SELECT id FROM events ORDER BY id LIMIT ?2)")?
        .execute(params![before, limit])?;
    Ok(removed)
}

fn report(db: &Connection, held: &Lease, stage: &str, percent: u8, now: i64) -> Result<()> {
    db.prepare_cached(&format!(
        "INSERT INTO job_progress (job_id, org_id, job_type, stage, percent, at)
             SELECT id, org_id, job_type, :stage, :percent, :now FROM jobs WHERE {HELD}
         ON CONFLICT DO UPDATE SET stage = excluded.stage, percent = excluded.percent, at = excluded.at"
    ))?
    .execute(named_params! {
        ":id": held.job_id.to_string(), ":worker": held.worker, ":attempt": held.attempt,
        ":stage": stage, ":percent": percent, ":now": now,
    })?;
    Ok(())
}

fn progress(db: &Connection, org_id: OrgId, limit: u32) -> Result<Vec<JobProgress>> {
    let found = db
        .prepare_cached(
            "SELECT job_id, job_type, stage, percent, at FROM job_progress WHERE org_id = ?1 ORDER BY at DESC LIMIT ?2",
        )?
        .query_map(params![org_id.to_string(), limit], |row| {
            Ok(JobProgress {
                job_id: parsed(row, 0)?,
                job_type: named(row, 1, JobType::from_name)?,
                stage: row.get(2)?,
                percent: row.get(3)?,
                at: time(row, 4)?,
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found)
}
