//! Renders views of imagined rooms and houses, streams training samples made from them, and draws them as pictures.
//!
//! ```text
//! aerie-training render FIRST COUNT FILE   views of scenes FIRST to FIRST + COUNT
//! aerie-training stream FOLDER SIDE SEED   endless samples of all views of a folder to standard output
//! aerie-training sheet FOLDER SIDE SEED COLUMNS ROWS FILE.jpg   pairs of samples and their classes
//! ```
mod sheet;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use aerie_math::Rng;
use aerie_training::view_file::{self, Views};
use aerie_training::{dress, rooms, view};
use rayon::prelude::*;

/// Views of each scene, and their longer side in pixels.
const VIEWS: usize = 4;
const SIDE: usize = 256;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["render", first, count, file] => render(number(first)?, number(count)?, file),
        ["stream", folder, side, seed] => stream(folder, number(side)? as usize, number(seed)?),
        ["sheet", folder, side, seed, columns, rows, file] => {
            let [side, columns, rows] = [number(side)?, number(columns)?, number(rows)?].map(|n| n as usize);
            let samples =
                sampled(&Views::open(Path::new(folder))?, side, columns * rows, &mut Rng::scattered(number(seed)?))?;
            sheet::write(&samples, side, columns, file)
        }
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "usage: aerie-training render FIRST COUNT FILE | stream FOLDER SIDE SEED | sheet FOLDER SIDE SEED COLUMNS ROWS FILE",
        )),
    }
}

fn number(word: &str) -> io::Result<u64> {
    word.parse().map_err(|e| io::Error::new(io::ErrorKind::InvalidInput, format!("{word}: {e}")))
}

/// Writes beside the file first, so that a file with its final name is complete.
fn render(first: u64, count: u64, file: &str) -> io::Result<()> {
    let part = format!("{file}.part");
    let mut out = BufWriter::new(File::create(&part)?);
    for seed in first..first + count {
        let room = rooms::imagine(seed, SIDE, VIEWS);
        for (i, (place, camera)) in room.views.iter().enumerate() {
            view_file::write(&view::render(&room.scene, *place, camera, seed * 64 + i as u64), &mut out)?;
        }
    }
    out.into_inner()?.sync_all()?;
    std::fs::rename(part, file)
}

fn sampled(views: &Views, side: usize, count: usize, rng: &mut Rng) -> io::Result<Vec<dress::Sample>> {
    let picks: Vec<(usize, u64)> = (0..count).map(|_| (rng.below(views.count()), rng.next_u64())).collect();
    picks.par_iter().map(|(i, seed)| Ok(dress::sample(&views.read(*i)?, side, &mut Rng::scattered(*seed)))).collect()
}

/// Endless batches: for each sample its picture, classes, edges, depths (i16), normals and aspect (f32), little-endian.
fn stream(folder: &str, side: usize, seed: u64) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut rng = Rng::scattered(seed);
    loop {
        // Files may have been added.
        let views = Views::open(Path::new(folder))?;
        for _ in 0..64 {
            for sample in sampled(&views, side, 16, &mut rng)? {
                write(&sample, &mut out)?;
            }
        }
    }
}

fn write(sample: &dress::Sample, out: &mut impl Write) -> io::Result<()> {
    out.write_all(&sample.picture)?;
    out.write_all(&sample.labels)?;
    out.write_all(&sample.edges)?;
    for depth in &sample.depths {
        out.write_all(&depth.to_le_bytes())?;
    }
    for normal in sample.normals.as_flattened() {
        out.write_all(&normal.to_le_bytes())?;
    }
    out.write_all(&sample.aspect.to_le_bytes())
}
