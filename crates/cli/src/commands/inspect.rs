//! `aerie inspect`: what the engines detect in a picture.

use std::process::ExitCode;

use aerie_engine_api::messages::{DrawnBoundary, Task};
use anyhow::Context;
use serde_json::Value;

use crate::arguments::{Global, Inspect, InspectBoundary};
use crate::commands::{inspect_place, inspect_room};
use crate::config::Config;
use crate::engine_child::ask;
use crate::escape::escape;
use crate::print;

pub(crate) fn run(config: &Config, global: &Global, options: &Inspect) -> anyhow::Result<ExitCode> {
    match options {
        Inspect::Place(options) => inspect_place::run(config, global, options),
        Inspect::Room(options) => inspect_room::run(global, options),
        Inspect::Boundary(options) => {
            let measured = measure(options)?;
            if global.json {
                print::json(&measured)?;
            } else {
                boundary(&measured);
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn measure(options: &InspectBoundary) -> anyhow::Result<Value> {
    let InspectBoundary { annotated, clean, transform, polygon } = options;
    let corners = polygon.as_deref().map(serde_json::from_str).transpose();
    ask(Task::MeasureBoundary(DrawnBoundary {
        annotated: annotated.clone(),
        clean: clean.clone(),
        transform: transform.clone(),
        polygon: corners.context("--polygon must be a list of corners [x, y] in JSON")?,
    }))
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
