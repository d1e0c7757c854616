//! What the admin commands share: ids and organizations from the command line.

use std::str::FromStr;

use aerie_domain::{OrgId, Organization};
use aerie_storage::TenantStore;
use anyhow::Context;

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
