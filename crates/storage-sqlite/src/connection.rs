//! Connections.

use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use crate::error::Result;

/// How long to wait for another process's transaction.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) fn connect(path: &Path) -> Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // SQLite does not wait for a lock when it changes the journal mode, as other processes do that open a new database too.
    let deadline = std::time::Instant::now() + BUSY_TIMEOUT;
    while let Err(error) = connection.pragma_update(None, "journal_mode", "WAL") {
        let is_busy = error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy);
        if !is_busy || std::time::Instant::now() > deadline {
            return Err(error.into());
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    connection.pragma_update(None, "synchronous", "FULL")?;
    // A long read lets the log grow; afterwards it is cut to this size, bytes.
    connection.pragma_update(None, "journal_size_limit", 64 << 20)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Finds a damaged page when it is read, before its content is used or written back.
    connection.pragma_update(None, "cell_size_check", true)?;
    // A plan must hold for every value of its parameters: otherwise SQLite plans some statements again at each use.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}
