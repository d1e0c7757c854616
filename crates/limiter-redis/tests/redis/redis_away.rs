//! A server that is killed, frozen, full or not there yet: requests are counted with the other limiter meanwhile.

use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_domain::{RateLimits, SystemClock};
use aerie_limiter_redis::{RedisLimiter, TIMEOUT};
use aerie_storage::contract::hammering::{admitted, hammer};
use aerie_storage::{DayCounts, Limiter, MemoryLimiter};

use crate::server::{PATIENT, Server, new_key, wait_until_up};

/// What counts in place of the database of all nodes.
fn other() -> Arc<dyn Limiter> {
    Arc::new(MemoryLimiter::new(DayCounts::in_memory(), Arc::new(SystemClock)))
}

async fn open(server: &Server, other: &Arc<dyn Limiter>, within: Duration) -> Arc<RedisLimiter> {
    Arc::new(RedisLimiter::open(&server.url(), Arc::clone(other), within).await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn a_node_whose_server_is_killed_again_and_again_admits_no_more_than_the_limits() {
    let mut server = Server::start().await;
    let node = open(&server, &other(), PATIENT).await;
    let (by_minute, by_day) = (new_key(), new_key());
    let minute = RateLimits { per_minute: 700, per_day: 1_000_000 };
    let day = RateLimits { per_minute: 1_000_000, per_day: 700 };
    let (mut in_minute, mut in_day) = (0, 0);
    let started = Instant::now();
    let mut ask = async |times: usize| {
        for _ in 0..times {
            in_minute += usize::from(node.request_admit(by_minute, minute).await.unwrap().retry_after.is_none());
            in_day += usize::from(node.request_admit(by_day, day).await.unwrap().retry_after.is_none());
        }
    };
    for _ in 0..3 {
        ask(100).await;
        server.kill();
        ask(100).await;
        assert_eq!(node.limiter_up(), Some(false));
        server.restart().await;
        wait_until_up(&node, true).await;
    }
    ask(300).await;
    assert!(started.elapsed() < Duration::from_secs(55), "the minute is over");
    assert_eq!((in_minute, in_day), (700, 700));
    server.kill();
    let refusal = node.request_admit(by_minute, minute).await.unwrap();
    assert!(refusal.retry_after.is_some_and(|wait| wait <= 60), "{refusal:?}");
    assert_eq!((refusal.minute.limit, refusal.minute.remaining), (700, 0));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn nodes_that_hammer_a_key_while_the_server_is_killed_and_restarted_are_answered_and_admitted_within_the_bound() {
    let mut server = Server::start().await;
    let (other, key) = (other(), new_key());
    let mut nodes = Vec::new();
    for _ in 0..3 {
        nodes.push(open(&server, &other, PATIENT).await);
    }
    let limits = RateLimits { per_minute: 1_000_000, per_day: 30_000 };
    let (asking, asked) = (nodes.clone(), Duration::from_secs(8));
    let hammering = tokio::spawn(async move { hammer(&asking, key, limits, asked).await });
    for _ in 0..2 {
        tokio::time::sleep(Duration::from_millis(500)).await;
        server.kill();
        wait_until_up(&nodes[0], false).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        server.restart().await;
        for node in &nodes {
            wait_until_up(node, true).await;
        }
    }
    let verdicts = hammering.await.unwrap();
    let admitted = admitted(&verdicts);
    eprintln!("{} requests, {admitted} of 30000 admitted", verdicts.len());
    assert!(
        admitted <= 30_100,
        "{admitted}: each node knew what the others were admitted, but for their last requests"
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn while_the_server_is_frozen_the_first_requests_wait_for_the_timeout_and_others_do_not_wait() {
    let server = Server::start().await;
    let (node, key) = (open(&server, &other(), TIMEOUT).await, new_key());
    let limits = RateLimits { per_minute: 1000, per_day: 1000 };
    wait_until_up(&node, true).await;
    for left in (980..1000).rev() {
        assert_eq!(node.request_admit(key, limits).await.unwrap().day.remaining, left);
    }
    server.freeze();
    let frozen = Instant::now();
    let first: Vec<_> = (0..50)
        .map(|_| {
            let node = Arc::clone(&node);
            tokio::spawn(async move { node.request_admit(key, limits).await.unwrap() })
        })
        .collect();
    for answer in first {
        assert_eq!(answer.await.unwrap().retry_after, None);
    }
    let waited = frozen.elapsed();
    assert!((TIMEOUT..TIMEOUT * 3).contains(&waited), "{waited:?}");
    assert_eq!(node.limiter_up(), Some(false));
    let (mut slowest, until) = (Duration::ZERO, Instant::now() + Duration::from_secs(3));
    let mut left = 0;
    while Instant::now() < until {
        let asked = Instant::now();
        left = node.request_admit(key, limits).await.unwrap().day.remaining;
        node.bad_key_add("192.0.2.1".parse().unwrap(), TIMEOUT, PATIENT).await.unwrap();
        slowest = slowest.max(asked.elapsed());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(slowest < TIMEOUT / 2, "a request waited {slowest:?}");
    server.resume();
    wait_until_up(&node, true).await;
    let after = node.request_admit(key, limits).await.unwrap().day.remaining;
    // The server counts the fifty requests that it got while it was frozen, too.
    assert!((left - 51..left).contains(&after), "{left} were left, {after} now");
}

#[tokio::test]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn a_server_that_is_not_there_at_the_start_is_used_as_soon_as_it_is() {
    let mut server = Server::start().await;
    server.kill();
    let (node, key) = (open(&server, &other(), TIMEOUT).await, new_key());
    let limits = RateLimits { per_minute: 5, per_day: 1000 };
    assert_eq!((node.limiter_up(), node.request_admit(key, limits).await.unwrap().minute.remaining), (Some(false), 4));
    server.restart().await;
    wait_until_up(&node, true).await;
    assert_eq!(node.request_admit(key, limits).await.unwrap().minute.remaining, 3);
    let stored: Vec<String> = server.ask(&["KEYS", "aerie:minute:*"]).await;
    assert_eq!(stored, [format!("aerie:minute:{{{}}}", key.0)]);
}

#[tokio::test]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn while_the_memory_of_the_server_is_full_requests_are_counted_elsewhere() {
    let server = Server::start().await;
    let (node, key) = (open(&server, &other(), PATIENT).await, new_key());
    let limits = RateLimits { per_minute: 5, per_day: 1000 };
    server.ask::<()>(&["CONFIG", "SET", "maxmemory", "1"]).await;
    assert_eq!(node.request_admit(key, limits).await.unwrap().minute.remaining, 4);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(node.limiter_up(), Some(false), "a server that cannot write does not count");
    server.ask::<()>(&["CONFIG", "SET", "maxmemory", "0"]).await;
    wait_until_up(&node, true).await;
    assert_eq!(node.request_admit(key, limits).await.unwrap().minute.remaining, 3);
}

#[tokio::test]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn a_request_that_neither_side_can_count_is_not_admitted() {
    let mut server = Server::start().await;
    let node = server.node().await;
    server.kill();
    let limits = RateLimits { per_minute: 5, per_day: 1000 };
    assert!(node.request_admit(new_key(), limits).await.is_err());
    assert!(node.bad_key_add("192.0.2.1".parse().unwrap(), TIMEOUT, PATIENT).await.is_err());
}
