//! Measures on real photos how many rooms staging accepts, how well it finds their floors, and their scale:
//! `acceptance FACTS PHOTOS [aside] [stability]`. With `stability` it measures instead how often the answer stays the same when agents'
//! photos are resized, cropped, exposed otherwise, or compressed.
//!
//! FACTS is `bench/rooms.json`: photos in public repositories with outlines by hand. PHOTOS holds them as OWNER/NAME/PATH; those that are
//! missing are counted and left out. Photos kept aside are measured with `aside` only.

use std::collections::BTreeMap;
use std::path::Path;

use aerie_furniture::{Catalog, OperatorModels, StylePrompt};
use aerie_math::geometry;
use aerie_photo::room::{Face, Hints, Layout};
use aerie_photo::{Photo, decode_file, lines};
use aerie_staging::{Room, RoomHints, RoomPlan};
use aerie_synthetic::disturbed;
use glam::{DVec2, DVec3};
use rayon::prelude::*;
use serde_json::Value;

/// Side of the grid on which floors are compared.
const GRID: usize = 256;

/// Usual heights of things: doors and counters to the top, outlets and switches to the middle, meters.
const HEIGHTS: [(&str, f64); 5] =
    [("door", 2.03), ("outlet", 0.38), ("switch", 1.20), ("counter", 0.91), ("radiator", 0.65)];

struct Measured {
    kind: String,
    path: String,
    is_confident: bool,
    overlap: Option<f64>,
    refusal: Option<String>,
    /// Camera height as estimated, and as each ruler gives it.
    scale: Option<(f64, Vec<(String, f64)>)>,
}

#[expect(clippy::print_stdout, reason = "an example reports on stdout")]
fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [facts, photos, ..] = words.as_slice() else { panic!("usage: acceptance FACTS PHOTOS [aside]") };
    let has = |word: &str| words[2..].iter().any(|w| w == word);
    let is_aside = has("aside");
    let facts: Vec<Value> = serde_json::from_slice(&std::fs::read(facts).expect("facts")).expect("a list of facts");
    let facts: Vec<&Value> = facts.iter().filter(|f| f["aside"].as_bool() == Some(is_aside)).collect();
    if has("stability") {
        stability(&facts, Path::new(photos));
        return;
    }
    let measured: Vec<Option<Measured>> = facts.par_iter().map(|fact| measure(fact, Path::new(photos))).collect();
    let missing = measured.iter().filter(|m| m.is_none()).count();
    let mut kinds: BTreeMap<&str, Vec<&Measured>> = BTreeMap::new();
    for row in measured.iter().flatten() {
        kinds.entry(&row.kind).or_default().push(row);
        let floor = row.overlap.map_or_else(String::new, |v| format!("floor {v:.3} "));
        let result = row.refusal.as_deref().unwrap_or("accepted");
        println!("{:12} {} {floor}{result}", row.kind, row.path);
        if let Some((estimate, rulers)) = &row.scale {
            let rulers: Vec<String> = rulers.iter().map(|(what, v)| format!("{what} {v:.2}")).collect();
            println!("{:12} camera at {estimate:.2} m; by {}", "", rulers.join(", "));
        }
    }
    let mut errors: Vec<f64> = measured.iter().flatten().filter_map(scale_error).collect();
    errors.sort_by(f64::total_cmp);
    if !errors.is_empty() {
        let within = errors.iter().filter(|e| **e <= 0.1).count();
        let median = 100.0 * errors[errors.len() / 2];
        println!(
            "\nscale: {median:.1} % off, median of {} confident rooms with a ruler; {within} within 10 %",
            errors.len()
        );
    }
    println!("\n{missing} photos of {} are missing", facts.len());
    for (kind, rows) in kinds {
        let accepted: Vec<_> = rows.iter().filter(|r| r.refusal.is_none()).collect();
        let median = |rows: &mut dyn Iterator<Item = &&Measured>| {
            let mut values: Vec<f64> = rows.filter_map(|r| r.overlap).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
        };
        println!("{kind:12} {:3} of {:3} accepted", accepted.len(), rows.len());
        if rows.iter().any(|r| r.overlap.is_some()) {
            let (all, confident) = (median(&mut rows.iter()), median(&mut rows.iter().filter(|r| r.is_confident)));
            println!("{:12} floor IoU, median: {all:.3} of all, {confident:.3} where confident", "");
        }
    }
}

