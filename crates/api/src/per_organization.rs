//! How many of something each organization may have at once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

use aerie_domain::OrgId;

/// Counts by organization.
#[derive(Debug, Clone)]
pub(crate) struct PerOrganization {
    counts: Arc<Mutex<HashMap<OrgId, usize>>>,
    most: usize,
    most_in_all: usize,
}

/// The right to a number of them, until it is dropped.
pub(crate) struct Permit {
    of: PerOrganization,
    org_id: OrgId,
    count: usize,
}

impl PerOrganization {
    /// At most so many for each organization, and for all together.
    pub(crate) fn new(most: usize, most_in_all: usize) -> Self {
        Self { counts: Arc::default(), most, most_in_all }
    }

    /// Reserves `count` of them; `None` when the organization, or all together, would have too many.
    pub(crate) fn acquire(&self, org_id: OrgId, count: usize) -> Option<Permit> {
        let mut all = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let (own, total) = (all.get(&org_id).copied().unwrap_or(0), all.values().sum::<usize>());
        if own + count > self.most || total + count > self.most_in_all {
            return None;
        }
        all.insert(org_id, own + count);
        Some(Permit { of: self.clone(), org_id, count })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut all = self.of.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut taken) = all.entry(self.org_id) {
            *taken.get_mut() -= self.count;
            if *taken.get() == 0 {
                taken.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn permits_are_counted_by_organization_and_in_all_until_they_are_dropped() {
        let all = PerOrganization::new(2, 3);
        let [one, other] = [OrgId::new(Timestamp::UNIX_EPOCH), OrgId::new(Timestamp::UNIX_EPOCH)];
        let both = all.acquire(one, 2).unwrap();
        assert!(all.acquire(one, 1).is_none());
        let third = all.acquire(other, 1).unwrap();
        assert!(all.acquire(other, 1).is_none(), "three in all");
        drop(both);
        assert!(all.acquire(other, 1).is_some());
        drop(third);
        assert!(all.counts.lock().unwrap().is_empty());
    }
}
