//! `POST /v1/markup/jobs/{jobId}/annotate`

mod ground;

use std::sync::Arc;

use aerie_domain::{Job, MarkupEffect, MarkupStage, MarkupStep, PictureLink, ValidationError};
use aerie_engine_api::kinds::markup::AnnotateRequest;
use aerie_storage::{Annotation, JobOutput, retention};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::get_markup::markup_job;
use ground::ground_of;

use crate::ApiState;
use crate::auth::Caller;
use crate::context;
use crate::envelope::Envelope;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::extract::{ApiJson, ApiPath};
use crate::idempotency::{IdempotencyHeader, IdempotencyKey};
use crate::measuring::{BadPolygon, DrawnOn};
use crate::pictures::{forget_pictures, keep_pictures};

/// An annotation.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Annotated {
    /// `completed`.
    #[schema(example = "completed")]
    status: &'static str,
}

/// Annotate a markup
///
/// Submits the boundary annotation and completes the job. Repeating the same body returns the same response.
#[utoipa::path(
    post,
    path = "/v1/markup/jobs/{jobId}/annotate",
    operation_id = "annotate_markup",
    tag = "Markup",
    security(("api_key" = [])),
    params(("jobId" = String, Path, format = "uuid", description = "Job identifier of the markup"), IdempotencyHeader),
    request_body = AnnotateRequest,
    responses(
        (status = 200, description = "The markup is completed", body = Envelope<Annotated>),
    )
)]
pub(crate) async fn annotate_markup(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    key: IdempotencyKey,
    ApiPath(id): ApiPath,
    ApiJson(request): ApiJson<AnnotateRequest>,
) -> Result<Response, ApiError> {
    key.answer(&state, &caller, async |turn| {
        let job = markup_job(&state, &caller, id).await?;
        let body = serde_json::to_value(&request).map_err(ApiError::internal)?;
        let same = job.annotation.as_ref() == Some(&body);
        if MarkupStage::of(&job).take(MarkupStep::Annotate { same })? == MarkupEffect::Repeat {
            return turn.success(&state, Annotated { status: "completed" }).await;
        }
        state.capacity.check_submit()?;
        // Two annotations may arrive at once. Each keeps its pictures under its own prefix, and one of them wins.
        let (request_id, _) = context::current();
        let prefix = format!("{}/{id}/input/{request_id}", caller.org_id);
        let clean_url = request.clean_image_url.clone();
        let links = [
            PictureLink::new("annotated_image_url", request.annotated_image_url),
            PictureLink::new("clean_image_url", request.clean_image_url),
        ];
        if state.media.is_remote() {
            // If this process is killed before the row names the files, they are found by this note.
            state.store.leftovers_expect(caller.org_id, id, retention::GRACE).await?;
        }
        let media = keep_pictures(&state, &caller, &prefix, &links).await?;
        let [annotated, clean] = ["/annotated_image_url", "/clean_image_url"].map(|field| media[field].clone());
        let ground = ground_of(&state, &job, &clean_url, &clean).await;
        // The job is completed in any case: `boundary_reason` says why nothing could be measured.
        let polygon = request.annotated_polygon;
        let fields = match state.measuring.measure(&DrawnOn { annotated, clean, ground, polygon }).await {
            Ok(fields) => fields,
            Err(BadPolygon(why)) => {
                forget_pictures(&state, &prefix).await;
                return Err(ValidationError::new("annotated_polygon", why).into());
            }
        };
        let output = JobOutput { fields, media, ..JobOutput::default() };
        let annotated = state.store.markup_annotate(caller.org_id, id, Annotation { body, output }).await;
        let has_won = |job: &Job| job.media.values().any(|key| key.starts_with(&prefix));
        // If the row may name the files, the sweep looks at them.
        let has_lost = match &annotated {
            Ok(job) => !job.as_ref().is_some_and(has_won),
            Err(error) => !error.may_have_taken_effect(),
        };
        if has_lost {
            forget_pictures(&state, &prefix).await;
        }
        annotated?.ok_or_else(|| ApiError::new(ApiErrorCode::JobNotFound))?;
        turn.success(&state, Annotated { status: "completed" }).await
    })
    .await
}
