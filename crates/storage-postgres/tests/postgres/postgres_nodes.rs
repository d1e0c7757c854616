//! Several nodes on one database. Stores share nothing but the database, as processes on several machines do.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{Clock, JobId, JobInput, JobLimits, JobStatus, JobType, OrgChanges, OrgId, RequestId, SystemClock};
use aerie_storage::{IdempotencyKey, JobFilter, JobQueue, MaintenanceStore, NewJob, StoreError, TenantStore, Wakes};
use aerie_storage_postgres::{PostgresStore, TimeSource};
use jiff::Timestamp;

use crate::database::Database;

const LEASE: Duration = Duration::from_secs(60);

fn new_job(org_id: OrgId) -> NewJob {
    NewJob {
        id: JobId::new(SystemClock.now()),
        org_id,
        input: JobInput::from_body(JobType::DroneFootage, &serde_json::json!({"address": "a"})).unwrap(),
        input_media: BTreeMap::new(),
        parent_id: None,
        unit_price_cents: 1,
        request_id: RequestId::new(Timestamp::UNIX_EPOCH),
        idempotency_key: None,
        limits: JobLimits::default(),
    }
}

/// Queues ten thousand jobs of an organization.
const TEN_THOUSAND: &str = "
    INSERT INTO aerie.jobs (id, org_id, job_type, status, input, input_media, unit_price_cents, request_id, created_at, updated_at)
    SELECT gen_random_uuid(), $1, 'drone_footage', 'queued', '{}', '{}', 1, gen_random_uuid(), n, n
    FROM generate_series(1, 10000) AS n";

async fn claim(store: &PostgresStore, worker: &str) -> Option<aerie_storage::Claim> {
    store.job_claim(&JobType::ALL, worker, LEASE).await.unwrap()
}

