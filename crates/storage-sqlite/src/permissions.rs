//! Who may read a database file: it holds the secret that signs links.

use std::fs::{OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use aerie_storage::StoreError;

use crate::error::Result;

/// How long another process may take from creating a database file to writing to it.
const CREATION: Duration = Duration::from_secs(2);

/// Creates an empty file that only its owner can read; fails when it exists.
pub(crate) fn create(file: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(file).map(drop)
}

/// Creates the database file for its owner alone, or takes an existing one away from everyone outside its group. SQLite gives new `-wal` and `-shm` files the permissions of the database.
///
/// # Errors
/// When the file cannot be created, or exists and is empty: SQLite would take a database that lost its content for a new one.
pub(crate) fn restrict(database: &Path) -> Result<()> {
    match create(database) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        created => return Ok(created?),
    }
    refuse_empty(database)?;
    for suffix in ["", "-wal", "-shm"] {
        let mut file = database.as_os_str().to_owned();
        file.push(suffix);
        let file = PathBuf::from(file);
        let Ok(metadata) = std::fs::metadata(&file) else { continue };
        let mode = metadata.permissions().mode();
        if mode & 0o007 != 0
            && let Err(error) = std::fs::set_permissions(&file, Permissions::from_mode(mode & !0o007))
        {
            // Another user owns it.
            tracing::warn!(%error, file = %file.display(), "everyone on this machine can read the database");
        }
    }
    Ok(())
}

fn refuse_empty(database: &Path) -> Result<()> {
    let until = Instant::now() + CREATION;
    while std::fs::metadata(database)?.len() == 0 {
        if Instant::now() > until {
            let what = format!("{} is empty; if it never had content, remove it", database.display());
            return Err(StoreError::Corrupt(what).into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}
