//! `aerie generate drone-footage`

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use aerie_domain::kinds::drone_footage::DroneFootageRequest;
use aerie_domain::{Direction, JobType};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::json;

use super::film::{Film, video_files};
use super::generator::Generator;
use super::making::{Job, make};
use crate::config::Config;
use crate::global::Global;

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
    /// Outline the property on the ground: the imported parcel, or else the building's footprint
    #[arg(long)]
    highlight: bool,
    /// Show a pin with the address above the property
    #[arg(long)]
    label: bool,
    /// Video to write (.mp4); the thumbnail is written next to it as .jpg
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Generator for Arguments {
    fn run(&self, config: &Config, global: &Global) -> anyhow::Result<ExitCode> {
        let Film { duration, resolution, aspect_ratio } = &self.film;
        let requested = json!({
            "direction": self.direction, "duration": duration, "resolution": resolution, "aspect_ratio": aspect_ratio,
            "highlight": self.highlight.then_some(true), "label": self.label.then_some(true),
        });
        let body = json!({"address": self.address, "options": requested});
        let request = DroneFootageRequest::from_body(&body)?;
        let names = video_files(&self.output)?;
        crate::data::make_folder(&config.data_dir)?;

        let input = serde_json::to_value(&request)?;
        let job = Job { kind: JobType::DroneFootage, input, inputs: BTreeMap::new(), parent: None };
        make(config, global, &names, job).map(|(code, _)| code)
    }
}
