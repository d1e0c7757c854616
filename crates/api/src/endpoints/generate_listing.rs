//! `POST /v1/listings/{listingId}/generate`

use std::sync::Arc;

use aerie_domain::ListingId;
use aerie_engine_api::openapi::Presence;
use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;

use crate::auth::Caller;
use crate::envelope::Envelope;
use crate::error::ApiError;
use crate::extract::{ListingPath, Parameters, read_json};
use crate::idempotency::{IdempotencyHeader, IdempotencyKey};
use crate::listing_media::{self, ListingGenerated};
use crate::requests::listing_media::{GenerateBody, GenerateRequest};
use crate::{ApiState, context, detached};

/// Make media for a listing
///
/// Aerie extension. Submits jobs for all photos of a listing, or for those that `photos` selects, in one transaction: either every job
/// is accepted, or none, and `error.details` has the reason for each photo that is refused. Poll the listing or the jobs. Counts as one
/// request of the key; each job counts against the quota of the month. Needs a key with the scope `generate`.
#[utoipa::path(
    post,
    path = "/v1/listings/{listingId}/generate",
    operation_id = "generate_listing",
    tag = "Listings",
    security(("api_key" = [])),
    params(
        ("listingId" = String, Path, format = "uuid", description = "Listing identifier"),
        ("dry_run" = Option<bool>, Query, description = "`true` returns the jobs and their price, and submits nothing. Images are not \
            fetched. Defaults to false"),
        IdempotencyHeader,
    ),
    request_body = GenerateBody,
    responses(
        (status = 200, description = "The jobs that would be submitted, with `dry_run`", body = Envelope<ListingGenerated>),
        (status = 202, description = "The jobs are queued", body = Envelope<ListingGenerated>),
    )
)]
pub(crate) async fn generate_listing(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    key: IdempotencyKey,
    ListingPath(id): ListingPath,
    request: Request,
) -> Result<Response, ApiError> {
    let is_dry = Parameters::parse(request.uri().query().unwrap_or_default()).boolean("dry_run")?;
    let request = read_json(request, Presence::Required, GenerateRequest::from_body).await?;
    listing_media::check_kinds(&caller, &request)?;
    if is_dry {
        return listing_media::estimate(&state, &caller, id, &request).await;
    }
    // Goes on if the connection is lost: a hundred photos may take longer to fetch than a proxy waits. A repetition with the same
    // key gets the answer.
    let digest = context::body_digest();
    detached::run(async move {
        context::note_body(digest);
        generate(&state, &caller, (key, id), &request).await
    })
    .await
}

async fn generate(
    state: &ApiState,
    caller: &Caller,
    (key, id): (IdempotencyKey, ListingId),
    request: &GenerateRequest,
) -> Result<Response, ApiError> {
    key.answer(state, caller, async |turn| listing_media::generate(state, caller, id, request, &turn).await).await
}
