//! `aerie generate`: runs an engine locally, without a server or key.

mod making;
mod photos;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use aerie_domain::{DroneFootageRequest, JobType, MarkupRequest, MarkupVideoInput, MarkupVideoRequest};
use anyhow::{Context, bail};
use serde_json::{Value, json};

use crate::arguments::{Film, Generate, GenerateDroneFootage, GenerateMarkup, GenerateMarkupVideo, Global};
use crate::config::Config;
use making::{Job, make};

pub(crate) fn run(config: &Config, global: &Global, options: &Generate) -> anyhow::Result<ExitCode> {
    match options {
        Generate::DroneFootage(options) => drone_footage(config, global, options),
        Generate::ImageEnhance(options) => photos::image_enhance(config, global, options),
        Generate::VirtualStaging(options) => photos::virtual_staging(config, global, options),
        Generate::Markup(options) => markup(config, global, options),
        Generate::MarkupVideo(options) => markup_video(config, global, options),
        Generate::VideoClip(options) => photos::video_clip(config, global, options),
    }
}

fn drone_footage(config: &Config, global: &Global, options: &GenerateDroneFootage) -> anyhow::Result<ExitCode> {
    let Film { duration, resolution, aspect_ratio } = &options.film;
    let requested = json!({
        "direction": options.direction, "duration": duration, "resolution": resolution, "aspect_ratio": aspect_ratio,
        "highlight": options.highlight.then_some(true), "label": options.label.then_some(true),
    });
    let body = json!({"address": options.address, "options": requested});
    let request = DroneFootageRequest::from_body(&body)?;
    let names = names_of_film(&options.output)?;
    crate::data::make_folder(&config.data_dir)?;

    let input = serde_json::to_value(&request)?;
    let job = Job { kind: JobType::DroneFootage, input, inputs: BTreeMap::new(), parent: None };
    make(config, global, &names, job).map(|(code, _)| code)
}

/// Returns the output files of a video, by output field.
fn names_of_film(output: &Path) -> anyhow::Result<[(&'static str, PathBuf); 2]> {
    if !output.extension().is_some_and(|e| e.eq_ignore_ascii_case("mp4")) {
        bail!("{} must end in .mp4; the thumbnail is written next to it as .jpg", output.display());
    }
    Ok([("video_url", output.to_owned()), ("thumbnail_url", output.with_extension("jpg"))])
}

fn markup_video(config: &Config, global: &Global, options: &GenerateMarkupVideo) -> anyhow::Result<ExitCode> {
    let Film { duration, resolution, aspect_ratio } = &options.film;
    let requested = json!({
        "direction": options.direction, "duration": duration, "resolution": resolution, "aspect_ratio": aspect_ratio,
        "color": options.color, "labels": !options.no_labels,
    });
    let options_kept = MarkupVideoRequest::from_body(&json!({ "options": requested }))?.options;
    let names = names_of_film(&options.output)?;
    let read = || format!("cannot read {}", options.boundary.display());
    let text = std::fs::read(&options.boundary).with_context(read)?;
    let document: Value =
        serde_json::from_slice(&text).with_context(|| format!("{} is not JSON", options.boundary.display()))?;
    // Either the output of `aerie inspect boundary --json`, or plain GeoJSON.
    let boundary = document.get("boundary").cloned().unwrap_or(document);
    let is_in_pixels = aerie_engines::markup_video::is_in_pixels(&boundary)?;
    match (is_in_pixels, &options.image) {
        (true, None) => {
            bail!("the boundary is in pixels: give the picture that it refers to with --image, instead of --address")
        }
        (false, Some(_)) => bail!("the boundary is in WGS 84: give the property with --address, instead of --image"),
        _ => crate::data::make_folder(&config.data_dir)?,
    }

    let address = options.address.clone().unwrap_or_default();
    let input = MarkupVideoInput { markup_job_id: None, address, options: options_kept };
    let parent = Some(aerie_engines::markup_video::from_files(boundary, options.image.clone()));
    let job = Job { kind: JobType::MarkupVideo, input: serde_json::to_value(input)?, inputs: BTreeMap::new(), parent };
    make(config, global, &names, job).map(|(code, _)| code)
}

fn markup(config: &Config, global: &Global, options: &GenerateMarkup) -> anyhow::Result<ExitCode> {
    let body = json!({
        "address": options.address,
        "options": {"north_arrow": options.north_arrow, "scale_bar": options.scale_bar},
    });
    let input = serde_json::to_value(MarkupRequest::from_body(&body)?)?;
    crate::data::make_folder(&config.data_dir)?;
    let names = aerie_engines::markup::files(&options.output);
    let job = Job { kind: JobType::Markup, input, inputs: BTreeMap::new(), parent: None };
    make(config, global, &names, job).map(|(code, _)| code)
}
