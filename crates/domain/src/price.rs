//! Prices by kind.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::JobType;

/// Cents per completed job, by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Prices(BTreeMap<JobType, u32>);

impl Prices {
    /// The price of a job of this kind, in cents; a kind that is not named costs nothing.
    #[must_use]
    pub fn cents(&self, kind: JobType) -> i64 {
        self.get(kind).unwrap_or(0)
    }

    /// The price of a job of this kind, in cents, if it is named.
    #[must_use]
    pub fn get(&self, kind: JobType) -> Option<i64> {
        self.0.get(&kind).copied().map(i64::from)
    }

    /// Names the price of a kind, in cents, or no longer names it.
    pub fn set(&mut self, kind: JobType, cents: Option<u32>) {
        match cents {
            Some(cents) => self.0.insert(kind, cents),
            None => self.0.remove(&kind),
        };
    }

    /// The kinds that are named, with their prices in cents.
    pub fn iter(&self) -> impl Iterator<Item = (JobType, u32)> {
        self.0.iter().map(|(kind, cents)| (*kind, *cents))
    }
}

impl FromIterator<(JobType, u32)> for Prices {
    fn from_iter<I: IntoIterator<Item = (JobType, u32)>>(prices: I) -> Self {
        Self(prices.into_iter().collect())
    }
}
