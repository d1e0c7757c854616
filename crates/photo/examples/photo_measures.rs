//! Measures of enhancement over photographs: `photo_measures casts|clipping FOLDER...`. Prints each beside its bar, and
//! fails where one is missed.

use std::path::{Path, PathBuf};

use aerie_photo::{Photo, Wishes, colour, decode_file, enhance};
use rayon::prelude::*;

type Failure = Box<dyn std::error::Error>;

#[expect(clippy::print_stdout, reason = "a command for people")]
fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [what, folders @ ..] = args.as_slice() else {
        return Err("usage: photo_measures casts|clipping FOLDER...".into());
    };
    let files = photographs(folders)?;
    let (told, is_met) = match what.as_str() {
        "casts" => casts(&files),
        "clipping" => clipping(&files),
        other => return Err(format!("no measure is called {other}").into()),
    };
    println!("{told}");
    if is_met { Ok(()) } else { Err("a bar is missed".into()) }
}

/// JPEGs in folders and the folders in them, in order of name.
fn photographs(folders: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    let mut left: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
    while let Some(path) = left.pop() {
        if path.is_dir() {
            for entry in std::fs::read_dir(&path)? {
                left.push(entry?.path());
            }
        } else if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("jpg")) {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() { Err("no photographs there".into()) } else { Ok(files) }
}

fn read(file: &Path) -> Option<Photo> {
    decode_file(file).ok()
}

/// Logarithms of red and blue over green of the light that is laid on each photo: warm, cool, green, magenta.
const CASTS: [[f32; 2]; 4] = [[0.25, -0.35], [-0.20, 0.25], [-0.12, -0.12], [0.12, 0.12]];

/// Lays a light on a photo, as if it had been exposed so that nothing new clips; what was white by clipping stays so.
fn under(photo: &Photo, cast: [f32; 2]) -> Photo {
    let light = [cast[0].exp(), 1.0, cast[1].exp()];
    let most = light.iter().copied().fold(0.0, f32::max);
    let pixels = photo.pixels.iter().map(|p| {
        let rgb = colour::linear(*p);
        let clipped = ((rgb[0].max(rgb[1]).max(rgb[2]) - 0.90) / 0.08).clamp(0.0, 1.0);
        // To eight bits, as a file has.
        colour::encoded([0, 1, 2].map(|c| rgb[c] * light[c] / most * (1.0 - clipped) + clipped)).map(|v| v / 257 * 257)
    });
    Photo { pixels: pixels.collect(), ..photo.clone() }
}

/// Degrees between grey and what the light became.
fn angle(light: [f32; 3]) -> f32 {
    let length = light.iter().map(|v| v * v).sum::<f32>().sqrt();
    (light.iter().sum::<f32>() / length / 3.0_f32.sqrt()).clamp(-1.0, 1.0).acos().to_degrees()
}

fn casts(files: &[PathBuf]) -> (String, bool) {
    let rows: Vec<[f32; 10]> = files
        .par_iter()
        .filter_map(|file| {
            let photo = small(&read(file)?);
            let mut row = [0.0; 10];
            let own = enhance(photo.clone(), &Wishes::default(), None);
            row[8] = angle(own.account.white_gains);
            row[9] = own.account.changes.iter().find(|c| c.name == "white_balance").map_or(0.0, |c| c.amount);
            for (i, cast) in CASTS.iter().enumerate() {
                let gains = enhance(under(&photo, *cast), &Wishes::default(), None).account.white_gains;
                let light = [cast[0].exp(), 1.0, cast[1].exp()];
                row[i] = angle([0, 1, 2].map(|c| light[c] * gains[c]));
                row[4 + i] = angle(light);
            }
            Some(row)
        })
        .collect();
    let of = |columns: std::ops::Range<usize>| -> Vec<f32> {
        let mut values: Vec<f32> = rows.iter().flat_map(|r| r[columns.clone()].to_vec()).collect();
        values.sort_unstable_by(f32::total_cmp);
        values
    };
    let quantile = |values: &[f32], share: f32| values[((values.len() - 1) as f32 * share) as usize];
    let all = of(0..4);
    let median = quantile(&all, 0.5);
    let mut told = format!("{} photographs, each under four casts; degrees left of a cast:\n", rows.len());
    for (i, name) in ["warm", "cool", "green", "magenta"].iter().enumerate() {
        let (left, laid) = (of(i..i + 1), of(4 + i..5 + i));
        told += &format!("  {name:8} {:5.2} laid  {:5.2} left (median)\n", laid[0], quantile(&left, 0.5));
    }
    let (moved, shift) = (of(8..9), of(9..10));
    told += &format!("  all      {median:5.2} median (bar 3.00), {:5.2} at nine in ten\n", quantile(&all, 0.9));
    told += &format!(
        "  without a cast, the photo as it is moves by {:.2} median, {:.2} at nine in ten (delta ab {:.2}, {:.2})",
        quantile(&moved, 0.5),
        quantile(&moved, 0.9),
        quantile(&shift, 0.5),
        quantile(&shift, 0.9)
    );
    (told, median <= 3.0)
}

/// Colour is judged on a small copy anyway.
fn small(photo: &Photo) -> Photo {
    let reduced = photo.reduced(512);
    let pixels = reduced.pixels.iter().map(|p| colour::encoded(*p)).collect();
    Photo { light_value: photo.light_value, ..Photo::new(reduced.width, reduced.height, pixels) }
}

fn clipping(files: &[PathBuf]) -> (String, bool) {
    let rows: Vec<(f32, f32)> = files
        .par_iter()
        .filter_map(|file| {
            let measures = enhance(read(file)?, &Wishes::default(), None).account.measures;
            Some((measures.newly_clipped, measures.reversed_edges))
        })
        .collect();
    let most = rows.iter().fold((0.0_f32, 0.0_f32), |m, r| (m.0.max(r.0), m.1.max(r.1)));
    let told = format!(
        "{} photographs: newly clipped at most {:.3} % (bar 0.5), reversed edges at most {:.3} %",
        rows.len(),
        most.0,
        most.1
    );
    (told, most.0 <= 0.5)
}
