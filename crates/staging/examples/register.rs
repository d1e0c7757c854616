//! Registers photos of one room with one another and measures how well: `register LABELS PHOTOS [aside] [cross [STEP]]`.
//!
//! LABELS is `bench/views.json`: pairs of photos in public repositories, and points of the floor that a person marked in both; the
//! rooms of pairs named `different` only look alike. PHOTOS holds them as OWNER/NAME/PATH; those that are missing are reported. Pairs
//! kept aside are measured with `aside` only. With `cross`, photos of different rooms are tried instead, of which none may be
//! registered: every pair, or every STEPth.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use aerie_photo::room::{Camera, Hints, Layout};
use aerie_photo::{Photo, decode_file, lines};
use aerie_staging::space::Space;
use aerie_staging::views::{Evidence, PlanTransform, Registration, RoomView, Unregistered, register};
use glam::DVec2;
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
    let [labels, photos, ..] = words.as_slice() else { panic!("usage: register LABELS PHOTOS [aside] [cross [STEP]]") };
    let has = |word: &str| words[2..].iter().any(|w| w == word);
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
        println!("{}", row(label, [&a, &b], &result, seconds));
    });
}

fn seen(path: &Path) -> Option<Seen> {
    let photo = decode_file(path).ok()?;
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
