//! What is removed and what stays, and copies of a database in use; on a real store, with real files.

#![cfg(test)]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use aerie_domain::{Clock, Job, JobId, JobType, ManualClock, OrgChanges, OrgId, RequestId};
use aerie_storage::keeping::GRACE;
use aerie_storage::{
    JobOutput, JobStore, MediaStore, NewJob, SqliteStore, Swept, check_database, copy_database, each_jobs_media,
    keeping,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

struct Fixture {
    folder: tempfile::TempDir,
    store: Arc<SqliteStore>,
    media: MediaStore,
    clock: Arc<ManualClock>,
    org: OrgId,
}

impl Fixture {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new("2026-03-10T12:00:00Z".parse().unwrap()));
        let store = Arc::new(SqliteStore::open(&folder.path().join("test.db"), Arc::clone(&clock) as _).unwrap());
        let media = MediaStore::local(&folder.path().join("media")).unwrap();
        let org = store.org_create("Acme", "starter").await.unwrap().id;
        Self { folder, store, media, clock, org }
    }

    async fn keep_for(&self, days: u32) {
        let changes = OrgChanges { keep_days: Some(Some(days)), ..OrgChanges::default() };
        assert_eq!(self.store.org_change(self.org, changes).await.unwrap().unwrap().keep_days, Some(days));
    }

    async fn submit(&self, org_id: OrgId, job_type: JobType, parent_id: Option<JobId>) -> Job {
        let new = NewJob {
            id: JobId::new(self.clock.now()),
            org_id,
            job_type,
            input: json!({"address": "1 Main St"}),
            input_media: BTreeMap::new(),
            parent_id,
            unit_price_cents: 1500,
            request_id: RequestId::new(Timestamp::UNIX_EPOCH),
            once: None,
        };
        self.store.job_submit(new).await.unwrap().unwrap()
    }

    /// Puts a file under a key, as old as that.
    async fn put(&self, key: &str, age: Duration) {
        let file = self.folder.path().join("file");
        std::fs::write(&file, key).unwrap();
        self.media.media_put(key, &file).await.unwrap();
        self.set_age(key, age);
    }

    fn set_age(&self, key: &str, age: Duration) {
        let file = std::fs::File::options().append(true).open(self.place(key)).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
    }

    fn place(&self, key: &str) -> PathBuf {
        self.folder.path().join("media").join(key)
    }

    /// A job that is completed with one file, and that file's key.
    async fn completed(&self, org: OrgId) -> (JobId, String) {
        let job = self.submit(org, JobType::DroneFootage, None).await;
        let claim = self.store.job_claim(&JobType::ALL, "a", Duration::from_secs(15)).await.unwrap().unwrap();
        assert_eq!(claim.job.id, job.id);
        let key = format!("{org}/{}/{}/video.mp4", job.id, claim.lease.attempt);
        self.put(&key, Duration::ZERO).await;
        let media = [("/video_url".to_owned(), key.clone())].into();
        self.store.job_complete(&claim.lease, JobOutput { media, ..JobOutput::default() }).await.unwrap();
        (job.id, key)
    }

    async fn sweep(&self) -> Swept {
        keeping::sweep(&*self.store, &self.media, self.clock.now(), GRACE).await.unwrap()
    }

    async fn get(&self, id: JobId) -> Job {
        self.store.job_get(None, id).await.unwrap().unwrap()
    }
}

#[tokio::test]
async fn media_older_than_their_owner_keeps_them_are_removed_and_the_job_stays_and_says_so() {
    let f = Fixture::new().await;
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    let (old, old_key) = f.completed(f.org).await;
    let (others, others_key) = f.completed(other).await;
    f.clock.advance(SignedDuration::from_hours(24 * 20));
    let (young, young_key) = f.completed(f.org).await;
    f.keep_for(30).await;
    assert_eq!(f.sweep().await, Swept::default());
    f.clock.advance(SignedDuration::from_hours(24 * 10 + 1));
    let before = f.get(old).await;
    assert_eq!(f.sweep().await, Swept { expired: 1, files: 1, bytes: old_key.len() as u64 });
    assert!(!f.place(&old_key).exists() && f.place(&others_key).exists() && f.place(&young_key).exists());
    assert_eq!(f.get(old).await, Job { expired_at: Some(f.clock.now()), ..before });
    assert_eq!((f.get(others).await.expired_at, f.get(young).await.expired_at), (None, None));
    assert_eq!(f.sweep().await, Swept::default());
}

#[tokio::test]
async fn what_is_queued_running_or_made_into_a_video_does_not_expire() {
    let f = Fixture::new().await;
    f.keep_for(1).await;
    let (markup, key) = f.completed(f.org).await;
    let video = f.submit(f.org, JobType::MarkupVideo, Some(markup)).await;
    f.submit(f.org, JobType::Markup, None).await;
    f.clock.advance(SignedDuration::from_hours(24 * 5));
    assert_eq!(f.sweep().await.expired, 0);
    let claim = f.store.job_claim(&[JobType::MarkupVideo], "a", Duration::from_secs(15)).await.unwrap().unwrap();
    assert_eq!(claim.job.id, video.id);
    assert_eq!(f.sweep().await.expired, 0);
    assert!(f.place(&key).exists());
    f.store.job_complete(&claim.lease, JobOutput::default()).await.unwrap();
    assert_eq!(f.sweep().await.expired, 1);
    assert!(!f.place(&key).exists());
}

