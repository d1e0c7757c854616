//! Whose requests and debts a limiter counts together.

use std::fmt;
use std::net::IpAddr;

use aerie_domain::{KeyId, OperatorKeyId, OrgId, ShareLinkId};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// Whose requests count against one limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counted {
    /// Requests of a key, except those below.
    Key(KeyId),
    /// Requests of a key for uploads.
    Uploads(KeyId),
    /// Requests of a key for suggested addresses.
    Addresses(KeyId),
    /// Requests of the sessions of a key in the console.
    Console(KeyId),
    /// Requests of an operator's sessions.
    Operator(OperatorKeyId),
    /// Previews that an organization submits.
    Previews(OrgId),
    /// Requests for truth pages from a network.
    TruthPages(IpAddr),
}

impl Counted {
    /// The id that a store counts under: that of a key itself, of all else a part of a SHA-256, which no key has.
    #[must_use]
    pub fn id(self) -> Uuid {
        let named = |name: &str, of: &dyn fmt::Display| {
            let mut bytes = [0; 16];
            bytes.copy_from_slice(&Sha256::digest(format!("{name} {of}"))[..16]);
            Uuid::from_bytes(bytes)
        };
        match self {
            Self::Key(key) => key.0,
            Self::Uploads(key) => named("uploads", &key),
            Self::Addresses(key) => named("addresses", &key),
            Self::Console(key) => named("console", &key),
            Self::Operator(key) => named("operator", &key),
            Self::Previews(org) => named("previews", &org),
            Self::TruthPages(network) => named("truth pages", &network),
        }
    }
}

impl From<KeyId> for Counted {
    fn from(key: KeyId) -> Self {
        Self::Key(key)
    }
}

/// Who owes time for what they did, and is refused or delayed while they owe much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Debtor {
    /// A network that tried bad keys.
    Network(IpAddr),
    /// A network that looks at share links.
    Viewers(IpAddr),
    /// Viewers through a share link.
    ShareLink(ShareLinkId),
    /// Decisions and comments through a share link.
    Reviews(ShareLinkId),
}

/// The name that a store counts under.
impl fmt::Display for Debtor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Network(network) => write!(f, "{network}"),
            Self::Viewers(network) => write!(f, "viewers in {network}"),
            Self::ShareLink(link) => write!(f, "viewers of {link}"),
            Self::Reviews(link) => write!(f, "reviews of {link}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use jiff::Timestamp;

    use super::*;

    #[test]
    fn what_is_counted_apart_has_ids_of_its_own() {
        let key = KeyId::new(Timestamp::UNIX_EPOCH);
        let all = [
            Counted::Key(key),
            Counted::Uploads(key),
            Counted::Addresses(key),
            Counted::Console(key),
            Counted::Operator(OperatorKeyId(key.0)),
            Counted::Previews(OrgId(key.0)),
            Counted::TruthPages(IpAddr::from([192, 0, 2, 1])),
        ];
        assert_eq!(all[0].id(), key.0);
        assert_eq!(all.map(Counted::id).into_iter().collect::<HashSet<_>>().len(), all.len());
    }
}
