//! Jobs: submitted by clients, claimed and settled by workers; and the steps of a markup that its owner takes.

use std::collections::BTreeMap;
use std::time::Duration;

use aerie_domain::{Failure, Job, JobId, JobInput, JobLimits, JobStatus, JobType, OrgId, RequestId};
use async_trait::async_trait;
use serde_json::{Map, Value};
use tokio::sync::watch;

use crate::{IdempotencyKey, Replay, StoreError};

/// Keeps jobs and hands them to workers. Every method is atomic and durable when it returns.
#[async_trait]
pub trait JobQueue: Send + Sync {
    /// Inserts a job as `queued`, counts it against the month's quota and records the answer under its idempotency key,
    /// in one transaction; or refuses it.
    ///
    /// [`StoreError::MarkupRefused`] when its parent already has an active job.
    async fn job_submit(&self, job: NewJob) -> Result<Result<Job, SubmitRefusal>, StoreError>;

    /// The job with this id; with `org_id`, only if it belongs to that organization.
    async fn job_get(&self, org_id: Option<OrgId>, id: JobId) -> Result<Option<Job>, StoreError>;

    /// A page of jobs and their total number, from one snapshot.
    async fn job_list(&self, filter: JobFilter) -> Result<JobPage, StoreError>;

    /// Claims a job of these kinds that is queued or whose lease has expired, for `lease`. Organizations take turns,
    /// those of a plan with a weight more often: see [`turns`](crate::backend::turns). Of an organization's kinds, the one
    /// whose last claim is longest ago is next; of one kind, its oldest job. Jobs that have used up their runs are failed on
    /// the way.
    async fn job_claim(&self, kinds: &[JobType], worker: &str, lease: Duration) -> Result<Option<Claim>, StoreError>;

    /// Renews the lease for `lease` from now; [`StoreError::LeaseLost`] when another worker has it.
    async fn job_heartbeat(&self, held: &Lease, lease: Duration) -> Result<(), StoreError>;

    /// Completes the job: status, output and the usage event in one transaction.
    async fn job_complete(&self, held: &Lease, output: JobOutput) -> Result<(), StoreError>;

    /// Ends the run with output that the owner has to choose from: `awaiting_input`, output and the usage event in one
    /// transaction.
    async fn job_ask_input(&self, held: &Lease, output: JobOutput) -> Result<(), StoreError>;

    /// Fails the job. It is not billed and no longer counts against the quota.
    async fn job_fail(&self, held: &Lease, failure: Failure) -> Result<(), StoreError>;

    /// Whether the lease still holds: the job was neither taken by another worker, nor canceled. Cheap, so that it can be asked
    /// every second.
    async fn job_is_held(&self, held: &Lease) -> Result<bool, StoreError>;

    /// Cancels a job of the organization: one that is queued or running fails with the code `CANCELED`, is not billed and no longer
    /// counts against the quota; its worker loses the lease. Returns the job as it is now, whether or not it could be canceled.
    async fn job_cancel(&self, org_id: OrgId, id: JobId) -> Result<Option<Job>, StoreError>;

    /// Returns the job after a failed run that may succeed next time; it can be claimed again after `wait`.
    async fn job_retry(&self, held: &Lease, wait: Duration) -> Result<(), StoreError>;

    /// Returns the job at once; the run does not count.
    async fn job_release(&self, held: &Lease) -> Result<(), StoreError>;

    /// Deletes a job in any status and returns it. Usage events stay: they are bills.
    async fn job_delete(&self, id: JobId) -> Result<Option<Job>, StoreError>;

    /// Whether a job whose parent is `parent` is queued or running.
    async fn job_has_active_child(&self, parent: JobId) -> Result<bool, StoreError>;

    /// Notes of the organization's completed jobs of this kind for a listing, oldest first, `limit` at most.
    async fn job_listing_notes(
        &self,
        org_id: OrgId,
        kind: JobType,
        listing: &str,
        limit: u32,
    ) -> Result<Vec<Map<String, Value>>, StoreError>;

    /// Sets how many turns the organizations of each plan get in the claims of this process; 1 for other plans.
    fn plan_weights_set(&self, weights: BTreeMap<String, u32>);

