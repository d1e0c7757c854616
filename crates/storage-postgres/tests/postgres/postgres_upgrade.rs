//! Upgrades of the schema while nodes of the version before use it. The later versions exist in tests only: one that expands the schema,
//! and one that contracts it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use aerie_domain::{Failure, FailureCode, JobId, JobInput, JobLimits, JobType, OrgId, RequestId, UsageRange};
use aerie_storage::{
    Claim, IdempotencyKey, JobFilter, JobOutput, JobQueue, MaintenanceStore, NewJob, RecordedAnswer, Replay,
    StoreError, SubmitRefusal, TenantStore,
};
use aerie_storage_postgres::testing::{LaterVersion, open_later};
use aerie_storage_postgres::{PostgresStore, TimeSource};
use jiff::Timestamp;
use tokio::task::JoinHandle;
use tokio_postgres::Client;

use crate::database::Database;

/// The longest that a request may wait for the upgrade: it waits for a lock for a second.
const LONGEST: Duration = Duration::from_secs(2);

const LEASE: Duration = Duration::from_secs(60);

/// The version after `known`, which a binary of `known` works with, and the one after that, which it does not.
fn versions_after(known: i64) -> [LaterVersion; 2] {
    let indexes = &[("jobs_newest_first", "jobs (created_at DESC, id DESC)")];
    let expand = LaterVersion { sql: include_str!("expand.sql"), indexes, oldest: known };
    [expand, LaterVersion { sql: include_str!("contract.sql"), indexes: &[], oldest: known + 1 }]
}

/// A database of the current version with three organizations, the first of which has this many completed jobs.
struct Site {
    database: Database,
    /// A connection of the test's own.
    client: Client,
    /// The current version.
    known: i64,
    orgs: [OrgId; 3],
}

impl Site {
    async fn create(jobs: i64) -> Self {
        let database = Database::create_migrated().await;
        let (client, node) = (database.connect().await, database.node().await);
        let org = async |name| node.org_create(name, "starter").await.unwrap().id;
        let orgs = [org("kept").await, org("one").await, org("other").await];
        let fill = "
            INSERT INTO aerie.jobs (id, org_id, job_type, status, input, input_media, unit_price_cents, request_id, created_at,
                updated_at, completed_at)
            SELECT gen_random_uuid(), $1, 'image_enhance', 'completed', '{}', '{}', 1, gen_random_uuid(), n, n, n
            FROM generate_series(1, $2::bigint) AS n";
        // Counted once, and not row by row.
        client.batch_execute("ALTER TABLE aerie.jobs DISABLE TRIGGER USER").await.unwrap();
        client.execute(fill, &[&orgs[0].0, &jobs]).await.unwrap();
        client.batch_execute("ALTER TABLE aerie.jobs ENABLE TRIGGER USER").await.unwrap();
        let count = "INSERT INTO aerie.job_counts (org_id, job_type, status, jobs) VALUES ($1, 'image_enhance', 'completed', $2)";
        client.execute(count, &[&orgs[0].0, &jobs]).await.unwrap();
        let known = version(&client).await;
        Self { database, client, known, orgs }
    }

    /// Opens the database as a binary that knows the next version does, or the next two.
    fn open(&self, later: usize) -> JoinHandle<Result<PostgresStore, StoreError>> {
        let (url, versions) = (self.database.parsed(), versions_after(self.known));
        tokio::spawn(async move { open_later(&url, 2, TimeSource::Database, &versions[..later]).await })
    }