#[tokio::test]
async fn files_that_no_job_names_are_removed_once_they_are_old_and_no_others() {
    let f = Fixture::new().await;
    let (job, kept) = f.completed(f.org).await;
    let nobody = JobId::new(f.clock.now());
    let running = f.submit(f.org, JobType::DroneFootage, None).await.id;
    let claim = f.store.job_claim(&JobType::ALL, "a", Duration::from_secs(15)).await.unwrap().unwrap();
    assert_eq!((claim.job.id, claim.lease.attempt), (running, 1));
    let (org, old) = (f.org, GRACE + Duration::from_secs(60));
    let gone = [
        format!("{org}/{nobody}/input/image.jpg"),
        format!("{org}/{nobody}/1/video.mp4"),
        format!("{org}/{job}/7/video.mp4"),
        format!("{org}/{job}/input/image.jpg"),
    ];
    let stays = [
        kept.clone(),
        format!("{org}/{running}/1/video.mp4"),
        "lost-found/note".to_owned(),
        format!("{org}/notes/note"),
        format!("notes/{job}/note"),
    ];
    for key in gone.iter().chain(&stays[1..]) {
        f.put(key, old).await;
    }
    f.set_age(&kept, old);
    // As a put that was killed leaves it.
    let staged = format!("{org}/{job}/1/video.mp4#1");
    std::fs::write(f.place(&staged), "half").unwrap();
    f.set_age(&staged, old);
    let young = format!("{org}/{nobody}/2/video.mp4");
    f.put(&young, GRACE / 2).await;

    assert_eq!(f.sweep().await.files, gone.len() + 1);
    for key in gone.iter().chain([&staged]) {
        assert!(!f.place(key).exists(), "{key}");
    }
    for key in stays.iter().chain([&young]) {
        assert!(f.place(key).exists(), "{key}");
    }
    assert_eq!(f.sweep().await, Swept::default());
}

#[tokio::test]
async fn a_deleted_jobs_folders_go_too() {
    let f = Fixture::new().await;
    let (job, key) = f.completed(f.org).await;
    f.store.job_delete(job).await.unwrap();
    f.set_age(&key, GRACE * 2);
    f.sweep().await;
    // What has just been emptied is left until it is old.
    let folder = f.place(&format!("{}/{job}", f.org));
    for folder in [folder.join("1"), folder.clone()] {
        std::fs::File::open(&folder).unwrap().set_modified(SystemTime::now() - GRACE * 2).unwrap();
    }
    f.sweep().await;
    assert!(!folder.join("1").exists());
}

#[tokio::test]
async fn a_duty_is_one_processs_until_it_lets_it_go() {
    let f = Fixture::new().await;
    let take = async |holder: &str| f.store.duty_take("sweep", holder, Duration::from_secs(60)).await.unwrap();
    assert!(take("a").await && !take("b").await && take("a").await);
    f.clock.advance(SignedDuration::from_secs(59));
    assert!(!take("b").await);
    f.clock.advance(SignedDuration::from_secs(1));
    assert!(take("b").await && !take("a").await);
    f.clock.set("2020-01-01T00:00:00Z".parse().unwrap());
    assert!(take("a").await, "a clock that is set back does not keep it for years");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_of_a_database_in_use_is_whole_and_of_one_moment() {
    let f = Fixture::new().await;
    let (database, copy) = (f.folder.path().join("test.db"), f.folder.path().join("copy.db"));
    let (first, key) = f.completed(f.org).await;
    let (store, org, clock) = (Arc::clone(&f.store), f.org, Arc::clone(&f.clock));
    let submits = tokio::spawn(async move {
        let mut acknowledged = 0;
        while acknowledged < 300 {
            let f = NewJob {
                id: JobId::new(clock.now()),
                org_id: org,
                job_type: JobType::Markup,
                input: json!({"address": "1 Main St"}),
                input_media: BTreeMap::new(),
                parent_id: None,
                unit_price_cents: 1,
                request_id: RequestId::new(Timestamp::UNIX_EPOCH),
                once: None,
            };
            store.job_submit(f).await.unwrap().unwrap();
            acknowledged += 1;
        }
    });
    let copied = copy.clone();
    tokio::task::spawn_blocking(move || copy_database(&database, &copied)).await.unwrap().unwrap();
    submits.await.unwrap();
    check_database(&copy).unwrap();
    let mut jobs = BTreeMap::new();
    each_jobs_media(&copy, |id, keys| assert!(jobs.insert(id, keys).is_none())).unwrap();
    assert!(jobs.len() <= 301);
    assert_eq!(jobs[&first], [key].into());
    // Counts and jobs are of the same moment.
    let copied = SqliteStore::open(&copy, Arc::clone(&f.clock) as _).unwrap();
    let counted: u64 = copied.queue_figures().await.unwrap().jobs.iter().map(|(_, _, jobs)| jobs).sum();
    assert_eq!(counted, jobs.len() as u64);
}

#[tokio::test]
async fn a_lease_from_before_the_clock_was_set_back_does_not_keep_a_job_for_hours() {
    let f = Fixture::new().await;
    let job = f.submit(f.org, JobType::DroneFootage, None).await;
    let lease = Duration::from_secs(15);
    let first = f.store.job_claim(&JobType::ALL, "a", lease).await.unwrap().unwrap();
    f.clock.advance(SignedDuration::from_hours(-5));
    // Whoever lives renews it, and keeps it.
    f.store.job_heartbeat(&first.lease, lease).await.unwrap();
    assert!(f.store.job_claim(&JobType::ALL, "b", lease).await.unwrap().is_none());
    f.clock.advance(SignedDuration::from_hours(-5));
    let second = f.store.job_claim(&JobType::ALL, "b", lease).await.unwrap().unwrap();
    assert_eq!((second.job.id, second.lease.attempt), (job.id, 2));
    assert!(f.store.job_complete(&first.lease, JobOutput::default()).await.is_err());
}
