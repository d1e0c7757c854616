//! Health checks, statistics and what processes share.

use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{JobStatus, JobType};

use super::fixture::Fixture;
use crate::{AuthoritySecret, LinkSecret};

pub(super) async fn a_duty_belongs_to_one_process_until_it_expires(f: Fixture) {
    let take = async |holder: &str| f.store.duty_acquire("sweep", holder, Duration::from_secs(60)).await.unwrap();
    assert!(take("a").await && !take("b").await && take("a").await);
    f.advance(59);
    assert!(!take("b").await);
    f.advance(1);
    assert!(take("b").await && !take("a").await);
    f.clock.set("2020-01-01T00:00:00Z".parse().unwrap());
    assert!(take("a").await, "a clock that is set back does not keep it for years");
}

pub(super) async fn a_store_can_be_read_and_written(f: Fixture) {
    f.store.store_check().await.unwrap();
    f.submit().await;
    assert!(f.store.store_size().await.unwrap().database > 10_000);
    for _ in 0..2 {
        f.store.store_check_use().await.unwrap();
        f.store.store_verify().await.unwrap();
    }
    f.store.store_check().await.unwrap();
}

pub(super) async fn statistics_count_jobs_by_kind_and_status_and_add_up_the_time_of_stages(f: Fixture) {
    let first = f.submit().await;
    f.advance(1);
    let second = f.submit().await;
    let stats = f.store.queue_stats().await.unwrap();
    let kind = JobType::DroneFootage;
    assert_eq!(stats.jobs.iter().filter(|(_, _, jobs)| *jobs > 0).collect::<Vec<_>>(), [&(kind, JobStatus::Queued, 2)]);
    assert_eq!(stats.oldest_queued, [(kind, first.created_at)]);
    f.claim("a").await.unwrap();
    for time in [100, 250] {
        let stages = vec![("encoding".to_owned(), Duration::from_millis(time))];
        f.store.stage_time_add(kind, stages).await.unwrap();
    }
    let stats = f.store.queue_stats().await.unwrap();
    let mut jobs: Vec<_> = stats.jobs.into_iter().filter(|(_, _, jobs)| *jobs > 0).collect();
    jobs.sort_by_key(|(_, status, _)| status.as_str());
    assert_eq!(jobs, [(kind, JobStatus::Queued, 1), (kind, JobStatus::Running, 1)]);
    assert_eq!(stats.oldest_queued, [(kind, second.created_at)]);
    let [stage] = &stats.stage_time[..] else { panic!("{stats:?}", stats = stats.stage_time) };
    assert_eq!((stage.kind, stage.stage.as_str(), stage.runs), (kind, "encoding", 2));
    assert_eq!(stage.time, Duration::from_millis(350));
}

pub(super) async fn the_first_link_secret_is_kept(f: Fixture) {
    let [first, second] = [1, 2].map(|byte| LinkSecret::new([byte; 32]));
    assert_eq!(f.store.link_secret_init(&first).await.unwrap(), first);
    assert_eq!(f.store.link_secret_init(&second).await.unwrap(), first);
}

pub(super) async fn the_first_certificate_authority_is_kept_beside_the_link_secret(f: Fixture) {
    let [first, second] = ["first", "second"].map(|pem| AuthoritySecret::new(pem.to_owned()));
    assert_eq!(f.store.authority_init(&first).await.unwrap(), first);
    let links = LinkSecret::new([1; 32]);
    assert_eq!(f.store.link_secret_init(&links).await.unwrap(), links);
    assert_eq!(f.store.authority_init(&second).await.unwrap(), first);
}

pub(super) async fn concurrent_processes_agree_on_one_link_secret(f: Fixture) {
    let proposals: Vec<_> = (0..20)
        .map(|byte| {
            let store = Arc::clone(&f.store);
            tokio::spawn(async move { store.link_secret_init(&LinkSecret::new([byte; 32])).await.unwrap() })
        })
        .collect();
    let mut secrets = Vec::new();
    for proposal in proposals {
        secrets.push(proposal.await.unwrap());
    }
    assert!(secrets.iter().all(|secret| *secret == secrets[0]));
}

pub(super) async fn concurrent_processes_agree_on_one_certificate_authority(f: Fixture) {
    let propose = |number: usize| {
        let store = Arc::clone(&f.store);
        let proposed = AuthoritySecret::new(format!("authority {number}"));
        tokio::spawn(async move { store.authority_init(&proposed).await.unwrap() })
    };
    let proposals: Vec<_> = (0..20).map(propose).collect();
    let first = f.store.authority_init(&AuthoritySecret::new("another".to_owned())).await.unwrap();
    for proposal in proposals {
        assert_eq!(proposal.await.unwrap(), first);
    }
}
