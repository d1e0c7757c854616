//! Rows that `aerie migrate` writes; end to end: `e2e/tests/e2e/postgres_migrate.rs`.

use std::collections::BTreeSet;

use aerie_storage::backend::transfer::TABLES;

use crate::database::Database;

/// What the database counts itself, what only its processes use, what the operator publishes again, and what is known about the migration
/// and the schema.
const STAY: [&str; 13] = [
    "bad_keys",
    "duties",
    "events",
    "job_counts",
    "job_progress",
    "key_requests",
    "migration",
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
