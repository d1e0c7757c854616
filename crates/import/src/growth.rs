//! How much a file may unpack to.

use std::path::Path;

use crate::error::ImportError;

/// Maximum compression ratio. Maps unpack to about twelve times their size; a hundred times is not a map.
const MAX_GROWTH: u64 = 100;
/// What any file may unpack to, bytes.
const FREE: u64 = 64 << 20;

/// Number of bytes that a file of `length` bytes may unpack to.
pub(crate) fn most(length: u64) -> u64 {
    length.saturating_mul(MAX_GROWTH).saturating_add(FREE)
}

/// Counts what a file unpacks to.
pub(crate) struct Growth<'a> {
    path: &'a Path,
    left: u64,
}

impl<'a> Growth<'a> {
    pub(crate) fn new(path: &'a Path, length: u64) -> Self {
        Self { path, left: most(length) }
    }

    /// Number of bytes that may still be unpacked.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Counts bytes; an error once there are too many.
    pub(crate) fn add(&mut self, bytes: u64) -> Result<(), ImportError> {
        let left = self.left.checked_sub(bytes);
        let too_much = || format!("it unpacks to more than {MAX_GROWTH} times its size");
        self.left = left.ok_or_else(|| ImportError::damaged(self.path, too_much()))?;
        Ok(())
    }
}
