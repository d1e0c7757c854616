//! The installation to migrate from. It is only read, and no other process may use it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use aerie_storage_sqlite::Export;
use anyhow::{Context, bail, ensure};
use rustix::process::{Flock, FlockOffsetType, FlockType, fcntl_getlk};

use crate::config::{Config, Database};

/// The bytes of a database file that SQLite locks: every process that has the database open holds a lock on some.
const LOCK_BYTES: (u64, u64) = (0x4000_0000, 512);

/// The database of an installation, which nobody uses.
pub(crate) struct Source {
    /// Its rows.
    pub(crate) export: Export,
    path: PathBuf,
    /// Sizes and times of its files when it was opened, as [`states`] returns them.
    states: [Option<(u64, SystemTime)>; 2],
    /// Closed after `export`: the first close of a file releases all locks of this process on it.
    file: File,
}

impl Source {
    /// Opens the configured database, unless another process uses it.
    pub(crate) fn open(config: &Config) -> anyhow::Result<Self> {
        let path = match config.database_in_file()? {
            Database::Sqlite(path) => path,
            Database::Postgres(url) => bail!(
                "[store] url is the PostgreSQL database {url}: name the configuration of an installation with a SQLite database \
                 with --config, and its data folder with --data"
            ),
        };
        ensure!(path.is_file(), "there is no database at {}: choose the data folder with --data", path.display());
        let file = File::open(&path).with_context(|| format!("cannot read the database {}", path.display()))?;
        refuse_users(&file, &path)?;
        let states = states(&path);
        let export = Export::open(&path).with_context(|| format!("cannot read the database {}", path.display()))?;
        Ok(Self { export, path, states, file })
    }

    /// Fails if another process has used the database since it was opened: what it did there may be missing in the target.
    pub(crate) fn check_unused(&self) -> anyhow::Result<()> {
        refuse_users(&self.file, &self.path)?;
        ensure!(
            states(&self.path) == self.states,
            "the database {} changed during the migration: stop servers and workers, then run this again",
            self.path.display()
        );
        Ok(())
    }
}

/// Fails if another process has the database open.
fn refuse_users(file: &File, path: &Path) -> anyhow::Result<()> {
    let (start, length) = LOCK_BYTES;
    let wanted = Flock { start, length, pid: None, typ: FlockType::WriteLock, offset_type: FlockOffsetType::Set };
    let held = fcntl_getlk(file, &wanted).with_context(|| format!("cannot check locks of {}", path.display()))?;
    if let Some(held) = held {
        let process = held.pid.map(|pid| format!(" (process {pid})")).unwrap_or_default();
        bail!(
            "a server, worker or command is using the database {}{process}: stop servers and workers (systemctl stop aerie), then \
             run this again",
            path.display()
        );
    }
    Ok(())
}

/// Sizes of the database file and of its log, and times of their last changes; `None` for one that is missing or empty.
fn states(database: &Path) -> [Option<(u64, SystemTime)>; 2] {
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    [database, Path::new(&log)].map(|path| {
        let found = std::fs::metadata(path).ok().filter(|metadata| metadata.len() > 0);
        found.and_then(|metadata| Some((metadata.len(), metadata.modified().ok()?)))
    })
}
