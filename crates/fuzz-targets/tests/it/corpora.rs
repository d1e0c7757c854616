//! Replays the corpora of the fuzz targets.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use aerie_fuzz_targets::TARGETS;

/// Greatest size of all corpora, and of a file, bytes.
const MAX_TOTAL: usize = 2 << 20;
const MAX_FILE: usize = 64 << 10;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The files of a target's corpus, with their names.
fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let path = fuzz().join("corpus").join(target).with_extension("zip");
    let mut archive = zip::ZipArchive::new(fs::File::open(&path).unwrap()).unwrap();
    let files = 0..archive.len();
    let read = |at| {
        let mut file = archive.by_index(at).unwrap();
        let name = format!("{target}/{}", file.name().unwrap());
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        (name, bytes)
    };
    files.map(read).collect()
}

#[test]
fn every_corpus_file_is_handled() {
    // Half of the targets each, since some wait for other processes.
    std::thread::scope(|scope| {
        for half in 0..2 {
            scope.spawn(move || {
                for (name, target) in TARGETS.iter().skip(half).step_by(2) {
                    let corpus = corpus(name);
                    assert!(!corpus.is_empty(), "{name} has no corpus");
                    for (file, bytes) in corpus {
                        let handled = std::panic::catch_unwind(|| target(&bytes));
                        assert!(handled.is_ok(), "{file} is not handled");
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
    let mut total = 0;
    for (file, bytes) in TARGETS.iter().flat_map(|(name, _)| corpus(name)) {
        assert!(bytes.len() <= MAX_FILE, "{file} has {} bytes", bytes.len());
        total += bytes.len();
    }
    assert!(total <= MAX_TOTAL, "{total} bytes");
}
