//! Sends events to the endpoints of clients, signed as described by [Standard Webhooks](https://www.standardwebhooks.com).
//!
//! The database adds deliveries (`aerie_storage::webhooks`); any number of senders claim them. One that ends in the middle leaves its
//! deliveries to others, which send them again with the same id: receivers may get a delivery twice, but always get it.
//!
//! # Invariants
//!
//! - A failing receiver is retried and delays no other; nothing is sent to an address that is not public. Tests:
//!   `receivers_that_fail_stall_lie_or_redirect_are_tried_again_and_keep_no_other_waiting`,
//!   `nothing_is_sent_to_an_address_that_is_not_public_whatever_its_name_led_to_before`.
mod retry;
mod signature;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aerie_domain::{Clock, WebhookId, event_message, job_data};
use aerie_fetch::Poster;
use aerie_storage::{Attempt, Delivery, DueDelivery, StoreError, WebhookStore};
use tokio::task::JoinSet;
use tokio::time::Instant;

pub use signature::sign;

/// How long an endpoint may take to answer.
pub const ANSWER_WITHIN: Duration = Duration::from_secs(15);

/// When a claimed delivery is due again, if its sender is gone: well after its answer.
const LEASE: Duration = Duration::from_secs(60);

/// Deliveries in progress at once, and to one endpoint.
const AT_ONCE: u32 = 128;
const AT_ONE: u32 = 4;

/// How often the database is asked for deliveries.
const EVERY: Duration = Duration::from_secs(1);

/// How long deliveries in progress may go on when the sender is told to stop.
const STOP_WITHIN: Duration = Duration::from_secs(5);

/// Sends deliveries.
pub struct Sender {
    /// Where they are.
    pub store: Arc<dyn WebhookStore>,
    /// Sends them.
    pub poster: Poster,
    /// Tells when they are sent.
    pub clock: Arc<dyn Clock>,
}

/// Number of deliveries in progress, by endpoint.
type InProgress = Arc<Mutex<HashMap<WebhookId, u32>>>;

