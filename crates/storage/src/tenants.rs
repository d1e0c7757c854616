//! Organizations, their API keys and quotas, and the usage events from which invoices are written.

use aerie_domain::{
    ApiKey, EventId, KeyHash, KeyId, KeyRecord, OrgChanges, OrgId, Organization, Scopes, UsageEvent, UsageRange,
};
use async_trait::async_trait;
use jiff::Timestamp;

use crate::StoreError;

/// Keeps organizations, API keys and quotas, and lists usage events, which [`JobQueue`](crate::JobQueue) inserts. Every method is atomic and durable when it returns.
#[async_trait]
pub trait TenantStore: Send + Sync {
    /// Creates an organization on a plan, with every kind enabled, no quota and the configured prices.
    async fn org_create(&self, name: &str, plan: &str) -> Result<Organization, StoreError>;

    /// Changes an organization and returns it; `None` when it does not exist.
    async fn org_change(&self, id: OrgId, changes: OrgChanges) -> Result<Option<Organization>, StoreError>;

    /// The organization with this id.
    async fn org_get(&self, id: OrgId) -> Result<Option<Organization>, StoreError>;

    /// All organizations, oldest first.
    async fn org_list(&self) -> Result<Vec<Organization>, StoreError>;

    /// Number of jobs that count against the organization's quota in the UTC month of `at`.
    async fn quota_used(&self, org_id: OrgId, at: Timestamp) -> Result<u64, StoreError>;

    /// Stores a key's hash for an existing organization.
    async fn key_create(
        &self,
        org_id: OrgId,
        key: &ApiKey,
        scopes: Scopes,
        expires_at: Option<Timestamp>,
    ) -> Result<KeyRecord, StoreError>;

    /// Stores a key's hash, unless the organization has `limit` keys already that are neither revoked nor expired, which gives `None`.
    async fn key_create_within(
        &self,
        org_id: OrgId,
        key: &ApiKey,
        terms: (Scopes, Option<Timestamp>),
        limit: u32,
    ) -> Result<Option<KeyRecord>, StoreError>;

    /// All keys, or those of one organization, revoked ones included, oldest first.
    async fn key_list(&self, org_id: Option<OrgId>) -> Result<Vec<KeyRecord>, StoreError>;

    /// Revokes a key at once; `false` when it does not exist. Idempotent.
    async fn key_revoke(&self, id: KeyId) -> Result<bool, StoreError>;

    /// Sets when a key expires; `false` when it does not exist.
    async fn key_expire(&self, id: KeyId, at: Timestamp) -> Result<bool, StoreError>;

    /// The key with this hash, unless it is revoked or expired.
    async fn key_find(&self, hash: KeyHash) -> Result<Option<Credentials>, StoreError>;

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

/// A valid key and its organization.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// The key's record.
    pub key: KeyRecord,
    /// The organization that it belongs to.
    pub org: Organization,
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
