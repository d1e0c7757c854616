//! Delays responses to clients that try many bad keys.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::transport::{ClientAddress, client_network};

/// Maximum delay of one response. Longer delays would cost the server more than the client.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// Maximum number of delayed responses at once, because each holds a connection. Further ones are sent at once.
const MAX_WAITING: usize = 512;

/// Number of remembered addresses above which those without debt are forgotten.
const MAX_ADDRESSES: usize = 10_000;

/// Bad keys by address.
#[derive(Debug)]
pub struct BadKeys {
    /// Time that one bad key adds to an address's debt, and the debt below which there is no delay.
    cost: Duration,
    credit: Duration,
    /// The time until which each address is in debt: later with each bad key, nearer as time passes.
    debts: Mutex<HashMap<IpAddr, Instant>>,
    waiting: AtomicUsize,
}

impl BadKeys {
    /// Delays start when an address sends more than `per_minute` bad keys.
    #[must_use]
    pub fn new(per_minute: u32) -> Self {
        let cost = Duration::from_secs(60) / per_minute.max(1);
        Self { cost, credit: Duration::from_secs(60), debts: Mutex::default(), waiting: AtomicUsize::new(0) }
    }

    /// Records a bad key from an address. Returns the delay of the response.
    fn note(&self, address: IpAddr, now: Instant) -> Duration {
        let mut debts = self.debts.lock().unwrap_or_else(PoisonError::into_inner);
        if debts.len() >= MAX_ADDRESSES {
            debts.retain(|_, until| *until > now);
        }
        let until = debts.entry(client_network(address)).or_insert(now);
        // Bounding the debt bounds the delay and the time until it is gone.
        *until = ((*until).max(now) + self.cost).min(now + self.credit + MAX_WAIT);
        until.duration_since(now).saturating_sub(self.credit)
    }
}

/// Waits before the response to a bad key, if the address has tried many.
pub(crate) async fn slow_down(bad_keys: &BadKeys, address: Option<ClientAddress>) {
    let Some(ClientAddress(address)) = address else { return };
    let wait = bad_keys.note(address, Instant::now());
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
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn the_first_bad_keys_of_a_minute_are_not_delayed_and_further_ones_increasingly_up_to_a_bound() {
        let bad_keys = BadKeys::new(20);
        let now = Instant::now();
        let waits: Vec<f64> = (0..30).map(|_| bad_keys.note(address("192.0.2.1"), now).as_secs_f64()).collect();
        assert!(waits[..20].iter().all(|wait| *wait == 0.0), "{waits:?}");
        assert!(waits[20..].iter().all(|wait| *wait > 0.0 && *wait <= 2.0), "{waits:?}");
        assert_eq!(bad_keys.note(address("192.0.2.2"), now), Duration::ZERO, "other addresses are not delayed");
        let later = now + Duration::from_secs(63);
        assert_eq!(bad_keys.note(address("192.0.2.1"), later), Duration::ZERO, "the debt has expired");
    }

    #[test]
    fn an_ipv6_network_counts_as_one() {
        let bad_keys = BadKeys::new(1);
        let now = Instant::now();
        assert_eq!(bad_keys.note(address("2001:db8::1"), now), Duration::ZERO);
        assert!(bad_keys.note(address("2001:db8:0:ff::1"), now) > Duration::ZERO);
        assert_eq!(bad_keys.note(address("2001:db8:0:100::1"), now), Duration::ZERO);
        assert_eq!(bad_keys.note(address("192.0.2.1"), now), Duration::ZERO);
        assert!(bad_keys.note(address("::ffff:192.0.2.1"), now) > Duration::ZERO);
    }

    #[test]
    fn quiet_addresses_are_forgotten() {
        let bad_keys = BadKeys::new(20);
        let now = Instant::now();
        for number in 0..u32::try_from(MAX_ADDRESSES).unwrap() {
            bad_keys.note(IpAddr::V4(number.into()), now);
        }
        bad_keys.note(address("192.0.2.1"), now + Duration::from_secs(10));
        assert_eq!(bad_keys.debts.lock().unwrap().len(), 1);
    }
}
