//! Clients of stores, each with its own loop, and what they do per second.

use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_domain::{JobType, KeyId, OrgId, RateLimits};
use aerie_math::Rng;
use aerie_storage::{JobQueue, Limiter};
use aerie_storage_postgres::PostgresStore;
use jiff::Timestamp;
use tokio::task::JoinSet;

use crate::jobs::{any_kind, any_organization, new_job, output};
use crate::server::Server;

/// How long a claim lasts.
pub const LEASE: Duration = Duration::from_secs(15);

/// Turns by plan, for claims.
pub const WEIGHTS: [(&str, u32); 2] = [("enterprise", 3), ("starter", 1)];

/// Limits that no client reaches.
pub const AMPLE: RateLimits = RateLimits { per_minute: 100_000_000, per_day: 1_000_000_000 };

/// Runs so many loops of `once` side by side until the time is over; returns how often it succeeded per second.
async fn per_second<F: Future<Output = bool> + Send>(
    clients: usize,
    time: Duration,
    once: impl Fn(u64) -> F + Clone + Send + 'static,
) -> f64 {
    let begun = Instant::now();
    let mut loops = JoinSet::new();
    for client in 0..clients {
        let once = once.clone();
        loops.spawn(async move {
            let (mut done, mut number) = (0_u32, client as u64);
            while begun.elapsed() < time {
                done += u32::from(once(number).await);
                number += clients as u64;
            }
            done
        });
    }
    let done: u32 = loops.join_all().await.into_iter().sum();
    f64::from(done) / begun.elapsed().as_secs_f64()
}

/// Submits per second, to one organization or to any.
pub async fn submits(store: &Arc<PostgresStore>, clients: usize, time: Duration, only: Option<OrgId>) -> f64 {
    let store = Arc::clone(store);
    per_second(clients, time, move |number| {
        let store = Arc::clone(&store);
        async move {
            let mut rng = Rng::scattered(number);
            let org = only.unwrap_or_else(|| any_organization(&mut rng));
            store.job_submit(new_job(org, any_kind(&mut rng))).await.expect("a database").is_ok()
        }
    })
    .await
}

/// Jobs claimed, renewed and completed per second.
pub async fn lives(store: &Arc<PostgresStore>, clients: usize, time: Duration) -> f64 {
    let store = Arc::clone(store);
    per_second(clients, time, move |_| {
        let store = Arc::clone(&store);
        async move { life(&store).await.is_some() }
    })
    .await
}

/// Claims, renews and completes a job; returns how long the claim took.
pub async fn life(store: &PostgresStore) -> Option<Duration> {
    let begun = Instant::now();
    let claim = store.job_claim(&JobType::ALL, "worker", LEASE).await.expect("a database")?;
    let took = begun.elapsed();
    store.job_heartbeat(&claim.lease, LEASE).await.expect("the lease is held");
    let output = output(claim.job.org_id, claim.job.id, claim.lease.attempt);
    store.job_complete(&claim.lease, output).await.expect("the lease is held");
    Some(took)
}

/// Admitted requests per second over so many keys.
pub async fn admissions(store: &Arc<PostgresStore>, clients: usize, time: Duration, keys: u64) -> f64 {
    let keys: Vec<KeyId> = (0..keys).map(|_| KeyId::new(Timestamp::now())).collect();
    let (store, keys) = (Arc::clone(store), Arc::<[KeyId]>::from(keys));
    per_second(clients, time, move |number| {
        let (store, keys) = (Arc::clone(&store), Arc::clone(&keys));
        async move {
            let key = keys[usize::try_from(number).unwrap_or(0) * 61 % keys.len()];
            store.request_admit(key.into(), AMPLE).await.expect("a database").retry_after.is_none()
        }
    })
    .await
}

/// Jobs completed so far, as the database counts them.
#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
pub async fn completed(server: &Server) -> f64 {
    server.number("SELECT coalesce(sum(jobs), 0)::bigint FROM job_counts WHERE status = 'completed'").await as f64
}

/// Jobs submitted so far.
#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
pub async fn submitted(server: &Server) -> f64 {
    server.number("SELECT coalesce(sum(jobs), 0)::bigint FROM job_counts").await as f64
}
