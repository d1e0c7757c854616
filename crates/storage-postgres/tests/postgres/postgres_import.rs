//! Rows that `aerie migrate` writes; end to end: `e2e/tests/e2e/postgres_migrate.rs`.

use std::collections::BTreeSet;

use aerie_storage::TenantStore;
use aerie_storage::backend::transfer::{Row, TABLES, Table, Value};
use aerie_storage_postgres::{Import, PostgresStore, TimeSource};
use uuid::Uuid;

use crate::database::Database;

/// What the database counts itself, what only its processes use, what the operator publishes again, and what is known about the
/// schema.
const STAY: [&str; 12] = [
    "bad_keys",
    "duties",
    "events",
    "job_counts",
    "job_progress",
    "key_requests",
    "nodes",
    "operator_sessions",
    "packs",
    "review_events",
    "schema_version",
    "sessions",
];

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn every_column_is_migrated_unless_its_table_is_known_to_stay() {
    let database = Database::create().await;
    database.node().await;
    let columns =
        "SELECT table_name::text, column_name::text FROM information_schema.columns WHERE table_schema = 'aerie'";
    let found = database.connect().await.query(columns, &[]).await.unwrap();
    let found: BTreeSet<(String, String)> = found.iter().map(|row| (row.get(0), row.get(1))).collect();
    let found: BTreeSet<_> = found.into_iter().filter(|(table, _)| !STAY.contains(&table.as_str())).collect();
    let all = TABLES
        .iter()
        .flat_map(|table| table.columns.iter().map(|column| (table.name.to_owned(), column.name.to_owned())));
    assert_eq!(found, all.collect(), "new columns belong in backend::transfer::TABLES, or their table in STAY");
}

/// The table of organizations, and one of them.
fn organization() -> (&'static Table, Row) {
    let table = &TABLES[0];
    let mut values = vec![Value::Null; table.columns.len()];
    for (name, value) in [
        ("id", Value::Uuid(Uuid::from_u128(7))),
        ("name", Value::Text("Acme".into())),
        ("plan", Value::Text("starter".into())),
        ("disabled", Value::Text("[]".into())),
        ("reject_duplicates", Value::Boolean(false)),
        ("truth_pages", Value::Boolean(false)),
        ("prices", Value::Text("{}".into())),
        ("created_at", Value::Integer(1)),
    ] {
        values[table.columns.iter().position(|column| column.name == name).unwrap()] = value;
    }
    (table, Row(values))
}

async fn refusal(database: &Database) -> String {
    Import::open(&database.parsed()).await.map(drop).unwrap_err().to_string()
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn one_import_at_a_time_fills_a_database_that_nobody_else_uses() {
    let database = Database::create_migrated().await;
    let server = database.node().await;
    assert!(refusal(&database).await.contains("already using this database"));
    drop(server);
    // Its connections may be open for a moment longer.
    let import = loop {
        if let Ok(import) = Import::open(&database.parsed()).await {
            break import;
        }
    };
    assert!(refusal(&database).await.contains("another aerie migrate"));
    assert!(import.is_empty().await.unwrap());

    let server = database.node().await;
    assert!(import.begin().await.unwrap_err().to_string().contains("already using this database"));
    drop(server);
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn rows_are_there_after_the_commit_and_nobody_writes_before_it() {
    let database = Database::create_migrated().await;
    let client = database.connect().await;
    client.batch_execute("INSERT INTO aerie.secrets VALUES ('of a first start', 'a', 1)").await.unwrap();
    let import = Import::open(&database.parsed()).await.unwrap();
    assert!(import.is_empty().await.unwrap());
    import.begin().await.unwrap();
    let (table, row) = organization();
    import.copy(table, std::slice::from_ref(&row)).await.unwrap();

    let late = PostgresStore::open(&database.parsed(), 2, TimeSource::Database).await.unwrap();
    assert!(late.org_list().await.unwrap().is_empty());
    client.batch_execute("SET lock_timeout = '50ms'").await.unwrap();
    for write in ["INSERT INTO aerie.secrets VALUES ('b', 'b', 1)", "UPDATE aerie.organizations SET plan = 'b'"] {
        let error = client.batch_execute(write).await.unwrap_err();
        assert_eq!(error.code().unwrap().code(), "55P03", "{write}");
    }
    import.commit().await.unwrap();
    assert_eq!(late.org_list().await.unwrap().len(), 1);
    assert!(client.query("SELECT 1 FROM aerie.secrets", &[]).await.unwrap().is_empty());
    assert!(!import.is_empty().await.unwrap());
}
