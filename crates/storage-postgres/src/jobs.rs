//! Jobs: the queue and the archive are one table.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use aerie_domain::{EventId, Failure, Job, JobEvent, JobId, JobStatus, JobType, OrgId, is_preview};
use aerie_storage::backend::{markup_annotated, markup_selected, milliseconds};
use aerie_storage::{
    Annotation, Claim, JobFilter, JobOutput, JobPage, JobQueue, Lease, NewJob, StoreError, SubmitRefusal, Wakes,
};
use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use serde_json::{Map, Value};
use tokio::sync::watch;
use uuid::Uuid;

use crate::error::Result;
use crate::job_rows::{COLUMNS, HELD, has_active_child, job};
use crate::pool::{execute, row};
use crate::rows::{json, named, time};
use crate::turns::Claimant;
use crate::{
    PostgresStore, admission, failures, in_transaction, leftovers, pages, quota, snapshot, truth_pages, turns, wakes,
    with_client,
};

#[async_trait]
impl JobQueue for PostgresStore {
    async fn job_submit(&self, job: NewJob) -> Result<Result<Job, SubmitRefusal>, StoreError> {
        let submitted = in_transaction!(self, db => admission::submit(db, &job, self.time.given()));
        if let Ok(Ok(job)) = &submitted {
            self.announcer.announce(Some(job.job_type));
        }
        submitted
    }

    async fn job_get(&self, org_id: Option<OrgId>, id: JobId) -> Result<Option<Job>, StoreError> {
        with_client!(self, db => get(db, org_id, id))
    }

    async fn job_list(&self, filter: JobFilter) -> Result<JobPage, StoreError> {
        let mut client = self.client().await?;
        self.noting(async { pages::list(&snapshot(&mut client).await?, &filter).await }.await)
    }

    async fn job_claim(&self, kinds: &[JobType], worker: &str, lease: Duration) -> Result<Option<Claim>, StoreError> {
        let mut client = self.client().await?;
        let weights = Arc::clone(&self.weights.read().unwrap_or_else(PoisonError::into_inner));
        let claimant = Claimant { worker, kinds, lease: milliseconds(lease), weights: &weights };
        self.noting(turns::claim(&mut client, &claimant, &self.time).await)
    }

    fn plan_weights_set(&self, weights: BTreeMap<String, u32>) {
        *self.weights.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(weights.into());
    }

    async fn job_heartbeat(&self, held: &Lease, lease: Duration) -> Result<(), StoreError> {
        with_client!(self, db => heartbeat(db, held, self.time.given(), milliseconds(lease)))
    }

    async fn job_complete(&self, held: &Lease, output: JobOutput) -> Result<(), StoreError> {
        in_transaction!(self, db => async {
            publish(db, held, &output, self.time.now(db).await?, JobEvent::Complete).await
        })
    }

    async fn job_ask_input(&self, held: &Lease, output: JobOutput) -> Result<(), StoreError> {
        in_transaction!(self, db => async {
            publish(db, held, &output, self.time.now(db).await?, JobEvent::AskInput).await
        })
    }

    async fn job_fail(&self, held: &Lease, failure: Failure) -> Result<(), StoreError> {
        in_transaction!(self, db => async { fail(db, held, &failure, self.time.now(db).await?).await })
    }

    async fn job_is_held(&self, held: &Lease) -> Result<bool, StoreError> {
        with_client!(self, db => is_held(db, held))
    }

    async fn job_cancel(&self, org_id: OrgId, id: JobId) -> Result<Option<Job>, StoreError> {
        in_transaction!(self, db => async { cancel(db, org_id, id, self.time.now(db).await?).await })
    }

    async fn job_retry(&self, held: &Lease, wait: Duration) -> Result<(), StoreError> {
        with_client!(self, db => hand_back(db, held, self.time.given(), milliseconds(wait), true))
    }

    async fn job_release(&self, held: &Lease) -> Result<(), StoreError> {
        with_client!(self, db => hand_back(db, held, self.time.given(), 0, false))?;
        self.announcer.announce(None);
        Ok(())
    }

    fn job_wakes(&self, kinds: &[JobType]) -> Option<watch::Receiver<Wakes>> {
        Some(wakes::listen(&self.url, kinds))
    }

    async fn job_delete(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        in_transaction!(self, db => async { delete(db, id, self.time.now(db).await?).await })
    }

    async fn job_has_active_child(&self, parent: JobId) -> Result<bool, StoreError> {
        with_client!(self, db => has_active_child(db, parent))
    }

    async fn job_listing_notes(
        &self,
        org_id: OrgId,
        kind: JobType,
        listing: &str,
        limit: u32,
    ) -> Result<Vec<Map<String, Value>>, StoreError> {
        with_client!(self, db => pages::notes(db, org_id, kind, listing, limit))
    }

