//! Checks the files of a child before they are published.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use aerie_engine_api::{EngineError, Produced};

/// Files of a job: the largest, a markup, has eight.
const MOST_FILES: usize = 64;

/// Returns what a child made, if each file is one of its own in `out_dir`. Where the kernel lacks Landlock, a child that was taken
/// over could name another file, or link to it.
pub(super) fn checked(mut produced: Produced, out_dir: &Path) -> Result<Produced, EngineError> {
    let names: BTreeSet<&Path> = produced.files.iter().map(|file| file.path.as_path()).collect();
    if names.len() < produced.files.len() || names.len() > MOST_FILES {
        return Err(EngineError::Retry("the engine named a file twice, or too many".into()));
    }
    for file in &mut produced.files {
        file.path = own_file(&file.path, out_dir)
            .ok_or_else(|| EngineError::Retry(format!("the engine made no file {}", file.path.display())))?;
    }
    Ok(produced)
}

fn own_file(path: &Path, out_dir: &Path) -> Option<PathBuf> {
    let name = path.strip_prefix(out_dir).ok()?;
    let mut parts = name.components();
    let (Some(Component::Normal(name)), None) = (parts.next(), parts.next()) else { return None };
    let path = out_dir.join(name);
    let found = path.symlink_metadata().ok()?;
    (found.is_file() && found.nlink() == 1).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_files_in_the_output_folder_are_published() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        std::fs::create_dir_all(out.join("sub")).unwrap();
        for name in ["aerie.db", "out/image.jpg", "out/sub/image.jpg"] {
            std::fs::write(folder.path().join(name), "content").unwrap();
        }
        std::os::unix::fs::symlink(folder.path().join("aerie.db"), out.join("symlink.jpg")).unwrap();
        std::fs::hard_link(folder.path().join("aerie.db"), out.join("hardlink.jpg")).unwrap();
        assert_eq!(own_file(&out.join("image.jpg"), &out), Some(out.join("image.jpg")));
        for bad in ["symlink.jpg", "hardlink.jpg", "sub/image.jpg", "../aerie.db", "none.jpg", "sub", ""] {
            assert_eq!(own_file(&out.join(bad), &out), None, "{bad}");
        }
        assert_eq!(own_file(&folder.path().join("aerie.db"), &out), None);
    }
}
