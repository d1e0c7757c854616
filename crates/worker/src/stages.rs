//! The stages of a run: how long each took, and how much of the present one is done.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The stage before the engine has named one.
const FIRST: &str = "starting";

/// Measures the stages of one run, from the progress that the engine reports.
#[derive(Debug)]
pub(crate) struct StageClock(Mutex<Stages>);

#[derive(Debug)]
struct Stages {
    current: (String, Instant),
    percent: u8,
    spent: Vec<(String, Duration)>,
}

impl StageClock {
    pub(crate) fn start() -> Self {
        Self(Mutex::new(Stages { current: (FIRST.to_owned(), Instant::now()), percent: 0, spent: Vec::new() }))
    }

    /// Enters `stage`, of which `done` in `total` steps are done. Engines report the same stage many times, and may return to an
    /// earlier one.
    pub(crate) fn at(&self, stage: &str, done: u64, total: u64) {
        let mut stages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if stages.current.0 != stage {
            stages.enter(stage);
        }
        let percent = (done.min(total) * 100).checked_div(total).unwrap_or(0);
        stages.percent = u8::try_from(percent).unwrap_or(100);
    }

    /// The present stage, and how much of it is done, percent.
    pub(crate) fn reached(&self) -> (String, u8) {
        let stages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (stages.current.0.clone(), stages.percent)
    }

    /// Time spent in each stage so far.
    pub(crate) fn spent(&self) -> Vec<(String, Duration)> {
        let mut stages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let stage = stages.current.0.clone();
        stages.enter(&stage);
        stages.spent.clone()
    }
}

impl Stages {
    fn enter(&mut self, stage: &str) {
        let now = Instant::now();
        let (left, since) = std::mem::replace(&mut self.current, (stage.to_owned(), now));
        let took = now - since;
        match self.spent.iter_mut().find(|(name, _)| *name == left) {
            Some((_, spent)) => *spent += took,
            None => self.spent.push((left, took)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stage_counts_once_with_all_its_time_and_together_they_are_the_run() {
        let began = Instant::now();
        let clock = StageClock::start();
        for stage in ["drawing", "drawing", "encoding", "drawing"] {
            clock.at(stage, 1, 3);
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(clock.reached(), ("drawing".to_owned(), 33));
        let spent = clock.spent();
        let took = began.elapsed();
        let names: Vec<&str> = spent.iter().map(|(stage, _)| stage.as_str()).collect();
        assert_eq!(names, ["starting", "drawing", "encoding"]);
        assert!(spent[1].1 >= Duration::from_millis(60) && spent[2].1 >= Duration::from_millis(20), "{spent:?}");
        assert!(spent.iter().map(|(_, spent)| *spent).sum::<Duration>() <= took);
    }
}
