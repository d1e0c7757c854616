//! `GET /operator/api/failures`: jobs that failed, with their reasons and inputs.

use std::collections::BTreeMap;
use std::sync::Arc;

use aerie_domain::{Job, JobStatus, JobType, OrgId, ValidationError};
use aerie_storage::JobFilter;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::SignedDuration;
use serde::Serialize;
use serde_json::Value;

use super::console::OperatorConsole;
use super::redaction;
use crate::envelope::{iso, success};
use crate::error::ApiError;
use crate::extract::Parameters;

/// How far back.
const SINCE: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Rows read at a time, and at most: jobs that their owners canceled are among them.
const ROWS: u32 = 100;
const MAX_ROWS: u64 = 1000;

#[derive(Debug, Serialize)]
struct FailuresView {
    since: String,
    /// Newest first, without jobs that their owners canceled.
    failures: Vec<FailureView>,
    /// The `offset` of the next page.
    next_offset: Option<u64>,
}

#[derive(Debug, Serialize)]
struct FailureView {
    job_id: String,
    organization_id: String,
    organization: String,
    job_type: &'static str,
    code: String,
    message: String,
    /// Without secrets, and links without what opens them.
    input: Value,
    /// Members of the input that are too large to be shown.
    omitted: Vec<String>,
    attempts: u32,
    request_id: String,
    created_at: String,
    failed_at: String,
}

/// Lists failed jobs that were submitted in the last seven days; with `organization` and `kind`, only those.
pub(super) async fn list_failures(
    State(console): State<Arc<OperatorConsole>>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let state = &console.state;
    let parameters = Parameters::parse(&query.unwrap_or_default());
    let (limit, offset) = parameters.page()?;
    let (org_id, job_type) = (organization(&parameters)?, kind(&parameters)?);
    let since = state.clock.now() - SINCE;
    let mut filter = JobFilter { org_id, status: Some(JobStatus::Failed), job_type, limit: ROWS, offset };
    let (mut failures, mut names) = (Vec::new(), BTreeMap::new());
    let mut next_offset = None;
    'pages: loop {
        let jobs = state.store.job_list(filter.clone()).await?.jobs;
        let is_last = jobs.len() < ROWS as usize;
        for (at, job) in (filter.offset..).zip(jobs) {
            if job.created_at < since {
                break 'pages;
            }
            if failures.len() == limit as usize || at - offset == MAX_ROWS {
                next_offset = Some(at);
                break 'pages;
            }
            let Some((code, message)) = reason(&job) else { continue };
            let name = match names.get(&job.org_id) {
                Some(name) => String::clone(name),
                None => {
                    let org = state.store.org_get(job.org_id).await?;
                    names.entry(job.org_id).or_insert(org.map_or_else(String::new, |org| org.name)).clone()
                }
            };
            failures.push(view(job, name, code, &message));
        }
        if is_last {
            break;
        }
        filter.offset += u64::from(ROWS);
    }
    Ok(success(StatusCode::OK, FailuresView { since: iso(since), failures, next_offset }))
}

/// Code and message of a failure; `None` if the owner canceled the job.
fn reason(job: &Job) -> Option<(String, String)> {
    let error = job.output.get("error");
    let text = |name: &str| error.and_then(|error| error.get(name)?.as_str()).unwrap_or_default().to_owned();
    let code = text("code");
    (code != "CANCELED").then(|| (code, text("message")))
}

fn view(job: Job, organization: String, code: String, message: &str) -> FailureView {
    let (input, omitted) = redaction::input(&job.input);
    FailureView {
        job_id: job.id.to_string(),
        organization_id: job.org_id.to_string(),
        organization,
        job_type: job.job_type.as_str(),
        code,
        message: redaction::text(message),
        input,
        omitted,
        attempts: job.attempt,
        request_id: job.request_id.to_string(),
        created_at: iso(job.created_at),
        failed_at: iso(job.updated_at),
    }
}

fn organization(parameters: &Parameters) -> Result<Option<OrgId>, ValidationError> {
    let Some(text) = parameters.text("organization")? else { return Ok(None) };
    text.parse()
        .map(Some)
        .map_err(|_| ValidationError::new("organization", "must be the id of an organization, a UUID"))
}

fn kind(parameters: &Parameters) -> Result<Option<JobType>, ValidationError> {
    let Some(text) = parameters.text("kind")? else { return Ok(None) };
    let known = || format!("must be one of {}", JobType::ALL.map(JobType::as_str).join(", "));
    JobType::from_name(text).map(Some).ok_or_else(|| ValidationError::new("kind", known()))
}
