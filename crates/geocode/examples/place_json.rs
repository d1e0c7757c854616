//! Prints the place of an address as JSON: `place_json DATA_DIR ADDRESS [FILE_TO_IMPORT...]`.
#![expect(clippy::print_stdout, reason = "printing is what the example is for")]

use std::path::{Path, PathBuf};

use aerie_import::ImportOptions;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(data), Some(address)) = (arguments.next(), arguments.next()) else {
        return Err("usage: place_json DATA_DIR ADDRESS [FILE_TO_IMPORT...]".into());
    };
    let files: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    if !files.is_empty() {
        let options = ImportOptions::new(Path::new(&data));
        let started = std::time::Instant::now();
        let report = aerie_import::import(&files, &options)?;
        eprintln!("{}", serde_json::to_string_pretty(&report)?);
        eprintln!("imported in {:.2} s", started.elapsed().as_secs_f64());
    }
    let pack = aerie_sample_town::open(Path::new(&data))?;
    let found = aerie_geocode::geocode(&pack, &address).map_err(|e| e.to_string())?;
    eprintln!("{}", serde_json::to_string_pretty(&found)?);
    let place = pack.place(&found, 1200.0)?;
    println!("{}", serde_json::to_string(&place)?);
    Ok(())
}
