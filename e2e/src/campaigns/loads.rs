//! Cost of requests on a store with many stored or queued jobs, compared with a small store: alternating, over HTTP,
//! medians.

use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use aerie_domain::{JobStatus, JobType};
use aerie_storage::JobOutput;
use aerie_storage_sqlite::testing::{StoredJob, insert_jobs};
use serde_json::json;

use super::{Tenant, quantile};
use crate::Server;
use crate::store::open_store;

/// Jobs of the small store: enough to fill every page, including that of failed jobs of one kind.
const FEW: u64 = 4000;

/// Cost of a request on the small store and on the full store.
#[derive(Debug, Clone)]
pub struct Cost {
    /// Name of the request.
    pub what: &'static str,
    /// Median with few jobs.
    pub few: Duration,
    /// Median with many.
    pub many: Duration,
}

impl Cost {
    /// Returns how many times longer it takes with many jobs.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.many.as_secs_f64() / self.few.as_secs_f64()
    }
}

/// Result of a campaign.
#[derive(Debug, Clone)]
pub struct Report {
    /// Jobs of the full store.
    pub jobs: u64,
    /// State of the jobs: `stored` or `queued`.
    pub state: &'static str,
    /// Cost of each request.
    pub costs: Vec<Cost>,
}

impl Report {
    /// Returns the highest ratio.
    #[must_use]
    pub fn worst(&self) -> f64 {
        self.costs.iter().map(Cost::ratio).fold(0.0, f64::max)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} jobs {}, compared with {FEW}, medians over HTTP:", self.jobs, self.state)?;
        for cost in &self.costs {
            let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
            let (few, many) = (milliseconds(cost.few), milliseconds(cost.many));
            write!(f, "\n  {:<28} {few:8.2} ms {many:8.2} ms   {:.2} times", cost.what, cost.ratio())?;
        }
        Ok(())
    }
}

/// Sends each request `rounds` times to a store with `jobs` ended jobs.
#[must_use]
pub fn stored(jobs: u64, rounds: usize, folder: &Path) -> Report {
    compare(jobs, rounds, folder, "stored")
}

/// Like [`stored`], with all jobs queued; also measures what a worker asks of the store.
#[must_use]
pub fn queued(jobs: u64, rounds: usize, folder: &Path) -> Report {
    compare(jobs, rounds, folder, "queued")
}

struct Side {
    tenant: Tenant,
    server: Server,
    jobs: u64,
}

fn compare(jobs: u64, rounds: usize, folder: &Path, state: &'static str) -> Report {
    let [few, many] = [("few", FEW), ("many", jobs)].map(|(name, jobs)| {
        let tenant = Tenant::new(&folder.join(name), "queued_jobs = 0");
        fill(&tenant, jobs, state == "queued");
        let server = tenant.serve();
        Side { tenant, server, jobs }
    });
    let mut costs = vec![
        ask("list", rounds, &few, &many, |side, _| get(side, "/v1/jobs")),
        ask("list, failed", rounds, &few, &many, |side, _| get(side, "/v1/jobs?status=failed")),
        ask("list, one kind", rounds, &few, &many, |side, _| get(side, "/v1/jobs?job_type=video_clip")),
        ask("list, one kind, failed", rounds, &few, &many, |side, _| {
            get(side, "/v1/jobs?job_type=video_clip&status=failed");
        }),
        ask("poll", rounds, &few, &many, |side, round| {
            get(side, &format!("/v1/jobs/{}", id(round * 7919 % side.jobs)));
        }),
        ask("submit", rounds, &few, &many, |side, round| {
            let body = json!({"address": format!("{round} New St")});
            assert_eq!(side.server.client.post("/v1/drone-footage/generate", &body).status, 202);
        }),
        ask("figures", rounds, &few, &many, |side, _| get(side, "/metrics")),
    ];
    costs.push(claims(rounds, &few, &many));
    Report { jobs, state, costs }
}

/// Claims and completes jobs like a worker that runs only one kind; through the store, because no HTTP request does this.
fn claims(rounds: usize, few: &Side, many: &Side) -> Cost {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let stores = [few, many].map(|side| open_store(&side.tenant.data));
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..rounds.min(50) {
        for (store, times) in stores.iter().zip(&mut times) {
            let started = Instant::now();
            runtime.block_on(async {
                let lease = Duration::from_secs(60);
                let claim = store.job_claim(&[JobType::DroneFootage], "a", lease).await.expect("an answer");
                let claim = claim.expect("a job: enough were submitted");
                store.job_complete(&claim.lease, JobOutput::default()).await.expect("the lease is held");
            });
            times.push(started.elapsed());
        }
    }
    let [mut few, mut many] = times;
    Cost { what: "claim and complete", few: quantile(&mut few, 0.5), many: quantile(&mut many, 0.5) }
}

fn get(side: &Side, path: &str) {
    let answer = side.server.client.get(path);
    assert_eq!(answer.status, 200, "{path}");
}

/// Measures both sides alternately.
fn ask(what: &'static str, rounds: usize, few: &Side, many: &Side, request: impl Fn(&Side, u64)) -> Cost {
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..rounds as u64 + 3 {
        for (side, times) in [few, many].into_iter().zip(&mut times) {
            let started = Instant::now();
            request(side, round);
            // The first rounds warm the caches.
            if round >= 3 {
                times.push(started.elapsed());
            }
        }
    }
    let [mut few, mut many] = times;
    Cost { what, few: quantile(&mut few, 0.5), many: quantile(&mut many, 0.5) }
}

fn id(number: u64) -> String {
    format!("01980c7e-0000-7000-8000-{number:012x}")
}

/// Fills the database as after years of use: several kinds, some failed, each completed job with output and usage event.
fn fill(tenant: &Tenant, jobs: u64, are_queued: bool) {
    let kinds = [JobType::ImageEnhance, JobType::DroneFootage, JobType::VirtualStaging, JobType::VideoClip];
    let stored = (0..jobs).map(|number| {
        let (id, kind) = (id(number), kinds[number as usize % kinds.len()]);
        // No queued job is of the kind that the worker takes, so all of them are ahead of its own.
        let kind = if are_queued && kind == JobType::DroneFootage { JobType::Markup } else { kind };
        let status = match number % 50 {
            _ if are_queued => JobStatus::Queued,
            0..4 => JobStatus::Failed,
            _ => JobStatus::Completed,
        };
        let at = 1_700_000_000_000_i64 + i64::try_from(number).unwrap_or(0) * 1000;
        let input = json!({"address": format!("{number} Main St, 10001 Featherstone Vale"), "image_url": "https://x.example/a.jpg"});
        let media = json!({"/video_url": format!("{}/{id}/1/video.mp4", tenant.org)});
        StoredJob { id, kind, status, input, media, at }
    });
    insert_jobs(&tenant.database(), &tenant.org, stored).expect("the jobs are inserted");
}
