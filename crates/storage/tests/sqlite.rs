//! What is true of the SQLite store alone.

#![cfg(test)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{JobId, JobType, RequestId, SystemClock};
use aerie_storage::{JobStore, NewJob, SqliteStore};
use jiff::Timestamp;

fn open(folder: &std::path::Path) -> SqliteStore {
    SqliteStore::open(&folder.join("test.db"), Arc::new(SystemClock)).unwrap()
}

#[tokio::test]
async fn two_processes_claim_each_job_once() {
    let folder = tempfile::tempdir().unwrap();
    // Two stores on one file share nothing but the file, as two processes do.
    let (first, second) = (Arc::new(open(folder.path())), Arc::new(open(folder.path())));
    let org_id = first.org_create("Acme", "starter").await.unwrap().id;
    for _ in 0..40 {
        let new = NewJob {
            id: JobId::new(Timestamp::UNIX_EPOCH),
            org_id,
            job_type: JobType::DroneFootage,
            input: serde_json::json!({"address": "a"}),
            input_media: BTreeMap::new(),
            parent_id: None,
            unit_price_cents: 1,
            request_id: RequestId::new(Timestamp::UNIX_EPOCH),
            once: None,
        };
        first.job_submit(new).await.unwrap().unwrap();
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
async fn what_was_kept_is_there_when_the_file_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let org = open(folder.path()).org_create("Acme", "starter").await.unwrap();
    assert_eq!(open(folder.path()).org_list().await.unwrap(), [org]);
}
