//! Writes sheets for inspection: `sheets FOLDER ROOM STYLE,STYLE SEED IMAGE...`. For each photo, a picture in FOLDER
//! shows the photo, its reconstruction with the mask and the outlines of the pieces, and the photo furnished in each
//! style. Pixels outside the mask are checked to be identical to the photo.
#![expect(clippy::print_stdout, reason = "an example reports on stdout")]
use std::path::Path;
use std::time::Instant;

use aerie_furniture::{OperatorModels, StylePrompt};
use aerie_photo::Photo;
use aerie_photo::Picture;
use aerie_staging::space::{Space, Surface};
use aerie_staging::{Brief, Effort, Monitor, Room, RoomHints, RoomPlan, Staged};
use glam::Vec3;

/// Width of a picture on a sheet.
const WIDTH: usize = 1000;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, room_type, styles, seed, images @ ..] = &args[..] else {
        println!("sheets FOLDER ROOM STYLE,STYLE SEED IMAGE...");
        return;
    };
    std::fs::create_dir_all(folder).expect("a folder");
    for image in images {
        let name = Path::new(image).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let photo = aerie_photo::decode_file(Path::new(image)).expect("a photo");
        let begun = Instant::now();
        let room = match Room::analyze(&photo, &RoomHints::default()) {
            Ok(room) => room,
            Err(refusal) => {
                println!("{name}: refused: {refusal}");
                continue;
            }
        };
        let understood = begun.elapsed().as_secs_f64();
        println!("{name}: confidence {:.2}, understood in {understood:.2} s; {:.2?}", room.confidence, room.fit);
        for w in room.windows() {
            println!("  {:?} {:?} light {:.1}", w.surface, w.rect, w.radiance);
        }
        let mut panels = vec![photo.pixels.clone()];
        println!("  {} places of the floor are taken", room.obstacles().len());
        for style in styles.split(',') {
            let prompt = StylePrompt::parse(Some(style));
            let seed = seed.parse().expect("a seed");
            let brief = Brief {
                plan: RoomPlan::for_room_type(room_type),
                style: &prompt,
                models: &OperatorModels::default(),
                seed,
                asked: None,
                first: None,
            };
            let begun = Instant::now();
            let staged = match room.stage(&photo, &brief, &Effort::publication(photo.pixels.len()), &Monitor::NONE) {
                Ok(staged) => staged,
                Err(refusal) => {
                    println!("  {style}: refused: {refusal}");
                    continue;
                }
            };
            let pairs = photo.pixels.iter().zip(&staged.picture.pixels).zip(&staged.picture.mask);
            let (mut changed, mut outside) = (0, 0);
            for ((before, after), mask) in pairs {
                changed += usize::from(*mask > 0);
                outside += usize::from(*mask == 0 && before != after);
            }
            assert_eq!(outside, 0, "pixels outside the mask differ");
            println!(
                "  {style}: {:?} in {:.2} s, mask {:.1} %, 0 pixels outside differ; left out {:?}",
                staged.furniture.iter().map(|f| f.piece.as_str()).collect::<Vec<_>>(),
                begun.elapsed().as_secs_f64(),
                100.0 * changed as f64 / photo.pixels.len() as f64,
                staged.left_out,
            );
            if panels.len() == 1 {
                panels.push(overlay(&photo, &room, &staged));
            }
            panels.push(staged.picture.pixels);
        }
        write(&Path::new(folder).join(format!("{name}.{room_type}.png")), &photo, &panels);
    }
}

/// The photo, dimmed, with the room's edges, its windows, the mask and the outlines of pieces.
fn overlay(photo: &Photo, room: &Room, staged: &Staged) -> Vec<[u16; 3]> {
    let mask = |i: usize| u32::from(staged.picture.mask[i]) * 90;
    let mut pixels: Vec<[u16; 3]> = photo
        .pixels
        .iter()
        .enumerate()
        .map(|(i, p)| [p[0] / 2, p[1] / 2, ((u32::from(p[2]) / 2) + mask(i)).min(65_535) as u16])
        .collect();
    let space = room.space();
    let mut line = |a: Vec3, b: Vec3, color: [u16; 3]| {
        for i in 0..=3_000 {
            let place = a.lerp(b, i as f32 / 3_000.0);
            if let Some(p) = space.pixel(place).filter(|_| space.shows(place)) {
                dot(&mut pixels, photo, [p.x, p.y], color);
            }
        }
    };
    for side in space.sides.iter().filter(|s| s.seen) {
        let (a, b) = (side.at(0.0, 0.0), side.at(side.length(), 0.0));
        let up = Vec3::Z * space.height;
        for (a, b) in [(a, b), (a + up, b + up), (a, a + up), (b, b + up)] {
            line(a, b, [65_535, 52_000, 0]);
        }
    }
    for window in room.windows() {
        let color = if matches!(window.surface, Surface::Wall(_)) { [0, 60_000, 65_535] } else { [65_535, 0, 60_000] };
        let [l, h] = window.rect;
        let corners = [(l.x, l.y), (h.x, l.y), (h.x, h.y), (l.x, h.y)].map(|(x, y)| off(space, window.surface, x, y));
        (0..4).for_each(|i| line(corners[i], corners[(i + 1) % 4], color));
    }
    for place in room.obstacles() {
        if let Some(p) = space.pixel(place.extend(0.0)) {
            dot(&mut pixels, photo, [p.x, p.y], [0, 65_535, 0]);
        }
    }
    for piece in &staged.furniture {
        for (i, a) in piece.polygon.iter().enumerate() {
            let b = piece.polygon[(i + 1) % piece.polygon.len()];
            for k in 0..=1_000 {
                let t = f64::from(k) / 1_000.0;
                let at = [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
                dot(&mut pixels, photo, at, [65_535, 20_000, 20_000]);
            }
        }
    }
    pixels
}

fn off(space: &Space, surface: Surface, x: f32, y: f32) -> Vec3 {
    space.off_face(surface, glam::Vec2::new(x, y))
}

fn dot(pixels: &mut [[u16; 3]], photo: &Photo, [x, y]: [f64; 2], color: [u16; 3]) {
    let wide = (photo.width / 500).max(1);
    for v in 0..wide {
        for u in 0..wide {
            let (x, y) = ((x as usize + u).min(photo.width - 1), (y as usize + v).min(photo.height - 1));
            pixels[y * photo.width + x] = color;
        }
    }
}

/// Arranges panels in two columns.
fn write(path: &Path, photo: &Photo, panels: &[Vec<[u16; 3]>]) {
    let width = WIDTH.min(photo.width);
    let height = photo.height * width / photo.width;
    let rows = panels.len().div_ceil(2);
    let mut sheet = vec![255_u8; 2 * width * rows * height * 3];
    for (i, pixels) in panels.iter().enumerate() {
        let small = Photo::new(photo.width, photo.height, pixels.clone()).reduced(width.max(height));
        for y in 0..height.min(small.height) {
            for x in 0..width.min(small.width) {
                let pixel = aerie_math::color::encoded(small.pixels[y * small.width + x]).map(|v| (v / 257) as u8);
                let to = (i / 2 * height + y) * 2 * width + i % 2 * width + x;
                sheet[to * 3..to * 3 + 3].copy_from_slice(&pixel);
            }
        }
    }
    let sheet = Picture { width: 2 * width, height: rows * height, pixels: sheet };
    std::fs::write(path, aerie_photo::room::png(&sheet).expect("a picture")).expect("written");
}
