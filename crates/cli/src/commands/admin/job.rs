//! `aerie admin job`

use std::collections::BTreeMap;

use aerie_domain::{Job, JobId, JobLimits, JobStatus, RequestId};
use aerie_storage::{JobFilter, NewJob, SubmitRefusal, retention};
use anyhow::{Context, bail};
use serde_json::json;

use super::lookup::{id, organization};
use crate::arguments::{AdminJob, Global};
use crate::config::Config;
use crate::data::Data;
use crate::print;
use crate::table::table;

pub(super) async fn run(config: &Config, data: &Data, global: &Global, options: &AdminJob) -> anyhow::Result<()> {
    match options {
        AdminJob::List { org, status, limit } => list(data, global, org.as_deref(), status.as_deref(), *limit).await,
        AdminJob::Show { id } => show(data, id).await,
        AdminJob::Retry { id } => retry(config, data, global, id).await,
        AdminJob::Delete { id } => delete(data, global, id).await,
    }
}

async fn list(data: &Data, global: &Global, org: Option<&str>, status: Option<&str>, limit: u32) -> anyhow::Result<()> {
    let org_id = match org {
        Some(org) => Some(organization(&*data.store, org).await?.id),
        None => None,
    };
    let status = status.and_then(JobStatus::from_name);
    let page = data.store.job_list(JobFilter { org_id, status, job_type: None, limit, offset: 0 }).await?;
    if global.json {
        let rows = page.jobs.iter().map(|job| {
            json!({
                "job_id": job.id, "org_id": job.org_id, "job_type": job.job_type, "status": job.status,
                "attempt": job.attempt, "input": job.input, "created_at": print::time(job.created_at),
            })
        });
        return print::json(&rows.collect::<Vec<_>>());
    }
    let row = |job: &Job| {
        let (kind, status) = (job.job_type.to_string(), job.status.to_string());
        vec![
            job.id.to_string(),
            kind,
            status,
            job.attempt.to_string(),
            print::time(job.created_at),
            job.org_id.to_string(),
        ]
    };
    let rows: Vec<_> = page.jobs.iter().map(row).collect();
    print::line(&table(&["JOB", "TYPE", "STATUS", "ATTEMPTS", "CREATED", "ORG"], &rows));
    print::line(&format!("{} of {}", page.jobs.len(), page.total));
    Ok(())
}

/// Prints everything recorded about a job as JSON, with media as storage keys rather than signed links.
async fn show(data: &Data, text: &str) -> anyhow::Result<()> {
    let job_id: JobId = id("a job", text)?;
    let job = data
        .store
        .job_get(None, job_id)
        .await?
        .with_context(|| format!("no job has the id {job_id}; run `aerie admin job list` to list them"))?;
    let shown = json!({
        "job_id": job.id, "org_id": job.org_id, "job_type": job.job_type, "status": job.status,
        "request_id": job.request_id, "attempt": job.attempt, "pack": job.pack, "parent_id": job.parent_id,
        "unit_price_cents": job.unit_price_cents, "input": job.input, "output": job.output, "notes": job.notes,
        "annotation": job.annotation, "input_media": job.input_media, "media": job.media,
        "created_at": print::time(job.created_at), "updated_at": print::time(job.updated_at),
        "completed_at": job.completed_at.map(print::time), "expired_at": job.expired_at.map(print::time),
    });
    print::indented_json(&shown)
}

async fn retry(config: &Config, data: &Data, global: &Global, text: &str) -> anyhow::Result<()> {
    let job_id: JobId = id("a job", text)?;
    let job = data
        .store
        .job_get(None, job_id)
        .await?
        .with_context(|| format!("no job has the id {job_id}; run `aerie admin job list` to list them"))?;
    anyhow::ensure!(job.status.is_terminal(), "job {job_id} is {}: only an ended job can be retried", job.status);
    anyhow::ensure!(
        job.expired_at.is_none() || job.input_media.is_empty(),
        "the input pictures of job {job_id} have expired"
    );
    let input =
        job.request().with_context(|| format!("job {job_id} cannot be retried; its client can submit it anew"))?;
    let new_id = JobId::new(data.clock.now());
    if !job.input_media.is_empty() && data.media.is_remote() {
        // Copies that get no row are found by this note.
        data.store.leftovers_expect(job.org_id, new_id, retention::GRACE).await?;
    }
    let mut input_media = BTreeMap::new();
    for (pointer, key) in job.input_media {
        // Copies, so that the old job can be deleted.
        let name = key.rsplit_once('/').map_or(key.as_str(), |(_, name)| name);
        let copy = format!("{}/{new_id}/input/{name}", job.org_id);
        data.media.media_copy(&key, &copy).await?;
        input_media.insert(pointer, copy);
    }
    let org = organization(&*data.store, &job.org_id.to_string()).await?;
    let new = NewJob {
        id: new_id,
        org_id: job.org_id,
        input,
        input_media,
        parent_id: job.parent_id,
        unit_price_cents: org.price_cents(job.job_type, &config.prices),
        request_id: RequestId::new(data.clock.now()),
        idempotency_key: None,
        // The operator decides.
        limits: JobLimits::default(),
    };
    let submitted = match data.store.job_submit(new).await? {
        Ok(submitted) => submitted,
        Err(SubmitRefusal::QuotaExhausted { quota }) => bail!(
            "the organization has used its quota of {quota} jobs this month; raise it with `aerie admin org set --monthly-quota`"
        ),
        Err(SubmitRefusal::QueueFull { limit } | SubmitRefusal::TooManyFailed { limit }) => {
            bail!("the organization has {limit} queued or failed jobs, the most that its plan allows")
        }
        Err(SubmitRefusal::Duplicate(active)) => bail!("an equal job, {active}, is already queued or running"),
        Err(SubmitRefusal::Replay(_)) => bail!("this job was already submitted again"),
    };
    if global.json {
        return print::json(&json!({"job_id": submitted.id}));
    }
    print::line(&format!("Submitted {} with the input of {job_id}", submitted.id));
    Ok(())
}

async fn delete(data: &Data, global: &Global, text: &str) -> anyhow::Result<()> {
    let job_id: JobId = id("a job", text)?;
    let job = data
        .store
        .job_delete(job_id)
        .await?
        .with_context(|| format!("no job has the id {job_id}; run `aerie admin job list` to list them"))?;
    let files = data.media.media_delete(&format!("{}/{}", job.org_id, job.id), &[]).await?;
    if global.json {
        return print::json(&json!({"job_id": job_id, "deleted": true, "files": files}));
    }
    print::line(&format!("Deleted job {job_id} and {files} files"));
    Ok(())
}
