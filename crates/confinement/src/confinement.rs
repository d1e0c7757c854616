//! What a process may do.

use std::path::PathBuf;

/// What a process may do from now on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Confinement {
    /// Files and folders to read, besides the libraries of the system. Paths that do not exist are skipped.
    pub read: Vec<PathBuf>,
    /// Folders in which to read, create, change and remove files and folders.
    pub write: Vec<PathBuf>,
    /// Programs that may be started, by path. Empty: no process may be started at all.
    pub execute: Vec<PathBuf>,
    /// Whether graphics devices and their drivers may be used.
    pub graphics: bool,
    /// TCP ports to which connections may be opened, and names resolved. Empty: no sockets at all.
    pub ports: Vec<u16>,
    /// Maximum memory in bytes, of each process (`RLIMIT_DATA`).
    pub memory: Option<u64>,
}