    async fn markup_select(&self, org_id: OrgId, id: JobId, orientation: &str) -> Result<Option<Job>, StoreError> {
        in_transaction!(self, db => async {
            markup_select(db, org_id, id, orientation, self.time.now(db).await?).await
        })
    }

    async fn markup_annotate(
        &self,
        org_id: OrgId,
        id: JobId,
        annotation: Annotation,
    ) -> Result<Option<Job>, StoreError> {
        in_transaction!(self, db => async {
            markup_annotate(db, org_id, id, &annotation, self.time.now(db).await?).await
        })
    }
}

async fn get(db: &impl GenericClient, org_id: Option<OrgId>, id: JobId) -> Result<Option<Job>> {
    let found = row(db, &format!("SELECT {COLUMNS} FROM jobs WHERE id = $1"), &[&id.0]).await?;
    let found = found.map(|row| job(&row)).transpose()?;
    Ok(found.filter(|job| org_id.is_none_or(|org_id| job.org_id == org_id)))
}

/// Renews the lease for `lease` milliseconds. One statement, so that the organization's other jobs wait for nothing.
async fn heartbeat(db: &impl GenericClient, held: &Lease, given: Option<i64>, lease: i64) -> Result<()> {
    let statement = format!("UPDATE jobs SET lease_expires_at = now_ms($4) + $5 WHERE {HELD}");
    let values = (held.job_id.0, i64::from(held.attempt));
    let changed = execute(db, &statement, &[&values.0, &held.worker, &values.1, &given, &lease]).await?;
    if changed == 0 { Err(StoreError::LeaseLost.into()) } else { Ok(()) }
}

async fn is_held(db: &impl GenericClient, held: &Lease) -> Result<bool> {
    let attempt = i64::from(held.attempt);
    let found = row(db, &format!("SELECT 1 FROM jobs WHERE {HELD}"), &[&held.job_id.0, &held.worker, &attempt]).await?;
    Ok(found.is_some())
}

/// Fails a job that is queued or running, at its owner's wish. Only one that has run counts among the failed jobs of the day: it
/// took time.
async fn cancel(db: &Transaction<'_>, org_id: OrgId, id: JobId, now: Timestamp) -> Result<Option<Job>> {
    let statement = format!("SELECT {COLUMNS} FROM jobs WHERE id = $1 AND org_id = $2 FOR UPDATE");
    let found = row(db, &statement, &[&id.0, &org_id.0]).await?;
    let Some(found) = found.map(|row| job(&row)).transpose()? else { return Ok(None) };
    let Some(status) = found.status.after(JobEvent::Cancel) else { return Ok(Some(found)) };
    let statement = "UPDATE jobs SET status = $2, output = $3, worker = NULL, lease_expires_at = NULL, updated_at = $4 WHERE id = $1";
    let output = Value::Object(Failure::canceled().output()).to_string();
    execute(db, statement, &[&id.0, &status.as_str(), &output, &now.as_millisecond()]).await?;
    leftovers::ended(db, org_id, id, now.as_millisecond()).await?;
    match found.status {
        JobStatus::Queued => quota::release(db, org_id, found.created_at).await?,
        _ => failures::record(db, org_id, found.created_at, now).await?,
    }
    get(db, Some(org_id), id).await
}

/// Lets others claim the job in `wait` milliseconds; `counts`: whether the run counts against the limit.
async fn hand_back(db: &impl GenericClient, held: &Lease, given: Option<i64>, wait: i64, counts: bool) -> Result<()> {
    let statement =
        format!("UPDATE jobs SET worker = NULL, lease_expires_at = now_ms($4) + $5, runs = runs - $6 WHERE {HELD}");
    let (id, attempt, uncounted) = (held.job_id.0, i64::from(held.attempt), i64::from(!counts));
    let changed = execute(db, &statement, &[&id, &held.worker, &attempt, &given, &wait, &uncounted]).await?;
    if changed == 0 { Err(StoreError::LeaseLost.into()) } else { Ok(()) }
}

