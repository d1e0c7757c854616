//! `aerie inspect place`: the buildings and trees around an address, and how each is known.

use std::process::ExitCode;

use aerie_engine_api::messages::Task;
use serde_json::Value;

use super::geocode::sought;
use crate::arguments::{Global, InspectPlace};
use crate::config::Config;
use crate::engine_child::ask;
use crate::escape::escape;
use crate::print;

pub(crate) fn run(config: &Config, global: &Global, options: &InspectPlace) -> anyhow::Result<ExitCode> {
    crate::data::make_folder(&config.data_dir)?;
    let sought = sought(config, &options.address);
    let report: Value = ask(Task::InspectPlace { sought, radius: options.radius })?;
    if global.json {
        print::json(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    print::line(&escape(report["address"].as_str().unwrap_or_default()));
    for things in ["buildings", "trees"] {
        for provenance in ["measured", "mapped", "derived", "guessed"] {
            let all = report[things].as_array().into_iter().flatten();
            let count = all.filter(|thing| thing["provenance"] == provenance).count();
            // No tree is derived.
            if things == "buildings" || provenance != "derived" {
                print::line(&format!("{count:>7}  {things} {provenance}"));
            }
        }
    }
    let near = if report["ground"].is_object() { "measured, 1 m" } else { "coarse" };
    print::line(&format!("{:>7}  ground near the property: {near}", ""));
    Ok(ExitCode::SUCCESS)
}