/// Prints how often photos of empty rooms get the same answer, and their floor's change, when they are disturbed.
#[expect(clippy::print_stdout, reason = "an example reports on stdout")]
fn stability(facts: &[&Value], photos: &Path) {
    let (mut same, mut all) = (0, 0);
    for fact in facts.iter().filter(|f| f["kind"] == "agent") {
        let path = format!("{}/{}", fact["repository"].as_str().unwrap_or(""), fact["path"].as_str().unwrap_or(""));
        let Ok(photo) = decode_file(&photos.join(&path)) else { continue };
        let is_accepted = |photo: &Photo| Room::analyze(photo, &RoomHints::default()).is_ok();
        let usual = is_accepted(&photo);
        let disturbed = disturbed(&photo);
        let flips: Vec<&str> = disturbed
            .par_iter()
            .filter(|(_, photo)| is_accepted(photo) != usual)
            .map(|(name, _)| name.as_str())
            .collect();
        same += disturbed.len() - flips.len();
        all += disturbed.len();
        println!("{path}: {}; otherwise at {flips:?}", if usual { "accepted" } else { "refused" });
    }
    println!("{same} of {all} answers are those of the undisturbed photo");
}

/// Error of the scale as a share: beside doors and counters where there are any, as sockets are mounted at many heights.
fn scale_error(row: &Measured) -> Option<f64> {
    let (estimate, rulers) = row.scale.as_ref().filter(|_| row.is_confident)?;
    let is_sure = |what: &str| what == "door" || what == "counter";
    let any_sure = rulers.iter().any(|(what, _)| is_sure(what));
    let used: Vec<f64> = rulers.iter().filter(|(what, _)| !any_sure || is_sure(what)).map(|r| r.1).collect();
    let truth = used.iter().sum::<f64>() / used.len() as f64;
    Some((estimate / truth - 1.0).abs())
}

fn measure(fact: &Value, photos: &Path) -> Option<Measured> {
    let path = format!("{}/{}", fact["repository"].as_str()?, fact["path"].as_str()?);
    let photo = decode_file(&photos.join(&path)).ok()?;
    let layout = Layout::of_segments(&photo, &lines::segments(&photo), &Hints::of(&photo));
    let style = StylePrompt::parse(None);
    let room = Room::analyze(&photo, &RoomHints::default())
        .and_then(|room| room.arrange(RoomPlan::LivingRoom, &Catalog::new(&style, &OperatorModels::default(), 1), 1));
    let size = [photo.width as f64, photo.height as f64];
    let scale = layout.as_ref().map(|l| (l.scale.meters, rulers(l, fact, size))).filter(|s| !s.1.is_empty());
    let overlap = fact.get("floor").map(|_| layout.as_ref().map_or(0.0, |layout| overlap(layout, fact, size)));
    Some(Measured {
        kind: fact["kind"].as_str()?.to_owned(),
        path,
        is_confident: layout.is_some_and(|l| l.is_confident()),
        overlap,
        refusal: room.err().map(|r| r.to_string()),
        scale,
    })
}

/// Camera height by each thing of known height that stands on the floor or hangs above a marked point of it.
fn rulers(layout: &Layout, fact: &Value, [width, height]: [f64; 2]) -> Vec<(String, f64)> {
    let camera = &layout.frame.camera;
    let ray = |v: &Value| {
        let [x, y]: [f64; 2] = serde_json::from_value(v.clone()).expect("a point");
        camera.ray(DVec2::new(x / 100.0 * width, y / 100.0 * height))
    };
    let of = |ruler: &Value| {
        let what = ruler["what"].as_str()?;
        let meters = HEIGHTS.iter().find(|(name, _)| *name == what)?.1;
        let (foot, top) = (ray(&ruler["bottom"]), ray(&ruler["top"]));
        let slope = |r: DVec3| r.z / r.truncate().length();
        // In camera heights.
        let tall = 1.0 - slope(top) / slope(foot);
        (foot.z < -0.02 && tall > 0.02).then(|| (what.to_owned(), meters / tall))
    };
    fact.get("rulers").and_then(Value::as_array).map_or_else(Vec::new, |all| all.iter().filter_map(of).collect())
}

/// Intersection over union of the layout's floor with the outlined one, without the places that count neither way.
fn overlap(layout: &Layout, fact: &Value, [width, height]: [f64; 2]) -> f64 {
    let rings = |name: &str| -> Vec<Vec<[f64; 2]>> {
        fact.get(name).map_or_else(Vec::new, |v| serde_json::from_value(v.clone()).expect("outlines"))
    };
    let (floor, beyond, holes) = (rings("floor"), rings("beyond"), rings("holes"));
    let within = |rings: &[Vec<[f64; 2]>], at: [f64; 2]| rings.iter().any(|ring| geometry::ring_contains(ring, at));
    let (mut both, mut either) = (0.0, 0.0);
    for i in 0..GRID * GRID {
        let at = [i % GRID, i / GRID].map(|k| (k as f64 + 0.5) / GRID as f64);
        let percent = at.map(|v| v * 100.0);
        let is_hole = within(&holes, percent);
        let is_floor = within(&floor, percent) && !is_hole;
        if !is_floor && (is_hole || within(&beyond, percent)) {
            continue;
        }
        let found = layout.face_at([at[0] * width, at[1] * height]) == Face::Floor;
        both += f64::from(u8::from(is_floor && found));
        either += f64::from(u8::from(is_floor || found));
    }
    if either > 0.0 { both / either } else { 0.0 }
}
