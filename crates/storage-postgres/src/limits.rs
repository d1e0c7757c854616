//! Verdicts of the limiter that a node remembers.

use std::time::{Duration, Instant};

use aerie_domain::RateLimits;
use aerie_storage::limiter::{Counts, DAY, MINUTE};
use aerie_storage::{Counted, Debtor, Verdict};

use crate::memory::Memory;

/// Answers of the database that a node remembers.
#[derive(Default)]
pub(crate) struct Remembered {
    refusals: Memory<Counted, Refusal>,
    /// Those who owe so much that more changes nothing.
    debtors: Memory<Debtor, ()>,
}

/// A refusal, and when it arrived.
#[derive(Clone, Copy)]
struct Refusal {
    limits: RateLimits,
    counts: Counts,
    at: Instant,
}

impl Refusal {
    /// The counts as they are now: only the time has passed.
    fn counts(&self) -> Counts {
        let passed = i64::try_from(self.at.elapsed().as_millis()).unwrap_or(0);
        Counts { now: self.counts.now + passed, ..self.counts }
    }

    /// How long the counts stay as they are: until a request leaves the minute, or the day ends. A minute at most, in case the
    /// clock of the database is set.
    fn holds(&self) -> Duration {
        let Counts { now, frees_with, .. } = self.counts;
        let minute = frees_with.map_or(MINUTE, |time| time + MINUTE - now);
        let milliseconds = minute.min(DAY - now.rem_euclid(DAY)).clamp(0, MINUTE);
        Duration::from_millis(milliseconds.unsigned_abs())
    }
}

impl Remembered {
    /// The verdict on a key that was refused, if it still is. Other limits, after a change of the plan, are another question.
    pub(crate) fn verdict(&self, counted: Counted, limits: RateLimits) -> Option<Verdict> {
        let refusal = self.refusals.get(&counted).filter(|refusal| refusal.limits == limits)?;
        Some(refusal.counts().verdict(limits))
    }

    /// Remembers a refusal that was asked for at that time: the database counted after it, so that nothing is remembered for
    /// too long.
    pub(crate) fn counted(&self, counted: Counted, limits: RateLimits, counts: Counts, asked: Instant) {
        if !counts.is_admitted {
            let refusal = Refusal { limits, counts, at: Instant::now() };
            self.refusals.insert(counted, refusal, asked + refusal.holds());
        }
    }

    /// Returns true for a debt at its maximum.
    pub(crate) fn owes_most(&self, debtor: Debtor) -> bool {
        self.debtors.get(&debtor).is_some()
    }

    /// Remembers a debt until it has shrunk by the cost of one bad key: until then, the next one makes it `most` again.
    pub(crate) fn owes(&self, debtor: Debtor, debt: Duration, (cost, most): (Duration, Duration), asked: Instant) {
        let holds = (debt + cost).saturating_sub(most);
        if !holds.is_zero() {
            self.debtors.insert(debtor, (), asked + holds);
        }
    }
}
