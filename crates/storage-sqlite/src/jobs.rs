//! Jobs: the queue and the archive are one table.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use aerie_domain::{EventId, Failure, Job, JobEvent, JobId, JobStatus, JobType, MAX_RUNS, OrgId, is_preview};
use aerie_storage::backend::{lost_failure, markup_annotated, markup_selected, milliseconds};
use aerie_storage::{
    Annotation, Claim, JobFilter, JobOutput, JobPage, JobQueue, Lease, NewJob, StoreError, SubmitRefusal,
};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, named_params, params};
use serde_json::{Map, Value};

use crate::error::Result;
use crate::job_rows::{COLUMNS, HELD, columns, has_active_child, job, to_json};
use crate::rows::{json, named};
use crate::turns::LOST;
use crate::{SqliteStore, admission, failures, leftovers, pages, quota, truth_pages, turns};

#[async_trait]
impl JobQueue for SqliteStore {
    async fn job_submit(&self, job: NewJob) -> Result<Result<Job, SubmitRefusal>, StoreError> {
        let now = self.clock.now();
        self.writer.write(move |db| admission::submit(db, &job, now)).await
    }

    async fn job_get(&self, org_id: Option<OrgId>, id: JobId) -> Result<Option<Job>, StoreError> {
        self.readers.look_up(move |db| get(db, org_id, id)).await
    }

    async fn job_list(&self, filter: JobFilter) -> Result<JobPage, StoreError> {
        self.readers.read(move |db| pages::list(db, &filter)).await
    }

    async fn job_claim(&self, kinds: &[JobType], worker: &str, lease: Duration) -> Result<Option<Claim>, StoreError> {
        let now = self.now();
        // Idle workers ask once a second and must not take the write lock each time.
        let (kinds, worker) = (kinds.to_vec(), worker.to_owned());
        let wanted = kinds.clone();
        if !self.readers.read(move |db| turns::anything_to_claim(db, &wanted, now)).await? {
            return Ok(None);
        }
        let weights = Arc::clone(&self.weights.read().unwrap_or_else(PoisonError::into_inner));
        self.writer.write(move |db| claim(db, &kinds, &weights, &worker, now, milliseconds(lease))).await
    }

    fn plan_weights_set(&self, weights: BTreeMap<String, u32>) {
        *self.weights.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(weights);
    }

    async fn job_heartbeat(&self, held: &Lease, lease: Duration) -> Result<(), StoreError> {
        let (held, now) = (held.clone(), self.now());
        self.writer.write(move |db| heartbeat(db, &held, now + milliseconds(lease))).await
    }

    async fn job_complete(&self, held: &Lease, output: JobOutput) -> Result<(), StoreError> {
        let (held, now) = (held.clone(), self.clock.now());
        self.writer.write(move |db| complete(db, &held, &output, now)).await
    }

    async fn job_ask_input(&self, held: &Lease, output: JobOutput) -> Result<(), StoreError> {
        let (held, now) = (held.clone(), self.clock.now());
        self.writer.write(move |db| ask_input(db, &held, &output, now)).await
    }

    async fn job_fail(&self, held: &Lease, failure: Failure) -> Result<(), StoreError> {
        let (held, now) = (held.clone(), self.now());
        self.writer.write(move |db| fail(db, &held, &failure, now)).await
    }

    async fn job_is_held(&self, held: &Lease) -> Result<bool, StoreError> {
        let held = held.clone();
        self.readers.read(move |db| is_held(db, &held)).await
    }

    async fn job_cancel(&self, org_id: OrgId, id: JobId) -> Result<Option<Job>, StoreError> {
        let now = self.now();
        self.writer.write(move |db| cancel(db, org_id, id, now)).await
    }

    async fn job_retry(&self, held: &Lease, wait: Duration) -> Result<(), StoreError> {
        let (held, now) = (held.clone(), self.now());
        self.writer.write(move |db| hand_back(db, &held, now + milliseconds(wait), true)).await
    }

    async fn job_release(&self, held: &Lease) -> Result<(), StoreError> {
        let (held, now) = (held.clone(), self.now());
        self.writer.write(move |db| hand_back(db, &held, now, false)).await
    }

    async fn job_delete(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        let now = self.now();
        self.writer.write(move |db| delete(db, id, now)).await
    }

