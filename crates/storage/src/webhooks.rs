//! Endpoints of clients that receive events, and their deliveries.
//!
//! The database itself adds a delivery for each endpoint of the organization that wants an event, in the transaction of the event.

use std::time::Duration;

use aerie_domain::{DeliveryId, JobId, JobType, OrgId, ReviewIds, WebhookId};
use async_trait::async_trait;
use jiff::Timestamp;

use crate::StoreError;

/// An endpoint is disabled when every attempt failed for this long.
pub const FAILING_AT_MOST: Duration = Duration::from_secs(24 * 60 * 60);

/// The type of event that tests an endpoint.
pub const TEST_EVENT: &str = "webhook.test";

/// How long a secret stays valid after another has replaced it.
pub const OLD_SECRET: Duration = Duration::from_secs(24 * 60 * 60);

/// Keeps webhooks and deliveries. Every method is atomic and durable when it returns. Methods with an organization show and change
/// nothing of another one.
#[async_trait]
pub trait WebhookStore: Send + Sync {
    /// Adds an endpoint unless the organization has `limit` already, which gives `None`.
    async fn webhook_create(&self, new: NewWebhook, limit: u32) -> Result<Option<Webhook>, StoreError>;

    /// The endpoint with this id.
    async fn webhook_get(&self, org_id: OrgId, id: WebhookId) -> Result<Option<Webhook>, StoreError>;

    /// All endpoints of the organization, oldest first.
    async fn webhook_list(&self, org_id: OrgId) -> Result<Vec<Webhook>, StoreError>;

    /// Changes an endpoint. One that is enabled again starts without failures.
    async fn webhook_change(
        &self,
        org_id: OrgId,
        id: WebhookId,
        changes: WebhookChanges,
    ) -> Result<Option<Webhook>, StoreError>;

    /// Gives an endpoint another secret; the present one stays valid for [`OLD_SECRET`].
    async fn webhook_rotate(
        &self,
        org_id: OrgId,
        id: WebhookId,
        secret: WebhookSecret,
    ) -> Result<Option<Webhook>, StoreError>;

    /// Removes an endpoint with its deliveries; `false` when there is none.
    async fn webhook_delete(&self, org_id: OrgId, id: WebhookId) -> Result<bool, StoreError>;

    /// Adds a delivery without a job, to test the endpoint; `None` when there is no such endpoint.
    async fn webhook_test(&self, org_id: OrgId, id: WebhookId) -> Result<Option<Delivery>, StoreError>;

    /// Deliveries of an endpoint, newest first, at most `limit` after `offset` others; with the number of all.
    async fn delivery_list(
        &self,
        org_id: OrgId,
        id: WebhookId,
        limit: u32,
        offset: u64,
    ) -> Result<(Vec<Delivery>, u64), StoreError>;

    /// Sends a delivery again, now, whatever came of it; `None` when there is none.
    async fn delivery_replay(
        &self,
        org_id: OrgId,
        webhook: WebhookId,
        id: DeliveryId,
    ) -> Result<Option<Delivery>, StoreError>;

    /// The deliveries that are due, none of the endpoints in `busy`; `limits`: of how many in all, and of one endpoint. They are due
    /// again after `lease`, unless they are settled before.
    async fn delivery_claim(
        &self,
        limits: (u32, u32),
        busy: &[WebhookId],
        lease: Duration,
    ) -> Result<Vec<DueDelivery>, StoreError>;

    /// Records what came of an attempt. After a failure the delivery is due again after `again`, or has failed. An endpoint whose
    /// attempts have all failed for [`FAILING_AT_MOST`], or that is gone, is disabled.
    async fn delivery_settle(
        &self,
        id: DeliveryId,
        attempt: Attempt,
        again: Option<Duration>,
    ) -> Result<Option<Settled>, StoreError>;

    /// Removes deliveries of events longer ago than `keep`, `limit` at most, and returns how many.
    async fn delivery_expire(&self, keep: Duration, limit: u32) -> Result<usize, StoreError>;
}

/// A secret that signs deliveries. It is shown as hidden in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(pub [u8; 32]);

impl WebhookSecret {
    /// A random secret.
    ///
    /// # Errors
    /// When the operating system provides no randomness.
    pub fn generate() -> std::io::Result<Self> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(std::io::Error::other)?;
        Ok(Self(secret))
    }
}

