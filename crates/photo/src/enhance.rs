//! Enhancement: light alone, by measure, and never worse than what came in.
//!
//! The photo is judged on a reduced copy in linear light: where it was taken, the cast of its white, how dark it is,
//! how noisy. From that follow the strengths of each change. A finished photo is left nearly alone, which matters
//! more than any other rule here. The changes are tried on the reduced copy and measured against the original; what
//! fails a measure is weakened step by step, down to nothing. Then the pixels are written, once.
//!
//! Amounts are those of a study with blind pairs: damping of white balance 0.7 indoors and 0.42 outdoors, exposure
//! towards a weighted lightness of 73 and 57 times 0.7, local compression 0.30 and 0.45, detail 1.22, vibrance 0.16.
mod check;
mod finish;
mod guided;
mod judge;
mod tone;
mod white;

use serde::Serialize;

use crate::encode::Finished;
use crate::intent::{Intent, SharedIntent};
use crate::{Photo, Wishes};

pub use check::Measures;
pub use judge::Scene;

/// Longer side of the copy that is judged, pixels.
const JUDGED_SIDE: usize = 512;

/// One change that was made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Adjustment {
    /// What was changed ("exposure").
    pub name: &'static str,
    /// By how much.
    pub amount: f32,
    /// Unit of the amount ("EV").
    pub unit: &'static str,
    /// Whether it changes what is shown, rather than the light it is shown in. Nothing here does.
    pub material: bool,
}

/// What was done to a photo, and why not more.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Account {
    /// Where the photo was taken, as judged or as told.
    pub scene: Scene,
    /// Whether the photo was finished already, and so left nearly alone.
    pub finished: bool,
    /// The changes.
    pub changes: Vec<Adjustment>,
    /// Factors on linear red, green and blue that took the cast away.
    pub white_gains: [f32; 3],
    /// What reading the file did.
    pub readings: Vec<String>,
    /// What was weakened so that the result is not worse than the original.
    pub stepped_back: Vec<String>,
    /// Clauses of the prompt that were understood.
    pub understood: Vec<String>,
    /// Clauses that were not, and for which nothing was done.
    pub not_understood: Vec<String>,
    /// Measures of the result beside the original.
    pub measures: Measures,
}

impl Account {
    /// The account in a sentence or two, for people and for the file's metadata.
    #[must_use]
    pub fn text(&self) -> String {
        if self.changes.is_empty() {
            return "Photo written anew by Aerie; its light was not changed.".into();
        }
        let told: Vec<String> =
            self.changes.iter().map(|c| format!("{} {:+.2} {}", c.name.replace('_', " "), c.amount, c.unit)).collect();
        format!(
            "Photo enhanced by algorithm with Aerie: {}. Light alone was changed; nothing was added, removed or moved.",
            told.join(", ")
        )
    }
}

/// Strengths of all changes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Strengths {
    /// Factors on linear red, green and blue that take the cast away.
    pub(crate) gains: [f32; 3],
    /// Distance of the cast that the gains take away, in a*, b*.
    pub(crate) shift: f32,
    /// Stops.
    pub(crate) exposure: f32,
    /// Compression of what is lighter and darker than the middle.
    pub(crate) highlights: f32,
    pub(crate) shadows: f32,
    /// Factor on what the base leaves over; 1 changes nothing.
    pub(crate) detail: f32,
    /// Share.
    pub(crate) vibrance: f32,
    /// Unsharp masking's amount.
    pub(crate) sharpening: f32,
    /// Noise to take away, L* standard deviation; 0 for none.
    pub(crate) noise: f32,
}

/// A photo enhanced.
#[derive(Debug, Clone, PartialEq)]
pub struct Enhanced {
    /// Its pixels.
    pub picture: Finished,
    /// What was done.
    pub account: Account,
    /// What it was given, for the other photos of its listing.
    pub intent: Intent,
}

/// Enhances a photo; `shared` is what earlier photos of its listing were given. The same photo, wishes and earlier
/// photos give the same pixels.
#[must_use]
pub fn enhance(photo: Photo, wishes: &Wishes, shared: Option<&SharedIntent>) -> Enhanced {
    let reduced = photo.reduced(JUDGED_SIDE);
    let judged = judge::judge(&photo, &reduced, wishes, shared);
    let (strengths, made, measures, stepped_back) = check::never_worse(&photo, &reduced, &judged);
    let mut account = Account {
        scene: judged.scene,
        finished: judged.finished,
        changes: changes(&strengths),
        white_gains: strengths.gains.map(rounded),
        readings: photo.readings.clone(),
        stepped_back,
        understood: wishes.understood.clone(),
        not_understood: wishes.not_understood.clone(),
        measures,
    };
    let picture = finish::finish(photo, &made, &strengths);
    account.measures.noise_after = rounded(judge::noise(picture.width, picture.height, |i| {
        let p = &picture.pixels[3 * i..3 * i + 3];
        [p[0], p[1], p[2]].map(|v| u16::from(v) * 257)
    }));
    Enhanced { picture, account, intent: judged.intent }
}

fn changes(strengths: &Strengths) -> Vec<Adjustment> {
    let told = [
        ("white_balance", strengths.shift, "delta ab", 0.3),
        ("exposure", strengths.exposure, "EV", 0.02),
        ("highlights", -strengths.highlights, "compression", 0.02),
        ("shadows", strengths.shadows, "compression", 0.02),
        ("clarity", strengths.detail - 1.0, "local contrast", 0.02),
        ("vibrance", strengths.vibrance, "saturation", 0.01),
        ("noise_reduction", strengths.noise, "L* sigma", 0.01),
        ("sharpening", strengths.sharpening, "unsharp amount", 0.02),
    ];
    let made = told.into_iter().filter(|(_, amount, _, least)| amount.abs() >= *least);
    made.map(|(name, amount, unit, _)| Adjustment { name, amount: rounded(amount), unit, material: false }).collect()
}

/// To three decimals.
fn rounded(value: f32) -> f32 {
    (value * 1000.0).round() / 1000.0
}
