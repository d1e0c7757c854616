//! `POST /console/api/keys`: adds a key to the session's organization.

use std::sync::Arc;

use aerie_domain::{ApiKey, Fields, Scope, Scopes, ValidationError};
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::SignedDuration;
use serde_json::Value;

use crate::ApiState;
use crate::auth::Caller;
use crate::console::{self, KeyWithSecret};
use crate::envelope::success;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::extract::{ApiJson, RequestBody};

/// Keys of an organization that are neither revoked nor expired.
const MOST: u32 = 50;

/// Greatest lifetime that can be given, days.
const MAX_DAYS: i64 = 3650;

/// What the new key may do, and for how long.
#[derive(Debug)]
pub(crate) struct KeyRequest {
    scopes: Scopes,
    /// Days; `None`: until it is revoked.
    expires_in_days: Option<i64>,
}

impl RequestBody for KeyRequest {
    fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let names = Scope::ALL.map(Scope::as_str);
        let chosen = fields.choices("scopes", &names)?;
        let chosen = chosen.ok_or_else(|| fields.missing("scopes", &format!("one or more of {}", names.join(", "))))?;
        let scopes = chosen.join(",").parse().map_err(|_| fields.wrong("scopes", "must be names of scopes"))?;
        Ok(Self { scopes, expires_in_days: fields.integer("expires_in_days", 1..=MAX_DAYS)? })
    }
}

pub(crate) async fn create_key(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ApiJson(request): ApiJson<KeyRequest>,
) -> Result<Response, ApiError> {
    console::check_manages_keys(&caller)?;
    let own = &caller.credentials.key;
    let lifetime = request.expires_in_days.map(|days| SignedDuration::from_hours(24 * days));
    let expires_at = lifetime.map(|lifetime| state.clock.now() + lifetime);
    if let Some(end) = own.expires_at
        && expires_at.is_none_or(|at| at > end)
    {
        let message = format!(
            "`expires_in_days`: the key of this session expires on {end:.0}, and cannot create one that is valid for longer; \
             choose an earlier end, or sign in with a key that does not expire"
        );
        return Err(ApiError::with_message(ApiErrorCode::ValidationError, message));
    }
    let key = ApiKey::generate().map_err(ApiError::internal)?;
    let created = state.store.key_create_within(caller.org_id, &key, (request.scopes, expires_at), MOST).await?;
    let created = created.ok_or_else(|| {
        let message = format!("The organization has {MOST} active keys, the most it can have: revoke one first");
        ApiError::with_message(ApiErrorCode::ValidationError, message)
    })?;
    tracing::info!(organization = %caller.org_id, key = %created.id, by = %own.id, "created a key in the console");
    Ok(success(StatusCode::CREATED, KeyWithSecret::of(&created, &key)))
}
