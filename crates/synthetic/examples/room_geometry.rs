//! Benchmark of room layout against generated rooms: `room_geometry COUNT [each]`.
//!
//! Prints one line of JSON for each style of room; with `each`, also one line of text for each room.
#![expect(clippy::print_stdout, reason = "results go to stdout")]

use std::time::Instant;

use aerie_photo::lines;
use aerie_photo::room::{Face, Hints, Layout};
use aerie_synthetic::{Developing, LitRoom, Style, Surface, imagine};

/// First seed; confidence limits were tuned on other seeds.
const FIRST: u64 = 50_000;

/// Results for one room.
struct Measured {
    /// Intersection over union of the floor with the ground truth.
    floor: f64,
    /// Error of the vertical, degrees.
    vertical: f64,
    /// Relative error of the focal length.
    focal: f64,
    seconds: f64,
    is_confident: bool,
    /// Whether the true scale lies in the estimated interval.
    is_in_scale: bool,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let count: u64 = arguments.first().and_then(|a| a.parse().ok()).unwrap_or(60);
    let each = arguments.iter().any(|a| a == "each");
    let plain = Style::default();
    let styles = [
        ("boxes", plain),
        ("l_shapes", Style { l_shapes: 1.0, ..plain }),
        ("jogs", Style { jogs: 1.0, ..plain }),
        ("cluttered", Style { cluttered: 1.0, ..plain }),
    ];
    for (name, style) in styles {
        let only = std::env::var("ROOM_STYLE").ok();
        if only.is_some_and(|only| only != name) {
            continue;
        }
        let mut all = Vec::new();
        for seed in 0..count {
            // Half of them with the focal length known, as from EXIF.
            let measured = measure(FIRST + seed, &style, seed % 2 == 0, each);
            all.push(measured);
        }
        report(name, &all);
    }
}

fn measure(seed: u64, style: &Style, has_focal: bool, each: bool) -> Measured {
    let imagined = imagine(seed, style);
    let camera = imagined.viewpoint.camera;
    let view = LitRoom::new(imagined.room).view(&imagined.viewpoint, 2);
    let photo = view.developed(&Developing { seed, ..Developing::default() });
    let hints = Hints { focal: has_focal.then_some(camera.focal), ..Hints::default() };
    let start = Instant::now();
    let segments = lines::segments(&photo);
    let layout = Layout::of_segments(&photo, &segments, &hints);
    let seconds = start.elapsed().as_secs_f64();
    let Some(layout) = layout else {
        return Measured { floor: 0.0, vertical: 90.0, focal: 1.0, seconds, is_confident: false, is_in_scale: false };
    };
    let (mut both, mut either) = (0, 0);
    for (i, surface) in view.shell.iter().enumerate() {
        let pixel = [(i % view.width) as f64 + 0.5, (i / view.width) as f64 + 0.5];
        let (truth, found) = (*surface == Surface::Floor, layout.face_at(pixel) == Face::Floor);
        both += usize::from(truth && found);
        either += usize::from(truth || found);
    }
    let floor = both as f64 / either.max(1) as f64;
    let vertical = layout.frame.camera.up().angle_between(camera.up()).to_degrees();
    let focal = (layout.frame.camera.focal / camera.focal - 1.0).abs();
    let height = imagined.viewpoint.place.z;
    let is_in_scale = height >= layout.scale.range[0] && height <= layout.scale.range[1];
    if each {
        println!(
            "{seed} iou {floor:.3} vertical {vertical:.2} focal {focal:.3} sharp {:.2} share {:.2} confidence {:.2} \
             {:?} {:?} {:?} {:.0} ms",
            layout.frame.focal_sharpness,
            layout.frame.share(),
            layout.confidence,
            layout.evidence,
            layout.distances,
            layout.doubts,
            seconds * 1e3,
        );
    }
    Measured { floor, vertical, focal, seconds, is_confident: layout.is_confident(), is_in_scale }
}

fn report(name: &str, all: &[Measured]) {
    let of = |value: fn(&Measured) -> f64, accepted: bool, share: f64| {
        let mut values: Vec<f64> = all.iter().filter(|m| !accepted || m.is_confident).map(value).collect();
        values.sort_by(f64::total_cmp);
        let at = ((values.len() as f64 - 1.0).max(0.0) * share).round() as usize;
        values.get(at).copied().unwrap_or(f64::NAN)
    };
    let share = |is: fn(&Measured) -> bool| all.iter().filter(|m| is(m)).count() as f64 / all.len() as f64;
    println!(
        "{{\"rooms\":\"{name}\",\"count\":{},\"accepted\":{:.3},\"floor_median\":{:.4},\"floor_p5\":{:.4},\
         \"floor_median_all\":{:.4},\"vertical_median\":{:.3},\"focal_median\":{:.4},\"in_scale\":{:.3},\
         \"seconds_median\":{:.3},\"seconds_p95\":{:.3}}}",
        all.len(),
        share(|m| m.is_confident),
        of(|m| m.floor, true, 0.5),
        of(|m| m.floor, true, 0.05),
        of(|m| m.floor, false, 0.5),
        of(|m| m.vertical, false, 0.5),
        of(|m| m.focal, false, 0.5),
        share(|m| m.is_in_scale),
        of(|m| m.seconds, false, 0.5),
        of(|m| m.seconds, false, 0.95),
    );
}
