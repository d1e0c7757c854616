//! Sweeping: what is deleted and what stays, with media in a local folder.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use aerie_domain::{Job, JobId, JobType, OrgChanges, OrgId};
use jiff::SignedDuration;
use serde_json::json;

use super::fixture::{Fixture, failure, request};
use super::remote::Remote;
use crate::retention::{GRACE, SweepError, SweepReport, sweep, sweep_all};
use crate::{JobOutput, LocalMedia, NewJob};

/// A store and media.
struct Sweeping {
    base: Fixture,
    media: LocalMedia,
}

impl Sweeping {
    fn new(base: Fixture) -> Self {
        let media = LocalMedia::open(&base.folder.path().join("media")).unwrap();
        Self { base, media }
    }

    async fn keep_for(&self, days: u32) {
        let changes = OrgChanges { keep_days: Some(Some(days)), ..OrgChanges::default() };
        assert_eq!(self.base.store.org_change(self.base.org, changes).await.unwrap().unwrap().keep_days, Some(days));
    }

    async fn submit(&self, org_id: OrgId, job_type: JobType, parent_id: Option<JobId>) -> Job {
        let new = NewJob { org_id, input: request(job_type, &json!({})), parent_id, ..self.base.new_job() };
        self.base.store.job_submit(new).await.unwrap().unwrap()
    }

    /// Stores a file of this age under a key.
    async fn put(&self, key: &str, age: Duration) {
        let file = self.base.folder.path().join("file");
        std::fs::write(&file, key).unwrap();
        self.media.store().media_put(key, &file).await.unwrap();
        self.set_age(key, age);
    }

    fn set_age(&self, key: &str, age: Duration) {
        let file = std::fs::File::options().append(true).open(self.place(key)).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
    }

    fn place(&self, key: &str) -> PathBuf {
        self.base.folder.path().join("media").join(key)
    }

    /// A job that completed with one file, and the file's key.
    async fn completed(&self, org: OrgId) -> (JobId, String) {
        let job = self.submit(org, JobType::DroneFootage, None).await;
        let claim = self.base.claim_any().await;
        assert_eq!(claim.job.id, job.id);
        let key = format!("{org}/{}/{}/video.mp4", job.id, claim.lease.attempt);
        self.put(&key, Duration::ZERO).await;
        let media = [("/video_url".to_owned(), key.clone())].into();
        self.base.store.job_complete(&claim.lease, JobOutput { media, ..JobOutput::default() }).await.unwrap();
        (job.id, key)
    }

    async fn sweep(&self) -> SweepReport {
        let mut report = self.sweep_noted().await;
        report += sweep_all(&*self.base.store, self.media.store(), GRACE).await.unwrap();
        report += self.media.leftovers_sweep(GRACE).await.unwrap();
        report
    }

    /// Looks only at the jobs that the store names.
    async fn sweep_noted(&self) -> SweepReport {
        sweep(&*self.base.store, self.media.store(), GRACE).await.unwrap()
    }

    async fn get(&self, id: JobId) -> Job {
        self.base.store.job_get(None, id).await.unwrap().unwrap()
    }
}

pub(super) async fn media_past_their_retention_are_deleted_and_the_job_is_marked_as_expired(f: Fixture) {
    let f = Sweeping::new(f);
    let other = f.base.store.org_create("Other", "starter").await.unwrap().id;
    let (old, old_key) = f.completed(f.base.org).await;
    let (others, others_key) = f.completed(other).await;
    f.base.clock.advance(SignedDuration::from_hours(24 * 20));
    let (young, young_key) = f.completed(f.base.org).await;
    f.keep_for(30).await;
    assert_eq!(f.sweep().await, SweepReport::default());
    f.base.clock.advance(SignedDuration::from_hours(24 * 10 + 1));
    let before = f.get(old).await;
    assert_eq!(f.sweep().await, SweepReport { expired: 1, files: 1, bytes: old_key.len() as u64 });
    assert!(!f.place(&old_key).exists() && f.place(&others_key).exists() && f.place(&young_key).exists());
    assert_eq!(f.get(old).await, Job { expired_at: Some(f.base.now()), ..before });
    assert_eq!((f.get(others).await.expired_at, f.get(young).await.expired_at), (None, None));
    assert_eq!(f.sweep().await, SweepReport::default());
}

pub(super) async fn a_job_that_is_queued_running_or_needed_by_an_active_video_does_not_expire(f: Fixture) {
    let f = Sweeping::new(f);
    f.keep_for(1).await;
    let (markup, key) = f.completed(f.base.org).await;
    let video = f.submit(f.base.org, JobType::MarkupVideo, Some(markup)).await;
    f.submit(f.base.org, JobType::Markup, None).await;
    f.base.clock.advance(SignedDuration::from_hours(24 * 5));
    assert_eq!(f.sweep().await.expired, 0);
    let claim = f.base.store.job_claim(&[JobType::MarkupVideo], "a", Duration::from_secs(15)).await.unwrap().unwrap();
    assert_eq!(claim.job.id, video.id);
    assert_eq!(f.sweep().await.expired, 0);
    assert!(f.place(&key).exists());
    f.base.store.job_complete(&claim.lease, JobOutput::default()).await.unwrap();
    assert_eq!(f.sweep().await.expired, 1);
    assert!(!f.place(&key).exists());
}

