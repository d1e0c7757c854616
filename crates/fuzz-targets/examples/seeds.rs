//! Writes the first files of every corpus: `cargo run --package aerie-fuzz-targets --example seeds` writes `fuzz/corpus`, or the
//! folder that is named. All of them come from our own encoders.

mod seeds {
    pub(crate) mod furniture;
    pub(crate) mod maps;
    pub(crate) mod pictures;
    pub(crate) mod surveys;
    pub(crate) mod text;
}

use std::fs;
use std::path::{Path, PathBuf};

/// Target, name of the file, content.
pub(crate) type Seed = (&'static str, &'static str, Vec<u8>);

fn main() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let corpus = std::env::args_os().nth(1).map_or(corpus, PathBuf::from);
    let all = [
        seeds::pictures::all(),
        seeds::furniture::all(),
        seeds::maps::all(),
        seeds::surveys::all(),
        seeds::text::all(),
    ];
    for (target, name, bytes) in all.into_iter().flatten() {
        let folder = corpus.join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("seed-{name}")), bytes)?;
    }
    Ok(())
}