/// Submits the same kind of job many times over two nodes at once; returns how many were accepted.
async fn accepted(nodes: &[Arc<PostgresStore>; 2], submits: usize, job: impl Fn() -> NewJob) -> usize {
    let submits: Vec<_> = (0..submits)
        .map(|number| {
            let (store, job) = (Arc::clone(&nodes[number % 2]), job());
            tokio::spawn(async move { store.job_submit(job).await.unwrap().is_ok() })
        })
        .collect();
    let mut accepted = 0;
    for submit in submits {
        accepted += usize::from(submit.await.unwrap());
    }
    accepted
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn quotas_queue_limits_and_idempotency_keys_hold_over_nodes() {
    let database = Database::create_migrated().await;
    let nodes = [database.node().await, database.node().await];
    let org = async |name| nodes[0].org_create(name, "starter").await.unwrap().id;
    let with_quota = org("quota").await;
    let quota = OrgChanges { monthly_quota: Some(Some(7)), ..OrgChanges::default() };
    nodes[1].org_change(with_quota, quota).await.unwrap();
    assert_eq!(accepted(&nodes, 60, || new_job(with_quota)).await, 7);

    let with_queue = org("queue").await;
    let limits = JobLimits { queued_jobs: Some(5), failed_per_day: None };
    assert_eq!(accepted(&nodes, 60, || NewJob { limits, ..new_job(with_queue) }).await, 5);

    let with_key = org("key").await;
    let key = IdempotencyKey { route: "POST /v1/x".into(), key: "k".into(), digest: [1; 32] };
    assert_eq!(accepted(&nodes, 60, || NewJob { idempotency_key: Some(key.clone()), ..new_job(with_key) }).await, 1);

    let no_duplicates = org("duplicates").await;
    let changes = OrgChanges { reject_duplicates: Some(true), ..OrgChanges::default() };
    nodes[0].org_change(no_duplicates, changes).await.unwrap();
    assert_eq!(accepted(&nodes, 60, || new_job(no_duplicates)).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn several_nodes_claim_each_job_once_while_others_are_submitted() {
    let database = Database::create_migrated().await;
    let nodes = [database.node().await, database.node().await];
    let org = nodes[0].org_create("Acme", "starter").await.unwrap().id;
    let submitter = Arc::clone(&nodes[0]);
    let submits = tokio::spawn(async move {
        for _ in 0..60 {
            submitter.job_submit(new_job(org)).await.unwrap().unwrap();
        }
    });
    let claims: Vec<_> = (0..4)
        .map(|worker| {
            let store = Arc::clone(&nodes[worker % 2]);
            tokio::spawn(async move {
                let (mut claimed, mut idle) = (Vec::new(), 0);
                while idle < 20 {
                    match claim(&store, &format!("w{worker}")).await {
                        Some(claim) => {
                            store.job_heartbeat(&claim.lease, LEASE).await.unwrap();
                            store.job_complete(&claim.lease, aerie_storage::JobOutput::default()).await.unwrap();
                            claimed.push(claim.job.id);
                        }
                        None => {
                            idle += 1;
                            tokio::time::sleep(Duration::from_millis(50)).await;
                        }
                    }
                }
                claimed
            })
        })
        .collect();
    submits.await.unwrap();
    let mut claimed = Vec::new();
    for worker in claims {
        claimed.extend(worker.await.unwrap());
    }
    claimed.sort();
    let all = claimed.len();
    claimed.dedup();
    assert_eq!((all, claimed.len()), (60, 60));
    let stats = nodes[1].queue_stats().await.unwrap().jobs;
    let counted: Vec<_> = stats.into_iter().filter(|(_, _, jobs)| *jobs > 0).collect();
    assert_eq!(counted, [(JobType::DroneFootage, aerie_domain::JobStatus::Completed, 60)]);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn ten_thousand_queued_jobs_of_one_organization_delay_anothers_job_by_no_more_than_the_claims_that_coincide() {
    let database = Database::create_migrated().await;
    let nodes = [database.node().await, database.node().await];
    let org = async |name| nodes[0].org_create(name, "starter").await.unwrap().id;
    let (large, small) = (org("large").await, org("small").await);
    database.connect().await.execute(TEN_THOUSAND, &[&large.0]).await.unwrap();
    for _ in 0..3 {
        assert_eq!(claim(&nodes[0], "a").await.unwrap().job.org_id, large);
    }
    let job = nodes[1].job_submit(new_job(small)).await.unwrap().unwrap().id;
    assert_eq!(claim(&nodes[0], "a").await.unwrap().job.id, job, "the next claim is its");
    // Four claims at once, again and again: one of them takes the small organization's job or, if all four looked before any of
    // them counted, the next one does.
    for _ in 0..10 {
        let job = nodes[1].job_submit(new_job(small)).await.unwrap().unwrap().id;
        let claims: Vec<_> = (0..4)
            .map(|worker| {
                let store = Arc::clone(&nodes[worker % 2]);
                tokio::spawn(async move { claim(&store, &format!("w{worker}")).await.unwrap().job.id })
            })
            .collect();
        let mut claimed = Vec::new();
        for claim in claims {
            claimed.push(claim.await.unwrap());
        }
        if !claimed.contains(&job) {
            claimed.push(claim(&nodes[0], "a").await.unwrap().job.id);
        }
        assert!(claimed.contains(&job));
    }
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_claim_finds_a_job_behind_those_that_claims_in_progress_hold() {
    let database = Database::create_migrated().await;
    let store = database.node().await;
    for number in 0..80 {
        let org = store.org_create(&format!("Org {number}"), "starter").await.unwrap().id;
        store.job_submit(new_job(org)).await.unwrap().unwrap();
    }
    // As claims that have not committed yet.
    let others = database.connect().await;
    let hold = "BEGIN; SELECT FROM aerie.jobs ORDER BY org_id LIMIT 79 FOR UPDATE";
    others.batch_execute(hold).await.unwrap();
    let claimed = claim(&store, "a").await.expect("one job is free").job.org_id;
    let last = others.query_one("SELECT max(org_id::text) FROM aerie.jobs", &[]).await.unwrap();
    assert_eq!(claimed.to_string(), last.get::<_, String>(0));
    assert!(claim(&store, "b").await.is_none(), "claims wait for none of the others");
    others.batch_execute("ROLLBACK").await.unwrap();
    assert!(claim(&store, "b").await.is_some());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn claims_of_one_organization_that_coincide_never_set_its_turn_back() {
    let database = Database::create_migrated().await;
    let nodes = [database.node().await, database.node().await];
    let org = nodes[0].org_create("Acme", "starter").await.unwrap().id;
    for _ in 0..12 {
        nodes[0].job_submit(new_job(org)).await.unwrap().unwrap();
    }
    // Claims take their numbers and then wait for this lock, which they are granted in any order.
    let holder = database.connect().await;
    holder.batch_execute("BEGIN; SELECT FROM aerie.job_counts FOR UPDATE").await.unwrap();
    let claims: Vec<_> = (0..6)
        .map(|worker| {
            let store = Arc::clone(&nodes[worker % 2]);
            tokio::spawn(async move { claim(&store, &format!("w{worker}")).await.is_some() })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(300)).await;
    // A later claim is recorded first.
    holder.batch_execute("UPDATE aerie.job_counts SET served = nextval('aerie.claims'); COMMIT").await.unwrap();
    for claim in claims {
        assert!(claim.await.unwrap());
    }
    let rows = "SELECT served = (SELECT last_value FROM aerie.claims) FROM aerie.job_counts WHERE status = 'queued'";
    assert!(holder.query_one(rows, &[]).await.unwrap().get::<_, bool>(0));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_claim_does_not_wait_for_another_that_takes_the_next_turn_but_takes_the_one_after_it() {
    let database = Database::create_migrated().await;
    let store = database.node().await;
    let mut orgs = Vec::new();
    for name in ["first", "second"] {
        let org = store.org_create(name, "starter").await.unwrap().id;
        for _ in 0..2 {
            store.job_submit(new_job(org)).await.unwrap().unwrap();
        }
        orgs.push(org);
    }
    orgs.sort_by_key(|org| org.0);
    // A claim that takes the first turn, and hangs on its way to the disk.
    let holder = database.connect().await;
    let hold = format!("BEGIN; SELECT FROM aerie.job_counts WHERE org_id = '{}' FOR UPDATE", orgs[0]);
    holder.batch_execute(&hold).await.unwrap();
    let (first, node) = (Arc::clone(&store), database.node().await);
    let first = tokio::spawn(async move { claim(&first, "a").await.unwrap().job.org_id });
    tokio::time::sleep(Duration::from_millis(500)).await;
    let second = tokio::time::timeout(Duration::from_secs(3), claim(&node, "b")).await.expect("it waits for nobody");
    assert_eq!(second.unwrap().job.org_id, orgs[1]);
    holder.batch_execute("COMMIT").await.unwrap();
    assert_eq!(first.await.unwrap(), orgs[0]);
    // Where no other organization waits, all are served.
    for worker in ["c", "d"] {
        assert!(claim(&node, worker).await.is_some());
    }
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_claim_reads_the_next_job_only_also_after_a_backlog_that_the_statistics_still_show() {
    let database = Database::create_migrated().await;
    let store = database.node().await;
    let org = store.org_create("Acme", "starter").await.unwrap().id;
    let other = database.connect().await;
    other.batch_execute("ALTER TABLE aerie.jobs SET (autovacuum_enabled = false)").await.unwrap();
    other.execute(TEN_THOUSAND, &[&org.0]).await.unwrap();
    let worked_off = "ANALYZE aerie.jobs; UPDATE aerie.jobs SET status = 'completed' WHERE created_at < 9900";
    other.batch_execute(worked_off).await.unwrap();
    let reads = "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables WHERE relid = 'aerie.jobs'::regclass";
    let count = async || other.query_one(reads, &[]).await.unwrap().get::<_, i64>(0);
    // The server counts a statement up to a second later.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let before = count().await;
    for _ in 0..20 {
        assert!(claim(&store, "a").await.is_some());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    tokio::time::sleep(Duration::from_millis(1500)).await;
    claim(&store, "a").await.unwrap();
    let read = count().await - before;
    assert!((20..2000).contains(&read), "{read} rows for about 20 claims");
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn the_rows_of_stage_times_which_all_workers_change_are_not_locked_until_they_are_on_disk() {
    let database = Database::create_migrated().await;
    let (store, client) = (database.node().await, database.connect().await);
    let record = "CREATE TABLE public.settings (commit text);
                  CREATE FUNCTION public.noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                      INSERT INTO public.settings VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
                  CREATE TRIGGER noted AFTER INSERT OR UPDATE ON aerie.engine_time
                      FOR EACH ROW EXECUTE FUNCTION public.noted();
                  CREATE TRIGGER noted AFTER INSERT ON aerie.jobs FOR EACH ROW EXECUTE FUNCTION public.noted();";
    client.batch_execute(record).await.unwrap();
    for _ in 0..2 {
        let stages = ["one", "two"].map(|stage| (stage.to_owned(), Duration::from_millis(5))).to_vec();
        store.stage_time_add(JobType::DroneFootage, stages).await.unwrap();
    }
    let org = store.org_create("Acme", "starter").await.unwrap().id;
    store.job_submit(new_job(org)).await.unwrap().unwrap();
    let rows = client.query("SELECT commit, count(*) FROM public.settings GROUP BY 1 ORDER BY 1", &[]).await.unwrap();
    let settings: Vec<(String, i64)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    assert_eq!(settings, [("off".to_owned(), 4), ("on".to_owned(), 1)], "what clients rely on is on disk");
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn leases_end_by_the_clock_of_the_database() {
    let database = Database::create_migrated().await;
    let store = database.node().await;
    let org = store.org_create("Acme", "starter").await.unwrap().id;
    let job = store.job_submit(new_job(org)).await.unwrap().unwrap();
    assert!(job.created_at.duration_since(SystemClock.now()).abs().as_secs() < 60);
    assert!(store.job_claim(&JobType::ALL, "a", Duration::from_millis(300)).await.unwrap().is_some());
    assert!(claim(&store, "b").await.is_none());
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(claim(&store, "b").await.unwrap().lease.attempt, 2);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn processes_that_open_a_new_database_at_once_migrate_it_once() {
    let database = Arc::new(Database::create().await);
    let opened: Vec<_> = (0..6)
        .map(|_| {
            let url = database.parsed();
            tokio::spawn(async move { PostgresStore::open(&url, 1, TimeSource::Database).await.map(drop) })
        })
        .collect();
    for open in opened {
        open.await.unwrap().unwrap();
    }
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn media_expire_by_the_clock_of_the_database_whatever_a_nodes_clock_says() {
    let database = Database::create_migrated().await;
    let node = database.node().await;
    let org = node.org_create("Acme", "starter").await.unwrap().id;
    let id = node.job_submit(new_job(org)).await.unwrap().unwrap().id;
    let claimed = claim(&node, "a").await.unwrap();
    node.job_complete(&claimed.lease, aerie_storage::JobOutput::default()).await.unwrap();
    // The server's clock is years from this machine's.
    database
        .connect()
        .await
        .batch_execute(
            "CREATE OR REPLACE FUNCTION aerie.now_ms(given bigint) RETURNS bigint LANGUAGE sql STABLE AS
             'SELECT (extract(epoch FROM statement_timestamp()) * 1000)::bigint - 100 * 86400000::bigint';
         UPDATE aerie.jobs SET updated_at = aerie.now_ms(NULL) - 20 * 86400000::bigint",
        )
        .await
        .unwrap();
    let days = |days: u64| Duration::from_secs(days * 24 * 60 * 60);
    assert_eq!(node.job_expire(org, days(21), 10).await.unwrap(), []);
    assert_eq!(node.job_expire(org, days(19), 10).await.unwrap(), [id]);
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn connections_that_the_server_has_closed_are_replaced() {
    let database = Database::create_migrated().await;
    let store = database.node().await;
    let org = store.org_create("Acme", "starter").await.unwrap();
    let close = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid()";
    database.connect().await.execute(close, &[]).await.unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(store.org_list().await.unwrap(), [org]);
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_lock_that_another_process_keeps_is_not_waited_for_forever() {
    let database = Database::create_migrated().await;
    let store = database.node().await;
    let org = store.org_create("Acme", "starter").await.unwrap().id;
    let keeper = database.connect().await;
    keeper.batch_execute("BEGIN; SELECT * FROM aerie.organizations FOR UPDATE").await.unwrap();
    let refused = store.job_submit(new_job(org)).await;
    assert!(matches!(refused, Err(StoreError::Busy)), "{refused:?}");
    keeper.batch_execute("COMMIT").await.unwrap();
    let id = store.job_submit(new_job(org)).await.unwrap().unwrap().id;
    let all = JobFilter { org_id: Some(org), status: None, job_type: None, limit: 10, offset: 0 };
    let page = store.job_list(all).await.unwrap();
    let jobs: Vec<_> = page.jobs.iter().map(|job| job.id).collect();
    assert_eq!((jobs, page.total), (vec![id], 1), "nothing is left of the submit that was refused");
}

/// Waits until a node listens for submits.
async fn listening(wakes: &mut tokio::sync::watch::Receiver<Wakes>) {
    let listening = wakes.wait_for(|wakes| wakes.is_listening);
    tokio::time::timeout(Duration::from_secs(20), listening).await.expect("it listens").unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_submit_on_one_node_wakes_another_at_once_and_many_are_reported_together() {
    let database = Database::create_migrated().await;
    let nodes = [database.node().await, database.node().await];
    let org = nodes[0].org_create("Acme", "starter").await.unwrap().id;
    let mut wakes = nodes[1].job_wakes(&JobType::ALL).unwrap();
    listening(&mut wakes).await;
    let before = wakes.borrow_and_update().number;
    nodes[0].job_submit(new_job(org)).await.unwrap().unwrap();
    tokio::time::timeout(Duration::from_secs(2), wakes.changed()).await.expect("sooner than a poll").unwrap();
    let started = std::time::Instant::now();
    assert_eq!(accepted(&nodes, 200, || new_job(org)).await, 200);
    tokio::time::sleep(Duration::from_millis(200)).await;
    let wakes = u128::from(wakes.borrow().number - before);
    let most = 2 * (started.elapsed().as_millis() / 50 + 2);
    assert!((2..=most).contains(&wakes), "{wakes} of at most {most}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_node_that_loses_the_connection_by_which_it_listens_opens_another() {
    let database = Database::create_migrated().await;
    let store = database.node().await;
    let org = store.org_create("Acme", "starter").await.unwrap().id;
    let mut wakes = store.job_wakes(&JobType::ALL).unwrap();
    listening(&mut wakes).await;
    let close = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND query LIKE 'LISTEN%'";
    assert_eq!(database.connect().await.query(close, &[]).await.unwrap().len(), 1);
    let lost = wakes.wait_for(|wakes| !wakes.is_listening);
    tokio::time::timeout(Duration::from_secs(5), lost).await.expect("the loss is noticed").unwrap();
    listening(&mut wakes).await;
    wakes.mark_unchanged();
    store.job_submit(new_job(org)).await.unwrap().unwrap();
    tokio::time::timeout(Duration::from_secs(2), wakes.changed()).await.expect("sooner than a poll").unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_submit_wakes_only_workers_of_its_kind() {
    let database = Database::create_migrated().await;
    let store = database.node().await;
    let org = store.org_create("Acme", "starter").await.unwrap().id;
    let mut films = store.job_wakes(&[JobType::DroneFootage, JobType::VideoClip]).unwrap();
    let mut photos = store.job_wakes(&[JobType::ImageEnhance]).unwrap();
    for wakes in [&mut films, &mut photos] {
        listening(wakes).await;
        wakes.mark_unchanged();
    }
    store.job_submit(new_job(org)).await.unwrap().unwrap();
    tokio::time::timeout(Duration::from_secs(2), films.changed()).await.expect("sooner than a poll").unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!photos.has_changed().unwrap());
    // A version that does not name kinds.
    database.connect().await.batch_execute("NOTIFY aerie_jobs").await.unwrap();
    tokio::time::timeout(Duration::from_secs(2), photos.changed()).await.expect("all wake").unwrap();
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn nodes_do_not_wait_for_each_others_checks() {
    let database = Database::create_migrated().await;
    let first = database.node().await;
    first.store_check_use().await.unwrap();
    let nodes = [database.node().await, database.node().await];
    // As the first node does when its commit waits for a standby.
    let waiting = database.connect().await;
    waiting.batch_execute("BEGIN; UPDATE aerie.duties SET expires_at = expires_at + 1").await.unwrap();
    // Each writes a new row, and then the same again.
    for node in nodes.iter().chain(&nodes) {
        let checked = tokio::time::timeout(Duration::from_secs(2), node.store_check_use()).await;
        checked.expect("it waits for nobody").unwrap();
    }
    let written = "SELECT count(*) FROM aerie.duties WHERE name LIKE 'written%'";
    waiting.batch_execute("COMMIT").await.unwrap();
    assert_eq!(waiting.query_one(written, &[]).await.unwrap().get::<_, i64>(0), 3, "a row of each node");
    // Rows of nodes that are gone are forgotten.
    waiting.batch_execute("UPDATE aerie.duties SET expires_at = 1").await.unwrap();
    database.node().await.store_check_use().await.unwrap();
    assert_eq!(waiting.query_one(written, &[]).await.unwrap().get::<_, i64>(0), 1);
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_database_that_has_become_read_only_is_noticed() {
    let database = Database::create_migrated().await;
    let node = database.node().await;
    node.store_check_use().await.unwrap();
    let client = database.connect().await;
    let name = &database.name;
    client.batch_execute(&format!("ALTER DATABASE {name} SET default_transaction_read_only = on")).await.unwrap();
    let close = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid()";
    client.execute(close, &[]).await.unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    let checked = node.store_check_use().await;
    assert!(matches!(&checked, Err(StoreError::Unusable(why)) if why.contains("read-only")), "{checked:?}");
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn the_few_failed_jobs_of_all_organizations_are_found_without_reading_the_others() {
    let database = Database::create_migrated().await;
    let node = database.node().await;
    let org = node.org_create("Acme", "starter").await.unwrap().id;
    let client = database.connect().await;
    client.execute(TEN_THOUSAND, &[&org.0]).await.unwrap();
    let end = "UPDATE aerie.jobs SET status = CASE WHEN created_at % 5000 = 7 THEN 'failed' ELSE 'completed' END";
    client.batch_execute(&format!("{end}; ANALYZE aerie.jobs")).await.unwrap();
    let read = async || -> i64 {
        let read = "SELECT coalesce(sum(idx_tup_read), 0)::bigint FROM pg_stat_user_indexes WHERE relname = 'jobs'";
        client.query_one(read, &[]).await.unwrap().get(0)
    };
    let before = read().await;
    let filter = JobFilter { org_id: None, status: Some(JobStatus::Failed), job_type: None, limit: 20, offset: 0 };
    assert_eq!(node.job_list(filter).await.unwrap().jobs.len(), 2);
    // The server counts a moment later.
    let mut rows = 0;
    for _ in 0..100 {
        rows = read().await - before;
        if rows > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!((1..100).contains(&rows), "{rows} rows of indexes");
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn kinds_of_a_newer_version_are_left_out_of_pages_and_statistics() {
    let database = Database::create_migrated().await;
    let node = database.node().await;
    let org = node.org_create("Acme", "starter").await.unwrap().id;
    let known = node.job_submit(new_job(org)).await.unwrap().unwrap().id;
    let newer = "INSERT INTO aerie.jobs
                     (id, org_id, job_type, status, input, input_media, unit_price_cents, request_id, created_at, updated_at)
                     SELECT gen_random_uuid(), org_id, 'porch_light', status, input, input_media, 1, request_id, 1, 1
                     FROM aerie.jobs;
                 INSERT INTO aerie.engine_time (job_type, stage, runs, milliseconds) VALUES ('porch_light', 'scene', 1, 1)";
    database.connect().await.batch_execute(newer).await.unwrap();
    let stats = node.queue_stats().await.unwrap();
    assert_eq!((stats.jobs.len(), stats.oldest_queued.len(), stats.stage_time.len()), (1, 1, 0));
    for org_id in [Some(org), None] {
        for status in [Some(aerie_domain::JobStatus::Queued), None] {
            let page = node.job_list(JobFilter { org_id, status, job_type: None, limit: 10, offset: 0 }).await.unwrap();
            let jobs: Vec<_> = page.jobs.iter().map(|job| job.id).collect();
            assert_eq!((jobs, page.total), (vec![known], 1), "{org_id:?} {status:?}");
        }
    }
}
