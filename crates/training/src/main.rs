//! Renders views of imagined rooms, and streams training samples made from them.
//!
//! ```text
//! aerie-training render FIRST COUNT FILE   views of rooms FIRST to FIRST + COUNT
//! aerie-training stream FILE SIDE SEED     endless samples to standard output
//! ```

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};

use aerie_math::Rng;
use aerie_training::view::View;
use aerie_training::{dress, rooms, view};
use rayon::prelude::*;

/// Views of each room, and their longer side in pixels.
const VIEWS: usize = 4;
const SIDE: usize = 256;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["render", first, count, file] => render(number(first)?, number(count)?, file),
        ["stream", file, side, seed] => stream(file, number(side)? as usize, number(seed)?),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "usage: aerie-training render FIRST COUNT FILE | stream FILE SIDE SEED",
        )),
    }
}

fn number(word: &str) -> io::Result<u64> {
    word.parse().map_err(|e| io::Error::new(io::ErrorKind::InvalidInput, format!("{word}: {e}")))
}

fn render(first: u64, count: u64, file: &str) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    for seed in first..first + count {
        let room = rooms::imagine(seed, SIDE, VIEWS);
        for (i, (place, camera)) in room.views.iter().enumerate() {
            view::render(&room.scene, *place, camera, seed * 64 + i as u64).write(&mut out)?;
        }
    }
    out.flush()
}

/// Endless batches: for each sample its picture, labels, edges and aspect (f32, little-endian).
fn stream(file: &str, side: usize, seed: u64) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 22, File::open(file)?);
    let mut views = Vec::new();
    while let Some(view) = View::read(&mut input)? {
        views.push(view);
    }
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut rng = Rng::scattered(seed);
    loop {
        let picks: Vec<(usize, u64)> = (0..16).map(|_| (rng.below(views.len()), rng.next_u64())).collect();
        let samples: Vec<dress::Sample> = picks
            .par_iter()
            .map(|(i, seed)| dress::sample(&View::of(&views[*i]), side, &mut Rng::scattered(*seed)))
            .collect();
        for s in samples {
            out.write_all(&s.picture)?;
            out.write_all(&s.labels)?;
            out.write_all(&s.edges)?;
            out.write_all(&s.aspect.to_le_bytes())?;
        }
    }
}
