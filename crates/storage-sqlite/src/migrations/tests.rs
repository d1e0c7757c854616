//! Databases of earlier versions are upgraded with all that they hold.

use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{JobStatus, JobType, KeyHash, SystemClock, UsageRange};
use jiff::Timestamp;

use super::*;
use crate::SqliteStore;
use aerie_storage::{JobFilter, JobOutput, JobQueue, TenantStore, UsageStore};

#[test]
fn a_database_is_migrated_once() {
    let mut db = Connection::open_in_memory().unwrap();
    migrate(&mut db, "test").unwrap();
    migrate(&mut db, "test").unwrap();
    let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(version, i64::try_from(MIGRATIONS.len()).unwrap());
}

const ORG: &str = "01980c7e-0000-7000-8000-000000000001";

/// A database file as that version wrote it, with a job in each status that there was.
fn written_by(version: usize, file: &std::path::Path) {
    let db = Connection::open(file).unwrap();
    for migration in &MIGRATIONS[..version] {
        db.execute_batch(migration).unwrap();
    }
    let key = ["01980c7e-0000-7000-8000-000000000002", ORG];
    db.execute("INSERT INTO organisations (id, name, created_at) VALUES (?1, 'Acme', 0)", [ORG]).unwrap();
    db.execute("INSERT INTO api_keys (id, org_id, hash, hint, created_at) VALUES (?1, ?2, zeroblob(32), 'h', 0)", key)
        .unwrap();
    for (number, status) in ["queued", "running", "completed", "failed"].into_iter().enumerate() {
        let job = format!("01980c7e-0000-7000-8000-00000000001{number}");
        db.execute(
            "INSERT INTO jobs (id, org_id, job_type, status, input, unit_price_cents, request_id, worker,
                 lease_expires_at, created_at, updated_at)
             VALUES (?1, ?2, 'drone_footage', ?3, '{\"address\":\"1 Main St\"}', 1500, ?1, 'w', 1, ?4, ?4)",
            (&job, ORG, status, i64::try_from(number).unwrap()),
        )
        .unwrap();
    }
    db.execute(
        "INSERT INTO usage_events (id, org_id, job_id, event_type, unit_price_cents, created_at)
         VALUES (?1, ?2, '01980c7e-0000-7000-8000-000000000012', 'drone_footage.generate', 1500, 2)",
        ["01980c7e-0000-7000-8000-000000000003", ORG],
    )
    .unwrap();
    db.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
    db.pragma_update(None, "user_version", i64::try_from(version).unwrap()).unwrap();
}

#[tokio::test]
async fn a_database_of_every_earlier_version_is_upgraded_with_all_that_it_holds() {
    for version in 1..=MIGRATIONS.len() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("old.db");
        written_by(version, &file);
        let store = SqliteStore::open(&file, Arc::new(SystemClock)).unwrap();
        let org_id = Some(ORG.parse().unwrap());
        let list = async |status, job_type| {
            let filter = JobFilter { org_id, status, job_type, limit: 10, offset: 0 };
            let page = store.job_list(filter).await.unwrap();
            assert_eq!(page.total, page.jobs.len() as u64, "from version {version}");
            page.total
        };
        assert_eq!(list(None, None).await, 4, "from version {version}");
        for status in [JobStatus::Queued, JobStatus::Running, JobStatus::Completed, JobStatus::Failed] {
            assert_eq!(list(Some(status), None).await, 1, "from version {version}");
            assert_eq!(list(Some(status), Some(JobType::DroneFootage)).await, 1, "from version {version}");
            assert_eq!(list(Some(status), Some(JobType::Markup)).await, 0, "from version {version}");
        }
        let found = store.key_find(KeyHash([0; 32])).await.unwrap().unwrap();
        assert_eq!(
            (found.org.name.as_str(), found.org.plan.as_str(), found.org.keep_days),
            ("Acme", "enterprise", None)
        );
        let range = UsageRange::parse(Some("1970-01-01"), Some("1970-01-01"), Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(store.usage_list(found.org.id, range, None, 10).await.unwrap().len(), 1);
        // The queued one is the oldest; the other had been lost.
        for status in ["queued", "running"] {
            let lease = Duration::from_secs(15);
            let claim = store.job_claim(&JobType::ALL, "a", lease).await.unwrap().unwrap();
            let number = claim.job.created_at.as_millisecond();
            assert_eq!(["queued", "running"][usize::try_from(number).unwrap()], status, "from version {version}");
            store.job_complete(&claim.lease, JobOutput::default()).await.unwrap();
        }
        assert_eq!(list(Some(JobStatus::Completed), None).await, 3, "from version {version}");
    }
}

#[test]
fn a_database_of_the_first_version_counts_its_jobs_against_quotas() {
    let mut db = Connection::open_in_memory().unwrap();
    db.execute_batch(MIGRATIONS[0]).unwrap();
    db.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
    db.pragma_update(None, "user_version", 1).unwrap();
    db.execute_batch(
        "INSERT INTO organisations VALUES ('o', 'Acme', 0);
         INSERT INTO api_keys VALUES ('k', 'o', x'00', 'hint', 0, NULL);
         INSERT INTO jobs (id, org_id, job_type, status, input, unit_price_cents, request_id, created_at, updated_at)
         VALUES ('1', 'o', 'drone_footage', 'queued', '{}', 1, 'r', 1770000000000, 0),
                ('2', 'o', 'drone_footage', 'failed', '{}', 1, 'r', 1770000000000, 0),
                ('3', 'o', 'drone_footage', 'completed', '{}', 1, 'r', 1767000000000, 0);",
    )
    .unwrap();
    migrate(&mut db, "test").unwrap();
    let used: Vec<(String, i64)> = db
        .prepare("SELECT month, jobs FROM quota_use ORDER BY month")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<rusqlite::Result<_>>()
        .unwrap();
    assert_eq!(used, [("2025-12".to_owned(), 1), ("2026-02".to_owned(), 1)]);
    let text = |sql: &str| db.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(text("SELECT plan || disabled || prices FROM organisations"), "enterprise[]{}");
    assert_eq!(text("SELECT scopes FROM api_keys"), "read,generate,usage");
}

#[test]
fn a_newer_schema_is_refused_and_left_alone() {
    let mut db = Connection::open_in_memory().unwrap();
    migrate(&mut db, "test").unwrap();
    db.pragma_update(None, "user_version", 99).unwrap();
    let error = migrate(&mut db, "test").unwrap_err();
    let error = StoreError::from(error);
    assert!(matches!(error, StoreError::NewerSchema { found: 99, .. }), "{error}");
    assert!(error.to_string().contains("start the newer version"));
    let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(version, 99);
}

#[test]
fn a_database_of_another_program_is_refused() {
    let mut db = Connection::open_in_memory().unwrap();
    db.execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
    let error = migrate(&mut db, "recipes.db").unwrap_err();
    assert!(matches!(error.0, StoreError::ForeignDatabase(_)));
}
