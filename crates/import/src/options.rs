//! What an import may use, and how it reports its progress.

use std::path::Path;

/// What an import may use, and how it reports its progress.
pub struct ImportOptions<'a> {
    /// The data folder; the pack is kept in `pack` inside it.
    pub data_dir: &'a Path,
    /// Receives progress; called often.
    pub progress: &'a (dyn Fn(ImportProgress) + Sync),
    /// Asked often; `true` ends the import with [`ImportError::Canceled`](crate::ImportError::Canceled) and the pack as it was.
    pub canceled: &'a (dyn Fn() -> bool + Sync),
    /// Whom pictures made from imported imagery must credit; overrides what the file itself says.
    pub attribution: Option<&'a str>,
}

/// How far an import has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportProgress {
    /// Name of the file, without its folder.
    pub file: String,
    /// What is being done with it.
    pub stage: &'static str,
    /// Bytes of the file, or addresses, done.
    pub done: u64,
    /// Bytes or addresses in all; 0 where it is not known.
    pub total: u64,
}
