//! `aerie generate virtual-staging`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use aerie_domain::{JobInput, JobType};
use aerie_engine_api::kinds::virtual_staging::{StagingQuality, VARIATIONS};
use aerie_engine_api::layers;
use anyhow::{Context, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};

use super::generator::{Generator, Options};
use super::making::{Job, make};
use super::photo::format_of;
use crate::config::Config;
use crate::print;

/// Photo of an empty room, furnished
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Photo of an empty room: JPEG, PNG, WebP, TIFF, HEIC, AVIF or DNG, at most 100 megapixels
    #[arg(value_name = "IMAGE")]
    image: PathBuf,
    /// Type of room to furnish: living_room, family_room, media_room, bedroom, guest_room, kids_room, nursery, kitchen, dining_room,
    /// bathroom, home_office, library, gym, laundry_room, entryway, outdoor_patio
    #[arg(long, value_name = "TYPE")]
    room_type: String,
    /// Style, in words ("scandinavian, light oak, sage"); unrecognized words are reported and ignored
    #[arg(long, value_name = "PROMPT")]
    style_prompt: Option<String>,
    /// Random seed; another seed gives another arrangement [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<i64>,
    /// Number of arrangements, 1 to 4; the others are written next to the first as .2, .3 and .4 [default: 1]
    #[arg(long, value_name = "N")]
    variations: Option<i64>,
    /// Outline of the bare floor in pixels of the photo, if it is not detected: "X,Y X,Y X,Y", up to 16 points
    #[arg(long, value_name = "POINTS")]
    floor_polygon: Option<String>,
    /// Points where walls meet the floor, from left to right, in pixels of the photo, in place of --floor-polygon: "X,Y X,Y"
    #[arg(long, value_name = "POINTS", conflicts_with = "floor_polygon")]
    room_corners: Option<String>,
    /// The room is known to be empty: stage it in spite of doubtful objects
    #[arg(long)]
    room_is_empty: bool,
    /// Two points on the floor, in pixels, and the distance between them, to set the scale: "X,Y X,Y METERS"
    #[arg(long, value_name = "LENGTH")]
    known_length: Option<String>,
    /// Furniture and its places: a JSON file with an array, or with the output of this command (`--json`) and its `furniture`, changed as
    /// you like
    #[arg(long, value_name = "FILE", conflicts_with = "variations")]
    arrangement: Option<PathBuf>,
    /// Photo of the same room that was furnished before with the same options: shows its furniture at the same places
    #[arg(long, value_name = "IMAGE")]
    first_view: Option<PathBuf>,
    /// Rendering quality [default: final]
    #[arg(long, value_name = "QUALITY", value_parser = PossibleValuesParser::new(StagingQuality::ALL.map(|(name, _)| name)))]
    quality: Option<String>,
    /// Line of text in a strip below the picture
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
    /// Picture to write (.jpg, lossless .png, or .webp); thumbnail and mask are written next to it as .thumbnail.jpg
    /// and .mask.png
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Generator for Arguments {
    fn run(&self, config: &Config, options: &Options<'_>) -> anyhow::Result<ExitCode> {
        let format = format_of(&self.output)?;
        let floor_polygon = points("--floor-polygon", self.floor_polygon.as_deref())?;
        let room_corners = points("--room-corners", self.room_corners.as_deref())?;
        let known_length = known_length(self.known_length.as_deref())?;
        let arrangement = self.arrangement.as_deref().map(arrangement).transpose()?;
        let mut names = vec![
            ("image_url", self.output.clone()),
            ("mask_url", self.output.with_extension("mask.png")),
            ("thumbnail_url", self.output.with_extension("thumbnail.jpg")),
            ("layers_url", self.output.with_extension(layers::ENDING)),
        ];
        let ending = self.output.extension().unwrap_or_default().to_string_lossy();
        for (i, [image, mask, layers_url]) in VARIATIONS.into_iter().enumerate().skip(1) {
            names.push((image, self.output.with_extension(format!("{}.{ending}", i + 1))));
            names.push((mask, self.output.with_extension(format!("{}.mask.png", i + 1))));
            names.push((layers_url, self.output.with_extension(format!("{}.{}", i + 1, layers::ENDING))));
        }
        let body = json!({
            "image_url": "a local file",
            "room_type": self.room_type,
            "options": {
                "style_prompt": self.style_prompt, "seed": self.seed, "quality": self.quality, "label": self.label,
                "format": format, "variations": self.variations, "floor_polygon": floor_polygon,
                "room_corners": room_corners, "room_is_empty": self.room_is_empty.then_some(true),
                "known_length": known_length, "arrangement": arrangement,
                "first_view_url": self.first_view.as_ref().map(|_| "a local file"),
            },
        });
        let input = JobInput::from_body(JobType::VirtualStaging, &body)?;
        let mut inputs = BTreeMap::from([("image_url".to_owned(), self.image.clone())]);
        inputs.extend(self.first_view.iter().map(|image| ("options/first_view_url".to_owned(), image.clone())));
        let (code, fields) = make(config, options, &names, Job { input, inputs, parent: None })?;
        if !options.global.json {
            if let Some(text) = fields.get("disclosure").and_then(|d| d["text"].as_str()) {
                print::note(text);
            }
            if let (Some(asked), Some(made)) = (fields.get("room_type_asked"), fields.get("room_type")) {
                print::note(&format!("room type {asked} is not supported; furnished as {made}"));
            }
            for doubt in fields.get("doubts").and_then(Value::as_array).into_iter().flatten() {
                print::note(doubt.as_str().unwrap_or_default());
            }
            for word in fields.get("style").and_then(|s| s["not_understood"].as_array()).into_iter().flatten() {
                print::note(&format!("not recognized, ignored: {word}"));
            }
        }
        Ok(code)
    }
}

/// Parses numbers from a text such as "12,480 700,455.5 2.4".
fn numbers(name: &str, text: &str) -> anyhow::Result<Vec<f64>> {
    let parts = text.split([',', ' ', ';']).filter(|part| !part.is_empty());
    let number = |part: &str| part.parse::<f64>().ok().filter(|v| v.is_finite());
    let read = |part| number(part).with_context(|| format!("{name}: `{part}` is not a number"));
    parts.map(read).collect()
}

/// Parses points such as "12,480 700,455.5"; null without them.
fn points(name: &str, text: Option<&str>) -> anyhow::Result<Value> {
    let Some(text) = text else { return Ok(Value::Null) };
    let all = numbers(name, text)?;
    if all.len() % 2 != 0 {
        bail!("{name} must have the form \"X,Y X,Y X,Y\": the count of numbers is odd");
    }
    Ok(json!(all.chunks_exact(2).collect::<Vec<_>>()))
}

/// Parses a length such as "12,480 700,455.5 2.4"; null without one.
/// The array in a file, or in the `furniture` of the object there.
fn arrangement(file: &Path) -> anyhow::Result<Value> {
    let text = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut value: Value =
        serde_json::from_slice(&text).with_context(|| format!("{} is not valid JSON", file.display()))?;
    if let Some(furniture) = value.get_mut("furniture") {
        value = furniture.take();
    }
    if !value.is_array() {
        bail!("{} must hold an array of pieces, or an object with `furniture`", file.display());
    }
    Ok(value)
}

fn known_length(text: Option<&str>) -> anyhow::Result<Value> {
    let Some(text) = text else { return Ok(Value::Null) };
    let [x, y, u, v, meters] = numbers("--known-length", text)?[..] else {
        bail!("--known-length must have the form \"X,Y X,Y METERS\": five numbers");
    };
    Ok(json!({"from": [x, y], "to": [u, v], "meters": meters}))
}
