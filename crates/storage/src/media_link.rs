//! Signed links to media that expire.

use std::fmt;
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use sha2::Sha256;

/// How long a link is valid.
pub const LINK_LIFETIME: Duration = Duration::from_secs(7 * 24 * 3600);

/// Signs and checks links to media: HMAC-SHA256 over key and expiry. Anyone who has a link may use it, so that it works in
/// a `<video>` tag.
#[derive(Debug, Clone)]
pub struct MediaLinks {
    secret: LinkSecret,
}

/// The secret that signs links to media. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct LinkSecret([u8; 32]);

/// Why a link is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// The signature is right, and the link has expired.
    #[error("This link has expired; get the job again for a fresh one")]
    Expired,
    /// The signature is wrong.
    #[error("This link is not valid; get the job again for a good one")]
    Invalid,
}

impl MediaLinks {
    /// Links signed with this secret.
    #[must_use]
    pub const fn new(secret: LinkSecret) -> Self {
        Self { secret }
    }

    /// Path and query of a link to the media `key`, valid for [`LINK_LIFETIME`] from `now`.
    #[must_use]
    pub fn sign(&self, key: &str, now: Timestamp) -> String {
        self.sign_for(key, now, LINK_LIFETIME)
    }

    /// Path and query of a link to the media `key`, valid for `lifetime` from `now`.
    #[must_use]
    pub fn sign_for(&self, key: &str, now: Timestamp, lifetime: Duration) -> String {
        let expires = now.as_second() + i64::try_from(lifetime.as_secs()).unwrap_or(0);
        let signature = hex(&self.mac(key, expires).finalize().into_bytes());
        format!("/media/{key}?expires={expires}&signature={signature}")
    }

    /// Checks a link's key, expiry and signature.
    ///
    /// # Errors
    /// When the signature is wrong or the link has expired.
    pub fn check(&self, key: &str, expires: i64, signature: &str, now: Timestamp) -> Result<(), LinkError> {
        let signature = unhex(signature).ok_or(LinkError::Invalid)?;
        self.mac(key, expires).verify_slice(&signature).map_err(|_| LinkError::Invalid)?;
        if now.as_second() < expires { Ok(()) } else { Err(LinkError::Expired) }
    }

    fn mac(&self, key: &str, expires: i64) -> Hmac<Sha256> {
        // HMAC pads a short key with zeros to the hash's block size; done here, it cannot fail.
        let mut block = [0u8; 64];
        block[..32].copy_from_slice(&self.secret.0);
        let mut mac = Hmac::<Sha256>::new(&block.into());
        mac.update(key.as_bytes());
        mac.update(b"\n");
        mac.update(expires.to_string().as_bytes());
        mac
    }
}

impl LinkSecret {
    /// These 32 bytes.
    #[must_use]
    pub const fn new(secret: [u8; 32]) -> Self {
        Self(secret)
    }

    /// A random secret.
    ///
    /// # Errors
    /// When the operating system provides no randomness.
    pub fn generate() -> std::io::Result<Self> {
        let mut secret = [0u8; 32];
        getrandom::fill(&mut secret).map_err(std::io::Error::other)?;
        Ok(Self(secret))
    }

    /// Reads 64 hexadecimal digits; `None` when the text is anything else.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        unhex(text).map(Self)
    }

    /// The bytes, for a store to keep.
    #[must_use]
    pub const fn reveal(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for LinkSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LinkSecret(..)")
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0u8; 32];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(byte: u8) -> MediaLinks {
        MediaLinks::new(LinkSecret::new([byte; 32]))
    }

    fn parts(link: &str) -> (String, i64, String) {
        let (path, query) = link.split_once('?').unwrap();
        let (expires, signature) = query.split_once('&').unwrap();
        let expires = expires.strip_prefix("expires=").unwrap().parse().unwrap();
        (path.strip_prefix("/media/").unwrap().into(), expires, signature.strip_prefix("signature=").unwrap().into())
    }

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_link_is_valid_for_seven_days_and_then_reported_as_expired() {
        let links = links(7);
        let (key, expires, signature) = parts(&links.sign("a/b.mp4", time("2026-01-01T00:00:00Z")));
        assert_eq!(links.check(&key, expires, &signature, time("2026-01-01T00:00:00Z")), Ok(()));
        assert_eq!(links.check(&key, expires, &signature, time("2026-01-07T23:59:59Z")), Ok(()));
        assert_eq!(links.check(&key, expires, &signature, time("2026-01-08T00:00:00Z")), Err(LinkError::Expired));
    }

    #[test]
    fn a_link_with_anything_changed_is_not_valid() {
        let now = time("2026-01-01T00:00:00Z");
        let good = links(7);
        let (key, expires, signature) = parts(&good.sign("a/b.mp4", now));
        assert_eq!(good.check("a/c.mp4", expires, &signature, now), Err(LinkError::Invalid));
        assert_eq!(good.check(&key, expires + 1, &signature, now), Err(LinkError::Invalid));
        assert_eq!(good.check(&key, expires, &signature.replace(&signature[..1], "g"), now), Err(LinkError::Invalid));
        assert_eq!(good.check(&key, expires, "", now), Err(LinkError::Invalid));
        assert_eq!(links(8).check(&key, expires, &signature, now), Err(LinkError::Invalid));
    }

    #[test]
    fn two_generated_secrets_differ_and_debug_shows_neither() {
        let (one, other) = (LinkSecret::generate().unwrap(), LinkSecret::generate().unwrap());
        assert_ne!(one, other);
        let shown = format!("{:?} {one:?}", MediaLinks::new(one.clone()));
        assert_eq!(shown, "MediaLinks { secret: LinkSecret(..) } LinkSecret(..)");
    }

    #[test]
    fn a_secret_is_read_from_64_hexadecimal_digits_and_nothing_else() {
        let text = "00ff".repeat(16);
        assert_eq!(hex(LinkSecret::from_hex(&text).unwrap().reveal()), text);
        for bad in ["", "00", &"0g".repeat(32), &"00".repeat(33), &"é".repeat(32)] {
            assert_eq!(LinkSecret::from_hex(bad), None, "{bad}");
        }
    }
}
