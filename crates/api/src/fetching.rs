//! How many pictures each organization may fetch at once.

use aerie_domain::OrgId;

use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::per_organization::{PerOrganization, Permit};

/// `Retry-After` for a client that found too many fetches in progress, seconds: the time limit of one fetch.
const RETRY_AFTER: u32 = 10;

/// Fetches at once per organization, so that one with slow servers leaves room for the others.
const MAX_PER_ORGANIZATION: usize = 16;

/// Number of pictures being fetched, by organization.
#[derive(Debug, Clone)]
pub struct Fetching(PerOrganization);

impl Default for Fetching {
    fn default() -> Self {
        Self(PerOrganization::new(MAX_PER_ORGANIZATION, usize::MAX))
    }
}

impl Fetching {
    /// Reserves `count` fetches.
    ///
    /// # Errors
    /// `RATE_LIMITED` when the organization has too many in progress.
    pub(crate) fn acquire(&self, org_id: OrgId, count: usize) -> Result<Permit, ApiError> {
        self.0.acquire(org_id, count).ok_or_else(too_many_fetches)
    }
}

/// The refusal of a request that would exceed a limit on fetches.
pub(crate) fn too_many_fetches() -> ApiError {
    let message = "Too many images are being fetched at the moment; try again later";
    ApiError::with_message(ApiErrorCode::RateLimited, message).retry_after(RETRY_AFTER)
}
