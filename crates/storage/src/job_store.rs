//! What a store of jobs has to do.

use std::collections::BTreeMap;
use std::time::Duration;

use aerie_domain::{
    ApiKey, EventId, Failure, Job, JobId, JobStatus, JobType, KeyHash, KeyId, KeyRecord, OrgChanges, OrgId,
    Organization, RequestId, Scopes, UsageEvent, UsageRange,
};
use async_trait::async_trait;
use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::{Answer, Earlier, Once, QueueFigures, Refusal, StoreError};

/// A job to be submitted.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// Identity, from [`JobId::new`]: made by the caller, so that pictures can be kept under it before there is a row.
    pub id: JobId,
    /// Whose it is.
    pub org_id: OrgId,
    /// What it makes.
    pub job_type: JobType,
    /// What was submitted.
    pub input: Value,
    /// JSON Pointers to links in the input, and the keys under which our copies of the pictures lie.
    pub input_media: BTreeMap<String, String>,
    /// The markup that a markup video is made of; the job is refused while another of the same is active.
    pub parent_id: Option<JobId>,
    /// The price in cents, frozen here.
    pub unit_price_cents: i64,
    /// The request that submits it.
    pub request_id: RequestId,
    /// Kept with the job, so that the same request submits no second one.
    pub once: Option<Once>,
}

/// A good key, and whose it is.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// The key's record.
    pub key: KeyRecord,
    /// The organization that it belongs to.
    pub org: Organization,
}

/// Where a page of usage events ended: the next one begins after it.
pub type UsageCursor = (Timestamp, EventId);

/// Which jobs to list.
#[derive(Debug, Clone)]
pub struct JobFilter {
    /// Of one organization, or of all.
    pub org_id: Option<OrgId>,
    /// In this status alone.
    pub status: Option<JobStatus>,
    /// Of this kind alone.
    pub job_type: Option<JobType>,
    /// At most so many.
    pub limit: u32,
    /// After leaving out so many.
    pub offset: u64,
}

/// A page of jobs, newest first (`created_at`, then `id`).
#[derive(Debug, Clone)]
pub struct JobPage {
    /// The jobs.
    pub jobs: Vec<Job>,
    /// How many the filter finds in all, in the same snapshot.
    pub total: u64,
}

/// The right to work on a job. The attempt is the fencing token: each claim has a higher one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The job.
    pub job_id: JobId,
    /// Who holds it.
    pub worker: String,
    /// Number of the claim, from 1.
    pub attempt: u32,
}

/// A job claimed.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The job, as `running`.
    pub job: Job,
    /// The right to work on it.
    pub lease: Lease,
    /// Number of this run among the at most [`aerie_domain::MAX_RUNS`], from 1. A run that was released does not count,
    /// so that this may be less than the attempt.
    pub run: u32,
}

/// What a job made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JobOutput {
    /// The output's fields but for links to media.
    pub fields: Map<String, Value>,
    /// JSON Pointers into the output, and the keys of the media that they link to.
    pub media: BTreeMap<String, String>,
    /// What is not shown, and kept for later jobs.
    pub notes: Map<String, Value>,
}

/// A markup's annotation, fetched.
#[derive(Debug, Clone, PartialEq)]
pub struct Annotation {
    /// The request's body, known fields alone: the same one again is answered as the first time.
    pub body: Value,
    /// Fields that it adds to the output, and the media that they link to.
    pub output: JobOutput,
}

/// Keeps jobs, organizations, keys and usage. Every method is atomic and durable when it returns.
#[async_trait]
pub trait JobStore: Send + Sync {
    /// Looks whether the store answers.
    async fn store_check(&self) -> Result<(), StoreError>;

    /// Looks whether the store can be written to, by writing.
    async fn store_check_writing(&self) -> Result<(), StoreError>;

    /// What there is to do, and what there was.
    async fn queue_figures(&self) -> Result<QueueFigures, StoreError>;

    /// Takes, or keeps, a duty that one process at a time has, for so long; whether it has it.
    async fn duty_take(&self, name: &str, holder: &str, lasts: Duration) -> Result<bool, StoreError>;

    /// Marks as expired at most `limit` jobs of an organization that last changed before a time, the oldest first; not what
    /// is queued or running, or what a video is being made of. Their media may be removed then.
    async fn jobs_expire(&self, org_id: OrgId, before: Timestamp, limit: u32) -> Result<Vec<JobId>, StoreError>;

    /// Adds what the stages of one run have taken.
    async fn engine_time_add(&self, kind: JobType, stages: Vec<(String, Duration)>) -> Result<(), StoreError>;

    /// Keeps a new job, `queued`, and counts it against the month's quota; unless there is a reason not to.
    /// [`StoreError::MarkupRefused`] when it goes on from a job that has an active one.
    async fn job_submit(&self, job: NewJob) -> Result<Result<Job, Refusal>, StoreError>;

    /// The job of that id; with `org_id`, only if it is that organization's.
    async fn job_get(&self, org_id: Option<OrgId>, id: JobId) -> Result<Option<Job>, StoreError>;

