//! `POST /operator/api/organizations/{organizationId}/keys`

use std::sync::Arc;

use aerie_domain::{ApiKey, Fields, Scope, Scopes, ValidationError, expiry};
use aerie_engine_api::openapi::Presence;
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::authentication::Operator;
use super::console::OperatorConsole;
use super::organization_view::find;
use crate::console::KeyView;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{OrganizationPath, read_json};

const MAX_TIME: usize = 40;

/// A new key, which is shown only once.
#[derive(Debug, Serialize)]
struct NewKey {
    #[serde(flatten)]
    record: KeyView,
    key: String,
}

/// Creates a key of an organization, with `scopes` (all by default), until `expires_at`.
pub(super) async fn create_key(
    State(console): State<Arc<OperatorConsole>>,
    Extension(operator): Extension<Operator>,
    OrganizationPath(id): OrganizationPath,
    request: Request,
) -> Result<Response, ApiError> {
    let (scopes, expires_at) = read_json(request, Presence::Optional, terms).await?;
    let state = &console.state;
    if expires_at.is_some_and(|at| at <= state.clock.now()) {
        return Err(ValidationError::new("expires_at", "lies in the past").into());
    }
    let org = find(&console, id).await?;
    let key = ApiKey::generate().map_err(ApiError::internal)?;
    let record = state.store.key_create(org.id, &key, scopes, expires_at).await?;
    tracing::info!(operator = %operator.key.id, organization = %id, key = %record.id, "created a key");
    let created = NewKey { record: KeyView::of(&record, false), key: key.reveal().to_owned() };
    Ok(success(StatusCode::CREATED, created))
}

fn terms(body: &Value) -> Result<(Scopes, Option<Timestamp>), ValidationError> {
    let fields = Fields::of_body(body)?;
    let scopes = fields.choices("scopes", &Scope::ALL.map(Scope::as_str))?;
    let scopes = scopes.and_then(|names| names.join(",").parse().ok()).unwrap_or(Scopes::ALL);
    let expires_at = fields.text("expires_at", MAX_TIME)?.map(|text| {
        let why = "must be the last valid day (YYYY-MM-DD), or a time such as 2027-01-31T12:00:00Z";
        expiry::parse(text).ok_or_else(|| ValidationError::new("expires_at", why))
    });
    Ok((scopes, expires_at.transpose()?))
}
