//! `GET /operator/api/organizations`

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Response;

use super::console::OperatorConsole;
use super::organization_view::OrganizationView;
use crate::envelope::{Meta, Pagination, page};
use crate::error::ApiError;
use crate::extract::Parameters;

/// A page of organizations, oldest first; with `search`, those whose name or id contains it.
pub(super) async fn list_organizations(
    State(console): State<Arc<OperatorConsole>>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let parameters = Parameters::parse(&query.unwrap_or_default());
    let (limit, offset) = parameters.page()?;
    let search = parameters.text("search")?.unwrap_or_default().trim().to_lowercase();
    let mut found = console.state.store.org_list().await?;
    found.retain(|org| org.name.to_lowercase().contains(&search) || org.id.to_string().contains(&search));
    let total = found.len();
    let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
    let mut shown = Vec::new();
    for org in found.into_iter().skip(skipped).take(limit as usize) {
        shown.push(OrganizationView::of(&console, org).await?);
    }
    let has_more = skipped.saturating_add(shown.len()) < total;
    Ok(page(shown, Pagination { total: total as u64, limit, offset, has_more }, Meta::current()))
}
