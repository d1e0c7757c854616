//! API nodes and workers.

use aerie_domain::JobType;

use super::fixture::Fixture;
use crate::{Node, NodeRole, SeenNode};

fn node(name: &str, role: NodeRole, kinds: &[JobType]) -> Node {
    Node { name: name.into(), role, version: "1.2.3".into(), kinds: kinds.to_vec(), host: "east-1".into(), pack: None }
}

async fn listed(f: &Fixture) -> Vec<SeenNode> {
    f.store.node_list().await.unwrap()
}

pub(super) async fn a_node_is_listed_with_its_job_from_its_first_heartbeat_until_it_exits(f: Fixture) {
    let worker = node("w-1", NodeRole::Worker, &[JobType::DroneFootage, JobType::Markup]);
    f.store.node_beat(&worker).await.unwrap();
    let started = f.now();
    f.advance(10);
    f.store.node_beat(&node("a-1", NodeRole::Api, &[])).await.unwrap();
    f.store.node_beat(&worker).await.unwrap();
    let [api, seen] = &listed(&f).await[..] else { panic!("two nodes") };
    assert_eq!((api.node.name.as_str(), api.node.role, api.job), ("a-1", NodeRole::Api, None));
    assert_eq!((&seen.node, seen.started_at, seen.seen_at, seen.job), (&worker, started, f.now(), None));

    let pack = Some(aerie_domain::ContentHash::new([7; 32]));
    f.store.node_beat(&Node { pack, ..worker.clone() }).await.unwrap();
    assert_eq!(listed(&f).await.iter().map(|seen| seen.node.pack).collect::<Vec<_>>(), [None, pack]);

    let job = f.submit().await;
    let claim = f.claim("w-1").await.unwrap();
    assert_eq!(listed(&f).await.iter().map(|seen| seen.job).collect::<Vec<_>>(), [None, Some(job.id)]);
    f.store.job_release(&claim.lease).await.unwrap();
    assert_eq!(listed(&f).await[1].job, None, "a released job is nobody's");

    f.store.node_remove("w-1").await.unwrap();
    f.store.node_remove("w-1").await.unwrap();
    assert_eq!(listed(&f).await.len(), 1);
}

pub(super) async fn a_node_without_heartbeat_stops_being_live_and_is_forgotten_after_a_day(f: Fixture) {
    f.store.node_beat(&node("killed", NodeRole::Worker, &[])).await.unwrap();
    f.advance(29);
    assert!(listed(&f).await[0].is_live);
    f.advance(1);
    let killed = &listed(&f).await[0];
    assert!(!killed.is_live && killed.seen_at < f.now());
    f.advance(24 * 3600 - 31);
    f.store.node_beat(&node("other", NodeRole::Worker, &[])).await.unwrap();
    assert_eq!(listed(&f).await.len(), 2);
    f.advance(1);
    f.store.node_beat(&node("other", NodeRole::Worker, &[])).await.unwrap();
    assert_eq!(listed(&f).await.iter().map(|seen| seen.node.name.as_str()).collect::<Vec<_>>(), ["other"]);
}
