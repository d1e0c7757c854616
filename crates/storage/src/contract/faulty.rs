//! A store whose connection fails, for tests of its callers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aerie_domain::{
    ApiKey, ContentHash, DeliveryId, Failure, Job, JobId, JobType, KeyHash, KeyId, KeyRecord, Listing, ListingChanges,
    ListingId, OperatorKey, OperatorKeyId, OperatorKeyRecord, OrgChanges, OrgId, Organization, Review, Scopes,
    SessionHash, ShareLink, ShareLinkId, ShareTokenHash, TruthPageId, UploadId, UsageEvent, UsageRange, WebhookId,
};
use async_trait::async_trait;
use jiff::Timestamp;
use serde_json::{Map, Value};
use tokio::sync::watch;

use crate::nodes::{Node, SeenNode, StoreConnections};
use crate::sessions::{Audience, Session, SessionLimits, SessionStore};
use crate::tenants::Credentials;
use crate::usage::{UsageCursor, UsageSum};
use crate::{
    Annotation, Attempt, AuthoritySecret, BatchRefusal, Claim, Delivery, DueDelivery, Event, EventPosition, EventStore,
    IdempotencyKey, IdempotencyStore, JobFilter, JobOutput, JobPage, JobProgress, JobQueue, Lease, Leftovers,
    LinkSecret, ListingBatch, ListingFilter, ListingJob, ListingPage, ListingRefusal, ListingStore, MaintenanceStore,
    MarkupStore, NewJob, NewListing, NewReview, NewShareLink, NewTruthPage, NewUpload, NewWebhook, NodeStore,
    OperatorStore, Pack, PackRefusal, PackStore, QueueStats, RecordedAnswer, Replay, ReviewFilter, ReviewPage,
    ReviewRefusal, Settled, ShareLinkRefusal, ShareStore, Store, StoreError, StoreSize, SubmitRefusal, TenantStore,
    TruthPage, TruthPageHeld, TruthPageStore, Upload, UploadLimits, UploadPart, UploadRefusal, UploadStore,
    UploadedPhoto, UsageStore, Wakes, Webhook, WebhookChanges, WebhookSecret, WebhookStore,
};

/// Another store behind a connection that fails as its user says.
pub struct FaultyStore {
    store: Arc<dyn Store>,
    loses_replies: AtomicBool,
    delays_completions: AtomicBool,
    delayed: Mutex<Option<(Lease, JobOutput)>>,
    is_silent: AtomicBool,
}

impl FaultyStore {
    /// The same store, as yet without faults.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self {
            store,
            loses_replies: AtomicBool::new(false),
            delays_completions: AtomicBool::new(false),
            delayed: Mutex::new(None),
            is_silent: AtomicBool::new(false),
        }
    }

    /// Sets whether submits and annotations take effect and return an error, as when the reply to a commit is lost.
    pub fn set_loses_replies(&self, loses: bool) {
        self.loses_replies.store(loses, Ordering::SeqCst);
    }

    /// Sets whether completions return an error, and take effect only with [`FaultyStore::complete_delayed`], as when a commit
    /// arrives after the connection was lost.
    pub fn set_delays_completions(&self, delays: bool) {
        self.delays_completions.store(delays, Ordering::SeqCst);
    }

    /// Commits the first completion that was delayed.
    ///
    /// # Errors
    /// As [`JobQueue::job_complete`].
    pub async fn complete_delayed(&self) -> Result<(), StoreError> {
        let (lease, output) = self.delayed.lock().unwrap().take().unwrap();
        self.store.job_complete(&lease, output).await
    }

    /// Sets whether every call waits forever, as with a server that has vanished.
    pub fn set_silent(&self, is_silent: bool) {
        self.is_silent.store(is_silent, Ordering::SeqCst);
    }

    async fn pass<T>(&self, call: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        if self.is_silent.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        call.await
    }

    fn reply<T>(&self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        if self.loses_replies.load(Ordering::SeqCst) { Err(lost()) } else { result }
    }
}

