//! How many pictures each organization may fetch at once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

use aerie_domain::{ApiErrorCode, OrgId};

use crate::error::ApiError;

/// `Retry-After` for a client that found too many fetches in progress, seconds: the time limit of one fetch.
const RETRY_AFTER: u32 = 10;

/// Fetches at once per organization, so that one with slow servers leaves room for the others.
const MAX_PER_ORGANIZATION: usize = 16;

/// Number of pictures being fetched, by organization.
#[derive(Debug, Default, Clone)]
pub struct Fetching(Arc<Mutex<HashMap<OrgId, usize>>>);

/// The right to fetch a number of pictures, until it is dropped.
pub(crate) struct FetchPermit {
    fetching: Fetching,
    org_id: OrgId,
    count: usize,
}

impl Fetching {
    /// Reserves `count` fetches.
    ///
    /// # Errors
    /// `RATE_LIMITED` when the organization has too many in progress.
    pub(crate) fn acquire(&self, org_id: OrgId, count: usize) -> Result<FetchPermit, ApiError> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = all.entry(org_id).or_default();
        if *taken + count > MAX_PER_ORGANIZATION {
            return Err(too_many_fetches());
        }
        *taken += count;
        Ok(FetchPermit { fetching: self.clone(), org_id, count })
    }
}

impl Drop for FetchPermit {
    fn drop(&mut self) {
        let mut all = self.fetching.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut taken) = all.entry(self.org_id) {
            *taken.get_mut() -= self.count;
            if *taken.get() == 0 {
                taken.remove();
            }
        }
    }
}

/// The refusal of a request that would exceed a limit on fetches.
pub(crate) fn too_many_fetches() -> ApiError {
    let message = "Too many images are being fetched at the moment; try again later";
    ApiError::with_message(ApiErrorCode::RateLimited, message).retry_after(RETRY_AFTER)
}
