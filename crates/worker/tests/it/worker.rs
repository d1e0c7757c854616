//! A worker with engines that work, fail, crash, hang and lose their lease, on a real store, with short times.

mod outages;
mod signing;
mod stopping;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use aerie_domain::{
    Clock, FailureCode, Job, JobId, JobInput, JobLimits, JobStatus, JobType, OrgId, RequestId, SystemClock, UsageRange,
};
use aerie_engine_api::{EngineContext, EngineError, Produced, ProducedFile, Sources};
use aerie_storage::{Capacity, LocalMedia, MediaStore, NewJob, Store};
use aerie_storage_sqlite::SqliteStore;
use aerie_storage_sqlite::testing::{StoredJob, insert_jobs};
use aerie_worker::{Engines, Pace, Phase, Signing, Worker};
use jiff::Timestamp;
use object_store::ObjectStoreExt;
use object_store::memory::InMemory;
use object_store::throttle::{ThrottleConfig, ThrottledStore};
use serde_json::json;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

type Run = Box<dyn Fn(u32, &EngineContext<'_>) -> Result<Produced, EngineError> + Send + Sync>;

/// An engine that runs the test's function, with the number of earlier runs.
struct FakeEngine {
    runs: AtomicU32,
    run: Run,
}

impl Engines for FakeEngine {
    fn kinds(&self) -> Vec<JobType> {
        vec![JobType::DroneFootage, JobType::Markup, JobType::MarkupVideo]
    }

    fn run(&self, _: &JobInput, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
        (self.run)(self.runs.fetch_add(1, Ordering::SeqCst), context)
    }
}

fn engine(
    run: impl Fn(u32, &EngineContext<'_>) -> Result<Produced, EngineError> + Send + Sync + 'static,
) -> Arc<FakeEngine> {
    Arc::new(FakeEngine { runs: AtomicU32::new(0), run: Box::new(run) })
}

fn film(context: &EngineContext<'_>, content: &str) -> Result<Produced, EngineError> {
    let path = context.out_dir.join("video.mp4");
    std::fs::write(&path, content).map_err(|error| EngineError::Retry(error.to_string()))?;
    let files = vec![ProducedFile::new("video_url", path, "video/mp4")];
    let mut fields = serde_json::Map::new();
    fields.insert("duration".into(), json!(10.0));
    Ok(Produced { files, fields, ..Produced::default() })
}

fn until_canceled(context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    while !context.cancel.is_canceled() {
        std::thread::sleep(Duration::from_millis(5));
    }
    Err(EngineError::Canceled)
}

fn quick() -> Pace {
    Pace {
        lease: Duration::from_millis(600),
        heartbeat: Duration::from_millis(100),
        check: Duration::from_secs(3600),
        poll: Duration::from_millis(20),
        idle_poll: Duration::from_millis(20),
        retry_wait: Duration::from_millis(10),
        run_limit: Duration::from_secs(20),
        stop_limit: Duration::from_secs(5),
        outage_wait: Duration::from_millis(20),
        outage_check: Duration::from_secs(5),
        outage_patience: Duration::from_millis(300),
        pack_wait: Duration::from_millis(50),
    }
}

/// A store with one organization, and workers on it.
struct Fixture {
    folder: tempfile::TempDir,
    store: Arc<dyn Store>,
    media: MediaStore,
    org_id: OrgId,
}

struct Running {
    phase: watch::Sender<Phase>,
    wake: Arc<Notify>,
    task: JoinHandle<()>,
}

impl Running {
    async fn stop(self) {
        self.phase.send(Phase::Stopping).unwrap();
        self.task.await.unwrap();
    }
}

impl Fixture {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("test.db"), Arc::new(SystemClock)).unwrap();
        let store: Arc<dyn Store> = Arc::new(store);
        let media = LocalMedia::open(&folder.path().join("media")).unwrap().store().clone();
        let org_id = store.org_create("Acme", "starter").await.unwrap().id;
        Self { folder, store, media, org_id }
    }

    fn new_job(&self) -> NewJob {
        NewJob {
            id: JobId::new(SystemClock.now()),
            org_id: self.org_id,
            input: JobInput::from_body(JobType::DroneFootage, &json!({"address": "1 Main St"})).unwrap(),
            input_media: BTreeMap::new(),
            parent_id: None,
            unit_price_cents: 1500,
            request_id: RequestId::new(Timestamp::UNIX_EPOCH),
            idempotency_key: None,
            limits: JobLimits::default(),
        }
    }

    async fn submit(&self) -> JobId {
        self.store.job_submit(self.new_job()).await.unwrap().unwrap().id
    }

    /// Submits a job with a stored picture.
    async fn submit_with_input(&self) -> JobId {
        let id = JobId::new(SystemClock.now());
        let input = self.folder.path().join("input");
        std::fs::write(&input, "input").unwrap();
        let key = format!("{}/{id}/input/image.png", self.org_id);
        self.media.media_put(&key, &input).await.unwrap();
        let new = NewJob { id, input_media: [("/image_url".to_owned(), key)].into(), ..self.new_job() };
        self.store.job_submit(new).await.unwrap().unwrap().id
    }

    fn start(&self, name: &str, engines: Arc<FakeEngine>, pace: Pace) -> Running {
        self.start_signing(name, engines, pace, None)
    }

    fn start_signing(
        &self,
        name: &str,
        engines: Arc<FakeEngine>,
        pace: Pace,
        signing: Option<Arc<dyn Signing>>,
    ) -> Running {
        let worker = Worker {
            name: name.into(),
            store: Arc::clone(&self.store),
            media: self.media.clone(),
            engines,
            signing,
            kinds: JobType::ALL.to_vec(),
            data_dir: self.folder.path().to_owned(),
            sources: Sources::default(),
            capacity: Capacity::unlimited(),
            pace,
            busy: watch::Sender::new(false),
            pack: watch::Sender::new(None),
        };
        let (phase, phases) = watch::channel(Phase::Working);
        let wake = Arc::new(Notify::new());
        let woken = Arc::clone(&wake);
        let task = tokio::spawn(async move { worker.run(&woken, phases).await });
        Running { phase, wake, task }
    }

    async fn get(&self, id: JobId) -> Job {
        self.store.job_get(None, id).await.unwrap().unwrap()
    }

    async fn until(&self, id: JobId, what: impl Fn(&Job) -> bool) -> Job {
        let started = Instant::now();
        loop {
            let job = self.get(id).await;
            if what(&job) {
                return job;
            }
            assert!(started.elapsed() < Duration::from_secs(20), "the job is still {job:?}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    async fn ended(&self, id: JobId) -> Job {
        self.until(id, |job| job.status.is_terminal()).await
    }

    async fn bills(&self) -> usize {
        let range = UsageRange::parse(Some("2020-01-01"), None, Timestamp::now()).unwrap();
        self.store.usage_list(self.org_id, range, None, 100).await.unwrap().len()
    }

    fn media_files(&self) -> Vec<String> {
        let mut files = Vec::new();
        list(&self.folder.path().join("media"), &mut files);
        files
    }

    fn working_folders(&self) -> usize {
        std::fs::read_dir(self.folder.path().join("work")).map_or(0, Iterator::count)
    }
}

fn list(folder: &Path, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(&path, files);
        } else {
            files.push(std::fs::read_to_string(path).unwrap());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_run_and_published_with_its_files() {
    let fixture = Fixture::new().await;
    let id = fixture.submit().await;
    let worker = fixture.start("a", engine(|_, context| film(context, "film")), quick());
    let job = fixture.ended(id).await;
    assert_eq!(job.status, JobStatus::Completed);
    assert_eq!(job.output, *json!({"duration": 10.0}).as_object().unwrap());
    assert_eq!(job.media["/video_url"], format!("{}/{id}/1/video.mp4", fixture.org_id));
    assert_eq!(fixture.media.media_head(&job.media["/video_url"]).await.unwrap().size, 4);
    assert_eq!(fixture.bills().await, 1);
    worker.stop().await;
    assert_eq!(fixture.working_folders(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_gets_its_input_pictures_and_the_output_links_to_them() {
    let f = Fixture::new().await;
    let id = JobId::new(SystemClock.now());
    let input = f.folder.path().join("input");
    std::fs::write(&input, "input").unwrap();
    f.media.media_put(&format!("{}/{id}/input/image.png", f.org_id), &input).await.unwrap();
    let new = NewJob {
        id,
        org_id: f.org_id,
        input: JobInput::from_body(JobType::Markup, &json!({"address": "1 Main St"})).unwrap(),
        input_media: [("/image_url".to_owned(), format!("{}/{id}/input/image.png", f.org_id))].into(),
        parent_id: None,
        unit_price_cents: 1000,
        request_id: RequestId::new(Timestamp::UNIX_EPOCH),
        idempotency_key: None,
        limits: JobLimits::default(),
    };
    f.store.job_submit(new).await.unwrap().unwrap();
    let variants = engine(|_, context| {
        let path = context.out_dir.join("left.png");
        assert_eq!(std::fs::read_to_string(context.input("image_url")?).unwrap(), "input");
        std::fs::write(&path, "left").map_err(|error| EngineError::Retry(error.to_string()))?;
        let files = vec![ProducedFile::new("orientation_variants/0/enhanced_url", path, "image/png")];
        let mut fields = serde_json::Map::new();
        fields.insert("orientation_variants".into(), json!([{"key": "left"}]));
        Ok(Produced {
            files,
            fields,
            originals: vec![("original_url".into(), "image_url".into())],
            ..Produced::default()
        })
    });
    let worker = f.start("a", variants, quick());
    let job = f.until(id, |job| job.status == JobStatus::AwaitingInput).await;
    worker.stop().await;
    let kept = format!("{}/{id}/1/left.png", f.org_id);
    let input_key = format!("{}/{id}/input/image.png", f.org_id);
    let links = [("/orientation_variants/0/enhanced_url", kept), ("/original_url", input_key)];
    assert_eq!(job.media, links.map(|(field, key)| (field.to_owned(), key)).into());
    let mut files = f.media_files();
    files.sort();
    assert_eq!((files, f.bills().await), (vec!["input".to_owned(), "left".to_owned()], 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_gets_the_output_of_the_parent_job() {
    let f = Fixture::new().await;
    let first = f.submit().await;
    let made = engine(|_, context| {
        assert!(context.parent.is_none());
        let mut made = film(context, "film")?;
        made.notes.insert("kept".into(), json!(7));
        Ok(made)
    });
    let worker = f.start("a", made, quick());
    f.ended(first).await;
    worker.stop().await;

    let new = |parent_id| NewJob {
        id: JobId::new(SystemClock.now()),
        org_id: f.org_id,
        input: JobInput::from_body(JobType::MarkupVideo, &json!({})).unwrap(),
        input_media: BTreeMap::new(),
        parent_id: Some(parent_id),
        unit_price_cents: 1000,
        request_id: RequestId::new(Timestamp::UNIX_EPOCH),
        idempotency_key: None,
        limits: JobLimits::default(),
    };
    let id = f.store.job_submit(new(first)).await.unwrap().unwrap().id;
    let child = engine(|_, context| {
        let parent = context.parent.expect("it has a parent");
        assert_eq!((&parent.output["duration"], &parent.notes["kept"]), (&json!(10.0), &json!(7)));
        assert_eq!(std::fs::read_to_string(&parent.pictures["video_url"]).unwrap(), "film");
        film(context, "second")
    });
    let worker = f.start("b", child, quick());
    assert_eq!(f.ended(id).await.status, JobStatus::Completed);
    worker.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stored_input_that_this_version_cannot_read_is_tried_again_and_fails_the_job_in_the_end() {
    let f = Fixture::new().await;
    let id = JobId::new(SystemClock.now());
    let stored = StoredJob {
        id: id.to_string(),
        kind: JobType::DroneFootage,
        status: JobStatus::Queued,
        input: json!({"address": "1 Main St", "options": {"direction": "sideways"}}),
        media: json!({}),
        at: Timestamp::now().as_millisecond(),
    };
    insert_jobs(&f.folder.path().join("test.db"), &f.org_id.to_string(), std::iter::once(stored)).unwrap();
    let worker = f.start("a", engine(|_, _| unreachable!("there is no request")), quick());
    let job = f.ended(id).await;
    worker.stop().await;
    assert_eq!((job.status, job.attempt, &job.output["error"]["code"]), (JobStatus::Failed, 3, &json!("ENGINE_ERROR")));
    assert_eq!(job.input["options"]["direction"], "sideways");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_cannot_be_done_fails_at_once_with_the_engines_message() {
    let fixture = Fixture::new().await;
    let id = fixture.submit().await;
    let fails = engine(|_, _| Err(EngineError::fail(FailureCode::AddressNotFound, "No such house.")));
    let worker = fixture.start("a", Arc::clone(&fails), quick());
    let job = fixture.ended(id).await;
    assert_eq!(job.output["error"], json!({"code": "ADDRESS_NOT_FOUND", "message": "No such house."}));
    worker.stop().await;
    assert_eq!((fails.runs.load(Ordering::SeqCst), fixture.bills().await), (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_run_is_retried_and_counts_once() {
    let fixture = Fixture::new().await;
    let id = fixture.submit().await;
    let engine = engine(|run, context| match run {
        0 => Err(EngineError::Retry("the disk hiccuped".into())),
        1 => panic!("a panicking engine costs one run"),
        _ => film(context, "film"),
    });
    let worker = fixture.start("a", engine, quick());
    let job = fixture.ended(id).await;
    assert_eq!((job.status, job.attempt), (JobStatus::Completed, 3));
    assert_eq!((fixture.bills().await, fixture.media_files()), (1, vec!["film".to_owned()]));
    worker.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_three_failed_runs_the_job_fails_without_internal_details() {
    let fixture = Fixture::new().await;
    let id = fixture.submit().await;
    let poison = engine(|_, _| Err(EngineError::Retry("/secret/path: exploded".into())));
    let worker = fixture.start("a", Arc::clone(&poison), quick());
    let job = fixture.ended(id).await;
    assert_eq!((job.status, &job.output["error"]["code"]), (JobStatus::Failed, &json!("ENGINE_ERROR")));
    assert!(!job.output["error"]["message"].as_str().unwrap().contains("secret"));
    worker.stop().await;
    assert_eq!((poison.runs.load(Ordering::SeqCst), fixture.bills().await), (3, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_lease_stops_the_engine_and_publishes_nothing() {
    let fixture = Fixture::new().await;
    let id = fixture.submit().await;
    // Its heartbeats come too late: at the first, another worker has the job.
    let slow = Pace { lease: Duration::from_millis(100), heartbeat: Duration::from_millis(1500), ..quick() };
    let loser =
        fixture.start("loser", engine(|_, context| until_canceled(context).or_else(|_| film(context, "late"))), slow);
    fixture.until(id, |job| job.attempt == 1).await;
    let winner = fixture.start("winner", engine(|_, context| film(context, "film")), quick());
    let job = fixture.ended(id).await;
    assert_eq!((job.status, job.attempt), (JobStatus::Completed, 2));
    loser.stop().await;
    winner.stop().await;
    assert_eq!((fixture.bills().await, fixture.media_files()), (1, vec!["film".to_owned()]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_canceled_job_stops_its_engine_within_two_seconds_and_is_not_billed() {
    let fixture = Fixture::new().await;
    let id = fixture.submit().await;
    let (stopped, at) = std::sync::mpsc::channel();
    let busy = engine(move |_, context| {
        let canceled = until_canceled(context);
        stopped.send(std::time::Instant::now()).unwrap();
        canceled
    });
    // Its heartbeats alone would tell too late.
    let default = Pace::default();
    let pace = Pace { lease: default.lease, heartbeat: Duration::from_secs(3600), check: default.check, ..quick() };
    let worker = fixture.start("a", busy, pace);
    let job = fixture.until(id, |job| job.attempt == 1).await;
    let asked = std::time::Instant::now();
    fixture.store.job_cancel(job.org_id, id).await.unwrap();
    let took = tokio::task::spawn_blocking(move || at.recv().unwrap() - asked).await.unwrap();
    assert!(took < Duration::from_secs(2), "{took:?}");
    worker.stop().await;
    let job = fixture.get(id).await;
    assert_eq!((job.status, &job.output["error"]["code"]), (JobStatus::Failed, &serde_json::json!("CANCELED")));
    assert_eq!((fixture.bills().await, fixture.media_files()), (0, Vec::<String>::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_suspended_past_its_lease_discards_its_output() {
    let fixture = Fixture::new().await;
    let id = fixture.submit().await;
    // As a suspended process, it renews no lease while the engine runs; then it tries to publish.
    let asleep = Pace { lease: Duration::from_millis(100), heartbeat: Duration::from_secs(3600), ..quick() };
    let late = engine(|_, context| {
        std::thread::sleep(Duration::from_millis(1200));
        // The winner has removed the folder; this engine creates it again.
        std::fs::create_dir_all(context.out_dir).unwrap();
        film(context, "late")
    });
    let loser = fixture.start("loser", late, asleep);
    fixture.until(id, |job| job.attempt == 1).await;
    tokio::time::sleep(Duration::from_millis(150)).await;
    let winner = fixture.start("winner", engine(|_, context| film(context, "film")), quick());
    fixture.ended(id).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let job = fixture.get(id).await;
    assert_eq!((job.status, job.attempt), (JobStatus::Completed, 2));
    assert_eq!((fixture.bills().await, fixture.media_files()), (1, vec!["film".to_owned()]));
    loser.stop().await;
    winner.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_hangs_is_left_behind_and_the_job_runs_again() {
    let fixture = Fixture::new().await;
    let id = fixture.submit().await;
    let hangs = engine(|_, _| {
        std::thread::sleep(Duration::from_secs(5));
        Err(EngineError::Retry("too late".into()))
    });
    let pace = Pace { run_limit: Duration::from_millis(200), stop_limit: Duration::from_millis(100), ..quick() };
    let stuck = fixture.start("a", hangs, pace);
    fixture.until(id, |job| job.attempt == 1).await;
    // It ends, without waiting for its engine.
    stuck.phase.send(Phase::Draining).unwrap();
    stuck.task.await.unwrap();
    let worker = fixture.start("b", engine(|_, context| film(context, "film")), quick());
    assert_eq!(fixture.ended(id).await.status, JobStatus::Completed);
    worker.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wake_starts_a_job_without_waiting_for_the_next_poll() {
    let fixture = Fixture::new().await;
    let pace = Pace { poll: Duration::from_secs(3600), ..quick() };
    let worker = fixture.start("a", engine(|_, context| film(context, "film")), pace);
    tokio::time::sleep(Duration::from_millis(100)).await;
    let id = fixture.submit().await;
    worker.wake.notify_one();
    assert_eq!(fixture.ended(id).await.status, JobStatus::Completed);
    worker.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn heartbeats_keep_the_lease_of_a_long_job() {
    let fixture = Fixture::new().await;
    let id = fixture.submit().await;
    let long = engine(|_, context| {
        std::thread::sleep(Duration::from_millis(1500));
        film(context, "film")
    });
    let first = fixture.start("a", long, quick());
    fixture.until(id, |job| job.attempt == 1).await;
    let second = fixture.start("b", engine(|_, context| film(context, "other")), quick());
    let job = fixture.ended(id).await;
    assert_eq!((job.attempt, fixture.media_files()), (1, vec!["film".to_owned()]));
    first.stop().await;
    second.stop().await;
}

/// The same media on a backend that is slow. In memory: the throttle cannot read files.
async fn slow(f: &Fixture, config: ThrottleConfig) -> MediaStore {
    let folder = f.folder.path().join("media");
    let objects = InMemory::new();
    let mut folders = vec![folder.clone()];
    while let Some(at) = folders.pop() {
        for entry in std::fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let key = path.strip_prefix(&folder).unwrap().to_str().unwrap();
                objects.put(&key.into(), std::fs::read(&path).unwrap().into()).await.unwrap();
            }
        }
    }
    MediaStore::new(Arc::new(ThrottledStore::new(objects, config)))
}

/// Longer than the lease of [`quick`].
const LATE: Duration = Duration::from_millis(1500);

#[tokio::test(flavor = "multi_thread")]
async fn the_lease_is_kept_while_inputs_are_fetched_and_outputs_stored() {
    for config in [
        ThrottleConfig { wait_get_per_call: LATE, ..ThrottleConfig::default() },
        ThrottleConfig { wait_put_per_call: LATE, ..ThrottleConfig::default() },
    ] {
        let mut f = Fixture::new().await;
        let id = f.submit_with_input().await;
        f.media = slow(&f, config).await;
        let engines = [(); 2].map(|()| engine(|_, context| film(context, "film")));
        let first = f.start("a", Arc::clone(&engines[0]), quick());
        f.until(id, |job| job.attempt == 1).await;
        let second = f.start("b", Arc::clone(&engines[1]), quick());
        let job = f.ended(id).await;
        assert_eq!((job.status, job.attempt), (JobStatus::Completed, 1), "{config:?}");
        first.stop().await;
        second.stop().await;
        assert_eq!(engines.map(|engine| engine.runs.load(Ordering::SeqCst)), [1, 0]);
        assert_eq!(f.bills().await, 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fetch_that_takes_too_long_is_retried_and_fails_the_job_in_the_end() {
    let mut f = Fixture::new().await;
    let id = f.submit_with_input().await;
    f.media =
        slow(&f, ThrottleConfig { wait_get_per_call: Duration::from_secs(30), ..ThrottleConfig::default() }).await;
    let pace = Pace { run_limit: Duration::from_millis(200), ..quick() };
    let worker = f.start("a", engine(|_, context| film(context, "film")), pace);
    let job = f.ended(id).await;
    assert_eq!((job.status, job.attempt, &job.output["error"]["code"]), (JobStatus::Failed, 3, &json!("ENGINE_ERROR")));
    worker.stop().await;
    assert_eq!((f.working_folders(), f.bills().await), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn folders_of_killed_processes_are_removed_once_the_job_has_ended() {
    let fixture = Fixture::new().await;
    let id = fixture.submit().await;
    fixture.start("a", engine(|_, context| film(context, "film")), quick()).stop_after(&fixture, id).await;
    let work = fixture.folder.path().join("work");
    std::fs::create_dir_all(work.join(id.to_string()).join("1")).unwrap();
    std::fs::create_dir_all(work.join("someone's own")).unwrap();
    let worker = fixture.start("b", engine(|_, context| film(context, "film")), quick());
    let next = fixture.submit().await;
    fixture.ended(next).await;
    worker.stop().await;
    let left: Vec<_> = std::fs::read_dir(work).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["someone's own"]);
}

impl Running {
    async fn stop_after(self, fixture: &Fixture, id: JobId) {
        fixture.ended(id).await;
        self.stop().await;
    }
}
