//! `POST /v1/markup/jobs/{jobId}/select`

use std::sync::Arc;

use aerie_domain::{MarkupRefusal, MarkupStage, MarkupStep, variant_keys};
use aerie_engine_api::kinds::markup::SelectRequest;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::get_markup::markup_job;

use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::Envelope;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::extract::{ApiJson, ApiPath};
use crate::idempotency::{IdempotencyHeader, IdempotencyKey};
use crate::job_view::output_of;

/// A selection.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Selected {
    /// `selected`.
    #[schema(example = "selected")]
    status: &'static str,
    /// The variant's enhanced image.
    #[schema(format = "uri")]
    selected_url: String,
}

/// Select an orientation
///
/// Selects one of the job's variants. The job stays `awaiting_input`, and the selection may be changed until the job is
/// annotated.
#[utoipa::path(
    post,
    path = "/v1/markup/jobs/{jobId}/select",
    operation_id = "select_markup",
    tag = "Markup",
    security(("api_key" = [])),
    params(("jobId" = String, Path, format = "uuid", description = "Job identifier of the markup"), IdempotencyHeader),
    request_body = SelectRequest,
    responses(
        (status = 200, description = "The variant is selected", body = Envelope<Selected>),
    )
)]
pub(crate) async fn select_markup(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    key: IdempotencyKey,
    ApiPath(id): ApiPath,
    ApiJson(request): ApiJson<SelectRequest>,
) -> Result<Response, ApiError> {
    key.answer(&state, &caller, async |turn| {
        let job = markup_job(&state, &caller, id).await?;
        let keys = variant_keys(&job);
        let known = keys.contains(&request.orientation.as_str());
        MarkupStage::of(&job).take(MarkupStep::Select { known }).map_err(|refusal| match refusal {
            MarkupRefusal::UnknownOrientation => {
                let message = format!("`orientation` must be one of {}", keys.join(", "));
                ApiError::with_message(ApiErrorCode::ValidationError, message)
            }
            other => other.into(),
        })?;
        let job = state.store.markup_select(caller.org_id, id, &request.orientation).await?;
        let mut job = job.ok_or_else(|| ApiError::new(ApiErrorCode::JobNotFound))?;
        let output = output_of(&mut job, &state);
        let selected_url = output.get("selected_url").and_then(|url| url.as_str());
        let selected_url =
            selected_url.ok_or_else(|| ApiError::internal("a variant has no enhanced picture"))?.to_owned();
        turn.success(&state, Selected { status: "selected", selected_url }).await
    })
    .await
}
