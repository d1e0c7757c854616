//! Organisations and the records of their keys.

use jiff::Timestamp;

use crate::{KeyId, OrgId};

/// A tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organisation {
    /// Identity.
    pub id: OrgId,
    /// Name, for people.
    pub name: String,
    /// When it was created.
    pub created_at: Timestamp,
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
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was revoked, if it was.
    pub revoked_at: Option<Timestamp>,
}