impl Sender {
    /// Sends until `stop` completes.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let sender = Arc::new(self);
        let (in_progress, mut sending) = (InProgress::default(), JoinSet::new());
        tokio::pin!(stop);
        loop {
            while sending.try_join_next().is_some() {}
            let started = Arc::clone(&sender).start(&in_progress, &mut sending).await;
            let is_more =
                started.inspect_err(|error| tracing::warn!(%error, "deliveries cannot be read")).unwrap_or(0) > 0;
            let wait = if is_more { Duration::ZERO } else { EVERY };
            tokio::select! {
                () = &mut stop => break,
                () = tokio::time::sleep(wait) => {}
            }
        }
        let all = async { while sending.join_next().await.is_some() {} };
        if tokio::time::timeout(STOP_WITHIN, all).await.is_err() {
            tracing::info!("deliveries to slow endpoints are left to other senders, or to the next start");
        }
    }

    /// Starts to send what is due, and returns how many deliveries that are.
    async fn start(self: Arc<Self>, in_progress: &InProgress, sending: &mut JoinSet<()>) -> Result<usize, StoreError> {
        let busy: Vec<WebhookId> = counts(in_progress).keys().copied().collect();
        let free = AT_ONCE.saturating_sub(u32::try_from(sending.len()).unwrap_or(AT_ONCE));
        if free == 0 {
            return Ok(0);
        }
        let due = self.store.delivery_claim((free, AT_ONE), &busy, LEASE).await?;
        let number = due.len();
        for due in due {
            *counts(in_progress).entry(due.delivery.webhook_id).or_default() += 1;
            let (sender, in_progress) = (Arc::clone(&self), Arc::clone(in_progress));
            sending.spawn(async move {
                let webhook = due.delivery.webhook_id;
                sender.deliver(due).await;
                let mut counts = counts(&in_progress);
                let left = counts.get(&webhook).map_or(0, |count| count.saturating_sub(1));
                match left {
                    0 => drop(counts.remove(&webhook)),
                    left => drop(counts.insert(webhook, left)),
                }
            });
        }
        Ok(number)
    }

    async fn deliver(&self, due: DueDelivery) {
        let DueDelivery { delivery, url, secrets } = due;
        let body = message(&delivery);
        let id = format!("msg_{}", delivery.id);
        let timestamp = self.clock.now().as_second();
        let signatures: Vec<String> = secrets.iter().map(|secret| sign(secret, &id, timestamp, &body)).collect();
        let headers = [
            ("webhook-id", id),
            ("webhook-timestamp", timestamp.to_string()),
            ("webhook-signature", signatures.join(" ")),
        ];
        let began = Instant::now();
        let answer = self.poster.post(&url, &headers, body).await;
        let milliseconds = u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX);
        let (status, error) = match answer {
            Ok(status @ 200..=299) => (Some(status), None),
            Ok(status @ 300..=399) => {
                (Some(status), Some(format!("returned HTTP status {status}; redirects are not followed")))
            }
            Ok(status) => (Some(status), Some(format!("returned HTTP status {status}"))),
            Err(error) => (None, Some(error.to_string())),
        };
        let attempt = Attempt { status, error, milliseconds, is_gone: status == Some(410) };
        let again = retry::wait(delivery.attempts, delivery.id);
        match self.store.delivery_settle(delivery.id, attempt.clone(), again).await {
            Ok(settled) => {
                let disabled = settled.is_some_and(|settled| settled.disabled);
                tracing::debug!(delivery = %delivery.id, ?attempt, disabled, "sent");
                if disabled {
                    tracing::info!(webhook = %delivery.webhook_id, because = attempt.disables(), "webhook disabled");
                }
            }
            // It is due again after its lease.
            Err(error) => tracing::warn!(%error, delivery = %delivery.id, "a delivery cannot be recorded"),
        }
    }
}

fn counts(in_progress: &InProgress) -> std::sync::MutexGuard<'_, HashMap<WebhookId, u32>> {
    in_progress.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The body of a delivery, the same in every attempt.
fn message(delivery: &Delivery) -> String {
    let data = match (delivery.job, &delivery.review) {
        (Some((id, kind)), _) => job_data(id, kind, delivery.event.rsplit('.').next().unwrap_or_default()),
        (None, Some(review)) => review.data(),
        (None, None) => serde_json::json!({"webhook_id": delivery.webhook_id}),
    };
    event_message(&delivery.event, delivery.at, &data).to_string()
}

#[cfg(test)]
mod tests {
    use aerie_domain::{Clock, DeliveryId, ListingId, ReviewId, ReviewIds, ShareLinkId, SystemClock};
    use aerie_storage::DeliveryState;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_delivery_about_a_review_names_it_and_one_about_nothing_names_its_webhook() {
        let now = SystemClock.now();
        let ids = ReviewIds {
            listing_id: ListingId::new(now),
            share_link_id: ShareLinkId::new(now),
            review_id: ReviewId::new(now),
            photo_id: None,
        };
        let mut delivery = Delivery {
            id: DeliveryId::new(now),
            webhook_id: WebhookId::new(now),
            event: "listing.reviewed".into(),
            job: None,
            review: Some(ids.clone()),
            at: now,
            state: DeliveryState::Pending(now),
            attempts: 0,
            last: None,
        };
        let data = |delivery: &Delivery| serde_json::from_str::<Value>(&message(delivery)).unwrap()["data"].clone();
        let expected = json!({
            "listing_id": ids.listing_id, "share_link_id": ids.share_link_id, "review_id": ids.review_id, "photo_id": null,
        });
        assert_eq!(data(&delivery), expected);
        delivery.review = None;
        assert_eq!(data(&delivery), json!({"webhook_id": delivery.webhook_id}));
    }
}
