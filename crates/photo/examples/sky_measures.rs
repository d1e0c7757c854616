//! How well skies are found.
//!
//! `sky_measures labels FOLDER [OVERLAYS]`: over photographs `NAME.jpg` with labels `NAME.png` (white is sky, black is
//! none, grey does not count), intersection over union. `sky_measures indoors FOLDER...`: skies found where there are
//! none.

use std::path::{Path, PathBuf};

use aerie_photo::sky::matte;
use aerie_photo::{Photo, Wishes, decode_file, enhance};
use image::{Rgb, RgbImage};
use rayon::prelude::*;

type Failure = Box<dyn std::error::Error>;

/// The side at which enhancement looks for a sky.
const SIDE: usize = 512;

#[expect(clippy::print_stdout, reason = "a command for people")]
fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (told, is_met) = match args.as_slice() {
        [what, folder, overlays @ ..] if what == "labels" => labels(folder.as_ref(), overlays.first().map(Path::new))?,
        [what, folders @ ..] if what == "indoors" => indoors(folders)?,
        _ => return Err("usage: sky_measures labels FOLDER [OVERLAYS] | indoors FOLDER...".into()),
    };
    println!("{told}");
    if is_met { Ok(()) } else { Err("a bar is missed".into()) }
}

fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    files.retain(|f| f.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending)));
    files.sort();
    if files.is_empty() { Err(format!("no .{ending} files in {}", folder.display()).into()) } else { Ok(files) }
}

fn labels(folder: &Path, overlays: Option<&Path>) -> Result<(String, bool), Failure> {
    let mut rows: Vec<(f32, String)> = files(folder, "png")?
        .par_iter()
        .map(|label| {
            let name = label.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            let truth = image::open(label).map_err(|e| format!("{name}: {e}"))?.into_luma8();
            let photo = decode_file(&label.with_extension("jpg")).map_err(|e| format!("{name}: {e}"))?;
            let reduced = photo.reduced(SIDE);
            let found = matte(&reduced);
            let alpha = |x: usize, y: usize| found.as_ref().map_or(0.0, |m| m.alpha[y * m.width + x]);
            let (mut both, mut either) = (0_usize, 0_usize);
            let mut overlay = RgbImage::new(photo.width as u32, photo.height as u32);
            for (i, pixel) in photo.pixels.iter().enumerate() {
                let (x, y) = (i % photo.width, i / photo.width);
                let at = (x * truth.width() as usize / photo.width, y * truth.height() as usize / photo.height);
                let label = truth.get_pixel(at.0 as u32, at.1 as u32).0[0];
                let value = alpha(x * reduced.width / photo.width, y * reduced.height / photo.height);
                let (is_sky, is_found) = (label > 192, value > 0.5);
                if !(64..=192).contains(&label) {
                    both += usize::from(is_sky && is_found);
                    either += usize::from(is_sky || is_found);
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
                overlay.save(folder.join(format!("{name}.png"))).map_err(|e| e.to_string())?;
            }
            Ok((if either == 0 { 1.0 } else { both as f32 / either as f32 }, name))
        })
        .collect::<Result<_, String>>()?;
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let median = rows[rows.len() / 2].0;
    let list: Vec<String> = rows.iter().map(|(iou, name)| format!("{name} {iou:.3}")).collect();
    let told = format!(
        "{} labelled photographs: IoU {median:.3} median (bar 0.930), {:.3} at one in ten\n  {}",
        rows.len(),
        rows[rows.len() / 10].0,
        list.join(", ")
    );
    Ok((told, median >= 0.93))
}

fn indoors(folders: &[String]) -> Result<(String, bool), Failure> {
    let mut all = Vec::new();
    for folder in folders {
        all.extend(files(folder.as_ref(), "jpg")?);
    }
    let blue = Wishes::of(aerie_photo::Preset::BlueSky, None);
    let found: Vec<String> = all
        .par_iter()
        .filter_map(|file| {
            let photo = small(&decode_file(file).ok()?);
            let made = enhance(photo, &blue, None).account.changes;
            made.iter().any(|c| c.name == "sky").then(|| file.display().to_string())
        })
        .collect();
    Ok((format!("{} photographs of rooms, skies replaced: {} {found:?}", all.len(), found.len()), found.is_empty()))
}

fn small(photo: &Photo) -> Photo {
    let reduced = photo.reduced(SIDE);
    let pixels = reduced.pixels.iter().map(|p| aerie_photo::colour::encoded(*p)).collect();
    Photo { light_value: photo.light_value, ..Photo::new(reduced.width, reduced.height, pixels) }
}
