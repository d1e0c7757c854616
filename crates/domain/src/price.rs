//! Prices by kind.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::JobType;

/// Cents per completed job, by kind; a kind that is not named costs nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Prices(BTreeMap<JobType, u32>);

impl Prices {
    /// The price of a job of this kind, in cents.
    #[must_use]
    pub fn cents(&self, kind: JobType) -> i64 {
        self.0.get(&kind).copied().map_or(0, i64::from)
    }
}

impl FromIterator<(JobType, u32)> for Prices {
    fn from_iter<I: IntoIterator<Item = (JobType, u32)>>(prices: I) -> Self {
        Self(prices.into_iter().collect())
    }
}
