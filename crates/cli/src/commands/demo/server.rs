//! The demo's server: this program, run as `aerie serve`.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};

/// Timeouts for starting and stopping.
const START_TIMEOUT: Duration = Duration::from_secs(30);
const STOP_TIMEOUT: Duration = Duration::from_secs(30);

/// A running server; stops when dropped.
pub(super) struct Server {
    child: Child,
    log: PathBuf,
    pub(super) base_url: String,
}

impl Server {
    /// Starts a server with this data folder on a free loopback port.
    pub(super) fn start(data_dir: &Path) -> anyhow::Result<Self> {
        let log = data_dir.join("server.log");
        let child = Command::new(std::env::current_exe()?)
            .args(["serve", "--listen", "127.0.0.1:0", "--workers", "1", "--data"])
            .arg(data_dir)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(&log)?)
            .spawn()?;
        let mut server = Self { child, log, base_url: String::new() };
        let stdout = server.child.stdout.take().context("the server has no stdout")?;
        let (sender, line) = mpsc::channel();
        std::thread::spawn(move || {
            let mut line = String::new();
            if BufReader::new(stdout).read_line(&mut line).is_ok() {
                let _ = sender.send(line);
            }
        });
        let line = line.recv_timeout(START_TIMEOUT).unwrap_or_default();
        match line.trim().strip_prefix("listening on ") {
            Some(base_url) => server.base_url = base_url.to_owned(),
            None => bail!("the server did not start; end of its log:\n{}", server.log_tail()),
        }
        Ok(server)
    }

    /// Stops the server gracefully.
    pub(super) fn stop(&mut self) -> anyhow::Result<()> {
        self.terminate();
        let requested = Instant::now();
        while requested.elapsed() < STOP_TIMEOUT {
            if let Some(status) = self.child.try_wait()? {
                ensure!(status.success(), "the server exited with {status}; end of its log:\n{}", self.log_tail());
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        bail!("the server does not stop; end of its log:\n{}", self.log_tail())
    }

    /// Returns the last lines of the server's log.
    pub(super) fn log_tail(&self) -> String {
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(30)..].join("\n")
    }

    fn terminate(&self) {
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process(pid, Signal::TERM);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            return;
        }
        if self.stop().is_err() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
