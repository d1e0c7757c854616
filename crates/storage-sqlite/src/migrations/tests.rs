//! Databases of earlier versions are upgraded with all that they hold. The later version exists in tests only.

use std::path::Path;

use super::*;
use crate::connection::connect;

/// The next version.
const LATER: &str = "
CREATE TABLE job_stars (job_id TEXT PRIMARY KEY, stars INTEGER NOT NULL) STRICT;
ALTER TABLE jobs ADD COLUMN stars INTEGER NOT NULL DEFAULT 5;
DROP INDEX jobs_newest;
";

fn with_later() -> Vec<&'static str> {
    [MIGRATIONS, &[LATER]].concat()
}

/// A database of this version with an organization and a job.
fn filled(file: &Path) -> Connection {
    let mut db = connect(file).unwrap();
    migrate(&mut db, "test").unwrap();
    db.execute_batch(
        "INSERT INTO organizations (id, name, created_at) VALUES ('o', 'Acme', 0);
         INSERT INTO jobs (id, org_id, job_type, status, input, unit_price_cents, request_id, created_at, updated_at)
         VALUES ('1', 'o', 'drone_footage', 'queued', '{}', 1, 'r', 0, 0)",
    )
    .unwrap();
    db
}

fn version(db: &Connection) -> i64 {
    versions(db).unwrap().1
}

#[test]
fn a_later_version_upgrades_a_database_once_with_all_that_it_holds_and_this_one_then_refuses_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut db = filled(&folder.path().join("a.db"));
    let latest = number(MIGRATIONS);
    migrate(&mut db, "test").unwrap();
    assert_eq!(version(&db), latest);
    for _ in 0..2 {
        upgrade(&mut db, "test", &with_later()).unwrap();
        assert_eq!(version(&db), latest + 1);
    }
    let found: (String, i64) =
        db.query_row("SELECT status, stars FROM jobs", [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    assert_eq!(found, ("queued".to_owned(), 5));
    let jobs: i64 = db.query_row("SELECT jobs FROM job_counts WHERE status = 'queued'", [], |row| row.get(0)).unwrap();
    assert_eq!(jobs, 1);
    let refused = StoreError::from(migrate(&mut db, "test").unwrap_err());
    let expected = (latest + 1, latest);
    assert!(matches!(refused, StoreError::NewerSchema { found, known } if (found, known) == expected), "{refused:?}");
    assert!(refused.to_string().contains("start the newer version"));
    assert_eq!(version(&db), latest + 1);
}

#[test]
fn an_upgrade_that_fails_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut db = filled(&folder.path().join("a.db"));
    let broken = [with_later(), vec!["CREATE TABLE jobs (id TEXT)"]].concat();
    upgrade(&mut db, "test", &broken).unwrap_err();
    assert_eq!(version(&db), number(MIGRATIONS));
    assert!(db.prepare("SELECT stars FROM jobs").is_err());
    upgrade(&mut db, "test", &with_later()).unwrap();
}

#[test]
fn processes_that_start_at_once_upgrade_a_database_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.db");
    drop(filled(&file));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| upgrade(&mut connect(&file).unwrap(), "test", &with_later()).unwrap());
        }
    });
    assert_eq!(version(&connect(&file).unwrap()), number(MIGRATIONS) + 1);
}

#[test]
fn a_database_of_an_earlier_version_is_upgraded_before_it_is_read_for_another_backend() {
    refuse_older(2, 2, "a.db").unwrap();
    let refused = refuse_older(1, 2, "a.db").unwrap_err().0.to_string();
    assert!(refused.contains("a.db has schema version 1") && refused.contains("aerie admin org list"), "{refused}");
}

#[test]
fn a_database_of_a_build_before_0_1_0_is_refused_with_what_to_do_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.db");
    let mut db = filled(&file);
    db.pragma_update(None, "application_id", EARLIER_APPLICATION_ID).unwrap();
    for version in [1, 19] {
        db.pragma_update(None, "user_version", version).unwrap();
        db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        let opened = crate::SqliteStore::open(&file, std::sync::Arc::new(aerie_domain::SystemClock)).map(drop);
        let refusals = [
            migrate(&mut db, "test").unwrap_err().0,
            opened.unwrap_err(),
            crate::check_copy(&file).unwrap_err(),
            crate::Export::open(&file).map(drop).unwrap_err(),
        ];
        for refused in refusals {
            assert!(matches!(refused, StoreError::EarlierBuild), "{refused:?}");
            assert_eq!(refused.to_string(), format!("the database {}", aerie_storage::EARLIER_BUILD));
        }
        assert_eq!(versions(&db).unwrap(), (EARLIER_APPLICATION_ID, version));
    }
}

#[test]
fn a_database_of_another_program_is_refused() {
    for foreign in ["CREATE TABLE recipes (name TEXT)", "PRAGMA user_version = 7", "PRAGMA application_id = 7"] {
        let mut db = Connection::open_in_memory().unwrap();
        db.execute_batch(foreign).unwrap();
        let error = migrate(&mut db, "recipes.db").unwrap_err();
        assert!(matches!(error.0, StoreError::ForeignDatabase(_)), "{foreign}");
    }
}
