//! `aerie inspect`: what the engines detect in a picture.

use std::process::ExitCode;

use serde_json::Value;

use crate::arguments::{Global, Inspect};
use crate::commands::{inspect_place, inspect_room, measure_boundary};
use crate::config::Config;
use crate::escape::escape;
use crate::print;

pub(crate) fn run(config: &Config, global: &Global, options: &Inspect) -> anyhow::Result<ExitCode> {
    match options {
        Inspect::Place(options) => inspect_place::run(config, global, options),
        Inspect::Room(options) => inspect_room::run(global, options),
        Inspect::Boundary(options) => {
            let measured = serde_json::to_value(measure_boundary::measure(options)?)?;
            if global.json {
                print::json(&measured)?;
            } else {
                boundary(&measured);
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn boundary(measured: &Value) {
    let Some(properties) = measured["boundary"].get("properties").and_then(Value::as_object) else {
        print::line(&format!("no boundary found: {}", measured["boundary_message"].as_str().unwrap_or_default()));
        return;
    };
    for (name, value) in properties {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        print::line(&format!("{name:<16} {}", escape(&text)));
    }
    print::line(&format!("{:<16} {}", "positions", measured["boundary"]["geometry"]["coordinates"]));
}
