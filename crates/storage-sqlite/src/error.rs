//! Errors of SQLite as errors of a store.

use aerie_domain::MarkupRefusal;
use aerie_storage::StoreError;
use rusqlite::ErrorCode;

/// A [`StoreError`] that `?` also makes of SQLite's errors.
#[derive(Debug)]
pub(crate) struct Error(pub(crate) StoreError);

pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self(match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy,
            _ => StoreError::Backend(error.to_string()),
        })
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self(StoreError::Backend(error.to_string()))
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self(StoreError::Backend(error.to_string()))
    }
}

impl From<MarkupRefusal> for Error {
    fn from(refusal: MarkupRefusal) -> Self {
        Self(refusal.into())
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        Self(error)
    }
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        error.0
    }
}
