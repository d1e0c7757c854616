//! Prices by kind.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::JobType;

/// Configured prices in cents per completed job, by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Prices(BTreeMap<JobType, u32>);

impl Prices {
    /// The price of a job of this kind, in cents: the configured one or else the kind's default.
    #[must_use]
    pub fn cents(&self, kind: JobType) -> i64 {
        self.get(kind).unwrap_or_else(|| i64::from(kind.kind().default_price_cents))
    }

    /// The configured price of a job of this kind, in cents.
    #[must_use]
    pub fn get(&self, kind: JobType) -> Option<i64> {
        self.0.get(&kind).copied().map(i64::from)
    }

    /// Sets the price of a kind in cents, or removes it.
    pub fn set(&mut self, kind: JobType, cents: Option<u32>) {
        match cents {
            Some(cents) => self.0.insert(kind, cents),
            None => self.0.remove(&kind),
        };
    }

    /// The configured prices in cents.
    pub fn iter(&self) -> impl Iterator<Item = (JobType, u32)> {
        self.0.iter().map(|(kind, cents)| (*kind, *cents))
    }
}

impl FromIterator<(JobType, u32)> for Prices {
    fn from_iter<I: IntoIterator<Item = (JobType, u32)>>(prices: I) -> Self {
        Self(prices.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_without_a_configured_price_costs_its_default() {
        let mut prices: Prices = [(JobType::Markup, 7)].into_iter().collect();
        assert_eq!(prices.cents(JobType::Markup), 7);
        assert_eq!(prices.get(JobType::DroneFootage), None);
        for kind in JobType::ALL {
            prices.set(kind, None);
            assert_eq!(prices.cents(kind), i64::from(kind.kind().default_price_cents), "{kind}");
        }
    }
}
