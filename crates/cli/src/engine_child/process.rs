//! The child process, with all processes that it starts.

use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// How long a child that closed its output may take to exit by itself, so that its exit status says why.
const EXIT_TIMEOUT: Duration = Duration::from_secs(5);

/// A running child. Dropping it kills it and what it started.
pub(crate) struct EngineProcess {
    child: Child,
    has_ended: bool,
}

impl EngineProcess {
    /// Starts a command. Must be called on the thread that then waits for it: when that thread ends, the kernel kills the child.
    pub(crate) fn start(command: &mut Command) -> std::io::Result<Self> {
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0).spawn()?;
        Ok(Self { child, has_ended: false })
    }

    /// Its stdin, stdout and stderr; once.
    pub(crate) fn take_pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take())
    }

    /// Kills it and what it started, and returns how it ended; `is_ending` if it is about to exit by itself.
    pub(crate) fn end(&mut self, is_ending: bool) -> Option<ExitStatus> {
        let deadline = Instant::now() + EXIT_TIMEOUT;
        while is_ending && !self.has_exited() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.kill();
        self.child.wait().ok()
    }

    fn id(&self) -> Option<Pid> {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
    }

    /// Whether the child has exited. It is not waited for: until then, its id and that of its group are nobody else's.
    fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.id().is_none_or(|id| !matches!(waitid(WaitId::Pid(id), options), Ok(None)))
    }

    fn kill(&mut self) {
        if self.has_ended {
            return;
        }
        self.has_ended = true;
        if let Some(group) = self.id() {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}
