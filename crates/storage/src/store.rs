//! The whole store.

use crate::{
    EventStore, IdempotencyStore, JobQueue, ListingStore, MaintenanceStore, MarkupStore, NodeStore, OperatorStore,
    PackStore, SessionStore, ShareStore, TenantStore, TruthPageStore, UploadStore, UsageStore, WebhookStore,
};

/// Everything that a database backend provides, for callers that need several concerns.
pub trait Store:
    JobQueue
    + TenantStore
    + UsageStore
    + IdempotencyStore
    + MarkupStore
    + MaintenanceStore
    + NodeStore
    + PackStore
    + UploadStore
    + ListingStore
    + ShareStore
    + EventStore
    + WebhookStore
    + SessionStore
    + OperatorStore
    + TruthPageStore
{
}

impl<T> Store for T where
    T: JobQueue
        + TenantStore
        + UsageStore
        + IdempotencyStore
        + MarkupStore
        + MaintenanceStore
        + NodeStore
        + PackStore
        + UploadStore
        + ListingStore
        + ShareStore
        + ShareStore
        + EventStore
        + WebhookStore
        + SessionStore
        + OperatorStore
        + TruthPageStore
{
}
