//! Slots for connections: limits in total and per client, and a reserve for health checks.
//!
//! A connection waits while it has no request: before the first, between two, and while a head is incomplete. When every slot
//! is taken, a new connection gets the slot of the one that has waited longest, which is closed. If none waits, it gets a slot
//! of the reserve, where only health checks are answered and each connection ends after one response.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use super::limits::ConnectionLimits;
use super::network::client_network;
use super::proxy::TrustedProxies;

/// All slots.
pub(super) struct Slots {
    most: usize,
    most_in_reserve: usize,
    most_per_address: usize,
    table: Arc<Table>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Ordinary,
    Reserve,
}

#[derive(Default)]
struct Table {
    state: Mutex<State>,
    /// Notified when a slot is released or a connection begins to wait.
    changed: Notify,
}

/// Connections by [`Class`], and by client.
#[derive(Default)]
struct State {
    taken: [usize; 2],
    by_client: HashMap<IpAddr, usize>,
    /// Waiting connections, those that began first in front.
    waiting: [BTreeMap<u64, Waiting>; 2],
    next_wait: u64,
}

struct Waiting {
    client: Option<IpAddr>,
    evicted: Arc<Notify>,
}

/// A connection's slot, released when its last copy is dropped.
#[derive(Clone)]
pub(super) struct Slot(Arc<Held>);

struct Held {
    table: Arc<Table>,
    class: Class,
    client: Option<IpAddr>,
    evicted: Arc<Notify>,
    /// Locked before the table's state.
    phase: Mutex<Phase>,
}

#[derive(Default)]
struct Phase {
    /// A request is being answered.
    answering: bool,
    /// Its place among the waiting connections, which it has lost if it was evicted.
    wait: Option<u64>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Slots {
    pub(super) fn new(limits: &ConnectionLimits) -> Self {
        Self {
            most: limits.most,
            most_in_reserve: (limits.most / 8).max(1),
            most_per_address: limits.most_per_address,
            table: Arc::default(),
        }
    }

    /// Accepts the next connection, once there is a slot for it. Canceling it loses no accepted connection.
    pub(super) async fn accept(
        &self,
        listener: &TcpListener,
        proxies: &TrustedProxies,
    ) -> io::Result<(TcpStream, SocketAddr, Slot)> {
        loop {
            self.available().await;
            let (stream, peer) = listener.accept().await?;
            let ip = peer.ip().to_canonical();
            let is_limited = !ip.is_loopback() && !proxies.contains(ip);
            match self.take(is_limited.then(|| client_network(ip))) {
                Some(slot) => return Ok((stream, peer, slot)),
                None => tracing::debug!(%peer, "too many connections, in total or from one address"),
            }
        }
    }

    /// Waits until a slot is free or can be taken from a waiting connection.
    async fn available(&self) {
        loop {
            let changed = self.table.changed.notified();
            if lock(&self.table.state).has_slot(self) {
                return;
            }
            changed.await;
        }
    }

    /// Takes a slot. `client` is counted against the limit per address.
    pub(super) fn take(&self, client: Option<IpAddr>) -> Option<Slot> {
        let mut state = lock(&self.table.state);
        if let Some(client) = client
            && state.by_client.get(&client).is_some_and(|taken| *taken >= self.most_per_address)
        {
            return None;
        }
        let class = state.free_class(self)?;
        state.taken[class as usize] += 1;
        if let Some(client) = client {
            *state.by_client.entry(client).or_default() += 1;
        }
        drop(state);
        let (table, phase) = (Arc::clone(&self.table), Mutex::default());
        let held = Held { table, class, client, evicted: Arc::default(), phase };
        held.wait(&mut lock(&held.phase));
        Some(Slot(Arc::new(held)))
    }
}

impl State {
    fn has_slot(&self, slots: &Slots) -> bool {
        let [ordinary, reserve] = self.taken;
        ordinary < slots.most
            || reserve < slots.most_in_reserve
            || self.waiting.iter().any(|waiting| !waiting.is_empty())
    }

    /// The class of a slot that is free, if need be because its connection was evicted.
    fn free_class(&mut self, slots: &Slots) -> Option<Class> {
        let [ordinary, reserve] = self.taken;
        if ordinary < slots.most || self.evict(Class::Ordinary) {
            return Some(Class::Ordinary);
        }
        (reserve < slots.most_in_reserve || self.evict(Class::Reserve)).then_some(Class::Reserve)
    }

    /// Evicts the connection that has waited longest.
    fn evict(&mut self, class: Class) -> bool {
        let Some((_, waiting)) = self.waiting[class as usize].pop_first() else { return false };
        self.release(class, waiting.client);
        waiting.evicted.notify_one();
        true
    }

    fn release(&mut self, class: Class, client: Option<IpAddr>) {
        self.taken[class as usize] -= 1;
        if let Some(client) = client
            && let Entry::Occupied(mut taken) = self.by_client.entry(client)
        {
            *taken.get_mut() -= 1;
            if *taken.get() == 0 {
                taken.remove();
            }
        }
    }
}

impl Slot {
    /// Whether it belongs to the reserve.
    pub(super) fn is_reserve(&self) -> bool {
        self.0.class == Class::Reserve
    }

    /// Completes when the slot is given to another connection.
    pub(super) async fn evicted(&self) {
        self.0.evicted.notified().await;
    }

