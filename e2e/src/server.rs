//! `aerie serve`, running.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use crate::{Client, Signal, aerie, children_of, processes_of, run_json, signal, wait_until};

const HALF_A_MINUTE: Duration = Duration::from_secs(30);

/// A running server. See the crate's page for what its drop asks for.
pub struct Server {
    child: Child,
    data: PathBuf,
    killed: bool,
    /// Sends requests with the organization's key.
    pub client: Client,
    /// The organization that the key belongs to.
    pub org: String,
    /// The key.
    pub key: String,
}

impl Server {
    /// Starts a server with an organization and a key of its own.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn start(data: &Path, workers: usize) -> Self {
        let org = run_json(&["admin", "org", "create", "Acme"], data)["org_id"].as_str().expect("an id").to_owned();
        let key = run_json(&["admin", "key", "create", "--org", &org], data)["key"].as_str().expect("a key").to_owned();
        Self::restart(data, workers, &org, &key)
    }

    /// Starts a server on a data folder that has an organization and a key.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn restart(data: &Path, workers: usize, org: &str, key: &str) -> Self {
        Self::restart_with(&[], data, workers, org, key)
    }

    /// The same, with more arguments.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn restart_with(arguments: &[&str], data: &Path, workers: usize, org: &str, key: &str) -> Self {
        Self::restart_in(&[], arguments, data, workers, org, key)
    }

    /// The same, with these variables in its environment.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn restart_in(
        environment: &[(&str, &str)],
        arguments: &[&str],
        data: &Path,
        workers: usize,
        org: &str,
        key: &str,
    ) -> Self {
        let log = OpenOptions::new().create(true).append(true).open(log_file(data)).expect("a log file");
        let mut child = Command::new(aerie())
            .args(["serve", "--listen", "127.0.0.1:0", "--workers", &workers.to_string(), "--data"])
            .arg(data)
            .args(arguments)
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("aerie starts");
        let mut line = String::new();
        // The server says nothing else on stdout; when it cannot start, this reads the end.
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let Some(base_url) = line.trim().strip_prefix("listening on ") else {
            panic!("the server did not start: {}", std::fs::read_to_string(log_file(data)).unwrap_or_default());
        };
        let client = Client::new(base_url, Some(key.to_owned()));
        Self { child, data: data.to_owned(), killed: false, client, org: org.to_owned(), key: key.to_owned() }
    }

    /// Processes of its workers.
    #[must_use]
    pub fn workers(&self) -> Vec<u32> {
        // It also has children that look whether encoder and renderer are there.
        let is_worker = |pid: &u32| {
            let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            command.split(|byte| *byte == 0).any(|part| part == b"worker")
        };
        children_of(self.child.id()).into_iter().filter(is_worker).collect()
    }

    /// Kills it with SIGKILL, and only it.
    ///
    /// # Panics
    /// When it cannot be killed.
    pub fn kill(mut self) {
        self.child.kill().expect("it is there");
        self.child.wait().expect("it was ours");
        self.killed = true;
    }

    /// Tells it to stop by `with`, and waits until it has.
    ///
    /// # Panics
    /// When it does not within half a minute.
    pub fn stop(&mut self, with: Signal) -> ExitStatus {
        let _ = signal(self.child.id(), with);
        self.wait()
    }

    /// Its process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits until it has ended.
    ///
    /// # Panics
    /// When it does not within half a minute.
    pub fn wait(&mut self) -> ExitStatus {
        wait_until("the server ends", HALF_A_MINUTE, || self.child.try_wait().expect("it was ours"))
    }

    /// What it has logged so far, servers before it on the same data folder included.
    #[must_use]
    pub fn log(&self) -> String {
        std::fs::read_to_string(log_file(&self.data)).unwrap_or_default()
    }
}

/// Beside the data folder, so that no test mistakes it for data.
fn log_file(data: &Path) -> PathBuf {
    data.with_extension("log")
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.killed {
            return;
        }
        let status = match self.child.try_wait() {
            Ok(Some(status)) => status,
            _ => self.stop(Signal::TERM),
        };
        let log = self.log();
        if std::thread::panicking() {
            eprintln!("--- the server's log:\n{log}---");
            return;
        }
        assert!(status.success(), "the server ended with {status}:\n{log}");
        let left = processes_of(&self.data);
        assert!(left.is_empty(), "processes are left over: {left:?}");
        let bad: Vec<&str> =
            log.lines().filter(|line| line.contains(" ERROR ") || line.contains("panicked at")).collect();
        assert!(bad.is_empty(), "the log is not clean: {bad:#?}");
    }
}
