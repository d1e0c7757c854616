//! The faults of a run, drawn from its seed.

use std::fmt;
use std::time::Duration;

use aerie_math::Rng;

use super::links::Mode;
use super::{APIS, WORKERS};

/// Time in which faults begin.
const FAULTS_BEGIN: (f64, f64) = (1.0, 17.0);
/// A lease, and how much longer the longest freeze of a worker is at least.
const PAST_LEASE: (f64, f64) = (16.0, 18.0);

/// A process that can be killed and frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Process {
    Api(usize),
    Worker(usize),
    /// The database server that accepts writes.
    Primary,
    /// Its replica, without which no write is acknowledged.
    Standby,
    Objects,
}

/// A server that nodes reach over links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Service {
    Database,
    Objects,
}

/// Nodes whose links fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nodes {
    Api(usize),
    Worker(usize),
    Apis,
    Workers,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// SIGKILL; started again when the fault ends.
    Kill(Process),
    /// SIGSTOP; SIGCONT when the fault ends.
    Freeze(Process),
    /// The primary is killed. When the fault ends, its replica is promoted, and gets a new replica.
    FailOver,
    Break(Nodes, Service, Mode),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault {
    /// From the beginning of the faults.
    pub(super) at: Duration,
    pub(super) lasts: Duration,
    pub(super) action: Action,
}

/// Draws the faults of a run, in the order in which they begin. Faults of different processes overlap.
pub(super) fn draw(seed: u64, has_objects: bool) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut track = |name: &str, share: f64, pick: &dyn Fn(&mut Rng, f64) -> (Action, f64)| {
        let mut rng = Rng::named(seed, name);
        if !rng.random_bool(share) {
            return;
        }
        let mut at = rng.range_f64(FAULTS_BEGIN.0, FAULTS_BEGIN.0 + 3.0);
        while at < FAULTS_BEGIN.1 {
            let (action, lasts) = pick(&mut rng, at);
            faults.push(Fault { at: Duration::from_secs_f64(at), lasts: Duration::from_secs_f64(lasts), action });
            at += lasts + rng.range_f64(1.0, 4.0);
        }
    };
    track("api", 0.7, &|rng, _| {
        let process = Process::Api(rng.below(APIS));
        if rng.random_bool(0.5) {
            (Action::Kill(process), rng.range_f64(0.1, 3.0))
        } else {
            (Action::Freeze(process), rng.range_f64(0.3, 5.0))
        }
    });
    for (name, of) in [("workers", 0), ("more workers", WORKERS / 2)] {
        track(name, 0.7, &|rng, at| {
            let process = Process::Worker(of + rng.below(WORKERS / 2));
            if at < 4.0 && rng.random_bool(0.3) {
                (Action::Freeze(process), rng.range_f64(PAST_LEASE.0, PAST_LEASE.1))
            } else if rng.random_bool(0.6) {
                (Action::Kill(process), rng.range_f64(0.1, 2.0))
            } else {
                (Action::Freeze(process), rng.range_f64(0.3, 5.0))
            }
        });
    }
    track("database", 0.7, &|rng, _| {
        let lasts = short_or_long(rng);
        let action = match rng.below(10) {
            0..=2 => Action::Kill(Process::Primary),
            3..=4 => Action::Freeze(Process::Primary),
            5..=7 => Action::FailOver,
            8 => Action::Kill(Process::Standby),
            _ => Action::Freeze(Process::Standby),
        };
        (action, lasts)
    });
    if has_objects {
        track("objects", 0.6, &|rng, _| {
            let lasts = short_or_long(rng);
            if rng.random_bool(0.5) {
                (Action::Kill(Process::Objects), lasts)
            } else {
                (Action::Freeze(Process::Objects), lasts)
            }
        });
    }
    track("links", 0.7, &|rng, _| {
        let nodes = match rng.below(7) {
            0..=1 => Nodes::Api(rng.below(APIS)),
            2..=3 => Nodes::Worker(rng.below(WORKERS)),
            4 => Nodes::Apis,
            5 => Nodes::Workers,
            _ => Nodes::All,
        };
        let service = if has_objects && rng.random_bool(0.4) { Service::Objects } else { Service::Database };
        let delay = Duration::from_millis(20 + rng.below(380) as u64);
        let mode = rng.pick(&[Mode::Cut, Mode::Slow(delay), Mode::Frozen, Mode::HalfOpen]);
        (Action::Break(nodes, service, mode), short_or_long(rng))
    });
    faults.sort_by_key(|fault| fault.at);
    faults
}

/// Seconds: about half of the faults last long enough for readiness to be checked.
fn short_or_long(rng: &mut Rng) -> f64 {
    if rng.random_bool(0.5) { rng.range_f64(0.2, 3.0) } else { rng.range_f64(6.5, 8.0) }
}

impl Action {
    pub(super) fn is_of_database(self) -> bool {
        matches!(
            self,
            Action::FailOver
                | Action::Kill(Process::Primary | Process::Standby)
                | Action::Freeze(Process::Primary | Process::Standby)
        )
    }

    /// Whether two faults cannot be told apart when they overlap, because they have to do with the same process or link.
    pub(super) fn collides(self, other: Self) -> bool {
        let process = |action| match action {
            Action::Kill(process) | Action::Freeze(process) => Some(process),
            _ => None,
        };
        match (self, other) {
            (Action::Break(..), Action::Break(..)) => true,
            _ if self.is_of_database() => other.is_of_database(),
            _ => process(self).is_some() && process(self) == process(other),
        }
    }

    /// API nodes that the fault keeps from working: each must say so.
    pub(super) fn disables(self) -> Vec<usize> {
        match self {
            Action::Kill(Process::Api(_) | Process::Worker(_))
            | Action::Freeze(Process::Api(_) | Process::Worker(_)) => Vec::new(),
            Action::Kill(_) | Action::Freeze(_) | Action::FailOver => (0..APIS).collect(),
            Action::Break(_, _, Mode::Slow(_) | Mode::Open) => Vec::new(),
            Action::Break(nodes, ..) => (0..APIS).filter(|api| nodes.has_api(*api)).collect(),
        }
    }
}

impl Nodes {
    pub(super) fn has_api(self, api: usize) -> bool {
        self == Nodes::All || self == Nodes::Apis || self == Nodes::Api(api)
    }

    pub(super) fn has_worker(self, worker: usize) -> bool {
        self == Nodes::All || self == Nodes::Workers || self == Nodes::Worker(worker)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.at.as_secs_f64(), (self.at + self.lasts).as_secs_f64());
        write!(f, "{from:5.1} to {to:4.1} s: {:?}", self.action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_draws_the_same_faults_each_time_and_another_seed_others() {
        assert_eq!(draw(1, true), draw(1, true));
        assert_ne!(draw(1, true), draw(2, true));
    }

    #[test]
    fn a_hundred_runs_have_500_kills_and_freezes_of_every_process() {
        let faults: Vec<Fault> = (1..=100).flat_map(|seed| draw(seed, true)).collect();
        let count = |is: &dyn Fn(Action) -> bool| faults.iter().filter(|fault| is(fault.action)).count();
        let all = count(&|action| !matches!(action, Action::Break(..)));
        assert!(all >= 500, "{all}");
        for process in [Process::Api(0), Process::Worker(0), Process::Primary, Process::Standby, Process::Objects] {
            assert!(count(&|action| action == Action::Kill(process)) > 5, "{process:?}");
            assert!(count(&|action| action == Action::Freeze(process)) > 5, "{process:?}");
        }
        assert!(count(&|action| action == Action::FailOver) > 20);
    }
}
