//! Copying files into and out of a backup.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use anyhow::Context;

/// How a file is duplicated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// Hard link where both paths are on one disk, else a copy: for files that never change in place.
    Link,
    /// Copy of the bytes.
    Copy,
}

/// Duplicates one file to a path that does not exist yet, synced to disk; returns its size in bytes.
pub(crate) fn copy_file(from: &Path, to: &Path, how: How) -> io::Result<u64> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    if how == How::Link && fs::hard_link(from, to).is_ok() {
        return Ok(fs::metadata(to)?.len());
    }
    let mut original = File::open(from)?;
    // A secret stays its owner's: the copy has the original's permissions from the beginning.
    let mode = original.metadata()?.permissions().mode();
    // Never overwrite: an existing file may be a hard link to this one.
    let mut copy = File::options().write(true).create_new(true).mode(mode & 0o777).open(to)?;
    let bytes = io::copy(&mut original, &mut copy)?;
    copy.sync_all()?;
    Ok(bytes)
}

/// Duplicates a folder; returns the number of files and bytes. Skips symbolic links, and the temporary files of a running
/// import, which are still being written.
pub(crate) fn copy_tree(from: &Path, to: &Path, how: How) -> anyhow::Result<(u64, u64)> {
    let (mut files, mut bytes) = (0, 0);
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(aerie_import::work_folder::WORK_PREFIX) {
            continue;
        }
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            let (more, of_them) = copy_tree(&from, &to, how)?;
            (files, bytes) = (files + more, bytes + of_them);
        } else if kind.is_file() {
            bytes += copy_file(&from, &to, how).with_context(|| format!("cannot copy {}", from.display()))?;
            files += 1;
        }
    }
    File::open(to)?.sync_all()?;
    Ok((files, bytes))
}

/// Returns the number of files in a folder, and their bytes. Symbolic links do not count.
pub(crate) fn size_of_tree(folder: &Path) -> anyhow::Result<(u64, u64)> {
    let (mut files, mut bytes) = (0, 0);
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let (more, of_them) = match (kind.is_dir(), kind.is_file()) {
            (true, _) => size_of_tree(&entry.path())?,
            (_, true) => (1, entry.metadata()?.len()),
            _ => continue,
        };
        (files, bytes) = (files + more, bytes + of_them);
    }
    Ok((files, bytes))
}

/// Returns whether a folder is empty or does not exist.
pub(crate) fn is_empty(folder: &Path) -> io::Result<bool> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_files_of_an_import_are_not_copied() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("pack"), folder.path().join("copy"));
        let work = from.join(format!("{}x", aerie_import::work_folder::WORK_PREFIX));
        fs::create_dir_all(&work).unwrap();
        fs::write(work.join("region.gpkg"), "half").unwrap();
        fs::write(from.join("region.gpkg"), "whole").unwrap();
        assert_eq!(copy_tree(&from, &to, How::Link).unwrap(), (1, 5));
        assert_eq!(size_of_tree(&to).unwrap(), (1, 5));
        assert_eq!(fs::read(to.join("region.gpkg")).unwrap(), b"whole");
        assert_eq!(fs::read_dir(&to).unwrap().count(), 1);
    }

    #[test]
    fn a_copy_has_the_permissions_of_its_original() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        fs::write(&from, "secret").unwrap();
        fs::set_permissions(&from, fs::Permissions::from_mode(0o600)).unwrap();
        copy_file(&from, &to, How::Copy).unwrap();
        assert_eq!(fs::metadata(&to).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
