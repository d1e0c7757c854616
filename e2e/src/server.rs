//! A running `aerie serve`.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use crate::{Client, Signal, aerie, children_of, processes_of, run_json, signal, wait_until, with_umask};

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
        let started = Self::launch(Command::new(aerie()), environment, arguments, data, workers, (org, key));
        started.unwrap_or_else(|log| panic!("the server did not start: {log}"))
    }

    /// Like [`Server::restart_with`], for a server that may refuse to start.
    ///
    /// # Errors
    /// The log of a server that has exited.
    pub fn try_restart(arguments: &[&str], data: &Path, workers: usize, org: &str, key: &str) -> Result<Self, String> {
        Self::launch(Command::new(aerie()), &[], arguments, data, workers, (org, key))
    }

    /// Like [`Server::restart`], with an octal umask.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn restart_with_umask(umask: &str, data: &Path, workers: usize, org: &str, key: &str) -> Self {
        let started = Self::launch(with_umask(umask), &[], &[], data, workers, (org, key));
        started.unwrap_or_else(|log| panic!("the server did not start: {log}"))
    }

    /// Like [`Server::restart_with`], for a server that resolves names as the file `settings` says in place of `/etc/resolv.conf`.
    ///
    /// # Errors
    /// The log of a server that could not start, also without the right to mount.
    pub fn restart_resolving(
        settings: &Path,
        arguments: &[&str],
        data: &Path,
        workers: usize,
        org: &str,
        key: &str,
    ) -> Result<Self, String> {
        let mut command = Command::new("unshare");
        let mount = "mount --bind \"$0\" /etc/resolv.conf && exec \"$@\"";
        command.args(["--mount", "sh", "-c", mount]).arg(settings).arg(aerie());
        Self::launch(command, &[], arguments, data, workers, (org, key))
    }

    fn launch(
        mut command: Command,
        environment: &[(&str, &str)],
        arguments: &[&str],
        data: &Path,
        workers: usize,
        (org, key): (&str, &str),
    ) -> Result<Self, String> {
        let log = OpenOptions::new().create(true).append(true).open(log_file(data)).expect("a log file");
        let mut child = command
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
            child.wait().expect("our child process");
            return Err(std::fs::read_to_string(log_file(data)).unwrap_or_default());
        };
        let client = Client::new(base_url, Some(key.to_owned()));
        Ok(Self { child, data: data.to_owned(), killed: false, client, org: org.to_owned(), key: key.to_owned() })
    }

    /// Returns the process ids of the engines of running jobs.
    #[must_use]
    pub fn engines(&self) -> Vec<u32> {
        // Other children check the machine, or measure boundaries.
        let is_engine = |pid: &u32| {
            let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            command.split(|byte| *byte == 0).any(|part| part == b"job")
        };
        children_of(self.child.id()).into_iter().filter(is_engine).collect()
    }

    /// Returns a value of its metrics, by name.
    ///
    /// # Panics
    /// When there is none of this name.
    #[must_use]
    pub fn metric(&self, name: &str) -> f64 {
        let text = String::from_utf8_lossy(&self.client.with_key(None).get("/metrics").bytes).into_owned();
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
        value.unwrap_or_else(|| panic!("{name} in {text}"))
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

    /// Returns the URL of the admin listener, if the log names one.
    #[must_use]
    pub fn admin_url(&self) -> Option<String> {
        let log = self.log();
        let line = log.lines().rev().find(|line| line.contains(" serving "))?;
        let address = line.split(' ').find_map(|part| part.strip_prefix("admin="))?;
        Some(format!("http://{address}"))
    }

    /// Returns the resident memory of the process, bytes.
    #[must_use]
    pub fn resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        line.trim().trim_end_matches(" kB").parse().map_or(0, |kib: u64| kib << 10)
    }

    /// Returns the number of files and sockets that the process has open.
    #[must_use]
    pub fn open_files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.pid())).map_or(0, Iterator::count)
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
