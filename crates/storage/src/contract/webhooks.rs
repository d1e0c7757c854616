//! Webhooks and their deliveries.

use std::time::Duration;

use aerie_domain::{JobStatus, WebhookId};
use jiff::SignedDuration;

use super::fixture::{Fixture, output};
use crate::{
    Attempt, Delivery, DeliveryState, DueDelivery, FAILING_AT_MOST, NewWebhook, OLD_SECRET, Webhook, WebhookChanges,
    WebhookSecret,
};

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

impl Fixture {
    fn new_webhook(&self, events: &[&str]) -> NewWebhook {
        NewWebhook {
            id: WebhookId::new(self.now()),
            org_id: self.org,
            url: "https://example.com/hook".into(),
            events: events.iter().map(|event| (*event).to_owned()).collect(),
            description: Some("orders".into()),
            secret: WebhookSecret([1; 32]),
        }
    }

    pub(super) async fn webhook(&self, events: &[&str]) -> Webhook {
        self.store.webhook_create(self.new_webhook(events), 10).await.unwrap().unwrap()
    }

    async fn hook(&self, id: WebhookId) -> Webhook {
        self.store.webhook_get(self.org, id).await.unwrap().unwrap()
    }

    pub(super) async fn due(&self) -> Vec<DueDelivery> {
        self.store.delivery_claim((100, 100), &[], MINUTE).await.unwrap()
    }

    async fn settle(&self, due: &DueDelivery, attempt: Attempt, again: Option<Duration>) -> bool {
        self.store.delivery_settle(due.delivery.id, attempt, again).await.unwrap().unwrap().disabled
    }

    async fn deliveries(&self, id: WebhookId) -> Vec<Delivery> {
        self.store.delivery_list(self.org, id, 100, 0).await.unwrap().0
    }
}

fn delivered() -> Attempt {
    Attempt { status: Some(204), error: None, milliseconds: 30, is_gone: false }
}

fn failed() -> Attempt {
    Attempt { status: Some(500), error: Some("returned HTTP status 500".into()), milliseconds: 30, is_gone: false }
}

pub(super) async fn an_endpoint_is_added_changed_and_removed(f: Fixture) {
    let added = f.webhook(&["job.completed"]).await;
    assert_eq!((added.created_at, added.disabled.clone(), added.failing_since), (f.now(), None, None));
    assert_eq!(f.hook(added.id).await, added);
    assert_eq!(f.store.webhook_create(f.new_webhook(&[]), 1).await.unwrap(), None, "no more than the limit");
    let change = async |changes| f.store.webhook_change(f.org, added.id, changes).await.unwrap().unwrap();
    let url = Some("https://example.com/other".to_owned());
    let changed =
        change(WebhookChanges { url: url.clone(), description: Some("all".into()), ..Default::default() }).await;
    assert_eq!((Some(changed.url), changed.events), (url, vec!["job.completed".to_owned()]));
    assert_eq!(changed.description.as_deref(), Some("all"));
    f.advance(5);
    let disabled = change(WebhookChanges { enabled: Some(Err("by request".into())), ..Default::default() }).await;
    assert_eq!(disabled.disabled, Some((f.now(), "by request".into())));
    let enabled = change(WebhookChanges { enabled: Some(Ok(())), ..Default::default() }).await;
    assert_eq!((enabled.disabled.clone(), &f.hook(added.id).await), (None, &enabled));
    let second = f.webhook(&["job.failed"]).await;
    assert_eq!(f.store.webhook_list(f.org).await.unwrap(), [enabled, second]);
    f.store.webhook_test(f.org, added.id).await.unwrap().unwrap();
    assert!(f.store.webhook_delete(f.org, added.id).await.unwrap());
    assert!(!f.store.webhook_delete(f.org, added.id).await.unwrap());
    assert!(f.due().await.is_empty() && f.deliveries(added.id).await.is_empty());
}

