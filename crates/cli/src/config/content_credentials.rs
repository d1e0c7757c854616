//! `[credentials]`: who signs the Content Credentials of media.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use serde::Deserialize;

/// Settings of Content Credentials.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContentCredentials {
    pub(crate) enabled: bool,
    certificate: PathBuf,
    key: PathBuf,
}

impl ContentCredentials {
    /// The operator's certificate and key, if they are configured.
    pub(crate) fn files(&self) -> Option<(&Path, &Path)> {
        (!self.certificate.as_os_str().is_empty()).then_some((&self.certificate, &self.key))
    }

    /// # Errors
    /// When a key contradicts another.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        ensure!(
            self.certificate.as_os_str().is_empty() == self.key.as_os_str().is_empty(),
            "[credentials] needs both `certificate` and `key`, or neither"
        );
        let is_absolute = |path: &Path| path.as_os_str().is_empty() || path.is_absolute();
        ensure!(
            is_absolute(&self.certificate) && is_absolute(&self.key),
            "[credentials] certificate and key must be absolute paths, such as /etc/aerie/credentials.pem"
        );
        Ok(())
    }
}
