//! Measures the stages of a run.

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
    spent: Vec<(String, Duration)>,
}

impl StageClock {
    pub(crate) fn start() -> Self {
        Self(Mutex::new(Stages { current: (FIRST.to_owned(), Instant::now()), spent: Vec::new() }))
    }

    /// Enters `stage`. Engines report the same stage many times, and may return to an earlier one.
    pub(crate) fn at(&self, stage: &str) {
        let mut stages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if stages.current.0 != stage {
            stages.enter(stage);
        }
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
            clock.at(stage);
            std::thread::sleep(Duration::from_millis(20));
        }
        let spent = clock.spent();
        let took = began.elapsed();
        let names: Vec<&str> = spent.iter().map(|(stage, _)| stage.as_str()).collect();
        assert_eq!(names, ["starting", "drawing", "encoding"]);
        assert!(spent[1].1 >= Duration::from_millis(60) && spent[2].1 >= Duration::from_millis(20), "{spent:?}");
        assert!(spent.iter().map(|(_, spent)| *spent).sum::<Duration>() <= took);
    }
}
