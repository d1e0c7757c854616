//! `aerie geocode`: which house an address resolves to.

use std::process::ExitCode;

use aerie_engine_api::messages::{Sought, Task};
use serde_json::Value;

use crate::arguments::{Geocode, Global};
use crate::config::Config;
use crate::engine_child::ask;
use crate::escape::escape;
use crate::print;

pub(crate) fn run(config: &Config, global: &Global, options: &Geocode) -> anyhow::Result<ExitCode> {
    crate::data::make_folder(&config.data_dir)?;
    let found: Value = ask(Task::Geocode(sought(config, &options.address)))?;
    if global.json {
        print::json(&found)?;
        return Ok(ExitCode::SUCCESS);
    }
    for field in ["matched", "lat", "lon", "precision", "source", "terrain_known"] {
        let value = &found[field];
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        print::line(&format!("{field:<14} {}", escape(&text)));
    }
    Ok(ExitCode::SUCCESS)
}

/// An address to find with the maps and sources of the configuration.
pub(super) fn sought(config: &Config, address: &str) -> Sought {
    Sought { address: address.to_owned(), data_dir: config.data_dir.clone(), sources: config.sources.clone() }
}
