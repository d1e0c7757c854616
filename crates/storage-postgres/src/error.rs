//! Errors of PostgreSQL as errors of a store.

use aerie_domain::MarkupRefusal;
use aerie_storage::StoreError;
use tokio_postgres::error::SqlState;

/// A [`StoreError`] that `?` also makes of PostgreSQL's errors.
#[derive(Debug)]
pub(crate) struct Error(pub(crate) StoreError);

pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        Self(match error.code() {
            Some(code) if is_full(code) => StoreError::Full,
            Some(code) if is_busy(code) => StoreError::Busy,
            Some(&SqlState::DATA_CORRUPTED | &SqlState::INDEX_CORRUPTED) => StoreError::Corrupt(text(&error)),
            Some(&SqlState::INSUFFICIENT_PRIVILEGE | &SqlState::READ_ONLY_SQL_TRANSACTION) => {
                StoreError::Unusable(format!("[store] url: {}; {MAY_WRITE}", text(&error)))
            }
            _ => StoreError::Backend(text(&error)),
        })
    }
}

/// What to do when the role may not write.
pub(crate) const MAY_WRITE: &str = "name the primary, and a role that owns the schema `aerie` or may create it (GRANT CREATE ON \
                         DATABASE ... TO ...)";

fn is_full(code: &SqlState) -> bool {
    *code == SqlState::DISK_FULL
}

/// A lock that was waited for too long, a statement that took too long, or a server without free connections.
fn is_busy(code: &SqlState) -> bool {
    let codes = [
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::QUERY_CANCELED,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::TOO_MANY_CONNECTIONS,
    ];
    codes.contains(code)
}

/// The message, with its causes. Details are left out: they quote rows.
pub(crate) fn text(error: &tokio_postgres::Error) -> String {
    if let Some(error) = error.as_db_error() {
        return format!("{} (SQLSTATE {})", error.message(), error.code().code());
    }
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        let next = error.to_string();
        if !text.contains(&next) {
            text = format!("{text}: {next}");
        }
        cause = error.source();
    }
    text
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
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
