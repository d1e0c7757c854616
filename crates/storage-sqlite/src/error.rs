//! Errors of SQLite as errors of a store.

use aerie_domain::MarkupRefusal;
use aerie_storage::StoreError;
use rusqlite::{ErrorCode, ffi};

/// A [`StoreError`] that `?` also makes of SQLite's errors.
#[derive(Debug)]
pub(crate) struct Error(pub(crate) StoreError);

pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self(match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Corrupt(error.to_string()),
            Some(ErrorCode::SystemIoFailure) if is_unreadable(&error) => StoreError::Corrupt(error.to_string()),
            _ => StoreError::Backend(error.to_string()),
        })
    }
}

/// Whether the file was cut short, or its file system is damaged. A failed read alone may be a disk that is away for a moment.
fn is_unreadable(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code.is_some_and(|code| [ffi::SQLITE_IOERR_SHORT_READ, ffi::SQLITE_IOERR_CORRUPTFS].contains(&code))
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