    /// Notes that a request arrived. `None` if the slot is another connection's by now: then the request must not be answered.
    pub(super) fn answer(&self) -> Option<Answering> {
        let mut phase = lock(&self.0.phase);
        if let Some(place) = phase.wait {
            lock(&self.0.table.state).waiting[self.0.class as usize].remove(&place)?;
            phase.wait = None;
        }
        phase.answering = true;
        Some(Answering(self.clone()))
    }

    /// Notes that all that was produced is sent.
    pub(super) fn flushed(&self) {
        let mut phase = lock(&self.0.phase);
        if !phase.answering && phase.wait.is_none() {
            self.0.wait(&mut phase);
        }
    }
}

/// A request that is being answered, until the response is produced.
pub(super) struct Answering(Slot);

impl Drop for Answering {
    fn drop(&mut self) {
        lock(&self.0.0.phase).answering = false;
    }
}

impl Held {
    fn wait(&self, phase: &mut Phase) {
        let waiting = Waiting { client: self.client, evicted: Arc::clone(&self.evicted) };
        let mut state = lock(&self.table.state);
        let place = state.next_wait;
        state.next_wait += 1;
        state.waiting[self.class as usize].insert(place, waiting);
        phase.wait = Some(place);
        drop(state);
        self.table.changed.notify_one();
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let wait = self.phase.get_mut().unwrap_or_else(PoisonError::into_inner).wait;
        let mut state = lock(&self.table.state);
        let is_evicted = wait.is_some_and(|place| state.waiting[self.class as usize].remove(&place).is_none());
        if !is_evicted {
            state.release(self.class, self.client);
        }
        drop(state);
        self.table.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn slots(most: usize, most_per_address: usize) -> Slots {
        Slots::new(&ConnectionLimits { most, most_per_address, ..ConnectionLimits::default() })
    }

    fn take(slots: &Slots, address: &str) -> Option<Slot> {
        slots.take(Some(client_network(address.parse().unwrap())))
    }

    fn is_evicted(slot: &Slot) -> bool {
        slot.answer().is_none() && slot.evicted().now_or_never().is_some()
    }

    #[test]
    fn connections_are_limited_per_address() {
        let slots = slots(100, 2);
        let held = [take(&slots, "192.0.2.1"), take(&slots, "192.0.2.1")];
        assert!(held.iter().all(Option::is_some));
        assert!(take(&slots, "192.0.2.1").is_none());
        assert!(take(&slots, "192.0.2.2").is_some());
        drop(held);
        assert!(take(&slots, "192.0.2.1").is_some());
        let state = lock(&slots.table.state);
        assert!(state.by_client.is_empty() && state.taken == [0, 0] && state.waiting[0].is_empty());
    }

    #[test]
    fn addresses_of_one_ipv6_network_count_together() {
        let slots = slots(100, 1);
        let _held = take(&slots, "2001:db8::1").unwrap();
        assert!(take(&slots, "2001:db8:0:ff::2").is_none());
        assert!(take(&slots, "2001:db8:0:100::1").is_some());
    }

    #[test]
    fn a_new_connection_gets_the_slot_of_the_one_that_has_waited_longest() {
        let slots = slots(2, 100);
        let (first, second) = (take(&slots, "192.0.2.1").unwrap(), take(&slots, "192.0.2.1").unwrap());
        // The first sends a request, and waits again after its response.
        drop(first.answer().unwrap());
        first.flushed();
        let third = take(&slots, "192.0.2.1").unwrap();
        assert!(!third.is_reserve() && is_evicted(&second));
        drop(second);
        assert_eq!(lock(&slots.table.state).taken, [2, 0], "it is released once");
        let _fourth = take(&slots, "192.0.2.1").unwrap();
        assert!(is_evicted(&first) && third.answer().is_some());
    }

    #[test]
    fn a_connection_with_a_request_or_an_unsent_response_is_not_evicted() {
        let slots = slots(1, 100);
        let busy = slots.take(None).unwrap();
        let answering = busy.answer().unwrap();
        busy.flushed();
        assert!(slots.take(None).unwrap().is_reserve(), "the response is being produced");
        drop(answering);
        assert!(slots.take(None).unwrap().is_reserve(), "the response is not sent yet");
        busy.flushed();
        assert!(!slots.take(None).unwrap().is_reserve());
        assert!(is_evicted(&busy));
    }

    #[test]
    fn the_reserve_is_an_eighth_and_its_waiting_connections_are_evicted_too() {
        let slots = slots(16, 1);
        let busy = |slot: Option<Slot>| slot.map(|slot| (slot.answer().unwrap(), slot)).unwrap();
        let held: Vec<_> = (0..16).map(|_| busy(slots.take(None))).collect();
        let [first, second] = [(); 2].map(|()| slots.take(None).unwrap());
        assert!(first.is_reserve() && second.is_reserve());
        let third = slots.take(None).unwrap();
        assert!(third.is_reserve() && is_evicted(&first));
        let _busy = [busy(Some(second)), busy(Some(third))];
        assert!(slots.take(None).is_none() && slots.available().now_or_never().is_none());
        drop(held);
        assert!(slots.available().now_or_never().is_some());
        assert!(!slots.take(None).unwrap().is_reserve());
    }
}
