//! What is true of SQLite only.

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{ApiKey, JobId, JobInput, JobLimits, JobType, OrgChanges, OrgId, RequestId, Scopes, SystemClock};
use aerie_storage::{JobFilter, JobOutput, JobQueue, LinkSecret, MaintenanceStore, NewJob, StoreError, TenantStore};
use aerie_storage_sqlite::{SqliteStore, check_copy, check_database, copy_database, for_each_kept_media};
use jiff::Timestamp;

fn open(folder: &std::path::Path) -> SqliteStore {
    SqliteStore::open(&folder.join("test.db"), Arc::new(SystemClock)).unwrap()
}

fn new_job(org_id: OrgId) -> NewJob {
    NewJob {
        id: JobId::new(Timestamp::UNIX_EPOCH),
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

#[tokio::test]
async fn two_processes_claim_each_job_once() {
    let folder = tempfile::tempdir().unwrap();
    // Two stores on one file share nothing but the file, as two processes do.
    let (first, second) = (Arc::new(open(folder.path())), Arc::new(open(folder.path())));
    let org_id = first.org_create("Acme", "starter").await.unwrap().id;
    for _ in 0..40 {
        first.job_submit(new_job(org_id)).await.unwrap().unwrap();
    }
    let claims: Vec<_> = [(first, "a"), (second, "b")]
        .into_iter()
        .map(|(store, worker)| {
            tokio::spawn(async move {
                let mut claimed = Vec::new();
                while let Some(claim) = store.job_claim(&JobType::ALL, worker, Duration::from_secs(60)).await.unwrap() {
                    claimed.push(claim.job.id);
                }
                claimed
            })
        })
        .collect();
    let mut claimed = Vec::new();
    for claim in claims {
        claimed.extend(claim.await.unwrap());
    }
    claimed.sort();
    claimed.dedup();
    assert_eq!(claimed.len(), 40);
}

#[tokio::test]
async fn a_key_that_another_process_revokes_or_restricts_is_known_at_once_although_it_was_looked_up_before() {
    let folder = tempfile::tempdir().unwrap();
    let (server, admin) = (open(folder.path()), open(folder.path()));
    let org_id = admin.org_create("Acme", "starter").await.unwrap().id;
    let (key, scopes) = (ApiKey::generate().unwrap(), Scopes::ALL);
    let id = admin.key_create(org_id, &key, scopes, None).await.unwrap().id;
    for _ in 0..3 {
        assert_eq!(server.key_find(key.hash()).await.unwrap().unwrap().org.plan, "starter");
    }
    admin.org_change(org_id, OrgChanges { plan: Some("growth".into()), ..OrgChanges::default() }).await.unwrap();
    assert_eq!(server.key_find(key.hash()).await.unwrap().unwrap().org.plan, "growth");
    admin.key_revoke(id).await.unwrap();
    assert!(server.key_find(key.hash()).await.unwrap().is_none());
}

#[tokio::test]
async fn committed_rows_are_there_when_the_file_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let org = open(folder.path()).org_create("Acme", "starter").await.unwrap();
    assert_eq!(open(folder.path()).org_list().await.unwrap(), [org]);
}

#[test]
fn many_processes_that_open_a_new_database_at_once_migrate_it_once() {
    let folder = tempfile::tempdir().unwrap();
    let opened: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| SqliteStore::open(&folder.path().join("test.db"), Arc::new(SystemClock)).map(drop)))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(opened.iter().all(Result::is_ok), "{opened:?}");
}

#[tokio::test]
async fn only_its_owner_reads_a_new_database_and_nobody_outside_its_group_an_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let mode = |name: &str| std::fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
    let store = open(folder.path());
    store.link_secret_init(&LinkSecret::new([1; 32])).await.unwrap();
    for name in ["test.db", "test.db-wal", "test.db-shm"] {
        assert_eq!(mode(name), 0o600, "{name}");
    }
    drop(store);
    std::fs::set_permissions(folder.path().join("test.db"), Permissions::from_mode(0o664)).unwrap();
    let store = open(folder.path());
    store.link_secret_init(&LinkSecret::new([1; 32])).await.unwrap();
    for name in ["test.db", "test.db-wal", "test.db-shm"] {
        assert_eq!(mode(name), 0o660, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_of_a_database_in_use_is_complete_and_of_one_moment() {
    let folder = tempfile::tempdir().unwrap();
    let (database, copy) = (folder.path().join("test.db"), folder.path().join("copy.db"));
    let store = Arc::new(open(folder.path()));
    let org = store.org_create("Acme", "starter").await.unwrap().id;
    let first = store.job_submit(new_job(org)).await.unwrap().unwrap().id;
    let claim = store.job_claim(&JobType::ALL, "a", Duration::from_secs(15)).await.unwrap().unwrap();
    let key = format!("{org}/{first}/1/video.mp4");
    let media = [("/video_url".to_owned(), key.clone())].into();
    store.job_complete(&claim.lease, JobOutput { media, ..JobOutput::default() }).await.unwrap();
    let submitting = Arc::clone(&store);
    let submits = tokio::spawn(async move {
        for _ in 0..300 {
            submitting.job_submit(new_job(org)).await.unwrap().unwrap();
        }
    });
    let copied = copy.clone();
    tokio::task::spawn_blocking(move || copy_database(&database, &copied)).await.unwrap().unwrap();
    submits.await.unwrap();
    check_database(&copy).unwrap();
    let jobs = check_copy(&copy).unwrap().jobs;
    assert!((1..=301).contains(&jobs));
    let mut media = BTreeMap::new();
    for_each_kept_media(&copy, |id, keys| assert!(media.insert(id, keys).is_none())).unwrap();
    assert_eq!(media, [(first, [key].into())].into());
    // The counts and the jobs are of the same moment.
    let copied = SqliteStore::open(&copy, Arc::new(SystemClock)).unwrap();
    let counted: u64 = copied.queue_stats().await.unwrap().jobs.iter().map(|(_, _, jobs)| jobs).sum();
    assert_eq!(counted, jobs);
    assert!(copy_database(&folder.path().join("test.db"), &copy).is_err(), "a copy overwrites nothing");
}

/// A database with many jobs, and the offset and size of its pages from one third to two thirds of the table of jobs.
async fn with_jobs(folder: &std::path::Path) -> (OrgId, Vec<u64>) {
    let store = Arc::new(open(folder));
    let org = store.org_create("Acme", "starter").await.unwrap().id;
    let submits: Vec<_> = (0..400)
        .map(|_| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.job_submit(new_job(org)).await.unwrap().unwrap() })
        })
        .collect();
    for submit in submits {
        submit.await.unwrap();
    }
    drop(store);
    let db = rusqlite::Connection::open(folder.join("test.db")).unwrap();
    let mut pages = db.prepare("SELECT pgoffset FROM dbstat WHERE name = 'jobs' AND pagetype = 'leaf'").unwrap();
    let offsets: Vec<u64> =
        pages.query_map([], |row| row.get::<_, i64>(0)).unwrap().map(|offset| offset.unwrap() as u64).collect();
    assert!(offsets.len() > 6, "{offsets:?}");
    (org, offsets[offsets.len() / 3..offsets.len() * 2 / 3].to_vec())
}

