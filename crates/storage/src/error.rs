//! Errors of a store.

/// Why a database of a build before 0.1.0, or a backup of one, is refused; follows its name.
pub const EARLIER_BUILD: &str = "was made by a build of Aerie before 0.1.0, whose databases are not read: start with a new data folder or \
                                 database (media and keys are not carried over), or keep the old program";

/// Why a store operation failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// Another worker holds the lease, or the job has ended.
    #[error("the lease on the job is lost")]
    LeaseLost,
    /// The database was written by a newer version.
    #[error(
        "the database has schema version {found}, but this version of Aerie supports at most {known}: \
         start the newer version, restore a backup made before the upgrade, or set [store] url to another database"
    )]
    NewerSchema {
        /// Version of the database.
        found: i64,
        /// Latest version that this build supports.
        known: i64,
    },
    /// The database was made by a build before 0.1.0.
    #[error("the database {}", EARLIER_BUILD)]
    EarlierBuild,
    /// The database belongs to another program.
    #[error("{0} is a database of another program: set [store] url to another")]
    ForeignDatabase(String),
    /// The database cannot be used as it is configured: the message names the key and the remedy.
    #[error("{0}")]
    Unusable(String),
    /// The markup's stage does not allow the step.
    #[error(transparent)]
    MarkupRefused(#[from] aerie_domain::MarkupRefusal),
    /// The database's disk is full.
    #[error("the disk with the database of [store] url is full: free space there")]
    Full,
    /// Another process locked the database for too long.
    #[error("the database is busy")]
    Busy,
    /// The database's file is damaged, or cannot be read.
    #[error("the database is corrupt: {0}")]
    Corrupt(String),
    /// Any other failure of the database.
    #[error("the database failed: {0}")]
    Backend(String),
    /// The store is closed.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// Whether what failed may have taken effect, or may yet: the reply to a commit can be lost.
    #[must_use]
    pub fn may_have_taken_effect(&self) -> bool {
        matches!(self, Self::Backend(_) | Self::Closed)
    }
}
