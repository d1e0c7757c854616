//! Published packs: fetched, verified, switched and removed, on a real store and a media folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use aerie_domain::{Clock, ContentHash, Job, JobId, JobInput, JobLimits, JobStatus, JobType, RequestId, SystemClock};
use aerie_engine_api::{EngineContext, EngineError, Produced, Sources};
use aerie_storage::pack_files::{self, PackError};
use aerie_storage::{
    Capacity, LocalMedia, ManifestError, MediaStore, NewJob, PackManifest, PackSource, Store, pack_manifest,
};
use aerie_storage_sqlite::SqliteStore;
use aerie_worker::{Engines, Pace, Phase, Worker};
use jiff::Timestamp;
use serde_json::json;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

type Look = Box<dyn Fn(&Path) -> Result<(), EngineError> + Send + Sync>;

/// An engine that looks at its pack.
struct Looking(Look);

impl Engines for Looking {
    fn kinds(&self) -> Vec<JobType> {
        JobType::ALL.to_vec()
    }

    fn run(&self, _: &JobInput, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
        (self.0)(context.pack_dir)?;
        Ok(Produced::default())
    }
}

/// A store with an organization, media, and maps to publish.
struct Fixture {
    folder: tempfile::TempDir,
    store: Arc<dyn Store>,
    media: MediaStore,
    org: aerie_domain::OrgId,
}

struct Running {
    phase: watch::Sender<Phase>,
    pack: watch::Receiver<Option<ContentHash>>,
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
        let store: Arc<dyn Store> =
            Arc::new(SqliteStore::open(&folder.path().join("test.db"), Arc::new(SystemClock)).unwrap());
        let media = LocalMedia::open(&folder.path().join("media")).unwrap().store().clone();
        let org = store.org_create("Acme", "starter").await.unwrap().id;
        Self { folder, store, media, org }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, content: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// Publishes the maps of the folder `maps`.
    async fn publish(&self) -> ContentHash {
        let source = PackSource::read(&self.path("maps"), &|_| {}).unwrap();
        source.publish(&*self.store, &self.media, false, &|_| {}).await.unwrap();
        source.manifest.id()
    }

    /// The object of a content.
    fn object(&self, content: &str) -> PathBuf {
        let hash = pack_files::hash_of(&mut content.as_bytes()).unwrap();
        self.path("media").join(pack_manifest::key(hash))
    }

    async fn submit(&self, job_type: JobType) -> JobId {
        let body = json!({"address": "1 Main St", "image_url": "u", "room_type": "kitchen"});
        let new = NewJob {
            id: JobId::new(SystemClock.now()),
            org_id: self.org,
            input: JobInput::from_body(job_type, &body).unwrap(),
            input_media: BTreeMap::new(),
            parent_id: None,
            unit_price_cents: 1,
            request_id: RequestId::new(Timestamp::UNIX_EPOCH),
            idempotency_key: None,
            limits: JobLimits::default(),
        };
        self.store.job_submit(new).await.unwrap().unwrap().id
    }

    /// Starts a worker in the data folder `worker`, whose engine looks at its pack.
    fn start(&self, look: impl Fn(&Path) -> Result<(), EngineError> + Send + Sync + 'static) -> Running {
        let pack = watch::Sender::new(None);
        let packs = pack.subscribe();
        let worker = Worker {
            name: JobId::new(SystemClock.now()).to_string(),
            store: Arc::clone(&self.store),
            media: self.media.clone(),
            engines: Arc::new(Looking(Box::new(look))),
            signing: None,
            kinds: JobType::ALL.to_vec(),
            data_dir: self.path("worker"),
            sources: Sources::default(),
            capacity: Capacity::unlimited(),
            pace: Pace {
                poll: Duration::from_millis(20),
                idle_poll: Duration::from_millis(20),
                pack_wait: Duration::from_millis(300),
                ..Pace::default()
            },
            busy: watch::Sender::new(false),
            pack,
        };
        let (phase, phases) = watch::channel(Phase::Working);
        let task = tokio::spawn(async move { worker.run(&Notify::new(), phases).await });
        Running { phase, pack: packs, task }
    }

    async fn until(&self, id: JobId, what: impl Fn(&Job) -> bool) -> Job {
        let started = Instant::now();
        loop {
            let job = self.store.job_get(None, id).await.unwrap().unwrap();
            if what(&job) {
                return job;
            }
            assert!(started.elapsed() < Duration::from_secs(20), "the job is still {job:?}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    async fn completed(&self, id: JobId) -> Job {
        let job = self.until(id, |job| job.status.is_terminal()).await;
        assert_eq!(job.status, JobStatus::Completed, "{:?}", job.output);
        job
    }

    /// The packs of which the worker has a copy, and whatever else is there.
    fn copies(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path("worker/packs")).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().into_string().unwrap());
        names.filter(|name| name != "lock").collect()
    }
}

