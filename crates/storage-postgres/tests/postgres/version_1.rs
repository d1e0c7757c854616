//! What the last binary of schema version 1 does, by its own statements (`version_1.sql`): no code of later versions.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row, Statement};
use uuid::Uuid;

use crate::database::Database;

/// The settings of its connections.
const SETTINGS: &str = "
    SET search_path = aerie;
    SET statement_timeout = '30s';
    SET lock_timeout = '10s';
    SET idle_in_transaction_session_timeout = '10s';
    SET default_transaction_isolation = 'read committed'";

const LEASE: i64 = 15_000;
const KIND: &str = "image_enhance";

/// Creates the schema of version 1, and this many completed jobs of the first of these organizations.
pub(crate) async fn create(database: &Database, orgs: &[Uuid], jobs: i64) {
    let client = database.connect().await;
    let schema = "
        CREATE SCHEMA aerie;
        CREATE TABLE aerie.schema_version (version bigint NOT NULL, oldest bigint NOT NULL);
        INSERT INTO aerie.schema_version VALUES (1, 1);
        SET search_path = aerie";
    client.batch_execute(schema).await.unwrap();
    client.batch_execute(include_str!("../../migrations/1.sql")).await.unwrap();
    for org in orgs {
        let insert = "INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, 'Acme', 'starter', 1)";
        client.execute(insert, &[org]).await.unwrap();
    }
    let fill = "
        INSERT INTO jobs (id, org_id, job_type, status, input, input_media, unit_price_cents, request_id, created_at, updated_at,
            completed_at)
        SELECT gen_random_uuid(), $1, 'image_enhance', 'completed', '{}', '{}', 1, gen_random_uuid(), n, n, n
        FROM generate_series(1, $2::bigint) AS n";
    // Counted once, and not row by row.
    client.batch_execute("ALTER TABLE jobs DISABLE TRIGGER USER").await.unwrap();
    client.execute(fill, &[&orgs[0], &jobs]).await.unwrap();
    client.batch_execute("ALTER TABLE jobs ENABLE TRIGGER USER").await.unwrap();
    let count = "INSERT INTO job_counts (org_id, job_type, status, jobs) VALUES ($1, 'image_enhance', 'completed', $2)";
    client.execute(count, &[&orgs[0], &jobs]).await.unwrap();
}

/// A connection of such a binary. Its statements are prepared once, as there.
pub(crate) struct Node {
    client: Client,
    statements: BTreeMap<&'static str, Statement>,
    name: String,
    /// The longest that a statement took, and which one.
    pub(crate) slowest: (Duration, &'static str),
}

type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

impl Node {
    pub(crate) async fn connect(database: &Database, name: &str) -> Self {
        let client = database.connect().await;
        client.batch_execute(SETTINGS).await.unwrap();
        let mut statements = BTreeMap::new();
        for block in include_str!("version_1.sql").split("\n\n").skip(1) {
            let (name, statement) = block.split_once('\n').unwrap();
            let statement = client.prepare(statement).await.unwrap_or_else(|error| panic!("{name}: {error:?}"));
            statements.insert(name.trim_start_matches("-- "), statement);
        }
        Self { client, statements, name: name.to_owned(), slowest: (Duration::ZERO, "none") }
    }

    async fn run(&mut self, name: &'static str, values: Values<'_>) -> Vec<Row> {
        let begun = Instant::now();
        let found = self.client.query(&self.statements[name], values).await;
        self.slowest = self.slowest.max((begun.elapsed(), name));
        found.unwrap_or_else(|error| panic!("{name} failed: {error:?}"))
    }

    async fn simple(&mut self, statement: &'static str) {
        let begun = Instant::now();
        self.client.batch_execute(statement).await.unwrap();
        self.slowest = self.slowest.max((begun.elapsed(), statement));
    }

