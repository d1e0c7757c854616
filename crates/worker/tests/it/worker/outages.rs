//! Databases and buckets that fail while a worker uses them.

use aerie_storage::contract::Remote;
use aerie_storage_sqlite::testing::Faults;

use super::*;

#[tokio::test]
async fn while_a_bucket_is_unreachable_no_run_counts_and_the_job_completes_when_it_is_reachable_again() {
    let remote = Remote::default();
    let f = Fixture { media: remote.media(), ..Fixture::new().await };
    let id = f.submit_with_input().await;
    remote.set_unreachable(true);
    let runs = engine(|_, context| film(context, "film"));
    let workers = ["a", "b", "c", "d"].map(|name| f.start(name, Arc::clone(&runs), quick()));
    // More returns than a job has runs; then the workers wait.
    f.until(id, |job| job.attempt == 4).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let job = f.get(id).await;
    assert!(!job.status.is_terminal() && job.attempt == 4 && runs.runs.load(Ordering::SeqCst) == 0, "{job:?}");
    remote.set_unreachable(false);
    let job = f.ended(id).await;
    assert_eq!((job.status, f.bills().await), (JobStatus::Completed, 1));
    for worker in workers {
        worker.stop().await;
    }
}

#[tokio::test]
async fn what_a_run_has_made_is_stored_when_the_bucket_is_reachable_again() {
    let remote = Remote::default();
    let f = Fixture { media: remote.media(), ..Fixture::new().await };
    let gone = remote.clone();
    let runs = engine(move |_, context| {
        gone.set_unreachable(true);
        let back = gone.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            back.set_unreachable(false);
        });
        film(context, "film")
    });
    let id = f.submit().await;
    let worker = f.start("a", Arc::clone(&runs), Pace { outage_patience: Duration::from_secs(20), ..quick() });
    let job = f.ended(id).await;
    assert_eq!((job.status, job.attempt, runs.runs.load(Ordering::SeqCst)), (JobStatus::Completed, 1, 1));
    worker.stop().await;
}

#[tokio::test]
async fn a_job_whose_files_alone_are_refused_fails_after_three_runs() {
    let remote = Remote::default();
    let f = Fixture { media: remote.media(), ..Fixture::new().await };
    let id = f.submit().await;
    remote.refuse(&format!("{}/{id}", f.org_id));
    let runs = engine(|_, context| film(context, "film"));
    let worker = f.start("a", Arc::clone(&runs), quick());
    let job = f.ended(id).await;
    assert_eq!((job.status, job.attempt, runs.runs.load(Ordering::SeqCst)), (JobStatus::Failed, 3, 3));
    worker.stop().await;
}

#[tokio::test]
async fn a_worker_that_stops_while_files_cannot_be_stored_releases_the_job_at_once() {
    let remote = Remote::default();
    let f = Fixture { media: remote.media(), ..Fixture::new().await };
    let id = f.submit().await;
    let gone = remote.clone();
    let runs = engine(move |_, context| {
        gone.set_unreachable(true);
        film(context, "film")
    });
    let hour = Duration::from_secs(3600);
    let pace = Pace { outage_wait: hour, outage_patience: hour, lease: hour, ..quick() };
    let worker = f.start("a", Arc::clone(&runs), pace);
    f.until(id, |_| runs.runs.load(Ordering::SeqCst) == 1).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    tokio::time::timeout(Duration::from_secs(10), worker.stop()).await.expect("it stops");
    let claim = f.store.job_claim(&JobType::ALL, "b", hour).await.unwrap().unwrap();
    assert_eq!((claim.job.id, claim.run), (id, 1));
}

#[tokio::test]
async fn a_completion_that_is_committed_after_its_connection_was_lost_has_its_files() {
    let f = Fixture::new().await;
    let faults = Arc::<Faults>::default();
    let store = SqliteStore::open(&f.folder.path().join("test.db"), Arc::new(SystemClock)).unwrap();
    let f = Fixture { store: Arc::new(store.with_faults(&faults)), ..f };
    let id = f.submit().await;
    let pace = Pace { lease: Duration::from_secs(3600), ..quick() };
    let lost = Arc::clone(&faults);
    let runs = engine(move |_, context| {
        lost.set_holds_writes(true);
        film(context, "film")
    });
    let worker = f.start("a", Arc::clone(&runs), pace);
    // A job that is only claimed would be returned.
    f.until(id, |_| runs.runs.load(Ordering::SeqCst) == 1).await;
    worker.phase.send(Phase::Draining).unwrap();
    worker.task.await.unwrap();
    assert_eq!(f.get(id).await.status, JobStatus::Running);
    faults.write_held().await;
    let job = f.get(id).await;
    assert_eq!((job.status, f.media_files()), (JobStatus::Completed, vec!["film".to_owned()]));
}
