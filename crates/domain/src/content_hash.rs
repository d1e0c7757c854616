//! The name of content that never changes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// SHA-256 of some content, such as a published pack; as text, 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// A digest as a name.
    #[must_use]
    pub const fn new(digest: [u8; 32]) -> Self {
        Self(digest)
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ContentHash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        if text.len() != 64 || !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(NotAHash);
        }
        let mut digest = [0; 32];
        for (at, byte) in digest.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).map_err(|_| NotAHash)?;
        }
        Ok(Self(digest))
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for ContentHash {
    type Error = NotAHash;

    fn try_from(text: String) -> Result<Self, NotAHash> {
        text.parse()
    }
}

/// The text is not a SHA-256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a SHA-256 of 64 lower-case hexadecimal digits")]
pub struct NotAHash;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_64_lower_case_digits_are_a_hash() {
        let hash = ContentHash::new(std::array::from_fn(|at| at as u8 * 8));
        let text = hash.to_string();
        assert_eq!((text.len(), text.parse()), (64, Ok(hash)));
        assert_eq!(serde_json::from_str::<ContentHash>(&format!("\"{text}\"")).unwrap(), hash);
        for wrong in ["", "00", &text[1..], &text.to_uppercase(), &text.replace('0', "é"), &format!("{text}0")] {
            assert_eq!(wrong.parse::<ContentHash>(), Err(NotAHash), "{wrong}");
        }
    }
}
