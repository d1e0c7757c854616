//! `POST /operator/api/organizations`

use std::sync::Arc;

use aerie_domain::organization::check_name;
use aerie_domain::{Fields, ValidationError};
use aerie_engine_api::openapi::Presence;
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::authentication::Operator;
use super::console::OperatorConsole;
use super::organization_view::OrganizationView;
use super::terms::check_plan;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::read_json;

/// Maximum length of a name, characters.
const MAX_NAME: usize = 200;
const MAX_PLAN: usize = 100;

/// The plan of an organization that is created without one, as on the command line.
const DEFAULT_PLAN: &str = "enterprise";

/// Creates an organization with `name`, on `plan`.
pub(super) async fn create_organization(
    State(console): State<Arc<OperatorConsole>>,
    Extension(operator): Extension<Operator>,
    request: Request,
) -> Result<Response, ApiError> {
    let (name, plan) = read_json(request, Presence::Required, |body| {
        let fields = Fields::of_body(body)?;
        let name = check_name(fields.required_text("name", MAX_NAME)?);
        let name = name.map_err(|bad| ValidationError::new("name", bad.to_string()))?;
        Ok((name.to_owned(), fields.text("plan", MAX_PLAN)?.unwrap_or(DEFAULT_PLAN).to_owned()))
    })
    .await?;
    check_plan(&console, &plan)?;
    let created = console.state.store.org_create(&name, &plan).await?;
    tracing::info!(operator = %operator.key.id, organization = %created.id, "created an organization");
    Ok(success(StatusCode::CREATED, OrganizationView::of(&console, created).await?))
}
