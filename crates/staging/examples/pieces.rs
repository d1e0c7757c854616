//! Writes pictures of pieces from all sides for inspection: `pieces FOLDER STYLE,STYLE [KIND,KIND [--overview]]` for the generated
//! ones in every form; with `--around` in place of `--overview`, small pictures of all sides and of the underside, each form in a style
//! that it suits; with `--shaded`, the same without light of a room, which takes seconds for all pieces,
//! `pieces FOLDER --models CATALOG [NAME [--front]]` for an operator's. Each PNG shows one piece from eight sides, or from its front.
#![expect(clippy::print_stdout, reason = "an example reports on stdout")]
use std::path::Path;
use std::time::Instant;

use aerie_math::Rng;
use aerie_photo::Picture;
use aerie_staging::material::Material;
use aerie_staging::mesh::Mesh;
use aerie_staging::palette::Palette;
use aerie_staging::piece::Piece;
use aerie_staging::recipe::Recipe;
use aerie_staging::{Effort, OperatorModels, PieceKind, StylePrompt, pieces, studio};
use glam::Vec3;
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
        let (models, problems) = OperatorModels::check(Path::new(&more[0]));
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
                match more.get(1).map(String::as_str) {
                    Some("--overview") => {
                        overview(folder, *kind, &palette);
                        continue;
                    }
                    Some("--around") => {
                        all_around(folder, *kind, &palette, false);
                        continue;
                    }
                    Some("--shaded") => {
                        all_around(folder, *kind, &palette, true);
                        continue;
                    }
                    _ => {}
                }
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

/// Writes one picture of all forms of a kind from their fronts.
fn overview(folder: &str, kind: PieceKind, palette: &Palette) {
    let forms = pieces::forms::of(kind);
    let (width, height) = (SIDE * ROW.min(forms.len()), SIDE * forms.len().div_ceil(ROW));
    let mut sheet = Picture { width, height, pixels: vec![0; width * height * 3] };
    for (i, form) in forms.iter().enumerate() {
        let piece = pieces::make(&Recipe::drawn(kind, &mut Rng::advanced(1 + i as u64)).formed(i as u8), palette);
        println!("{i} {}: {} triangles", form.name, piece.mesh.triangles.len());
        let effort = Effort { samples: 12, lit: 1, side: SIDE, rays: 32 };
        paste(&mut sheet, &studio::picture(&piece, &palette.materials, SIDE, studio::FRONT, &effort), SIDE, i);
    }
    let name = format!("{kind}.{}", palette.style.as_str()).replace(' ', "_");
    let png = aerie_photo::room::png(&sheet).expect("a picture");
    std::fs::write(Path::new(folder).join(format!("{name}.png")), png).expect("written");
}

/// Pixels of a side of a small picture, and forms on a sheet of them.
const SMALL: usize = 190;
const FORMS: usize = 5;

/// Writes sheets of small pictures: a row for each form of a kind, from eight sides and from below.
fn all_around(folder: &str, kind: PieceKind, palette: &Palette, is_shaded: bool) {
    let forms: Vec<_> = pieces::forms::of(kind).iter().enumerate().collect();
    for (number, some) in forms.chunks(FORMS).enumerate() {
        let (width, height) = (SMALL * 9, SMALL * some.len());
        let mut sheet = Picture { width, height, pixels: vec![0; width * height * 3] };
        for (row, (i, form)) in some.iter().enumerate() {
            let style = form.styles.first().map_or(palette.style, |style| *style);
            let palette = Palette::new(&StylePrompt::parse(Some(style.as_str())), 1);
            let piece =
                pieces::make(&Recipe::drawn(kind, &mut Rng::advanced(1 + *i as u64)).formed(*i as u8), &palette);
            let effort = Effort { samples: 8, lit: 1, side: SMALL, rays: 24 };
            let side = |piece: &Piece, turn| {
                if is_shaded {
                    shaded(piece, &palette.materials, turn)
                } else {
                    studio::picture(piece, &palette.materials, SMALL, turn, &effort)
                }
            };
            for (column, turn) in studio::around(8).enumerate() {
                paste(&mut sheet, &side(&piece, turn), SMALL, row * 9 + column);
            }
            paste(&mut sheet, &side(&upturned(&piece), studio::FRONT), SMALL, row * 9 + 8);
            println!("{kind} {i} {} in {}: {} triangles", form.name, style.as_str(), piece.mesh.triangles.len());
        }
        let png = aerie_photo::room::png(&sheet).expect("a picture");
        std::fs::write(Path::new(folder).join(format!("{kind}.{number}.png").replace(' ', "_")), png).expect("written");
    }
}