impl std::fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WebhookSecret(hidden)")
    }
}

/// An endpoint to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWebhook {
    /// Its id.
    pub id: WebhookId,
    /// The organization that it belongs to.
    pub org_id: OrgId,
    /// Where deliveries are sent.
    pub url: String,
    /// The types of events that it receives.
    pub events: Vec<String>,
    /// The client's description.
    pub description: Option<String>,
    /// What signs its deliveries.
    pub secret: WebhookSecret,
}

/// An endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Its id.
    pub id: WebhookId,
    /// The organization that it belongs to.
    pub org_id: OrgId,
    /// Where deliveries are sent.
    pub url: String,
    /// The types of events that it receives.
    pub events: Vec<String>,
    /// The client's description.
    pub description: Option<String>,
    /// When it was added.
    pub created_at: Timestamp,
    /// Since when nothing is sent to it, and why.
    pub disabled: Option<(Timestamp, String)>,
    /// The first of the attempts that have all failed since.
    pub failing_since: Option<Timestamp>,
    /// Until when the secret before the present one is valid.
    pub old_secret_until: Option<Timestamp>,
}

/// Changes of an endpoint; `None` leaves a member as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WebhookChanges {
    /// Where deliveries are sent.
    pub url: Option<String>,
    /// The types of events that it receives.
    pub events: Option<Vec<String>>,
    /// The client's description.
    pub description: Option<String>,
    /// Whether events are sent to it; the text is the reason why not.
    pub enabled: Option<Result<(), String>>,
}

impl WebhookChanges {
    /// The endpoint with these changes. For backends.
    #[must_use]
    pub fn apply(&self, found: Webhook, now: i64) -> Webhook {
        let (disabled, failing_since) = match &self.enabled {
            None => (found.disabled, found.failing_since),
            Some(Ok(())) => (None, found.failing_since.filter(|_| found.disabled.is_none())),
            Some(Err(because)) => {
                let at = Timestamp::from_millisecond(now).unwrap_or_default();
                (found.disabled.or_else(|| Some((at, because.clone()))), found.failing_since)
            }
        };
        Webhook {
            url: self.url.clone().unwrap_or(found.url),
            events: self.events.clone().unwrap_or(found.events),
            description: self.description.clone().or(found.description),
            disabled,
            failing_since,
            ..found
        }
    }
}

/// What is sent, or was sent, to an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Its id, the same in every attempt.
    pub id: DeliveryId,
    /// The endpoint.
    pub webhook_id: WebhookId,
    /// The type of the event.
    pub event: String,
    /// The job of the event, if it is about one.
    pub job: Option<(JobId, JobType)>,
    /// The review of the event, if it is about one. A test is about neither.
    pub review: Option<ReviewIds>,
    /// When the event happened.
    pub at: Timestamp,
    /// What has come of it.
    pub state: DeliveryState,
    /// Number of attempts.
    pub attempts: u32,
    /// The last attempt.
    pub last: Option<(Timestamp, Attempt)>,
}

/// What has come of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryState {
    /// It is sent, again perhaps, at that time.
    Pending(Timestamp),
    /// The endpoint has it.
    Delivered,
    /// No attempt has succeeded, and no other will be made.
    Failed,
}

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    /// Why it failed; `None` if it succeeded.
    pub error: Option<String>,
    /// How long it took, milliseconds.
    pub milliseconds: u32,
    /// Whether the endpoint has said that it is gone for good.
    pub is_gone: bool,
}

impl Attempt {
    /// Why the endpoint is disabled, if this attempt disables it.
    #[must_use]
    pub const fn disables(&self) -> &'static str {
        if self.is_gone { "it answered with 410 (Gone)" } else { "every attempt failed for 24 hours" }
    }
}

/// A delivery that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueDelivery {
    /// The delivery.
    pub delivery: Delivery,
    /// Where it is sent.
    pub url: String,
    /// The secrets that sign it, the newest first.
    pub secrets: Vec<WebhookSecret>,
}

/// What settling a delivery did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    /// Whether its endpoint is disabled now, and was not before.
    pub disabled: bool,
}