fn lost() -> StoreError {
    StoreError::Backend("the connection was lost".into())
}

/// Passes the methods of a trait on, besides those that are given.
macro_rules! pass_on {
    ($trait:ident: $($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)* { $($own:tt)* }) => {
        #[async_trait]
        impl $trait for FaultyStore {
            $(async fn $name(&self, $($argument: $type),*) -> Result<$result, StoreError> {
                self.pass(self.store.$name($($argument),*)).await
            })*
            $($own)*
        }
    };
}

pass_on! { JobQueue:
    job_get(org_id: Option<OrgId>, id: JobId) -> Option<Job>;
    job_list(filter: JobFilter) -> JobPage;
    job_claim(kinds: &[JobType], worker: &str, lease: Duration) -> Option<Claim>;
    job_heartbeat(held: &Lease, lease: Duration) -> ();
    job_ask_input(held: &Lease, output: JobOutput) -> ();
    job_fail(held: &Lease, failure: Failure) -> ();
    job_is_held(held: &Lease) -> bool;
    job_cancel(org_id: OrgId, id: JobId) -> Option<Job>;
    job_retry(held: &Lease, wait: Duration) -> ();
    job_release(held: &Lease) -> ();
    job_delete(id: JobId) -> Option<Job>;
    job_has_active_child(parent: JobId) -> bool;
    job_listing_notes(org_id: OrgId, kind: JobType, listing: &str, limit: u32) -> Vec<Map<String, Value>>;
    {
        async fn job_submit(&self, job: NewJob) -> Result<Result<Job, SubmitRefusal>, StoreError> {
            self.reply(self.pass(self.store.job_submit(job)).await)
        }

        async fn job_complete(&self, held: &Lease, output: JobOutput) -> Result<(), StoreError> {
            if self.delays_completions.load(Ordering::SeqCst) {
                self.delayed.lock().unwrap().get_or_insert((held.clone(), output));
                return Err(lost());
            }
            self.pass(self.store.job_complete(held, output)).await
        }

        fn plan_weights_set(&self, weights: BTreeMap<String, u32>) {
            self.store.plan_weights_set(weights);
        }

        fn job_wakes(&self, kinds: &[JobType]) -> Option<watch::Receiver<Wakes>> {
            self.store.job_wakes(kinds)
        }
    }
}

pass_on! { TenantStore:
    org_create(name: &str, plan: &str) -> Organization;
    org_change(id: OrgId, changes: OrgChanges) -> Option<Organization>;
    org_get(id: OrgId) -> Option<Organization>;
    org_list() -> Vec<Organization>;
    quota_used(org_id: OrgId, at: Timestamp) -> u64;
    key_create(org_id: OrgId, key: &ApiKey, scopes: Scopes, expires_at: Option<Timestamp>) -> KeyRecord;
    key_create_within(org_id: OrgId, key: &ApiKey, terms: (Scopes, Option<Timestamp>), limit: u32) -> Option<KeyRecord>;
    key_list(org_id: Option<OrgId>) -> Vec<KeyRecord>;
    key_revoke(id: KeyId) -> bool;
    key_expire(id: KeyId, at: Timestamp) -> bool;
    key_find(hash: KeyHash) -> Option<Credentials>;
    {}
}

pass_on! { UsageStore:
    usage_list(org_id: OrgId, range: UsageRange, after: Option<UsageCursor>, limit: u32) -> Vec<UsageEvent>;
    usage_sums(range: UsageRange) -> Vec<UsageSum>;
    {}
}

pass_on! { IdempotencyStore:
    answer_find(org_id: OrgId, key: &IdempotencyKey) -> Option<Replay>;
    answer_record(org_id: OrgId, key: &IdempotencyKey, answer: RecordedAnswer) -> ();
    {}
}