pub(super) async fn another_organizations_endpoint_is_not_found(f: Fixture) {
    let hook = f.webhook(&["job.queued"]).await;
    let delivery = f.store.webhook_test(f.org, hook.id).await.unwrap().unwrap();
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    assert_eq!(f.store.webhook_get(other, hook.id).await.unwrap(), None);
    assert_eq!(f.store.webhook_list(other).await.unwrap(), []);
    assert_eq!(f.store.webhook_change(other, hook.id, WebhookChanges::default()).await.unwrap(), None);
    assert_eq!(f.store.webhook_rotate(other, hook.id, WebhookSecret([2; 32])).await.unwrap(), None);
    assert_eq!(f.store.webhook_test(other, hook.id).await.unwrap(), None);
    assert_eq!(f.store.delivery_list(other, hook.id, 10, 0).await.unwrap(), (vec![], 0));
    assert_eq!(f.store.delivery_replay(other, hook.id, delivery.id).await.unwrap(), None);
    assert!(!f.store.webhook_delete(other, hook.id).await.unwrap());
    let theirs = NewWebhook { org_id: other, ..f.new_webhook(&["job.queued"]) };
    f.store.webhook_create(theirs, 10).await.unwrap().unwrap();
    assert_eq!(f.due().await.len(), 1);
    f.submit().await;
    assert_eq!(f.due().await.iter().map(|due| due.delivery.webhook_id).collect::<Vec<_>>(), [hook.id]);
}

pub(super) async fn each_event_that_an_endpoint_wants_is_delivered_once(f: Fixture) {
    let some = f.webhook(&["job.queued", "job.completed"]).await;
    let other = f.webhook(&["job.failed"]).await;
    let job = f.submit().await;
    let claim = f.claim("a").await.unwrap();
    f.store.job_complete(&claim.lease, output()).await.unwrap();
    assert_eq!(f.get(job.id).await.status, JobStatus::Completed);
    let mut due = f.due().await;
    due.sort_by(|a, b| b.delivery.event.cmp(&a.delivery.event));
    let told: Vec<_> = due.iter().map(|due| (due.delivery.event.as_str(), due.delivery.job)).collect();
    let of_job = Some((job.id, job.job_type));
    assert_eq!(told, [("job.queued", of_job), ("job.completed", of_job)]);
    assert!(due.iter().all(|due| due.url == some.url && due.secrets == [WebhookSecret([1; 32])]));
    assert!(due.iter().all(|due| due.delivery.at == f.now() && due.delivery.attempts == 0));
    f.advance(1);
    for due in &due {
        assert!(!f.settle(due, delivered(), Some(MINUTE)).await);
    }
    f.advance(3600);
    assert!(f.due().await.is_empty());
    let kept = f.deliveries(some.id).await;
    assert!(kept.iter().all(|kept| kept.state == DeliveryState::Delivered && kept.attempts == 1), "{kept:?}");
    assert_eq!(kept[0].last, Some((f.now() - SignedDuration::from_secs(3600), delivered())));
    assert_eq!(f.store.delivery_list(f.org, some.id, 1, 1).await.unwrap(), (vec![kept[1].clone()], 2));
    assert!(f.deliveries(other.id).await.is_empty());
}

pub(super) async fn a_delivery_is_claimed_by_one_sender_and_again_when_that_is_gone(f: Fixture) {
    f.webhook(&["job.queued"]).await;
    f.submit().await;
    let first = f.due().await;
    assert_eq!(first.len(), 1);
    f.advance(59);
    assert!(f.due().await.is_empty());
    f.advance(1);
    let again = f.due().await;
    assert_eq!(again[0].delivery.id, first[0].delivery.id, "the receiver can tell that it is the same");
}

pub(super) async fn an_endpoint_that_stalls_keeps_no_other_waiting(f: Fixture) {
    let stalling = f.webhook(&["job.queued"]).await;
    for _ in 0..20 {
        f.submit().await;
    }
    let other = f.webhook(&["job.queued"]).await;
    f.submit().await;
    let ids = |due: Vec<DueDelivery>| due.into_iter().map(|due| due.delivery.webhook_id).collect::<Vec<_>>();
    let claimed = f.store.delivery_claim((50, 3), &[], MINUTE).await.unwrap();
    let claimed = ids(claimed);
    assert_eq!(claimed.iter().filter(|id| **id == stalling.id).count(), 3);
    assert!(claimed.contains(&other.id) && claimed.len() == 4);
    f.submit().await;
    let free = f.store.delivery_claim((50, 3), &[stalling.id], MINUTE).await.unwrap();
    assert_eq!(ids(free), [other.id]);
    assert_eq!(f.store.delivery_claim((2, 3), &[], MINUTE).await.unwrap().len(), 2);
}

