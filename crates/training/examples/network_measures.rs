//! Measures weights of the segmentation network on real photos: `network_measures WEIGHTS PHOTOS.json TREE OUT [aside]`.
//!
//! PHOTOS.json lists photos as `repository`, `path`, `aside`, and a `setting` (outdoors, indoors, neither) or `kind`; TREE holds them as
//! OWNER/NAME/PATH. Entries with outlines of the floor (`bench/rooms.json`) are measured by them. OUT gets each photo beside its classes,
//! depth and normals. Photos kept aside are measured with `aside` only.

use std::collections::BTreeMap;
use std::path::Path;

use aerie_math::geometry::ring_contains;
use aerie_photo::{Photo, decode_file};
use aerie_segmentation::{Class, FineClass, INPUT_SIDE, Network, Segmentation};
use aerie_training::TINTS;
use serde_json::Value;

/// Side of the pictures that are written.
const SIDE: usize = 320;
/// Side of the grid on which floors are compared.
const GRID: usize = 160;

#[expect(clippy::print_stdout, reason = "an example reports on stdout")]
fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [weights, facts, tree, out, ..] = words.as_slice() else {
        panic!("usage: network_measures WEIGHTS PHOTOS.json TREE OUT [aside]")
    };
    let is_aside = words.get(4).is_some_and(|w| w == "aside");
    let network = Network::new(&std::fs::read(weights).expect("weights"));
    let facts: Vec<Value> = serde_json::from_slice(&std::fs::read(facts).expect("facts")).expect("a list of photos");
    std::fs::create_dir_all(out).expect("a folder");
    let (mut shares, mut floors): (BTreeMap<String, Vec<f32>>, BTreeMap<String, Vec<f64>>) = Default::default();
    for (i, fact) in facts.iter().enumerate().filter(|(_, f)| f["aside"].as_bool() == Some(is_aside)) {
        let text = |name: &str| fact[name].as_str().unwrap_or("").to_owned();
        let path = format!("{}/{}", text("repository"), text("path"));
        let Ok(photo) = decode_file(&Path::new(tree).join(&path)) else { continue };
        let small = pixels(&photo, INPUT_SIDE, INPUT_SIDE);
        let picture: Vec<[f32; 3]> = small.iter().map(|p| p.map(|v| f32::from(v) / 255.0)).collect();
        let seen = Segmentation::with(&network, &picture, photo.width as f64 / photo.height as f64);
        let share = seen.share(Class::Outdoors);
        let setting = format!("{} {}", text("setting"), text("kind"));
        let overlap = fact.get("floor").map(|_| overlap(&seen, fact));
        let floor = overlap.map_or_else(String::new, |v| format!(", floor {v:.3}"));
        println!("{i:03} {setting:22} outdoors {share:.2}{floor} {path}");
        floors.entry(setting.clone()).or_default().extend(overlap);
        shares.entry(setting).or_default().push(share);
        draw(&photo, &seen, &Path::new(out).join(format!("{i:03}.jpg")));
    }
    for (setting, mut values) in shares {
        values.sort_by(f32::total_cmp);
        let [low, middle, high] = [0, values.len() / 2, values.len() - 1].map(|k| values[k]);
        println!("\n{setting}: {} photos, outdoors {low:.2} to {high:.2}, median {middle:.2}", values.len());
        let mut values = floors.remove(&setting).unwrap_or_default();
        values.sort_by(f64::total_cmp);
        if !values.is_empty() {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let good = values.iter().filter(|v| **v >= 0.85).count();
            let median = values[values.len() / 2];
            println!("  floor IoU: mean {mean:.3}, median {median:.3}, at least 0.85 in {good} of {}", values.len());
        }
    }
}

fn pixels(photo: &Photo, width: usize, height: usize) -> Vec<[u8; 3]> {
    let small = photo.scaled(width, height);
    small.pixels.iter().map(|p| aerie_math::color::encoded(*p).map(|v| (v >> 8) as u8)).collect()
}

fn overlap(seen: &Segmentation, fact: &Value) -> f64 {
    let rings = |name: &str| -> Vec<Vec<[f64; 2]>> {
        fact.get(name).map_or_else(Vec::new, |v| serde_json::from_value(v.clone()).expect("outlines"))
    };
    let (floor, beyond, holes) = (rings("floor"), rings("beyond"), rings("holes"));
    let within = |rings: &[Vec<[f64; 2]>], at: [f64; 2]| rings.iter().any(|ring| ring_contains(ring, at));
    let (mut both, mut either) = (0.0, 0.0);
    for i in 0..GRID * GRID {
        let at = [i % GRID, i / GRID].map(|k| (k as f64 + 0.5) / GRID as f64);
        let percent = at.map(|v| v * 100.0);
        let is_hole = within(&holes, percent);
        let is_floor = within(&floor, percent) && !is_hole;
        if !is_floor && (is_hole || within(&beyond, percent)) {
            continue;
        }
        let most = [
            Class::Wall,
            Class::Ceiling,
            Class::Window,
            Class::Door,
            Class::Fixture,
            Class::Furniture,
            Class::Outdoors,
        ];
        let found = most.iter().all(|c| seen.class(*c, at) < seen.class(Class::Floor, at));
        both += f64::from(u8::from(is_floor && found));
        either += f64::from(u8::from(is_floor || found));
    }
    if either > 0.0 { both / either } else { 0.0 }
}

/// The photo, its classes over it, depth, normals.
fn draw(photo: &Photo, seen: &Segmentation, file: &Path) {
    let longer = photo.width.max(photo.height) as f64;
    let [w, h] = [photo.width, photo.height].map(|n| ((n as f64 / longer * SIDE as f64) as usize).max(1));
    let small = pixels(photo, w, h);
    let mut all = vec![0_u8; w * 4 * h * 3];
    for (i, color) in small.iter().enumerate() {
        let (x, y) = (i % w, i / w);
        let at = [(x as f64 + 0.5) / w as f64, (y as f64 + 0.5) / h as f64];
        let p = |c: FineClass| seen.fine_class(c, at);
        let best = FineClass::ALL.into_iter().max_by(|a, b| p(*a).total_cmp(&p(*b))).map_or(0, |c| c as usize);
        let tint = TINTS[best];
        let tinted = [0, 1, 2].map(|c| ((u16::from(color[c]) * 2 + u16::from(tint[c]) * 3) / 5) as u8);
        let depth = (200.0 - seen.depth(at).ln() * 40.0).clamp(0.0, 255.0) as u8;
        let normal = seen.normal(at).map_or([0; 3], |n| n.map(|v| (v * 127.0 + 128.0) as u8));
        for (k, color) in [*color, tinted, [depth; 3], normal].into_iter().enumerate() {
            all[(y * w * 4 + k * w + x) * 3..][..3].copy_from_slice(&color);
        }
    }
    image::save_buffer(file, &all, (w * 4) as u32, h as u32, image::ExtendedColorType::Rgb8).expect("a picture");
}
