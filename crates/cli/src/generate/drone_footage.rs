//! `aerie generate drone-footage`

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use aerie_domain::{JobInput, JobType};
use aerie_engine_api::Direction;
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::json;

use super::film::{Film, video_files};
use super::generator::{Generator, Options};
use super::making::{Job, make};
use crate::config::Config;

/// Aerial footage of a property
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Address of the property
    #[arg(long, value_name = "ADDRESS")]
    address: String,
    /// Flight path [default: original]
    #[arg(long, value_name = "DIRECTION", value_parser = PossibleValuesParser::new(Direction::ALL.map(Direction::as_str)))]
    direction: Option<String>,
    #[command(flatten)]
    film: Film,
    /// Outline the property on the ground: the imported parcel, or else the building's footprint; the default
    #[arg(long, overrides_with = "no_highlight")]
    highlight: bool,
    /// Do not outline the property
    #[arg(long, overrides_with = "highlight")]
    no_highlight: bool,
    /// Show a pin with the address above the property; the default
    #[arg(long, overrides_with = "no_label")]
    label: bool,
    /// Do not show the pin
    #[arg(long, overrides_with = "label")]
    no_label: bool,
    /// Video to write (.mp4); the thumbnail is written next to it as .jpg
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Generator for Arguments {
    fn run(&self, config: &Config, options: &Options<'_>) -> anyhow::Result<ExitCode> {
        let Film { duration, resolution, aspect_ratio } = &self.film;
        let requested = json!({
            "direction": self.direction, "duration": duration, "resolution": resolution, "aspect_ratio": aspect_ratio,
            "highlight": asked(self.highlight, self.no_highlight), "label": asked(self.label, self.no_label),
        });
        let body = json!({"address": self.address, "options": requested});
        let input = JobInput::from_body(JobType::DroneFootage, &body)?;
        let names = video_files(&self.output)?;
        crate::data::make_folder(&config.data_dir)?;

        let job = Job { input, inputs: BTreeMap::new(), parent: None };
        make(config, options, &names, job).map(|(code, _)| code)
    }
}

/// The value of an option that has a flag to switch it on and one to switch it off; `None` without either.
fn asked(on: bool, off: bool) -> Option<bool> {
    (on || off).then_some(on)
}
