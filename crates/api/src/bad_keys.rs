//! Delays responses to clients that try many bad keys.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use aerie_storage::{Debtor, Limiter};
use tokio::time::timeout;

use crate::transport::{ClientAddress, client_network};

/// Maximum delay of one response. Longer delays would cost the server more than the client.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// Debt of an address below which there is no delay, and the most that it can owe: this bounds the delay and the time until the
/// debt is gone.
const CREDIT: Duration = Duration::from_secs(60);
const MAX_DEBT: Duration = Duration::from_secs(62);

/// Maximum number of delayed responses at once, because each holds a connection. Further ones are sent at once.
const MAX_WAITING: usize = 512;

/// The price of bad keys, and the delayed responses of this process. The [`Limiter`] has the debts of addresses.
#[derive(Debug)]
pub struct BadKeys {
    /// Time that one bad key adds to the debt of its address.
    cost: Duration,
    waiting: AtomicUsize,
}

impl BadKeys {
    /// Delays start when an address sends more than `per_minute` bad keys.
    #[must_use]
    pub fn new(per_minute: u32) -> Self {
        Self { cost: CREDIT / per_minute.max(1), waiting: AtomicUsize::new(0) }
    }
}

/// Counts an attempt to sign in to the console like a bad key; whole seconds after which the next one is accepted, if the address has
/// made many.
pub(crate) async fn sign_in_again_in(
    bad_keys: &BadKeys,
    limiter: &dyn Limiter,
    address: Option<ClientAddress>,
) -> Option<u32> {
    let ClientAddress(address) = address?;
    let debt =
        match timeout(MAX_WAIT, limiter.debt_add(Debtor::Network(client_network(address)), bad_keys.cost, MAX_DEBT))
            .await
        {
            Ok(Ok(debt)) => debt,
            // Keys are too long to be guessed: people may sign in.
            Ok(Err(error)) => {
                tracing::warn!(%error, "an attempt to sign in is not counted");
                return None;
            }
            Err(_) => return None,
        };
    let wait = debt.checked_sub(CREDIT).filter(|wait| !wait.is_zero())?;
    Some(u32::try_from(wait.as_secs()).unwrap_or(u32::MAX).saturating_add(1))
}

/// Waits before the response to a bad key, if the address has tried many.
pub(crate) async fn slow_down(bad_keys: &BadKeys, limiter: &dyn Limiter, address: Option<ClientAddress>) {
    let Some(ClientAddress(address)) = address else { return };
    let debt =
        match timeout(MAX_WAIT, limiter.debt_add(Debtor::Network(client_network(address)), bad_keys.cost, MAX_DEBT))
            .await
        {
            Ok(Ok(debt)) => debt,
            // Without the debts, every bad key is one of many.
            Ok(Err(error)) => {
                tracing::warn!(%error, "the bad keys of an address are not counted");
                MAX_DEBT
            }
            Err(_) => return,
        };
    let wait = debt.saturating_sub(CREDIT);
    if wait.is_zero() {
        return;
    }
    let waiting = Waiting::enter(&bad_keys.waiting);
    if waiting.others < MAX_WAITING {
        tracing::info!(
            milliseconds = wait.as_millis(),
            "delayed the response to one of many bad keys from one address"
        );
        tokio::time::sleep(wait).await;
    }
}

/// Counts delayed responses, including those whose client disconnects.
struct Waiting<'a> {
    count: &'a AtomicUsize,
    others: usize,
}

