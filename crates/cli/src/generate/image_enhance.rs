//! `aerie generate image-enhance`

use std::path::PathBuf;
use std::process::ExitCode;

use aerie_domain::{JobInput, JobType};
use aerie_engine_api::kinds::image_enhance::EnhancePreset;
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};

use super::generator::{Generator, Options};
use super::making::{Job, make};
use super::photo::{LOCAL, format_of};
use crate::config::Config;
use crate::print;

/// Enhanced photo: light, color and geometry
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Photo: JPEG, PNG, WebP, TIFF, HEIC, AVIF or DNG, at most 100 megapixels
    #[arg(value_name = "IMAGE")]
    image: PathBuf,
    /// What to do, in words ("a bit brighter, warmer"); unrecognized requests are reported and ignored
    #[arg(long, value_name = "PROMPT")]
    prompt: Option<String>,
    /// Further exposure of the same view, darker or lighter, to merge with the photo; up to 8, once for each
    #[arg(long = "exposure", value_name = "FILE")]
    exposures: Vec<PathBuf>,
    /// Look to start from [default: natural]
    #[arg(long, value_name = "PRESET", value_parser = PossibleValuesParser::new(EnhancePreset::ALL.map(|(name, _)| name)))]
    preset: Option<String>,
    /// Longest side in pixels, 64 to 16383; a smaller photo is never scaled up
    #[arg(long, value_name = "PIXELS")]
    max_size: Option<i64>,
    /// Line of text in a strip below the photo [default: none]
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
    /// Picture to write (.jpg, .png or .webp); the thumbnail is written next to it as .thumbnail.jpg
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// A refused request of a prompt, with the reason.
pub(super) fn refusal(refused: &Value) -> String {
    let text = |field: &str| refused[field].as_str().unwrap_or_default().to_owned();
    format!("not done: {}: {}", text("request"), text("reason"))
}

impl Generator for Arguments {
    fn run(&self, config: &Config, options: &Options<'_>) -> anyhow::Result<ExitCode> {
        let format = format_of(&self.output)?;
        let names =
            [("image_url", self.output.clone()), ("thumbnail_url", self.output.with_extension("thumbnail.jpg"))];
        let requested = json!({
            "prompt": self.prompt, "preset": self.preset, "format": format, "max_size": self.max_size,
            "label": self.label,
            "exposures": Some(vec![LOCAL; self.exposures.len()]).filter(|exposures| !exposures.is_empty()),
        });
        let body = json!({"image_url": LOCAL, "options": requested});
        let input = JobInput::from_body(JobType::ImageEnhance, &body)?;
        let links = input.request().pictures();
        let images = std::iter::once(&self.image).chain(&self.exposures);
        let inputs = links.iter().zip(images).map(|(link, image)| (link.input().to_owned(), image.clone())).collect();
        let (code, fields) = make(config, options, &names, Job { input, inputs, parent: None })?;
        if !options.global.json {
            if let Some(text) = fields.get("disclosure").and_then(|d| d["text"].as_str()) {
                print::note(text);
            }
            let notes = |what: &str| fields.get("adjustments").and_then(|a| a[what].as_array()).into_iter().flatten();
            notes("readings").filter_map(|note| note.as_str()).for_each(print::note);
            let others = fields.get("exposures").and_then(|e| e["others"].as_array()).into_iter().flatten();
            for (exposure, why) in self.exposures.iter().zip(others.map(|other| other["left_out"].as_str())) {
                if let Some(why) = why {
                    print::note(&format!("{}: left out: {why}", exposure.display()));
                }
            }
            for clause in notes("not_understood").filter_map(|c| c.as_str()) {
                print::note(&format!("not recognized, ignored: {clause}"));
            }
            for refused in notes("refused") {
                print::note(&refusal(refused));
            }
            notes("stepped_back").filter_map(|note| note.as_str()).for_each(print::note);
        }
        Ok(code)
    }
}