fn is(path: PathBuf, content: &str) -> Result<(), EngineError> {
    let found =
        fs::read_to_string(&path).map_err(|error| EngineError::Retry(format!("{}: {error}", path.display())))?;
    if found == content { Ok(()) } else { Err(EngineError::Retry(format!("{} is {found}", path.display()))) }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_reads_the_pack_that_is_published_when_its_run_begins() {
    let f = Fixture::new().await;
    f.write("worker/pack/region.gpkg", "own");
    f.write("maps/pack/region.gpkg", "map 1");
    f.write("maps/pack/terrain/N46W031.hgt", "hills");
    f.write("maps/furniture/Sofa ü.glb", "sofa");
    f.write("maps/pack/import.lock", "");
    f.write("maps/pack/.importing-x/region.gpkg", "half");
    let (sender, looked) = mpsc::channel();
    let worker = f.start(move |pack| {
        sender.send(fs::read_to_string(pack.join("pack/region.gpkg")).unwrap()).unwrap();
        if pack.join("furniture").exists() {
            is(pack.join("furniture/Sofa ü.glb"), "sofa")?;
            is(pack.join("pack/terrain/N46W031.hgt"), "hills")?;
        }
        Ok(())
    });
    assert_eq!(f.completed(f.submit(JobType::DroneFootage).await).await.pack, None);
    let first = f.publish().await;
    assert_eq!(f.completed(f.submit(JobType::DroneFootage).await).await.pack, Some(first));
    f.write("maps/pack/region.gpkg", "map 2");
    let second = f.publish().await;
    assert_eq!(f.completed(f.submit(JobType::VirtualStaging).await).await.pack, Some(second));
    assert_eq!((f.copies(), *worker.pack.borrow()), (vec![second.to_string()], Some(second)));
    f.store.pack_use(None).await.unwrap().unwrap();
    assert_eq!(f.completed(f.submit(JobType::DroneFootage).await).await.pack, None);
    let photo = f.completed(f.submit(JobType::ImageEnhance).await).await;
    assert_eq!(photo.pack, None);
    assert_eq!(looked.try_iter().collect::<Vec<_>>(), ["own", "map 1", "map 2", "own", "own"]);
    worker.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pack_stays_on_the_disk_while_a_run_reads_it() {
    let f = Fixture::new().await;
    f.write("maps/pack/region.gpkg", "map 1");
    let first = f.publish().await;
    let gate = f.path("gate");
    let look = move |pack: &Path| {
        let path = pack.join("pack/region.gpkg");
        if fs::read_to_string(&path).unwrap() == "map 1" {
            while !gate.exists() {
                std::thread::sleep(Duration::from_millis(5));
            }
            return is(path, "map 1");
        }
        is(path, "map 2")
    };
    let worker = f.start(look.clone());
    let slow = f.submit(JobType::DroneFootage).await;
    f.until(slow, |job| job.pack == Some(first)).await;
    f.write("maps/pack/region.gpkg", "map 2");
    let second = f.publish().await;
    // Another worker in the same data folder.
    let other = f.start(look);
    assert_eq!(f.completed(f.submit(JobType::DroneFootage).await).await.pack, Some(second));
    let mut copies = f.copies();
    copies.sort();
    let mut expected = [first.to_string(), second.to_string()];
    expected.sort();
    assert_eq!(copies, expected);
    f.write("gate", "");
    assert_eq!(f.completed(slow).await.pack, Some(first));
    worker.stop().await;
    other.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_waits_without_counting_runs_while_its_pack_cannot_be_fetched_and_others_go_on() {
    let f = Fixture::new().await;
    f.write("maps/pack/region.gpkg", "a map");
    f.write("maps/pack/terrain/a.hgt", "hills");
    let pack = f.publish().await;
    // Of the same size, so that only its checksum differs.
    fs::write(f.object("a map"), "b map").unwrap();
    let worker =
        f.start(|pack| if pack.ends_with("worker") { Ok(()) } else { is(pack.join("pack/region.gpkg"), "a map") });
    let flight = f.submit(JobType::DroneFootage).await;
    // More than the number of runs that count.
    f.until(flight, |job| job.attempt >= 4).await;
    f.completed(f.submit(JobType::ImageEnhance).await).await;
    assert!(f.copies().iter().all(|name| name.ends_with(".partial")), "{:?}", f.copies());
    fs::remove_file(f.object("a map")).unwrap();
    f.until(flight, |job| job.attempt >= 5).await;
    fs::write(f.object("a map"), "a map").unwrap();
    assert_eq!(f.completed(flight).await.pack, Some(pack));
    assert_eq!(f.copies(), [pack.to_string()]);
    worker.stop().await;
    assert_eq!(fs::read_dir(f.path("worker/work")).map_or(0, Iterator::count), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_interrupted_fetch_and_earlier_packs_have_left_is_verified_before_it_is_used() {
    let f = Fixture::new().await;
    for (path, content) in [("a", "one"), ("b", "two"), ("c", "three"), ("d", "four")] {
        f.write(&format!("maps/pack/{path}"), content);
    }
    let first = f.publish().await;
    let worker = f.start(|pack| is(pack.join("pack/b"), "two"));
    f.completed(f.submit(JobType::DroneFootage).await).await;
    f.write("maps/pack/e", "five");
    let second = f.publish().await;
    // An earlier attempt got two files, one of them wrong; a file of the first pack was damaged since.
    let partial = format!("worker/packs/{second}.partial");
    f.write(&format!("{partial}/pack/a"), "one");
    f.write(&format!("{partial}/pack/b"), "tw0");
    f.write(&format!("worker/packs/{first}/pack/d"), "fuor");
    // What is on this machine is not fetched again.
    for content in ["one", "three"] {
        fs::remove_file(f.object(content)).unwrap();
    }
    assert_eq!(f.completed(f.submit(JobType::DroneFootage).await).await.pack, Some(second));
    let copy = |path: &str| f.read(&format!("worker/packs/{second}/pack/{path}"));
    assert_eq!(["a", "b", "c", "d", "e"].map(copy), ["one", "two", "three", "four", "five"]);
    assert_eq!(f.copies(), [second.to_string()]);
    worker.stop().await;
}

#[tokio::test]
async fn publishing_goes_on_where_it_was_interrupted_and_repairs_what_is_asked_for() {
    let f = Fixture::new().await;
    f.write("maps/pack/a", "one");
    f.write("maps/pack/same", "one");
    f.write("maps/furniture/b", "two");
    let source = PackSource::read(&f.path("maps"), &|_| {}).unwrap();
    let id = source.manifest.id();
    // It changes before it is sent.
    f.write("maps/pack/a", "other");
    let refused = source.publish(&*f.store, &f.media, false, &|_| {}).await.unwrap_err();
    assert!(refused.to_string().contains("changed while the pack was published"), "{refused}");
    assert_eq!(f.store.pack_current().await.unwrap(), None, "nothing is named");
    f.write("maps/pack/a", "one");
    let source = PackSource::read(&f.path("maps"), &|_| {}).unwrap();
    let upload = source.publish(&*f.store, &f.media, false, &|_| {}).await.unwrap();
    assert_eq!((source.manifest.id(), upload.sent, upload.kept), (id, 1, 1));
    fs::write(f.object("two"), "tw0").unwrap();
    assert_eq!(source.publish(&*f.store, &f.media, false, &|_| {}).await.unwrap().sent, 0);
    assert_eq!(source.publish(&*f.store, &f.media, true, &|_| {}).await.unwrap().sent, 2);
    assert_eq!(fs::read_to_string(f.object("two")).unwrap(), "two");
    let empty = PackSource::read(&f.path("worker"), &|_| {}).unwrap_err();
    assert!(empty.to_string().contains("import maps first"), "{empty}");
}

#[tokio::test]
async fn removing_a_pack_leaves_the_files_of_others_and_goes_on_where_it_was_interrupted() {
    let f = Fixture::new().await;
    f.write("maps/pack/a", "one");
    f.write("maps/pack/b", "two");
    let first = f.publish().await;
    f.write("maps/pack/b", "three");
    let second = f.publish().await;
    assert!(matches!(pack_files::remove(&*f.store, &f.media, second).await, Err(PackError::Refused(_))));
    f.store.pack_remove(first).await.unwrap().unwrap();
    fs::remove_file(f.object("two")).unwrap();
    assert_eq!(pack_files::remove(&*f.store, &f.media, first).await.unwrap(), 1, "its manifest");
    assert!(f.object("one").exists() && f.object("three").exists() && !f.object("two").exists());
    assert_eq!(f.store.pack_list().await.unwrap().len(), 1);
    assert_eq!(pack_files::fetch_manifest(&f.media, second).await.unwrap().files().len(), 2);
}

#[tokio::test]
async fn a_manifest_that_leads_elsewhere_writes_nothing() {
    let f = Fixture::new().await;
    let text = r#"{"version":1,"files":[{"path":"pack/../../stolen","size":3,"sha256":"00"}]}"#;
    let text = text.replace("\"00\"", &format!("\"{}\"", "0".repeat(64)));
    let id = pack_files::hash_of(&mut text.as_bytes()).unwrap();
    f.media.media_put_bytes(&pack_manifest::key(id), text.clone().into_bytes()).await.unwrap();
    let refused = pack_files::fetch_manifest(&f.media, id).await.unwrap_err();
    assert!(matches!(refused, PackError::Manifest(ManifestError::BadPath(_))), "{refused}");
    f.store.pack_add(id, &text).await.unwrap().unwrap();
    f.store.pack_publish(id).await.unwrap().unwrap();
    let worker = f.start(|_| Ok(()));
    let job = f.submit(JobType::DroneFootage).await;
    f.until(job, |job| job.attempt >= 2).await;
    assert!(f.copies().is_empty(), "{:?}", f.copies());
    worker.stop().await;
    assert!(PackManifest::parse(id, text.as_bytes()).is_err());
}
