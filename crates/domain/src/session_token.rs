//! Tokens of the console's sessions: in a cookie of the browser, stored as a hash.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::api_key::NoRandomness;

const BYTES: usize = 32;

/// A session's token: 256 random bits as 64 hexadecimal digits.
///
/// It has no `Display`, and `Debug` hides it, so that it cannot end up in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionToken(String);

/// SHA-256 of a token, which is all that is stored. The token is random, so that no slow hash is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SessionHash(pub [u8; 32]);

impl SessionToken {
    /// Generates a token.
    ///
    /// # Errors
    /// When the operating system's random number generator fails.
    pub fn generate() -> Result<Self, NoRandomness> {
        let mut bytes = [0u8; BYTES];
        getrandom::fill(&mut bytes).map_err(NoRandomness)?;
        Ok(Self(hex(&bytes)))
    }

    /// Parses a token that a browser sent; `None` when it has another form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_token = text.len() == 2 * BYTES && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        is_token.then(|| Self(text.to_owned()))
    }

    /// The token itself, for the cookie.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The hash to store and to look up.
    #[must_use]
    pub fn hash(&self) -> SessionHash {
        SessionHash(Sha256::digest(self.0.as_bytes()).into())
    }

    /// What a page of the console proves with that it may use the session, as a site that only makes the browser send the cookie
    /// cannot: 64 hexadecimal digits, from which the token cannot be computed.
    #[must_use]
    pub fn csrf(&self) -> String {
        hex(&Sha256::new().chain_update("csrf ").chain_update(self.0.as_bytes()).finalize())
    }
}

impl fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionToken(…)")
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_parses_and_its_hash_and_csrf_token_are_its_own() {
        let [one, other] = [(); 2].map(|()| SessionToken::generate().unwrap());
        assert_eq!(SessionToken::parse(one.reveal()), Some(one.clone()));
        assert_ne!(one, other);
        assert_ne!(one.hash(), other.hash());
        assert_ne!(one.csrf(), other.csrf());
        assert!(one.csrf().len() == 64 && one.csrf() != hex(&one.hash().0) && one.csrf() != one.reveal());
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in ["", "abc", &"a".repeat(63), &"a".repeat(65), &"A".repeat(64), &"g".repeat(64), &"é".repeat(32)] {
            assert_eq!(SessionToken::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_token_is_not_shown_by_debug() {
        let token = SessionToken::generate().unwrap();
        assert!(!format!("{token:?}").contains(token.reveal()));
    }
}
