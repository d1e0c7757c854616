//! `aerie generate markup-video`

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use aerie_domain::JobInput;
use aerie_engine_api::kinds::markup_video::{CLEAN_PICTURE, MarkupVideoInput};
use aerie_engine_api::{Direction, Parent};
use anyhow::{Context, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};

use super::film::{Film, video_files};
use super::generator::{Generator, Options};
use super::making::{Job, make};
use crate::config::Config;

/// Flight over a property with its boundary on the ground
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Address of the property
    #[arg(long, value_name = "ADDRESS", required_unless_present = "image")]
    address: Option<String>,
    /// Picture that a boundary in pixels refers to; the video then shows this picture
    #[arg(long, value_name = "IMAGE", conflicts_with = "address")]
    image: Option<PathBuf>,
    /// GeoJSON polygon in WGS 84, or the output of `aerie inspect boundary --json`
    #[arg(long, value_name = "FILE")]
    boundary: PathBuf,
    /// Flight path [default: original]
    #[arg(long, value_name = "DIRECTION", value_parser = PossibleValuesParser::new(Direction::ALL.map(Direction::as_str)))]
    direction: Option<String>,
    #[command(flatten)]
    film: Film,
    /// Color of the boundary, such as '#FF3B30' (#FFD400 by default)
    #[arg(long, value_name = "#RRGGBB")]
    color: Option<String>,
    /// Hide the area and edge lengths
    #[arg(long)]
    no_labels: bool,
    /// Video to write (.mp4); the thumbnail is written next to it as .jpg
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Generator for Arguments {
    fn run(&self, config: &Config, options: &Options<'_>) -> anyhow::Result<ExitCode> {
        let Film { duration, resolution, aspect_ratio } = &self.film;
        let requested = json!({
            "direction": self.direction, "duration": duration, "resolution": resolution, "aspect_ratio": aspect_ratio,
            "color": self.color, "labels": !self.no_labels,
        });
        let mut input = MarkupVideoInput::from_body(&json!({ "options": requested }))?;
        let names = video_files(&self.output)?;
        let read = || format!("cannot read {}", self.boundary.display());
        let text = std::fs::read(&self.boundary).with_context(read)?;
        let document: Value =
            serde_json::from_slice(&text).with_context(|| format!("{} is not JSON", self.boundary.display()))?;
        // Either the output of `aerie inspect boundary --json`, or plain GeoJSON.
        let boundary = document.get("boundary").cloned().unwrap_or(document);
        // Whether it is a boundary at all, the engine says.
        let is_in_pixels = boundary.pointer("/features/0").unwrap_or(&boundary)["properties"]["coordinates"] == "image";
        match (is_in_pixels, &self.image) {
            _ if !boundary["type"].is_string() => crate::data::make_folder(&config.data_dir)?,
            (true, None) => {
                bail!(
                    "the boundary is in pixels: give the picture that it refers to with --image, instead of --address"
                )
            }
            (false, Some(_)) => {
                bail!("the boundary is in WGS 84: give the property with --address, instead of --image")
            }
            _ => crate::data::make_folder(&config.data_dir)?,
        }

        input.address = self.address.clone().unwrap_or_default();
        // A stand-in for the markup that a job would continue.
        let mut parent = Parent::default();
        parent.output.insert("boundary".into(), boundary);
        parent.pictures.extend(self.image.clone().map(|picture| (CLEAN_PICTURE.to_owned(), picture)));
        let job = Job { input: JobInput::MarkupVideo(input), inputs: BTreeMap::new(), parent: Some(parent) };
        make(config, options, &names, job).map(|(code, _)| code)
    }
}