pass_on! { MarkupStore:
    markup_select(org_id: OrgId, id: JobId, orientation: &str) -> Option<Job>;
    {
        async fn markup_annotate(
            &self,
            org_id: OrgId,
            id: JobId,
            annotation: Annotation,
        ) -> Result<Option<Job>, StoreError> {
            self.reply(self.pass(self.store.markup_annotate(org_id, id, annotation)).await)
        }
    }
}

pass_on! { MaintenanceStore:
    store_check() -> ();
    store_check_use() -> ();
    store_verify() -> ();
    queue_stats() -> QueueStats;
    store_size() -> StoreSize;
    stage_time_add(kind: JobType, stages: Vec<(String, Duration)>) -> ();
    duty_acquire(name: &str, holder: &str, duration: Duration) -> bool;
    job_expire(org_id: OrgId, keep: Duration, limit: u32) -> Vec<JobId>;
    leftovers_expect(org_id: OrgId, job_id: JobId, wait: Duration) -> ();
    leftovers_due(limit: u32) -> Vec<Leftovers>;
    leftovers_clear(cleared: &[Leftovers]) -> ();
    link_secret_init(proposed: &LinkSecret) -> LinkSecret;
    authority_init(proposed: &AuthoritySecret) -> AuthoritySecret;
    {}
}

pass_on! { UploadStore:
    upload_create(new: NewUpload, limits: UploadLimits, keep: Duration) -> Result<Upload, UploadRefusal>;
    upload_get(org_id: OrgId, id: UploadId) -> Option<Upload>;
    upload_append(org_id: OrgId, id: UploadId, part: UploadPart, keep: Duration) -> Result<Upload, UploadRefusal>;
    upload_complete(org_id: OrgId, id: UploadId, photo: UploadedPhoto, keep: Duration) -> Option<Upload>;
    upload_use(org_id: OrgId, id: UploadId, keep: Duration) -> Option<Upload>;
    upload_delete(org_id: OrgId, id: UploadId) -> bool;
    upload_expire(limit: u32) -> usize;
    upload_files(org_id: OrgId, id: UploadId) -> Vec<String>;
    upload_bytes_used(org_id: OrgId, at: Timestamp) -> u64;
    {}
}

pass_on! { ListingStore:
    listing_create(new: NewListing, limit: u32) -> Result<Listing, ListingRefusal>;
    listing_get(org_id: OrgId, id: ListingId) -> Option<Listing>;
    listing_list(filter: ListingFilter) -> ListingPage;
    listing_change(org_id: OrgId, id: ListingId, changes: ListingChanges, keep: Duration)
        -> Result<Listing, ListingRefusal>;
    listing_delete(org_id: OrgId, id: ListingId, keep: Duration) -> bool;
    listing_jobs(org_id: OrgId, id: ListingId, limit: u32) -> Vec<ListingJob>;
    {
        async fn listing_submit(&self, batch: ListingBatch) -> Result<Result<Vec<Job>, BatchRefusal>, StoreError> {
            self.reply(self.pass(self.store.listing_submit(batch)).await)
        }
    }
}

pass_on! { ShareStore:
    share_link_create(new: NewShareLink, limit: u32) -> Result<ShareLink, ShareLinkRefusal>;
    share_link_list(org_id: OrgId, listing: ListingId) -> Vec<ShareLink>;
    share_link_revoke(org_id: OrgId, listing: ListingId, id: ShareLinkId) -> bool;
    share_link_find(token: ShareTokenHash) -> Option<ShareLink>;
    review_add(new: NewReview, limit: u32) -> Result<Review, ReviewRefusal>;
    review_list(filter: ReviewFilter) -> ReviewPage;
    {}
}

pass_on! { EventStore:
    event_position() -> EventPosition;
    event_list(org_id: OrgId, after: EventPosition, limit: u32) -> Vec<Event>;
    event_expire(keep: Duration, limit: u32) -> usize;
    progress_report(held: &Lease, stage: &str, percent: u8) -> ();
    progress_list(org_id: OrgId, limit: u32) -> Vec<JobProgress>;
    {}
}

