//! Rate limits and bad keys of several nodes on one database, by its clock.

use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{KeyId, RateLimits};
use aerie_storage::{Debtor, Limiter, MaintenanceStore, StoreError};
use aerie_storage_postgres::PostgresStore;
use jiff::Timestamp;
use tokio_postgres::Client;

use crate::database::Database;
use crate::hammering::{admissions_per_second, admitted, assert_day_is_given_once, assert_places_follow, hammer};

const AMPLE: RateLimits = RateLimits { per_minute: 1_000_000, per_day: 1_000_000 };

/// The cost of a bad key where 20 a minute are free, and the most that a network can owe.
const COST: Duration = Duration::from_secs(3);
const MOST: Duration = Duration::from_secs(62);

fn new_key() -> KeyId {
    KeyId::new(Timestamp::UNIX_EPOCH)
}

async fn nodes(database: &Database, number: usize) -> Vec<Arc<PostgresStore>> {
    let mut nodes = Vec::new();
    for _ in 0..number {
        nodes.push(database.node().await);
    }
    nodes
}

/// Statements on a table so far, as the triggers of [`count_statements`] count them.
async fn statements(client: &Client) -> i64 {
    client.query_one("SELECT n FROM public.statements", &[]).await.unwrap().get(0)
}

async fn count_statements(client: &Client, table: &str) {
    let count = format!(
        "CREATE TABLE public.statements AS SELECT 0::bigint AS n;
         CREATE FUNCTION public.counted() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN UPDATE public.statements SET n = n + 1; RETURN NULL; END $$;
         CREATE TRIGGER counted AFTER INSERT OR UPDATE OR DELETE ON aerie.{table}
             FOR EACH STATEMENT EXECUTE FUNCTION public.counted();"
    );
    client.batch_execute(&count).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn nodes_that_hammer_one_key_get_each_place_in_the_minute_once_and_soon_after_it_is_free() {
    let database = Database::create_migrated().await;
    let (nodes, client, key) = (nodes(&database, 4).await, database.connect().await, new_key());
    // A minute in which 40 requests were made, between 59.5 and 51.7 seconds ago: they leave it while the nodes ask.
    let fill = "WITH clock AS (SELECT aerie.clock_ms(NULL) AS now)
                INSERT INTO aerie.key_requests
                SELECT $1, n, now - 59500 + n * 200, 0, (now - 51500) / 86400000, n + 1
                FROM clock, generate_series(0, 39) AS n";
    client.execute(fill, &[&key.0]).await.unwrap();
    let record = "CREATE TABLE public.admissions AS SELECT at FROM aerie.key_requests;
                  CREATE FUNCTION public.admitted() RETURNS trigger LANGUAGE plpgsql AS
                      $$ BEGIN INSERT INTO public.admissions VALUES (NEW.at); RETURN NULL; END $$;
                  CREATE TRIGGER admitted AFTER INSERT ON aerie.key_requests
                      FOR EACH ROW EXECUTE FUNCTION public.admitted();";
    client.batch_execute(record).await.unwrap();
    let limits = RateLimits { per_minute: 40, per_day: 1_000_000 };
    let verdicts = hammer(&nodes, key, limits, Duration::from_secs(7)).await;
    let rows = client.query("SELECT at FROM public.admissions ORDER BY at", &[]).await.unwrap();
    let times: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
    assert_places_follow(&times, &verdicts);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_days_requests_are_admitted_once_over_all_nodes_and_a_restart_loses_none() {
    let database = Database::create_migrated().await;
    let (first, key) = (nodes(&database, 3).await, new_key());
    let restart = async |nodes: &mut Vec<Arc<PostgresStore>>| {
        nodes.remove(0);
        nodes.push(database.node().await);
    };
    assert_day_is_given_once(first, (key, 2000), restart).await;
    let limits = RateLimits { per_minute: 1_000_000, per_day: 2000 };
    assert!(database.node().await.request_admit(key.into(), limits).await.unwrap().retry_after.is_some());
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_refusal_is_repeated_from_memory_with_the_right_figures_but_not_for_another_plan() {
    let database = Database::create_migrated().await;
    let (nodes, client, key) = (nodes(&database, 2).await, database.connect().await, new_key());
    let limits = RateLimits { per_minute: 5, per_day: 100 };
    for _ in 0..5 {
        assert_eq!(nodes[0].request_admit(key.into(), limits).await.unwrap().retry_after, None);
    }
    let first = nodes[1].request_admit(key.into(), limits).await.unwrap();
    assert_eq!((first.retry_after, first.minute.remaining, first.day.remaining), (Some(60), 0, 95));
    // From here on the function is gone: who needs the database fails.
    client.batch_execute("ALTER FUNCTION aerie.request_admit RENAME TO renamed").await.unwrap();
    assert!(nodes[0].request_admit(key.into(), limits).await.is_err(), "this node has not been refused");
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let later = nodes[1].request_admit(key.into(), limits).await.unwrap();
    assert!(later.retry_after.is_some_and(|wait| (50..60).contains(&wait)), "{later:?}");
    assert_eq!((later.minute.remaining, later.day.remaining), (0, 95));
    let larger = RateLimits { per_minute: 6, per_day: 100 };
    assert!(nodes[1].request_admit(key.into(), larger).await.is_err(), "another plan is asked for");
    client.batch_execute("ALTER FUNCTION aerie.renamed RENAME TO request_admit").await.unwrap();
    assert_eq!(nodes[1].request_admit(key.into(), larger).await.unwrap().retry_after, None);
    assert!(nodes[0].request_admit(key.into(), limits).await.unwrap().retry_after.is_some());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn nodes_share_the_debt_of_a_network_and_a_flood_of_bad_keys_costs_few_statements() {
    let database = Database::create_migrated().await;
    let (nodes, client) = (nodes(&database, 3).await, database.connect().await);
    count_statements(&client, "bad_keys").await;
    let network = "192.0.2.1".parse().unwrap();
    let mut debt = Duration::ZERO;
    for bad_key in 0..20 {
        debt = nodes[bad_key % 3].debt_add(Debtor::Network(network), COST, MOST).await.unwrap();
    }
    assert!((MOST - Duration::from_secs(6)..=COST * 20).contains(&debt), "{debt:?}");
    let flood: Vec<_> = (0..3000)
        .map(|bad_key| {
            let node = Arc::clone(&nodes[bad_key % 3]);
            tokio::spawn(async move { node.debt_add(Debtor::Network(network), COST, MOST).await.unwrap() })
        })
        .collect();
    for answer in flood {
        assert!(answer.await.unwrap() > Duration::from_secs(60));
    }
    let cost = statements(&client).await;
    assert!(cost < 100, "{cost} statements");
    assert!(nodes[0].debt_add(Debtor::Network("192.0.2.2".parse().unwrap()), COST, MOST).await.unwrap() <= COST);
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_sweep_removes_past_days_and_paid_debts_and_waits_for_nobody() {
    let database = Database::create_migrated().await;
    let (node, client) = (database.node().await, database.connect().await);
    let (idle, active) = (new_key(), new_key());
    let fill = "WITH clock AS (SELECT aerie.clock_ms(NULL) AS now)
                INSERT INTO aerie.key_requests
                SELECT $1, n, now - 90000000, 0, (now - 90000000) / 86400000, n + 1
                FROM clock, generate_series(0, 24999) AS n";
    client.execute(fill, &[&idle.0]).await.unwrap();
    node.request_admit(active.into(), AMPLE).await.unwrap();
    node.debt_add(Debtor::Network("192.0.2.1".parse().unwrap()), COST, MOST).await.unwrap();
    let paid = "INSERT INTO aerie.bad_keys SELECT 'x' || n, n FROM generate_series(1, 25000) AS n";
    client.execute(paid, &[]).await.unwrap();
    let rows = async || -> (i64, i64) {
        let count = "SELECT (SELECT count(*) FROM aerie.key_requests), (SELECT count(*) FROM aerie.bad_keys)";
        let row = client.query_one(count, &[]).await.unwrap();
        (row.get(0), row.get(1))
    };
    let keeper = database.connect().await;
    let keep =
        format!("BEGIN; SELECT 1 FROM aerie.key_requests WHERE key_id = '{}' AND number < 10 FOR UPDATE", idle.0);
    keeper.batch_execute(&keep).await.unwrap();
    node.limiter_sweep().await.unwrap();
    assert_eq!(rows().await, (11, 1), "what another one has locked is left");
    keeper.batch_execute("COMMIT").await.unwrap();
    node.limiter_sweep().await.unwrap();
    assert_eq!(rows().await, (1, 1));
    assert_eq!(node.request_admit(active.into(), AMPLE).await.unwrap().day.remaining, AMPLE.per_day - 2);
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn requests_are_counted_where_a_crash_keeps_them_but_do_not_wait_for_the_disk() {
    let database = Database::create_migrated().await;
    let (node, client) = (database.node().await, database.connect().await);
    let row =
        client.query_one("SELECT relpersistence::text FROM pg_class WHERE oid = 'aerie.key_requests'::regclass", &[]);
    assert_eq!(row.await.unwrap().get::<_, String>(0), "p", "an unlogged table is empty after a crash");
    let admit = "BEGIN; SELECT * FROM aerie.request_admit(gen_random_uuid(), 5, 5, NULL)";
    client.batch_execute(admit).await.unwrap();
    let setting = client.query_one("SHOW synchronous_commit", &[]).await.unwrap();
    assert_eq!(setting.get::<_, String>(0), "off");
    client.batch_execute("COMMIT").await.unwrap();
    let setting = client.query_one("SHOW synchronous_commit", &[]).await.unwrap();
    assert_eq!(setting.get::<_, String>(0), "on", "for the admission only");
    node.store_check_use().await.unwrap();
    node.store_verify().await.unwrap();
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_role_with_another_default_isolation_counts_as_exactly() {
    let database = Database::create_migrated().await;
    let isolate = format!("ALTER DATABASE {} SET default_transaction_isolation = 'serializable'", database.name);
    database.connect().await.batch_execute(&isolate).await.unwrap();
    let (nodes, key) = (nodes(&database, 3).await, new_key());
    let limits = RateLimits { per_minute: 30, per_day: 1000 };
    assert_eq!(admitted(&hammer(&nodes, key, limits, Duration::from_secs(2)).await), 30);
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_request_that_cannot_be_counted_is_not_admitted() {
    let database = Database::create_migrated().await;
    let (node, key) = (database.node().await, new_key());
    let lock = format!("BEGIN; SELECT pg_advisory_xact_lock(uuid_hash_extended('{}', 0))", key.0);
    let keeper = database.connect().await;
    keeper.batch_execute(&lock).await.unwrap();
    let refused = node.request_admit(key.into(), AMPLE).await;
    assert!(matches!(refused, Err(StoreError::Busy)), "{refused:?}");
}

/// Prints admissions per second: on one key, whose requests wait for each other, and over a thousand. Of a server that works, and
/// of a table whose statistics are those of an empty one, as after the first start.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn admissions_on_one_key_stay_fast_while_the_minute_fills() {
    let database = Database::create_migrated().await;
    let nodes = nodes(&database, 4).await;
    let one = [new_key()];
    let thousand: Vec<KeyId> = (0..1000).map(|_| new_key()).collect();
    for (keys, seconds) in [(&one[..], 6), (&thousand[..], 4)] {
        let rate = admissions_per_second(&nodes, keys, Duration::from_secs(seconds)).await;
        assert!(rate > 150.0, "{rate} admissions/s over {} keys", keys.len());
    }
}