/// A small picture by the angle of surfaces to one lamp, with the camera of the studio.
fn shaded(piece: &Piece, materials: &[Material], turn: f32) -> Picture {
    /// Places on a triangle that are drawn lie at most this far apart, pixels.
    const APART: f32 = 0.6;
    let setup = studio::Setup::of(piece.size);
    let away = (setup.target - setup.eye).normalize();
    let up = Vec3::X.cross(away);
    let focal = SMALL as f32 / (2.0 * (setup.field / 2.0).tan());
    let lamp = Vec3::new(-0.5, -0.55, 0.67).normalize();
    let mut nearest = vec![f32::MAX; SMALL * SMALL];
    let mut picture = Picture { width: SMALL, height: SMALL, pixels: vec![205; SMALL * SMALL * 3] };
    let mut turned = Mesh::default();
    turned.place(&piece.mesh, -turn, Vec3::ZERO);
    for (corners, part) in &turned.triangles {
        let color = materials[turned.parts[*part as usize].material].color;
        let corners = corners.map(|i| turned.vertices[i as usize]);
        let seen = corners.map(|v| {
            let way = v.place - setup.eye;
            let depth = way.dot(away);
            Vec3::new(
                SMALL as f32 / 2.0 + way.x / depth * focal,
                SMALL as f32 / 2.0 - way.dot(up) / depth * focal,
                depth,
            )
        });
        let longest = (0..3).map(|i| (seen[i] - seen[(i + 1) % 3]).truncate().length()).fold(1.0, f32::max);
        let steps = (longest / APART).ceil() as usize;
        for i in 0..=steps {
            for k in 0..=steps - i {
                let (u, v) = (i as f32 / steps as f32, k as f32 / steps as f32);
                let mixed = |of: [Vec3; 3]| of[0] * (1.0 - u - v) + of[1] * u + of[2] * v;
                let at = mixed(seen);
                if at.x < 0.0 || at.y < 0.0 || at.x >= SMALL as f32 || at.y >= SMALL as f32 {
                    continue;
                }
                let pixel = at.y as usize * SMALL + at.x as usize;
                if at.z < nearest[pixel] {
                    nearest[pixel] = at.z;
                    let normal = mixed(corners.map(|v| v.normal)).normalize_or(Vec3::Z);
                    let normal = if normal.dot(away) > 0.0 { -normal } else { normal };
                    let light = 0.42 + 0.58 * normal.dot(lamp).max(0.0) + 0.08 * normal.z;
                    let encoded = (color * light).map(|v| v.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0);
                    picture.pixels[pixel * 3..pixel * 3 + 3].copy_from_slice(&encoded.to_array().map(|v| v as u8));
                }
            }
        }
    }
    picture
}

/// The piece upside down.
fn upturned(piece: &Piece) -> Piece {
    let mut upturned = piece.clone();
    let over = |v: Vec3| Vec3::new(v.x, -v.y, -v.z);
    for v in &mut upturned.mesh_mut().vertices {
        (v.place, v.normal) = (over(v.place) + Vec3::Z * piece.size.z, over(v.normal));
    }
    upturned
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
