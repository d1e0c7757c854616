//! Keys of operators, who sign in to their console with them: shown once, stored as a hash. They are no API keys, and API keys are no
//! operator keys.

use std::fmt;

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::api_key::{self, NoRandomness, NotAKey};
use crate::{KeyHash, OperatorKeyId};

/// Prefix of every operator key.
pub const PREFIX: &str = "aerie_op_";

const RANDOM_LENGTH: usize = 43;

/// Maximum length of the name of an operator key, characters.
pub const MAX_NAME: usize = 100;

/// An operator's key: `aerie_op_`, 43 random base62 characters (256 bits) and a checksum of 6 characters.
///
/// It has no `Display`, and `Debug` hides it, so that it cannot end up in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct OperatorKey(String);

impl OperatorKey {
    /// Generates a key.
    ///
    /// # Errors
    /// When the operating system's random number generator fails.
    pub fn generate() -> Result<Self, NoRandomness> {
        api_key::generate(PREFIX, RANDOM_LENGTH).map(Self)
    }

    /// Parses a key that an operator sent.
    ///
    /// # Errors
    /// When its format or checksum is wrong.
    pub fn parse(text: &str) -> Result<Self, NotAKey> {
        if api_key::is_key(text, PREFIX, RANDOM_LENGTH) { Ok(Self(text.to_owned())) } else { Err(NotAKey) }
    }

    /// The key itself, to be shown once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The hash to store and to look up.
    #[must_use]
    pub fn hash(&self) -> KeyHash {
        KeyHash(Sha256::digest(self.0.as_bytes()).into())
    }

    /// The first characters, by which people recognize a key.
    #[must_use]
    pub fn hint(&self) -> String {
        api_key::hint(&self.0, PREFIX)
    }
}

impl fmt::Debug for OperatorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OperatorKey(…)")
    }
}

/// The record of an operator's key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorKeyRecord {
    /// Identity of the record (not the key).
    pub id: OperatorKeyId,
    /// Whose it is, or what for.
    pub name: String,
    /// The key's first characters.
    pub hint: String,
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
    use crate::ApiKey;

    #[test]
    fn an_operator_key_has_its_own_prefix_and_256_random_bits_and_parses() {
        let key = OperatorKey::generate().unwrap();
        assert!(key.reveal().starts_with("aerie_op_"));
        assert_eq!(key.reveal().len(), 9 + 43 + 6);
        assert!(62f64.log2() * 43.0 >= 256.0);
        assert_eq!(OperatorKey::parse(key.reveal()), Ok(key.clone()));
        assert_ne!(key, OperatorKey::generate().unwrap());
        assert_eq!(key.hint(), format!("{}…", &key.reveal()[..13]));
        assert!(!format!("{key:?}").contains(&key.reveal()[9..]));
    }

    #[test]
    fn neither_kind_of_key_is_accepted_as_the_other() {
        let (operator, api) = (OperatorKey::generate().unwrap(), ApiKey::generate().unwrap());
        assert_eq!(ApiKey::parse(operator.reveal()), Err(NotAKey));
        for text in [api.reveal(), &operator.reveal()[1..], &operator.reveal().to_uppercase(), ""] {
            assert_eq!(OperatorKey::parse(text), Err(NotAKey), "{text}");
        }
    }
}
