//! Remembers that the database is damaged.

use std::sync::OnceLock;

use crate::StoreError;

/// The first damage that any operation met. It stays: a damaged file does not heal, even if later operations do not touch
/// the damaged pages.
#[derive(Debug, Default)]
pub struct Damage(OnceLock<String>);

impl Damage {
    /// Records the error if it is damage.
    pub fn record(&self, error: &StoreError) {
        if let StoreError::Corrupt(what) = error
            && self.0.set(what.clone()).is_ok()
        {
            tracing::error!(%error, "damage found; stop the server and restore a backup");
        }
    }

    /// Whether damage was recorded.
    ///
    /// # Errors
    /// The damage.
    pub fn check(&self) -> Result<(), StoreError> {
        self.0.get().map_or(Ok(()), |what| Err(StoreError::Corrupt(what.clone())))
    }
}
