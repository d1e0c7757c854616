//! How many connections there may be at once, in all and from one address.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::ConnectionLimits;
use super::proxy::TrustedProxies;

/// Room for connections.
pub(super) struct Places {
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

/// A connection's place; dropping it makes room.
pub(super) struct Place {
    taken: Arc<Taken>,
    address: Option<IpAddr>,
    beyond: bool,
    _permit: OwnedSemaphorePermit,
}

impl Places {
    pub(super) fn new(limits: &ConnectionLimits) -> Self {
        let all = Arc::new(Semaphore::new(limits.most + (limits.most / 8).max(1)));
        Self { all, most: limits.most, most_per_address: limits.most_per_address, taken: Arc::default() }
    }

    /// The next connection that there is a place for, when there is one. Canceling it loses no connection that was taken.
    pub(super) async fn accept(
        &self,
        listener: &TcpListener,
        proxies: &TrustedProxies,
    ) -> io::Result<(TcpStream, SocketAddr, Place)> {
        let mut permit = Arc::clone(&self.all).acquire_owned().await.map_err(io::Error::other)?;
        loop {
            let (stream, peer) = listener.accept().await?;
            let ip = peer.ip().to_canonical();
            let limited = !ip.is_loopback() && !proxies.contains(ip);
            match self.place(limited.then(|| counted(ip)), permit) {
                Ok(place) => return Ok((stream, peer, place)),
                Err(back) => {
                    tracing::debug!(%peer, "too many connections from one address");
                    permit = back;
                }
            }
        }
    }

    fn place(&self, address: Option<IpAddr>, permit: OwnedSemaphorePermit) -> Result<Place, OwnedSemaphorePermit> {
        if let Some(address) = address {
            let mut by_address = self.taken.by_address.lock().unwrap_or_else(PoisonError::into_inner);
            let taken = by_address.entry(address).or_default();
            if *taken >= self.most_per_address {
                return Err(permit);
            }
            *taken += 1;
        }
        let beyond = self.taken.all.fetch_add(1, Ordering::Relaxed) >= self.most;
        Ok(Place { taken: Arc::clone(&self.taken), address, beyond, _permit: permit })
    }
}

impl Place {
    /// Whether it is one of those that are only told to come back later.
    pub(super) fn is_beyond(&self) -> bool {
        self.beyond
    }
}

impl Drop for Place {
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

/// What counts as one address: whoever has one of IPv6 has its whole /64.
fn counted(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => ip,
        IpAddr::V6(ip) => IpAddr::V6(Ipv6Addr::from_bits(ip.to_bits() & !u128::from(u64::MAX))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(most: usize, most_per_address: usize) -> Places {
        Places::new(&ConnectionLimits { most, most_per_address, ..ConnectionLimits::default() })
    }

    fn take(places: &Places, address: Option<&str>) -> Option<Place> {
        let permit = Arc::clone(&places.all).try_acquire_owned().ok()?;
        places.place(address.map(|address| counted(address.parse().unwrap())), permit).ok()
    }

    #[test]
    fn an_address_has_so_many_connections_and_another_address_its_own() {
        let places = places(100, 2);
        let held = [take(&places, Some("192.0.2.1")), take(&places, Some("192.0.2.1"))];
        assert!(held.iter().all(Option::is_some));
        assert!(take(&places, Some("192.0.2.1")).is_none());
        assert!(take(&places, Some("192.0.2.2")).is_some());
        drop(held);
        assert!(take(&places, Some("192.0.2.1")).is_some());
        assert!(places.taken.by_address.lock().unwrap().is_empty(), "addresses that are gone take no room");
    }

    #[test]
    fn addresses_of_one_ipv6_network_count_together() {
        let places = places(100, 1);
        let _held = take(&places, Some("2001:db8::1")).unwrap();
        assert!(take(&places, Some("2001:db8::ffff:2")).is_none());
        assert!(take(&places, Some("2001:db8:0:1::1")).is_some());
    }

    #[test]
    fn an_eighth_more_are_told_to_come_back_and_then_there_is_no_place() {
        let places = places(16, 1);
        let held: Vec<_> = (0..18).map(|_| take(&places, None).unwrap()).collect();
        assert_eq!(held.iter().filter(|place| place.is_beyond()).count(), 2);
        assert!(take(&places, None).is_none());
        drop(held);
        assert!(!take(&places, None).unwrap().is_beyond());
    }
}
