//! Registers photos of one room with one another and measures how well: `register LABELS PHOTOS [aside] [cross [STEP]] [overlays FOLDER]`.
//!
//! LABELS is `bench/views.json`: pairs of photos in public repositories, and points of the floor that a person marked in both; the
//! rooms of pairs named `different` only look alike. PHOTOS holds them as OWNER/NAME/PATH; those that are missing are reported. Pairs
//! kept aside are measured with `aside` only. With `cross`, photos of different rooms are tried instead, of which none may be
//! registered: every pair, or every STEPth. `register imagined COUNT` registers views of imagined rooms whose truth is known.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use aerie_photo::room::{Camera, Hints, Layout, png};
use aerie_photo::{Photo, Picture, decode_file, lines};
use aerie_staging::space::Space;
use aerie_staging::views::{Evidence, PlanTransform, Registration, RoomView, Unregistered, register};
use aerie_synthetic::{Developing, Imagined, LitRoom, Style, Surface, Viewpoint, imagine};
use glam::{DMat3, DVec2, DVec3};
use rayon::prelude::*;
use serde::Deserialize;

/// A pair of photos.
#[derive(Deserialize)]
struct Label {
    repository: String,
    room: String,
    photos: [String; 2],
    aside: bool,
    /// Pixels of the same place on the floor in both photos.
    points: Vec<[[f64; 2]; 2]>,
}

/// A photo with its room.
struct Seen {
    photo: Photo,
    layout: Layout,
    space: Space,
}

/// Distance between places of the floor up to which furniture stands in the same place, meters.
const BAR: f64 = 0.15;

#[expect(clippy::print_stdout, reason = "an example reports on stdout")]
fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, count] = words.as_slice()
        && first == "imagined"
    {
        imagined(count.parse().expect("a number of rooms"));
        return;
    }
    let [labels, photos, ..] = words.as_slice() else { panic!("usage: register LABELS PHOTOS [aside] [cross [STEP]]") };
    let has = |word: &str| words[2..].iter().any(|w| w == word);
    let overlays = words.iter().position(|w| w == "overlays").map(|i| PathBuf::from(&words[i + 1]));
    let labels: Vec<Label> = serde_json::from_slice(&std::fs::read(labels).expect("labels")).expect("a list of pairs");
    let path = |label: &Label, i: usize| Path::new(photos).join(&label.repository).join(&label.photos[i]);
    if has("cross") {
        let of = |label: &Label| [0, 1].map(|i| (path(label, i), label.room.clone()));
        let all: BTreeMap<PathBuf, String> = labels.iter().flat_map(of).collect();
        let step = words[2..].iter().find_map(|w| w.parse().ok()).unwrap_or(1);
        cross(&all, step);
        return;
    }
    println!(
        "{:60} {:>5} {:>5} {:>7} {:>4}  points by the rooms; by corrected cameras",
        "pair", "sure", "meter", "matches", "s"
    );
    let labels: Vec<&Label> = labels.iter().filter(|label| label.aside == has("aside")).collect();
    labels.par_iter().for_each(|label| {
        let [a, b] = [0, 1].map(|i| seen(&path(label, i)));
        let (Some(a), Some(b)) = (a, b) else { return println!("{} missing", name(label)) };
        let start = Instant::now();
        let result = register(view(&a), view(&b));
        let seconds = start.elapsed().as_secs_f64();
        if let (Some(folder), Ok(found)) = (&overlays, &result) {
            draw(folder, label, [&a, &b], found);
            draw_plan(folder, label, [&a, &b], found);
        }
        println!("{}", row(label, [&a, &b], &result, seconds));
    });
}

fn seen(path: &Path) -> Option<Seen> {
    of_photo(decode_file(path).ok()?)
}

fn of_photo(photo: Photo) -> Option<Seen> {
    let layout = Layout::of_segments(&photo, &lines::segments(&photo), &Hints::of(&photo))?;
    let space = Space::of(&layout, None);
    Some(Seen { photo, layout, space })
}

fn view(seen: &Seen) -> RoomView<'_> {
    RoomView { photo: &seen.photo, space: &seen.space, segmentation: &seen.layout.segmentation }
}

/// Short name of a pair.
fn name(label: &Label) -> String {
    let stem = |i: usize| {
        let stem =
            Path::new(&label.photos[i]).file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        stem.chars().rev().take(22).collect::<Vec<char>>().into_iter().rev().collect::<String>()
    };
    format!("{:>14.14} {:>22} {:>22}", label.room, stem(0), stem(1))
}

