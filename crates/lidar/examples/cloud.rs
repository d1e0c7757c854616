//! Prints what a point cloud holds as JSON: header, time, memory, ground and trees.
//!
//! `cargo run --release -p aerie-lidar --example cloud -- FILE [OUTLINES.csv]`: the outlines have a JSON ring per line.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use aerie_lidar::outline::Outline;
use aerie_lidar::reader::Reader;
use aerie_lidar::{ground, trees};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("the path of a LAS, LAZ or COPC file is missing")?;
    let outlines = arguments.next().map(|path| outlines(Path::new(&path))).transpose()?.unwrap_or_default();
    let start = Instant::now();
    let reader = Reader::open(Path::new(&path))?;
    let mut count = 0;
    reader.read(None, &mut |points| {
        count += points.len();
        ControlFlow::Continue(())
    })?;
    let reading = json!({ "seconds": start.elapsed().as_secs_f64(), "peak_mb": peak_memory(), "points": count });
    let start = Instant::now();
    let ground = ground::survey(&reader, None)?;
    let known: Vec<f32> = ground.heights().iter().copied().filter(|height| !height.is_nan()).collect();
    let ground_report = json!({
        "seconds": start.elapsed().as_secs_f64(),
        "peak_mb": peak_memory(),
        "size": ground.size(),
        "coverage": ground.coverage(),
        "lowest": known.iter().copied().fold(f32::INFINITY, f32::min),
        "highest": known.iter().copied().fold(f32::NEG_INFINITY, f32::max),
    });
    let start = Instant::now();
    let [low, high] = reader.header().bounds;
    let mut found = Vec::new();
    if let Some(mut canopy) = trees::Canopy::new([low[0], low[1], high[0], high[1]], &ground, &outlines) {
        reader.read(None, &mut |points| {
            points.iter().for_each(|point| canopy.add(point));
            ControlFlow::Continue(())
        })?;
        found = canopy.trees();
    }
    let trees: Vec<_> = found
        .iter()
        .map(|tree| json!({ "at": tree.at, "height": tree.height, "crown": tree.crown, "is_conifer": tree.is_conifer }))
        .collect();
    let report = json!({
        "header": format!("{:?}", reader.header()),
        "reading": reading,
        "ground": ground_report,
        "trees_seconds": start.elapsed().as_secs_f64(),
        "peak_mb": peak_memory(),
        "trees": trees,
    });
    writeln!(std::io::stdout(), "{report:#}")?;
    Ok(())
}

/// Peak memory of this process, where the system says.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

/// The first ring in double brackets of each line.
fn outlines(path: &Path) -> Result<Vec<Outline>, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(path)?;
    let rings = text.lines().filter_map(|line| {
        let ring = &line[line.find("[[")?..line.rfind("]]")? + 2];
        serde_json::from_str(ring).ok()
    });
    Ok(rings.map(|outer| Outline { outer, holes: Vec::new() }).collect())
}
