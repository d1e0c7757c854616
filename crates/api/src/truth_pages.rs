//! Settings of the truth pages, and what is known about their files.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;

use crate::base_path;

/// How long a check of a file counts: many requests for one page share it.
const COUNTS: Duration = Duration::from_secs(60);
/// Maximum number of checks that are remembered.
const MAX_REMEMBERED: usize = 10_000;

/// Settings of the pages, and what is known about their files.
pub struct TruthPages {
    /// Start of their addresses: scheme, authority and perhaps a path, without a trailing slash.
    pub public_url: String,
    /// How long a page is kept; `None`: until it is erased.
    pub keep: Option<Duration>,
    /// Requests for pages and their files in any 60 seconds from one client address.
    pub requests_per_minute: u32,
    /// Checks Content Credentials.
    pub verifying: Arc<dyn Verifying>,
    /// What was found out about files a moment ago.
    pub(crate) checked: Checked,
}

impl TruthPages {
    /// Pages at this address.
    #[must_use]
    pub fn new(
        public_url: String,
        keep: Option<Duration>,
        requests_per_minute: u32,
        verifying: Arc<dyn Verifying>,
    ) -> Self {
        Self { public_url, keep, requests_per_minute, verifying, checked: Checked::default() }
    }

    /// The path of `public_url`, such as `/pages`; empty without one.
    pub(crate) fn base_path(&self) -> &str {
        base_path::of(&self.public_url)
    }

    /// The address of the page with this code.
    pub(crate) fn url(&self, code: &str) -> String {
        format!("{}/t/{code}", self.public_url)
    }
}

/// Checks the Content Credentials of stored media. It runs outside this process, which parses no manifests of untrusted files.
#[async_trait]
pub trait Verifying: Send + Sync {
    /// Returns, within seconds, what the Content Credentials of the media under `key` are worth.
    async fn verify(&self, key: &str) -> CredentialsCheck;
}

/// What Content Credentials are worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CredentialsCheck {
    /// The file has none.
    None,
    /// The file is as it was signed, by a signer of this service or another one who is trusted.
    Trusted(Option<String>),
    /// The file is as it was signed, by a signer who is not known here.
    Valid(Option<String>),
    /// The file was changed after it was signed.
    Changed,
    /// They are malformed or expired.
    Invalid,
    /// They could not be checked.
    Unknown,
}

/// What was found out about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileCheck {
    /// Whether it has the SHA-256 that was recorded when it was published; `None` if it is missing.
    pub(crate) is_unchanged: Option<bool>,
    /// Its Content Credentials.
    pub(crate) credentials: CredentialsCheck,
}

/// A stored file: its media key and its entity tag.
pub(crate) type Version = (String, String);

/// What was found out about files a moment ago.
#[derive(Default)]
pub(crate) struct Checked(Mutex<HashMap<Version, (Instant, FileCheck)>>);

impl Checked {
    /// What is known about a file.
    pub(crate) fn recall(&self, version: &Version) -> Option<FileCheck> {
        let known = self.lock();
        let (at, check) = known.get(version)?;
        (at.elapsed() < COUNTS).then(|| check.clone())
    }

    /// Notes what was found out about a file.
    pub(crate) fn note(&self, version: Version, check: FileCheck) {
        let mut known = self.lock();
        if known.len() >= MAX_REMEMBERED {
            known.clear();
        }
        known.insert(version, (Instant::now(), check));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Version, (Instant, FileCheck)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
