//! What every test starts with.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{
    Clock, Failure, FailureCode, Job, JobId, JobInput, JobLimits, JobType, KeyId, ManualClock, OrgChanges, OrgId,
    RequestId, UsageEvent, UsageRange,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::{Claim, IdempotencyKey, JobFilter, JobOutput, Limiter, MediaStore, NewJob, Store, SubmitRefusal};

pub(super) const LEASE: Duration = Duration::from_secs(15);

const KINDS: &[JobType] = &[JobType::DroneFootage];

/// Opens an empty store in a folder of its own, on a clock.
pub trait OpenStore: AsyncFn(&Path, Arc<dyn Clock>) -> Arc<dyn Store> {}

impl<T: AsyncFn(&Path, Arc<dyn Clock>) -> Arc<dyn Store>> OpenStore for T {}

/// Opens an empty media store; it may use a folder of its own.
pub trait OpenMedia: AsyncFn(&Path) -> MediaStore {}

impl<T: AsyncFn(&Path) -> MediaStore> OpenMedia for T {}

/// Opens a limiter that has counted nothing, on a clock.
pub trait OpenLimiter: AsyncFn(Arc<dyn Clock>) -> Arc<dyn Limiter> {}

impl<T: AsyncFn(Arc<dyn Clock>) -> Arc<dyn Limiter>> OpenLimiter for T {}

/// An empty store with one organization, its clock, and a folder.
pub struct Fixture {
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Arc<ManualClock>,
    pub(super) org: OrgId,
    pub(super) folder: tempfile::TempDir,
}

/// An empty media store, and a folder for local files.
pub(super) struct MediaFixture {
    pub(super) media: MediaStore,
    pub(super) folder: tempfile::TempDir,
}

/// A limiter, its clock, and a key.
pub(super) struct LimiterFixture {
    pub(super) limiter: Arc<dyn Limiter>,
    pub(super) clock: Arc<ManualClock>,
    pub(super) key: KeyId,
}

pub(super) fn run_store(open: impl OpenStore, test: impl AsyncFnOnce(Fixture)) {
    runtime().block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new("2026-03-10T12:00:00Z".parse().unwrap()));
        let store = open(folder.path(), Arc::clone(&clock) as _).await;
        let org = store.org_create("Acme", "starter").await.unwrap().id;
        test(Fixture { store, clock, org, folder }).await;
    });
}

pub(super) fn run_media(open: impl OpenMedia, test: impl AsyncFnOnce(MediaFixture)) {
    runtime().block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let media = open(&folder.path().join("media")).await;
        test(MediaFixture { media, folder }).await;
    });
}

pub(super) fn run_limiter(open: impl OpenLimiter, test: impl AsyncFnOnce(LimiterFixture)) {
    runtime().block_on(async {
        let clock = Arc::new(ManualClock::new("2026-03-10T12:00:00Z".parse().unwrap()));
        let limiter = open(Arc::clone(&clock) as _).await;
        test(LimiterFixture { limiter, clock, key: KeyId::new(Timestamp::UNIX_EPOCH) }).await;
    });
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// A request of a kind, with these fields and the others that it must have.
pub(super) fn request(kind: JobType, fields: &Value) -> JobInput {
    let mut body = json!({"address": "1 Main St", "image_url": "https://a/1", "room_type": "kitchen"});
    fields.as_object().unwrap().iter().for_each(|(name, value)| body[name] = value.clone());
    JobInput::from_body(kind, &body).unwrap()
}

impl Fixture {
    pub(super) fn new_job(&self) -> NewJob {
        NewJob {
            id: JobId::new(self.now()),
            org_id: self.org,
            input: request(JobType::DroneFootage, &json!({})),
            input_media: Default::default(),
            parent_id: None,
            unit_price_cents: 1500,
            request_id: RequestId::new(Timestamp::UNIX_EPOCH),
            idempotency_key: None,
            limits: JobLimits::default(),
        }
    }

    pub(super) fn job_at(&self, address: &str) -> NewJob {
        NewJob { input: request(JobType::DroneFootage, &json!({"address": address})), ..self.new_job() }
    }

    pub(super) async fn submit(&self) -> Job {
        self.store.job_submit(self.new_job()).await.unwrap().unwrap()
    }

    pub(super) async fn submit_address(&self, address: &str) -> Result<JobId, SubmitRefusal> {
        self.store.job_submit(self.job_at(address)).await.unwrap().map(|job| job.id)
    }

    pub(super) async fn submit_with_key(&self, address: &str, key: IdempotencyKey) -> Result<JobId, SubmitRefusal> {
        let new = NewJob { idempotency_key: Some(key), ..self.job_at(address) };
        self.store.job_submit(new).await.unwrap().map(|job| job.id)
    }

    pub(super) async fn claim(&self, worker: &str) -> Option<Claim> {
        self.store.job_claim(KINDS, worker, LEASE).await.unwrap()
    }

    pub(super) async fn claim_any(&self) -> Claim {
        self.store.job_claim(&JobType::ALL, "a", LEASE).await.unwrap().unwrap()
    }

    pub(super) async fn get(&self, id: JobId) -> Job {
        self.store.job_get(Some(self.org), id).await.unwrap().unwrap()
    }

    pub(super) async fn change(&self, changes: OrgChanges) {
        self.store.org_change(self.org, changes).await.unwrap().unwrap();
    }

    pub(super) async fn quota_used(&self) -> u64 {
        self.store.quota_used(self.org, self.now()).await.unwrap()
    }

    pub(super) async fn usage(&self) -> Vec<UsageEvent> {
        let range = UsageRange::parse(Some("2026-03-01"), Some("2026-03-31"), self.now()).unwrap();
        self.store.usage_list(self.org, range, None, 1000).await.unwrap()
    }

    pub(super) fn filter(&self) -> JobFilter {
        JobFilter { org_id: Some(self.org), status: None, job_type: None, limit: 50, offset: 0 }
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(super) fn advance(&self, seconds: i64) {
        self.clock.advance(SignedDuration::from_secs(seconds));
    }
}

pub(super) fn output() -> JobOutput {
    let mut output = JobOutput::default();
    output.fields.insert("duration".into(), json!(10.0));
    output.media.insert("/video_url".into(), "o/j/1/video.mp4".into());
    output
}

pub(super) fn failure() -> Failure {
    Failure::new(FailureCode::AddressNotFound, "No such house.")
}
