//! Counts of the requests to a media store.

use std::sync::atomic::{AtomicU64, Ordering};

/// An operation of a media store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaOperation {
    /// A file is stored.
    Put,
    /// A file or a range of it is opened to be read.
    Get,
    /// Size and tag of a file are read.
    Head,
    /// A file is copied.
    Copy,
    /// Files are deleted.
    Delete,
    /// Files are listed.
    List,
}

impl MediaOperation {
    /// Every operation.
    pub const ALL: [Self; 6] = [Self::Put, Self::Get, Self::Head, Self::Copy, Self::Delete, Self::List];

    /// The name in metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Put => "put",
            Self::Get => "get",
            Self::Head => "head",
            Self::Copy => "copy",
            Self::Delete => "delete",
            Self::List => "list",
        }
    }
}

/// Requests since the store was opened.
#[derive(Debug, Default)]
pub(crate) struct MediaRequests([[AtomicU64; 2]; MediaOperation::ALL.len()]);

impl MediaRequests {
    /// Counts a request. That there are no such media is an answer.
    pub(crate) fn count<T>(
        &self,
        operation: MediaOperation,
        result: Result<T, object_store::Error>,
    ) -> Result<T, object_store::Error> {
        let failed = result.as_ref().is_err_and(|error| !matches!(error, object_store::Error::NotFound { .. }));
        self.0[operation as usize][usize::from(failed)].fetch_add(1, Ordering::Relaxed);
        result
    }

    /// Counts the failure of a request that had begun to succeed.
    pub(crate) fn fail(&self, operation: MediaOperation) {
        self.0[operation as usize][1].fetch_add(1, Ordering::Relaxed);
    }

    /// Number of requests that succeeded, and that failed.
    pub(crate) fn of(&self, operation: MediaOperation) -> [u64; 2] {
        self.0[operation as usize].each_ref().map(|count| count.load(Ordering::Relaxed))
    }
}
