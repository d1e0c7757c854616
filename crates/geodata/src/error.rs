//! Errors of region packs and online sources.

use std::path::PathBuf;

/// A region pack could not be read or made.
#[derive(Debug, thiserror::Error)]
pub enum GeodataError {
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Path of the file or folder.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The pack's database could not be read.
    #[error("the region pack cannot be read ({0}); import the map data again")]
    Database(#[from] rusqlite::Error),
    /// The pack was written by another version.
    #[error("{} was made by another version of Aerie; import the map data again", path.display())]
    OtherVersion {
        /// Path of the pack.
        path: PathBuf,
    },
    /// A file of imagery could not be read.
    #[error("the imagery {} cannot be read ({why}); import it again, or remove it", path.display())]
    Imagery {
        /// Path of the file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// An online source failed.
    #[error("the source `{name}` cannot be used: {why}; look at [sources] in the configuration, or try again later")]
    Source {
        /// Name of the source.
        name: String,
        /// What is wrong, without its URL.
        why: String,
    },
    /// The pack does not contain the match: it was imported again since.
    #[error("the matched address is no longer in the map data; look it up again")]
    StaleMatch,
}

impl GeodataError {
    /// An error on a file or folder.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }
}