fn row(label: &Label, seen: [&Seen; 2], result: &Result<Registration, Unregistered>, seconds: f64) -> String {
    let unsure: String = seen.map(|s| if s.layout.is_confident() { '+' } else { '-' }).into_iter().collect();
    let evidence = result.as_ref().map_or_else(Unregistered::evidence, |found| Some(found.evidence));
    let found = match result {
        Err(reason) => format!("no: {reason}"),
        Ok(found) => {
            let errors = |cameras: [Camera; 2], plan: &PlanTransform| {
                let apart = label.points.iter().map(|pixels| {
                    let eyes = seen.map(|s| f64::from(s.space.eye.z));
                    let [a, b] = [0, 1].map(|i| on_floor(&cameras[i], eyes[i], DVec2::from_array(pixels[i])));
                    plan.apply(b).distance(a)
                });
                apart.collect::<Vec<f64>>()
            };
            let print = |errors: &[f64]| errors.iter().map(|e| format!("{e:.2}")).collect::<Vec<_>>().join(" ");
            let (plain, exact) =
                (errors(seen.map(|s| s.space.camera), &found.plan), errors(found.cameras, &found.exact));
            let most = |errors: &[f64]| if errors.iter().all(|e| *e < BAR) { "" } else { "*" };
            format!("{}{}; {}{}", print(&plain), most(&plain), print(&exact), most(&exact))
        }
    };
    format!(
        "{} {unsure} {seconds:4.1} s {found}\n      {}",
        name(label),
        evidence.map_or_else(String::new, |e| shown(&e))
    )
}

fn shown(e: &Evidence) -> String {
    format!(
        "confidence {:.2} matches {} agreeing {:.2} support {} anchored {} rival {} votes {} residual {:.2} bend {:.2} turned {:.1} scale {:.2} corrected {:.1}",
        e.confidence,
        e.matches,
        e.agreement,
        e.support,
        e.anchored,
        e.rival,
        e.votes,
        e.residual,
        e.bend,
        e.turned.to_degrees(),
        e.scale,
        e.corrected
    )
}

/// The place of the floor that a pixel shows, meters.
fn on_floor(camera: &Camera, eye: f64, pixel: DVec2) -> DVec2 {
    let ray = camera.ray(pixel);
    (ray / -ray.z * eye).truncate()
}

/// Tries all pairs of photos of different rooms.
#[expect(clippy::print_stdout, reason = "an example reports on stdout")]
fn cross(photos: &BTreeMap<PathBuf, String>, step: usize) {
    let all: Vec<(String, String, Seen)> = photos
        .par_iter()
        .filter_map(|(path, room)| Some((path.file_stem()?.to_string_lossy().into_owned(), room.clone(), seen(path)?)))
        .collect();
    let pairs: Vec<(usize, usize)> = (0..all.len())
        .flat_map(|i| (i + 1..all.len()).map(move |k| (i, k)))
        .filter(|(i, k)| all[*i].1 != all[*k].1)
        .collect();
    let pairs: Vec<(usize, usize)> = pairs.into_iter().step_by(step).collect();
    let tried: Vec<bool> = pairs
        .par_iter()
        .map(|(i, k)| {
            let (a, b) = (&all[*i], &all[*k]);
            let result = register(view(&a.2), view(&b.2));
            let evidence = result.as_ref().map_or_else(Unregistered::evidence, |found| Some(found.evidence));
            let word = if result.is_ok() { "ACCEPTED" } else { "refused" };
            println!("{word} {} {} {}", a.0, b.0, evidence.map_or_else(String::new, |e| shown(&e)));
            result.is_ok()
        })
        .collect();
    println!("{} of {} pairs of different rooms were registered", tried.iter().filter(|t| **t).count(), tried.len());
}

