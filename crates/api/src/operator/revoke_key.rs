//! `DELETE /operator/api/organizations/{organizationId}/keys/{keyId}`

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::authentication::Operator;
use super::console::OperatorConsole;

use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::extract::OrganizationKeyPath;

/// Revokes a key at once.
pub(super) async fn revoke_key(
    State(console): State<Arc<OperatorConsole>>,
    Extension(operator): Extension<Operator>,
    OrganizationKeyPath(org, id): OrganizationKeyPath,
) -> Result<Response, ApiError> {
    let store = &console.state.store;
    if !store.key_list(Some(org)).await?.iter().any(|key| key.id == id) {
        let message = format!("The organization {org} has no key with the id {id}");
        return Err(ApiError::with_message(ApiErrorCode::NotFound, message));
    }
    store.key_revoke(id).await?;
    tracing::info!(operator = %operator.key.id, organization = %org, key = %id, "revoked a key");
    Ok(StatusCode::NO_CONTENT.into_response())
}
