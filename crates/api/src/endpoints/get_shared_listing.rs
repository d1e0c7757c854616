//! `GET /v1/shared/{token}`

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::ApiState;
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::large_responses::Owner;
use crate::shared_listing::{self, SharedListing};
use crate::viewers::{TokenPath, Viewer};

/// Get a shared listing
///
/// Aerie extension. What a share link shows: photos in their order with their finished media, decisions and comments. Needs no key: the
/// token is the permission.
#[utoipa::path(
    get,
    path = "/v1/shared/{token}",
    operation_id = "get_shared_listing",
    tag = "Sharing",
    params(("token" = String, Path, description = "Token of the share link")),
    responses(
        (status = 200, description = "The listing", body = Envelope<SharedListing>),
    )
)]
pub(crate) async fn get_shared_listing(
    State(state): State<Arc<ApiState>>,
    _: Viewer,
    token: TokenPath,
) -> Result<Response, ApiError> {
    let link = token.link(&state).await?;
    let view = shared_listing::view(&state, &link, &state.base_url).await?;
    let mut response = success(StatusCode::OK, view);
    response.extensions_mut().insert(Owner::of(link.id));
    Ok(response)
}