pub(super) async fn a_failed_delivery_is_due_again_and_an_endpoint_is_disabled_after_a_day_of_failures(f: Fixture) {
    let hook = f.webhook(&["job.queued"]).await;
    f.submit().await;
    let due = f.due().await.remove(0);
    assert!(!f.settle(&due, failed(), Some(HOUR)).await);
    let began = f.now();
    assert_eq!(f.hook(hook.id).await.failing_since, Some(began));
    let kept = f.deliveries(hook.id).await.remove(0);
    assert_eq!(kept.state, DeliveryState::Pending(f.now() + SignedDuration::from_hours(1)));
    assert_eq!(kept.last, Some((began, failed())));
    f.advance(3599);
    assert!(f.due().await.is_empty());
    f.advance(1);
    let due = f.due().await.remove(0);
    assert_eq!(due.delivery.attempts, 1);
    assert!(!f.settle(&due, delivered(), None).await);
    assert_eq!(f.hook(hook.id).await.failing_since, None, "a success ends the failures");

    f.submit().await;
    let due = f.due().await.remove(0);
    let day = i64::try_from(FAILING_AT_MOST.as_secs()).unwrap();
    assert!(!f.settle(&due, failed(), Some(MINUTE)).await);
    f.advance(day - 1);
    assert!(!f.settle(&due, failed(), Some(MINUTE)).await);
    f.advance(1);
    assert!(f.settle(&due, failed(), None).await);
    let disabled = f.hook(hook.id).await.disabled.unwrap();
    assert_eq!(disabled, (f.now(), "every attempt failed for 24 hours".into()));
    assert_eq!(f.deliveries(hook.id).await[0].state, DeliveryState::Failed);
    f.submit().await;
    assert_eq!(f.deliveries(hook.id).await.len(), 2, "nothing is kept for a disabled endpoint");
    assert!(!f.settle(&due, failed(), None).await, "it is disabled once");
}

pub(super) async fn an_endpoint_that_is_gone_is_disabled_at_once_and_gets_what_waits_when_it_is_enabled(f: Fixture) {
    let hook = f.webhook(&["job.queued"]).await;
    f.submit().await;
    f.submit().await;
    let due = f.due().await;
    assert!(f.settle(&due[0], Attempt { status: Some(410), is_gone: true, ..failed() }, None).await);
    assert_eq!(f.hook(hook.id).await.disabled.unwrap().1, "it answered with 410 (Gone)");
    f.advance(3600);
    assert!(f.due().await.is_empty());
    let enable = WebhookChanges { enabled: Some(Ok(())), ..Default::default() };
    let enabled = f.store.webhook_change(f.org, hook.id, enable).await.unwrap().unwrap();
    assert_eq!((enabled.disabled, enabled.failing_since), (None, None));
    assert_eq!(f.due().await.len(), 1);
}

pub(super) async fn a_delivery_is_sent_again_when_it_is_replayed_and_removed_when_it_is_old(f: Fixture) {
    let hook = f.webhook(&["job.queued"]).await;
    f.submit().await;
    let due = f.due().await.remove(0);
    f.settle(&due, delivered(), None).await;
    let replayed = f.store.delivery_replay(f.org, hook.id, due.delivery.id).await.unwrap().unwrap();
    assert_eq!((replayed.state, replayed.attempts), (DeliveryState::Pending(f.now()), 0));
    assert_eq!(f.due().await[0].delivery.id, due.delivery.id);
    let other = f.webhook(&["job.queued"]).await;
    assert_eq!(f.store.delivery_replay(f.org, other.id, due.delivery.id).await.unwrap(), None);
    f.advance(100);
    let expire = async |seconds| f.store.delivery_expire(Duration::from_secs(seconds), 10).await.unwrap();
    assert_eq!((expire(100).await, expire(99).await), (0, 1));
    assert!(f.deliveries(hook.id).await.is_empty());
    assert_eq!(f.store.delivery_settle(due.delivery.id, delivered(), None).await.unwrap(), None);
}

pub(super) async fn a_rotated_secret_signs_beside_the_new_one_for_a_day(f: Fixture) {
    let hook = f.webhook(&["job.queued"]).await;
    let rotated = f.store.webhook_rotate(f.org, hook.id, WebhookSecret([2; 32])).await.unwrap().unwrap();
    assert_eq!(rotated.old_secret_until, Some(f.now() + SignedDuration::try_from(OLD_SECRET).unwrap()));
    f.submit().await;
    assert_eq!(f.due().await[0].secrets, [WebhookSecret([2; 32]), WebhookSecret([1; 32])]);
    f.advance(i64::try_from(OLD_SECRET.as_secs()).unwrap());
    assert_eq!(f.due().await[0].secrets, [WebhookSecret([2; 32])]);
}