fn damage(folder: &std::path::Path, pages: &[u64]) {
    let file = std::fs::OpenOptions::new().write(true).open(folder.join("test.db")).unwrap();
    for page in pages {
        std::os::unix::fs::FileExt::write_all_at(&file, &[0xa5; 512], *page).unwrap();
    }
}

#[tokio::test]
async fn damage_within_a_table_is_found_by_the_check_of_the_whole_store_and_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let (_, pages) = with_jobs(folder.path()).await;
    damage(folder.path(), &pages);
    let store = open(folder.path());
    store.store_check().await.unwrap();
    store.store_check_use().await.unwrap();
    for _ in 0..2 {
        assert!(matches!(store.store_verify().await, Err(StoreError::Corrupt(_))));
        assert!(matches!(store.store_check().await, Err(StoreError::Corrupt(_))));
        assert!(matches!(store.store_check_use().await, Err(StoreError::Corrupt(_))));
    }
}

#[tokio::test]
async fn damage_that_a_request_meets_is_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let (org_id, pages) = with_jobs(folder.path()).await;
    damage(folder.path(), &pages);
    let store = open(folder.path());
    store.store_check_use().await.unwrap();
    let filter = JobFilter { org_id: Some(org_id), status: None, job_type: None, limit: 1000, offset: 0 };
    assert!(matches!(store.job_list(filter).await, Err(StoreError::Corrupt(_))));
    assert!(matches!(store.store_check().await, Err(StoreError::Corrupt(_))));
}

#[tokio::test]
async fn damage_in_a_file_that_is_in_use_is_found() {
    let folder = tempfile::tempdir().unwrap();
    with_jobs(folder.path()).await;
    let store = open(folder.path());
    store.store_check_use().await.unwrap();
    let db = rusqlite::Connection::open(folder.path().join("test.db")).unwrap();
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    let root: i64 =
        db.query_row("SELECT pgoffset FROM dbstat WHERE name = 'jobs' AND path = '/'", [], |row| row.get(0)).unwrap();
    damage(folder.path(), &[root as u64]);
    assert!(matches!(store.store_check_use().await, Err(StoreError::Corrupt(_))));
}

#[tokio::test]
async fn a_database_file_that_was_removed_while_in_use_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    store.store_check_use().await.unwrap();
    std::fs::remove_file(folder.path().join("test.db")).unwrap();
    assert!(store.store_check_use().await.is_err());
    assert!(!folder.path().join("test.db").exists(), "the check creates nothing");
}

#[test]
fn an_emptied_database_is_refused_and_a_copy_is_checked_for_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let (database, copy) = (folder.path().join("test.db"), folder.path().join("a?b#c%.db"));
    drop(open(folder.path()));
    copy_database(&database, &copy).unwrap();
    let summary = check_copy(&copy).unwrap();
    assert_eq!((summary.jobs, summary.organizations, summary.keys, summary.usage_events), (0, 0, 0, 0));
    let set = |pragma: &str, value: i64| {
        rusqlite::Connection::open(&copy).unwrap().pragma_update(None, pragma, value).unwrap();
        check_copy(&copy)
    };
    assert!(matches!(set("user_version", summary.user_version + 1), Err(StoreError::NewerSchema { .. })));
    set("user_version", summary.user_version).unwrap();
    assert!(matches!(set("application_id", 1), Err(StoreError::ForeignDatabase(_))));
    std::fs::write(&copy, "").unwrap();
    assert!(matches!(check_copy(&copy), Err(StoreError::Corrupt(_))));
    std::fs::write(&database, "").unwrap();
    let opened = SqliteStore::open(&database, Arc::new(SystemClock)).map(drop);
    assert!(matches!(opened, Err(StoreError::Corrupt(_))), "{opened:?}");
}
