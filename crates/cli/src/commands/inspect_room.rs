//! `aerie inspect room`: the lines, the camera and the room in a photo.

use std::process::ExitCode;

use aerie_engine_api::messages::Task;
use serde_json::Value;

use crate::arguments::{Global, InspectRoom};
use crate::engine_child::ask;
use crate::print;

pub(crate) fn run(global: &Global, options: &InspectRoom) -> anyhow::Result<ExitCode> {
    let InspectRoom { image, output } = options;
    let report: Value = ask(Task::InspectRoom { image: image.clone(), overlay: output.clone() })?;
    if global.json {
        print::json(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    let verdict = if report["confident"] == true { "detected" } else { "not detected reliably" };
    print::line(&format!("room {verdict}, confidence {}", report["confidence"]));
    for reason in report["reasons"].as_array().into_iter().flatten() {
        print::line(&format!("  {}", reason.as_str().unwrap_or_default()));
    }
    if let Some(camera) = report["camera"].as_object() {
        print::line(&format!(
            "camera: focal length {} px ({} to {}), pitch {}°, roll {}°, yaw {}°",
            camera["focal"],
            camera["focal_range"][0],
            camera["focal_range"][1],
            camera["pitch"],
            camera["roll"],
            camera["yaw"],
        ));
        let distances = &report["distances"];
        print::line(&format!(
            "in camera heights: ceiling {} above, walls {} left, {} right, {} ahead",
            distances["ceiling"], distances["left"], distances["right"], distances["far"],
        ));
        let scale = &report["scale"];
        print::line(&format!(
            "camera height: {} m ({} to {}), from {}",
            scale["meters"],
            scale["range"][0],
            scale["range"][1],
            scale["ground"].as_str().unwrap_or_default(),
        ));
    }
    Ok(ExitCode::SUCCESS)
}
