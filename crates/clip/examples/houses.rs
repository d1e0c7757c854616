//! Analyzes photos of houses: prints one line per photo and writes into a folder, side by side, the photo with its trees marked and
//! the photo without them.
//!
//! `cargo run --release --workspace --example houses -- FOLDER PHOTO...`

use std::error::Error;
use std::io::Write;
use std::path::Path;

use aerie_clip::trees::SeparatedTrees;
use aerie_clip::{Frame, Plate, SceneModel, compose};
use aerie_photo::Photo;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("names a folder for the pictures, then photos")?;
    let mut out = std::io::stdout().lock();
    for path in arguments {
        let Ok(photo) = aerie_photo::decode_file(Path::new(&path)) else { continue };
        let name = Path::new(&path).file_stem().and_then(|n| n.to_str()).unwrap_or_default();
        let (line, trees) = model(&photo)?;
        writeln!(out, "{name} {line}")?;
        if let Some((trees, frame, plate)) = trees {
            let file = Path::new(&folder).join(format!("{name}.ppm"));
            std::fs::write(file, drawn(&trees, &frame, &plate))?;
        }
    }
    Ok(())
}

type WithTrees = (SeparatedTrees, Frame, Plate);

fn model(photo: &Photo) -> Result<(String, Option<WithTrees>), Box<dyn Error>> {
    let whole = [photo.width, photo.height];
    let long = photo.width.max(photo.height);
    let size = whole.map(|side| (side * 1280 / long).next_multiple_of(2));
    let frame = Frame::cut(whole, size, compose::focus(photo));
    let plate = Plate::of(photo, &frame)?;
    let model = SceneModel::of(photo, &frame, &plate);
    let (kind, count) = (model.kind(), model.trees());
    Ok(match (model.room, &model.house) {
        (Some((_, confidence)), _) => (format!("{kind:?} {confidence:.3}"), None),
        (_, Some(house)) => {
            let line = format!("{kind:?} sky {} trees {count}", house.sky.is_some());
            let trees = house.apart(&model.proxy, (&frame, &plate), whole);
            (line, trees.map(|trees| (trees, frame, plate)))
        }
        _ => (format!("{kind:?}"), None),
    })
}

/// Photo with trees tinted beside the photo without them, at half the plate's texels, as PPM.
fn drawn(trees: &SeparatedTrees, frame: &Frame, plate: &Plate) -> Vec<u8> {
    let [across, down] = plate.double_size;
    let mut file = format!("P6 {} {} 255\n", across, down / 2).into_bytes();
    let corner = [frame.shown[0], frame.shown[1]];
    for y in 0..down / 2 {
        for x in 0..across {
            let at = (2 * y * across + 2 * (x % (across / 2))) * 4;
            let is_left = x < across / 2;
            let mut pixel = [0, 1, 2].map(|c| if is_left { plate.double[at + c] } else { trees.plate.double[at + c] });
            let place = [(x % (across / 2)) as f64 + corner[0], y as f64 + corner[1]];
            if is_left && trees.bodies.covers(place) > 0.5 {
                pixel = [pixel[0] / 2 + 127, pixel[1] / 2, pixel[2] / 2 + 80];
            }
            file.extend(pixel);
        }
    }
    file
}
