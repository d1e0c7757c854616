//! A clock that jumps hours ahead and back while jobs are submitted and run. No job is lost or billed twice.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

use aerie_domain::{Clock, JobId, JobInput, JobLimits, JobType, OrgId, RequestId, SystemClock};
use aerie_storage::{JobOutput, NewJob, Store, StoreError};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::{Audit, audit};
use crate::store::open_database;

/// Result of a campaign.
#[derive(Debug, Clone, Copy)]
pub struct Report {
    /// Jumps of the clock.
    pub jumps: u32,
    /// Jobs submitted.
    pub submitted: usize,
    /// Completions refused because a jump had expired the lease.
    pub refused: u32,
    /// Final audit.
    pub audit: Audit,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { jumps, submitted, refused, audit } = self;
        write!(
            f,
            "{jumps} jumps of the clock by up to a day: {submitted} jobs submitted, 0 lost, 0 billed twice, 0 stuck; {} completed, \
             {} failed after three lost runs and not billed; {refused} completions refused, as their lease was lost",
            audit.completed, audit.failed
        )
    }
}

/// The system clock plus an offset in milliseconds.
#[derive(Default)]
struct Jumping(std::sync::atomic::AtomicI64);

impl Clock for Jumping {
    fn now(&self) -> Timestamp {
        SystemClock.now() + SignedDuration::from_millis(self.0.load(Ordering::SeqCst))
    }
}

/// Runs `jobs` jobs through three workers while the clock jumps every few milliseconds.
///
/// # Panics
/// When a job is lost, stuck or billed twice.
#[must_use]
pub fn campaign(jobs: usize, folder: &Path) -> Report {
    let database = folder.join("clock.db");
    let clock = Arc::new(Jumping::default());
    let open = || open_database(&database, Arc::clone(&clock) as _);
    let (store, runtime) =
        (open(), || tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime"));
    let org = runtime().block_on(store.org_create("Acme", "starter")).expect("an organization").id;
    let (submitted, jumps, refused) = (AtomicUsize::new(0), AtomicU32::new(0), AtomicU32::new(0));
    let (all_submitted, stop) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for number in 0..3 {
            let (open, runtime, stop, refused) = (&open, &runtime, &stop, &refused);
            scope.spawn(move || {
                // Each with its own store, as separate processes would have.
                let store = open();
                runtime().block_on(work(&*store, &format!("worker {number}"), stop, refused));
            });
        }
        scope.spawn(|| {
            let mut random = 0x9e37_79b9_7f4a_7c15_u64;
            while !all_submitted.load(Ordering::SeqCst) {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let day = 86_400_000_i64;
                let milliseconds = i64::try_from(random >> 33).unwrap_or(0) % (2 * day) - day;
                clock.0.store(milliseconds, Ordering::SeqCst);
                jumps.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(5 + (random >> 40) % 20));
            }
            // Finally past every lease ever granted.
            clock.0.store(3 * 86_400_000, Ordering::SeqCst);
        });
        runtime().block_on(async {
            for number in 0..jobs {
                submit(&*store, org, &clock, number).await;
                submitted.fetch_add(1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            all_submitted.store(true, Ordering::SeqCst);
            let deadline = std::time::Instant::now() + Duration::from_secs(120);
            loop {
                let counts = store.queue_stats().await.expect("figures").jobs;
                let open: u64 =
                    counts.iter().filter(|(_, status, _)| !status.is_terminal()).map(|(_, _, jobs)| jobs).sum();
                if open == 0 {
                    break;
                }
                assert!(std::time::Instant::now() < deadline, "{open} jobs are stuck");
                // Expire the most recent leases as well.
                clock.0.fetch_add(60_000, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        stop.store(true, Ordering::SeqCst);
    });
    drop(store);
    let audit = audit(&database);
    let (submitted, jumps) = (submitted.into_inner(), jumps.into_inner());
    assert_eq!((audit.jobs, audit.completed + audit.failed, audit.open), (submitted, submitted, 0));
    Report { jumps, submitted, refused: refused.into_inner(), audit }
}

async fn submit(store: &dyn Store, org_id: OrgId, clock: &Jumping, number: usize) {
    let body = json!({"address": format!("{number} Main St")});
    let new = NewJob {
        id: JobId::new(clock.now()),
        org_id,
        input: JobInput::from_body(JobType::DroneFootage, &body).expect("a request"),
        input_media: Default::default(),
        parent_id: None,
        unit_price_cents: 1,
        request_id: RequestId::new(clock.now()),
        idempotency_key: None,
        limits: JobLimits::default(),
    };
    store.job_submit(new).await.expect("the store works").expect("the job is accepted");
}

/// Claims jobs and completes them after a few milliseconds.
async fn work(store: &dyn Store, name: &str, stop: &AtomicBool, refused: &AtomicU32) {
    while !stop.load(Ordering::SeqCst) {
        match store.job_claim(&[JobType::DroneFootage], name, Duration::from_secs(15)).await {
            Ok(Some(claim)) => {
                tokio::time::sleep(Duration::from_millis(3)).await;
                match store.job_complete(&claim.lease, JobOutput::default()).await {
                    Ok(()) => {}
                    Err(StoreError::LeaseLost) => {
                        refused.fetch_add(1, Ordering::SeqCst);
                    }
                    Err(error) => panic!("{error}"),
                }
            }
            Ok(None) => tokio::time::sleep(Duration::from_millis(2)).await,
            Err(error) => panic!("{error}"),
        }
    }
}
