//! What happens to jobs.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_domain::{JobId, JobStatus};
use tokio::task::JoinSet;

use super::fixture::{Fixture, failure, output};
use crate::{Event, EventPosition, EventSubject, JobProgress, NewJob};

const START: EventPosition = EventPosition { at: 0, transaction: 0, number: 0 };

fn job_of(event: &Event) -> (JobId, JobStatus) {
    let EventSubject::Job(id, _, status) = event.subject else { panic!("{event:?} is about no job") };
    (id, status)
}

impl Fixture {
    /// The events after a position, of which there are `count`. Other transactions, also those of other tests, hold them back for as
    /// long as they run.
    pub(super) async fn events(&self, after: EventPosition, count: usize) -> Vec<Event> {
        let began = Instant::now();
        loop {
            let found = self.store.event_list(self.org, after, 1000).await.unwrap();
            if found.len() >= count || began.elapsed() > Duration::from_secs(30) {
                assert_eq!(found.len(), count, "{found:?}");
                return found;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn progress(&self) -> Vec<(String, u8)> {
        let found = self.store.progress_list(self.org, 10).await.unwrap();
        found.into_iter().map(|JobProgress { stage, percent, .. }| (stage, percent)).collect()
    }
}

pub(super) async fn every_change_of_a_jobs_status_is_an_event_in_order(f: Fixture) {
    let first = f.submit().await.id;
    let start = f.events(START, 1).await[0].position;
    assert_eq!(f.store.event_position().await.unwrap().at, f.now().as_millisecond());
    f.events(start, 0).await;
    f.advance(5);
    let claim = f.claim("a").await.unwrap();
    f.store.job_complete(&claim.lease, output()).await.unwrap();
    let second = f.submit_address("2 Main St").await.unwrap();
    f.store.job_fail(&f.claim("a").await.unwrap().lease, failure()).await.unwrap();
    let canceled = f.submit_address("3 Main St").await.unwrap();
    f.store.job_cancel(f.org, canceled).await.unwrap().unwrap();
    let (running, completed, failed, queued) =
        (JobStatus::Running, JobStatus::Completed, JobStatus::Failed, JobStatus::Queued);
    let expected = [
        (first, running),
        (first, completed),
        (second, queued),
        (second, running),
        (second, failed),
        (canceled, queued),
        (canceled, failed),
    ];
    let events = f.events(start, expected.len()).await;
    assert_eq!(events.iter().map(job_of).collect::<Vec<_>>(), expected);
    assert!(events.iter().all(|event| event.at() == f.now()), "{events:?}");
    for (number, event) in events.iter().enumerate() {
        let rest = f.events(event.position, expected.len() - number - 1).await;
        assert_eq!(rest, events[number + 1..], "a client continues after any of them");
    }
    let few = f.store.event_list(f.org, start, 3).await.unwrap();
    assert_eq!(few, events[..3]);
    f.events(START, expected.len() + 1).await;
}

pub(super) async fn another_organizations_events_and_progress_are_not_shown(f: Fixture) {
    let other = f.store.org_create("Other", "starter").await.unwrap().id;
    f.submit().await;
    let claim = f.claim("a").await.unwrap();
    f.store.progress_report(&claim.lease, "frames", 40).await.unwrap();
    assert!(f.store.event_list(other, START, 10).await.unwrap().is_empty());
    assert!(f.store.progress_list(other, 10).await.unwrap().is_empty());
    f.events(START, 2).await;
    assert_eq!(f.progress().await.len(), 1);
}

pub(super) async fn events_of_concurrent_transactions_are_seen_once_each_by_a_client_that_continues(f: Fixture) {
    const JOBS: usize = 60;
    let f = Arc::new(f);
    let mut submits = JoinSet::new();
    for _ in 0..JOBS {
        let f = Arc::clone(&f);
        submits.spawn(async move { f.store.job_submit(f.new_job()).await.unwrap().unwrap().id });
    }
    let (mut seen, mut at, began) = (BTreeMap::<JobId, usize>::new(), START, Instant::now());
    while seen.len() < JOBS && began.elapsed() < Duration::from_secs(60) {
        for event in f.store.event_list(f.org, at, 7).await.unwrap() {
            assert!(event.position > at || event.position.number > at.number, "{event:?} after {at}");
            at = event.position;
            *seen.entry(job_of(&event).0).or_default() += 1;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    while submits.join_next().await.is_some() {}
    assert_eq!(seen.len(), JOBS);
    assert!(f.store.event_list(f.org, at, 1).await.unwrap().is_empty());
    assert!(seen.values().all(|times| *times == 1), "{seen:?}");
}

pub(super) async fn progress_is_shown_while_the_job_runs_and_reported_by_the_holder_of_the_lease_alone(f: Fixture) {
    f.store.job_submit(NewJob { ..f.new_job() }).await.unwrap().unwrap();
    let claim = f.claim("a").await.unwrap();
    assert!(f.progress().await.is_empty());
    f.store.progress_report(&claim.lease, "terrain", 100).await.unwrap();
    f.store.progress_report(&claim.lease, "frames", 3).await.unwrap();
    assert_eq!(f.progress().await, [("frames".to_owned(), 3)]);
    f.advance(60);
    let again = f.claim("b").await.unwrap();
    f.store.progress_report(&claim.lease, "frames", 50).await.unwrap();
    assert_eq!(f.progress().await, [("frames".to_owned(), 3)], "the lease is lost");
    f.store.progress_report(&again.lease, "frames", 7).await.unwrap();
    assert_eq!(f.progress().await, [("frames".to_owned(), 7)]);
    f.store.job_complete(&again.lease, output()).await.unwrap();
    f.store.progress_report(&again.lease, "frames", 9).await.unwrap();
    assert!(f.progress().await.is_empty());
}

pub(super) async fn old_events_are_removed(f: Fixture) {
    f.submit().await;
    f.advance(100);
    f.submit().await;
    let expire = async |seconds| f.store.event_expire(Duration::from_secs(seconds), 10).await.unwrap();
    assert_eq!(expire(101).await, 0);
    f.events(START, 2).await;
    assert_eq!(expire(99).await, 1);
    f.events(START, 1).await;
    assert_eq!(expire(99).await, 0);
}
