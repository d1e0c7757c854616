//! What a node knows of the counts on one side, so that the other side admits no more than the rest.
//!
//! A node learns from each verdict how many requests of the key there were. Those that it did not see before count from then on,
//! which is later than they were made: what it knows of is never forgotten too early.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use aerie_domain::{KeyId, RateLimits};
use aerie_storage::Verdict;

const MINUTE: Duration = Duration::from_secs(60);

/// Counts by key, as far as this node knows them.
#[derive(Default)]
pub(crate) struct Known(Mutex<HashMap<KeyId, Requests>>);

/// Requests of a key.
#[derive(Default)]
struct Requests {
    /// When each request of the last minute was learned of, oldest first.
    minute: VecDeque<Instant>,
    in_day: u32,
    /// When the UTC day ends.
    day_ends: Option<Instant>,
}

impl Requests {
    fn forget(&mut self, now: Instant) {
        while self.minute.front().is_some_and(|learned| *learned + MINUTE <= now) {
            self.minute.pop_front();
        }
        if self.day_ends.is_some_and(|end| end <= now) {
            (self.in_day, self.day_ends) = (0, None);
        }
    }
}

/// The limits that the other side leaves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rest {
    plan: RateLimits,
    pub(crate) limits: RateLimits,
    /// When the oldest request on the other side leaves the minute.
    frees_in: Option<Duration>,
}

impl Known {
    /// The limits of a plan without the requests that are known here.
    pub(crate) fn rest(&self, key: KeyId, plan: RateLimits, now: Instant) -> Rest {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(requests) = known.get_mut(&key) else { return Rest { plan, limits: plan, frees_in: None } };
        requests.forget(now);
        let in_minute = u32::try_from(requests.minute.len()).unwrap_or(u32::MAX);
        Rest {
            plan,
            limits: RateLimits {
                per_minute: plan.per_minute.saturating_sub(in_minute),
                per_day: plan.per_day.saturating_sub(requests.in_day),
            },
            frees_in: requests.minute.front().map(|learned| (*learned + MINUTE).saturating_duration_since(now)),
        }
    }

    /// Learns from a verdict.
    pub(crate) fn learn(&self, key: KeyId, verdict: &Verdict, now: Instant) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let requests = known.entry(key).or_default();
        requests.forget(now);
        let in_minute = verdict.minute.limit.saturating_sub(verdict.minute.remaining) as usize;
        while requests.minute.len() < in_minute {
            requests.minute.push_back(now);
        }
        let in_day = verdict.day.limit.saturating_sub(verdict.day.remaining);
        if in_day >= requests.in_day {
            requests.in_day = in_day;
            requests.day_ends = Some(now + Duration::from_secs(verdict.day.resets_in.into()));
        }
    }

    /// Forgets keys without requests.
    pub(crate) fn sweep(&self, now: Instant) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, requests| {
            requests.forget(now);
            requests.minute.shrink_to(2 * requests.minute.len());
            !requests.minute.is_empty() || requests.in_day > 0
        });
    }
}

impl Rest {
    /// The verdict on the rest as a verdict on the plan.
    pub(crate) fn of_plan(&self, verdict: Verdict) -> Verdict {
        let mut verdict = verdict;
        (verdict.minute.limit, verdict.day.limit) = (self.plan.per_minute, self.plan.per_day);
        let Some(frees_in) = self.frees_in else { return verdict };
        let frees_in = u32::try_from(frees_in.as_millis().div_ceil(1000)).unwrap_or(60).max(1);
        verdict.minute.resets_in = verdict.minute.resets_in.min(frees_in);
        if verdict.day.remaining > 0 {
            verdict.retry_after = verdict.retry_after.map(|wait| wait.min(frees_in));
        }
        verdict
    }
}

#[cfg(test)]
mod tests {
    use aerie_storage::Budget;
    use jiff::Timestamp;

    use super::*;

    const PLAN: RateLimits = RateLimits { per_minute: 10, per_day: 100 };

    fn verdict(limits: RateLimits, in_minute: u32, in_day: u32, day_ends_in: u32) -> Verdict {
        let budget = |limit, used, resets_in| Budget { limit, remaining: limit - used, resets_in };
        Verdict {
            retry_after: (in_minute == limits.per_minute).then_some(60),
            minute: budget(limits.per_minute, in_minute, 60),
            day: budget(limits.per_day, in_day, day_ends_in),
        }
    }

    #[test]
    fn each_request_counts_on_the_other_side_for_a_minute_and_until_the_day_ends() {
        let (known, key, start) = (Known::default(), KeyId::new(Timestamp::UNIX_EPOCH), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        let rest = |seconds| {
            let rest = known.rest(key, PLAN, at(seconds)).limits;
            (rest.per_minute, rest.per_day)
        };
        assert_eq!(rest(0), (10, 100));
        known.learn(key, &verdict(PLAN, 3, 40, 100), at(0));
        known.learn(key, &verdict(PLAN, 8, 45, 90), at(10));
        known.learn(key, &verdict(PLAN, 7, 44, 90), at(11));
        assert_eq!((rest(11), rest(59), rest(60)), ((2, 55), (2, 55), (5, 55)));
        assert_eq!((rest(70), rest(100)), ((10, 55), (10, 100)));
        known.sweep(at(100));
        assert!(known.0.lock().unwrap().is_empty());
    }

    #[test]
    fn a_refusal_of_the_rest_names_the_limits_of_the_plan_and_the_first_place_that_becomes_free() {
        let (known, key, now) = (Known::default(), KeyId::new(Timestamp::UNIX_EPOCH), Instant::now());
        known.learn(key, &verdict(PLAN, 8, 45, 90), now);
        let rest = known.rest(key, PLAN, now + Duration::from_millis(15_500));
        let refusal = rest.of_plan(verdict(rest.limits, 2, 2, 70));
        assert_eq!((refusal.minute.limit, refusal.minute.remaining, refusal.minute.resets_in), (10, 0, 45));
        assert_eq!((refusal.day.limit, refusal.day.remaining, refusal.retry_after), (100, 53, Some(45)));
        let exhausted = Verdict { retry_after: Some(70), ..verdict(rest.limits, 0, 55, 70) };
        assert_eq!(rest.of_plan(exhausted).retry_after, Some(70), "the day has to end first");
    }
}