    /// Submits a job under an idempotency key; returns its id.
    pub(crate) async fn submit(&mut self, org: Uuid, key: &str) -> Uuid {
        let (id, nothing) = (fresh_id(), None::<i64>);
        self.run("find key", &[&&[0_u8; 32][..], &nothing]).await;
        self.simple("BEGIN").await;
        let locked = self.run("lock organization", &[&org, &nothing]).await;
        let now: i64 = locked[0].get(2);
        let found = self.run("find answer", &[&org, &"POST /v1/x", &key, &Some(now), &86_400_000_i64]).await;
        if let Some(answer) = found.first() {
            self.simple("COMMIT").await;
            return answer.get(1);
        }
        self.run("count queued", &[&org]).await;
        let (none, no_text) = (None::<Uuid>, None::<String>);
        self.run("insert job", &[&id, &org, &KIND, &"queued", &"{}", &1_i64, &id, &now, &"{}", &none, &no_text]).await;
        self.run("reserve quota", &[&org, &"2026-01"]).await;
        let oldest = now - 86_400_000;
        self.run("delete expired answers", &[&oldest]).await;
        let digest: &[u8] = &[1; 32];
        let answer: Values<'_> =
            &[&org, &"POST /v1/x", &key, &digest, &Some(id), &None::<i64>, &no_text, &now, &oldest];
        self.run("record answer", answer).await;
        self.simple("COMMIT").await;
        id
    }

    /// Claims a job; returns its id and attempt.
    pub(crate) async fn claim(&mut self) -> Option<(Uuid, i64)> {
        let (given, longest, worker) = (None::<i64>, 3_600_000_i64, self.name.clone());
        let turns = self.run("turns", &[&given, &longest, &vec![KIND], &3_i64]).await;
        for turn in turns {
            let (org, kind): (Uuid, String) = (turn.get(0), turn.get(1));
            let taken = self.run("take", &[&given, &longest, &org, &kind, &worker, &LEASE]).await;
            if let Some(job) = taken.first() {
                return Some((job.get(0), job.get(9)));
            }
        }
        None
    }

    /// Renews the lease of a claimed job, and completes it.
    pub(crate) async fn complete(&mut self, (id, attempt): (Uuid, i64)) {
        let (given, worker) = (None::<i64>, self.name.clone());
        self.run("heartbeat", &[&id, &worker, &attempt, &given, &LEASE]).await;
        self.simple("BEGIN").await;
        let end: Values<'_> = &[&id, &worker, &attempt, &"completed", &"{}", &"{}", &"{}", &2_i64, &Some(2_i64)];
        let held = self.run("complete", end).await;
        let org: Uuid = held.first().expect("the lease is held").get(0);
        self.run("bill", &[&fresh_id(), &org, &id, &"image.enhanced", &1_i64, &2_i64]).await;
        self.simple("COMMIT").await;
    }

    /// Renews the lease of a claimed job, and fails it.
    pub(crate) async fn fail(&mut self, (id, attempt): (Uuid, i64)) {
        let worker = self.name.clone();
        self.simple("BEGIN").await;
        let held = self.run("fail", &[&id, &worker, &attempt, &"{}", &2_i64]).await;
        let org: Uuid = held.first().expect("the lease is held").get(0);
        self.run("release quota", &[&org, &"2026-01"]).await;
        self.run("record failure", &[&org, &"2026-01-01"]).await;
        self.simple("COMMIT").await;
    }

    /// Reads what clients and monitors ask for.
    pub(crate) async fn read(&mut self, org: Uuid, id: Uuid) {
        assert_eq!(self.run("get", &[&id]).await.len(), 1);
        self.run("list", &[&50_i64, &0_i64, &org]).await;
        self.run("usage", &[&org, &0_i64, &i64::MAX, &Uuid::nil(), &100_i64]).await;
        self.run("oldest queued", &[]).await;
        self.run("acquire duty", &[&"sweep", &self.name.clone(), &None::<i64>, &60_000_i64]).await;
    }
}

/// An id as that of a job.
pub(crate) fn fresh_id() -> Uuid {
    aerie_domain::JobId::new(jiff::Timestamp::now()).0
}
