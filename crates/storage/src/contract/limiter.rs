//! Rate limits and debts. The limits of most tests are small, and the clock is set.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{Clock, KeyId, RateLimits};
use jiff::{SignedDuration, Timestamp};

use super::fixture::LimiterFixture as Fixture;
use crate::{DayCounts, Debtor, Limiter, MemoryLimiter, Verdict};

const LIMITS: RateLimits = RateLimits { per_minute: 3, per_day: 7 };

/// The cost of a bad key where 20 a minute are free, and the most that a network can owe.
const COST: Duration = Duration::from_secs(3);
const MOST: Duration = Duration::from_secs(62);

fn at(time: &str) -> Timestamp {
    format!("2026-03-10T{time}Z").parse().unwrap()
}

fn new_key() -> KeyId {
    KeyId::new(Timestamp::UNIX_EPOCH)
}

impl Fixture {
    async fn admit(&self, limits: RateLimits, now: Timestamp) -> Verdict {
        self.admit_key(self.key, limits, now).await
    }

    async fn admit_key(&self, key: KeyId, limits: RateLimits, now: Timestamp) -> Verdict {
        self.clock.set(now);
        self.limiter.request_admit(key.into(), limits).await.unwrap()
    }

    async fn owe(&self, network: &str) -> Duration {
        self.limiter.debt_add(Debtor::Network(address(network)), COST, MOST).await.unwrap()
    }
}

fn address(text: &str) -> IpAddr {
    text.parse().unwrap()
}

pub(super) async fn the_window_rolls_to_the_millisecond(fixture: Fixture) {
    for (time, left) in [("12:00:00.000", 2), ("12:00:30.000", 1), ("12:00:59.999", 0)] {
        let verdict = fixture.admit(LIMITS, at(time)).await;
        assert_eq!((verdict.retry_after, verdict.minute.remaining), (None, left), "{time}");
    }
    assert_eq!(fixture.admit(LIMITS, at("12:00:59.999")).await.retry_after, Some(1));
    assert_eq!(fixture.admit(LIMITS, at("12:01:00.000")).await.retry_after, None);
    assert_eq!(fixture.admit(LIMITS, at("12:01:00.001")).await.retry_after, Some(30));
    assert_eq!(fixture.admit(LIMITS, at("12:01:29.999")).await.retry_after, Some(1));
    assert_eq!(fixture.admit(LIMITS, at("12:01:30.000")).await.retry_after, None);
}

pub(super) async fn a_request_made_after_the_wait_succeeds_and_one_made_a_second_earlier_does_not(fixture: Fixture) {
    for offset in (0..2000).step_by(37).chain([1, 985, 986, 987, 999, 1000, 1001]) {
        let key = new_key();
        let start = at("12:00:00.000").as_millisecond();
        let time = |ms: i64| Timestamp::from_millisecond(start + ms).unwrap();
        let admit = async |ms| fixture.admit_key(key, LIMITS, time(ms)).await.retry_after;
        for n in 0..3 {
            assert_eq!(admit(n * 7).await, None);
        }
        let wait = i64::from(admit(offset + 14).await.unwrap());
        assert!(admit(offset + 14 + (wait - 1) * 1000).await.is_some());
        assert_eq!(admit(offset + 14 + wait * 1000).await, None, "{offset}");
    }
}

pub(super) async fn the_day_ends_at_midnight_utc_and_refusals_do_not_count(fixture: Fixture) {
    let limits = RateLimits { per_minute: 100, per_day: 7 };
    for left in (0..7).rev() {
        assert_eq!(fixture.admit(limits, at("23:59:58.500")).await.day.remaining, left);
    }
    for _ in 0..50 {
        assert_eq!(fixture.admit(limits, at("23:59:58.500")).await.retry_after, Some(2));
    }
    assert_eq!(fixture.admit(limits, at("23:59:59.999")).await.retry_after, Some(1));
    let verdict = fixture.admit(limits, at("23:59:59.999") + SignedDuration::from_millis(1)).await;
    assert_eq!((verdict.retry_after, verdict.day.remaining), (None, 6));
    assert_eq!(verdict.minute.remaining, 92, "the minute rolls over midnight");
}

pub(super) async fn with_both_used_up_the_longer_wait_is_returned(fixture: Fixture) {
    let limits = RateLimits { per_minute: 2, per_day: 2 };
    for _ in 0..2 {
        fixture.admit(limits, at("23:59:50.000")).await;
    }
    assert_eq!(fixture.admit(limits, at("23:59:51.000")).await.retry_after, Some(59));
    let verdict = fixture.admit(limits, at("23:00:00.000")).await;
    assert_eq!(verdict.retry_after, Some(3600), "the clock was set back");
}

pub(super) async fn keys_do_not_share_their_limits_and_a_smaller_plan_holds_at_once(fixture: Fixture) {
    for n in 0..10 {
        fixture.admit(RateLimits { per_minute: 10, per_day: 100 }, at(&format!("12:00:0{n}.000"))).await;
    }
    assert_eq!(fixture.admit_key(new_key(), LIMITS, at("12:00:10.000")).await.minute.remaining, 2);
    let small = RateLimits { per_minute: 3, per_day: 100 };
    let verdict = fixture.admit(small, at("12:00:10.000")).await;
    assert_eq!((verdict.retry_after, verdict.minute.remaining), (Some(57), 0));
    assert_eq!(fixture.admit(small, at("12:01:06.999")).await.retry_after, Some(1));
    assert_eq!(fixture.admit(small, at("12:01:07.000")).await.retry_after, None);
}

