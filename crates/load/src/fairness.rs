//! Turns of organizations. Jobs of a kind of their own, so that a queue of other kinds does not matter.

use std::sync::Arc;

use aerie_domain::{JobId, JobType, OrgId};
use aerie_storage::{JobQueue, TenantStore};
use aerie_storage_postgres::PostgresStore;
use tokio::task::JoinSet;

use crate::clients::{LEASE, WEIGHTS};
use crate::jobs::new_job;
use crate::server::Server;

const KIND: JobType = JobType::Markup;

/// Jobs of the organization with a long queue.
const LONG: u32 = 10_000;

/// The most claims between the submit of an organization's only job and its claim, while another one has a long queue: with
/// claims one by one, and with so many at once.
pub async fn claims_between(server: &Server, store: &Arc<PostgresStore>, at_once: usize) -> (usize, usize) {
    let (long, short) = (organization(store, "starter").await, organization(store, "starter").await);
    queue(server, long, LONG).await;
    let mut alone = 0;
    for _ in 0..20 {
        let job = submit(store, short).await;
        let mut between = 0;
        while claim(store).await.1 != job {
            between += 1;
        }
        alone = alone.max(between);
    }
    let mut together = 0;
    for _ in 0..20 {
        let job = submit(store, short).await;
        let mut claimed: Vec<JobId> = Vec::new();
        while !claimed.contains(&job) {
            let mut claims = JoinSet::new();
            for _ in 0..at_once {
                let store = Arc::clone(store);
                claims.spawn(async move { claim(&store).await.1 });
            }
            claimed.extend(claims.join_all().await);
        }
        // Those that began with it count as before it.
        together = together.max(claimed.len() - 1);
    }
    clear(server).await;
    (alone, together)
}

/// Claims of an organization whose plan has the weight 3 for each claim of one with the weight 1, both with long queues.
pub async fn weighted(server: &Server, store: &Arc<PostgresStore>) -> f64 {
    store.plan_weights_set(WEIGHTS.map(|(plan, weight)| (plan.to_owned(), weight)).into());
    let (heavy, light) = (organization(store, "enterprise").await, organization(store, "starter").await);
    for org in [heavy, light] {
        queue(server, org, 1000).await;
    }
    let mut claims = [0_u32; 2];
    for _ in 0..800 {
        claims[usize::from(claim(store).await.0 == heavy)] += 1;
    }
    clear(server).await;
    f64::from(claims[1]) / f64::from(claims[0].max(1))
}

async fn organization(store: &PostgresStore, plan: &str) -> OrgId {
    store.org_create("Fairness", plan).await.expect("a database").id
}

async fn submit(store: &PostgresStore, org: OrgId) -> JobId {
    store.job_submit(new_job(org, KIND)).await.expect("a database").expect("it is accepted").id
}

async fn claim(store: &PostgresStore) -> (OrgId, JobId) {
    let job = store.job_claim(&[KIND], "worker", LEASE * 100).await.expect("a database").expect("there are jobs").job;
    (job.org_id, job.id)
}

async fn queue(server: &Server, org: OrgId, jobs: u32) {
    server
        .run(&format!(
            "INSERT INTO jobs (id, org_id, job_type, status, input, input_media, unit_price_cents, request_id, created_at, updated_at)
             SELECT gen_random_uuid(), '{org}', '{KIND}', 'queued', '{{}}', '{{}}', 1, gen_random_uuid(), n, n
             FROM generate_series(1, {jobs}) AS n"
        ))
        .await;
}

async fn clear(server: &Server) {
    server.run(&format!("DELETE FROM jobs WHERE status IN ('queued', 'running') AND job_type = '{KIND}'")).await;
}
