//! Rate limits of keys: in any 60 seconds, and in a UTC day.
//!
//! The minute is exact: the time of each counted request is kept for 60 seconds. It is lost when the process ends; the count
//! of the day is not ([`DayCounts`]).

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use aerie_domain::{KeyId, RateLimits};
use jiff::Timestamp;

use crate::DayCounts;

const MINUTE: i64 = 60_000;
const DAY: i64 = 86_400_000;

/// Counts requests by key and compares them with limits.
#[derive(Debug)]
pub struct Limiter(Mutex<Counts>);

#[derive(Debug)]
struct Counts {
    /// Times in milliseconds of the requests of the last minute, oldest first.
    minutes: HashMap<KeyId, VecDeque<i64>>,
    days: DayCounts,
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

impl Limiter {
    /// A limiter that continues these counts of the day.
    #[must_use]
    pub fn new(days: DayCounts) -> Self {
        Self(Mutex::new(Counts { minutes: HashMap::new(), days }))
    }

    /// The UTC day of a time, as days since 1970, for [`DayCounts`].
    #[must_use]
    pub fn day_of(now: Timestamp) -> u32 {
        u32::try_from(now.as_millisecond().div_euclid(DAY)).unwrap_or(0)
    }

    /// Admits and counts a request, or refuses it.
    pub fn admit(&self, key: KeyId, limits: RateLimits, now: Timestamp) -> Verdict {
        let (day, now) = (Self::day_of(now), now.as_millisecond());
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Counts { minutes, days } = &mut *counts;
        let minute = minutes.entry(key).or_default();
        if minute.back().is_some_and(|last| *last > now) {
            // The machine's clock was set back: earlier requests count for a minute from now.
            minute.iter_mut().for_each(|time| *time = now.min(*time));
        }
        while minute.front().is_some_and(|oldest| *oldest <= now - MINUTE) {
            minute.pop_front();
        }
        let day_ends_in = seconds(DAY - now.rem_euclid(DAY));
        let used = u32::try_from(minute.len()).unwrap_or(u32::MAX);
        let minute_full = used >= limits.per_minute;
        let day_full = days.get(key, day) >= limits.per_day;
        let admitted = !minute_full && !day_full;
        if admitted {
            minute.push_back(now);
            if let Err(error) = days.add(key, day) {
                tracing::warn!(%error, "a request is counted in memory only");
            }
        }
        // After a change to a smaller plan, more than one request may have to leave the minute.
        let excess = minute.len().saturating_sub(limits.per_minute.max(1) as usize);
        let minute_frees_in = minute.get(excess).map_or(60, |time| seconds(time + MINUTE - now));
        let retry_after = (!admitted).then(|| {
            let minute = if minute_full { minute_frees_in } else { 0 };
            minute.max(if day_full { day_ends_in } else { 0 })
        });
        let left = limits.per_minute.saturating_sub(u32::try_from(minute.len()).unwrap_or(u32::MAX));
        Verdict {
            retry_after,
            minute: Budget { limit: limits.per_minute, remaining: left, resets_in: minute_frees_in },
            day: Budget {
                limit: limits.per_day,
                remaining: limits.per_day.saturating_sub(days.get(key, day)),
                resets_in: day_ends_in,
            },
        }
    }
}

/// Whole seconds, rounded up, so that the time has passed when they have.
fn seconds(milliseconds: i64) -> u32 {
    u32::try_from((milliseconds + 999).div_euclid(1000)).unwrap_or(0).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: RateLimits = RateLimits { per_minute: 3, per_day: 7 };

    fn at(time: &str) -> Timestamp {
        format!("2026-03-10T{time}Z").parse().unwrap()
    }

    fn limiter() -> (Limiter, KeyId) {
        (Limiter::new(DayCounts::in_memory()), KeyId::new(Timestamp::UNIX_EPOCH))
    }

    #[test]
    fn the_window_rolls_to_the_millisecond() {
        let (limiter, key) = limiter();
        for (time, left) in [("12:00:00.000", 2), ("12:00:30.000", 1), ("12:00:59.999", 0)] {
            let verdict = limiter.admit(key, LIMITS, at(time));
            assert_eq!((verdict.retry_after, verdict.minute.remaining), (None, left), "{time}");
        }
        assert_eq!(limiter.admit(key, LIMITS, at("12:00:59.999")).retry_after, Some(1));
        assert_eq!(limiter.admit(key, LIMITS, at("12:01:00.000")).retry_after, None);
        assert_eq!(limiter.admit(key, LIMITS, at("12:01:00.001")).retry_after, Some(30));
        assert_eq!(limiter.admit(key, LIMITS, at("12:01:29.999")).retry_after, Some(1));
        assert_eq!(limiter.admit(key, LIMITS, at("12:01:30.000")).retry_after, None);
    }

    #[test]
    fn a_request_made_after_the_wait_succeeds_and_one_made_a_second_earlier_does_not() {
        for offset in 0..2000 {
            let (limiter, key) = limiter();
            let start = at("12:00:00.000").as_millisecond();
            let time = |ms: i64| Timestamp::from_millisecond(start + ms).unwrap();
            for n in 0..3 {
                assert_eq!(limiter.admit(key, LIMITS, time(n * 7)).retry_after, None);
            }
            let wait = i64::from(limiter.admit(key, LIMITS, time(offset + 14)).retry_after.unwrap());
            assert!(limiter.admit(key, LIMITS, time(offset + 14 + (wait - 1) * 1000)).retry_after.is_some());
            assert_eq!(limiter.admit(key, LIMITS, time(offset + 14 + wait * 1000)).retry_after, None, "{offset}");
        }
    }

    #[test]
    fn the_day_ends_at_midnight_utc_and_refusals_do_not_count() {
        let (limiter, key) = limiter();
        let limits = RateLimits { per_minute: 100, per_day: 7 };
        for left in (0..7).rev() {
            assert_eq!(limiter.admit(key, limits, at("23:59:58.500")).day.remaining, left);
        }
        for _ in 0..50 {
            assert_eq!(limiter.admit(key, limits, at("23:59:58.500")).retry_after, Some(2));
        }
        assert_eq!(limiter.admit(key, limits, at("23:59:59.999")).retry_after, Some(1));
        let verdict = limiter.admit(key, limits, at("23:59:59.999") + jiff::SignedDuration::from_millis(1));
        assert_eq!((verdict.retry_after, verdict.day.remaining), (None, 6));
        assert_eq!(verdict.minute.remaining, 92, "the minute rolls over midnight");
    }

    #[test]
    fn with_both_used_up_the_longer_wait_is_returned() {
        let (limiter, key) = limiter();
        let limits = RateLimits { per_minute: 2, per_day: 2 };
        for _ in 0..2 {
            limiter.admit(key, limits, at("23:59:50.000"));
        }
        assert_eq!(limiter.admit(key, limits, at("23:59:51.000")).retry_after, Some(59));
        assert_eq!(limiter.admit(key, limits, at("23:00:00.000")).retry_after, Some(3600), "the clock was set back");
    }

    #[test]
    fn keys_do_not_share_their_limits_and_a_smaller_plan_holds_at_once() {
        let (limiter, key) = limiter();
        let other = KeyId::new(Timestamp::UNIX_EPOCH);
        for n in 0..10 {
            limiter.admit(key, RateLimits { per_minute: 10, per_day: 100 }, at(&format!("12:00:0{n}.000")));
        }
        assert_eq!(limiter.admit(other, LIMITS, at("12:00:10.000")).minute.remaining, 2);
        let small = RateLimits { per_minute: 3, per_day: 100 };
        let verdict = limiter.admit(key, small, at("12:00:10.000"));
        assert_eq!((verdict.retry_after, verdict.minute.remaining), (Some(57), 0));
        assert_eq!(limiter.admit(key, small, at("12:01:06.999")).retry_after, Some(1));
        assert_eq!(limiter.admit(key, small, at("12:01:07.000")).retry_after, None);
    }

    #[test]
    fn a_clock_that_is_set_back_does_not_lock_a_key_out() {
        let (limiter, key) = limiter();
        for _ in 0..3 {
            limiter.admit(key, LIMITS, at("15:00:00.000"));
        }
        assert_eq!(limiter.admit(key, LIMITS, at("12:00:00.000")).retry_after, Some(60));
        assert_eq!(limiter.admit(key, LIMITS, at("12:01:00.000")).retry_after, None);
    }
}
