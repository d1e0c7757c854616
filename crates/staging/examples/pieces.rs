//! Writes pictures of pieces from all sides for inspection: `pieces FOLDER STYLE,STYLE [KIND,KIND]` for the generated ones in every form,
//! `pieces FOLDER --models CATALOG [NAME [--front]]` for an operator's. Each PNG shows one piece from eight sides, or from its front.
#![expect(clippy::print_stdout, reason = "an example reports on stdout")]
use std::path::Path;
use std::time::Instant;

use aerie_furniture::material::Material;
use aerie_furniture::palette::Palette;
use aerie_furniture::piece::Piece;
use aerie_furniture::recipe::Recipe;
use aerie_furniture::{OperatorModels, PieceKind, StylePrompt, pieces};
use aerie_math::Rng;
use aerie_photo::Picture;
use aerie_staging::{Effort, decode_pixels, studio};
use strum::VariantArray;

/// Pixels of a side of one picture, and pictures in a row.
const SIDE: usize = 380;
const ROW: usize = 4;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, what, more @ ..] = &args[..] else {
        println!("pieces FOLDER STYLE,STYLE [KIND,KIND] | pieces FOLDER --models CATALOG");
        return;
    };
    std::fs::create_dir_all(folder).expect("a folder");
    if what == "--models" {
        let (models, problems) = OperatorModels::check(Path::new(&more[0]), decode_pixels);
        problems.iter().for_each(|problem| println!("{problem}"));
        for model in
            models.iter().filter(|model| more.get(1).is_none_or(|name| name.is_empty() || **name == *model.name))
        {
            let Ok(loaded) = model.load() else { continue };
            if more.get(2).is_some_and(|one| one == "--front") {
                front(folder, &model.name, &loaded.piece, &loaded.materials);
            } else {
                show(folder, &model.name, &loaded.piece, &loaded.materials);
            }
        }
        return;
    }
    for style in what.split(',') {
        let palette = Palette::new(&StylePrompt::parse(Some(style)), 1);
        for kind in PieceKind::VARIANTS {
            if more.first().is_none_or(|kinds| kinds == "all" || kinds.split(',').any(|k| k == kind.as_str())) {
                for (number, form) in pieces::forms::of(*kind).iter().enumerate() {
                    let recipe = Recipe::drawn(*kind, &mut Rng::advanced(1)).formed(number as u8);
                    let piece = pieces::make(&recipe, &palette);
                    let name = format!("{}.{}.{style}", kind.as_str(), form.name).replace(' ', "_");
                    show(folder, &name, &piece, &palette.materials);
                }
            }
        }
    }
}

/// Puts a picture, `side` pixels wide, at a place of a sheet.
fn paste(sheet: &mut Picture, picture: &Picture, side: usize, place: usize) {
    let columns = sheet.width / side;
    for (y, row) in picture.pixels.chunks_exact(side * 3).enumerate() {
        let at = ((place / columns * side + y) * sheet.width + place % columns * side) * 3;
        sheet.pixels[at..at + row.len()].copy_from_slice(row);
    }
}

/// Writes one picture, and the setup in which it was taken, for comparison with other renderers.
fn front(folder: &str, name: &str, piece: &Piece, materials: &[Material]) {
    let effort = Effort { samples: 128, lit: 1, side: SIDE, rays: 100 };
    let begun = Instant::now();
    let picture = studio::picture(piece, materials, SIDE, studio::FRONT, &effort);
    let seconds = begun.elapsed().as_secs_f64();
    let setup = studio::Setup::of(piece.size);
    let described = serde_json::json!({
        "setup": {
            "eye": setup.eye.to_array(), "target": setup.target.to_array(), "field": setup.field, "even": setup.even,
            "bright": setup.bright, "window": setup.window.map(|corner| corner.to_array()),
        },
        "turn": studio::FRONT, "side": SIDE, "samples": effort.samples, "size": piece.size.to_array(), "seconds": seconds,
    });
    let file = Path::new(folder).join(name);
    std::fs::write(file.with_extension("json"), described.to_string()).expect("written");
    std::fs::write(file.with_extension("png"), aerie_photo::room::png(&picture).expect("a picture")).expect("written");
    println!("{name}: {seconds:.1} s");
}

fn show(folder: &str, name: &str, piece: &Piece, materials: &[Material]) {
    let begun = Instant::now();
    let count = 2 * ROW;
    let (width, height) = (SIDE * ROW, SIDE * count / ROW);
    let mut sheet = Picture { width, height, pixels: vec![0; width * height * 3] };
    for (i, turn) in studio::around(count).enumerate() {
        let picture =
            studio::picture(piece, materials, SIDE, turn, &Effort { samples: 32, lit: 1, side: SIDE, rays: 64 });
        paste(&mut sheet, &picture, SIDE, i);
    }
    let png = aerie_photo::room::png(&sheet).expect("a picture");
    std::fs::write(Path::new(folder).join(format!("{name}.png")), png).expect("written");
    println!("{name}: {} triangles, {:.1} s", piece.mesh.triangles.len(), begun.elapsed().as_secs_f64());
}
