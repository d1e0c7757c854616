//! API keys: shown once, stored as a hash.

use std::fmt;

use sha2::{Digest, Sha256};

/// Prefix of every key.
pub const PREFIX: &str = "aerie_live_";

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH: usize = 32;
const CHECKSUM_LENGTH: usize = 6;

/// An API key: `aerie_live_`, 32 random base62 characters (190 bits) and a checksum of 6 characters. The checksum detects a
/// mistyped key without a lookup, and lets secret scanners verify a finding.
///
/// It has no `Display`, and `Debug` hides it, so that it cannot end up in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

/// SHA-256 of a key, which is all that is stored. The key is random, so that no slow hash is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyHash(pub [u8; 32]);

/// The operating system's random number generator failed.
#[derive(Debug, thiserror::Error)]
#[error("the system's random number generator failed: {0}")]
pub struct NoRandomness(pub(crate) getrandom::Error);

/// The text is not a key: wrong format or wrong checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an API key")]
pub struct NotAKey;

impl ApiKey {
    /// Generates a key.
    ///
    /// # Errors
    /// When the operating system's random number generator fails.
    pub fn generate() -> Result<Self, NoRandomness> {
        generate(PREFIX, RANDOM_LENGTH).map(Self)
    }

    /// Parses a key that a client sent.
    ///
    /// # Errors
    /// When its format or checksum is wrong.
    pub fn parse(text: &str) -> Result<Self, NotAKey> {
        if is_key(text, PREFIX, RANDOM_LENGTH) { Ok(Self(text.to_owned())) } else { Err(NotAKey) }
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
        hint(&self.0, PREFIX)
    }
}

/// A prefix, random base62 characters, and a checksum of both.
pub(crate) fn generate(prefix: &str, random_length: usize) -> Result<String, NoRandomness> {
    let mut text = String::with_capacity(prefix.len() + random_length + CHECKSUM_LENGTH);
    text.push_str(prefix);
    push_random(&mut text, random_length)?;
    let checksum = checksum(&text);
    text.push_str(&checksum);
    Ok(text)
}

/// Whether a text has the form and the checksum of what [`generate`] makes.
pub(crate) fn is_key(text: &str, prefix: &str, random_length: usize) -> bool {
    let Some(random) = text.strip_prefix(prefix) else { return false };
    if random.len() != random_length + CHECKSUM_LENGTH || !random.bytes().all(|byte| DIGITS.contains(&byte)) {
        return false;
    }
    let (body, given) = text.split_at(text.len() - CHECKSUM_LENGTH);
    checksum(body) == given
}

/// The prefix and the first characters after it.
pub(crate) fn hint(text: &str, prefix: &str) -> String {
    format!("{}…", &text[..prefix.len() + 4])
}

/// Adds random base62 characters.
pub(crate) fn push_random(text: &mut String, count: usize) -> Result<(), NoRandomness> {
    let length = text.len() + count;
    let mut bytes = [0u8; 64];
    while text.len() < length {
        getrandom::fill(&mut bytes).map_err(NoRandomness)?;
        // 248 is the largest multiple of 62 in a byte. Larger values would favor some characters.
        for byte in bytes.iter().filter(|byte| **byte < 248) {
            if text.len() < length {
                text.push(char::from(DIGITS[usize::from(*byte) % 62]));
            }
        }
    }
    Ok(())
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

/// CRC-32 as six base62 digits.
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
    fn a_key_has_the_documented_format_and_parses() {
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
    fn a_key_with_one_changed_character_is_rejected() {
        let key = ApiKey::generate().unwrap();
        for at in PREFIX.len()..key.reveal().len() {
            let mut text = key.reveal().to_owned().into_bytes();
            text[at] = if text[at] == b'a' { b'b' } else { b'a' };
            assert_eq!(ApiKey::parse(std::str::from_utf8(&text).unwrap()), Err(NotAKey), "at {at}");
        }
    }

    #[test]
    fn other_texts_are_rejected() {
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
