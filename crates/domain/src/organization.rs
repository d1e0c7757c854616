//! Organizations and their keys.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::{BadCharacter, JobType, KeyId, Layout, OrgId, Prices, Scopes};

/// A tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organization {
    /// Identity.
    pub id: OrgId,
    /// Display name.
    pub name: String,
    /// Name of its plan, which limits its keys.
    pub plan: String,
    /// Disabled kinds.
    pub disabled: BTreeSet<JobType>,
    /// Maximum number of jobs per UTC month, failed ones not counted. `None`: unlimited.
    pub monthly_quota: Option<u32>,
    /// Its own prices, which override the configured ones.
    pub prices: Prices,
    /// Whether a job equal to one that is queued or running is refused.
    pub reject_duplicates: bool,
    /// Days for which its media are kept after the job has ended. `None`: forever.
    pub keep_days: Option<u32>,
    /// Disclosure profile of its jobs that name none. `None`: no profile.
    pub disclosure_profile: Option<String>,
    /// Whether truth pages can be published for its jobs whatever their profile.
    pub truth_pages: bool,
    /// When it was created.
    pub created_at: Timestamp,
}

/// Changes to an organization. `None` leaves a value unchanged.
#[derive(Debug, Clone, Default)]
pub struct OrgChanges {
    /// New plan.
    pub plan: Option<String>,
    /// Kinds to enable.
    pub enable: Vec<JobType>,
    /// Kinds to disable.
    pub disable: Vec<JobType>,
    /// New quota, or unlimited.
    pub monthly_quota: Option<Option<u32>>,
    /// Prices to set, in cents. `None` restores the configured one.
    pub prices: Vec<(JobType, Option<u32>)>,
    /// Whether duplicates are refused.
    pub reject_duplicates: Option<bool>,
    /// New number of days, or forever.
    pub keep_days: Option<Option<u32>>,
    /// New disclosure profile, or none.
    pub disclosure_profile: Option<Option<String>>,
    /// Whether truth pages can be published.
    pub truth_pages: Option<bool>,
}

/// A name that an organization cannot have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadName {
    /// Nothing but spaces.
    #[error("must not be empty")]
    Blank,
    /// A control character.
    #[error(transparent)]
    Character(#[from] BadCharacter),
}

/// The name of a new organization, without the spaces around it.
///
/// # Errors
/// When the name is empty or has control characters.
pub fn check_name(name: &str) -> Result<&str, BadName> {
    let name = name.trim_matches(' ');
    Layout::Line.check(name)?;
    if name.trim().is_empty() { Err(BadName::Blank) } else { Ok(name) }
}

impl Organization {
    /// Applies the changes.
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
        if let Some(profile) = &changes.disclosure_profile {
            self.disclosure_profile.clone_from(profile);
        }
        self.truth_pages = changes.truth_pages.unwrap_or(self.truth_pages);
        self.reject_duplicates = changes.reject_duplicates.unwrap_or(self.reject_duplicates);
    }

    /// Price of a job of this kind in cents: its own or else the configured one.
    #[must_use]
    pub fn price_cents(&self, kind: JobType, configured: &Prices) -> i64 {
        self.prices.get(kind).unwrap_or_else(|| configured.cents(kind))
    }
}

/// The record of an API key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRecord {
    /// Identity of the record (not the key).
    pub id: KeyId,
    /// Its owner.
    pub org_id: OrgId,
    /// The key's first characters.
    pub hint: String,
    /// Its scopes.
    pub scopes: Scopes,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires, if it does.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked, if it was.
    pub revoked_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_line_without_control_characters() {
        assert_eq!(check_name("  Acme Homes "), Ok("Acme Homes"));
        assert_eq!(check_name("Zürich 東京 Immobilien"), Ok("Zürich 東京 Immobilien"));
        for name in ["", "  ", "\u{a0}"] {
            assert_eq!(check_name(name), Err(BadName::Blank));
        }
        for name in ["Acme\n", "\u{1b}[2J", "Acme\u{9b}", "Acme\u{202e}", "Ac\0me", "\tAcme"] {
            assert!(matches!(check_name(name), Err(BadName::Character(_))), "{name:?}");
        }
    }
}
