//! Measures on real photos how many rooms staging accepts and how well it finds their floors: `acceptance FACTS PHOTOS [aside]`.
//!
//! FACTS is `bench/rooms.json`: photos in public repositories with outlines by hand. PHOTOS holds them as OWNER/NAME/PATH; those that are
//! missing are counted and left out. Photos kept aside are measured with `aside` only.

use std::collections::BTreeMap;
use std::path::Path;

use aerie_math::geometry;
use aerie_photo::room::{Face, Hints, Layout};
use aerie_photo::{decode_file, lines};
use aerie_staging::{Catalog, OperatorModels, Room, RoomHints, RoomPlan, StylePrompt};
use rayon::prelude::*;
use serde_json::Value;

/// Side of the grid on which floors are compared.
const GRID: usize = 256;

struct Measured {
    kind: String,
    path: String,
    is_confident: bool,
    overlap: Option<f64>,
    refusal: Option<String>,
}

#[expect(clippy::print_stdout, reason = "an example reports on stdout")]
fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [facts, photos, ..] = words.as_slice() else { panic!("usage: acceptance FACTS PHOTOS [aside]") };
    let is_aside = words.get(2).is_some_and(|w| w == "aside");
    let facts: Vec<Value> = serde_json::from_slice(&std::fs::read(facts).expect("facts")).expect("a list of facts");
    let facts: Vec<&Value> = facts.iter().filter(|f| f["aside"].as_bool() == Some(is_aside)).collect();
    let measured: Vec<Option<Measured>> = facts.par_iter().map(|fact| measure(fact, Path::new(photos))).collect();
    let missing = measured.iter().filter(|m| m.is_none()).count();
    let mut kinds: BTreeMap<&str, Vec<&Measured>> = BTreeMap::new();
    for row in measured.iter().flatten() {
        kinds.entry(&row.kind).or_default().push(row);
        let floor = row.overlap.map_or_else(String::new, |v| format!("floor {v:.3} "));
        let result = row.refusal.as_deref().unwrap_or("accepted");
        println!("{:12} {} {floor}{result}", row.kind, row.path);
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

fn measure(fact: &Value, photos: &Path) -> Option<Measured> {
    let path = format!("{}/{}", fact["repository"].as_str()?, fact["path"].as_str()?);
    let photo = decode_file(&photos.join(&path)).ok()?;
    let layout = Layout::of_segments(&photo, &lines::segments(&photo), &Hints::of(&photo));
    let style = StylePrompt::parse(None);
    let room = Room::analyze(&photo, &RoomHints::default())
        .and_then(|room| room.arrange(RoomPlan::LivingRoom, &Catalog::new(&style, &OperatorModels::default(), 1), 1));
    let size = [photo.width as f64, photo.height as f64];
    let overlap = fact.get("floor").map(|_| layout.as_ref().map_or(0.0, |layout| overlap(layout, fact, size)));
    Some(Measured {
        kind: fact["kind"].as_str()?.to_owned(),
        path,
        is_confident: layout.is_some_and(|l| l.is_confident()),
        overlap,
        refusal: room.err().map(|r| r.to_string()),
    })
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
