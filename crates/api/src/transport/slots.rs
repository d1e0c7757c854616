//! Limits on simultaneous connections, in total and per address.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::limits::ConnectionLimits;
use super::proxy::TrustedProxies;

/// Slots for connections.
pub(super) struct Slots {
    all: Arc<Semaphore>,
    most: usize,
    most_per_address: usize,
    taken: Arc<Taken>,
}

#[derive(Default)]
struct Taken {
    all: AtomicUsize,
    by_address: Mutex<HashMap<IpAddr, usize>>,
}

/// A connection's slot, released on drop.
pub(super) struct Slot {
    taken: Arc<Taken>,
    address: Option<IpAddr>,
    is_overflow: bool,
    _permit: OwnedSemaphorePermit,
}

impl Slots {
    pub(super) fn new(limits: &ConnectionLimits) -> Self {
        let all = Arc::new(Semaphore::new(limits.most + (limits.most / 8).max(1)));
        Self { all, most: limits.most, most_per_address: limits.most_per_address, taken: Arc::default() }
    }

    /// Accepts the next connection that a slot is free for. Canceling it loses no accepted connection.
    pub(super) async fn accept(
        &self,
        listener: &TcpListener,
        proxies: &TrustedProxies,
    ) -> io::Result<(TcpStream, SocketAddr, Slot)> {
        let mut permit = Arc::clone(&self.all).acquire_owned().await.map_err(io::Error::other)?;
        loop {
            let (stream, peer) = listener.accept().await?;
            let ip = peer.ip().to_canonical();
            let limited = !ip.is_loopback() && !proxies.contains(ip);
            match self.slot(limited.then(|| counted(ip)), permit) {
                Ok(slot) => return Ok((stream, peer, slot)),
                Err(back) => {
                    tracing::debug!(%peer, "too many connections from one address");
                    permit = back;
                }
            }
        }
    }

    fn slot(&self, address: Option<IpAddr>, permit: OwnedSemaphorePermit) -> Result<Slot, OwnedSemaphorePermit> {
        if let Some(address) = address {
            let mut by_address = self.taken.by_address.lock().unwrap_or_else(PoisonError::into_inner);
            let taken = by_address.entry(address).or_default();
            if *taken >= self.most_per_address {
                return Err(permit);
            }
            *taken += 1;
        }
        let is_overflow = self.taken.all.fetch_add(1, Ordering::Relaxed) >= self.most;
        Ok(Slot { taken: Arc::clone(&self.taken), address, is_overflow, _permit: permit })
    }
}

impl Slot {
    /// Whether it exceeds the limit, so that the client is only asked to retry later.
    pub(super) fn is_overflow(&self) -> bool {
        self.is_overflow
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.taken.all.fetch_sub(1, Ordering::Relaxed);
        let Some(address) = self.address else { return };
        let mut by_address = self.taken.by_address.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut taken) = by_address.entry(address) {
            *taken.get_mut() -= 1;
            if *taken.get() == 0 {
                taken.remove();
            }
        }
    }
}

/// The address to count: a whole /64 of IPv6 belongs to one client.
fn counted(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => ip,
        IpAddr::V6(ip) => IpAddr::V6(Ipv6Addr::from_bits(ip.to_bits() & !u128::from(u64::MAX))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(most: usize, most_per_address: usize) -> Slots {
        Slots::new(&ConnectionLimits { most, most_per_address, ..ConnectionLimits::default() })
    }

    fn take(slots: &Slots, address: Option<&str>) -> Option<Slot> {
        let permit = Arc::clone(&slots.all).try_acquire_owned().ok()?;
        slots.slot(address.map(|address| counted(address.parse().unwrap())), permit).ok()
    }

    #[test]
    fn connections_are_limited_per_address() {
        let slots = slots(100, 2);
        let held = [take(&slots, Some("192.0.2.1")), take(&slots, Some("192.0.2.1"))];
        assert!(held.iter().all(Option::is_some));
        assert!(take(&slots, Some("192.0.2.1")).is_none());
        assert!(take(&slots, Some("192.0.2.2")).is_some());
        drop(held);
        assert!(take(&slots, Some("192.0.2.1")).is_some());
        assert!(slots.taken.by_address.lock().unwrap().is_empty(), "released addresses are forgotten");
    }

    #[test]
    fn addresses_of_one_ipv6_network_count_together() {
        let slots = slots(100, 1);
        let _held = take(&slots, Some("2001:db8::1")).unwrap();
        assert!(take(&slots, Some("2001:db8::ffff:2")).is_none());
        assert!(take(&slots, Some("2001:db8:0:1::1")).is_some());
    }

    #[test]
    fn one_eighth_more_are_asked_to_retry_and_further_ones_get_no_slot() {
        let slots = slots(16, 1);
        let held: Vec<_> = (0..18).map(|_| take(&slots, None).unwrap()).collect();
        assert_eq!(held.iter().filter(|slot| slot.is_overflow()).count(), 2);
        assert!(take(&slots, None).is_none());
        drop(held);
        assert!(!take(&slots, None).unwrap().is_overflow());
    }
}