    /// Waits until an index is being built: there is an invalid one.
    async fn building(&self) {
        let begun = Instant::now();
        while self.invalid().await == 0 {
            assert!(begun.elapsed() < Duration::from_secs(60), "no index is being built");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Number of invalid indexes.
    async fn invalid(&self) -> i64 {
        let invalid = "SELECT count(*) FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
                       WHERE relnamespace = 'aerie'::regnamespace AND NOT indisvalid";
        self.client.query_one(invalid, &[]).await.unwrap().get(0)
    }
}

async fn version(client: &Client) -> i64 {
    client.query_one("SELECT version FROM aerie.schema_version", &[]).await.unwrap().get(0)
}

/// A transaction that is open for longer than [`LONGEST`], and has locked what an upgrade needs to lock.
struct Blocker(Client);

/// What blocks the last step of an index.
const WRITE: &str = "UPDATE jobs SET notes = '{}' WHERE created_at = 1";
/// What blocks a change of the table.
const READ: &str = "SELECT id FROM jobs LIMIT 1";

impl Blocker {
    async fn begin(database: &Database, statement: &str) -> Self {
        let client = database.connect().await;
        client.batch_execute(&format!("SET search_path = aerie; BEGIN; {statement}")).await.unwrap();
        Self(client)
    }

    async fn end(self) {
        self.0.batch_execute("COMMIT").await.unwrap();
    }
}

/// A node of the current version.
struct Node {
    store: Arc<PostgresStore>,
    name: String,
    /// The longest that an operation took, and which one.
    slowest: (Duration, &'static str),
}

impl Node {
    async fn open(database: &Database, name: &str) -> Self {
        Self { store: database.node().await, name: name.to_owned(), slowest: (Duration::ZERO, "none") }
    }

    /// Runs an operation, which must succeed.
    async fn run<T>(&mut self, name: &'static str, operation: impl Future<Output = Result<T, StoreError>>) -> T {
        let begun = Instant::now();
        let done = operation.await;
        self.slowest = self.slowest.max((begun.elapsed(), name));
        done.unwrap_or_else(|error| panic!("{name} failed: {error:?}"))
    }

    /// Submits a job under an idempotency key; returns its id.
    async fn submit(&mut self, org_id: OrgId, key: &str) -> JobId {
        let job = NewJob {
            id: JobId::new(Timestamp::now()),
            org_id,
            input: JobInput::from_body(JobType::DroneFootage, &serde_json::json!({"address": "a"})).unwrap(),
            input_media: BTreeMap::new(),
            parent_id: None,
            unit_price_cents: 1,
            request_id: RequestId::new(Timestamp::now()),
            idempotency_key: Some(IdempotencyKey { route: "POST /v1/x".into(), key: key.into(), digest: [1; 32] }),
            limits: JobLimits::default(),
        };
        let store = Arc::clone(&self.store);
        match self.run("submit", store.job_submit(job)).await {
            Ok(job) => job.id,
            Err(SubmitRefusal::Replay(Replay::Answered(RecordedAnswer::Submitted(id)))) => id,
            Err(refusal) => panic!("{refusal:?}"),
        }
    }

    async fn claim(&mut self) -> Option<Claim> {
        let (store, name) = (Arc::clone(&self.store), self.name.clone());
        self.run("claim", store.job_claim(&JobType::ALL, &name, LEASE)).await
    }

    /// Renews the lease of a claimed job, and completes it.
    async fn complete(&mut self, claim: &Claim) {
        let store = Arc::clone(&self.store);
        self.run("heartbeat", store.job_heartbeat(&claim.lease, LEASE)).await;
        self.run("complete", store.job_complete(&claim.lease, JobOutput::default())).await;
    }

    async fn fail(&mut self, claim: &Claim) {
        let store = Arc::clone(&self.store);
        let failure = Failure::new(FailureCode::AddressNotFound, "No such house.");
        self.run("fail", store.job_fail(&claim.lease, failure)).await;
    }

    /// Reads what clients and monitors ask for.
    async fn read(&mut self, org_id: OrgId, id: JobId) {
        let (store, org) = (Arc::clone(&self.store), Some(org_id));
        assert!(self.run("get", store.job_get(org, id)).await.is_some());
        let newest = JobFilter { org_id: org, status: None, job_type: None, limit: 50, offset: 0 };
        self.run("list", store.job_list(newest.clone())).await;
        self.run("list of all", store.job_list(JobFilter { org_id: None, ..newest })).await;
        let range = UsageRange::parse(None, None, Timestamp::now()).unwrap();
        self.run("usage", store.usage_list(org_id, range, None, 100)).await;
        self.run("statistics", store.queue_stats()).await;
        let name = self.name.clone();
        self.run("duty", store.duty_acquire("sweep", &name, LEASE)).await;
    }
}

/// Submits, claims, completes, fails and reads, until the end; each returns its slowest operation.
async fn load(site: &Site, is_over: &Arc<AtomicBool>) -> Vec<JoinHandle<(Duration, &'static str)>> {
    let mut running = Vec::new();
    let submitters = Arc::new(AtomicUsize::new(2));
    for number in 0..2 {
        let (mut node, orgs) = (Node::open(&site.database, &format!("api-{number}")).await, site.orgs);
        let (is_over, submitters) = (Arc::clone(is_over), Arc::clone(&submitters));
        running.push(tokio::spawn(async move {
            let mut submits = 0;
            while !is_over.load(Ordering::SeqCst) {
                let (org, key) = (orgs[1 + submits % 2], format!("{number}-{submits}"));
                let id = node.submit(org, &key).await;
                assert_eq!(node.submit(org, &key).await, id, "the key stands for one job");
                node.read(org, id).await;
                submits += 1;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            submitters.fetch_sub(1, Ordering::SeqCst);
            node.slowest
        }));
    }
    for number in 0..2 {
        let mut node = Node::open(&site.database, &format!("worker-{number}")).await;
        let submitters = Arc::clone(&submitters);
        running.push(tokio::spawn(async move {
            let mut claims = 0;
            // At the end, until nothing is queued: the submitters are looked for first, as one may submit after a claim finds none.
            loop {
                let is_last = submitters.load(Ordering::SeqCst) == 0;
                match node.claim().await {
                    Some(claim) if claims % 5 == 4 => node.fail(&claim).await,
                    Some(claim) => node.complete(&claim).await,
                    None if is_last => return node.slowest,
                    None => {}
                }
                claims += 1;
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }));
    }
    running
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn nodes_of_the_version_before_work_without_a_long_wait_while_a_new_one_upgrades_the_schema() {
    let site = Site::create(50_000).await;
    let is_over = Arc::new(AtomicBool::new(false));
    let running = load(&site, &is_over).await;
    tokio::time::sleep(Duration::from_millis(500)).await;

    let writer = Blocker::begin(&site.database, WRITE).await;
    let reader = Blocker::begin(&site.database, READ).await;
    let opened = site.open(1);
    for blocker in [writer, reader] {
        tokio::time::sleep(2 * LONGEST).await;
        assert!(!opened.is_finished(), "it waits for the transaction");
        blocker.end().await;
    }
    let new = opened.await.unwrap().unwrap();
    assert_eq!(version(&site.client).await, site.known + 1);

    // Old and new claim from one queue.
    let mut claimed = 0;
    for _ in 0..100 {
        if let Some(claim) = new.job_claim(&JobType::ALL, "new", LEASE).await.unwrap() {
            new.job_complete(&claim.lease, JobOutput::default()).await.unwrap();
            claimed += 1;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(claimed > 0);
    is_over.store(true, Ordering::SeqCst);
    let mut slowest = (Duration::ZERO, "none");
    for task in running {
        slowest = slowest.max(task.await.unwrap());
    }
    assert!(slowest.0 < LONGEST, "{slowest:?}");

    let violations = "SELECT
        (SELECT count(*) FROM aerie.jobs WHERE status NOT IN ('completed', 'failed') OR attempt > 1),
        (SELECT count(*) FROM aerie.jobs WHERE created_at > 50000
             AND (status = 'completed') <> (id IN (SELECT job_id FROM aerie.usage_events))),
        (SELECT count(*) FROM (SELECT org_id, status, count(*) AS jobs FROM aerie.jobs GROUP BY org_id, status) AS there
             FULL JOIN (SELECT * FROM aerie.job_counts WHERE jobs > 0) AS counted USING (org_id, status)
             WHERE there.jobs IS DISTINCT FROM counted.jobs)";
    let found = site.client.query_one(violations, &[]).await.unwrap();
    let found: [i64; 3] = [found.get(0), found.get(1), found.get(2)];
    assert_eq!(found, [0, 0, 0], "unfinished or repeated, billed wrongly, counted wrongly");
    assert_eq!(site.invalid().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn an_upgrade_that_was_interrupted_is_finished_by_the_next_start() {
    let site = Site::create(1000).await;
    let mut old = Node::open(&site.database, "old").await;
    let blocker = Blocker::begin(&site.database, WRITE).await;
    let opened = site.open(1);
    site.building().await;
    let interrupt = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                     WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%'";
    assert_eq!(site.client.query(interrupt, &[]).await.unwrap().len(), 1);
    assert!(opened.await.unwrap().is_err());
    let left = (version(&site.client).await, site.invalid().await);
    assert_eq!(left, (site.known, 1), "an invalid index is left behind");
    blocker.end().await;

    // A node of the version before goes on with what there is.
    let id = old.submit(site.orgs[1], "a").await;
    let claim = old.claim().await.unwrap();
    assert_eq!((claim.job.id, claim.lease.attempt), (id, 1));

    let store = site.open(1).await.unwrap().unwrap();
    assert_eq!((version(&site.client).await, site.invalid().await), (site.known + 1, 0));
    store.store_check_use().await.unwrap();
    old.complete(&claim).await;
    let id = old.submit(site.orgs[1], "b").await;
    let claim = store.job_claim(&JobType::ALL, "new", LEASE).await.unwrap().unwrap();
    assert_eq!((claim.job.id, claim.job.org_id), (id, site.orgs[1]));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn processes_that_start_at_once_upgrade_the_schema_once() {
    let site = Site::create(1000).await;
    let blocker = Blocker::begin(&site.database, WRITE).await;
    let first = site.open(2);
    site.building().await;
    let others: Vec<_> = (0..4).map(|_| site.open(2)).collect();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert!(!first.is_finished() && others.iter().all(|other| !other.is_finished()));
    blocker.end().await;
    drop(first.await.unwrap().unwrap());
    for other in others {
        drop(other.await.unwrap().unwrap());
    }
    assert_eq!((version(&site.client).await, site.invalid().await), (site.known + 2, 0));
    let locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'
                 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    let released = async {
        while site.client.query_one(locks, &[]).await.unwrap().get::<_, i64>(0) > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), released).await.expect("no process keeps the lock");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_version_that_contracts_the_schema_refuses_binaries_of_before_its_expansion_only() {
    let site = Site::create(10).await;
    drop(site.open(1).await.unwrap().unwrap());
    let mut old = Node::open(&site.database, "old").await;
    let id = old.submit(site.orgs[1], "a").await;
    let claim = old.claim().await.unwrap();
    assert_eq!(claim.job.id, id);
    old.complete(&claim).await;

    drop(site.open(2).await.unwrap().unwrap());
    let refused = site.open(0).await.unwrap().map(drop);
    let expected = (site.known + 2, site.known);
    assert!(
        matches!(refused, Err(StoreError::NewerSchema { found, known }) if (found, known) == expected),
        "{refused:?}"
    );
    let between = site.open(1).await.unwrap().unwrap();
    assert_eq!(
        between
            .job_list(JobFilter { org_id: None, status: None, job_type: None, limit: 50, offset: 0 })
            .await
            .unwrap()
            .total,
        11
    );
    assert_eq!(version(&site.client).await, site.known + 2, "it does not go back");
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_new_database_gets_every_version_at_once() {
    let database = Database::create().await;
    let versions = versions_after(1);
    open_later(&database.parsed(), 2, TimeSource::Database, &versions).await.unwrap().store_check_use().await.unwrap();
    let client = database.connect().await;
    let indexes = "SELECT array_agg(indexname::text ORDER BY 1) FROM pg_indexes
                   WHERE schemaname = 'aerie' AND indexname LIKE 'jobs_newest%'";
    let indexes: Vec<String> = client.query_one(indexes, &[]).await.unwrap().get(0);
    assert_eq!(indexes, ["jobs_newest_first", "jobs_newest_of_organization", "jobs_newest_of_state"]);
}
