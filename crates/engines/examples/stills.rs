//! Renders single frames of a flight as JPEG for inspection: `stills DATA_DIR ADDRESS DIRECTION OUT FRAME...`. Prints
//! the time that each step took.

use std::time::Instant;

use aerie_render::{Gpu, still};
use aerie_render::{Picture, SceneRenderer};
use aerie_scenery::Flight;

#[expect(clippy::print_stdout, reason = "a command for people")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [data_dir, address, direction, out, frames @ ..] = args.as_slice() else {
        return Err("usage: stills DATA_DIR ADDRESS DIRECTION OUT FRAME...".into());
    };
    let clock = Instant::now();
    let pack = aerie_sample_town::open(data_dir.as_ref())?;
    let found = aerie_geocode::geocode(&pack, address)?;
    let mut place = pack.place(&found, 1200.0)?;
    println!(
        "place {:.2?}: {} buildings, {} ways, {} areas, {} trees, property {:?}",
        clock.elapsed(),
        place.buildings.len(),
        place.ways.len(),
        place.areas.len(),
        place.trees.len(),
        place.property.building.map(|b| &place.buildings[b].id),
    );
    let direction = serde_json::from_value(serde_json::json!(direction))?;
    let clock = Instant::now();
    let flight =
        Flight::plan(&place, aerie_engines::footage::path_of(direction), aerie_scenery::VideoFormat::default());
    let online = aerie_engine_api::Sources::default();
    let scene = aerie_engines::overlay::scene(&mut place, &flight, &pack, &online)?.scene;
    println!(
        "scene {:.2?}: {} solid triangles, {} plant triangles, {} painted",
        clock.elapsed(),
        scene.solids.indices.len() / 3,
        scene.plants.indices.len() / 3,
        scene.paint.len() / 3,
    );
    let (clock, busy) = (Instant::now(), processor_seconds());
    let gpu = Gpu::open()?;
    let picture = Picture { width: 1920, height: 1080, supersampling: 1.414, vignette: 0.16 };
    let renderer = SceneRenderer::new(&gpu, &scene, picture)?;
    // The first frame waits for the bakes.
    renderer.render(1, |_| flight.cameras[0], |_, _| Ok(()))?;
    let busy = processor_seconds() - busy;
    println!("renderer and first frame {:.2?}, {busy:.1} s of processor time, on {}", clock.elapsed(), gpu.name());
    let frames: Vec<usize> = frames.iter().map(|f| f.parse()).collect::<Result<_, _>>()?;
    let (clock, busy) = (Instant::now(), processor_seconds());
    renderer.render(
        frames.len() as u32,
        |i| flight.cameras[frames[i as usize].min(flight.cameras.len() - 1)],
        |i, nv12| {
            if frames.len() > 20 {
                return Ok(());
            }
            println!("frame {} at {:.2?}", frames[i as usize], clock.elapsed());
            still::write_jpeg(format!("{out}-{:03}.jpg", frames[i as usize]).as_ref(), picture, nv12, 92, None)
        },
    )?;
    let frames = frames.len() as f64;
    println!(
        "{:.0} ms a frame, {:.0} ms of processor time",
        clock.elapsed().as_secs_f64() * 1e3 / frames,
        (processor_seconds() - busy) * 1e3 / frames
    );
    Ok(())
}

/// Processor time of this process so far, seconds (`/proc/self/stat`, fields 14 and 15, in hundredths).
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    ticks.filter_map(|t| t.parse::<f64>().ok()).sum::<f64>() / 100.0
}
