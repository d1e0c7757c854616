//! Writes the first files of every corpus, `TARGET/seed-NAME`, into a folder: `cargo run --package aerie-fuzz-targets --example seeds --
//! FOLDER`. All of them come from our own encoders.

mod seeds {
    pub(crate) mod furniture;
    pub(crate) mod maps;
    pub(crate) mod pictures;
    pub(crate) mod surveys;
    pub(crate) mod text;
}

use std::fs;
use std::path::PathBuf;

/// Target, name of the file, content.
pub(crate) type Seed = (&'static str, &'static str, Vec<u8>);

fn main() -> std::io::Result<()> {
    let corpus = PathBuf::from(std::env::args_os().nth(1).expect("name a folder"));
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
