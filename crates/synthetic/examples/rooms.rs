//! Writes photos of generated rooms: `rooms FOLDER FIRST_SEED COUNT [l|jog|clutter]`.

use std::path::PathBuf;

use aerie_synthetic::{Developing, LitRoom, Style, imagine};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, first, count, kind @ ..] = arguments.as_slice() else {
        eprintln!("usage: rooms FOLDER FIRST_SEED COUNT [l|jog|clutter]");
        std::process::exit(2);
    };
    let has = |k: &str| f64::from(u8::from(kind.iter().any(|a| a == k)));
    let style = Style { l_shapes: has("l"), jogs: has("jog"), cluttered: has("clutter"), ..Style::default() };
    let first: u64 = first.parse().expect("a seed");
    for seed in first..first + count.parse::<u64>().expect("a count") {
        let imagined = imagine(seed, &style);
        let view = LitRoom::new(imagined.room).view(&imagined.viewpoint, 2);
        let photo = view.developed(&Developing { seed, ..Developing::default() });
        let bytes: Vec<u8> = photo.pixels.iter().flatten().map(|v| (v / 257) as u8).collect();
        let path = PathBuf::from(folder).join(format!("room_{seed:04}.jpg"));
        let image = image::RgbImage::from_raw(photo.width as u32, photo.height as u32, bytes).expect("its size");
        image.save(&path).expect("a folder to write to");
        eprintln!("{}: floor {:.2}", path.display(), view.floor_share());
    }
}
