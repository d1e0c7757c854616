//! Workers that are told to stop, or to finish their job first.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_shuts_down_releases_its_job_and_the_run_does_not_count() {
    let fixture = Fixture::new().await;
    let id = fixture.submit().await;
    for attempt in 1..=4 {
        let worker = fixture.start("a", engine(|_, context| until_canceled(context)), quick());
        fixture.until(id, |job| job.attempt == attempt).await;
        worker.stop().await;
        assert_eq!(fixture.get(id).await.status, JobStatus::Running);
    }
    let worker = fixture.start("b", engine(|_, context| film(context, "film")), quick());
    assert_eq!(fixture.ended(id).await.status, JobStatus::Completed);
    worker.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draining_worker_finishes_its_job_and_claims_no_other() {
    let fixture = Fixture::new().await;
    let [first, second] = [fixture.submit().await, fixture.submit().await];
    let slow = engine(|_, context| {
        std::thread::sleep(Duration::from_millis(500));
        film(context, "film")
    });
    let worker = fixture.start("a", Arc::clone(&slow), quick());
    // A job that is only claimed would be returned.
    fixture.until(first, |_| slow.runs.load(Ordering::SeqCst) == 1).await;
    worker.phase.send(Phase::Draining).unwrap();
    worker.task.await.unwrap();
    let statuses = [fixture.get(first).await.status, fixture.get(second).await.status];
    assert_eq!(statuses, [JobStatus::Completed, JobStatus::Queued]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draining_worker_that_is_stopped_releases_its_job_and_the_run_does_not_count() {
    let fixture = Fixture::new().await;
    let id = fixture.submit().await;
    let endless = engine(|_, context| until_canceled(context));
    let worker = fixture.start("a", Arc::clone(&endless), quick());
    fixture.until(id, |_| endless.runs.load(Ordering::SeqCst) == 1).await;
    worker.phase.send(Phase::Draining).unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!worker.task.is_finished());
    worker.stop().await;
    let claim = fixture.store.job_claim(&JobType::ALL, "b", Duration::from_secs(1)).await.unwrap().unwrap();
    assert_eq!((claim.job.id, claim.run), (id, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_stops_while_inputs_are_fetched_releases_the_job() {
    let mut f = Fixture::new().await;
    let id = f.submit_with_input().await;
    let media = f.media.clone();
    f.media =
        slow(&f, ThrottleConfig { wait_get_per_call: Duration::from_secs(30), ..ThrottleConfig::default() }).await;
    let worker = f.start("a", engine(|_, context| film(context, "film")), quick());
    f.until(id, |job| job.attempt == 1).await;
    let stopping = Instant::now();
    worker.stop().await;
    assert!(stopping.elapsed() < Duration::from_secs(10));
    assert_eq!(f.working_folders(), 0);
    f.media = media;
    let worker = f.start("b", engine(|_, context| film(context, "film")), quick());
    assert_eq!(f.ended(id).await.attempt, 2);
    worker.stop().await;
}
