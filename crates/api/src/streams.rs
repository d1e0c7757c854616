//! How many streams of events are open.

use aerie_domain::OrgId;

use crate::per_organization::{PerOrganization, Permit};

/// Streams of an organization, and of all, in this process.
const MOST_PER_ORGANIZATION: usize = 10;
const MOST: usize = 256;

/// The streams that are open.
#[derive(Debug, Clone)]
pub struct Streams(PerOrganization);

impl Default for Streams {
    fn default() -> Self {
        Self(PerOrganization::new(MOST_PER_ORGANIZATION, MOST))
    }
}

impl Streams {
    /// Opens one more, unless there are too many.
    pub(crate) fn open(&self, org_id: OrgId) -> Option<Permit> {
        self.0.acquire(org_id, 1)
    }
}
