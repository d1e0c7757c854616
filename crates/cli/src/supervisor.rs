//! Keeps worker processes running. A decoder bomb, a driver's crash or the out-of-memory killer costs a worker and one
//! attempt, never the API.

use std::ffi::OsString;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_api::Metrics;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
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

/// Time between the bytes by which a worker tells that it lives.
pub(crate) const BEAT: Duration = Duration::from_secs(5);

/// A worker that says nothing for so long is frozen, and killed: it may be the only one that takes films. Much longer than
/// a lease, for a machine that swaps is slow and not dead.
const LONGEST_SILENCE: Duration = Duration::from_secs(120);

/// A full pipe does not hold the watcher up: a wake that is lost is made good by the worker's own look at the queue.
const WAKES_WITHIN: Duration = Duration::from_millis(100);

/// Worker processes, each with a task that watches it.
pub(crate) struct Supervisor {
    stop: watch::Sender<bool>,
    watchers: Vec<JoinHandle<()>>,
}

impl Supervisor {
    /// Starts the configured number of workers; each is woken when `submits` changes. The first of several takes quick
    /// kinds alone, so that a minute's film never delays a second's photo.
    pub(crate) fn start(
        config: &Config,
        global: &Global,
        submits: &watch::Receiver<u64>,
        metrics: &Arc<Metrics>,
    ) -> anyhow::Result<Self> {
        let program = std::env::current_exe()?;
        let mut arguments: Vec<OsString> = vec!["worker".into(), "--supervised".into()];
        arguments.extend(["--data".into(), config.data_dir.clone().into()]);
        arguments.extend(["--log".into(), config.log.as_str().into()]);
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
                    longest_silence: LONGEST_SILENCE,
                    metrics: Arc::clone(metrics),
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
    longest_silence: Duration,
    metrics: Arc<Metrics>,
}

/// A worker, with the pipe that wakes it and the one that it is heard by.
struct Running {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
}

impl Watcher {
    async fn watch(mut self) {
        let mut wait = FIRST_WAIT;
        while !*self.stop.borrow() {
            let started = Instant::now();
            match self.spawn() {
                Ok(worker) => {
                    self.metrics.worker_started();
                    let ended = self.attend(worker).await;
                    self.metrics.worker_ended();
                    let Some(status) = ended else { return };
                    self.metrics.worker_restarted();
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

    fn spawn(&self) -> std::io::Result<Running> {
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(std::io::Error::other("no pipe to the worker"));
        };
        tracing::info!(worker = self.number, pid = child.id(), "worker started");
        Ok(Running { child, stdin, stdout })
    }

    /// Wakes the worker at each submit until it dies, or is killed for its silence; `None` when it ended because it was
    /// told to.
    async fn attend(&mut self, worker: Running) -> Option<ExitStatus> {
        let Running { mut child, mut stdin, mut stdout } = worker;
        let (mut heard, mut open, mut beats) = (Instant::now(), true, [0u8; 64]);
        loop {
            tokio::select! {
                status = child.wait() => return status.ok(),
                () = told_to_stop(&mut self.stop) => break,
                changed = self.submits.changed() => match changed {
                    // One byte is one wake. A worker that has died meanwhile is found by the wait above.
                    Ok(()) => { let _ = tokio::time::timeout(WAKES_WITHIN, stdin.write_all(b"\n")).await; }
                    Err(_) => break,
                },
                read = stdout.read(&mut beats), if open => {
                    open = matches!(read, Ok(1..));
                    heard = Instant::now();
                },
                () = tokio::time::sleep_until((heard + self.longest_silence).into()) => {
                    tracing::warn!(worker = self.number, "a worker is frozen and is killed");
                    let _ = child.kill().await;
                    return child.wait().await.ok();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Watches a shell script until it has been started `times` over, and gives the time that took.
    async fn starts(script: &str, times: usize, longest_silence: Duration) -> Duration {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("starts");
        let (_submits, submits) = watch::channel(0);
        let (stop, stopped) = watch::channel(false);
        let watcher = Watcher {
            number: 1,
            program: "sh".into(),
            arguments: vec!["-c".into(), format!("echo >> {}; {script}", log.display()).into()],
            submits,
            stop: stopped,
            longest_silence,
            metrics: Arc::new(Metrics::new(aerie_api::Environment::Development)),
        };
        let began = Instant::now();
        let watching = tokio::spawn(watcher.watch());
        while std::fs::read(&log).map_or(0, |starts| starts.len()) < times {
            assert!(began.elapsed() < Duration::from_secs(60), "never started {times} times");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let took = began.elapsed();
        stop.send(true).unwrap();
        watching.await.unwrap();
        took
    }

    #[tokio::test]
    async fn a_worker_that_falls_silent_is_killed_and_started_again() {
        starts("echo; exec sleep 300 < /dev/null", 2, Duration::from_millis(300)).await;
    }

    #[tokio::test]
    async fn a_worker_that_is_heard_is_left_alone() {
        // It ends by itself after a second, long after its silence would have been noticed.
        let script = "for beat in 1 2 3 4 5 6 7 8 9 10; do echo; sleep 0.1; done";
        let took = starts(script, 2, Duration::from_millis(700)).await;
        assert!(took > Duration::from_secs(1), "{took:?}");
    }
}
