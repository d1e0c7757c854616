//! What can go wrong with a store.

/// Why a store did not do what it was asked to.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The job is not this worker's any more: another has it, or it has ended.
    #[error("the lease on the job is lost")]
    LeaseLost,
    /// The database was written by a newer version.
    #[error(
        "the database has schema version {found}, and this version of Aerie knows no later one than {known}: \
         start the newer version, or restore a backup made before it was first started"
    )]
    NewerSchema {
        /// Version found in the database.
        found: i64,
        /// Latest version known here.
        known: i64,
    },
    /// The file is some other program's database.
    #[error("{0} is a database of another program: name another file as [store] url")]
    ForeignDatabase(String),
    /// The markup is not at a stage that allows the step.
    #[error(transparent)]
    MarkupRefused(#[from] aerie_domain::MarkupRefusal),
    /// The disk is full.
    #[error("the disk with the database is full")]
    Full,
    /// Another process has held the database for longer than it was waited for.
    #[error("the database is busy")]
    Busy,
    /// The database failed.
    #[error("the database failed: {0}")]
    Backend(String),
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => StoreError::Full,
            Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => StoreError::Busy,
            _ => StoreError::Backend(error.to_string()),
        }
    }
}
