//! Benchmarks of sky detection.
//!
//! `sky_measures labels LABELS.json FOLDER [OVERLAYS]`: over the photographs `FOLDER/NAME` or `FOLDER/NAME.jpg` that the labels
//! name, intersection over union, and the share of what is not sky that would be replaced. A label has `width` and `height` of a
//! copy of the photo, and polygons in its pixels: `sky`, and `unsure` for areas that do not count; a polygon inside another is a
//! hole. `sky_measures indoors FOLDER...`: false positives in rooms.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aerie_photo::sky::matte;
use aerie_photo::{EnhanceOptions, Photo, decode_file, enhance};
use image::{Rgb, RgbImage};
use rayon::prelude::*;

type Failure = Box<dyn std::error::Error>;

/// Longer side at which enhancement detects skies.
const SIDE: usize = 512;

#[expect(clippy::print_stdout, reason = "a command for people")]
fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (summary, is_met) = match args.as_slice() {
        [what, file, folder, overlays @ ..] if what == "labels" => {
            labels(file.as_ref(), folder.as_ref(), overlays.first().map(Path::new))?
        }
        [what, folders @ ..] if what == "indoors" => indoors(folders)?,
        _ => return Err("usage: sky_measures labels LABELS.json FOLDER [OVERLAYS] | indoors FOLDER...".into()),
    };
    println!("{summary}\n  => {}", if is_met { "met" } else { "MISSED" });
    if is_met { Ok(()) } else { Err("a target was missed".into()) }
}

fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    files.retain(|f| f.extension().is_some_and(|e| e.eq_ignore_ascii_case(extension)));
    files.sort();
    if files.is_empty() { Err(format!("no .{extension} files in {}", folder.display()).into()) } else { Ok(files) }
}

#[derive(serde::Deserialize)]
struct Label {
    width: usize,
    height: usize,
    sky: Vec<Vec<[f32; 2]>>,
    unsure: Vec<Vec<[f32; 2]>>,
}

/// Pixels inside an odd number of polygons.
fn inside(label: &Label, polygons: &[Vec<[f32; 2]>]) -> Vec<bool> {
    let mut mask = vec![false; label.width * label.height];
    for (y, row) in mask.chunks_mut(label.width).enumerate() {
        let level = y as f32 + 0.5;
        for polygon in polygons {
            for (a, b) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
                if (a[1] <= level) == (b[1] <= level) {
                    continue;
                }
                let x = a[0] + (level - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
                let from = (x + 0.5).clamp(0.0, label.width as f32) as usize;
                row[from..].iter_mut().for_each(|is_in| *is_in = !*is_in);
            }
        }
    }
    mask
}

fn labels(file: &Path, folder: &Path, overlays: Option<&Path>) -> Result<(String, bool), Failure> {
    let labels: BTreeMap<String, Label> = serde_json::from_slice(&std::fs::read(file)?)?;
    let mut rows: Vec<(f32, f32, String)> = labels
        .into_par_iter()
        .map(|(name, label)| {
            let (sky, unsure) = (inside(&label, &label.sky), inside(&label, &label.unsure));
            let file = Some(folder.join(&name)).filter(|f| f.exists());
            let file = file.unwrap_or_else(|| folder.join(format!("{name}.jpg")));
            let photo = decode_file(&file).map_err(|e| format!("{name}: {e}"))?;
            let reduced = photo.reduced(SIDE);
            let found = matte(&reduced);
            let alpha = |x: usize, y: usize| found.as_ref().map_or(0.0, |m| m.alpha[y * m.width + x]);
            let (mut both, mut either, mut rest, mut lost) = (0_usize, 0_usize, 0_usize, 0_usize);
            let mut overlay = RgbImage::new(photo.width as u32, photo.height as u32);
            for (i, pixel) in photo.pixels.iter().enumerate() {
                let (x, y) = (i % photo.width, i / photo.width);
                let at = y * label.height / photo.height * label.width + x * label.width / photo.width;
                let value = alpha(x * reduced.width / photo.width, y * reduced.height / photo.height);
                let (is_sky, is_found) = (sky[at], value > 0.5);
                if !unsure[at] {
                    both += usize::from(is_sky && is_found);
                    either += usize::from(is_sky || is_found);
                    rest += usize::from(!is_sky);
                    lost += usize::from(!is_sky && is_found);
                }
                let mut shown = pixel.map(|v| (v / 257) as u8);
                if is_found {
                    shown[0] = shown[0] / 2 + 127;
                }
                if is_sky {
                    shown[1] = shown[1] / 2 + 127;
                }
                overlay.put_pixel(x as u32, y as u32, Rgb(shown));
            }
            if let Some(folder) = overlays {
                overlay.save(folder.join(format!("{}.png", name.replace('/', "+")))).map_err(|e| e.to_string())?;
            }
            let lost = 100.0 * lost as f32 / rest.max(1) as f32;
            Ok((if either == 0 { 1.0 } else { both as f32 / either as f32 }, lost, name))
        })
        .collect::<Result<_, String>>()?;
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let median = rows[rows.len() / 2].0;
    let list: Vec<String> = rows.iter().map(|(iou, lost, name)| format!("{name} {iou:.3} ({lost:.2} %)")).collect();
    let mut lost: Vec<f32> = rows.iter().map(|r| r.1).collect();
    lost.sort_by(f32::total_cmp);
    let mean = lost.iter().sum::<f32>() / lost.len() as f32;
    let summary = format!(
        "{} labeled photographs: IoU {median:.3} median (target 0.930), {:.3} at one in ten; of what is not sky, {mean:.2} % is \
         replaced in the mean, {:.2} % at nine in ten, {:.2} % at most\n  {}",
        rows.len(),
        rows[rows.len() / 10].0,
        lost[lost.len() * 9 / 10],
        lost[lost.len() - 1],
        list.join(", ")
    );
    Ok((summary, median >= 0.93))
}

fn indoors(folders: &[String]) -> Result<(String, bool), Failure> {
    let mut all = Vec::new();
    for folder in folders {
        all.extend(files(folder.as_ref(), "jpg")?);
    }
    let blue = EnhanceOptions::new(aerie_photo::Preset::BlueSky, None);
    let found: Vec<String> = all
        .par_iter()
        .filter_map(|file| {
            let photo = small(&decode_file(file).ok()?);
            let made = enhance(photo, &blue, None).report.changes;
            made.iter().any(|c| c.name == "sky").then(|| file.display().to_string())
        })
        .collect();
    Ok((format!("{} photographs of rooms, skies replaced: {} {found:?}", all.len(), found.len()), found.is_empty()))
}

fn small(photo: &Photo) -> Photo {
    let reduced = photo.reduced(SIDE);
    let pixels = reduced.pixels.iter().map(|p| aerie_math::color::encoded(*p)).collect();
    Photo { light_value: photo.light_value, ..Photo::new(reduced.width, reduced.height, pixels) }
}