    async fn job_has_active_child(&self, parent: JobId) -> Result<bool, StoreError> {
        self.readers.look_up(move |db| has_active_child(db, parent)).await
    }

    async fn job_listing_notes(
        &self,
        org_id: OrgId,
        kind: JobType,
        listing: &str,
        limit: u32,
    ) -> Result<Vec<Map<String, Value>>, StoreError> {
        let listing = listing.to_owned();
        self.readers.read(move |db| pages::notes(db, org_id, kind, &listing, limit)).await
    }

    async fn markup_select(&self, org_id: OrgId, id: JobId, orientation: &str) -> Result<Option<Job>, StoreError> {
        let (orientation, now) = (orientation.to_owned(), self.clock.now());
        self.writer.write(move |db| markup_select(db, org_id, id, &orientation, now)).await
    }

    async fn markup_annotate(
        &self,
        org_id: OrgId,
        id: JobId,
        annotation: Annotation,
    ) -> Result<Option<Job>, StoreError> {
        let now = self.clock.now();
        self.writer.write(move |db| markup_annotate(db, org_id, id, &annotation, now)).await
    }
}

fn get(db: &Connection, org_id: Option<OrgId>, id: JobId) -> Result<Option<Job>> {
    let found = db
        .prepare_cached(concat!("SELECT ", columns!(), " FROM jobs WHERE id = ?1"))?
        .query_row([id.to_string()], job)
        .optional()?;
    Ok(found.filter(|job| org_id.is_none_or(|org_id| job.org_id == org_id)))
}

fn claim(
    db: &Connection,
    kinds: &[JobType],
    weights: &BTreeMap<String, u32>,
    worker: &str,
    now: i64,
    lease: i64,
) -> Result<Option<Claim>> {
    give_up_lost(db, now)?;
    let Some(id) = turns::next(db, kinds, now)? else { return Ok(None) };
    let (mut job, runs) = db
        .prepare_cached(concat!("SELECT ", columns!(), ", runs FROM jobs WHERE id = ?1"))?
        .query_row([id], |row| Ok((job(row)?, row.get::<_, u32>("runs")?)))?;
    let (attempt, run) = (job.attempt + 1, runs + 1);
    // Between two runs, clients see the job as `running` and unchanged.
    let updated_at = if job.status == JobStatus::Queued { now } else { job.updated_at.as_millisecond() };
    job.status = job.status.after(JobEvent::Claim).unwrap_or(JobStatus::Running);
    job.attempt = attempt;
    job.updated_at = Timestamp::from_millisecond(updated_at).unwrap_or(job.updated_at);
    db.prepare_cached(
        "UPDATE jobs SET status = ?2, attempt = ?3, runs = ?4, worker = ?5, lease_expires_at = ?6, updated_at = ?7
         WHERE id = ?1",
    )?
    .execute(params![job.id.to_string(), job.status.as_str(), attempt, run, worker, now + lease, updated_at])?;
    turns::took(db, &job.org_id.to_string(), (job.job_type, kinds), weights)?;
    let lease = Lease { job_id: job.id, worker: worker.to_owned(), attempt };
    Ok(Some(Claim { job, lease, run }))
}

/// Fails jobs whose lease expired in their last run.
fn give_up_lost(db: &Connection, now: i64) -> Result<()> {
    let failure = lost_failure();
    let lost = db
        .prepare_cached(&format!(
            "UPDATE jobs SET status = 'failed', output = :output, worker = NULL, lease_expires_at = NULL, updated_at = :now
             WHERE {LOST} AND runs >= :most RETURNING id, org_id, created_at"
        ))?
        .query_map(
            named_params! {
                ":output": serde_json::Value::Object(failure.output()).to_string(), ":now": now, ":most": MAX_RUNS,
            },
            |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?)),
        )?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    for (job, org_id, created_at) in lost {
        failures::record(db, &org_id, created_at, now)?;
        leftovers::ended(db, &org_id, &job, now)?;
        tracing::warn!(job, "failed: every run was lost");
    }
    Ok(())
}

