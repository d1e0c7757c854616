//! Writes the scene of a flight and some of its cameras for other renderers: `flight_for_peers DATA_DIR ADDRESS DIRECTION FOLDER
//! FRAME...`. `scene.json` describes the contents of the other files: flat arrays in the machine's byte order, as `bench/flight_peer.mjs`
//! reads them.

use std::path::Path;

use aerie_render::scene::{PaintVertex, Scene};
use aerie_scenery::{Flight, VideoFormat};
use serde_json::{Value, json};

/// Converts a square-root code to linear light, as a byte.
fn linear(code: u8) -> u8 {
    (u16::from(code) * u16::from(code) / 255) as u8
}

/// Writes the positions, normals, colors and indices of one kind of body.
fn body(
    folder: &Path,
    name: &str,
    vertices: impl Iterator<Item = ([f32; 3], [i8; 4], [u8; 3])>,
    indices: &[u32],
) -> std::io::Result<()> {
    let (mut positions, mut normals, mut colors) = (Vec::new(), Vec::new(), Vec::new());
    for (position, normal, color) in vertices {
        positions.extend(position.iter().flat_map(|v| v.to_ne_bytes()));
        normals.extend(normal.map(|v| v as u8));
        colors.extend(color.map(linear));
        colors.push(255);
    }
    std::fs::write(folder.join(format!("{name}.positions")), positions)?;
    std::fs::write(folder.join(format!("{name}.normals")), normals)?;
    std::fs::write(folder.join(format!("{name}.colors")), colors)?;
    std::fs::write(folder.join(format!("{name}.indices")), bytes(indices.iter().map(|i| i.to_ne_bytes())))
}

fn bytes<const N: usize>(values: impl Iterator<Item = [u8; N]>) -> Vec<u8> {
    values.flatten().collect()
}

fn chunks(parts: impl Iterator<Item = (glam::Vec3, glam::Vec3, std::ops::Range<u32>)>) -> Value {
    parts.map(|(min, max, range)| json!([min.to_array(), max.to_array(), range.start, range.end])).collect()
}

fn write(scene: &Scene, folder: &Path) -> std::io::Result<()> {
    let solids = scene.solids.vertices.iter().map(|v| {
        let [r, g, b, _] = v.material[0].to_le_bytes();
        (v.position, v.normal, [r, g, b])
    });
    body(folder, "solids", solids, &scene.solids.indices)?;
    let plants = scene.plants.vertices.iter().map(|v| (v.position, v.normal, [v.color[0], v.color[1], v.color[2]]));
    body(folder, "plants", plants, &scene.plants.indices)?;
    let corner = |v: &PaintVertex| [v.position[0], v.position[1], v.color[0], v.color[1], v.color[2]];
    let paint = scene.paint.iter().flat_map(corner).map(f32::to_ne_bytes);
    std::fs::write(folder.join("paint"), bytes(paint))?;
    std::fs::write(folder.join("heights"), bytes(scene.terrain.heights.iter().map(|h| h.to_ne_bytes())))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [data_dir, address, direction, folder, frames @ ..] = args.as_slice() else {
        return Err("usage: flight_for_peers DATA_DIR ADDRESS DIRECTION FOLDER FRAME...".into());
    };
    let folder = Path::new(folder);
    std::fs::create_dir_all(folder)?;
    let pack = aerie_sample_town::open(data_dir.as_ref())?;
    let place = pack.place(&aerie_geocode::geocode(&pack, address)?, 1200.0)?;
    let direction = serde_json::from_value(json!(direction))?;
    let flight = Flight::plan(&place, aerie_engines::footage::path_of(direction), VideoFormat::default());
    let scene = aerie_scenery::scene(&place, &flight);
    write(&scene, folder)?;
    let frames: Vec<usize> = frames.iter().map(|f| f.parse()).collect::<Result<_, _>>()?;
    let cameras: Vec<Value> = frames
        .iter()
        .map(|f| {
            let camera = flight.cameras[(*f).min(flight.cameras.len() - 1)];
            json!([camera.eye.to_array(), camera.target.to_array(), camera.up.to_array(), camera.field])
        })
        .collect();
    let terrain = &scene.terrain;
    let scene_file = json!({
        "solids": chunks(scene.solids.chunks.iter().map(|c| (c.min, c.max, c.ranges[0].start..c.ranges[2].end))),
        "plants": chunks(scene.plants.chunks.iter().map(|c| (c.min, c.max, c.range.clone()))),
        "terrain": [terrain.min.x, terrain.min.y, terrain.spacing, terrain.columns, terrain.rows],
        "sun": scene.light.sun_direction.to_array(),
        "focus": scene.focus.to_array(),
        "cameras": cameras,
    });
    std::fs::write(folder.join("scene.json"), scene_file.to_string())?;
    Ok(())
}
