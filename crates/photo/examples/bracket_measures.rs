//! Merges brackets and measures what that does.
//!
//! - `bracket_measures folders OUT_DIR FOLDER...` merges the exposures in each folder into the one with the least that is lost, and
//!   prints what is lost of that alone, enhanced, and of the merged photo, enhanced: of the pixels that it clipped and a darker
//!   exposure did not, those that are clipped in the result, and likewise of crushed ones. Writes both results as PNG files.
//! - `bracket_measures shifts PHOTO...` moves real photos by known amounts, darkens them, and prints how exactly that is found.
//! - `bracket_measures time REFERENCE EXPOSURE...` merges, prints the time and writes nothing.
//! - `bracket_measures scenes PHOTO...` prints which pairs of photos are taken for one scene; each of another scene.

use std::path::{Path, PathBuf};

use aerie_math::color::{encoded, linear};
use aerie_photo::bracket::{self, Frame, Homography, MergeError, Merged};
use aerie_photo::{EnhanceOptions, Photo, Picture, Preset, decode_file, decode_file_like, enhance};

type Failure = Box<dyn std::error::Error>;

#[expect(clippy::print_stdout, reason = "a command for people")]
fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let files = |from: usize| args[from..].iter().map(PathBuf::from).collect::<Vec<_>>();
    match args.first().map(String::as_str) {
        Some("time") if args.len() > 2 => time(&files(1)),
        Some("folders") if args.len() > 2 => folders(Path::new(&args[1]), &files(2)),
        Some("shifts") if args.len() > 1 => shifts(&files(1)),
        Some("scenes") if args.len() > 2 => scenes(&files(1)),
        _ => {
            Err("usage: bracket_measures folders OUT_DIR FOLDER... | shifts PHOTO... | scenes PHOTO... | time REFERENCE EXPOSURE..."
                .into())
        }
    }
    .inspect_err(|error| println!("{error}"))
}

fn merged(photos: &[Photo]) -> Result<Merged, MergeError<Failure>> {
    bracket::merge(photos.len(), |number, _| Ok(photos[number].clone()), |_, _| Ok(()))
}

fn picture(photo: &Photo) -> Picture {
    let pixels = photo.pixels.iter().flatten().map(|v| ((u32::from(*v) + 128) / 257) as u8).collect();
    Picture { width: photo.width, height: photo.height, pixels }
}

fn save(picture: &Picture, path: &Path) -> Result<(), Failure> {
    let (width, height) = (u32::try_from(picture.width)?, u32::try_from(picture.height)?);
    Ok(image::save_buffer(path, &picture.pixels, width, height, image::ColorType::Rgb8)?)
}

#[expect(clippy::print_stdout, reason = "a command for people")]
fn time(files: &[PathBuf]) -> Result<(), Failure> {
    let begun = std::time::Instant::now();
    let read = |number: usize, like| decode_file_like(&files[number], like).map_err(Failure::from);
    let Merged { photo, report } = bracket::merge(files.len(), read, |_, _| Ok(()))?;
    let seconds = begun.elapsed().as_secs_f64();
    println!("{} of {} exposures of {} x {}: {seconds:.1} s", report.merged, files.len(), photo.width, photo.height);
    Ok(())
}

fn is_clipped(pixel: &[u8; 3]) -> bool {
    pixel.iter().filter(|v| **v >= 250).count() >= 2
}

fn is_crushed(pixel: &[u8; 3]) -> bool {
    pixel.iter().all(|v| *v <= 12)
}

#[expect(clippy::print_stdout, reason = "a command for people")]
fn folders(out: &Path, folders: &[PathBuf]) -> Result<(), Failure> {
    std::fs::create_dir_all(out)?;
    // Windows and shadows: pixels lost by the reference alone, and of those, lost in the two results.
    let mut sums = [[0_usize; 3]; 2];
    for folder in folders {
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
        files.sort();
        let mut photos = files.iter().map(|file| decode_file(file)).collect::<Result<Vec<_>, _>>()?;
        photos.truncate(9);
        let lost = |photo: &Photo| {
            let picture = picture(photo);
            picture.pixels.as_chunks::<3>().0.iter().filter(|p| is_clipped(p) || is_crushed(p)).count()
        };
        let middle = (0..photos.len()).min_by_key(|i| lost(&photos[*i])).ok_or("no photos")?;
        photos.swap(0, middle);
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let begun = std::time::Instant::now();
        let (photo, report) = match merged(&photos) {
            Ok(Merged { photo, report }) => (photo, report),
            Err(error) => {
                println!("{name:24} {error}");
                continue;
            }
        };
        let seconds = begun.elapsed().as_secs_f64();
        let pictures: Vec<Picture> = photos.iter().map(picture).collect();
        let options = EnhanceOptions::new(Preset::Natural, Some("do not straighten"));
        let results = [enhance(photos.swap_remove(0), &options, None), enhance(photo, &options, None)];
        let mut line = String::new();
        for (sums, test) in sums.iter_mut().zip([is_clipped, is_crushed]) {
            let at = |picture: &Picture, i: usize| test(&picture.pixels.as_chunks::<3>().0[i]);
            let some = |i: &usize| at(&pictures[0], *i) && pictures[1..].iter().any(|picture| !at(picture, *i));
            let lost: Vec<usize> = (0..pictures[0].width * pictures[0].height).filter(some).collect();
            let [alone, both] = results.each_ref().map(|r| lost.iter().filter(|i| at(&r.picture, **i)).count());
            let share = |count: usize| 100.0 * count as f64 / lost.len().max(1) as f64;
            let of_all = 100.0 * lost.len() as f64 / (pictures[0].width * pictures[0].height) as f64;
            line.push_str(&format!("  {of_all:5.1} % {:5.1} -> {:5.1} %", share(alone), share(both)));
            (0..3).for_each(|i| sums[i] += [lost.len(), alone, both][i]);
        }
        let moved = report.others.iter().map(|other| other.moved).fold(0.0, f32::max);
        let shift = report.others.iter().map(|other| other.shift[0].hypot(other.shift[1])).fold(0.0, f32::max);
        println!(
            "{name:24} {} of {} {:4} x {:4} {seconds:5.1} s{line}  shift {shift:4.1} px, moved {:4.1} %",
            report.merged,
            files.len(),
            pictures[0].width,
            pictures[0].height,
            100.0 * moved
        );
        for (result, kind) in results.iter().zip(["alone", "merged"]) {
            save(&result.picture, &out.join(format!("{name}.{kind}.png")))?;
        }
    }
    for (name, [lost, alone, both]) in ["windows", "shadows"].iter().zip(sums) {
        let share = |count: usize| 100.0 * count as f64 / lost.max(1) as f64;
        println!(
            "{name}: {:.1} % lost in the enhanced reference, {:.1} % in the merged photo",
            share(alone),
            share(both)
        );
    }
    Ok(())
}

