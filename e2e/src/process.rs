//! Processes, read from `/proc`.

use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::process::{Child, Command, Output};

use rustix::process::{Pid, Signal, kill_process};

/// A child process that is killed when this is dropped, so that a test that panics leaves none running.
#[derive(Debug)]
pub struct ChildGuard(Option<Child>);

impl ChildGuard {
    /// Starts the command.
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    pub fn spawn(command: &mut Command) -> Self {
        Self(Some(command.spawn().unwrap_or_else(|error| panic!("{command:?} does not start: {error}"))))
    }

    /// Waits for it to exit, and returns what it printed to its pipes.
    ///
    /// # Panics
    /// When its pipes cannot be read.
    #[must_use]
    pub fn wait_with_output(mut self) -> Output {
        self.0.take().expect("only this function takes the child").wait_with_output().expect("our child process")
    }
}

impl Deref for ChildGuard {
    type Target = Child;

    fn deref(&self) -> &Child {
        self.0.as_ref().expect("only `wait_with_output` takes the child")
    }
}

impl DerefMut for ChildGuard {
    fn deref_mut(&mut self) -> &mut Child {
        self.0.as_mut().expect("only `wait_with_output` takes the child")
    }
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Sends a signal to a process; returns whether the process exists.
#[must_use]
pub fn signal(pid: u32, signal: Signal) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| kill_process(pid, signal).is_ok())
}

/// Returns the living children of a process.
#[must_use]
pub fn children_of(parent: u32) -> Vec<u32> {
    let is_child = |pid: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let field =
            |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim).map(str::to_owned);
        field("PPid:").is_some_and(|of| of == parent.to_string())
            && field("State:").is_some_and(|s| !s.starts_with('Z'))
    };
    all().into_iter().filter(is_child).collect()
}

/// Returns the processes whose command line contains this folder.
#[must_use]
pub fn processes_of(folder: &Path) -> Vec<u32> {
    let folder = folder.display().to_string();
    let mentions_folder = |pid: &u32| {
        let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&command).contains(&folder)
    };
    all().into_iter().filter(|pid| *pid != std::process::id()).filter(mentions_folder).collect()
}

fn all() -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str().and_then(|name| name.parse().ok())).collect()
}
