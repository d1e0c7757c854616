//! Runs of the doctor's checks in the background, one at a time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::Serialize;

use crate::envelope::iso;

/// Time limit of a run. A check that takes longer goes on, but its result is no longer shown, and no further check begins.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Checks the machine.
pub trait Doctor: Send + Sync {
    /// Makes one check after the other and passes on what it finds, until that returns `false`. Blocks.
    fn check(&self, found: &mut dyn FnMut(Finding) -> bool);
}

/// Result of one check.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// What was checked.
    pub what: String,
    /// Whether it is in order.
    pub ok: bool,
    /// What was found.
    pub found: String,
    /// What to do about it, if anything.
    pub remedy: Option<String>,
}

/// The last run.
pub(super) struct DoctorRuns {
    doctor: Arc<dyn Doctor>,
    last: Arc<Mutex<Option<Run>>>,
    limit: Duration,
}

struct Run {
    started: Instant,
    started_at: Timestamp,
    findings: Vec<Finding>,
    /// Whether checks are being made, perhaps one that takes too long.
    is_busy: bool,
    was_stopped: bool,
}

/// A run as it is shown.
#[derive(Debug, Serialize)]
pub(super) struct RunView {
    /// `running`, `ended`, or `stopped` after the time limit.
    status: &'static str,
    started_at: String,
    /// Whether everything that was checked is in order.
    ok: bool,
    findings: Vec<Finding>,
    /// Time limit of a run.
    limit_seconds: u64,
}

impl DoctorRuns {
    pub(super) fn new(doctor: Arc<dyn Doctor>) -> Self {
        Self { doctor, last: Arc::default(), limit: TIME_LIMIT }
    }

    /// Starts a run, unless one is in progress.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub(super) fn start(&self, now: Timestamp) -> std::io::Result<()> {
        let mut last = lock(&self.last);
        if last.as_ref().is_some_and(|run| run.is_busy) {
            return Ok(());
        }
        let (doctor, shared, limit) = (Arc::clone(&self.doctor), Arc::clone(&self.last), self.limit);
        let work = move || {
            let _ended = Ended(Arc::clone(&shared));
            doctor.check(&mut |finding| {
                let mut last = lock(&shared);
                let Some(run) = last.as_mut() else { return false };
                run.was_stopped |= run.started.elapsed() > limit;
                if !run.was_stopped {
                    run.findings.push(finding);
                }
                !run.was_stopped
            });
        };
        std::thread::Builder::new().name("doctor".into()).spawn(work)?;
        let (started, findings) = (Instant::now(), Vec::new());
        *last = Some(Run { started, started_at: now, findings, is_busy: true, was_stopped: false });
        Ok(())
    }

    /// The last run, if there was one.
    pub(super) fn last(&self) -> Option<RunView> {
        let mut last = lock(&self.last);
        let run = last.as_mut()?;
        run.was_stopped |= run.is_busy && run.started.elapsed() > self.limit;
        let status = match (run.was_stopped, run.is_busy) {
            (true, _) => "stopped",
            (false, true) => "running",
            (false, false) => "ended",
        };
        let ok = run.findings.iter().all(|finding| finding.ok);
        let (started_at, findings) = (iso(run.started_at), run.findings.clone());
        Some(RunView { status, started_at, ok, findings, limit_seconds: self.limit.as_secs() })
    }
}

/// Marks the run as over when its thread ends, even by a panic.
struct Ended(Arc<Mutex<Option<Run>>>);

impl Drop for Ended {
    fn drop(&mut self) {
        if let Some(run) = lock(&self.0).as_mut() {
            run.is_busy = false;
        }
    }
}

fn lock(last: &Mutex<Option<Run>>) -> MutexGuard<'_, Option<Run>> {
    last.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// A doctor whose checks the test sends it by name: `disk` finds a fault, `end` is the last, and `panic` panics.
    struct ScriptedDoctor(Mutex<Receiver<&'static str>>);

    impl Doctor for ScriptedDoctor {
        fn check(&self, found: &mut dyn FnMut(Finding) -> bool) {
            let checks = self.0.lock().unwrap();
            while let Ok(what) = checks.recv() {
                assert_ne!(what, "panic");
                let finding = Finding { what: what.into(), ok: what != "disk", found: String::new(), remedy: None };
                if what == "end" || !found(finding) {
                    return;
                }
            }
        }
    }

    fn runs(limit: Duration) -> (DoctorRuns, Sender<&'static str>) {
        let (send, checks) = channel();
        (DoctorRuns { limit, ..DoctorRuns::new(Arc::new(ScriptedDoctor(Mutex::new(checks)))) }, send)
    }

    fn until(runs: &DoctorRuns, holds: impl Fn(&RunView) -> bool) -> RunView {
        loop {
            if let Some(view) = runs.last().filter(&holds) {
                return view;
            }
            std::thread::yield_now();
        }
    }

    fn names(view: &RunView) -> Vec<&str> {
        view.findings.iter().map(|finding| finding.what.as_str()).collect()
    }

    #[test]
    fn findings_are_shown_as_they_are_made_and_one_run_is_made_at_a_time() {
        let (runs, tell) = runs(TIME_LIMIT);
        assert!(runs.last().is_none());
        runs.start(Timestamp::UNIX_EPOCH).unwrap();
        tell.send("clock").unwrap();
        let view = until(&runs, |view| !view.findings.is_empty());
        assert_eq!((view.status, view.ok, names(&view)), ("running", true, vec!["clock"]));
        // Does not start another one.
        runs.start(Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(names(&runs.last().unwrap()), ["clock"]);
        tell.send("disk").unwrap();
        tell.send("end").unwrap();
        let view = until(&runs, |view| view.status == "ended");
        assert_eq!((view.ok, names(&view)), (false, vec!["clock", "disk"]));
        runs.start(Timestamp::UNIX_EPOCH).unwrap();
        assert!(runs.last().unwrap().findings.is_empty());
        tell.send("end").unwrap();
        until(&runs, |view| view.status == "ended");
    }

    #[test]
    fn after_the_time_limit_nothing_more_is_found_and_no_run_starts_while_a_check_hangs() {
        let (runs, tell) = runs(Duration::from_millis(20));
        runs.start(Timestamp::UNIX_EPOCH).unwrap();
        let view = until(&runs, |view| view.status == "stopped");
        assert!(view.findings.is_empty());
        runs.start(Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(runs.last().unwrap().status, "stopped");
        tell.send("clock").unwrap();
        while lock(&runs.last).as_ref().unwrap().is_busy {
            std::thread::yield_now();
        }
        assert!(runs.last().unwrap().findings.is_empty());
    }

    #[test]
    fn a_check_that_panics_ends_the_run() {
        let (runs, tell) = runs(TIME_LIMIT);
        runs.start(Timestamp::UNIX_EPOCH).unwrap();
        tell.send("panic").unwrap();
        until(&runs, |view| view.status == "ended");
    }
}