    /// Changes after jobs of these kinds were submitted by any process. Of several in a short time, or while the signal is interrupted, some
    /// are not reported, so callers poll as well. `None` where the store has no such signal.
    fn job_wakes(&self, _kinds: &[JobType]) -> Option<watch::Receiver<Wakes>> {
        None
    }

    /// Selects one of a markup's variants and returns the updated job. `None` when the organization has no such markup,
    /// [`StoreError::MarkupRefused`] when the step is not allowed now.
    async fn markup_select(&self, org_id: OrgId, id: JobId, orientation: &str) -> Result<Option<Job>, StoreError>;

    /// Completes a markup with its annotation and returns the updated job; repeating the same annotation changes nothing.
    /// `None` and errors as in [`JobQueue::markup_select`].
    async fn markup_annotate(
        &self,
        org_id: OrgId,
        id: JobId,
        annotation: Annotation,
    ) -> Result<Option<Job>, StoreError>;
}

/// What is known of jobs submitted by any process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wakes {
    /// Increases when there may be a job to claim.
    pub number: u64,
    /// Whether submits are being reported now.
    pub is_listening: bool,
}

/// A job to be submitted.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// From [`JobId::new`]. The caller makes it, so that input pictures can be stored under it before the row exists.
    pub id: JobId,
    /// The organization that submits it.
    pub org_id: OrgId,
    /// The request.
    pub input: JobInput,
    /// JSON Pointers to links in the input, and the media keys of our copies.
    pub input_media: BTreeMap<String, String>,
    /// The markup that a markup video is made from. A second job with the same parent is refused while the first is active.
    pub parent_id: Option<JobId>,
    /// Price in cents, fixed at submit.
    pub unit_price_cents: i64,
    /// The request that submits it.
    pub request_id: RequestId,
    /// The request's idempotency key.
    pub idempotency_key: Option<IdempotencyKey>,
    /// Limits of the organization's plan.
    pub limits: JobLimits,
}

/// Why a job is refused although the store works.
#[derive(Debug, Clone, PartialEq)]
pub enum SubmitRefusal {
    /// The organization's monthly quota is used up.
    QuotaExhausted {
        /// Jobs a month.
        quota: u32,
    },
    /// The organization has as many queued jobs as its plan allows.
    QueueFull {
        /// Jobs at once.
        limit: u32,
    },
    /// As many of the organization's jobs have failed in this UTC day as its plan allows.
    TooManyFailed {
        /// Jobs a day.
        limit: u32,
    },
    /// The organization rejects duplicates, and this active job has the same input.
    Duplicate(JobId),
    /// The idempotency key was used before.
    Replay(Replay),
}

/// Selects jobs to list.
#[derive(Debug, Clone)]
pub struct JobFilter {
    /// One organization; `None` for all.
    pub org_id: Option<OrgId>,
    /// One status; `None` for all.
    pub status: Option<JobStatus>,
    /// One kind; `None` for all.
    pub job_type: Option<JobType>,
    /// Maximum number of rows.
    pub limit: u32,
    /// Number of rows to skip.
    pub offset: u64,
}

/// A page of jobs, newest first (`created_at`, then `id`).
#[derive(Debug, Clone)]
pub struct JobPage {
    /// The jobs.
    pub jobs: Vec<Job>,
    /// Number of jobs that match the filter, from the same snapshot.
    pub total: u64,
}

/// The right to work on a job. `attempt` is the fencing token: each claim has a higher one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The job.
    pub job_id: JobId,
    /// Name of the worker that holds the lease.
    pub worker: String,
    /// Number of the claim, from 1.
    pub attempt: u32,
}

/// A claimed job.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The job, now `running`.
    pub job: Job,
    /// The right to work on it.
    pub lease: Lease,
    /// Number of this run out of [`aerie_domain::MAX_RUNS`], from 1. Released runs do not count, so that this may be less
    /// than the attempt.
    pub run: u32,
}

/// The result of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JobOutput {
    /// Fields of the output, without links to media.
    pub fields: Map<String, Value>,
    /// JSON Pointers into the output, and the keys of the media that they link to.
    pub media: BTreeMap<String, String>,
    /// Internal data for later jobs; clients do not see it.
    pub notes: Map<String, Value>,
}

/// The annotation of a markup, with its pictures stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Annotation {
    /// The request body, known fields only. The same body again gets the first answer.
    pub body: Value,
    /// Fields that it adds to the output, and the media that they link to.
    pub output: JobOutput,
}
