//! What must hold after every run, whatever has failed.

use std::collections::BTreeMap;

use aerie_domain::MAX_RUNS;
use serde::Deserialize;
use serde_json::Value;

use super::load::Promise;

/// The statement that reads the state that [`State`] holds, as one JSON value, of the organizations with this condition.
pub(super) fn state(orgs: &str) -> String {
    format!(
        "select json_build_object(
            'jobs', (select coalesce(json_agg(json_build_object('id', id, 'status', status, 'attempt', attempt,
                         'media', media::json, 'input', input::json, 'output', output::json)), '[]') from jobs where {orgs}),
            'bills', (select coalesce(json_object_agg(job_id, bills), '{{}}')
                      from (select job_id, count(*) as bills from usage_events where {orgs} group by job_id) as billed),
            'quota', (select coalesce(sum(jobs), 0) from quota_use where {orgs}),
            'counts', (select coalesce(json_object_agg(status, jobs), '{{}}')
                       from (select status, sum(jobs) as jobs from job_counts where {orgs} group by status) as counted))"
    )
}

/// What the database says.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct State {
    pub(super) jobs: Vec<Job>,
    /// Number of usage events, by job.
    pub(super) bills: BTreeMap<String, u64>,
    /// Number of jobs that count against the quota.
    pub(super) quota: u64,
    /// Number of jobs, by status.
    pub(super) counts: BTreeMap<String, u64>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Job {
    pub(super) id: String,
    pub(super) status: String,
    pub(super) attempt: u64,
    media: BTreeMap<String, String>,
    input: Value,
    output: Value,
}

impl Job {
    /// The key of the submit, which is part of the picture's URL.
    fn key(&self) -> &str {
        let url = self.input["image_url"].as_str().unwrap_or_default();
        url.split_once("?key=").map_or("", |(_, key)| key)
    }

    /// Whether the job failed otherwise than by losing all its runs with their workers.
    fn has_failed_by_itself(&self) -> bool {
        let is_explained = self.output["error"]["code"] == "ATTEMPTS_EXHAUSTED" && self.attempt >= u64::from(MAX_RUNS);
        self.status == "failed" && !is_explained
    }

    /// Media that an attempt has made which did not complete the job.
    fn stale(&self) -> impl Iterator<Item = &String> {
        let attempt = self.attempt.to_string();
        self.media.values().filter(move |key| {
            let mut parts = key.split('/').skip(1);
            let is_own = parts.next() == Some(&self.id);
            !is_own || !parts.next().is_some_and(|part| part == "input" || part == attempt)
        })
    }
}

impl State {
    fn count(&self, status: &str) -> usize {
        self.jobs.iter().filter(|job| job.status == status).count()
    }
}

/// Compares the database with what clients were promised. Each violation begins with its kind.
pub(super) fn violations(promises: &BTreeMap<String, Promise>, state: &State) -> Vec<String> {
    let mut found = Vec::new();
    let jobs: BTreeMap<&str, &Job> = state.jobs.iter().map(|job| (job.id.as_str(), job)).collect();
    for (key, promise) in promises {
        let Some(id) = &promise.job else { continue };
        match jobs.get(id.as_str()) {
            None => found.push(format!("lost: {id}, acknowledged for {key}, is not in the database")),
            Some(job) if !matches!(job.status.as_str(), "completed" | "failed") => {
                found.push(format!("stuck: {id} is {}", job.status));
            }
            Some(job) if promise.ended.as_ref().is_some_and(|ended| ended.status != job.status) => {
                found.push(format!("lost: {id} was {:?}, and is {}", promise.ended, job.status));
            }
            Some(_) => {}
        }
    }
    let mut by_key: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for job in &state.jobs {
        by_key.entry(job.key()).or_default().push(&job.id);
        let bills = state.bills.get(&job.id).copied().unwrap_or_default();
        let is_completed = job.status == "completed";
        match bills {
            2.. => found.push(format!("billed twice: {} has {bills} usage events", job.id)),
            1 if !is_completed => found.push(format!("billed: {} is {}", job.id, job.status)),
            0 if is_completed => found.push(format!("not billed: {} is completed", job.id)),
            _ => {}
        }
        if is_completed && job.media.is_empty() {
            found.push(format!("lost: {} is completed without media", job.id));
        }
        if job.has_failed_by_itself() {
            found.push(format!("failed: {} after {} attempts: {}", job.id, job.attempt, job.output["error"]));
        }
        for key in job.stale() {
            found.push(format!("stale: {} was completed by attempt {} with {key}", job.id, job.attempt));
        }
    }
    for (key, ids) in by_key.iter().filter(|(_, ids)| ids.len() > 1) {
        found.push(format!("submitted twice: {key} is {ids:?}"));
    }
    for id in state.bills.keys().filter(|id| !jobs.contains_key(id.as_str())) {
        found.push(format!("billed: {id} does not exist"));
    }
    let counted = (state.jobs.len() - state.count("failed")) as u64;
    if state.quota != counted {
        found.push(format!("miscounted: the quota counts {} jobs of {counted}", state.quota));
    }
    for (status, counted) in &state.counts {
        let jobs = state.count(status) as u64;
        if *counted != jobs {
            found.push(format!("miscounted: {counted} {status} jobs are counted, {jobs} are there"));
        }
    }
    found
}
