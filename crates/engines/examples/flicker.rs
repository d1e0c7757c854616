//! Measures how much a film shimmers: `flicker DATA_DIR ADDRESS DIRECTION FIRST COUNT`.
//!
//! Frames as rendered on a CPU (1.41 samples along each side of a pixel) are compared with frames of the same cameras
//! with nine samples per pixel, which hardly shimmer. The difference between the two is the error; its change from one
//! frame to the next is shimmer. Prints these figures for the luma, in code values, of the whole picture and of each
//! kind of surface: the mean change from frame to frame of both, their ratio, the mean change of the error, and the
//! PSNR in decibels.

use aerie_render::Gpu;
use aerie_render::scene::{Camera, Cover, PaintVertex, Scene};
use aerie_render::{Picture, SceneRenderer};
use aerie_scenery::{Flight, VideoFormat};
use glam::Vec3;

const SIZE: [u32; 2] = [1920, 1080];

/// Kinds of surface, and the byte that encodes each in a classification picture: the square root of its albedo.
const KINDS: [(&str, u8); 5] =
    [("ground", 0), ("plants", 64), ("roofs", 128), ("façades", 191), ("sky, small bodies", 255)];
/// Luma thresholds between the kinds in that picture.
const BETWEEN: [u8; 4] = [37, 95, 153, 188];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [data_dir, address, direction, first, count] = args.as_slice() else {
        return Err("usage: flicker DATA_DIR ADDRESS DIRECTION FIRST COUNT".into());
    };
    let (first, count): (usize, u32) = (first.parse()?, count.parse()?);
    let pack = aerie_sample_town::open(data_dir.as_ref())?;
    let mut place = pack.place(&aerie_geocode::geocode(&pack, address)?, 1200.0)?;
    let direction = serde_json::from_value(serde_json::json!(direction))?;
    let flight = Flight::plan(&place, aerie_engines::footage::path_of(direction), VideoFormat::default());
    let online = aerie_engine_api::Sources::default();
    let scene = aerie_engines::overlay::scene(&mut place, &flight, &pack, &online)?.scene;
    let gpu = Gpu::open()?;
    let camera = |i: u32| flight.cameras[(first + i as usize).min(flight.cameras.len() - 1)];
    let ours = filmed(&gpu, &scene, 1.414, count, camera)?;
    let fine = filmed(&gpu, &scene, 3.0, count, camera)?;
    let kinds = filmed(&gpu, &colored_by_kind(scene), 1.0, count, camera)?;
    print(&[&ours, &fine, &kinds], "all", |_| true);
    for (index, (name, _)) in KINDS.iter().enumerate() {
        let least = index.checked_sub(1).map_or(0, |below| BETWEEN[below]);
        let most = BETWEEN.get(index).copied().unwrap_or(u8::MAX);
        print(&[&ours, &fine, &kinds], name, |luma| luma >= least && luma < most);
    }
    Ok(())
}

/// Renders the luma of frames.
fn filmed(
    gpu: &Gpu,
    scene: &Scene,
    supersampling: f32,
    count: u32,
    camera: impl Fn(u32) -> Camera,
) -> Result<Vec<Vec<u8>>, aerie_render::RenderError> {
    let [width, height] = SIZE;
    let renderer = SceneRenderer::new(gpu, scene, Picture { width, height, supersampling, vignette: 0.0 })?;
    let mut frames = Vec::new();
    renderer.render(count, camera, |_, nv12| {
        frames.push(nv12[..(width * height) as usize].to_vec());
        Ok(())
    })?;
    Ok(frames)
}

/// The scene as a classification picture: one tone per kind, under uniform light.
fn colored_by_kind(mut scene: Scene) -> Scene {
    let [_, plants, roofs, walls, rest] = KINDS.map(|(_, code)| code);
    scene.light = aerie_render::scene::Light {
        sun_color: Vec3::ZERO,
        sky: Vec3::ONE,
        bounce: Vec3::ONE,
        haze: Vec3::ONE,
        haze_density: 0.0,
        zenith: Vec3::ONE,
        horizon: Vec3::ONE,
        ..scene.light
    };
    let corner = |x: f32, y: f32| PaintVertex {
        position: [x, y],
        color: [0.0; 4],
        grain: [f32::from(Cover::Marking as u8), 0.0],
        local: [0.0; 2],
    };
    scene.paint = vec![corner(-9e4, -9e4), corner(18e4, -9e4), corner(-9e4, 18e4)];
    scene.orthophotos.clear();
    scene.ground_levels.iter_mut().for_each(|level| level.texels = 512);
    for vertex in &mut scene.plants.vertices {
        (vertex.normal, vertex.color) = ([0, 0, 127, 127], [plants, plants, plants, 0]);
    }
    let solids = &mut scene.solids;
    for chunk in &mut solids.chunks {
        let whole = chunk.ranges[0].start..chunk.ranges[2].end;
        for (range, code) in chunk.ranges.iter().zip([walls, roofs, rest]) {
            for index in &solids.indices[range.start as usize..range.end as usize] {
                let vertex = &mut solids.vertices[*index as usize];
                (vertex.normal[3], vertex.material) = (127, [u32::from_le_bytes([code, code, code, 0]), 0, 0, 0]);
            }
        }
        chunk.ranges = [whole.start..whole.start, whole.start..whole.start, whole];
    }
    scene
}

#[expect(clippy::print_stdout, reason = "a command for people")]
fn print([ours, fine, kinds]: &[&[Vec<u8>]; 3], name: &str, is: impl Fn(u8) -> bool) {
    let (mut moved, mut moved_fine, mut shimmer, mut square, mut pixels) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for i in 1..ours.len() {
        for at in (0..ours[i].len()).filter(|at| is(kinds[i][*at]) && is(kinds[i - 1][*at])) {
            let [now, before] = [i, i - 1].map(|i| [f64::from(ours[i][at]), f64::from(fine[i][at])]);
            moved += (now[0] - before[0]).abs();
            moved_fine += (now[1] - before[1]).abs();
            shimmer += (now[0] - now[1] - before[0] + before[1]).abs();
            square += (now[0] - now[1]).powi(2);
            pixels += 1.0;
        }
    }
    if pixels == 0.0 {
        return;
    }
    println!(
        "{name}: {:.1} % of the picture; change a frame {:.3}, with nine samples {:.3}, ratio {:.3}; shimmer {:.3} code values; {:.2} dB",
        100.0 * pixels / ((ours.len() - 1) * ours[0].len()) as f64,
        moved / pixels,
        moved_fine / pixels,
        moved / moved_fine,
        shimmer / pixels,
        10.0 * (255.0 * 255.0 / (square / pixels)).log10()
    );
}