/// Registers two views each of imagined rooms, and compares where they put the floor with the truth.
#[expect(clippy::print_stdout, reason = "an example reports on stdout")]
fn imagined(count: u64) {
    let style = Style::default();
    let errors = (0..count).into_par_iter().filter_map(|seed| {
        let Imagined { room, viewpoint } = imagine(seed, &style);
        let room = LitRoom::new(room);
        let corners = &room.room().corners;
        let middle = corners.iter().sum::<DVec2>() / corners.len() as f64;
        let step = ((middle - viewpoint.place.truncate()) * 0.4).clamp_length_max(0.8).extend(0.1);
        let turn = if seed % 2 == 0 { 0.3 } else { -0.3 };
        let rotation = viewpoint.camera.rotation * DMat3::from_rotation_z(turn);
        let second = Viewpoint { place: viewpoint.place + step, camera: Camera { rotation, ..viewpoint.camera } };
        let views = [&viewpoint, &second].map(|from| room.view(from, 2));
        let photo = |i: usize| views[i].developed(&Developing { seed: seed + i as u64, ..Developing::default() });
        let (a, b) = (of_photo(photo(0))?, of_photo(photo(1))?);
        let found = register(view(&a), view(&b));
        let plan = match &found {
            Ok(found) => found.plan,
            Err(reason) => {
                println!("{seed:3} no: {reason} {}", reason.evidence().map_or_else(String::new, |e| shown(&e)));
                return None;
            }
        };
        let width = style.width;
        let mut apart: Vec<f64> = (0..style.width * style.height)
            .step_by(97)
            .filter(|i| views[0].shell[*i] == Surface::Floor)
            .filter_map(|i| {
                let pixel = DVec2::new((i % width) as f64 + 0.5, (i / width) as f64 + 0.5);
                let ray = viewpoint.camera.ray(pixel);
                let place = viewpoint.place + ray * (viewpoint.place.z / -ray.z);
                let other = second.camera.pixel(place - second.place)?;
                let size = DVec2::new(style.width as f64, style.height as f64);
                let is_seen = other.cmpge(DVec2::ZERO).all() && other.cmplt(size).all();
                let is_near = (place - viewpoint.place).length() < 5.0;
                (is_seen && is_near).then(|| {
                    let [a, b] =
                        [(&a, pixel), (&b, other)].map(|(s, p)| on_floor(&s.space.camera, f64::from(s.space.eye.z), p));
                    plan.apply(b).distance(a)
                })
            })
            .collect();
        apart.sort_by(f64::total_cmp);
        let at = |share: f64| apart.get((apart.len() as f64 * share) as usize).copied();
        let (half, most) = (at(0.5)?, at(0.95)?);
        println!("{seed:3} median {half:.3} m, 19 of 20 below {most:.3} m {}", shown(&found.ok()?.evidence));
        Some(most)
    });
    let errors: Vec<f64> = errors.collect();
    let good = errors.iter().filter(|e| **e < BAR).count();
    println!("{} of {count} registered, {good} of them within {BAR} m nearly everywhere", errors.len());
}

/// Draws the floor from above as both photos show it, in the axes of the first view, one beside the other.
fn draw_plan(folder: &Path, label: &Label, seen: [&Seen; 2], found: &Registration) {
    const SIDE: usize = 640;
    let back = found.plan.inverse();
    let mut pixels = vec![40_u8; 2 * SIDE * SIDE * 3];
    for k in 0..2 * SIDE * SIDE {
        let (i, x, y) = ((k % (2 * SIDE)) / SIDE, k % SIDE, k / (2 * SIDE));
        let at = DVec2::new(x as f64 / SIDE as f64 * 6.4 - 3.2, 6.4 - y as f64 / SIDE as f64 * 6.4);
        let at = if i == 0 { at } else { back.apply(at) };
        let place = DVec3::new(at.x, at.y, 0.0).as_vec3();
        let space = &seen[i].space;
        if let Some(p) = space.pixel(place).filter(|_| space.shows(place)) {
            let pixel = seen[i].photo.pixels[p.y as usize * seen[i].photo.width + p.x as usize];
            (0..3).for_each(|c| pixels[k * 3 + c] = (pixel[c] >> 8) as u8);
        }
        if x % 100 == 0 || y % 100 == 0 {
            pixels[k * 3] = 255;
        }
    }
    let picture = Picture { width: 2 * SIDE, height: SIDE, pixels };
    let name = name(label).split_whitespace().collect::<Vec<_>>().join("_");
    std::fs::write(folder.join(format!("{name}_plan.png")), png(&picture).expect("a picture")).expect("a folder");
}

/// Draws a grid on the floor of the first view into both photos.
fn draw(folder: &Path, label: &Label, seen: [&Seen; 2], found: &Registration) {
    let back = found.plan.inverse();
    for (i, seen) in seen.into_iter().enumerate() {
        let (width, height) = (seen.photo.width, seen.photo.height);
        let bytes = |p: &[u16; 3]| p.map(|v| (v >> 8) as u8);
        let mut pixels: Vec<[u8; 3]> = seen.photo.pixels.iter().map(bytes).collect();
        let place = |x: f64, y: f64| if i == 0 { DVec2::new(x, y) } else { back.apply(DVec2::new(x, y)) };
        for line in -8..=16_i32 {
            for step in 0..6_000_i32 {
                let (fixed, moving) = (f64::from(line) * 0.5, f64::from(step) / 500.0 - 4.0);
                for (at, color) in [(place(fixed, moving), [255, 0, 0]), (place(moving, fixed), [0, 80, 255])] {
                    let pixel = seen.space.pixel(DVec3::new(at.x, at.y, 0.0).as_vec3());
                    let Some(p) = pixel.filter(|p| p.cmpge(DVec2::ONE).all()) else { continue };
                    let (x, y) = (p.x as usize, p.y as usize);
                    if x + 1 < width && y + 1 < height {
                        for k in [y * width + x, y * width + x + 1, (y + 1) * width + x] {
                            pixels[k] = color;
                        }
                    }
                }
            }
        }
        let picture = Picture { width, height, pixels: pixels.concat() };
        let name = name(label).split_whitespace().collect::<Vec<_>>().join("_");
        std::fs::write(folder.join(format!("{name}_{i}.png")), png(&picture).expect("a picture"))
            .expect("a folder for overlays");
    }
}
