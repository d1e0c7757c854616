//! Stages a photo: `stage IMAGE OUT.png ROOM STYLE SEED [draft]`.
use aerie_furnish::arrange::{RoomPlan, arrange};
use aerie_furnish::composite::{Effort, composite};
use aerie_furnish::light::Shell;
use aerie_furnish::site::Site;
use aerie_furnish::space::Space;
use aerie_furnish::style::{Palette, Wish};
use aerie_furnish::trace::Scene;
use aerie_photo::room::{Hints, Layout};
use std::time::Instant;

#[expect(clippy::print_stdout, reason = "an example tells what it does")]
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let photo = aerie_photo::decode_file(std::path::Path::new(&args[1])).expect("a photo");
    let t = Instant::now();
    let segments = aerie_photo::lines::segments(&photo);
    let layout = Layout::of_segments(&photo, &segments, &Hints::of(&photo)).expect("a layout");
    println!("layout {:?} {:?}", layout.doubts, t.elapsed());
    let space = Space::of(&layout, None);
    println!("height {} eye {} scale {:?}", space.height, space.eye.z, space.scale);
    for s in &space.sides {
        println!("  {:?} -> {:?} seen {}", s.from, s.to, s.seen);
    }
    let mut shell = Shell::of(space, &photo);
    let fit = shell.fit();
    println!("fit {fit:?} {:?}", t.elapsed());
    for w in &shell.windows {
        println!("  window {} {:?} {:?}", w.side, w.rect, w.radiance);
    }
    let site = Site::of(&shell, &segments);
    println!("doors {:?}", site.doors);
    let seed: u64 = args[5].parse().expect("a seed");
    let palette = Palette::of(&Wish::of(Some(&args[4])), seed);
    let Some(done) = arrange(&site, RoomPlan::of(&args[3]).0, &palette, seed) else {
        println!("no place");
        return;
    };
    println!("arranged {:?}", t.elapsed());
    for p in &done.placed {
        println!("  {} {:?} yaw {:.2} size {:?}", p.piece.kind, p.at, p.yaw, p.piece.size);
    }
    println!("left out {:?}", done.left_out);
    drop(site);
    let mut scene = Scene::new(done.mesh(), palette.materials.clone());
    scene.gain = fit.gain;
    println!("{} triangles {:?}", scene.triangles(), t.elapsed());
    let effort = if args.get(6).is_some() { Effort::DRAFT } else { Effort::last(photo.pixels.len()) };
    let made = composite(&photo, &mut shell, &mut scene, &effort, seed as u32, &aerie_furnish::Watch::NOBODY)
        .expect("a picture");
    println!("composite {:?}", t.elapsed());
    let pixels: Vec<u8> = made.pixels.iter().flatten().map(|v| (v / 257) as u8).collect();
    let finished = aerie_photo::encode::Finished { width: photo.width, height: photo.height, pixels };
    std::fs::write(&args[2], aerie_photo::room::png(&finished).expect("png")).expect("written");
    let changed = made.mask.iter().filter(|m| **m > 0).count();
    println!("mask {:.3}", changed as f64 / made.mask.len() as f64);
}
