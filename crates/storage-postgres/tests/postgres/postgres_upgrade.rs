//! Upgrades of the schema while binaries of version 1 use it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use aerie_domain::{JobType, OrgId};
use aerie_storage::{JobOutput, JobQueue, MaintenanceStore, StoreError};
use aerie_storage_postgres::{PostgresStore, TimeSource};
use tokio::task::JoinHandle;
use tokio_postgres::Client;
use uuid::Uuid;

use crate::database::Database;
use crate::version_1::{self, Node, fresh_id};

/// The longest that a request may wait for the upgrade: it waits for a lock for a second.
const LONGEST: Duration = Duration::from_secs(2);

/// A transaction that is open for longer than that, and has locked what an upgrade needs to lock.
struct Blocker(Client);

/// What blocks the last step of an index.
const WRITE: &str = "UPDATE jobs SET notes = '{}' WHERE created_at = 1";
/// What blocks a change of the sequence.
const CLAIM: &str = "SELECT nextval('claims')";

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

/// Opens the database as a new binary does.
fn open(database: &Database) -> JoinHandle<Result<(), StoreError>> {
    let url = database.parsed();
    tokio::spawn(async move { PostgresStore::open(&url, 2, TimeSource::Database).await.map(drop) })
}

/// Waits until an index is being built: there is an invalid one.
async fn building(client: &Client) {
    let begun = Instant::now();
    while invalid(client).await == 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no index is being built");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn invalid(client: &Client) -> i64 {
    let invalid = "SELECT count(*) FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
                   WHERE relnamespace = 'aerie'::regnamespace AND NOT indisvalid";
    client.query_one(invalid, &[]).await.unwrap().get(0)
}

async fn version(client: &Client) -> i64 {
    client.query_one("SELECT version FROM aerie.schema_version", &[]).await.unwrap().get(0)
}

/// Submits, claims, completes, fails and reads, until the end; each returns its longest statement.
async fn load(
    database: &Database,
    orgs: &[Uuid; 3],
    is_over: &Arc<AtomicBool>,
) -> Vec<JoinHandle<(Duration, &'static str)>> {
    let mut running = Vec::new();
    let submitters = Arc::new(AtomicUsize::new(2));
    for number in 0..2 {
        let (mut node, orgs, is_over) = (Node::connect(database, "api").await, *orgs, Arc::clone(is_over));
        let submitters = Arc::clone(&submitters);
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
        let mut node = Node::connect(database, &format!("worker-{number}")).await;
        let submitters = Arc::clone(&submitters);
        running.push(tokio::spawn(async move {
            let mut claims = 0;
            // At the end, until nothing is queued: the submitters are looked for first, as one may submit after a claim finds none.
            loop {
                let is_last = submitters.load(Ordering::SeqCst) == 0;
                match node.claim().await {
                    Some(job) if claims % 5 == 4 => node.fail(job).await,
                    Some(job) => node.complete(job).await,
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
async fn a_binary_of_version_1_works_without_a_long_wait_while_a_new_one_upgrades_the_schema() {
    let database = Database::create().await;
    let orgs = [fresh_id(), fresh_id(), fresh_id()];
    version_1::create(&database, &orgs, 50_000).await;
    let is_over = Arc::new(AtomicBool::new(false));
    let running = load(&database, &orgs, &is_over).await;
    tokio::time::sleep(Duration::from_millis(500)).await;

    let writer = Blocker::begin(&database, WRITE).await;
    let claimant = Blocker::begin(&database, CLAIM).await;
    let opened = open(&database);
    for blocker in [writer, claimant] {
        tokio::time::sleep(2 * LONGEST).await;
        assert!(!opened.is_finished(), "it waits for the transaction");
        blocker.end().await;
    }
    opened.await.unwrap().unwrap();

    // Old and new claim from one queue.
    let new = database.node().await;
    let mut claimed = 0;
    for _ in 0..100 {
        if let Some(claim) = new.job_claim(&JobType::ALL, "new", Duration::from_secs(60)).await.unwrap() {
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

    let client = database.connect().await;
    let violations = "SELECT
        (SELECT count(*) FROM aerie.jobs WHERE status NOT IN ('completed', 'failed') OR attempt > 1),
        (SELECT count(*) FROM aerie.jobs WHERE created_at > 50000
             AND (status = 'completed') <> (id IN (SELECT job_id FROM aerie.usage_events))),
        (SELECT count(*) FROM (SELECT org_id, status, count(*) AS jobs FROM aerie.jobs GROUP BY org_id, status) AS there
             FULL JOIN (SELECT * FROM aerie.job_counts WHERE jobs > 0) AS counted USING (org_id, status)
             WHERE there.jobs IS DISTINCT FROM counted.jobs)";
    let found = client.query_one(violations, &[]).await.unwrap();
    let found: [i64; 3] = [found.get(0), found.get(1), found.get(2)];
    assert_eq!(found, [0, 0, 0], "unfinished or repeated, billed wrongly, counted wrongly");
    assert_eq!(invalid(&client).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn an_upgrade_that_was_interrupted_is_finished_by_the_next_start() {
    let database = Database::create().await;
    let org = fresh_id();
    version_1::create(&database, &[org], 1000).await;
    let client = database.connect().await;
    let blocker = Blocker::begin(&database, WRITE).await;
    let opened = open(&database);
    building(&client).await;
    let interrupt = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                     WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%'";
    assert_eq!(client.query(interrupt, &[]).await.unwrap().len(), 1);
    assert!(opened.await.unwrap().is_err());
    assert_eq!((version(&client).await, invalid(&client).await), (1, 1), "an invalid index is left behind");
    blocker.end().await;

    // The binary of version 1 goes on with what there is.
    let mut old = Node::connect(&database, "old").await;
    let id = old.submit(org, "a").await;
    let job = old.claim().await.unwrap();
    assert_eq!(job, (id, 1));

    let store = database.node().await;
    assert!(version(&client).await > 1);
    assert_eq!(invalid(&client).await, 0);
    store.store_check_use().await.unwrap();
    old.complete(job).await;
    let id = old.submit(org, "b").await;
    let claim = store.job_claim(&JobType::ALL, "new", Duration::from_secs(60)).await.unwrap().unwrap();
    assert_eq!((claim.job.id.0, claim.job.org_id), (id, OrgId(org)));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn processes_that_start_at_once_upgrade_the_schema_once() {
    let database = Database::create().await;
    version_1::create(&database, &[fresh_id()], 1000).await;
    let client = database.connect().await;
    let blocker = Blocker::begin(&database, WRITE).await;
    let first = open(&database);
    building(&client).await;
    let others: Vec<_> = (0..4).map(|_| open(&database)).collect();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert!(!first.is_finished() && others.iter().all(|other| !other.is_finished()));
    blocker.end().await;
    first.await.unwrap().unwrap();
    for other in others {
        other.await.unwrap().unwrap();
    }
    assert_eq!(invalid(&client).await, 0);
    let locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'
                 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    let released = async {
        while client.query_one(locks, &[]).await.unwrap().get::<_, i64>(0) > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), released).await.expect("no process keeps the lock");
}
