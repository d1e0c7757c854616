//! Organizations and the records of their keys.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::{JobType, KeyId, OrgId, Prices, Scopes};

/// A tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organization {
    /// Identity.
    pub id: OrgId,
    /// Name, for people.
    pub name: String,
    /// Name of its plan, which limits its keys.
    pub plan: String,
    /// Kinds that are switched off for it.
    pub disabled: BTreeSet<JobType>,
    /// Most jobs that it may submit in a UTC month, failed ones not counted; `None`: as many as it likes.
    pub monthly_quota: Option<u32>,
    /// Its own prices, which go before the configured ones.
    pub prices: Prices,
    /// Whether a job like one that is queued or running is refused.
    pub reject_duplicates: bool,
    /// Days for which its media are kept once their job has ended; `None`: for good.
    pub keep_days: Option<u32>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// What is to be changed of an organization; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct OrgChanges {
    /// Another plan.
    pub plan: Option<String>,
    /// Kinds to switch on.
    pub enable: Vec<JobType>,
    /// Kinds to switch off.
    pub disable: Vec<JobType>,
    /// Another quota, or none.
    pub monthly_quota: Option<Option<u32>>,
    /// Prices to set, in cents; `None` goes back to the configured one.
    pub prices: Vec<(JobType, Option<u32>)>,
    /// Whether duplicates are refused.
    pub reject_duplicates: Option<bool>,
    /// Other days, or none.
    pub keep_days: Option<Option<u32>>,
}

impl Organization {
    /// Makes the changes.
    pub fn change(&mut self, changes: &OrgChanges) {
        if let Some(plan) = &changes.plan {
            self.plan.clone_from(plan);
        }
        self.disabled.extend(&changes.disable);
        self.disabled.retain(|kind| !changes.enable.contains(kind));
        self.monthly_quota = changes.monthly_quota.unwrap_or(self.monthly_quota);
        for (kind, cents) in &changes.prices {
            self.prices.set(*kind, *cents);
        }
        self.keep_days = changes.keep_days.unwrap_or(self.keep_days);
        self.reject_duplicates = changes.reject_duplicates.unwrap_or(self.reject_duplicates);
    }

    /// What a job of this kind costs it, in cents: its own price, or else the configured one.
    #[must_use]
    pub fn price_cents(&self, kind: JobType, configured: &Prices) -> i64 {
        self.prices.get(kind).unwrap_or_else(|| configured.cents(kind))
    }
}

/// What is kept of an API key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRecord {
    /// Identity of the record; not the key.
    pub id: KeyId,
    /// Whose key it is.
    pub org_id: OrgId,
    /// The key's first characters.
    pub hint: String,
    /// What it is good for.
    pub scopes: Scopes,
    /// When it was created.
    pub created_at: Timestamp,
    /// From when on it is no longer good, if it is to end.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked, if it was.
    pub revoked_at: Option<Timestamp>,
}