fn heartbeat(db: &Connection, held: &Lease, until: i64) -> Result<()> {
    let changed = db.prepare_cached(&format!("UPDATE jobs SET lease_expires_at = :until WHERE {HELD}"))?.execute(
        named_params! {":id": held.job_id.to_string(), ":worker": held.worker, ":attempt": held.attempt, ":until": until},
    )?;
    if changed == 0 { Err(StoreError::LeaseLost.into()) } else { Ok(()) }
}

fn complete(db: &Connection, held: &Lease, output: &JobOutput, now: Timestamp) -> Result<()> {
    publish(db, held, output, now, JobEvent::Complete)
}

fn ask_input(db: &Connection, held: &Lease, output: &JobOutput, now: Timestamp) -> Result<()> {
    publish(db, held, output, now, JobEvent::AskInput)
}

/// Ends the run with its output and inserts the usage event; this happens once per job. A preview has none, and no longer counts
/// against the quota.
fn publish(db: &Connection, held: &Lease, output: &JobOutput, now: Timestamp, event: JobEvent) -> Result<()> {
    let status = JobStatus::Running.after(event).unwrap_or(JobStatus::Completed);
    let completed_at = (status == JobStatus::Completed).then_some(now.as_millisecond());
    let billed = db
        .prepare_cached(&format!(
            "UPDATE jobs SET status = :status, output = :output, media = :media, notes = :notes, worker = NULL,
                 lease_expires_at = NULL, updated_at = :now, completed_at = :completed_at
             WHERE {HELD} RETURNING org_id, job_type, unit_price_cents, input, created_at"
        ))?
        .query_row(
            named_params! {
                ":id": held.job_id.to_string(), ":worker": held.worker, ":attempt": held.attempt,
                ":status": status.as_str(), ":output": to_json(&output.fields)?, ":media": to_json(&output.media)?,
                ":notes": to_json(&output.notes)?,
                ":now": now.as_millisecond(), ":completed_at": completed_at,
            },
            |row| {
                let job_type = named(row, 1, JobType::from_name)?;
                let preview = is_preview(&json(row, 3)?).then(|| row.get::<_, i64>(4)).transpose()?;
                Ok((row.get::<_, String>(0)?, job_type, row.get::<_, i64>(2)?, preview))
            },
        )
        .optional()?;
    let Some((org_id, job_type, cents, preview)) = billed else { return Err(StoreError::LeaseLost.into()) };
    if let Some(created_at) = preview {
        quota::release(db, &org_id, created_at)?;
    } else {
        db.prepare_cached(
            "INSERT INTO usage_events (id, org_id, job_id, event_type, unit_price_cents, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            EventId::new(now).to_string(),
            org_id,
            held.job_id.to_string(),
            job_type.event_type(),
            cents,
            now.as_millisecond(),
        ])?;
    }
    if held.attempt > 1 {
        leftovers::ended(db, &org_id, &held.job_id.to_string(), now.as_millisecond())?;
    }
    Ok(())
}

fn fail(db: &Connection, held: &Lease, failure: &Failure, now: i64) -> Result<()> {
    let failed = db
        .prepare_cached(&format!(
            "UPDATE jobs SET status = 'failed', output = :output, worker = NULL, lease_expires_at = NULL,
                 updated_at = :now WHERE {HELD} RETURNING org_id, created_at"
        ))?
        .query_row(
            named_params! {
                ":id": held.job_id.to_string(), ":worker": held.worker, ":attempt": held.attempt,
                ":output": serde_json::Value::Object(failure.output()).to_string(), ":now": now,
            },
            |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)),
        )
        .optional()?;
    let Some((org_id, created_at)) = failed else { return Err(StoreError::LeaseLost.into()) };
    leftovers::ended(db, &org_id, &held.job_id.to_string(), now)?;
    failures::record(db, &org_id, created_at, now)
}

fn is_held(db: &Connection, held: &Lease) -> Result<bool> {
    let found = db
        .prepare_cached(&format!("SELECT 1 FROM jobs WHERE {HELD}"))?
        .query_row(
            named_params! {":id": held.job_id.to_string(), ":worker": held.worker, ":attempt": held.attempt},
            |_| Ok(()),
        )
        .optional()?;
    Ok(found.is_some())
}

