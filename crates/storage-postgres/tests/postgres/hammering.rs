//! Many requests of many nodes at once, by the clock of the database.

use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_domain::{KeyId, RateLimits};
use aerie_storage::{Limiter, Verdict};
use aerie_storage_postgres::PostgresStore;

/// Requests at a time from each node.
const EACH: usize = 4;
/// Requests a minute of the keys of [`assert_places_follow`], and how many milliseconds a place may stay free.
const PLACES: usize = 40;
const MOST_LATE: i64 = 2000;

/// Sends requests of a key from every node, several at once, until the time is over. Returns their verdicts.
pub(crate) async fn hammer(
    nodes: &[Arc<PostgresStore>],
    key: KeyId,
    limits: RateLimits,
    time: Duration,
) -> Vec<Verdict> {
    let until = Instant::now() + time;
    let clients: Vec<_> = nodes
        .iter()
        .flat_map(|node| std::iter::repeat_n(node, EACH))
        .map(|node| {
            let node = Arc::clone(node);
            tokio::spawn(async move {
                let mut verdicts = Vec::new();
                while Instant::now() < until {
                    let verdict = node.request_admit(key.into(), limits).await.unwrap();
                    verdicts.push(verdict);
                    if verdict.retry_after.is_some() {
                        tokio::time::sleep(Duration::from_millis(1)).await;
                    }
                }
                verdicts
            })
        })
        .collect();
    let mut verdicts = Vec::new();
    for client in clients {
        verdicts.extend(client.await.unwrap());
    }
    verdicts
}

/// Returns how many were admitted.
pub(crate) fn admitted(verdicts: &[Verdict]) -> usize {
    verdicts.iter().filter(|verdict| verdict.retry_after.is_none()).count()
}

/// Asserts that a key with 40 requests a minute got each place once, and soon after it was free. `times` are those of all admissions,
/// of the 40 that filled the minute before and of those that `verdicts` report, in milliseconds.
pub(crate) fn assert_places_follow(times: &[i64], verdicts: &[Verdict]) {
    assert_eq!(times.len() - PLACES, admitted(verdicts), "each admission was counted, and nothing else");
    // How long after the request 40 places before it has left the minute.
    let late: Vec<i64> = times.windows(PLACES + 1).map(|minute| minute[PLACES] - minute[0] - 60_000).collect();
    eprintln!("{} requests, {} admitted, {late:?} ms after their place was free", verdicts.len(), late.len());
    assert!(late.iter().all(|late| *late >= 0), "more than {PLACES} in 60 seconds: {late:?}");
    let is_soon = late.iter().all(|late| *late < MOST_LATE);
    assert!((25..=PLACES).contains(&late.len()) && is_soon, "places stay free: {late:?}");
    // If several places became free before a node asked, its answer counts those that are left.
    let free_at =
        |taken: usize| (taken + 1..times.len()).filter(|n| times[n - PLACES] + 60_000 <= times[taken]).count();
    let most_free = (PLACES..times.len()).map(free_at).max().unwrap_or_default();
    for verdict in verdicts {
        assert_eq!(verdict.minute.limit as usize, PLACES);
        let others = if verdict.retry_after.is_none() { most_free } else { 0 };
        assert!(verdict.minute.remaining as usize <= others, "{verdict:?}, {most_free} were free");
        assert!(
            verdict.minute.resets_in <= 9 && verdict.retry_after.is_none_or(|wait| wait == verdict.minute.resets_in)
        );
    }
}

/// Asserts that each of so many places of a day was given once, to nodes of which one after the other is restarted by `restart`.
pub(crate) async fn assert_day_is_given_once(
    mut nodes: Vec<Arc<PostgresStore>>,
    (key, places): (KeyId, u32),
    restart: impl AsyncFn(&mut Vec<Arc<PostgresStore>>),
) {
    let limits = RateLimits { per_minute: 1_000_000, per_day: places };
    let mut verdicts = Vec::new();
    for _ in 0..200 {
        verdicts.extend(hammer(&nodes, key, limits, Duration::from_millis(250)).await);
        restart(&mut nodes).await;
        if verdicts.iter().any(|verdict| verdict.retry_after.is_some()) {
            break;
        }
    }
    let given = verdicts.iter().filter(|verdict| verdict.retry_after.is_none());
    let mut left: Vec<u32> = given.map(|verdict| verdict.day.remaining).collect();
    left.sort_unstable();
    assert_eq!(left, (0..places).collect::<Vec<_>>(), "each place of the day was given once");
}

/// Admissions per second by 16 clients on all nodes, over the given keys in turn. Prints it with the median and the 99th percentile of
/// a request.
pub(crate) async fn admissions_per_second(nodes: &[Arc<PostgresStore>], keys: &[KeyId], time: Duration) -> f64 {
    let ample = RateLimits { per_minute: 1_000_000, per_day: 1_000_000 };
    let (started, until) = (Instant::now(), Instant::now() + time);
    let clients: Vec<_> = (0..16)
        .map(|client| {
            let (node, keys) = (Arc::clone(&nodes[client % nodes.len()]), keys.to_vec());
            tokio::spawn(async move {
                let mut each = Vec::new();
                for key in keys.iter().cycle().skip(client * 61) {
                    let asked = Instant::now();
                    if asked >= until {
                        break;
                    }
                    assert_eq!(node.request_admit((*key).into(), ample).await.unwrap().retry_after, None);
                    each.push(asked.elapsed());
                }
                each
            })
        })
        .collect();
    let mut each = Vec::new();
    for client in clients {
        each.extend(client.await.unwrap());
    }
    each.sort_unstable();
    let rate = each.len() as f64 / started.elapsed().as_secs_f64();
    let (median, p99) = (each[each.len() / 2], each[each.len() * 99 / 100]);
    eprintln!("{} keys: {rate:.0} admissions/s, median {median:.1?}, p99 {p99:.1?}", keys.len());
    rate
}
