//! `DELETE /console/api/keys/{keyId}`: revokes a key of the session's organization.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::auth::Caller;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::extract::KeyPath;
use crate::{ApiState, console};

pub(crate) async fn revoke_key(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    KeyPath(id): KeyPath,
) -> Result<Response, ApiError> {
    console::check_manages_keys(&caller)?;
    let is_own = state.store.key_list(Some(caller.org_id)).await?.iter().any(|key| key.id == id);
    if !is_own || !state.store.key_revoke(id).await? {
        let message = format!("The organization has no key with the id {id}: reload the list of keys");
        return Err(ApiError::with_message(ApiErrorCode::NotFound, message));
    }
    let by = caller.credentials.key.id;
    tracing::info!(organization = %caller.org_id, key = %id, %by, "revoked a key in the console");
    Ok(StatusCode::NO_CONTENT.into_response())
}
