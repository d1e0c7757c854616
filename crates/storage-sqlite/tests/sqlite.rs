//! What is true of SQLite only.

#![cfg(test)]

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{JobId, JobType, OrgId, RequestId, SystemClock};
use aerie_storage::{JobOutput, JobQueue, LinkSecret, MaintenanceStore, NewJob, TenantStore};
use aerie_storage_sqlite::{SqliteStore, check_database, copy_database, for_each_jobs_media};
use jiff::Timestamp;

fn open(folder: &std::path::Path) -> SqliteStore {
    SqliteStore::open(&folder.join("test.db"), Arc::new(SystemClock)).unwrap()
}

fn new_job(org_id: OrgId) -> NewJob {
    NewJob {
        id: JobId::new(Timestamp::UNIX_EPOCH),
        org_id,
        job_type: JobType::DroneFootage,
        input: serde_json::json!({"address": "a"}),
        input_media: BTreeMap::new(),
        parent_id: None,
        unit_price_cents: 1,
        request_id: RequestId::new(Timestamp::UNIX_EPOCH),
        idempotency_key: None,
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
    let mut jobs = BTreeMap::new();
    for_each_jobs_media(&copy, |id, keys| assert!(jobs.insert(id, keys).is_none())).unwrap();
    assert!(jobs.len() <= 301);
    assert_eq!(jobs[&first], [key].into());
    // The counts and the jobs are of the same moment.
    let copied = SqliteStore::open(&copy, Arc::new(SystemClock)).unwrap();
    let counted: u64 = copied.queue_stats().await.unwrap().jobs.iter().map(|(_, _, jobs)| jobs).sum();
    assert_eq!(counted, jobs.len() as u64);
    assert!(copy_database(&folder.path().join("test.db"), &copy).is_err(), "a copy overwrites nothing");
}
