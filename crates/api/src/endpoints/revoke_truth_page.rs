//! `DELETE /v1/jobs/{jobId}/truth-page`

use std::sync::Arc;

use aerie_storage::TruthPageHeld;
use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::get_truth_page::missing;

use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::extract::{ApiPath, Parameters};
use crate::truth_page::TruthPageView;

/// Revoke a truth page
///
/// Aerie extension. Revokes the truth page of a job: its address answers 410 from now on. With `erase=true`, what it shows is deleted,
/// too, whatever the retention, except under legal hold: then the page is revoked and its files stay (`LEGAL_HOLD`). Needs a key with
/// the scope `generate`.
#[utoipa::path(
    delete,
    path = "/v1/jobs/{jobId}/truth-page",
    operation_id = "revoke_truth_page",
    tag = "Truth pages",
    security(("api_key" = [])),
    params(
        ("jobId" = String, Path, format = "uuid", description = "Job identifier"),
        ("erase" = Option<bool>, Query, description = "`true` also deletes the files of the page. Defaults to false"),
    ),
    responses(
        (status = 200, description = "The page is revoked", body = Envelope<TruthPageView>),
    )
)]
pub(crate) async fn revoke_truth_page(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ApiPath(id): ApiPath,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let erases = Parameters::parse(query.as_deref().unwrap_or_default()).boolean("erase")?;
    match state.store.truth_page_revoke(caller.org_id, id, erases).await? {
        None => Err(missing(&state, caller.org_id, id).await?),
        Some(Err(TruthPageHeld(_))) => Err(ApiError::new(ApiErrorCode::LegalHold)),
        Some(Ok(page)) => {
            if erases && let Err(error) = state.media.media_delete(&format!("{}/{}", page.org_id, page.id), &[]).await {
                // The row names what is left, for the sweep.
                tracing::warn!(%error, page = %page.id, "files of an erased page could not be deleted yet");
            }
            tracing::info!(job = %id, page = %page.id, erases, "revoked a truth page");
            Ok(success(StatusCode::OK, TruthPageView::of(page, &state)))
        }
    }
}
