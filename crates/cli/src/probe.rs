//! Checks that folders can be written to, by writing.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::Errno;

use crate::config::Config;

/// Bytes that must fit: a submit with its largest body.
const ROOM: u64 = 1 << 20;

/// Bytes that are written: every few seconds, so few of them.
const WRITTEN: [u8; 4096] = [0; 4096];

/// Returns the folders that a server and its workers write to: uploads, work, media and the database.
pub(crate) fn written_folders(config: &Config) -> Vec<PathBuf> {
    let mut folders = vec![config.data_dir.clone(), config.data_dir.join(WORK)];
    // Neither a bucket nor a database on a server needs a folder.
    folders.extend(config.media_folder());
    folders.extend(config.database_file().ok().and_then(|file| file.parent().map(Path::to_owned)));
    folders.sort();
    folders.dedup();
    folders
}

/// Name of the folder that the first job creates.
const WORK: &str = "work";

/// Writes to each folder; returns the first fault.
pub(crate) fn check(folders: &[PathBuf]) -> Option<String> {
    let is_to_come = |folder: &Path| {
        let is_missing = folder.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        is_missing && folder.ends_with(WORK)
    };
    folders
        .iter()
        .filter(|folder| !is_to_come(folder))
        .find_map(|folder| write(folder).err().map(|error| format!("cannot write to {}: {error}", folder.display())))
}

/// Writes an unnamed file, which is gone when this returns, even if the process is killed.
fn write(folder: &Path) -> io::Result<()> {
    let mut file = tempfile::tempfile_in(folder)?;
    match fallocate(&file, FallocateFlags::empty(), 0, ROOM) {
        // Not every file system can reserve space.
        Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => {}
        Err(error) => return Err(error.into()),
    }
    file.write_all(&WRITTEN)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_can_be_written_has_no_fault_and_keeps_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let work = folder.path().join("work");
        assert_eq!(check(&[folder.path().to_owned(), work]), None);
        let media = folder.path().join("media");
        assert!(check(&[media]).is_some(), "a folder that should be there is not");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_that_refuses_files_is_named() {
        let fault = check(&[PathBuf::from("/proc")]).unwrap();
        assert!(fault.starts_with("cannot write to /proc: "), "{fault}");
    }
}
