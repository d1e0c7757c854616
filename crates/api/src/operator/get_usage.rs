//! `GET /operator/api/usage`: what all organizations were billed in a month.

use std::collections::BTreeMap;
use std::sync::Arc;

use aerie_domain::{OrgId, UsageRange};
use aerie_storage::UsageSum;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

use super::console::OperatorConsole;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Parameters;

#[derive(Debug, Serialize)]
struct UsageView {
    from: String,
    to: String,
    jobs: u64,
    cents: i64,
    /// Those that were billed something, the highest cost first.
    organizations: Vec<OrganizationUsage>,
}

#[derive(Debug, Default, Serialize)]
struct OrganizationUsage {
    organization_id: String,
    name: String,
    jobs: u64,
    cents: i64,
    by_type: Vec<TypeUsage>,
}

#[derive(Debug, Serialize)]
struct TypeUsage {
    event_type: String,
    jobs: u64,
    cents: i64,
}

/// Sums the usage of `month`, `YYYY-MM`, by default the current one.
pub(super) async fn get_usage(
    State(console): State<Arc<OperatorConsole>>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let state = &console.state;
    let parameters = Parameters::parse(&query.unwrap_or_default());
    let range = UsageRange::of_month(parameters.text("month")?, state.clock.now())?;
    let mut names: BTreeMap<OrgId, String> =
        state.store.org_list().await?.into_iter().map(|org| (org.id, org.name)).collect();
    let mut organizations = BTreeMap::new();
    for UsageSum { org_id, event_type, events, cents } in state.store.usage_sums(range).await? {
        let one: &mut OrganizationUsage = organizations.entry(org_id).or_insert_with(|| OrganizationUsage {
            organization_id: org_id.to_string(),
            name: names.remove(&org_id).unwrap_or_default(),
            ..OrganizationUsage::default()
        });
        one.jobs += events;
        one.cents += cents;
        one.by_type.push(TypeUsage { event_type, jobs: events, cents });
    }
    let mut organizations: Vec<_> = organizations.into_values().collect();
    organizations.sort_by(|one, other| other.cents.cmp(&one.cents).then_with(|| one.name.cmp(&other.name)));
    let view = UsageView {
        from: range.from.to_string(),
        to: range.to.to_string(),
        jobs: organizations.iter().map(|one| one.jobs).sum(),
        cents: organizations.iter().map(|one| one.cents).sum(),
        organizations,
    };
    Ok(success(StatusCode::OK, view))
}
