//! `aerie generate markup`

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use aerie_domain::{JobInput, JobType};
use aerie_engine_api::kinds::markup::ORIENTATIONS;
use clap::Args;
use serde_json::json;

use super::generator::{Generator, Options};
use super::making::{Job, make};
use crate::config::Config;

/// Four top-down pictures of a property, to draw its boundary on
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Address of the property
    #[arg(long, value_name = "ADDRESS")]
    address: String,
    /// Draw a north arrow
    #[arg(long)]
    north_arrow: bool,
    /// Draw a scale bar
    #[arg(long)]
    scale_bar: bool,
    /// Folder for the pictures and their georeference (KEY.ground.json)
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

impl Generator for Arguments {
    fn run(&self, config: &Config, options: &Options<'_>) -> anyhow::Result<ExitCode> {
        let body = json!({
            "address": self.address,
            "options": {"north_arrow": self.north_arrow, "scale_bar": self.scale_bar},
        });
        let input = JobInput::from_body(JobType::Markup, &body)?;
        crate::data::make_folder(&config.data_dir)?;
        let picture = |(index, side): (usize, &str)| {
            ["preview", "enhanced"].map(|kind| {
                let name = format!("{side}_{kind}.jpg");
                (format!("orientation_variants/{index}/{kind}_url"), self.output.join(name))
            })
        };
        let names: Vec<(String, PathBuf)> = ORIENTATIONS.into_iter().enumerate().flat_map(picture).collect();
        let job = Job { input, inputs: BTreeMap::new(), parent: None };
        make(config, options, &names, job).map(|(code, _)| code)
    }
}
