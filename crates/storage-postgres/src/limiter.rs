//! The limiter of a fleet: all nodes count in the database.
//!
//! A node remembers refusals while they cannot change, and networks whose debt cannot grow, so that a flood of such requests costs
//! the database nothing more.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use aerie_domain::{KeyId, RateLimits};
use aerie_storage::limiter::{Counts, DAY, MINUTE};
use aerie_storage::{Limiter, StoreError, Verdict};
use async_trait::async_trait;

use crate::memory::Memory;
use crate::{PostgresStore, limits};

/// What a node remembers of the database's answers.
#[derive(Default)]
pub(crate) struct Remembered {
    refusals: Memory<KeyId, Refusal>,
    /// Networks that owe so much that one more bad key changes nothing.
    debtors: Memory<IpAddr, ()>,
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

#[async_trait]
impl Limiter for PostgresStore {
    async fn request_admit(&self, key: KeyId, limits: RateLimits) -> Result<Verdict, StoreError> {
        if let Some(verdict) = self.recall(key, limits) {
            return Ok(verdict);
        }
        let client = self.client().await?;
        // Others may have been refused while this one waited for a connection.
        if let Some(verdict) = self.recall(key, limits) {
            return Ok(verdict);
        }
        // The database counts after this, so that nothing is remembered for too long.
        let asked = Instant::now();
        let counts = self.noting(limits::admit(&client, key, limits, self.time.given()).await)?;
        if !counts.is_admitted && self.may_remember() {
            let refusal = Refusal { limits, counts, at: Instant::now() };
            self.remembered.refusals.insert(key, refusal, asked + refusal.holds());
        }
        Ok(counts.verdict(limits))
    }

    async fn bad_key_add(&self, network: IpAddr, cost: Duration, most: Duration) -> Result<Duration, StoreError> {
        let owes_most = || self.remembered.debtors.get(&network).is_some();
        if owes_most() {
            return Ok(most);
        }
        let client = self.client().await?;
        if owes_most() {
            return Ok(most);
        }
        let asked = Instant::now();
        let amounts = (microseconds(cost), microseconds(most));
        let debt = self.noting(limits::owe(&client, network, amounts, self.time.given()).await)?;
        let debt = Duration::from_micros(u64::try_from(debt).unwrap_or(0)).min(most);
        // Until the debt has shrunk by the cost of one bad key, the next one makes it `most` again.
        let holds = (debt + cost).saturating_sub(most);
        if !holds.is_zero() && self.may_remember() {
            self.remembered.debtors.insert(network, (), asked + holds);
        }
        Ok(debt)
    }

    async fn limiter_sweep(&self) -> Result<(), StoreError> {
        let client = self.client().await?;
        self.noting(limits::sweep(&client, self.time.given()).await)
    }
}

impl PostgresStore {
    /// The verdict on a key that was refused, if it still is. Other limits, after a change of the plan, are another question.
    fn recall(&self, key: KeyId, limits: RateLimits) -> Option<Verdict> {
        let refusal = self.remembered.refusals.get(&key).filter(|refusal| refusal.limits == limits)?;
        Some(refusal.counts().verdict(limits))
    }

    /// Whether time passes here as in the database: a clock of a test jumps.
    fn may_remember(&self) -> bool {
        self.time.given().is_none()
    }
}

fn microseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}
