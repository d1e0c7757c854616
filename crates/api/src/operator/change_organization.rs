//! `PATCH /operator/api/organizations/{organizationId}`

use std::sync::Arc;

use aerie_engine_api::openapi::Presence;
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::authentication::Operator;
use super::console::OperatorConsole;
use super::organization_view::{OrganizationView, not_found};
use super::terms::{changes, check_plan, check_profile};
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{OrganizationPath, read_json};

/// Changes terms of an organization.
pub(super) async fn change_organization(
    State(console): State<Arc<OperatorConsole>>,
    Extension(operator): Extension<Operator>,
    OrganizationPath(id): OrganizationPath,
    request: Request,
) -> Result<Response, ApiError> {
    let changes = read_json(request, Presence::Required, changes).await?;
    if let Some(plan) = &changes.plan {
        check_plan(&console, plan)?;
    }
    if let Some(Some(profile)) = &changes.disclosure_profile {
        check_profile(&console, profile)?;
    }
    tracing::info!(operator = %operator.key.id, organization = %id, ?changes, "changing an organization");
    let changed = console.state.store.org_change(id, changes).await?.ok_or_else(|| not_found(id))?;
    Ok(success(StatusCode::OK, OrganizationView::of(&console, changed).await?))
}