/// Fails a job that is queued or running, at its owner's wish. Only one that has run counts among the failed jobs of the day: it
/// took time.
fn cancel(db: &Connection, org_id: OrgId, id: JobId, now: i64) -> Result<Option<Job>> {
    let Some(found) = get(db, Some(org_id), id)? else { return Ok(None) };
    let Some(status) = found.status.after(JobEvent::Cancel) else { return Ok(Some(found)) };
    db.prepare_cached(
        "UPDATE jobs SET status = ?2, output = ?3, worker = NULL, lease_expires_at = NULL, updated_at = ?4 WHERE id = ?1",
    )?
    .execute(params![
        id.to_string(),
        status.as_str(),
        serde_json::Value::Object(Failure::canceled().output()).to_string(),
        now
    ])?;
    let (org, created_at) = (org_id.to_string(), found.created_at.as_millisecond());
    leftovers::ended(db, &org, &id.to_string(), now)?;
    match found.status {
        JobStatus::Queued => quota::release(db, &org, created_at)?,
        _ => failures::record(db, &org, created_at, now)?,
    }
    get(db, Some(org_id), id)
}

/// Lets others claim the job from `from` on; `counts`: whether the run counts against the limit.
fn hand_back(db: &Connection, held: &Lease, from: i64, counts: bool) -> Result<()> {
    let changed = db
        .prepare_cached(&format!(
            "UPDATE jobs SET worker = NULL, lease_expires_at = :from, runs = runs - :uncounted WHERE {HELD}"
        ))?
        .execute(named_params! {
            ":id": held.job_id.to_string(), ":worker": held.worker, ":attempt": held.attempt,
            ":from": from, ":uncounted": i64::from(!counts),
        })?;
    if changed == 0 { Err(StoreError::LeaseLost.into()) } else { Ok(()) }
}

fn delete(db: &Connection, id: JobId, now: i64) -> Result<Option<Job>> {
    let deleted = db
        .prepare_cached(&format!("DELETE FROM jobs WHERE id = ?1 RETURNING {COLUMNS}"))?
        .query_row([id.to_string()], job)
        .optional()?;
    if let Some(job) = deleted.as_ref().filter(|job| matches!(job.status, JobStatus::Queued | JobStatus::Running)) {
        quota::release(db, &job.org_id.to_string(), job.created_at.as_millisecond())?;
    }
    if let Some(job) = &deleted {
        db.prepare_cached("DELETE FROM listing_jobs WHERE job_id = ?1")?.execute([id.to_string()])?;
        leftovers::ended(db, &job.org_id.to_string(), &id.to_string(), now)?;
        truth_pages::erase_of_job(db, id, now)?;
    }
    Ok(deleted)
}

fn markup(db: &Connection, org_id: OrgId, id: JobId) -> Result<Option<Job>> {
    Ok(get(db, Some(org_id), id)?.filter(|job| job.job_type == JobType::Markup))
}

fn markup_select(db: &Connection, org_id: OrgId, id: JobId, orientation: &str, now: Timestamp) -> Result<Option<Job>> {
    let Some(job) = markup(db, org_id, id)? else { return Ok(None) };
    let job = markup_selected(job, orientation, now)?;
    write_step(db, &job)?;
    Ok(Some(job))
}

fn markup_annotate(
    db: &Connection,
    org_id: OrgId,
    id: JobId,
    with: &Annotation,
    now: Timestamp,
) -> Result<Option<Job>> {
    let Some(job) = markup(db, org_id, id)? else { return Ok(None) };
    let (job, is_first) = markup_annotated(job, with, now)?;
    if is_first {
        write_step(db, &job)?;
    }
    Ok(Some(job))
}

/// Writes what a step may change. The job was read in the same transaction, so that nothing needs to be compared.
fn write_step(db: &Connection, job: &Job) -> Result<()> {
    db.prepare_cached(
        "UPDATE jobs SET status = ?2, output = ?3, media = ?4, annotation = ?5, updated_at = ?6, completed_at = ?7
         WHERE id = ?1",
    )?
    .execute(params![
        job.id.to_string(),
        job.status.as_str(),
        to_json(&job.output)?,
        to_json(&job.media)?,
        job.annotation.as_ref().map(Value::to_string),
        job.updated_at.as_millisecond(),
        job.completed_at.map(Timestamp::as_millisecond),
    ])?;
    Ok(())
}
