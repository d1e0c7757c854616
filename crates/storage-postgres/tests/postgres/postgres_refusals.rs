//! Servers, roles and databases that cannot be used: each error names the key and the remedy, and no error the password.

use aerie_domain::JobType;
use aerie_storage::{EARLIER_BUILD, JobQueue, MaintenanceStore, StoreError, TenantStore};
use aerie_storage_postgres::{Import, PostgresStore, PostgresUrl, TimeSource};

use crate::database::Database;

const PASSWORD: &str = "s3cr3t";

async fn refusal(url: &str) -> String {
    let opened = PostgresStore::open(&PostgresUrl::parse(url).unwrap(), 2, TimeSource::Database).await;
    let error = opened.map(drop).unwrap_err();
    let text = format!("{error} {error:?}");
    assert!(!text.contains(PASSWORD) && !text.contains(":test@"), "{text}");
    error.to_string()
}

fn assert_says(error: &str, parts: &[&str]) {
    assert!(error.starts_with("[store] url: "), "{error}");
    for part in parts {
        assert!(error.contains(part), "{error} does not say {part}");
    }
}

/// A role that may connect, with the test's password.
async fn role(database: &Database, privileges: &str) -> String {
    let role = format!("role_{}", database.name);
    let create = format!("CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'; {}", privileges.replace("ROLE", &role));
    database.connect().await.batch_execute(&create).await.unwrap();
    role
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_wrong_password_role_or_database_is_named() {
    let database = Database::create().await;
    assert_says(&refusal(&database.url_of("postgres", PASSWORD)).await, &["`postgres`", "password", "correct"]);
    assert_says(&refusal(&database.url_of("nobody", PASSWORD)).await, &["`nobody`", "correct"]);
    let missing = database.url.replace(&database.name, "missing");
    assert_says(&refusal(&missing).await, &["no database `missing`", "createdb missing"]);
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_server_that_cannot_be_reached_is_named() {
    let error = refusal(&format!("postgres://aerie:{PASSWORD}@127.0.0.1:9/aerie")).await;
    assert_says(&error, &["127.0.0.1:9", "refused", "start PostgreSQL"]);
    let database = Database::create().await;
    let error = refusal(&format!("{}?sslmode=require", database.url)).await;
    assert_says(&error, &["TLS", "sslmode"]);
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_role_that_may_only_read_is_refused_with_the_remedy() {
    let database = Database::create().await;
    let stranger = role(&database, "").await;
    assert_says(&refusal(&database.url_of(&stranger, PASSWORD)).await, &["permission denied", "GRANT CREATE"]);
    database.node().await;
    let grants =
        format!("GRANT USAGE ON SCHEMA aerie TO {stranger}; GRANT SELECT ON ALL TABLES IN SCHEMA aerie TO {stranger}");
    database.connect().await.batch_execute(&grants).await.unwrap();
    assert_says(&refusal(&database.url_of(&stranger, PASSWORD)).await, &[&stranger, "may not write", "GRANT CREATE"]);
    let read_only = "ALTER ROLE ROLE SET default_transaction_read_only = on";
    let read_only = read_only.replace("ALTER ROLE ROLE", &format!("ALTER ROLE {stranger}"));
    database.connect().await.batch_execute(&read_only).await.unwrap();
    assert_says(&refusal(&database.url_of(&stranger, PASSWORD)).await, &["read-only", "default_transaction_read_only"]);
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_role_that_may_create_the_schema_can_run_everything() {
    let database = Database::create().await;
    let owner = role(&database, &format!("GRANT CREATE ON DATABASE {} TO ROLE", database.name)).await;
    let url = PostgresUrl::parse(&database.url_of(&owner, PASSWORD)).unwrap();
    let store = PostgresStore::open(&url, 2, TimeSource::Database).await.unwrap();
    store.org_create("Acme", "starter").await.unwrap();
    store.store_check_use().await.unwrap();
    store.store_verify().await.unwrap();
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_newer_schema_is_used_while_it_supports_this_version_and_refused_afterwards() {
    let database = Database::create_migrated().await;
    database.node().await;
    let client = database.connect().await;
    client.batch_execute("UPDATE aerie.schema_version SET version = 99").await.unwrap();
    database.node().await;
    client.batch_execute("UPDATE aerie.schema_version SET oldest = 99").await.unwrap();
    let opened = PostgresStore::open(&database.parsed(), 2, TimeSource::Database).await.map(drop);
    assert!(matches!(opened, Err(StoreError::NewerSchema { found: 99, .. })), "{opened:?}");
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_schema_of_a_build_before_0_1_0_is_refused_with_what_to_do_and_left_alone() {
    let database = Database::create_migrated().await;
    let client = database.connect().await;
    // As those builds left it, whatever their version.
    client.batch_execute("ALTER TABLE aerie.schema_version DROP COLUMN since").await.unwrap();
    for version in [1_i64, 12] {
        client.execute("UPDATE aerie.schema_version SET version = $1", &[&version]).await.unwrap();
        let opened = PostgresStore::open(&database.parsed(), 2, TimeSource::Database).await.map(drop).unwrap_err();
        let imported = Import::open(&database.parsed()).await.map(drop).unwrap_err();
        for refused in [opened, imported] {
            assert!(matches!(refused, StoreError::EarlierBuild), "{refused:?}");
            assert_eq!(refused.to_string(), format!("the database {EARLIER_BUILD}"));
        }
        let found: i64 = client.query_one("SELECT version FROM aerie.schema_version", &[]).await.unwrap().get(0);
        assert_eq!(found, version);
    }
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_schema_of_another_program_is_refused_and_left_alone() {
    let database = Database::create().await;
    let client = database.connect().await;
    client.batch_execute("CREATE SCHEMA aerie; CREATE TABLE aerie.nests (birds text)").await.unwrap();
    let opened = PostgresStore::open(&database.parsed(), 2, TimeSource::Database).await.map(drop);
    assert!(matches!(opened, Err(StoreError::ForeignDatabase(_))), "{opened:?}");
}

#[tokio::test]
#[ignore = "needs a PostgreSQL server: e2e/postgres.sh"]
async fn a_full_disk_and_damage_are_reported_as_such_and_damage_is_remembered() {
    let database = Database::create_migrated().await;
    let store = database.node().await;
    let client = database.connect().await;
    for (code, trigger) in [("53100", "disk_full"), ("XX001", "disk_damaged")] {
        let fault = format!(
            "CREATE OR REPLACE FUNCTION {trigger}() RETURNS trigger LANGUAGE plpgsql AS
                 $$ BEGIN RAISE EXCEPTION 'could not extend or read file' USING ERRCODE = '{code}'; END $$;
             CREATE TRIGGER {trigger} BEFORE INSERT ON aerie.organizations EXECUTE FUNCTION {trigger}();"
        );
        client.batch_execute(&fault).await.unwrap();
        let failed = store.org_create("Acme", "starter").await;
        match code {
            "53100" => assert!(matches!(failed, Err(StoreError::Full)), "{failed:?}"),
            _ => assert!(matches!(failed, Err(StoreError::Corrupt(_))), "{failed:?}"),
        }
        client.batch_execute(&format!("DROP TRIGGER {trigger} ON aerie.organizations")).await.unwrap();
    }
    assert!(matches!(store.store_check().await, Err(StoreError::Corrupt(_))));
    assert!(store.job_claim(&JobType::ALL, "a", std::time::Duration::ZERO).await.unwrap().is_none());
}
