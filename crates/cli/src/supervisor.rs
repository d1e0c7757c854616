//! Keeps worker processes running. A decoder bomb, a driver's crash or the out-of-memory killer costs a worker and one
//! attempt, never the API.

use std::ffi::OsString;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::arguments::Global;
use crate::config::Config;

/// Wait before a worker that died is started again: doubled each time, up to the longest.
const FIRST_WAIT: Duration = Duration::from_millis(200);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// A worker that has lived this long died by accident rather than by being unable to start.
const LIVED_WELL: Duration = Duration::from_secs(30);

/// How long a worker may take to release its job and end; then it is killed, and its lease runs out.
const ENDS_WITHIN: Duration = Duration::from_secs(15);

/// Worker processes, each with a task that watches it.
pub(crate) struct Supervisor {
    stop: watch::Sender<bool>,
    watchers: Vec<JoinHandle<()>>,
}

impl Supervisor {
    /// Starts the configured number of workers; each is woken when `submits` changes. The first of several takes quick
    /// kinds alone, so that a minute's film never delays a second's photo.
    pub(crate) fn start(config: &Config, global: &Global, submits: &watch::Receiver<u64>) -> anyhow::Result<Self> {
        let program = std::env::current_exe()?;
        let mut arguments: Vec<OsString> = vec!["worker".into(), "--supervised".into()];
        arguments.extend(["--data".into(), config.data_dir.clone().into()]);
        if let Some(file) = &global.config {
            arguments.extend(["--config".into(), file.clone().into()]);
        }
        let (stop, stopped) = watch::channel(false);
        let watchers = (1..=config.workers)
            .map(|number| {
                let mut arguments = arguments.clone();
                if number == 1 && config.workers > 1 {
                    arguments.push("--quick".into());
                }
                let watcher = Watcher {
                    number,
                    program: program.clone().into(),
                    arguments,
                    submits: submits.clone(),
                    stop: stopped.clone(),
                };
                tokio::spawn(watcher.watch())
            })
            .collect();
        Ok(Self { stop, watchers })
    }

    /// Tells the workers to stop and waits until they have.
    pub(crate) async fn stop(self) {
        let _ = self.stop.send(true);
        for watcher in self.watchers {
            let _ = watcher.await;
        }
    }
}

struct Watcher {
    number: usize,
    program: OsString,
    arguments: Vec<OsString>,
    submits: watch::Receiver<u64>,
    stop: watch::Receiver<bool>,
}

impl Watcher {
    async fn watch(mut self) {
        let mut wait = FIRST_WAIT;
        while !*self.stop.borrow() {
            let started = Instant::now();
            match self.spawn() {
                Ok((child, stdin)) => {
                    let Some(status) = self.attend(child, stdin).await else { return };
                    tracing::warn!(worker = self.number, %status, "a worker died; it is started again");
                }
                Err(error) => tracing::error!(worker = self.number, %error, "a worker could not be started"),
            }
            wait = if started.elapsed() > LIVED_WELL { FIRST_WAIT } else { wait };
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = told_to_stop(&mut self.stop) => return,
            }
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    fn spawn(&self) -> std::io::Result<(Child, ChildStdin)> {
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let stdin = child.stdin.take().ok_or_else(|| std::io::Error::other("no pipe to the worker"))?;
        tracing::info!(worker = self.number, pid = child.id(), "worker started");
        Ok((child, stdin))
    }

    /// Wakes the worker at each submit until it dies; `None` when it ended because it was told to.
    async fn attend(&mut self, mut child: Child, mut stdin: ChildStdin) -> Option<ExitStatus> {
        loop {
            tokio::select! {
                status = child.wait() => return status.ok(),
                () = told_to_stop(&mut self.stop) => break,
                changed = self.submits.changed() => match changed {
                    // One byte is one wake. A worker that has died meanwhile is found by the wait above.
                    Ok(()) => { let _ = stdin.write_all(b"\n").await; }
                    Err(_) => break,
                },
            }
        }
        // The end of its stdin tells the worker to stop; so does ours, should this process be killed.
        drop(stdin);
        if tokio::time::timeout(ENDS_WITHIN, child.wait()).await.is_err() {
            tracing::warn!(worker = self.number, "a worker does not end and is killed");
            let _ = child.kill().await;
        }
        None
    }
}

async fn told_to_stop(stop: &mut watch::Receiver<bool>) {
    // A sender that is gone is as good as a word.
    let _ = stop.wait_for(|stop| *stop).await;
}