pass_on! { WebhookStore:
    webhook_create(new: NewWebhook, limit: u32) -> Option<Webhook>;
    webhook_get(org_id: OrgId, id: WebhookId) -> Option<Webhook>;
    webhook_list(org_id: OrgId) -> Vec<Webhook>;
    webhook_change(org_id: OrgId, id: WebhookId, changes: WebhookChanges) -> Option<Webhook>;
    webhook_rotate(org_id: OrgId, id: WebhookId, secret: WebhookSecret) -> Option<Webhook>;
    webhook_delete(org_id: OrgId, id: WebhookId) -> bool;
    webhook_test(org_id: OrgId, id: WebhookId) -> Option<Delivery>;
    delivery_list(org_id: OrgId, id: WebhookId, limit: u32, offset: u64) -> (Vec<Delivery>, u64);
    delivery_replay(org_id: OrgId, webhook: WebhookId, id: DeliveryId) -> Option<Delivery>;
    delivery_claim(limits: (u32, u32), busy: &[WebhookId], lease: Duration) -> Vec<DueDelivery>;
    delivery_settle(id: DeliveryId, attempt: Attempt, again: Option<Duration>) -> Option<Settled>;
    delivery_expire(keep: Duration, limit: u32) -> usize;
    {}
}

pass_on! { TruthPageStore:
    truth_page_create(new: NewTruthPage) -> TruthPage;
    truth_page_of_job(org_id: OrgId, job_id: JobId) -> Option<TruthPage>;
    truth_page_find(code: &str) -> Option<TruthPage>;
    truth_page_revoke(org_id: OrgId, job_id: JobId, erases: bool) -> Option<Result<TruthPage, TruthPageHeld>>;
    truth_page_hold(code: &str, is_held: bool) -> Option<TruthPage>;
    truth_page_list(org_id: Option<OrgId>, limit: u32) -> Vec<TruthPage>;
    truth_page_erase_all(org_id: OrgId) -> Vec<TruthPage>;
    truth_page_expire(limit: u32) -> usize;
    truth_page_files(org_id: OrgId, id: TruthPageId) -> Vec<String>;
    truth_page_bytes(org_id: Option<OrgId>) -> u64;
    {}
}

pass_on! { SessionStore:
    session_start(of: Audience, id: SessionHash, key: KeyHash, limits: SessionLimits) -> ();
    session_find(of: Audience, id: SessionHash, limits: SessionLimits) -> Option<Session>;
    session_touch(of: Audience, id: SessionHash) -> ();
    session_end(of: Audience, id: SessionHash) -> bool;
    {}
}
pass_on! { OperatorStore:
    operator_key_create(key: &OperatorKey, name: &str, expires_at: Option<Timestamp>) -> OperatorKeyRecord;
    operator_key_list() -> Vec<OperatorKeyRecord>;
    operator_key_revoke(id: OperatorKeyId) -> bool;
    operator_key_find(hash: KeyHash) -> Option<OperatorKeyRecord>;
    {}
}

pass_on! { PackStore:
    pack_add(id: ContentHash, manifest: &str) -> Result<(), PackRefusal>;
    pack_publish(id: ContentHash) -> Result<(), PackRefusal>;
    pack_use(id: Option<ContentHash>) -> Result<(), PackRefusal>;
    pack_current() -> Option<ContentHash>;
    pack_list() -> Vec<Pack>;
    pack_remove(id: ContentHash) -> Result<(), PackRefusal>;
    pack_forget(id: ContentHash) -> ();
    job_pack_set(held: &Lease, pack: Option<ContentHash>) -> ();
    {}
}

pass_on! { NodeStore:
    node_beat(node: &Node) -> ();
    node_remove(name: &str) -> ();
    node_list() -> Vec<SeenNode>;
    {
        fn store_connections(&self) -> Option<StoreConnections> {
            self.store.store_connections()
        }
    }
}
