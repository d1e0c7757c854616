//! Benchmark of perspective correction: `turned_photos [--pictures FOLDER] PHOTO...`. Photos whose verticals are upright are turned
//! by known rolls and pitches, cropped so that no border shows, and corrected. Leans are those of the known rotation, not of the
//! detector. Prints one line for each case and a summary; fails if a target is missed.

use std::path::{Path, PathBuf};

use aerie_photo::upright::{self, Correction, Limit, Upright};
use aerie_photo::{Photo, decode_file};

type Failure = Box<dyn std::error::Error>;

/// Clockwise roll and upward pitch, degrees.
const CASES: [[f64; 2]; 8] =
    [[-4.0, 4.0], [3.0, 0.0], [2.0, -6.0], [-2.0, 5.0], [4.0, -3.0], [0.0, 6.0], [-3.0, -4.0], [0.0, -5.0]];
/// Focal length that photos without EXIF are turned with, in longer sides.
const FOCAL: f64 = 0.8;
/// Greatest lean of a photo that counts as upright, degrees.
const UPRIGHT: f64 = 0.6;
/// A vanishing point straight up, homogeneous.
const STRAIGHT_UP: [f64; 3] = [0.0, -1.0, 0.0];

struct Row {
    before: f64,
    after: f64,
    kept: f64,
    /// Whether a lean of more than a degree is left without a reason.
    is_silent: bool,
}

#[expect(clippy::print_stdout, reason = "a command for people")]
fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (pictures, photos) = match args.as_slice() {
        [flag, folder, photos @ ..] if flag == "--pictures" => (Some(PathBuf::from(folder)), photos),
        photos => (None, photos),
    };
    let mut rows = Vec::new();
    let (mut bases, mut moved) = (0, Vec::new());
    for path in photos {
        let name = Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let photo = decode_file(Path::new(path))?;
        let own = upright::upright(&photo, photo.focal(), false, || false);
        if let (Some(folder), Upright::Turn(correction)) = (&pictures, &own) {
            std::fs::create_dir_all(folder)?;
            write(&folder.join(format!("{name}_own.ppm")), &correction.turn.apply(photo.clone()))?;
        }
        let Some(residual) = residual(&own) else {
            println!("{name}: not upright as it is: {}", described(&own));
            continue;
        };
        bases += 1;
        moved.push(if let Upright::Turn(c) = own { c.leans[0] } else { 0.0 });
        println!("{name}: upright within {residual:.2} degrees");
        for case in CASES {
            let Some(row) = turned(&photo, case, pictures.as_deref(), &name)? else { continue };
            println!(
                "  roll {:4.1} pitch {:4.1}: lean {:5.2} -> {:5.2}, {:3.0} % kept{}",
                case[0],
                case[1],
                row.before,
                row.after,
                100.0 * row.kept,
                if row.is_silent { ", NOT REPORTED" } else { "" }
            );
            rows.push(row);
        }
    }
    let quantile = |of: &dyn Fn(&Row) -> f64, share: f64| {
        let mut values: Vec<f64> = rows.iter().map(of).collect();
        values.sort_unstable_by(f64::total_cmp);
        values[((values.len() - 1) as f64 * share).round() as usize]
    };
    if rows.is_empty() {
        return Err("no photo with upright verticals".into());
    }
    let ratio = |row: &Row| row.after / row.before;
    let (median, most) = (quantile(&ratio, 0.5), quantile(&ratio, 0.9));
    let worse = rows.iter().filter(|r| r.after > r.before + 0.1).count();
    let silent = rows.iter().filter(|r| r.is_silent).count();
    println!(
        "{bases} photos, {} cases: share of the lean that is left {median:.2} median (target 0.25), {most:.2} at nine in ten \
         (target 0.50); {worse} worse (target 0); {silent} leans left without a reason (target 0); {:.0} % kept in the median; \
         {} of the photos as they are were turned",
        rows.len(),
        100.0 * quantile(&|r| r.kept, 0.5),
        moved.iter().filter(|m| **m > 0.0).count()
    );
    let is_met = median <= 0.25 && most <= 0.5 && worse == 0 && silent == 0;
    if is_met { Ok(()) } else { Err("a target was missed".into()) }
}

fn described(answer: &Upright) -> String {
    match answer {
        Upright::Stay(limit) => limit.to_string(),
        Upright::Turn(Correction { turn, leans: [before, after], limit }) => format!(
            "pitch {:.1}, roll {:.1} corrected, lean {before:.1} -> {after:.1}, {:.0} % kept, {limit:?}",
            turn.pitch,
            turn.roll,
            100.0 * turn.kept
        ),
    }
}

/// Lean of a photo that is upright as it is; `None` if it is not, or if its lines do not say.
fn residual(own: &Upright) -> Option<f64> {
    let lean = match own {
        Upright::Stay(Limit::Level(lean)) => *lean,
        Upright::Turn(correction) => correction.leans[0],
        Upright::Stay(_) => return None,
    };
    (lean <= UPRIGHT).then_some(lean)
}

fn turned(photo: &Photo, [roll, pitch]: [f64; 2], pictures: Option<&Path>, name: &str) -> Result<Option<Row>, Failure> {
    let focal = photo.focal().unwrap_or(FOCAL * photo.width.max(photo.height) as f64);
    let Some(turn) = upright::tilted(photo, focal, pitch, roll) else { return Ok(None) };
    let tilted = Photo { focal_35mm: None, ..turn.apply(photo.clone()) };
    let up = turn.map_homogeneous(STRAIGHT_UP);
    let before = lean_at(up, tilted.width, tilted.height);
    let answer = upright::upright(&tilted, None, false, || false);
    let Upright::Turn(Correction { turn, leans: [_, left], limit }) = answer else {
        let is_silent = before > 1.5 && matches!(answer, Upright::Stay(Limit::Level(_)));
        return Ok(Some(Row { before, after: before, kept: 1.0, is_silent }));
    };
    let level = turn.apply(tilted.clone());
    let after = lean_at(turn.map_homogeneous(up), level.width, level.height);
    if let Some(folder) = pictures {
        std::fs::create_dir_all(folder)?;
        for (suffix, photo) in [("a", &tilted), ("b", &level)] {
            write(&folder.join(format!("{name}_r{roll}_p{pitch}_{suffix}.ppm")), photo)?;
        }
    }
    Ok(Some(Row { before, after, kept: turn.kept, is_silent: after > 1.5 && left < 1.0 && limit.is_none() }))
}

/// Worst lean of verticals with a vanishing point, at the sides of an image, degrees.
fn lean_at([x, y, w]: [f64; 3], width: usize, height: usize) -> f64 {
    let middle = height as f64 / 2.0;
    [0.1, 0.9]
        .map(|share| (x - share * width as f64 * w).abs().atan2((y - middle * w).abs()).to_degrees())
        .into_iter()
        .fold(0.0, f64::max)
}

fn write(path: &Path, photo: &Photo) -> std::io::Result<()> {
    let mut bytes = format!("P6 {} {} 255\n", photo.width, photo.height).into_bytes();
    bytes.extend(photo.pixels.as_flattened().iter().map(|v| (v / 257) as u8));
    std::fs::write(path, bytes)
}
