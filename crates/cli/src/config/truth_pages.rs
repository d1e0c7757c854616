//! `[truth_pages]`: public pages that show altered pictures beside their originals, and the operator's disclosure profiles.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use aerie_disclosure::Profiles;
use anyhow::ensure;
use serde::Deserialize;

use super::public_url;

/// Settings of truth pages.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TruthPages {
    public_url: String,
    keep_days: u32,
    pub(crate) requests_per_minute: NonZeroU32,
    profiles: PathBuf,
}

impl TruthPages {
    /// Start of the addresses of pages.
    pub(crate) fn public_url(&self, base_url: &str) -> String {
        if self.public_url.is_empty() { base_url.to_owned() } else { self.public_url.clone() }
    }

    /// How long a page is kept; `None`: until it is erased.
    pub(crate) fn keep(&self) -> Option<Duration> {
        (self.keep_days > 0).then(|| Duration::from_secs(24 * 60 * 60 * u64::from(self.keep_days)))
    }

    /// The disclosure profiles of the program and of the operator's folder.
    ///
    /// # Errors
    /// The file that cannot be used, and why.
    pub(crate) fn profiles(&self) -> anyhow::Result<Profiles> {
        match self.profiles.as_os_str().is_empty() {
            true => Ok(Profiles::built_in()),
            false => Ok(Profiles::with_own(&self.profiles)?),
        }
    }

    /// # Errors
    /// When a key has a value that cannot be used.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        if !self.public_url.is_empty() {
            public_url::check("[truth_pages] public_url", &self.public_url)?;
        }
        ensure!(
            self.profiles.as_os_str().is_empty() || self.profiles.is_absolute(),
            "[truth_pages] profiles must be an absolute path, such as /etc/aerie/profiles"
        );
        Ok(())
    }
}
