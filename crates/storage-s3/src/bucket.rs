//! The URL of a bucket: `s3://BUCKET/PREFIX`.

use std::fmt;

const EXPECTED: &str = "must be s3://BUCKET or s3://BUCKET/PREFIX, with letters, digits, `-`, `_` and `.`";

/// A bucket, and a prefix in it that all keys begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bucket {
    name: String,
    prefix: String,
}

impl Bucket {
    /// Parses a URL.
    ///
    /// # Errors
    /// What is expected.
    pub fn parse(url: &str) -> Result<Self, String> {
        let place = url.strip_prefix("s3://").ok_or(EXPECTED)?;
        let place = place.strip_suffix('/').unwrap_or(place);
        let (name, prefix) = place.split_once('/').unwrap_or((place, ""));
        let plain = |text: &str| {
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
            !matches!(text, "" | "." | "..") && text.bytes().all(is_plain)
        };
        let is_prefix = prefix.is_empty() || prefix.split('/').all(plain);
        if !plain(name) || !is_prefix {
            return Err(EXPECTED.to_owned());
        }
        Ok(Self { name: name.to_owned(), prefix: prefix.to_owned() })
    }

    /// Name of the bucket.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What all keys begin with; empty for none.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s3://{}", self.name)?;
        if self.prefix.is_empty() { Ok(()) } else { write!(f, "/{}", self.prefix) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_a_bucket_and_a_prefix() {
        for (url, name, prefix) in [
            ("s3://media", "media", ""),
            ("s3://media/", "media", ""),
            ("s3://my.media-1/aerie/eu", "my.media-1", "aerie/eu"),
            ("s3://media/aerie/", "media", "aerie"),
        ] {
            let bucket = Bucket::parse(url).unwrap();
            assert_eq!((bucket.name(), bucket.prefix()), (name, prefix), "{url}");
        }
        assert_eq!(Bucket::parse("s3://media/aerie/").unwrap().to_string(), "s3://media/aerie");
    }

    #[test]
    fn other_urls_are_refused() {
        for url in [
            "",
            "s3:",
            "s3://",
            "s3:///prefix",
            "file:media",
            "s3://media//x",
            "s3://media/../x",
            "s3://key:secret@media",
        ] {
            assert!(Bucket::parse(url).is_err(), "{url}");
        }
    }
}
