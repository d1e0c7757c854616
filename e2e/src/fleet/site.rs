//! Nodes of any version on one database, and what they find there.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::database::{Single, free_port};
use super::nodes::configuration;
use super::processes::{Process, die_with_us};
use crate::http::Client;
use crate::wait_until;

/// How long a node may take to start.
pub(super) const START_TIMEOUT: Duration = Duration::from_secs(180);
/// Days over which the kept jobs are spread.
const DAYS: i64 = 400;
/// Markups that wait for their owner.
const MARKUPS: usize = 20;

/// A running node.
pub(super) struct Node {
    pub(super) name: String,
    pub(super) process: Process,
    /// Base URL of an API node.
    pub(super) url: String,
}

/// Where nodes run.
pub(super) struct Site<'a> {
    pub(super) folder: &'a Path,
    pub(super) database: &'a Single,
}

impl Site<'_> {
    /// Writes the configuration of a node; returns the arguments that name it and the data folder.
    fn arguments(&self, name: &str) -> Vec<String> {
        let config = self.folder.join(name).with_extension("toml");
        let media = format!("url = \"file:{}\"", self.folder.join("media").display());
        let text = configuration(name, &format!("127.0.0.1:{}", self.database.port()), &media);
        std::fs::write(&config, text).expect("a file");
        let path = |path: PathBuf| path.display().to_string();
        vec!["--data".into(), path(self.folder.join(name)), "--config".into(), path(config)]
    }

    fn start(&self, binary: &Path, name: &str, arguments: &[&str]) -> Node {
        let mut command = die_with_us();
        command.arg(binary).args(arguments).args(self.arguments(name));
        let process = Process::start(command, &self.folder.join(name).with_extension("log"));
        Node { name: name.to_owned(), process, url: String::new() }
    }

    pub(super) fn api(&self, binary: &Path, name: &str) -> Node {
        let address = format!("127.0.0.1:{}", free_port());
        let node = self.start(binary, name, &["serve", "--workers", "0", "--listen", &address]);
        Node { url: format!("http://{address}"), ..node }
    }

    pub(super) fn worker(&self, binary: &Path, name: &str) -> Node {
        self.start(binary, name, &["worker"])
    }

    /// Runs `aerie admin`; returns what it prints.
    fn admin(&self, binary: &Path, arguments: &[&str]) -> Value {
        let mut command = Command::new(binary);
        command.arg("admin").args(arguments).args(self.arguments("admin")).arg("--json");
        let output = command.output().expect("aerie starts");
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    }

    /// Creates an organization; returns its id and a key.
    pub(super) fn organization(&self, binary: &Path, name: &str) -> (String, String) {
        let org = self.admin(binary, &["org", "create", name, "--plan", "campaign"]);
        let org = org["org_id"].as_str().expect("an id").to_owned();
        let key = self.admin(binary, &["key", "create", "--org", &org]);
        (org, key["key"].as_str().expect("a key").to_owned())
    }

    pub(super) fn version(&self) -> String {
        self.database.query("select version from schema_version").expect("a version")
    }

    /// Fills an organization with completed jobs and with markups that wait; returns the ids of those.
    pub(super) fn fill(&self, org: &str, kept: u32) -> Vec<String> {
        let interval = DAYS * 24 * 3600 * 1000 / i64::from(kept.max(1));
        let fill = format!(
            "set statement_timeout = 0;
             alter table jobs disable trigger user;
             with moment as (
                 select n, (extract(epoch from now()) * 1000)::bigint - n * {interval}::bigint as at
                 from generate_series(1, {kept}::bigint) as n),
             job as (
                 insert into jobs (id, org_id, job_type, status, input, input_media, unit_price_cents, request_id, created_at,
                     updated_at, completed_at)
                 select gen_random_uuid(), '{org}', 'image_enhance', 'completed', '{{\"image_url\": \"http://127.0.0.1/a.png\"}}',
                     '{{}}', 100, gen_random_uuid(), at, at, at from moment returning id, org_id, created_at),
             bill as (
                 insert into usage_events (id, org_id, job_id, event_type, unit_price_cents, created_at)
                 select gen_random_uuid(), org_id, id, 'image_enhance.generate', 100, created_at from job)
             insert into job_counts (org_id, job_type, status, jobs) values ('{org}', 'image_enhance', 'completed', {kept});
             alter table jobs enable trigger user;
             insert into jobs (id, org_id, job_type, status, input, input_media, unit_price_cents, request_id, created_at, updated_at,
                 output, media)
             select gen_random_uuid(), '{org}', 'markup', 'awaiting_input', '{{}}', '{{}}', 100, gen_random_uuid(),
                 n, n, '{{\"orientation_variants\": [{{\"key\": \"north\"}}, {{\"key\": \"south\"}}]}}',
                 '{{\"/orientation_variants/0/enhanced_url\": \"a/b/1/n.jpg\", \"/orientation_variants/1/enhanced_url\": \"a/b/1/s.jpg\"}}'
             from generate_series(1, {MARKUPS}) as n;
             analyze jobs;
             select id from jobs where job_type = 'markup'"
        );
        let markups = self.database.query(&fill).expect("the database is filled");
        markups.lines().map(str::to_owned).collect()
    }
}

/// Waits until a node says that it is ready.
pub(super) fn wait_ready(node: &mut Node, folder: &Path) {
    let client = Client::patient(&node.url, None, Duration::from_secs(5));
    let (name, process) = (&node.name, &mut node.process);
    wait_until(&format!("{name} is ready: see its log in {}", folder.display()), START_TIMEOUT, || {
        assert!(!process.has_ended(), "{name} has ended: {}", log(folder, name));
        client.try_send("GET", "/readyz", &[], &[]).is_ok_and(|answer| answer.status == 200).then_some(())
    });
}

pub(super) fn log(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name).with_extension("log")).unwrap_or_default()
}
