//! Errors of reading point clouds.

use std::io;

/// Why a point cloud could not be read.
#[derive(Debug, thiserror::Error)]
pub enum LidarError {
    /// The file could not be opened or read.
    #[error("the file cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The file is not a LAS or LAZ file.
    #[error("not a LAS or LAZ file: it does not start with \"LASF\"")]
    NotLas,
    /// The file ends before its content does.
    #[error("the file is truncated: {0}")]
    Truncated(String),
    /// The file contradicts itself or the standard.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// The file uses a feature that is not supported.
    #[error("not supported: {0}")]
    Unsupported(String),
}

impl LidarError {
    /// A [`LidarError::Damaged`] with this text.
    pub(crate) fn damaged(text: impl Into<String>) -> Self {
        Self::Damaged(text.into())
    }

    /// A [`LidarError::Truncated`] with this text.
    pub(crate) fn truncated(text: impl Into<String>) -> Self {
        Self::Truncated(text.into())
    }
}
