//! `aerie geocode`: which house an address resolves to.

use std::process::ExitCode;

use crate::arguments::{Geocode, Global};
use crate::config::Config;
use crate::escape::escape;
use crate::print;

pub(crate) fn run(config: &Config, global: &Global, options: &Geocode) -> anyhow::Result<ExitCode> {
    crate::data::make_folder(&config.data_dir)?;
    let located = aerie_geocode::locate(aerie_sample_town::open(&config.data_dir)?, &config.sources, &options.address)?;
    let found = serde_json::to_value(&located.found)?;
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
