//! Enhances photographs for visual inspection: `photo_pairs OUT PRESET [--prompt WORDS] PHOTO...`. Writes NAME.jpg into OUT and
//! prints the report.

use std::path::{Path, PathBuf};

use aerie_photo::{EnhanceOptions, OutputOptions, Preset, decode_file, encode, enhance};

#[expect(clippy::print_stdout, reason = "a command for people")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (out, preset, prompt, photos) = match args.as_slice() {
        [out, preset, flag, words, photos @ ..] if flag == "--prompt" => (out, preset, Some(words.as_str()), photos),
        [out, preset, photos @ ..] => (out, preset, None, photos),
        _ => return Err("usage: photo_pairs OUT PRESET [--prompt WORDS] PHOTO...".into()),
    };
    let preset: Preset = serde_json::from_value(preset.as_str().into())?;
    std::fs::create_dir_all(out)?;
    for photo in photos.iter().map(PathBuf::from) {
        let decoded = decode_file(&photo)?;
        let exif = decoded.exif.clone();
        let made = enhance(decoded, &EnhanceOptions::new(preset, prompt), None);
        let disclosure = made.report.disclosure();
        let name = photo.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let written =
            encode(&made.picture, &OutputOptions::default(), &disclosure, &made.report.steps(), exif.as_deref())?;
        std::fs::write(Path::new(out).join(format!("{name}.jpg")), written.bytes)?;
        println!("{name}: {:?} {} {:?}", made.report.scene, made.report.steps().join(", "), made.report.stepped_back);
    }
    Ok(())
}
