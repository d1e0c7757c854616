//! Campaigns: years of faults and load in minutes, with counts. Each is a subcommand of `campaigns` that runs for any
//! length of time, and a short test.
pub mod clients;
pub mod clock;
pub mod disk;
pub mod hostile;
pub mod loads;
pub mod poison;
pub mod receivers;
pub mod set_clock;
pub mod steady;
pub mod uploads;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{JobStatus, SystemClock, UsageRange};
use aerie_storage::JobFilter;

use crate::store::{check_database, open_database};
use crate::{Server, run_json};

/// A data folder with an organization whose key has practically no rate limit.
#[derive(Debug)]
pub struct Tenant {
    /// The data folder.
    pub data: PathBuf,
    /// The configuration file.
    pub config: PathBuf,
    /// The organization.
    pub org: String,
    /// The organization's key.
    pub key: String,
}

impl Tenant {
    /// Creates the tenant; `extra` is appended to its configuration file, first
    /// to the table of its plan.
    ///
    /// # Panics
    /// When `aerie admin` fails.
    #[must_use]
    pub fn new(data: &Path, extra: &str) -> Self {
        let config = data.with_extension("toml");
        let plan = "[plans.campaign]\nper_minute = 1000000000\nper_day = 1000000000\n";
        std::fs::write(&config, format!("{plan}{extra}\n")).expect("a file");
        let path = config.to_str().expect("a path");
        let create = ["admin", "org", "create", "Acme", "--plan", "campaign", "--config", path];
        let org = run_json(&create, data)["org_id"].as_str().expect("an id").to_owned();
        let key = run_json(&["admin", "key", "create", "--org", &org], data)["key"].as_str().expect("a key").to_owned();
        Self { data: data.to_owned(), config, org, key }
    }

    /// Starts a server without workers.
    #[must_use]
    pub fn serve(&self) -> Server {
        let config = self.config.to_str().unwrap_or_default();
        Server::restart_with(&["--config", config], &self.data, 0, &self.org, &self.key)
    }

    /// Returns the path of the database.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.data.join("aerie.db")
    }

    /// Checks that each completed job was billed exactly once, and no other job was billed.
    ///
    /// # Panics
    /// When the check fails or the database is damaged.
    #[must_use]
    pub fn audit(&self) -> Audit {
        audit(&self.database())
    }
}

/// Counts of an audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Audit {
    /// All jobs.
    pub jobs: usize,
    /// Completed jobs, each billed once.
    pub completed: usize,
    /// Failed jobs, not billed.
    pub failed: usize,
    /// Jobs that have not ended: stuck.
    pub open: usize,
}

/// Result of one hostile check.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Whether everything held that must hold.
    pub held: bool,
    /// What was attempted and measured, in one line.
    pub measured: String,
}

/// Audits any database, like [`Tenant::audit`].
///
/// # Panics
/// When the check fails or the database is damaged.
#[must_use]
pub fn audit(database: &Path) -> Audit {
    let store = open_database(database, Arc::new(SystemClock));
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let all = JobFilter { org_id: None, status: None, job_type: None, limit: u32::MAX, offset: 0 };
    let page = runtime.block_on(store.job_list(all)).expect("the jobs");
    assert_eq!(page.total, page.jobs.len() as u64, "the total matches the number of jobs");
    let range = UsageRange::parse(Some("1970-01-01"), Some("9999-12-31"), jiff::Timestamp::now()).expect("a range");
    let mut billed = std::collections::BTreeSet::new();
    for org in runtime.block_on(store.org_list()).expect("the organizations") {
        for event in runtime.block_on(store.usage_list(org.id, range, None, u32::MAX)).expect("the events") {
            assert!(billed.insert(event.job_id), "job {} is billed twice", event.job_id);
        }
    }
    let mut audit = Audit { jobs: page.jobs.len(), ..Audit::default() };
    for job in &page.jobs {
        assert_eq!(billed.contains(&job.id), job.status == JobStatus::Completed, "{} is {}", job.id, job.status);
        match job.status {
            JobStatus::Completed => audit.completed += 1,
            JobStatus::Failed => audit.failed += 1,
            _ => audit.open += 1,
        }
    }
    drop(store);
    check_database(database);
    audit
}

/// Returns a quantile: the value that `share` of the values does not exceed.
fn quantile(values: &mut [Duration], share: f64) -> Duration {
    assert!(!values.is_empty());
    values.sort_unstable();
    let at = (share * (values.len() - 1) as f64).round() as usize;
    values[at]
}
