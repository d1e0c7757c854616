//! Measures and fits where photos were taken; see `bench/scenes.sh`.
//!
//! `scene_settings measure FACTS PHOTOS CUES` adds the cues of each photo of FACTS (`bench/photos.json`) that lies in the folder PHOTOS
//! as OWNER/NAME/PATH to the file CUES, unless they are there. `scene_settings report FACTS CUES` prints how often the setting is right,
//! for photos that were used for tuning and for those kept aside apart. `scene_settings fit FACTS CUES` fits the weights to the photos
//! that are not kept aside and prints them.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use aerie_photo::setting::{self, CUES, Cues, Setting, SettingEstimate};
use aerie_photo::{decode_file, segment, sky};
use rayon::prelude::*;

type Failure = Box<dyn std::error::Error>;

/// Weight of the squares of all weights in the fit, which keeps them small where photos do not determine them.
const RIDGE: f64 = 0.3;
const ROUNDS: usize = 30;

#[derive(serde::Deserialize)]
struct Fact {
    repository: String,
    path: String,
    setting: String,
    aside: bool,
}

impl Fact {
    fn name(&self) -> String {
        format!("{}/{}", self.repository, self.path)
    }
}

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let facts = |file: &str| -> Result<Vec<Fact>, Failure> { Ok(serde_json::from_slice(&std::fs::read(file)?)?) };
    match args.as_slice() {
        ["measure", file, photos, cues] => measure(&facts(file)?, photos.as_ref(), cues.as_ref()),
        ["report", file, cues] => report(&facts(file)?, &read(cues.as_ref())?),
        ["fit", file, cues] => {
            fit(&facts(file)?, &read(cues.as_ref())?);
            Ok(())
        }
        _ => Err("usage: scene_settings measure FACTS PHOTOS CUES | report FACTS CUES | fit FACTS CUES".into()),
    }
}

/// Cues of photos by name, as written by [`measure`].
fn read(file: &Path) -> Result<BTreeMap<String, Cues>, Failure> {
    let mut all = BTreeMap::new();
    for line in std::fs::read_to_string(file)?.lines() {
        let mut fields = line.split('\t');
        let name = fields.next().unwrap_or_default().to_owned();
        let values: Vec<f32> = fields.map(str::parse).collect::<Result<_, _>>()?;
        all.insert(name, values.try_into().map_err(|_| "cues of another version: remove the file")?);
    }
    Ok(all)
}

fn measure(facts: &[Fact], photos: &Path, cues: &Path) -> Result<(), Failure> {
    let done = if cues.exists() { read(cues)? } else { BTreeMap::new() };
    let out = std::sync::Mutex::new(std::fs::OpenOptions::new().append(true).create(true).open(cues)?);
    let todo: Vec<&Fact> = facts.iter().filter(|fact| !done.contains_key(&fact.name())).collect();
    todo.par_iter().for_each(|fact| {
        let Ok(photo) = decode_file(&photos.join(fact.name())) else { return };
        let reduced = photo.reduced(setting::SIDE);
        let cues = setting::cues(photo.light_value, &reduced, &segment(&photo), sky::matte(&reduced).as_ref());
        let values = cues.map(|v| v.to_string()).join("\t");
        let mut out = out.lock().expect("no thread panics");
        writeln!(out, "{}\t{values}", fact.name()).expect("space on the disk");
    });
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a command for people")]
fn report(facts: &[Fact], cues: &BTreeMap<String, Cues>) -> Result<(), Failure> {
    let names = [("indoors", Setting::Indoors), ("outdoors", Setting::Outdoors), ("neither", Setting::Neither)];
    for aside in [false, true] {
        let (mut right, mut all) = (0, 0);
        let mut confusion = [[0; 3]; 3];
        println!("{}", if aside { "kept aside" } else { "tuning" });
        for fact in facts.iter().filter(|fact| fact.aside == aside) {
            let Some(cues) = cues.get(&fact.name()) else { continue };
            let truth = names.iter().position(|n| n.0 == fact.setting).ok_or("a setting of another name")?;
            let estimate = SettingEstimate::of_cues(cues);
            let found = names.iter().position(|n| n.1 == estimate.setting).unwrap_or(2);
            confusion[truth][found] += 1;
            all += 1;
            right += usize::from(truth == found);
            if truth != found {
                println!("  {} {:.2}, but is {}: {}", names[found].0, estimate.confidence, fact.setting, fact.name());
            }
        }
        for (row, name) in confusion.iter().zip(names) {
            println!("  {:9} {:4} indoors {:4} outdoors {:4} neither", name.0, row[0], row[1], row[2]);
        }
        println!(
            "  {right} of {all} are right: {:.1} %",
            100.0 * f64::from(right as u32) / f64::from(all.max(1) as u32)
        );
    }
    Ok(())
}

/// Logistic regression by Newton's method; prints the weights of the cues and the constant.
#[expect(clippy::print_stdout, reason = "a command for people")]
fn fit(facts: &[Fact], cues: &BTreeMap<String, Cues>) {
    let rows: Vec<(Vec<f64>, f64)> = facts
        .iter()
        .filter(|fact| !fact.aside && fact.setting != "neither")
        .filter_map(|fact| {
            let mut row: Vec<f64> = cues.get(&fact.name())?.iter().map(|v| f64::from(*v)).collect();
            // Uniformity and doubt tell photos from drawings, not exteriors from rooms.
            row[CUES - 2..].fill(0.0);
            row.push(1.0);
            Some((row, f64::from(u8::from(fact.setting == "outdoors"))))
        })
        .collect();
    let count = CUES + 1;
    let mut weights = vec![0.0; count];
    for _ in 0..ROUNDS {
        let mut matrix = vec![vec![0.0; count + 1]; count];
        for (i, row) in matrix.iter_mut().enumerate() {
            let ridge = if i < CUES { RIDGE } else { 1e-6 };
            row[i] += ridge;
            row[count] += ridge * weights[i];
        }
        for (row, truth) in &rows {
            let odds: f64 = row.iter().zip(&weights).map(|(a, b)| a * b).sum();
            let p = 1.0 / (1.0 + (-odds).exp());
            for i in 0..count {
                (0..count).for_each(|j| matrix[i][j] += p * (1.0 - p) * row[i] * row[j]);
                matrix[i][count] += (p - truth) * row[i];
            }
        }
        for (weight, step) in weights.iter_mut().zip(solved(matrix)) {
            *weight -= step;
        }
    }
    println!("{} photos", rows.len());
    for (name, weight) in setting::NAMES.iter().chain(&["constant"]).zip(weights) {
        println!("{name:20} {weight:.2}");
    }
}

/// Solves linear equations, the right side of which is the last column.
fn solved(mut a: Vec<Vec<f64>>) -> Vec<f64> {
    let count = a.len();
    for k in 0..count {
        let pivot = (k..count).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).unwrap_or(k);
        a.swap(k, pivot);
        for i in (0..count).filter(|i| *i != k) {
            let share = a[i][k] / a[k][k];
            (k..=count).for_each(|j| a[i][j] -= share * a[k][j]);
        }
    }
    (0..count).map(|k| a[k][count] / a[k][k]).collect()
}
