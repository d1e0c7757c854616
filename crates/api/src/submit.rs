//! Submitting a job: from a valid request to the 202 response.

use aerie_domain::{JobId, JobInput};
use aerie_storage::{Counted, NewJob, SubmitRefusal, retention};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;

use crate::auth::Caller;
use crate::envelope::success;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::idempotency::{Turn, replay};
use crate::job_view::JobCreated;
use crate::pictures::{forget_pictures, keep_layers, keep_pictures};
use crate::{ApiState, context, disclosures, rate_limit};

/// `Retry-After` of a full queue, seconds.
pub(crate) const QUEUE_FULL_RETRY: u32 = 60;

/// A job to submit.
pub(crate) struct Submission {
    pub(crate) input: JobInput,
    /// The job that it continues.
    pub(crate) parent_id: Option<JobId>,
}

/// Fetches the pictures, stores the job and answers with its id. This is the last of the checks: everything else about the
/// request is valid.
pub(crate) async fn submit(
    state: &ApiState,
    caller: &Caller,
    mut submission: Submission,
    turn: &Turn,
) -> Result<Response, ApiError> {
    state.capacity.check_submit()?;
    let kind = submission.input.job_type();
    disclosures::apply(state, caller, &mut submission.input)?;
    let plan = state.plans.limits(&caller.credentials.org.plan);
    let is_preview = submission.input.request().is_preview();
    if is_preview {
        let verdict = state.limiter.request_admit(Counted::Previews(caller.org_id), plan.previews).await?;
        if let Some(seconds) = verdict.retry_after {
            return Err(rate_limit::refusal_of_preview(seconds, &verdict));
        }
    }
    let links = submission.input.request().pictures();
    let (request_id, _) = context::current();
    let id = JobId::new(state.clock.now());
    let pictures = format!("{}/{id}/input", caller.org_id);
    if !links.is_empty() && state.media.is_remote() {
        // Before the files: if this process is killed before the job has its row, they are found by this note.
        state.store.leftovers_expect(caller.org_id, id, retention::GRACE).await?;
    }
    let mut input_media = keep_pictures(state, caller, &pictures, &links).await?;
    let staged = if kind.kind().accepts_layers { &links[..] } else { &[] };
    for link in staged {
        match keep_layers(state, caller, &pictures, link).await {
            Ok(layers) => input_media.extend(layers),
            Err(error) => {
                forget_pictures(state, &pictures).await;
                return Err(error);
            }
        }
    }
    let new = NewJob {
        id,
        org_id: caller.org_id,
        input: submission.input,
        input_media,
        parent_id: submission.parent_id,
        unit_price_cents: if is_preview { 0 } else { caller.credentials.org.price_cents(kind, &state.prices) },
        request_id,
        idempotency_key: turn.key().cloned(),
        limits: plan.jobs,
    };
    let submitted = state.store.job_submit(new).await;
    // If there may be a row, the sweep looks at the files.
    let has_no_row = match &submitted {
        Ok(submitted) => submitted.is_err(),
        Err(error) => !error.may_have_taken_effect(),
    };
    if has_no_row && !links.is_empty() {
        forget_pictures(state, &pictures).await;
    }
    let job = match submitted? {
        Ok(job) => job,
        Err(refusal) => return refused(refusal, state.clock.now()),
    };
    (state.submitted)();
    tracing::info!(job = %job.id, %kind, "submitted");
    Ok(success(StatusCode::ACCEPTED, JobCreated::queued(job.id)))
}

/// The response to a job that the store refuses.
pub(crate) fn refused(refusal: SubmitRefusal, now: Timestamp) -> Result<Response, ApiError> {
    let (code, message) = match refusal {
        SubmitRefusal::Replay(recorded) => return replay(recorded),
        SubmitRefusal::QuotaExhausted { quota } => (
            ApiErrorCode::InsufficientQuota,
            format!("The organization's quota of {quota} jobs a month (UTC) is used up"),
        ),
        SubmitRefusal::QueueFull { limit } => {
            let message = format!(
                "The organization has {limit} queued jobs, the most that its plan allows; try again when some have run"
            );
            return Err(ApiError::with_message(ApiErrorCode::RateLimited, message).retry_after(QUEUE_FULL_RETRY));
        }
        SubmitRefusal::TooManyFailed { limit } => {
            let message = format!(
                "{limit} of the organization's jobs have failed today (UTC), the most that its plan allows; see why with \
                 GET /v1/jobs?status=failed"
            );
            return Err(ApiError::with_message(ApiErrorCode::RateLimited, message).retry_after(until_midnight(now)));
        }
        SubmitRefusal::Duplicate(job) => {
            (ApiErrorCode::JobInProgress, format!("An equal job, {job}, is queued or running already"))
        }
    };
    Err(ApiError::with_message(code, message))
}

/// Whole seconds until the UTC day ends, at least 1.
fn until_midnight(now: Timestamp) -> u32 {
    const DAY: i64 = 86_400;
    u32::try_from(DAY - now.as_second().rem_euclid(DAY)).unwrap_or(1)
}
