//! Copying files into a backup and out of it again.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use anyhow::Context;

/// How a file gets its second place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// By a second name, where both lie on one disk: for files that never change in place.
    Link,
    /// By its bytes.
    Copy,
}

/// Puts one file into a second place, where nothing is yet: on disk when this returns. Its bytes.
pub(crate) fn copy_file(from: &Path, to: &Path, how: How) -> io::Result<u64> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    if how == How::Link && fs::hard_link(from, to).is_ok() {
        return Ok(fs::metadata(to)?.len());
    }
    // Never over what is there: that may be this very file, by its second name.
    let mut copy = File::create_new(to)?;
    let bytes = io::copy(&mut File::open(from)?, &mut copy)?;
    copy.sync_all()?;
    Ok(bytes)
}

/// The same for all that lies in a folder; how many files, and their bytes. Links are left out, and what an import is working on
/// there just now: it is written to, and gone when the import ends.
pub(crate) fn copy_tree(from: &Path, to: &Path, how: How) -> anyhow::Result<(u64, u64)> {
    let (mut files, mut bytes) = (0, 0);
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(aerie_geodata::WORK_OF_IMPORTS) {
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

/// How many files lie in a folder, and their bytes. Links do not count.
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

/// Whether a folder is not there, or has nothing in it.
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
    fn what_an_import_is_working_on_is_not_copied() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("pack"), folder.path().join("copy"));
        let work = from.join(format!("{}x", aerie_geodata::WORK_OF_IMPORTS));
        fs::create_dir_all(&work).unwrap();
        fs::write(work.join("region.gpkg"), "half").unwrap();
        fs::write(from.join("region.gpkg"), "whole").unwrap();
        assert_eq!(copy_tree(&from, &to, How::Link).unwrap(), (1, 5));
        assert_eq!(size_of_tree(&to).unwrap(), (1, 5));
        assert_eq!(fs::read(to.join("region.gpkg")).unwrap(), b"whole");
        assert_eq!(fs::read_dir(&to).unwrap().count(), 1);
    }
}