/// Ends the run with its output and inserts the usage event; this happens once per job. A preview has none, and no longer counts
/// against the quota.
async fn publish(
    db: &Transaction<'_>,
    held: &Lease,
    output: &JobOutput,
    now: Timestamp,
    event: JobEvent,
) -> Result<()> {
    let status = JobStatus::Running.after(event).unwrap_or(JobStatus::Completed);
    let now_ms = now.as_millisecond();
    let completed_at = (status == JobStatus::Completed).then_some(now_ms);
    let statement = format!(
        "UPDATE jobs SET status = $4, output = $5, media = $6, notes = $7, worker = NULL, lease_expires_at = NULL,
             updated_at = $8, completed_at = $9
         WHERE {HELD} RETURNING org_id, job_type, unit_price_cents, input, created_at"
    );
    let billed = row(
        db,
        &statement,
        &[
            &held.job_id.0,
            &held.worker,
            &i64::from(held.attempt),
            &status.as_str(),
            &serde_json::to_string(&output.fields)?,
            &serde_json::to_string(&output.media)?,
            &serde_json::to_string(&output.notes)?,
            &now_ms,
            &completed_at,
        ],
    )
    .await?;
    let Some(billed) = billed else { return Err(StoreError::LeaseLost.into()) };
    let (org_id, cents): (Uuid, i64) = (billed.try_get(0)?, billed.try_get(2)?);
    if is_preview(&json(&billed, 3)?) {
        quota::release(db, OrgId(org_id), time(&billed, 4)?).await?;
    } else {
        let event_type = named(&billed, 1, JobType::from_name)?.event_type();
        let insert = "INSERT INTO usage_events (id, org_id, job_id, event_type, unit_price_cents, created_at)
                      VALUES ($1, $2, $3, $4, $5, $6)";
        execute(db, insert, &[&EventId::new(now).0, &org_id, &held.job_id.0, &event_type, &cents, &now_ms]).await?;
    }
    if held.attempt > 1 {
        leftovers::ended(db, OrgId(org_id), held.job_id, now_ms).await?;
    }
    Ok(())
}

async fn fail(db: &Transaction<'_>, held: &Lease, failure: &Failure, now: Timestamp) -> Result<()> {
    let statement = format!(
        "UPDATE jobs SET status = 'failed', output = $4, worker = NULL, lease_expires_at = NULL, updated_at = $5
         WHERE {HELD} RETURNING org_id, created_at"
    );
    let output = Value::Object(failure.output()).to_string();
    let (attempt, now_ms) = (i64::from(held.attempt), now.as_millisecond());
    let failed = row(db, &statement, &[&held.job_id.0, &held.worker, &attempt, &output, &now_ms]).await?;
    let Some(failed) = failed else { return Err(StoreError::LeaseLost.into()) };
    leftovers::ended(db, OrgId(failed.try_get(0)?), held.job_id, now_ms).await?;
    failures::record(db, OrgId(failed.try_get(0)?), time(&failed, 1)?, now).await
}

async fn delete(db: &Transaction<'_>, id: JobId, now: Timestamp) -> Result<Option<Job>> {
    let deleted = row(db, &format!("DELETE FROM jobs WHERE id = $1 RETURNING {COLUMNS}"), &[&id.0]).await?;
    let deleted = deleted.map(|row| job(&row)).transpose()?;
    if let Some(job) = deleted.as_ref().filter(|job| matches!(job.status, JobStatus::Queued | JobStatus::Running)) {
        quota::release(db, job.org_id, job.created_at).await?;
    }
    if let Some(job) = &deleted {
        execute(db, "DELETE FROM listing_jobs WHERE job_id = $1", &[&id.0]).await?;
        leftovers::ended(db, job.org_id, id, now.as_millisecond()).await?;
        truth_pages::erase_of_job(db, id, now.as_millisecond()).await?;
    }
    Ok(deleted)
}

/// The markup, locked until the transaction ends.
async fn markup(db: &Transaction<'_>, org_id: OrgId, id: JobId) -> Result<Option<Job>> {
    let statement =
        format!("SELECT {COLUMNS} FROM jobs WHERE id = $1 AND org_id = $2 AND job_type = 'markup' FOR UPDATE");
    row(db, &statement, &[&id.0, &org_id.0]).await?.map(|row| job(&row)).transpose()
}

async fn markup_select(
    db: &Transaction<'_>,
    org_id: OrgId,
    id: JobId,
    orientation: &str,
    now: Timestamp,
) -> Result<Option<Job>> {
    let Some(job) = markup(db, org_id, id).await? else { return Ok(None) };
    let job = markup_selected(job, orientation, now)?;
    write_step(db, &job).await?;
    Ok(Some(job))
}

async fn markup_annotate(
    db: &Transaction<'_>,
    org_id: OrgId,
    id: JobId,
    with: &Annotation,
    now: Timestamp,
) -> Result<Option<Job>> {
    let Some(job) = markup(db, org_id, id).await? else { return Ok(None) };
    let (job, is_first) = markup_annotated(job, with, now)?;
    if is_first {
        write_step(db, &job).await?;
    }
    Ok(Some(job))
}

/// Writes what a step may change.
async fn write_step(db: &Transaction<'_>, job: &Job) -> Result<()> {
    let statement = "UPDATE jobs SET status = $2, output = $3, media = $4, annotation = $5, updated_at = $6,
                         completed_at = $7
                     WHERE id = $1";
    execute(
        db,
        statement,
        &[
            &job.id.0,
            &job.status.as_str(),
            &serde_json::to_string(&job.output)?,
            &serde_json::to_string(&job.media)?,
            &job.annotation.as_ref().map(Value::to_string),
            &job.updated_at.as_millisecond(),
            &job.completed_at.map(Timestamp::as_millisecond),
        ],
    )
    .await?;
    Ok(())
}