impl<'a> Waiting<'a> {
    fn enter(count: &'a AtomicUsize) -> Self {
        Self { count, others: count.fetch_add(1, Ordering::Relaxed) }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use aerie_domain::{Clock, ManualClock, RateLimits};
    use aerie_storage::{Counted, DayCounts, MemoryLimiter, StoreError, Verdict};
    use jiff::{SignedDuration, Timestamp};
    use tokio::time::Instant;

    use super::*;

    fn client(text: &str) -> Option<ClientAddress> {
        Some(ClientAddress(text.parse().unwrap()))
    }

    fn limiter() -> (MemoryLimiter, Arc<ManualClock>) {
        let clock = Arc::new(ManualClock::new(Timestamp::UNIX_EPOCH));
        (MemoryLimiter::new(DayCounts::in_memory(), Arc::clone(&clock) as Arc<dyn Clock>), clock)
    }

    async fn wait(bad_keys: &BadKeys, limiter: &dyn Limiter, address: &str) -> f64 {
        let started = Instant::now();
        slow_down(bad_keys, limiter, client(address)).await;
        started.elapsed().as_secs_f64()
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_bad_keys_of_a_minute_are_not_delayed_and_further_ones_increasingly_up_to_a_bound() {
        let (bad_keys, (limiter, clock)) = (BadKeys::new(20), limiter());
        let mut waits = Vec::new();
        for _ in 0..30 {
            waits.push(wait(&bad_keys, &limiter, "192.0.2.1").await);
        }
        assert!(waits[..20].iter().all(|wait| *wait == 0.0), "{waits:?}");
        assert!(waits[20..].iter().all(|wait| *wait > 0.0 && *wait <= 2.01), "{waits:?}");
        assert_eq!(wait(&bad_keys, &limiter, "192.0.2.2").await, 0.0, "other addresses are not delayed");
        clock.advance(SignedDuration::from_secs(63));
        assert_eq!(wait(&bad_keys, &limiter, "192.0.2.1").await, 0.0, "the debt has expired");
    }

    #[tokio::test]
    async fn after_many_attempts_to_sign_in_an_address_has_to_wait_a_moment_and_others_do_not() {
        let (bad_keys, (limiter, clock)) = (BadKeys::new(20), limiter());
        let attempt = async |address| sign_in_again_in(&bad_keys, &limiter, client(address)).await;
        for _ in 0..20 {
            assert_eq!(attempt("192.0.2.1").await, None);
        }
        let seconds = attempt("192.0.2.1").await.unwrap();
        assert!((1..=3).contains(&seconds), "{seconds}");
        assert_eq!(attempt("192.0.2.2").await, None);
        clock.advance(SignedDuration::from_secs(2 * i64::from(seconds)));
        assert_eq!(attempt("192.0.2.1").await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn an_ipv6_network_counts_as_one() {
        let (bad_keys, (limiter, _)) = (BadKeys::new(1), limiter());
        assert_eq!(wait(&bad_keys, &limiter, "2001:db8::1").await, 0.0);
        assert!(wait(&bad_keys, &limiter, "2001:db8:0:ff::1").await > 0.0);
        assert_eq!(wait(&bad_keys, &limiter, "2001:db8:0:100::1").await, 0.0);
        assert_eq!(wait(&bad_keys, &limiter, "192.0.2.1").await, 0.0);
        assert!(wait(&bad_keys, &limiter, "::ffff:192.0.2.1").await > 0.0);
    }

    /// A limiter whose database fails, at once or never.
    struct Away {
        hangs: bool,
    }

    #[async_trait::async_trait]
    impl Limiter for Away {
        async fn request_admit(&self, _: Counted, _: RateLimits) -> Result<Verdict, StoreError> {
            Err(StoreError::Closed)
        }

        async fn debt_add(&self, _: Debtor, _: Duration, _: Duration) -> Result<Duration, StoreError> {
            if self.hangs {
                std::future::pending::<()>().await;
            }
            Err(StoreError::Busy)
        }

        async fn limiter_sweep(&self) -> Result<(), StoreError> {
            Err(StoreError::Closed)
        }
    }

    #[tokio::test(start_paused = true)]
    async fn while_debts_cannot_be_counted_every_bad_key_is_delayed_up_to_the_bound() {
        for hangs in [false, true] {
            let wait = wait(&BadKeys::new(20), &Away { hangs }, "192.0.2.1").await;
            assert!((2.0..2.01).contains(&wait), "{hangs} {wait}");
        }
    }
}
