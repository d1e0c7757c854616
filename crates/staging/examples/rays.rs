//! Measures how fast furniture is traced: `rays FOLDER [SAMPLES [WIDTH]]`. Furnishes a synthetic room, traces it with
//! SAMPLES lit samples per pixel, prints seconds and rays per second, and writes the scene into FOLDER for another
//! renderer (`bench/staging_peer.py`): vertices, triangles, and `scene.json` with camera, room and windows.
#![expect(clippy::print_stdout, reason = "an example reports on stdout")]
use std::path::Path;
use std::time::Instant;

use aerie_furniture::{Catalog, OperatorModels, StylePrompt};
use aerie_photo::room::{Hints, Layout};
use aerie_staging::composite::composite;
use aerie_staging::light::Shell;
use aerie_staging::space::Space;
use aerie_staging::trace::Scene;
use aerie_staging::{Effort, Monitor, Room, RoomHints, RoomPlan};
use aerie_synthetic::{Developing, LitRoom, Style, imagine};

/// A seed whose room can be analyzed and is well furnished.
const SEED: u64 = 17;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(args.first().map_or(".", String::as_str));
    let number = |i: usize, usual: usize| args.get(i).map_or(usual, |n| n.parse().expect("a number"));
    let (samples, width) = (number(1, 32), number(2, 1280));
    let style = Style { width, height: width * 2 / 3, casual: 0.0, ..Style::default() };
    let imagined = imagine(SEED, &style);
    let photo = LitRoom::new(imagined.room).view(&imagined.viewpoint, 2).developed(&Developing::default());
    let room = Room::analyze(&photo, &RoomHints::default()).expect("a room");
    let catalog = Catalog::new(&StylePrompt::parse(None), &OperatorModels::default(), SEED);
    let done = room.arrange(RoomPlan::LivingRoom, &catalog, SEED).expect("furniture");
    let layout = Layout::of(&photo, &Hints::of(&photo)).expect("a layout");
    let mut shell = Shell::of(Space::of(&layout, None), &photo, Some(&layout.segmentation));
    shell.fit();
    let mesh = done.mesh();
    std::fs::create_dir_all(folder).expect("a folder");
    let floats = |v: glam::Vec3| v.to_array().map(f32::to_le_bytes).concat();
    let corners: Vec<u8> = mesh.vertices.iter().flat_map(|v| floats(v.place)).collect();
    let triangles: Vec<u8> = mesh.triangles.iter().flat_map(|(t, _)| t.map(u32::to_le_bytes).concat()).collect();
    std::fs::write(folder.join("corners.f32"), corners).expect("written");
    std::fs::write(folder.join("triangles.u32"), triangles).expect("written");
    let camera = &shell.space.camera;
    let ray = |x: f64, y: f64| camera.ray(glam::DVec2::new(x * photo.width as f64, y * photo.height as f64)).to_array();
    let windows: Vec<_> = shell.windows.iter().map(|w| {
        let [l, h] = w.rect;
        let corner = |x: f32, y: f32| shell.space.off_face(w.surface, glam::Vec2::new(x, y)).to_array();
        serde_json::json!({"corners": [corner(l.x, l.y), corner(h.x, l.y), corner(h.x, h.y), corner(l.x, h.y)], "light": w.radiance.to_array()})
    }).collect();
    let scene = serde_json::json!({
        "width": photo.width, "height": photo.height, "samples": samples, "eye": shell.space.eye.to_array(),
        "focal": camera.focal, "forward": ray(0.5, 0.5), "right_of_middle": ray(0.9, 0.5),
        "floor": shell.space.sides.iter().map(|s| s.from.to_array()).collect::<Vec<_>>(),
        "ceiling": shell.space.height, "ambient": shell.ambient().to_array(), "windows": windows,
    });
    std::fs::write(folder.join("scene.json"), scene.to_string()).expect("written");
    // The change of light in the room takes little work here: only furniture is timed.
    let effort = Effort { samples: samples as u32, lit: 1, side: 16, rays: 4 };
    let begun = Instant::now();
    let mut scene = Scene::new(mesh, catalog.palette.materials.clone());
    let triangles = scene.triangles();
    let made = composite(&photo, &mut shell, &mut scene, &effort, 1, &Monitor::NONE).expect("a picture");
    let seconds = begun.elapsed().as_secs_f64();
    let covered = made.mask.iter().filter(|m| **m == 255).count();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "aerie: {} x {}, {triangles} triangles, furniture on {covered} pixels, {samples} samples: {seconds:.2} s, {:.2} million \
         samples/s, {:.2} million rays/s a core",
        photo.width,
        photo.height,
        covered as f64 * samples as f64 / seconds / 1e6,
        made.rays as f64 / seconds / cores as f64 / 1e6,
    );
}
