//! The URL of a Redis server: `redis://USER:PASSWORD@HOST:PORT/DATABASE`, or `rediss://` for TLS.
//!
//! The password is shown neither by `Debug` nor by `Display`, and no error quotes the URL: in a malformed one, any part may
//! be the password.

use std::fmt;
use std::path::{Path, PathBuf};

use redis::{ConnectionInfo, IntoConnectionInfo};

/// The schemes of these URLs. Those of Valkey are synonyms.
pub(crate) const SCHEMES: [&str; 4] = ["redis://", "rediss://", "valkey://", "valkeys://"];

const EXPECTED: &str = "must be redis://USER:PASSWORD@HOST:PORT/DATABASE, or rediss:// for TLS; user, password, port and \
                        number of the database may be left out, and special characters of the password are percent-encoded";

/// The URL of a server.
#[derive(Clone)]
pub struct RedisUrl {
    info: ConnectionInfo,
    /// Scheme, host, port and database.
    shown: String,
    /// The file of certificate authorities, if not those of the operating system.
    roots: Option<PathBuf>,
}

impl RedisUrl {
    /// Returns whether a URL has the scheme of Redis or Valkey.
    #[must_use]
    pub fn is_of(url: &str) -> bool {
        SCHEMES.iter().any(|scheme| url.starts_with(scheme))
    }

    /// Parses a URL. With TLS, the certificate is checked, against the authorities of the operating system or those of the PEM
    /// file in the parameter `sslrootcert`.
    ///
    /// # Errors
    /// What is wrong, without any part of the URL.
    pub fn parse(url: &str) -> Result<Self, String> {
        let expected = || EXPECTED.to_owned();
        let parsed = redis::parse_redis_url(url).filter(|_| Self::is_of(url)).ok_or_else(expected)?;
        // A `#` or `?` that is not percent-encoded may begin a part of the password.
        let roots = match parsed.query().map(|query| query.strip_prefix("sslrootcert=")) {
            None => None,
            Some(Some(file)) if !file.is_empty() && !file.contains(['&', '@']) => Some(PathBuf::from(file)),
            Some(_) => return Err(expected()),
        };
        let host = parsed.host_str().filter(|host| !host.is_empty()).ok_or_else(expected)?;
        let is_encrypted = matches!(parsed.scheme(), "rediss" | "valkeys");
        let has_user_only = !parsed.username().is_empty() && parsed.password().is_none_or(str::is_empty);
        if parsed.fragment().is_some() || has_user_only || (roots.is_some() && !is_encrypted) {
            return Err(expected());
        }
        let database = parsed.path().trim_start_matches('/');
        if !database.chars().all(|digit| digit.is_ascii_digit()) {
            return Err(expected());
        }
        let scheme = if is_encrypted { "rediss" } else { "redis" };
        let port = parsed.port().unwrap_or(6379);
        let mut shown = format!("{scheme}://{host}:{port}");
        if !database.is_empty() {
            shown = format!("{shown}/{database}");
        }
        let mut plain = parsed.clone();
        plain.set_query(None);
        let info = plain.into_connection_info().map_err(|_| expected())?;
        Ok(Self { info, shown, roots })
    }

    pub(crate) fn info(&self) -> ConnectionInfo {
        self.info.clone()
    }

    pub(crate) fn roots(&self) -> Option<&Path> {
        self.roots.as_deref()
    }
}

/// Without user and password.
impl fmt::Display for RedisUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for RedisUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_and_password_are_never_shown() {
        for (url, expected) in [
            ("redis://:s3cr%40t@cache.example", "redis://cache.example:6379"),
            ("rediss://aerie:s3cr3t@cache.example:6380/2", "rediss://cache.example:6380/2"),
            ("valkey://aerie:s3cr3t@[::1]:7000/", "redis://[::1]:7000"),
            ("valkeys://:s3cr3t@10.0.0.1?sslrootcert=/etc/ca.pem", "rediss://10.0.0.1:6379"),
        ] {
            let parsed = RedisUrl::parse(url).unwrap();
            assert_eq!((parsed.to_string().as_str(), format!("{parsed:?}").as_str()), (expected, expected), "{url}");
        }
    }

    #[test]
    fn a_malformed_url_is_refused_without_quoting_it() {
        for url in [
            "redis://",
            "redis:s3cr3t@host",
            "redis://s3cr3t@host",
            "redis://:s3?cr3t@host",
            "redis://:s3#cr3t@host",
            "redis://:s3/cr3t@host",
            "redis://:s3cr3t@host:port",
            "redis://:s3cr3t@host/cr3t",
            "redis://:s3cr3t@host?password=s3cr3t",
            "redis://:s3cr3t@host?sslrootcert=/etc/ca.pem",
            "rediss://:s3cr3t@host#insecure",
            "redis+unix:///s3cr3t",
            "http://:s3cr3t@host",
        ] {
            let error = RedisUrl::parse(url).unwrap_err();
            assert!(error.starts_with("must be redis://") && !error.contains("cr3t"), "{url}: {error}");
        }
    }
}
