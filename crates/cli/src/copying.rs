//! Copying files into and out of a backup.

use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context;
use sha2::{Digest, Sha256};

use crate::print;

/// Bytes read at once.
const BUFFER: usize = 1 << 17;

/// How a file is duplicated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// Hard link where both paths are on one disk, else a copy: for files that never change in place.
    Link,
    /// Copy of the bytes.
    Copy,
}

/// A file that was duplicated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Copied {
    /// Where the duplicate is.
    pub(crate) path: PathBuf,
    /// Its size in bytes.
    pub(crate) size: u64,
    /// SHA-256 of its content.
    pub(crate) sha256: [u8; 32],
    /// Its permissions.
    pub(crate) mode: u32,
}

/// Duplicates one file, with its permissions, to a path that does not exist yet, synced to disk.
pub(crate) fn copy_file(from: &Path, to: &Path, how: How) -> io::Result<Copied> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    let mode = fs::metadata(from)?.permissions().mode() & 0o777;
    if how == How::Link && fs::hard_link(from, to).is_ok() {
        let mut file = File::open(to)?;
        file.sync_all()?;
        let (size, sha256) = hash_while_copying(&mut file, &mut io::sink())?;
        return Ok(Copied { path: to.to_owned(), size, sha256, mode });
    }
    copy_with_mode(from, to, mode)
}

/// Copies one file to a path that does not exist yet, synced to disk; nobody has other permissions on it at any time.
pub(crate) fn copy_with_mode(from: &Path, to: &Path, mode: u32) -> io::Result<Copied> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut original = File::open(from)?;
    // Never overwrite: an existing file may be a hard link to this one.
    let mut copy = File::options().write(true).create_new(true).mode(mode & 0o600).open(to)?;
    let (size, sha256) = hash_while_copying(&mut original, &mut copy)?;
    // Not with `mode`, which the umask limits.
    copy.set_permissions(Permissions::from_mode(mode))?;
    copy.sync_all()?;
    Ok(Copied { path: to.to_owned(), size, sha256, mode })
}

/// Returns size and SHA-256 of a file.
pub(crate) fn hash_file(file: &Path) -> io::Result<(u64, [u8; 32])> {
    hash_while_copying(&mut File::open(file)?, &mut io::sink())
}

/// Duplicates a folder, and adds the duplicates to `copied`. Skips the temporary files of a running import, which are still
/// being written, and symbolic links, with a warning.
pub(crate) fn copy_tree(from: &Path, to: &Path, how: How, copied: &mut Vec<Copied>) -> anyhow::Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(aerie_geodata::pack::WORK_PREFIX) {
            continue;
        }
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy_tree(&from, &to, how, copied)?;
        } else if kind.is_file() {
            copied.push(copy_file(&from, &to, how).with_context(|| format!("cannot copy {}", from.display()))?);
        } else {
            print::note(&format!("warning: {} is not a regular file and is not backed up", from.display()));
        }
    }
    Ok(())
}

/// Writes the entries of a folder and its subfolders to disk.
pub(crate) fn sync_folders(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    File::open(folder)?.sync_all()
}

/// Returns whether a folder is empty or does not exist.
pub(crate) fn is_empty(folder: &Path) -> io::Result<bool> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

fn hash_while_copying(from: &mut File, to: &mut impl Write) -> io::Result<(u64, [u8; 32])> {
    let (mut size, mut digest, mut buffer) = (0, Sha256::new(), vec![0; BUFFER]);
    loop {
        let read = match from.read(&mut buffer) {
            Ok(0) => return Ok((size, digest.finalize().into())),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        to.write_all(&buffer[..read])?;
        digest.update(&buffer[..read]);
        size += read as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_files_of_an_import_are_not_copied() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("pack"), folder.path().join("copy"));
        let work = from.join(format!("{}x", aerie_geodata::pack::WORK_PREFIX));
        fs::create_dir_all(&work).unwrap();
        fs::write(work.join("region.gpkg"), "half").unwrap();
        fs::write(from.join("region.gpkg"), "whole").unwrap();
        let mut copied = Vec::new();
        copy_tree(&from, &to, How::Link, &mut copied).unwrap();
        assert_eq!(copied.iter().map(|copied| copied.size).collect::<Vec<_>>(), [5]);
        assert_eq!(fs::read(to.join("region.gpkg")).unwrap(), b"whole");
        assert_eq!(fs::read_dir(&to).unwrap().count(), 1);
    }

    #[test]
    fn a_copy_has_the_content_and_the_permissions_of_its_original() {
        let folder = tempfile::tempdir().unwrap();
        let [from, copy, link] = ["from", "copy", "link"].map(|name| folder.path().join(name));
        fs::write(&from, "secret".repeat(BUFFER)).unwrap();
        for mode in [0o600, 0o666, 0o640] {
            fs::set_permissions(&from, Permissions::from_mode(mode)).unwrap();
            for (to, how) in [(&copy, How::Copy), (&link, How::Link)] {
                let copied = copy_file(&from, to, how).unwrap();
                assert_eq!((copied.mode, copied.size), (mode, 6 * BUFFER as u64));
                assert_eq!(fs::metadata(to).unwrap().permissions().mode() & 0o777, mode);
                assert_eq!(copied.sha256, <[u8; 32]>::from(Sha256::digest(fs::read(to).unwrap())));
                assert_eq!(hash_file(to).unwrap(), (copied.size, copied.sha256));
                assert!(copy_file(&from, to, How::Copy).is_err(), "nothing is overwritten");
                fs::remove_file(to).unwrap();
            }
        }
    }
}
