//! API keys: shown once, kept as a hash.

use std::fmt;

use sha2::{Digest, Sha256};

/// What every key begins with.
pub const PREFIX: &str = "aerie_live_";

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH: usize = 32;
const CHECKSUM_LENGTH: usize = 6;

/// An API key: `aerie_live_`, 32 random base62 characters (190 bits) and 6 of checksum, which tell a mistyped key from
/// an unknown one without a look into the store, and let scanners of source code be sure of what they found.
///
/// It has no `Display` and its `Debug` shows nothing, so that it cannot slip into a log.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

/// SHA-256 of a key: all that is stored of it. The key is random, so that no slow hash is called for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyHash(pub [u8; 32]);

/// The system gave no randomness.
#[derive(Debug, thiserror::Error)]
#[error("the system's random number generator failed: {0}")]
pub struct NoRandomness(getrandom::Error);

/// The text does not have the form of a key, or its checksum does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an API key")]
pub struct NotAKey;

impl ApiKey {
    /// A new key from the system's randomness.
    ///
    /// # Errors
    /// When the system has no randomness to give.
    pub fn generate() -> Result<Self, NoRandomness> {
        let mut text = String::with_capacity(PREFIX.len() + RANDOM_LENGTH + CHECKSUM_LENGTH);
        text.push_str(PREFIX);
        let mut bytes = [0u8; 64];
        while text.len() < PREFIX.len() + RANDOM_LENGTH {
            getrandom::fill(&mut bytes).map_err(NoRandomness)?;
            // 248 is the largest multiple of 62 that a byte can hold: beyond it some characters would be likelier.
            for byte in bytes.iter().filter(|byte| **byte < 248) {
                if text.len() < PREFIX.len() + RANDOM_LENGTH {
                    text.push(char::from(DIGITS[usize::from(*byte) % 62]));
                }
            }
        }
        let checksum = checksum(&text);
        text.push_str(&checksum);
        Ok(Self(text))
    }

    /// Reads a key as a client sent it.
    ///
    /// # Errors
    /// When it has another form or a checksum that does not fit.
    pub fn parse(text: &str) -> Result<Self, NotAKey> {
        let random = text.strip_prefix(PREFIX).ok_or(NotAKey)?;
        if random.len() != RANDOM_LENGTH + CHECKSUM_LENGTH || !random.bytes().all(|byte| DIGITS.contains(&byte)) {
            return Err(NotAKey);
        }
        let (body, given) = text.split_at(text.len() - CHECKSUM_LENGTH);
        if checksum(body) != given {
            return Err(NotAKey);
        }
        Ok(Self(text.to_owned()))
    }

    /// The key itself: for the one moment in which it is shown.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is stored and looked up.
    #[must_use]
    pub fn hash(&self) -> KeyHash {
        KeyHash(Sha256::digest(self.0.as_bytes()).into())
    }

    /// The first characters, by which people tell their keys apart.
    #[must_use]
    pub fn hint(&self) -> String {
        format!("{}…", &self.0[..PREFIX.len() + 4])
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

/// CRC-32 in base62, six digits, which hold 2^32 with room to spare.
fn checksum(text: &str) -> String {
    let mut crc = crc32fast::hash(text.as_bytes());
    let mut digits = [b'0'; CHECKSUM_LENGTH];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(crc % 62) as usize];
        crc /= 62;
    }
    digits.iter().map(|digit| char::from(*digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_the_form_of_the_contract_and_reads_back() {
        let key = ApiKey::generate().unwrap();
        assert_eq!(key.reveal().len(), 11 + 32 + 6);
        assert!(key.reveal().starts_with("aerie_live_"));
        assert_eq!(ApiKey::parse(key.reveal()), Ok(key));
    }

    #[test]
    fn two_keys_differ() {
        assert_ne!(ApiKey::generate().unwrap(), ApiKey::generate().unwrap());
    }

    #[test]
    fn a_key_with_one_character_changed_is_no_key() {
        let key = ApiKey::generate().unwrap();
        for at in PREFIX.len()..key.reveal().len() {
            let mut text = key.reveal().to_owned().into_bytes();
            text[at] = if text[at] == b'a' { b'b' } else { b'a' };
            assert_eq!(ApiKey::parse(std::str::from_utf8(&text).unwrap()), Err(NotAKey), "at {at}");
        }
    }

    #[test]
    fn other_texts_are_no_keys() {
        for text in ["", "aerie_live_", "sk_live_00000000000000000000000000000000abcdef", "aerie_live_é", "💥"] {
            assert_eq!(ApiKey::parse(text), Err(NotAKey), "{text}");
        }
    }

    #[test]
    fn a_key_is_not_shown_by_debug() {
        let key = ApiKey::generate().unwrap();
        assert!(!format!("{key:?}").contains(&key.reveal()[11..]));
    }
}
