//! What all submits have in common: from a request that is as it has to be to the 202.

use aerie_domain::{
    ApiErrorCode, DroneFootageRequest, ImageEnhanceRequest, JobId, JobStatus, JobType, MarkupRequest, VideoClipRequest,
    VirtualStagingRequest,
};
use aerie_storage::{NewJob, Refusal};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::auth::Caller;
use crate::envelope::success;
use crate::error::ApiError;
use crate::idempotency::{IdempotencyKey, Turn, again};
use crate::pictures::{Link, forget_pictures, keep_layers, keep_pictures};
use crate::{ApiState, context};

/// Job creation result.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct JobCreated {
    /// Identifier of the new job.
    #[schema(format = "uuid")]
    job_id: String,
    /// `queued` at creation.
    status: JobStatus,
}

impl JobCreated {
    /// What a submit is answered with, whatever has become of the job when it is answered again.
    pub(crate) fn queued(job_id: JobId) -> Self {
        Self { job_id: job_id.to_string(), status: JobStatus::Queued }
    }
}

/// What is to be submitted.
pub(crate) struct Submission {
    pub(crate) job_type: JobType,
    /// The job's `input`.
    pub(crate) input: Value,
    /// Fields that link to pictures; they are fetched and kept.
    pub(crate) pictures: Vec<Link>,
    /// The markup that a markup video is made of.
    pub(crate) parent_id: Option<JobId>,
}

impl Submission {
    /// A job that goes on from no other.
    pub(crate) fn new(job_type: JobType, request: &impl Serialize) -> Result<Self, ApiError> {
        let input = serde_json::to_value(request).map_err(ApiError::internal)?;
        Ok(Self { job_type, input, pictures: Vec::new(), parent_id: None })
    }
}

/// A request for a job that goes on from no other.
pub(crate) trait KindRequest: Serialize {
    /// What it makes.
    const KIND: JobType;

    /// The picture that it links to, in `image_url`.
    fn image_url(&self) -> Option<&str> {
        None
    }
}

impl KindRequest for DroneFootageRequest {
    const KIND: JobType = JobType::DroneFootage;
}

impl KindRequest for MarkupRequest {
    const KIND: JobType = JobType::Markup;
}

impl KindRequest for ImageEnhanceRequest {
    const KIND: JobType = JobType::ImageEnhance;

    fn image_url(&self) -> Option<&str> {
        Some(&self.image_url)
    }
}

impl KindRequest for VirtualStagingRequest {
    const KIND: JobType = JobType::VirtualStaging;

    fn image_url(&self) -> Option<&str> {
        Some(&self.image_url)
    }
}

impl KindRequest for VideoClipRequest {
    const KIND: JobType = JobType::VideoClip;

    fn image_url(&self) -> Option<&str> {
        Some(&self.image_url)
    }
}

/// Submits a job that goes on from no other.
pub(crate) async fn submit_kind<T: KindRequest>(
    state: &ApiState,
    caller: &Caller,
    key: IdempotencyKey,
    request: &T,
) -> Result<Response, ApiError> {
    key.answer(state, caller, async |turn| {
        let pictures = request.image_url().map(|url| ("image_url", url.to_owned())).into_iter().collect();
        let submission = Submission { pictures, ..Submission::new(T::KIND, request)? };
        submit(state, caller, submission, &turn).await
    })
    .await
}

/// Keeps the job and answers with its id. Last of the checks: everything else about the request has been found good.
pub(crate) async fn submit(
    state: &ApiState,
    caller: &Caller,
    submission: Submission,
    turn: &Turn,
) -> Result<Response, ApiError> {
    state.room.for_submit()?;
    let kind = submission.job_type;
    let (request_id, _) = context::current();
    let id = JobId::new(state.clock.now());
    let pictures = format!("{}/{id}/input", caller.org_id);
    let mut input_media = keep_pictures(state, caller, &pictures, &submission.pictures).await?;
    if kind == JobType::VideoClip
        && let Some((_, url)) = submission.pictures.first()
    {
        match keep_layers(state, caller, &pictures, url).await {
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
        job_type: kind,
        input: submission.input,
        input_media,
        parent_id: submission.parent_id,
        unit_price_cents: caller.credentials.org.price_cents(kind, &state.prices),
        request_id,
        once: turn.once().cloned(),
    };
    let submitted = state.store.job_submit(new).await;
    if !matches!(submitted, Ok(Ok(_))) && !submission.pictures.is_empty() {
        forget_pictures(state, &pictures).await;
    }
    let job = match submitted? {
        Ok(job) => job,
        Err(refusal) => return refused(refusal),
    };
    (state.submitted)();
    tracing::info!(job = %job.id, %kind, "submitted");
    Ok(success(StatusCode::ACCEPTED, JobCreated::queued(job.id)))
}

fn refused(refusal: Refusal) -> Result<Response, ApiError> {
    let (code, message) = match refusal {
        Refusal::CameBefore(earlier) => return again(earlier),
        Refusal::QuotaUsedUp { quota } => (
            ApiErrorCode::InsufficientQuota,
            format!("The organization's quota of {quota} jobs a month (UTC) is used up"),
        ),
        Refusal::Duplicate(job) => {
            (ApiErrorCode::JobInProgress, format!("An equal job, {job}, is queued or running already"))
        }
    };
    Err(ApiError::with_message(code, message))
}
