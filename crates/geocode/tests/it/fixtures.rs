//! Maps that are imported once for all tests of this program.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};

use aerie_import::{ImportError, ImportOptions, ImportReport};
use aerie_test_data::{EXTRACTS, test_data};

/// Returns a folder for what the tests of this program share. Statics are never dropped, so the next program removes it.
fn shared() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(concat!(env!("CARGO_PKG_NAME"), "-shared"));
        for left in fs::read_dir(&root).into_iter().flatten().flatten() {
            if !Path::new("/proc").join(left.file_name()).exists() {
                let _ = fs::remove_dir_all(left.path());
            }
        }
        let own = root.join(std::process::id().to_string());
        fs::create_dir_all(&own).expect("the target folder can be written");
        own
    });
    &FOLDER
}

/// Returns a data folder with an extract and its terrain, imported once. Tests must not change it.
pub(crate) fn imported(extract: &str) -> &'static Path {
    static FOLDERS: [OnceLock<PathBuf>; EXTRACTS.len()] = [const { OnceLock::new() }; EXTRACTS.len()];
    let index = EXTRACTS.iter().position(|name| *name == extract).expect("one of the extracts");
    FOLDERS[index].get_or_init(|| {
        let own = shared().join(index.to_string());
        let mut files = vec![test_data("osm").join(extract)];
        if index == 1 {
            files.extend(["N49E011.hgt.zip", "N50E011.hgt.zip"].map(|tile| test_data("elevation").join(tile)));
        }
        import(&own, &files).expect("the extract is imported");
        own
    })
}

/// Imports files into a data folder.
pub(crate) fn import(data_dir: &Path, files: &[PathBuf]) -> Result<ImportReport, ImportError> {
    aerie_import::import(files, &ImportOptions::new(data_dir))
}

/// Returns a data folder with the sample town, built once. Tests must not change it.
pub(crate) fn sample_town() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let own = shared().join("town");
        aerie_sample_town::open(&own).expect("the sample town is built");
        own
    });
    &FOLDER
}

/// Copies a shared data folder, for a test that changes it.
pub(crate) fn copy_of(data: &Path) -> tempfile::TempDir {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).expect("a folder");
        for entry in fs::read_dir(from).expect("a folder").flatten() {
            let target = to.join(entry.file_name());
            match entry.path() {
                folder if folder.is_dir() => copy(&folder, &target),
                file => drop(fs::copy(file, target).expect("a file")),
            }
        }
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy(data, folder.path());
    folder
}
