//! Replays the corpora of the fuzz targets.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use aerie_fuzz_targets::TARGETS;

/// Greatest size of all corpora, and of a file, bytes.
const MAX_TOTAL: u64 = 2 << 20;
const MAX_FILE: u64 = 64 << 10;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_corpus_file_is_handled() {
    // Half of the targets each, since some wait for other processes.
    std::thread::scope(|scope| {
        for half in 0..2 {
            scope.spawn(move || {
                for (name, target) in TARGETS.iter().skip(half).step_by(2) {
                    let corpus = files(&fuzz().join("corpus").join(name));
                    assert!(!corpus.is_empty(), "{name} has no corpus");
                    for file in corpus {
                        let bytes = fs::read(&file).unwrap();
                        let handled = std::panic::catch_unwind(|| target(&bytes));
                        assert!(handled.is_ok(), "{} is not handled", file.display());
                    }
                }
            });
        }
    });
}

#[test]
fn each_target_has_a_binary_and_a_corpus_and_there_are_no_others() {
    let names: BTreeSet<_> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let stems = |folder: &str| -> BTreeSet<_> {
        let files = files(&fuzz().join(folder)).into_iter();
        files.map(|file| file.file_stem().unwrap().to_string_lossy().into_owned()).collect()
    };
    assert_eq!(stems("fuzz_targets"), names);
    assert_eq!(stems("corpus"), names);
    let manifest = fs::read_to_string(fuzz().join("Cargo.toml")).unwrap();
    for name in &names {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
    }
}

#[test]
fn corpora_stay_small() {
    let sizes = TARGETS.iter().flat_map(|(name, _)| files(&fuzz().join("corpus").join(name)));
    let sizes = sizes.map(|file| (fs::metadata(&file).unwrap().len(), file));
    let mut total = 0;
    for (size, file) in sizes {
        assert!(size <= MAX_FILE, "{} has {size} bytes", file.display());
        total += size;
    }
    assert!(total <= MAX_TOTAL, "{total} bytes");
}
