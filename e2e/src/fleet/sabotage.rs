//! Breaks promises on purpose, to show that the checks notice.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::links::Mode;
use super::plan::{Action, Fault, Nodes, Service};
use super::{BETWEEN_CHECKS, NOT_READY, RECOVERY, Run, Window};

/// What the violations begin with.
pub(super) const KINDS: [&str; 16] = [
    "lost:",
    "stuck:",
    "billed twice:",
    "billed:",
    "not billed:",
    "submitted twice:",
    "published again:",
    "failed:",
    "stale:",
    "different:",
    "unreadable:",
    "miscounted:",
    "ready:",
    "not recovered:",
    "ended:",
    "left over:",
];

/// One statement for each completed job.
const STATEMENTS: [&str; 11] = [
    "delete from jobs where id = $",
    "update jobs set status = 'awaiting_input' where id = $",
    "alter table usage_events drop constraint usage_events_job_id_key;
     insert into usage_events select (jsonb_populate_record(event, jsonb_build_object('id', gen_random_uuid()))).*
         from usage_events as event where job_id = $",
    "delete from usage_events where job_id = $",
    "insert into jobs select (jsonb_populate_record(job, jsonb_build_object('id', gen_random_uuid()))).*
         from jobs as job where id = $",
    "update jobs set completed_at = completed_at + 1000 where id = $",
    "update jobs set attempt = attempt + 1 where id = $",
    "update jobs set media = replace(media, '.jpg', '.png') where id = $",
    "update jobs set status = 'failed', output = '{\"error\": {\"code\": \"ENGINE_ERROR\"}}' where id = $",
    "update jobs set media = (select media from jobs as other where status = 'completed' and
         substring(other.input from '[a-z]+[.]png') <> substring(jobs.input from '[a-z]+[.]png') limit 1) where id = $",
    "update quota_use set jobs = jobs + 1 where $ is not null",
];

impl Run {
    /// Reports a fault that has no effect, and then starts no workers until the fleet should have recovered.
    pub(super) fn pretend(&mut self) -> Vec<Window> {
        let lasts = NOT_READY + 2 * BETWEEN_CHECKS;
        let fault =
            Fault { at: Duration::ZERO, lasts, action: Action::Break(Nodes::All, Service::Database, Mode::Cut) };
        let from = Instant::now();
        std::thread::sleep(lasts);
        let until = Instant::now();
        for worker in &mut self.fleet.workers {
            worker.kill_until(until + RECOVERY + Duration::from_secs(2));
        }
        self.fleet.apis[0].end_unexpectedly();
        std::thread::sleep(Duration::from_secs(1));
        vec![Window { fault, from, until, healed: until }]
    }

    /// Changes what the run has left behind; returns a process that outlives it.
    pub(super) fn sabotage(&self, folder: &Path) -> Child {
        let jobs =
            self.database.query("select id from jobs where status = 'completed' order by id").unwrap_or_default();
        let jobs: Vec<&str> = jobs.lines().collect();
        assert!(jobs.len() >= STATEMENTS.len(), "too few jobs were completed: {}", jobs.len());
        for (statement, job) in STATEMENTS.iter().zip(jobs) {
            let statement = statement.replace('$', &format!("'{job}'"));
            assert!(self.database.query(&statement).is_some(), "{statement}");
        }
        Command::new("sh").args(["-c", "read line"]).arg(folder).stdin(Stdio::piped()).spawn().expect("sh starts")
    }
}
