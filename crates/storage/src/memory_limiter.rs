//! The limiter of a single process.
//!
//! The times of the last minute and the debts are lost when the process ends; the counts of the day are not ([`DayCounts`]).

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aerie_domain::{Clock, RateLimits};
use async_trait::async_trait;

use crate::counted::{Counted, Debtor};
use crate::limiter::{Counts, Limiter, MINUTE, Verdict, day_of};
use crate::{DayCounts, StoreError};

/// Number of remembered debtors above which those without debt are forgotten.
const MAX_DEBTORS: usize = 10_000;

/// Counts the requests and bad keys of this process.
pub struct MemoryLimiter {
    clock: Arc<dyn Clock>,
    requests: Mutex<Requests>,
    /// The time until which each is in debt, in microseconds since 1970.
    debts: Mutex<HashMap<Debtor, i64>>,
}

struct Requests {
    /// Times in milliseconds of the requests of the last minute, oldest first.
    minutes: HashMap<Counted, VecDeque<i64>>,
    days: DayCounts,
}

impl MemoryLimiter {
    /// A limiter that continues these counts of the day.
    #[must_use]
    pub fn new(days: DayCounts, clock: Arc<dyn Clock>) -> Self {
        let requests = Requests { minutes: HashMap::new(), days };
        Self { clock, requests: Mutex::new(requests), debts: Mutex::default() }
    }

    fn count(&self, counted: Counted, limits: RateLimits) -> Counts {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let Requests { minutes, days } = &mut *requests;
        let now = self.clock.now();
        let (day, now, id) = (day_of(now), now.as_millisecond(), counted.id());
        let minute = minutes.entry(counted).or_default();
        if minute.back().is_some_and(|last| *last > now) {
            // The machine's clock was set back: earlier requests count for a minute from now.
            minute.iter_mut().for_each(|time| *time = now.min(*time));
        }
        let expired = minute.partition_point(|time| *time <= now - MINUTE);
        let used = u32::try_from(minute.len() - expired).unwrap_or(u32::MAX);
        let is_admitted = used < limits.per_minute && days.get(id, day) < limits.per_day;
        if is_admitted {
            minute.drain(..expired);
            minute.push_back(now);
            if let Err(error) = days.add(id, day) {
                tracing::warn!(%error, "a request is counted in memory only");
            }
        }
        let first = if is_admitted { 0 } else { expired };
        let in_minute = minute.len() - first;
        // After a change to a smaller plan, more than one request may have to leave the minute.
        let excess = in_minute.saturating_sub(limits.per_minute.max(1) as usize);
        Counts {
            is_admitted,
            now,
            in_minute: u32::try_from(in_minute).unwrap_or(u32::MAX),
            in_day: days.get(id, day),
            frees_with: minute.get(first + excess).copied(),
        }
    }

    fn owe(&self, debtor: Debtor, cost: Duration, most: Duration) -> Duration {
        let mut debts = self.debts.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.clock.now().as_microsecond();
        if debts.len() >= MAX_DEBTORS {
            debts.retain(|_, until| *until > now);
        }
        let until = debts.entry(debtor).or_insert(now);
        // Bounding the debt bounds the time until it is gone, also when the clock is set back.
        *until = ((*until).max(now) + microseconds(cost)).min(now + microseconds(most));
        Duration::from_micros(u64::try_from(*until - now).unwrap_or(0))
    }
}

fn microseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

#[async_trait]
impl Limiter for MemoryLimiter {
    async fn request_admit(&self, counted: Counted, limits: RateLimits) -> Result<Verdict, StoreError> {
        Ok(self.count(counted, limits).verdict(limits))
    }

    async fn debt_add(&self, debtor: Debtor, cost: Duration, most: Duration) -> Result<Duration, StoreError> {
        Ok(self.owe(debtor, cost, most))
    }

    /// Does nothing: what is counted is bounded by the numbers of keys, of networks and of debtors.
    async fn limiter_sweep(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use aerie_domain::ManualClock;
    use jiff::{SignedDuration, Timestamp};

    use super::*;

    #[tokio::test]
    async fn those_without_debt_are_forgotten() {
        let clock = Arc::new(ManualClock::new(Timestamp::UNIX_EPOCH));
        let limiter = MemoryLimiter::new(DayCounts::in_memory(), Arc::clone(&clock) as _);
        let (cost, most) = (Duration::from_secs(3), Duration::from_secs(62));
        for number in 0..u32::try_from(MAX_DEBTORS).unwrap() {
            limiter.debt_add(Debtor::Network(IpAddr::V4(number.into())), cost, most).await.unwrap();
        }
        clock.advance(SignedDuration::from_secs(10));
        limiter.debt_add(Debtor::Network("192.0.2.1".parse().unwrap()), cost, most).await.unwrap();
        assert_eq!(limiter.debts.lock().unwrap().len(), 1);
    }
}