    /// A page of jobs and their number, from one snapshot.
    async fn job_list(&self, filter: JobFilter) -> Result<JobPage, StoreError>;

    /// Takes the oldest job of one of these kinds that is queued, or whose lease has run out, for `lease`.
    /// Jobs that have been run as often as they may, and lost, are failed here on the way.
    async fn job_claim(&self, kinds: &[JobType], worker: &str, lease: Duration) -> Result<Option<Claim>, StoreError>;

    /// Lets the lease run for `lease` from now; [`StoreError::LeaseLost`] when it is another's.
    async fn job_heartbeat(&self, held: &Lease, lease: Duration) -> Result<(), StoreError>;

    /// Publishes what was made: status, output and the usage event at once.
    async fn job_complete(&self, held: &Lease, output: JobOutput) -> Result<(), StoreError>;

    /// Publishes what a markup's owner has to choose from: `awaiting_input`, output and the usage event at once.
    async fn job_ask_input(&self, held: &Lease, output: JobOutput) -> Result<(), StoreError>;

    /// Notes of the completed jobs of this kind for a listing of the organization's, oldest first; at most `limit`.
    async fn listing_notes(
        &self,
        org_id: OrgId,
        kind: JobType,
        listing: &str,
        limit: u32,
    ) -> Result<Vec<Map<String, Value>>, StoreError>;

    /// Whether a job that goes on from `parent` is queued or running.
    async fn job_has_active_child(&self, parent: JobId) -> Result<bool, StoreError>;

    /// Selects one of a markup's variants and returns the job as it is then; `None` when the organization has no such
    /// markup, [`StoreError::MarkupRefused`] when the step is not legal now.
    async fn markup_select(&self, org_id: OrgId, id: JobId, orientation: &str) -> Result<Option<Job>, StoreError>;

    /// Completes a markup with its annotation and returns the job as it is then; the same annotation again changes
    /// nothing. `None` and errors as in [`JobStore::markup_select`].
    async fn markup_annotate(&self, org_id: OrgId, id: JobId, with: Annotation) -> Result<Option<Job>, StoreError>;

    /// Ends the job as failed, unbilled; it no longer counts against the quota.
    async fn job_fail(&self, held: &Lease, failure: Failure) -> Result<(), StoreError>;

    /// Gives the job back after a run that failed but may succeed; it can be claimed again after `wait`.
    async fn job_retry(&self, held: &Lease, wait: Duration) -> Result<(), StoreError>;

    /// Gives the job back at once; the run does not count.
    async fn job_release(&self, held: &Lease) -> Result<(), StoreError>;

    /// Removes a job, whatever its status, and says what it was. Usage events stay: they are bills.
    async fn job_delete(&self, id: JobId) -> Result<Option<Job>, StoreError>;

    /// What is known of a request that may have come before.
    async fn answer_find(&self, org_id: OrgId, once: &Once) -> Result<Option<Earlier>, StoreError>;

    /// Keeps the answer to a request that submitted no job ([`NewJob::once`] is for those), unless it has one.
    async fn answer_keep(&self, org_id: OrgId, once: &Once, answer: Answer) -> Result<(), StoreError>;

    /// Creates an organization on a plan, with every kind on, no quota and the configured prices.
    async fn org_create(&self, name: &str, plan: &str) -> Result<Organization, StoreError>;

    /// Changes an organization, if it is there; what it is then.
    async fn org_change(&self, id: OrgId, changes: OrgChanges) -> Result<Option<Organization>, StoreError>;

    /// The organization of that id.
    async fn org_get(&self, id: OrgId) -> Result<Option<Organization>, StoreError>;

    /// Every organization, oldest first.
    async fn org_list(&self) -> Result<Vec<Organization>, StoreError>;

    /// Jobs of the UTC month of `at` that count against the organization's quota.
    async fn quota_used(&self, org_id: OrgId, at: Timestamp) -> Result<u64, StoreError>;

    /// Keeps a key's hash for an organization that exists.
    async fn key_create(
        &self,
        org_id: OrgId,
        key: &ApiKey,
        scopes: Scopes,
        expires_at: Option<Timestamp>,
    ) -> Result<KeyRecord, StoreError>;

    /// Every key, or every key of an organization, revoked ones included, oldest first.
    async fn key_list(&self, org_id: Option<OrgId>) -> Result<Vec<KeyRecord>, StoreError>;

    /// Revokes a key at once and says whether it is there; revoking twice is revoking once.
    async fn key_revoke(&self, id: KeyId) -> Result<bool, StoreError>;

    /// Lets a key end at a time, and says whether it is there.
    async fn key_expire(&self, id: KeyId, at: Timestamp) -> Result<bool, StoreError>;

    /// The key of that hash, if it is good: neither revoked nor expired.
    async fn key_find(&self, hash: KeyHash) -> Result<Option<Credentials>, StoreError>;

    /// At most `limit` of an organization's events of these days, newest first, from the newest or from a cursor on.
    async fn usage_list(
        &self,
        org_id: OrgId,
        range: UsageRange,
        after: Option<UsageCursor>,
        limit: u32,
    ) -> Result<Vec<UsageEvent>, StoreError>;
}