pub(super) async fn old_files_that_no_job_needs_are_deleted_and_no_others(f: Fixture) {
    let f = Sweeping::new(f);
    let (job, kept) = f.completed(f.base.org).await;
    let nobody = JobId::new(f.base.now());
    let running = f.submit(f.base.org, JobType::DroneFootage, None).await.id;
    let claim = f.base.store.job_claim(&JobType::ALL, "a", Duration::from_secs(15)).await.unwrap().unwrap();
    assert_eq!((claim.job.id, claim.lease.attempt), (running, 1));
    let (org, old) = (f.base.org, GRACE + Duration::from_secs(60));
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
    assert_eq!(f.sweep().await, SweepReport::default());
}

pub(super) async fn folders_of_a_deleted_job_are_removed(f: Fixture) {
    let f = Sweeping::new(f);
    let (job, key) = f.completed(f.base.org).await;
    f.base.store.job_delete(job).await.unwrap();
    f.set_age(&key, GRACE * 2);
    f.sweep().await;
    // What has just been emptied is left until it is old.
    let folder = f.place(&format!("{}/{job}", f.base.org));
    for folder in [folder.join("1"), folder.clone()] {
        std::fs::File::open(&folder).unwrap().set_modified(SystemTime::now() - GRACE * 2).unwrap();
    }
    f.sweep().await;
    assert!(!folder.join("1").exists());
}

pub(super) async fn files_that_no_job_needs_are_found_by_rows_without_listing_all_media(f: Fixture) {
    let f = Sweeping::new(f);
    let (org, old) = (f.base.org, GRACE + Duration::from_secs(60));
    // A crash between the files and the row of a job; and one that was submitted.
    let (lost, submitted) = (JobId::new(f.base.now()), f.base.new_job());
    for id in [lost, submitted.id] {
        f.base.store.leftovers_expect(org, id, GRACE).await.unwrap();
        f.put(&format!("{org}/{id}/input/image.jpg"), old).await;
    }
    let input = format!("{org}/{}/input/image.jpg", submitted.id);
    let input_media = [("/image_url".to_owned(), input.clone())].into();
    f.base.store.job_submit(NewJob { input_media, ..submitted }).await.unwrap().unwrap();
    // A run that was lost after it had stored files, then one that failed; and a job that was deleted.
    let claim = f.base.claim_any().await;
    f.base.clock.advance(SignedDuration::from_secs(16));
    let again = f.base.claim_any().await;
    assert_eq!((again.job.id, again.lease.attempt), (claim.job.id, 2));
    let attempt = format!("{org}/{}/1/video.mp4", claim.job.id);
    f.put(&attempt, old).await;
    f.base.store.job_fail(&again.lease, failure()).await.unwrap();
    let (deleted, deleted_key) = f.completed(org).await;
    f.set_age(&deleted_key, old);
    f.base.store.job_delete(deleted).await.unwrap().unwrap();
    assert_eq!(f.sweep_noted().await, SweepReport::default(), "not yet");
    f.base.clock.advance(SignedDuration::try_from(GRACE).unwrap() + SignedDuration::from_secs(1));
    assert_eq!(f.sweep_noted().await.files, 3);
    assert!(!f.place(&format!("{org}/{lost}/input/image.jpg")).exists());
    assert!(!f.place(&attempt).exists() && !f.place(&deleted_key).exists());
    assert!(f.place(&input).exists(), "the failed job still shows what was submitted");
    assert_eq!(f.base.store.leftovers_due(10).await.unwrap(), []);
}

pub(super) async fn files_that_are_too_young_are_looked_at_again(f: Fixture) {
    let f = Sweeping::new(f);
    let (org, lost) = (f.base.org, JobId::new(f.base.now()));
    let key = format!("{org}/{lost}/input/image.jpg");
    f.base.store.leftovers_expect(org, lost, Duration::ZERO).await.unwrap();
    f.put(&key, Duration::ZERO).await;
    assert_eq!(f.sweep_noted().await, SweepReport::default());
    f.set_age(&key, GRACE * 2);
    assert_eq!(f.sweep_noted().await, SweepReport::default(), "it waits its turn");
    f.base.clock.advance(SignedDuration::try_from(GRACE).unwrap());
    assert_eq!(f.sweep_noted().await.files, 1);
    assert!(!f.place(&key).exists());
}

pub(super) async fn files_that_cannot_be_deleted_do_not_keep_others_and_are_looked_at_again(f: Fixture) {
    let (remote, org) = (Remote::default(), f.org);
    let (media, file) = (remote.media(), f.folder.path().join("file"));
    std::fs::write(&file, "file").unwrap();
    let lost = [JobId::new(f.now()), JobId::new(f.now())];
    for id in lost {
        f.store.leftovers_expect(org, id, Duration::ZERO).await.unwrap();
        media.media_put(&format!("{org}/{id}/input/image.jpg"), &file).await.unwrap();
    }
    remote.refuse(&format!("{org}/{}", lost[0]));
    let error = sweep(&*f.store, &media, Duration::ZERO).await.unwrap_err();
    assert!(matches!(error, SweepError::Media(_)), "{error}");
    assert!(media.media_list(&format!("{org}/{}", lost[1])).await.unwrap().is_empty());
    assert_eq!(f.store.leftovers_due(10).await.unwrap(), [], "it waits its turn");
    f.clock.advance(SignedDuration::try_from(GRACE).unwrap());
    let due: Vec<JobId> = f.store.leftovers_due(10).await.unwrap().iter().map(|leftovers| leftovers.job_id).collect();
    assert_eq!(due, [lost[0]]);
}
