//! How long a claim takes while several claim from a queue that stays as long.

use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_math::Rng;
use aerie_storage::{JobQueue, MaintenanceStore};
use aerie_storage_postgres::PostgresStore;
use tokio::task::JoinSet;

use crate::clients::{LEASE, life};
use crate::jobs::{any_kind, any_organization, new_job};

/// Times of claims. After each, the job is completed and another one submitted.
pub async fn times(store: &Arc<PostgresStore>, claimers: u64, time: Duration) -> Vec<Duration> {
    let begun = Instant::now();
    let mut loops = JoinSet::new();
    for claimer in 0..claimers {
        let store = Arc::clone(store);
        loops.spawn(async move {
            let (mut rng, mut times) = (Rng::scattered(claimer), Vec::new());
            while begun.elapsed() < time {
                times.extend(life(&store).await);
                let job = new_job(any_organization(&mut rng), any_kind(&mut rng));
                store.job_submit(job).await.expect("a database").expect("it is accepted");
            }
            times
        });
    }
    loops.join_all().await.into_iter().flatten().collect()
}

/// Times of writes of one row, each of its own, by as many clients: what a commit alone takes on this disk.
pub async fn commits(store: &Arc<PostgresStore>, clients: u64, time: Duration) -> Vec<Duration> {
    let begun = Instant::now();
    let mut loops = JoinSet::new();
    for client in 0..clients {
        let store = Arc::clone(store);
        loops.spawn(async move {
            let (name, mut times) = (client.to_string(), Vec::new());
            while begun.elapsed() < time {
                let written = Instant::now();
                store.duty_acquire(&name, &name, LEASE).await.expect("a database");
                times.push(written.elapsed());
            }
            times
        });
    }
    loops.join_all().await.into_iter().flatten().collect()
}
