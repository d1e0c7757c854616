//! Rate limits and bad keys of several nodes on one server, by its clock.

use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_domain::{KeyId, RateLimits};
use aerie_limiter_redis::{RedisLimiter, RedisUrl};
use aerie_storage::Limiter;
use aerie_storage::contract::hammering::{
    admissions_per_second, assert_day_is_given_once, assert_places_follow, hammer,
};

use crate::server::{Nowhere, PATIENT, Server, new_key};

const AMPLE: RateLimits = RateLimits { per_minute: 1_000_000, per_day: 1_000_000 };

/// The cost of a bad key where 20 a minute are free, and the most that a network can owe.
const COST: Duration = Duration::from_secs(3);
const MOST: Duration = Duration::from_secs(62);

async fn nodes(server: &Server, number: usize) -> Vec<Arc<RedisLimiter>> {
    let mut nodes = Vec::new();
    for _ in 0..number {
        nodes.push(server.node().await);
    }
    nodes
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn nodes_that_hammer_one_key_get_each_place_in_the_minute_once_and_soon_after_it_is_free() {
    let server = Server::start().await;
    let (nodes, key) = (nodes(&server, 4).await, new_key());
    // A minute in which 40 requests were made, between 59.5 and 51.7 seconds ago: they leave it while the nodes ask.
    let clock: (i64, i64) = server.ask(&["TIME"]).await;
    let now = clock.0 * 1000 + clock.1 / 1000;
    let before: Vec<i64> = (0..40).map(|n| now - 59_500 + n * 200).collect();
    let list = format!("aerie:minute:{{{}}}", key.0);
    for time in &before {
        server.ask::<()>(&["RPUSH", &list, &time.to_string()]).await;
    }
    let limits = RateLimits { per_minute: 40, per_day: 1_000_000 };
    let verdicts = hammer(&nodes, key, limits, Duration::from_secs(7)).await;
    let mut times: Vec<i64> = server.ask(&["LRANGE", &list, "0", "-1"]).await;
    times.retain(|time| *time > before[39]);
    assert_places_follow(&before.into_iter().chain(times).collect::<Vec<_>>(), &verdicts);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn a_days_requests_are_admitted_once_over_all_nodes_and_a_restart_of_nodes_or_server_loses_none() {
    let mut server = Server::start().await;
    let first = nodes(&server, 3).await;
    // One node after the other is restarted, and once the server.
    let restart = async |round: usize, nodes: &mut Vec<Arc<RedisLimiter>>| {
        if round == 1 {
            nodes.clear();
            server.kill();
            server.restart().await;
            nodes.extend([server.node().await, server.node().await]);
        } else {
            nodes.remove(0);
        }
        nodes.push(server.node().await);
    };
    assert_day_is_given_once(first, (new_key(), 20_000), restart).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn nodes_share_the_debt_of_a_network() {
    let server = Server::start().await;
    let nodes = nodes(&server, 3).await;
    let network = "2001:db8::".parse().unwrap();
    let mut debt = Duration::ZERO;
    for bad_key in 0..40 {
        debt = nodes[bad_key % 3].bad_key_add(network, COST, MOST).await.unwrap();
    }
    assert!((MOST - Duration::from_secs(1)..=MOST).contains(&debt), "{debt:?}");
    assert_eq!(nodes[0].bad_key_add("192.0.2.2".parse().unwrap(), COST, MOST).await.unwrap(), COST);
}

#[tokio::test]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn keys_expire_by_themselves_and_a_thousand_requests_of_a_minute_take_less_than_12_kb() {
    let server = Server::start().await;
    let (node, key) = (server.node().await, new_key());
    for _ in 0..1000 {
        assert_eq!(node.request_admit(key, AMPLE).await.unwrap().retry_after, None);
    }
    node.bad_key_add("192.0.2.1".parse().unwrap(), COST, MOST).await.unwrap();
    let names: Vec<String> = server.ask(&["KEYS", "*"]).await;
    let mut memory = 0;
    for name in &names {
        let expires_in: i64 = server.ask(&["PTTL", name]).await;
        let longest = if name.starts_with("aerie:day:") { 25 * 3_600_000 } else { 61_000 };
        assert!((1..=longest).contains(&expires_in), "{name}: {expires_in}");
        let bytes: i64 = server.ask(&["MEMORY", "USAGE", name, "SAMPLES", "0"]).await;
        eprintln!("{name}: {bytes} bytes");
        memory += bytes;
    }
    assert_eq!(names.len(), 4, "minute, day, debt, and the probe of the connection: {names:?}");
    assert!(memory < 12_000, "{memory}");
}

#[tokio::test]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn a_server_that_has_forgotten_the_scripts_gets_them_again() {
    let server = Server::start().await;
    let (node, key) = (server.node().await, new_key());
    for left in [2, 1, 0] {
        let limits = RateLimits { per_minute: 3, per_day: 10 };
        assert_eq!(node.request_admit(key, limits).await.unwrap().minute.remaining, left);
        server.ask::<()>(&["SCRIPT", "FLUSH"]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn the_keys_of_a_cluster_are_counted_on_the_servers_that_have_them() {
    let options = ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000"];
    let servers =
        [Server::start_with(&options).await, Server::start_with(&options).await, Server::start_with(&options).await];
    for (server, slots) in servers.iter().zip([("0", "5460"), ("5461", "10922"), ("10923", "16383")]) {
        server.ask_openly::<()>(&["CLUSTER", "ADDSLOTSRANGE", slots.0, slots.1]).await;
        server.ask_openly::<()>(&["CLUSTER", "MEET", "127.0.0.1", &servers[0].port.to_string()]).await;
    }
    for server in &servers {
        let until = Instant::now() + Duration::from_secs(20);
        while !server.ask_openly::<String>(&["CLUSTER", "INFO"]).await.contains("cluster_state:ok") {
            assert!(Instant::now() < until, "no cluster");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    let mut nodes = Vec::new();
    for server in &servers {
        let url = RedisUrl::parse(&format!("redis://127.0.0.1:{}", server.port)).unwrap();
        nodes.push(Arc::new(RedisLimiter::open(&url, Arc::new(Nowhere), PATIENT).await.unwrap()));
    }
    let keys: Vec<KeyId> = (0..30).map(|_| new_key()).collect();
    for key in keys {
        let limits = RateLimits { per_minute: 20, per_day: 1000 };
        let (mut given, until) = (0, Instant::now() + PATIENT);
        for turn in 0..25 {
            let verdict = nodes[turn % 3].request_admit(key, limits).await.unwrap();
            given += usize::from(verdict.retry_after.is_none());
        }
        assert_eq!(given, 20);
        assert!(Instant::now() < until);
    }
    for server in &servers {
        let stored: usize = server.ask_openly(&["DBSIZE"]).await;
        assert!(stored > 3, "{stored} keys on one server");
    }
}

/// Prints admissions per second: on one key, and over a thousand.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server: e2e/redis.sh"]
async fn admissions_stay_fast_while_the_minute_fills() {
    let server = Server::start().await;
    let nodes = nodes(&server, 4).await;
    let one = [new_key()];
    let thousand: Vec<KeyId> = (0..1000).map(|_| new_key()).collect();
    for keys in [&one[..], &thousand[..]] {
        let rate = admissions_per_second(&nodes, keys, Duration::from_secs(4)).await;
        assert!(rate > 500.0, "{rate} admissions/s over {} keys", keys.len());
    }
}