/// A photo as it would be after a move of the camera, under other light; what lies outside is repeated from the edge.
fn moved(photo: &Photo, map: &Homography, stops: f32) -> Photo {
    let (width, height) = (photo.width, photo.height);
    let unit = width.max(height) as f64 / 2.0;
    let center = [width as f64 / 2.0, height as f64 / 2.0];
    let at = |x: f64, y: f64| {
        let (x, y) = (x.clamp(0.0, (width - 1) as f64), y.clamp(0.0, (height - 1) as f64));
        let (left, top) = ((x as usize).min(width - 2), (y as usize).min(height - 2));
        let (right, down) = ((x - left as f64) as f32, (y - top as f64) as f32);
        let i = top * width + left;
        let four = [i, i + 1, i + width, i + width + 1].map(|i| linear(photo.pixels[i]));
        [0, 1, 2].map(|c| {
            let row = |a: f32, b: f32| a + right * (b - a);
            let (above, below) = (row(four[0][c], four[1][c]), row(four[2][c], four[3][c]));
            (above + down * (below - above)) * stops.exp2()
        })
    };
    let pixels = (0..width * height).map(|i| {
        let point = [(i % width) as f64 + 0.5 - center[0], (i / width) as f64 + 0.5 - center[1]].map(|v| v / unit);
        let [u, v] = map.apply(point);
        // As a camera writes it: 8 bits.
        encoded(at(u * unit + center[0] - 0.5, v * unit + center[1] - 0.5)).map(|v| v / 257 * 257)
    });
    Photo::new(width, height, pixels.collect())
}

#[expect(clippy::print_stdout, reason = "a command for people")]
fn shifts(files: &[PathBuf]) -> Result<(), Failure> {
    let moves: [(f64, [f64; 2], f32); 6] = [
        (0.0, [0.0, 0.0], -2.0),
        (0.0, [3.4, -1.7], -2.0),
        (0.2, [-12.3, 6.6], -1.0),
        (-0.5, [25.0, 14.2], -3.0),
        (1.2, [-31.0, -22.0], 1.5),
        (0.05, [0.6, 0.3], -4.0),
    ];
    let mut worst: Vec<f64> = Vec::new();
    for file in files {
        let photo = decode_file(file)?;
        let size = [photo.width, photo.height];
        let unit = photo.width.max(photo.height) as f64 / 2.0;
        let mut line = String::new();
        for (turn, shift, stops) in moves {
            let truth = Homography::moved(f64::to_radians(turn), shift.map(|v| v / unit));
            // The exposure shows at a place what the photo shows where the map leads back.
            let other = moved(&photo, &truth.inverse().ok_or("a map")?, stops);
            let report = match merged(&[photo.clone(), other]) {
                Ok(merged) => merged.report,
                Err(error) => {
                    line.push_str(&format!(" [{error}]"));
                    continue;
                }
            };
            let found = &report.others[0];
            let map =
                Homography::moved(f64::from(found.rotation).to_radians(), found.shift.map(|v| f64::from(v) / unit));
            let error = if found.merged {
                map.after(&truth.inverse().ok_or("a map")?).reach(&Frame::of(size))
            } else {
                f64::NAN
            };
            worst.push(error);
            line.push_str(&format!(" {error:6.2} px ({:+.2} EV, moved {:.3})", found.exposure, found.moved));
        }
        println!("{}:{line}", file.display());
    }
    worst.sort_by(f64::total_cmp);
    println!("median {:.3} px, greatest {:.3} px at a corner", worst[worst.len() / 2], worst[worst.len() - 1]);
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a command for people")]
fn scenes(files: &[PathBuf]) -> Result<(), Failure> {
    let photos = files.iter().map(|file| decode_file(file)).collect::<Result<Vec<_>, _>>()?;
    let (mut refused, mut left_out, mut taken) = (0, 0, 0);
    for (at, photo) in photos.iter().enumerate() {
        for other in &photos[at + 1..] {
            let scaled = other.scaled(photo.width, photo.height).pixels.into_iter().map(encoded).collect();
            match merged(&[photo.clone(), Photo::new(photo.width, photo.height, scaled)]) {
                Err(_) => refused += 1,
                Ok(merged) if merged.report.merged == 1 => left_out += 1,
                Ok(_) => taken += 1,
            }
        }
    }
    println!("pairs of different scenes: {refused} refused, {left_out} left out, {taken} taken for one scene");
    Ok(())
}
