//! Keeps worker processes running. A decompression bomb, a driver crash or the out-of-memory killer costs one worker and
//! one attempt, never the API.

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

/// Delay before a dead worker is restarted: doubles each time, up to `LONGEST_WAIT`.
const FIRST_WAIT: Duration = Duration::from_millis(200);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// A worker that lived this long was able to start, so the delay is reset.
const HEALTHY_AFTER: Duration = Duration::from_secs(30);

/// Time for a worker to release its job and exit; then it is killed and its lease expires.
const STOP_TIMEOUT: Duration = Duration::from_secs(15);

/// Interval between the heartbeat bytes that a worker writes.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(5);

/// A worker without a heartbeat for this long is frozen and is killed: it may be the only one that renders videos. Much
/// longer than a lease, because a machine that swaps is slow but not dead.
const LONGEST_SILENCE: Duration = Duration::from_secs(120);

/// A full pipe must not block the watcher; the worker also polls the queue, so a lost wake-up only delays it.
const WAKE_TIMEOUT: Duration = Duration::from_millis(100);

/// Worker processes, each watched by a task.
pub(crate) struct Supervisor {
    stop: watch::Sender<bool>,
    watchers: Vec<JoinHandle<()>>,
}

impl Supervisor {
    /// Starts the configured number of workers and wakes each when `submits` changes. With several workers, the first
    /// runs only quick kinds, so that a photo never waits behind a video.
    pub(crate) fn start(
        config: &Config,
        global: &Global,
        capabilities: &[String],
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
        arguments.extend(["--memory".into(), (config.job_memory() >> 20).to_string().into()]);
        arguments.extend(capabilities.iter().flat_map(|capability| ["--capability".into(), capability.into()]));
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

    /// Stops the workers and waits for them to exit.
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

/// A worker process, with the pipe that wakes it and the pipe that carries its heartbeat.
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
                    tracing::warn!(worker = self.number, %status, "worker died; restarting it");
                }
                Err(error) => tracing::error!(worker = self.number, %error, "cannot start worker"),
            }
            wait = if started.elapsed() > HEALTHY_AFTER { FIRST_WAIT } else { wait };
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = stop_requested(&mut self.stop) => return,
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

    /// Wakes the worker at each submit until it dies, or is killed because its heartbeat stopped. Returns `None` if it
    /// exited because a stop was requested.
    async fn attend(&mut self, worker: Running) -> Option<ExitStatus> {
        let Running { mut child, mut stdin, mut stdout } = worker;
        let (mut last_heard, mut open, mut beats) = (Instant::now(), true, [0u8; 64]);
        loop {
            tokio::select! {
                status = child.wait() => return status.ok(),
                () = stop_requested(&mut self.stop) => break,
                changed = self.submits.changed() => match changed {
                    // One byte wakes the worker once. If it has died meanwhile, the wait above notices.
                    Ok(()) => { let _ = tokio::time::timeout(WAKE_TIMEOUT, stdin.write_all(b"\n")).await; }
                    Err(_) => break,
                },
                read = stdout.read(&mut beats), if open => {
                    open = matches!(read, Ok(1..));
                    last_heard = Instant::now();
                },
                () = tokio::time::sleep_until((last_heard + self.longest_silence).into()) => {
                    tracing::warn!(worker = self.number, "worker sent no heartbeat; killing it");
                    let _ = child.kill().await;
                    return child.wait().await.ok();
                },
            }
        }
        // Closing stdin stops the worker; the same happens if this process is killed.
        drop(stdin);
        if tokio::time::timeout(STOP_TIMEOUT, child.wait()).await.is_err() {
            tracing::warn!(worker = self.number, "worker did not stop in time; killing it");
            let _ = child.kill().await;
        }
        None
    }
}

async fn stop_requested(stop: &mut watch::Receiver<bool>) {
    // A dropped sender also means stop.
    let _ = stop.wait_for(|stop| *stop).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Watches a shell script until it has been started `times` times; returns the time that took.
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
    async fn a_worker_without_heartbeat_is_killed_and_restarted() {
        starts("echo; exec sleep 300 < /dev/null", 2, Duration::from_millis(300)).await;
    }

    #[tokio::test]
    async fn a_worker_with_a_heartbeat_keeps_running() {
        // It exits by itself after a second, long after a missing heartbeat would have been noticed.
        let script = "for beat in 1 2 3 4 5 6 7 8 9 10; do echo; sleep 0.1; done";
        let took = starts(script, 2, Duration::from_millis(700)).await;
        assert!(took > Duration::from_secs(1), "{took:?}");
    }
}
