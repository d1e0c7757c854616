//! Rate limits in any 60 seconds and in a UTC day, and debts: of networks that try bad keys, and of viewers of share links.

use std::time::Duration;

use aerie_domain::RateLimits;
use async_trait::async_trait;
use jiff::Timestamp;

use crate::StoreError;
use crate::counted::{Counted, Debtor};

/// The minute, in milliseconds.
pub const MINUTE: i64 = 60_000;
/// The day, in milliseconds.
pub const DAY: i64 = 86_400_000;

/// Counts requests and bad keys: in one process ([`MemoryLimiter`](crate::MemoryLimiter)), or in the database for all nodes that
/// share it.
#[async_trait]
pub trait Limiter: Send + Sync {
    /// Admits and counts a request, or refuses it. The minute is exact: it ends with the request and begins 60 seconds
    /// earlier, to the millisecond.
    async fn request_admit(&self, counted: Counted, limits: RateLimits) -> Result<Verdict, StoreError>;

    /// Adds a cost to a debt, up to `most`, and returns the debt. A debt shrinks as time passes.
    async fn debt_add(&self, debtor: Debtor, cost: Duration, most: Duration) -> Result<Duration, StoreError>;

    /// Removes counts and debts that have no effect any more. Called every minute by each server.
    async fn limiter_sweep(&self) -> Result<(), StoreError>;
}

/// Whether a request is admitted, and what remains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Whole seconds after which a request succeeds, when this one is refused. Refused requests do not count.
    pub retry_after: Option<u32>,
    /// The last 60 seconds.
    pub minute: Budget,
    /// The UTC day.
    pub day: Budget,
}

/// What remains of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Requests allowed.
    pub limit: u32,
    /// Requests left.
    pub remaining: u32,
    /// Whole seconds until it increases: when the oldest request of the minute no longer counts, or the day ends.
    pub resets_in: u32,
}

/// What a limiter has counted for a key, including the request if it is admitted.
#[derive(Debug, Clone, Copy)]
pub struct Counts {
    /// Whether the request is admitted.
    pub is_admitted: bool,
    /// The time, in milliseconds since 1970.
    pub now: i64,
    /// Requests of the last minute.
    pub in_minute: u32,
    /// Requests of the UTC day.
    pub in_day: u32,
    /// Time of the request that has to leave the minute for another one to be admitted; `None` if there is none.
    pub frees_with: Option<i64>,
}

impl Counts {
    /// The verdict for a key with these limits.
    #[must_use]
    pub fn verdict(self, limits: RateLimits) -> Verdict {
        let minute_frees_in = self.frees_with.map_or(60, |time| seconds(time + MINUTE - self.now));
        let day_ends_in = seconds(DAY - self.now.rem_euclid(DAY));
        let retry_after = (!self.is_admitted).then(|| {
            let minute = if self.in_minute >= limits.per_minute { minute_frees_in } else { 0 };
            minute.max(if self.in_day >= limits.per_day { day_ends_in } else { 0 })
        });
        let budget = |limit: u32, used, resets_in| Budget { limit, remaining: limit.saturating_sub(used), resets_in };
        Verdict {
            retry_after,
            minute: budget(limits.per_minute, self.in_minute, minute_frees_in),
            day: budget(limits.per_day, self.in_day, day_ends_in),
        }
    }
}

/// The UTC day of a time, as days since 1970, for [`DayCounts`](crate::DayCounts).
#[must_use]
pub fn day_of(now: Timestamp) -> u32 {
    u32::try_from(now.as_millisecond().div_euclid(DAY)).unwrap_or(0)
}

/// Whole seconds, rounded up, so that the time has passed when they have.
fn seconds(milliseconds: i64) -> u32 {
    u32::try_from((milliseconds + 999).div_euclid(1000)).unwrap_or(0).max(1)
}
