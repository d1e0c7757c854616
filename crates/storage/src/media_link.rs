//! Links to media: signed, and good for a while.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use sha2::Sha256;

/// How long a link is good.
pub const LINK_LIFE: Duration = Duration::from_secs(7 * 24 * 3600);

/// Signs links to media and checks them: HMAC-SHA256 over key and expiry, with a secret that never leaves the data
/// folder. Whoever has a link may use it, which is what makes it fit for a `<video>` tag.
#[derive(Clone)]
pub struct MediaLinks {
    secret: [u8; 32],
}

/// Why a link opens nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// It was good once.
    #[error("This link has expired; get the job again for a fresh one")]
    Expired,
    /// It was not made here, or has been changed.
    #[error("This link is not valid; get the job again for a good one")]
    Invalid,
}

impl MediaLinks {
    /// Signs with this secret.
    #[must_use]
    pub const fn new(secret: [u8; 32]) -> Self {
        Self { secret }
    }

    /// Signs with the secret in `file`, which is made, readable by its owner alone, if it is not there.
    ///
    /// # Errors
    /// When the file cannot be read or written, or holds something else.
    pub fn open(file: &Path) -> std::io::Result<Self> {
        if !file.exists() {
            create_secret(file)?;
        }
        let secret = std::fs::read(file)?;
        let wrong = || std::io::Error::other(format!("{} does not hold a secret of 32 bytes", file.display()));
        Ok(Self::new(secret.try_into().map_err(|_| wrong())?))
    }

    /// Path and query of a link to the media `key` that is good for [`LINK_LIFE`] from `now`.
    #[must_use]
    pub fn sign(&self, key: &str, now: Timestamp) -> String {
        let expires = now.as_second() + i64::try_from(LINK_LIFE.as_secs()).unwrap_or(0);
        let signature: String =
            self.mac(key, expires).finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        format!("/media/{key}?expires={expires}&signature={signature}")
    }

    /// Checks a link's key, expiry and signature.
    ///
    /// # Errors
    /// When the link is not ours, or no longer good.
    pub fn check(&self, key: &str, expires: i64, signature: &str, now: Timestamp) -> Result<(), LinkError> {
        let signature = unhex(signature).ok_or(LinkError::Invalid)?;
        self.mac(key, expires).verify_slice(&signature).map_err(|_| LinkError::Invalid)?;
        if now.as_second() < expires { Ok(()) } else { Err(LinkError::Expired) }
    }

    fn mac(&self, key: &str, expires: i64) -> Hmac<Sha256> {
        // HMAC fills a short key up with zeros to the hash's block; done here, it cannot fail.
        let mut block = [0u8; 64];
        block[..32].copy_from_slice(&self.secret);
        let mut mac = Hmac::<Sha256>::new(&block.into());
        mac.update(key.as_bytes());
        mac.update(b"\n");
        mac.update(expires.to_string().as_bytes());
        mac
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    (0..32).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()).collect()
}

/// Writes a new secret whole or not at all; when another process was quicker, its secret stays.
fn create_secret(file: &Path) -> std::io::Result<()> {
    let mut secret = [0u8; 32];
    getrandom::fill(&mut secret).map_err(std::io::Error::other)?;
    let folder = file.parent().unwrap_or(Path::new("."));
    // Temporary files are readable by their owner alone (0600), and stay so when they get their name.
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    temporary.write_all(&secret)?;
    temporary.as_file().sync_all()?;
    match temporary.persist_noclobber(file) {
        Err(error) if error.error.kind() != std::io::ErrorKind::AlreadyExists => Err(error.error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_link_is_good_for_seven_days_and_then_says_that_it_has_expired() {
        let links = MediaLinks::new([7; 32]);
        let (key, expires, signature) = parts(&links.sign("a/b.mp4", time("2026-01-01T00:00:00Z")));
        assert_eq!(links.check(&key, expires, &signature, time("2026-01-01T00:00:00Z")), Ok(()));
        assert_eq!(links.check(&key, expires, &signature, time("2026-01-07T23:59:59Z")), Ok(()));
        assert_eq!(links.check(&key, expires, &signature, time("2026-01-08T00:00:00Z")), Err(LinkError::Expired));
    }

    #[test]
    fn a_link_with_anything_changed_is_not_valid() {
        let now = time("2026-01-01T00:00:00Z");
        let links = MediaLinks::new([7; 32]);
        let (key, expires, signature) = parts(&links.sign("a/b.mp4", now));
        assert_eq!(links.check("a/c.mp4", expires, &signature, now), Err(LinkError::Invalid));
        assert_eq!(links.check(&key, expires + 1, &signature, now), Err(LinkError::Invalid));
        assert_eq!(links.check(&key, expires, &signature.replace(&signature[..1], "g"), now), Err(LinkError::Invalid));
        assert_eq!(links.check(&key, expires, "", now), Err(LinkError::Invalid));
        assert_eq!(MediaLinks::new([8; 32]).check(&key, expires, &signature, now), Err(LinkError::Invalid));
    }

    #[test]
    fn the_secret_is_made_once_and_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("media.key");
        let first = MediaLinks::open(&file).unwrap();
        let second = MediaLinks::open(&file).unwrap();
        assert_eq!(first.secret, second.secret);
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_broken_secret_is_refused_and_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("media.key");
        std::fs::write(&file, "short").unwrap();
        assert!(MediaLinks::open(&file).is_err());
        assert_eq!(std::fs::read(&file).unwrap(), b"short");
    }
}
