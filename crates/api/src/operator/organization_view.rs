//! Organizations as operators see them.

use std::collections::BTreeMap;

use aerie_domain::{OrgId, Organization};
use serde::Serialize;

use super::console::OperatorConsole;

use crate::envelope::iso;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;

/// An organization with its terms.
#[derive(Debug, Serialize)]
pub(super) struct OrganizationView {
    id: String,
    name: String,
    plan: String,
    /// Whether the configuration has the plan; if not, the tightest limits of all plans apply.
    plan_is_known: bool,
    /// Kinds of job that it does not have.
    disabled: Vec<&'static str>,
    monthly_quota: Option<u32>,
    /// Jobs that count against the quota in this month.
    jobs_this_month: u64,
    /// Its own prices, in cents.
    prices: BTreeMap<&'static str, u32>,
    reject_duplicates: bool,
    keep_days: Option<u32>,
    disclosure_profile: Option<String>,
    truth_pages: bool,
    created_at: String,
}

impl OrganizationView {
    pub(super) async fn of(console: &OperatorConsole, org: Organization) -> Result<Self, ApiError> {
        let state = &console.state;
        Ok(Self {
            id: org.id.to_string(),
            plan_is_known: state.plans.get(&org.plan).is_some(),
            disabled: org.disabled.iter().map(|kind| kind.as_str()).collect(),
            monthly_quota: org.monthly_quota,
            jobs_this_month: state.store.quota_used(org.id, state.clock.now()).await?,
            prices: org.prices.iter().map(|(kind, cents)| (kind.as_str(), cents)).collect(),
            reject_duplicates: org.reject_duplicates,
            keep_days: org.keep_days,
            disclosure_profile: org.disclosure_profile,
            truth_pages: org.truth_pages,
            created_at: iso(org.created_at),
            name: org.name,
            plan: org.plan,
        })
    }
}

/// The organization with this id.
pub(super) async fn find(console: &OperatorConsole, id: OrgId) -> Result<Organization, ApiError> {
    console.state.store.org_get(id).await?.ok_or_else(|| not_found(id))
}

pub(super) fn not_found(id: OrgId) -> ApiError {
    ApiError::with_message(ApiErrorCode::NotFound, format!("No organization has the id {id}"))
}
