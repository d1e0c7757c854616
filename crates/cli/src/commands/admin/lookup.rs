//! What the admin commands share: ids, organizations and expiry dates from the command line.

use std::str::FromStr;

use aerie_domain::{Clock, OrgId, Organization, expiry};
use aerie_storage::TenantStore;
use anyhow::{Context, ensure};
use jiff::Timestamp;

/// Usage events read at a time.
pub(super) const USAGE_PAGE: u32 = 1000;

/// Parses an id from the command line.
pub(super) fn id<T: FromStr>(what: &str, text: &str) -> anyhow::Result<T> {
    text.parse().ok().with_context(|| format!("`{text}` is not the id of {what}: expected a UUID"))
}

/// Returns the organization with an id from the command line.
pub(super) async fn organization(store: &dyn TenantStore, text: &str) -> anyhow::Result<Organization> {
    let id: OrgId = id("an organization", text)?;
    store
        .org_get(id)
        .await?
        .with_context(|| format!("no organization has the id {id}; run `aerie admin org list` to list them"))
}

/// Parses an expiry: a time, or a day, which a key is valid to the end of.
pub(super) fn end(text: &str) -> anyhow::Result<Timestamp> {
    expiry::parse(text)
        .with_context(|| format!("`{text}` is neither a day (YYYY-MM-DD) nor a time such as 2027-01-31T12:00:00Z"))
}

/// Parses the `--expires` of a new key.
pub(super) fn future_end(text: Option<&str>, clock: &dyn Clock) -> anyhow::Result<Option<Timestamp>> {
    let expires = text.map(end).transpose()?;
    ensure!(expires.is_none_or(|at| at > clock.now()), "--expires lies in the past");
    Ok(expires)
}

/// Returns the state of a key.
pub(super) fn key_state(revoked_at: Option<Timestamp>, expires_at: Option<Timestamp>, now: Timestamp) -> &'static str {
    if revoked_at.is_some() {
        "revoked"
    } else if expires_at.is_some_and(|at| at <= now) {
        "expired"
    } else {
        "good"
    }
}
