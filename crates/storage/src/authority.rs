//! The certificate authority of an installation, as stores keep it.

use std::fmt;

/// Certificate and private key of the authority, PEM. `Debug` does not show them.
#[derive(Clone, PartialEq, Eq)]
pub struct AuthoritySecret(String);

impl AuthoritySecret {
    /// An authority from its PEM.
    #[must_use]
    pub const fn new(pem: String) -> Self {
        Self(pem)
    }

    /// The PEM, for a store to keep.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for AuthoritySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AuthoritySecret(..)")
    }
}
