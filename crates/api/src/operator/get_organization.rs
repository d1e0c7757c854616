//! `GET /operator/api/organizations/{organizationId}`

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

use super::console::OperatorConsole;
use super::organization_view::{OrganizationView, find};
use super::redaction;
use crate::console::KeyView;
use crate::envelope::{iso, success};
use crate::error::ApiError;
use crate::extract::OrganizationPath;

/// An organization with its keys and webhooks.
#[derive(Debug, Serialize)]
struct OrganizationDetails {
    #[serde(flatten)]
    organization: OrganizationView,
    keys: Vec<KeyView>,
    webhooks: Vec<EndpointView>,
    /// Bytes that it has uploaded in this month.
    uploaded_bytes: u64,
}

/// A webhook, without its secret and the query of its URL.
#[derive(Debug, Serialize)]
struct EndpointView {
    id: String,
    url: String,
    events: Vec<String>,
    disabled_because: Option<String>,
    /// The first of the attempts that have all failed since.
    failing_since: Option<String>,
}

pub(super) async fn get_organization(
    State(console): State<Arc<OperatorConsole>>,
    OrganizationPath(id): OrganizationPath,
) -> Result<Response, ApiError> {
    let state = &console.state;
    let organization = OrganizationView::of(&console, find(&console, id).await?).await?;
    let keys = state.store.key_list(Some(id)).await?;
    let webhooks = state.store.webhook_list(id).await?;
    let webhooks = webhooks.into_iter().map(|webhook| EndpointView {
        id: webhook.id.to_string(),
        url: redaction::text(&webhook.url),
        events: webhook.events,
        disabled_because: webhook.disabled.map(|(_, why)| redaction::text(&why)),
        failing_since: webhook.failing_since.map(iso),
    });
    let details = OrganizationDetails {
        organization,
        keys: keys.iter().map(|key| KeyView::of(key, false)).collect(),
        webhooks: webhooks.collect(),
        uploaded_bytes: state.store.upload_bytes_used(id, state.clock.now()).await?,
    };
    Ok(success(StatusCode::OK, details))
}