pub(super) async fn a_clock_that_is_set_back_does_not_lock_a_key_out(fixture: Fixture) {
    for _ in 0..3 {
        fixture.admit(LIMITS, at("15:00:00.000")).await;
    }
    assert_eq!(fixture.admit(LIMITS, at("12:00:00.000")).await.retry_after, Some(60));
    assert_eq!(fixture.admit(LIMITS, at("12:01:00.000")).await.retry_after, None);
}

pub(super) async fn a_plan_without_requests_admits_none(fixture: Fixture) {
    let none = RateLimits { per_minute: 0, per_day: 7 };
    assert_eq!(fixture.admit(none, at("12:00:00.000")).await.retry_after, Some(60));
    fixture.admit(LIMITS, at("12:00:01.000")).await;
    let verdict = fixture.admit(none, at("12:00:11.000")).await;
    assert_eq!((verdict.retry_after, verdict.minute.remaining), (Some(50), 0));
}

pub(super) async fn of_many_concurrent_requests_no_more_are_admitted_than_the_limit(fixture: Fixture) {
    let limits = RateLimits { per_minute: 10, per_day: 15 };
    for admitted in [10, 5, 0] {
        let requests: Vec<_> = (0..60)
            .map(|_| {
                let (limiter, key) = (Arc::clone(&fixture.limiter), fixture.key);
                tokio::spawn(async move { limiter.request_admit(key.into(), limits).await.unwrap() })
            })
            .collect();
        let mut left = Vec::new();
        for request in requests {
            let verdict = request.await.unwrap();
            left.extend(verdict.retry_after.is_none().then_some(verdict.day.remaining));
        }
        left.sort_unstable();
        left.dedup();
        assert_eq!(left.len(), admitted, "each is admitted with another number of requests left");
        fixture.clock.advance(SignedDuration::from_secs(60));
    }
}

/// Steps of all sizes, other plans, and clocks set back, in an order that looks random.
pub(super) async fn every_verdict_is_that_of_a_limiter_in_memory(fixture: Fixture) {
    let clock: Arc<dyn Clock> = Arc::clone(&fixture.clock) as _;
    let expected = MemoryLimiter::new(DayCounts::in_memory(), clock);
    let mut state = 1_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let keys = [new_key(), new_key(), new_key()];
    fixture.clock.set(at("23:50:00.000"));
    for step in 0..1500 {
        let forward = match random(40) {
            0 => -(random(90_000) as i64),
            1 => random(200_000) as i64,
            2 => 60_000,
            _ => random(4_000) as i64,
        };
        fixture.clock.advance(SignedDuration::from_millis(forward));
        if step % 100 == 99 {
            fixture.limiter.limiter_sweep().await.unwrap();
        }
        let limits =
            RateLimits { per_minute: [0, 1, 5, 20][random(4) as usize], per_day: [40, 90, 500][random(3) as usize] };
        let key = keys[random(3) as usize];
        let given = fixture.limiter.request_admit(key.into(), limits).await.unwrap();
        assert_eq!(
            given,
            expected.request_admit(key.into(), limits).await.unwrap(),
            "step {step} at {}",
            fixture.clock.now()
        );
    }
}

pub(super) async fn sweeping_removes_nothing_that_counts(fixture: Fixture) {
    let limits = RateLimits { per_minute: 3, per_day: 4 };
    for _ in 0..3 {
        fixture.admit(limits, at("23:58:50.000")).await;
    }
    fixture.limiter.limiter_sweep().await.unwrap();
    assert_eq!(fixture.admit(limits, at("23:58:51.000")).await.retry_after, Some(59));
    fixture.clock.set(at("23:59:59.000"));
    fixture.limiter.limiter_sweep().await.unwrap();
    assert_eq!(fixture.admit(limits, at("23:59:59.000")).await.day.remaining, 0);
    let midnight = at("23:59:59.000") + SignedDuration::from_secs(1);
    fixture.clock.set(midnight);
    fixture.limiter.limiter_sweep().await.unwrap();
    let verdict = fixture.admit(limits, midnight).await;
    assert_eq!((verdict.minute.remaining, verdict.day.remaining), (1, 3), "the minute rolls over midnight");
}

pub(super) async fn a_debt_grows_with_each_bad_key_up_to_its_bound_and_shrinks_with_time(fixture: Fixture) {
    for owed in 1..=20 {
        assert_eq!(fixture.owe("192.0.2.1").await, COST * owed);
    }
    for _ in 0..30 {
        assert_eq!(fixture.owe("192.0.2.1").await, MOST);
    }
    fixture.clock.advance(SignedDuration::from_millis(12_500));
    assert_eq!(fixture.owe("192.0.2.1").await, MOST - Duration::from_millis(9_500));
    fixture.clock.advance(SignedDuration::from_secs(60));
    assert_eq!(fixture.owe("192.0.2.1").await, COST, "the debt is gone");
}

pub(super) async fn networks_do_not_share_their_debts_and_sweeping_keeps_them(fixture: Fixture) {
    for owed in 1..=5 {
        assert_eq!(fixture.owe("192.0.2.1").await, COST * owed);
        assert_eq!(fixture.owe("2001:db8::").await, COST * owed);
        fixture.limiter.limiter_sweep().await.unwrap();
    }
    assert_eq!(fixture.owe("192.0.2.2").await, COST);
    fixture.clock.advance(-SignedDuration::from_hours(5));
    assert_eq!(fixture.owe("192.0.2.1").await, MOST, "the clock was set back");
}
