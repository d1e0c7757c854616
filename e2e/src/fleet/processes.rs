//! Processes that are killed, frozen and started again.

use std::fs::OpenOptions;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Signal, children_of, signal};

/// A running process.
pub(super) struct Process {
    child: Child,
    started: Instant,
    /// The processes that were frozen with it.
    frozen: Vec<u32>,
}

/// A command that is killed when this thread ends; the program and its arguments follow.
pub(super) fn die_with_us() -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL"]);
    command
}

impl Process {
    /// Starts a program whose output is appended to a log.
    pub(super) fn start(mut command: Command, log: &Path) -> Self {
        let log = OpenOptions::new().create(true).append(true).open(log).expect("a log file");
        let errors = log.try_clone().expect("a log file");
        let child = command.stdin(Stdio::null()).stdout(log).stderr(errors).spawn().expect("the program starts");
        Self { child, started: Instant::now(), frozen: Vec::new() }
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn age(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether it has ended.
    pub(super) fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("our child process").is_some()
    }

    pub(super) fn wait(&mut self) {
        self.child.wait().expect("our child process");
    }

    /// Asks it to end, and waits for that; returns whether it has succeeded.
    pub(super) fn terminate(&mut self) -> bool {
        let _ = signal(self.pid(), Signal::TERM);
        self.child.wait().expect("our child process").success()
    }

    pub(super) fn kill(&mut self) {
        let _ = self.child.kill();
        self.wait();
    }

    /// Kills it and its children, which may otherwise run on for a moment.
    pub(super) fn kill_with_children(&mut self) {
        let mut children = children_of(self.pid());
        let _ = self.child.kill();
        for child in &children {
            let _ = signal(*child, Signal::KILL);
        }
        self.wait();
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(5) {
            children.retain(|child| is_alive(*child));
            if children.is_empty() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Stops it and its descendants, as if their machine were suspended.
    pub(super) fn freeze(&mut self) {
        let mut next = vec![self.pid()];
        while let Some(pid) = next.pop() {
            let _ = signal(pid, Signal::STOP);
            self.frozen.push(pid);
            next.extend(children_of(pid));
        }
    }

    pub(super) fn thaw(&mut self) {
        for pid in self.frozen.drain(..) {
            let _ = signal(pid, Signal::CONT);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.kill();
        }
    }
}

fn is_alive(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status.lines().any(|line| line.starts_with("State:") && !line.contains('Z'))
}
