//! Answering those who try keys more slowly, and nobody else.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::transport::ClientAddress;

/// Longest wait for one answer: longer ones would cost us more than whoever tries.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// Answers that wait at once; beyond it they do not wait, for each holds a connection.
const MOST_WAITING: usize = 512;

/// Addresses remembered before those that have been quiet are forgotten.
const MOST_ADDRESSES: usize = 10_000;

/// Who has tried how many bad keys.
#[derive(Debug)]
pub struct BadKeys {
    /// Time that one bad key costs, and time that may be owed before there is a wait.
    cost: Duration,
    credit: Duration,
    /// Until when each address is in debt: grows by the cost of each bad key, and shrinks as time passes.
    debts: Mutex<HashMap<IpAddr, Instant>>,
    waiting: AtomicUsize,
}

impl BadKeys {
    /// An address may try so many bad keys a minute before it has to wait for the answers.
    #[must_use]
    pub fn new(per_minute: u32) -> Self {
        let cost = Duration::from_secs(60) / per_minute.max(1);
        Self { cost, credit: Duration::from_secs(60), debts: Mutex::default(), waiting: AtomicUsize::new(0) }
    }

    /// Notes a bad key from an address; how long the answer is to wait.
    fn note(&self, address: IpAddr, now: Instant) -> Duration {
        let mut debts = self.debts.lock().unwrap_or_else(PoisonError::into_inner);
        if debts.len() >= MOST_ADDRESSES {
            debts.retain(|_, until| *until > now);
        }
        let until = debts.entry(whose(address)).or_insert(now);
        // A bound on the debt is one on the wait, and on how long the address has to be quiet afterwards.
        *until = ((*until).max(now) + self.cost).min(now + self.credit + LONGEST_WAIT);
        until.duration_since(now).saturating_sub(self.credit)
    }
}

/// An IPv6 network as a whole belongs to one.
fn whose(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64))),
    }
}

/// Keeps the answer to a bad key waiting, where the address has tried many.
pub(crate) async fn slow_down(bad_keys: &BadKeys, address: Option<ClientAddress>) {
    let Some(ClientAddress(address)) = address else { return };
    let wait = bad_keys.note(address, Instant::now());
    if wait.is_zero() {
        return;
    }
    let waiting = Waiting::enter(&bad_keys.waiting);
    if waiting.others < MOST_WAITING {
        tracing::info!(milliseconds = wait.as_millis(), "one of many bad keys from one address waits");
        tokio::time::sleep(wait).await;
    }
}

/// Counts those who wait, those whose client goes away included.
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
    fn the_first_bad_keys_of_a_minute_cost_nothing_and_further_ones_wait_ever_longer_up_to_a_bound() {
        let bad_keys = BadKeys::new(20);
        let now = Instant::now();
        let waits: Vec<f64> = (0..30).map(|_| bad_keys.note(address("192.0.2.1"), now).as_secs_f64()).collect();
        assert!(waits[..20].iter().all(|wait| *wait == 0.0), "{waits:?}");
        assert!(waits[20..].iter().all(|wait| *wait > 0.0 && *wait <= 2.0), "{waits:?}");
        assert_eq!(bad_keys.note(address("192.0.2.2"), now), Duration::ZERO, "others do not wait");
        let later = now + Duration::from_secs(63);
        assert_eq!(bad_keys.note(address("192.0.2.1"), later), Duration::ZERO, "who was quiet does not wait");
    }

    #[test]
    fn an_ipv6_network_counts_as_one() {
        let bad_keys = BadKeys::new(1);
        let now = Instant::now();
        assert_eq!(bad_keys.note(address("2001:db8::1"), now), Duration::ZERO);
        assert!(bad_keys.note(address("2001:db8::2:1"), now) > Duration::ZERO);
        assert_eq!(bad_keys.note(address("2001:db8:0:1::1"), now), Duration::ZERO);
        assert_eq!(bad_keys.note(address("192.0.2.1"), now), Duration::ZERO);
        assert!(bad_keys.note(address("::ffff:192.0.2.1"), now) > Duration::ZERO);
    }

    #[test]
    fn quiet_addresses_are_forgotten() {
        let bad_keys = BadKeys::new(20);
        let now = Instant::now();
        for number in 0..u32::try_from(MOST_ADDRESSES).unwrap() {
            bad_keys.note(IpAddr::V4(number.into()), now);
        }
        bad_keys.note(address("192.0.2.1"), now + Duration::from_secs(10));
        assert_eq!(bad_keys.debts.lock().unwrap().len(), 1);
    }
}
