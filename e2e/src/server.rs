//! A running `aerie serve`.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use crate::{Client, Signal, aerie, children_of, processes_of, run_json, signal, wait_until};

const STOP_TIMEOUT: Duration = Duration::from_secs(30);

/// A running server. See the crate documentation for what its drop checks.
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
    /// Starts a server with a new organization and key.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn start(data: &Path, workers: usize) -> Self {
        let org = run_json(&["admin", "org", "create", "Acme"], data)["org_id"].as_str().expect("an id").to_owned();
        let key = run_json(&["admin", "key", "create", "--org", &org], data)["key"].as_str().expect("a key").to_owned();
        Self::restart(data, workers, &org, &key)
    }

    /// Starts a server on a data folder that already has an organization and a key.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn restart(data: &Path, workers: usize, org: &str, key: &str) -> Self {
        Self::restart_with(&[], data, workers, org, key)
    }

    /// Like [`Server::restart`], with more arguments.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn restart_with(arguments: &[&str], data: &Path, workers: usize, org: &str, key: &str) -> Self {
        Self::restart_in(&[], arguments, data, workers, org, key)
    }

    /// Like [`Server::restart_with`], with environment variables.
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
        // This is the only line on stdout; if the server cannot start, this reads the end of the stream.
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let Some(base_url) = line.trim().strip_prefix("listening on ") else {
            panic!("the server did not start: {}", std::fs::read_to_string(log_file(data)).unwrap_or_default());
        };
        let client = Client::new(base_url, Some(key.to_owned()));
        Self { child, data: data.to_owned(), killed: false, client, org: org.to_owned(), key: key.to_owned() }
    }

    /// Returns the process ids of its workers.
    #[must_use]
    pub fn workers(&self) -> Vec<u32> {
        // Other children check the encoder and the renderer.
        let is_worker = |pid: &u32| {
            let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            command.split(|byte| *byte == 0).any(|part| part == b"worker")
        };
        children_of(self.child.id()).into_iter().filter(is_worker).collect()
    }

    /// Sends SIGKILL to the server process only.
    ///
    /// # Panics
    /// When it cannot be killed.
    pub fn kill(mut self) {
        self.child.kill().expect("the process exists");
        self.child.wait().expect("our child process");
        self.killed = true;
    }

    /// Sends the signal `with` and waits for the server to exit.
    ///
    /// # Panics
    /// When it does not exit within 30 seconds.
    pub fn stop(&mut self, with: Signal) -> ExitStatus {
        let _ = signal(self.child.id(), with);
        self.wait()
    }

    /// Returns the process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the server to exit.
    ///
    /// # Panics
    /// When it does not exit within 30 seconds.
    pub fn wait(&mut self) -> ExitStatus {
        wait_until("the server exits", STOP_TIMEOUT, || self.child.try_wait().expect("our child process"))
    }

    /// Returns the log so far, including that of earlier servers on the same data folder.
    #[must_use]
    pub fn log(&self) -> String {
        std::fs::read_to_string(log_file(&self.data)).unwrap_or_default()
    }
}

/// Next to the data folder, so that tests do not count it as data.
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
        assert!(status.success(), "the server exited with {status}:\n{log}");
        let left = processes_of(&self.data);
        assert!(left.is_empty(), "processes are still running: {left:?}");
        let bad: Vec<&str> =
            log.lines().filter(|line| line.contains(" ERROR ") || line.contains("panicked at")).collect();
        assert!(bad.is_empty(), "the log has errors: {bad:#?}");
    }
}
