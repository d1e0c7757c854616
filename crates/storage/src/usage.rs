//! Usage events, from which invoices are written. [`JobQueue`](crate::JobQueue) inserts them.

use aerie_domain::{EventId, OrgId, UsageEvent, UsageRange};
use async_trait::async_trait;
use jiff::Timestamp;

use crate::StoreError;

/// Lists usage events.
#[async_trait]
pub trait UsageStore: Send + Sync {
    /// An organization's events in a range of days, newest first, `limit` at most, starting after the cursor.
    async fn usage_list(
        &self,
        org_id: OrgId,
        range: UsageRange,
        after: Option<UsageCursor>,
        limit: u32,
    ) -> Result<Vec<UsageEvent>, StoreError>;

    /// What all organizations were billed in a range of days, by organization and type.
    async fn usage_sums(&self, range: UsageRange) -> Result<Vec<UsageSum>, StoreError>;
}

/// What an organization was billed for one type of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageSum {
    /// The organization.
    pub org_id: OrgId,
    /// `<kind>.<action>`.
    pub event_type: String,
    /// Number of events.
    pub events: u64,
    /// Their prices together, in cents.
    pub cents: i64,
}

/// Time and id of the last event of a page.
pub type UsageCursor = (Timestamp, EventId);
