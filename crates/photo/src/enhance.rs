//! Enhancement: light and geometry, by measure, and never worse than what came in.
//!
//! The photo is judged on a reduced copy in linear light: where it was taken, the cast of its white, how dark it is,
//! how noisy. From that follow the strengths of each change. A finished photo is left nearly alone, which matters
//! more than any other rule here. The changes are tried on the reduced copy and measured against the original; what
//! fails a measure is weakened step by step, down to nothing. Then the pixels are written, once. What is shown is
//! changed (sky, lawn, dusk) only when that is asked for, and told as material.
//!
//! Amounts are those of a study with blind pairs: damping of white balance 0.7 indoors and 0.42 outdoors, exposure
//! towards a weighted lightness of 73 and 57 times 0.7, local compression 0.30 and 0.45, detail 1.22, vibrance 0.16.
mod check;
mod finish;
mod guided;
mod judge;
mod material;
mod tone;
mod white;

use std::borrow::Cow;

use crate::account::{Account, Adjustment};
use crate::border::Strips;
use crate::encode::Finished;
use crate::intent::{Intent, SharedIntent};
use crate::photo::Linear;
use crate::upright::{Upright, upright};
use crate::{Photo, Wishes};
use material::Material;

pub use check::Measures;
pub(crate) use guided::{Base, Guide};
pub use judge::Scene;

/// A photo's noise: the deviation of lightness (L*, 0 to 100) on flat patches alone, by Immerkaer's operator (1996); 0 where
/// too few patches are flat.
#[must_use]
pub fn noise(photo: &Photo) -> f32 {
    judge::noise(photo.width, photo.height, |i| photo.pixels[i])
}

/// Longer side of the copy that is judged, pixels.
const JUDGED_SIDE: usize = 512;
/// Degrees of roll under which a finished photo keeps its lean, and with it its edges.
const ROLL_OF_FINISHED: f64 = 1.0;

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
    /// Share of the exposure that is taken back where the photo is light already, as in windows.
    pub(crate) windows: f32,
    /// Factor on what the base leaves over; 1 changes nothing.
    pub(crate) detail: f32,
    /// Share.
    pub(crate) vibrance: f32,
    /// Share of its tint that what is light and nearly white loses.
    pub(crate) whites: f32,
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

/// Where a photo was taken, as its exposure or its reduced copy tells.
#[must_use]
pub fn scene(photo: &Photo) -> Scene {
    let reduced = photo.reduced(JUDGED_SIDE);
    judge::judge(photo, &within_frame(photo, &reduced), &Wishes::default(), None).scene
}

/// Enhances a photo; `shared` is what earlier photos of its listing were given. The same photo, wishes and earlier
/// photos give the same pixels.
#[must_use]
pub fn enhance(photo: Photo, wishes: &Wishes, shared: Option<&SharedIntent>) -> Enhanced {
    let (mut told, mut notes) = (Vec::new(), Vec::new());
    let photo = straightened(photo, wishes, &mut told, &mut notes);
    let reduced = photo.reduced(JUDGED_SIDE);
    let judged = judge::judge(&photo, &within_frame(&photo, &reduced), wishes, shared);
    let material = Material::of(&photo, &reduced, &judged, wishes, &mut notes);
    notes.extend(blown(&reduced, judged.scene));
    let (strengths, made, measures, stepped_back) = check::never_worse(&photo, &reduced, &judged);
    notes.extend(stepped_back);
    told.extend(changes(&strengths));
    told.extend(material.changes());
    let mut account = Account {
        scene: judged.scene,
        finished: judged.finished,
        changes: told,
        white_gains: strengths.gains.map(rounded),
        readings: photo.readings.clone(),
        stepped_back: notes,
        understood: wishes.understood.clone(),
        not_understood: wishes.not_understood.clone(),
        measures,
    };
    let picture = finish::finish(photo, &made, &strengths, &material);
    account.measures.noise_after = rounded(judge::noise(picture.width, picture.height, |i| {
        let p = &picture.pixels[3 * i..3 * i + 3];
        [p[0], p[1], p[2]].map(|v| u16::from(v) * 257)
    }));
    // As it was given in the end, whatever the checks took back; wishes are this photo's alone.
    let lightness = judge::lit(judged.middle, strengths.exposure - wishes.exposure);
    Enhanced { picture, account, intent: Intent { lightness, ..judged.intent } }
}

/// The photo made to stand upright, where its lines tell how.
fn straightened(photo: Photo, wishes: &Wishes, told: &mut Vec<Adjustment>, notes: &mut Vec<String>) -> Photo {
    if !wishes.upright {
        return photo;
    }
    if Strips::of(&photo).is_frame(&photo) {
        if wishes.asks_upright {
            notes.push("the photo lies in a frame, which would lean: it was not straightened".into());
        }
        return photo;
    }
    match upright(&photo, photo.focal()) {
        Upright::Turn(turn)
            if !wishes.asks_upright && turn.roll.abs() < ROLL_OF_FINISHED && is_finished(&photo, wishes) =>
        {
            photo
        }
        Upright::Turn(turn) => {
            let change =
                |name, amount: f64, unit| Adjustment { name, amount: rounded(amount as f32), unit, material: false };
            let amounts = [("upright_pitch", -turn.pitch, "degrees"), ("upright_roll", -turn.roll, "degrees")];
            told.extend(amounts.into_iter().filter(|a| a.1.abs() > 0.01).map(|(n, a, u)| change(n, a, u)));
            told.push(change("crop", turn.kept - 1.0, "share of the area"));
            turn.apply(photo)
        }
        Upright::Unsure if wishes.asks_upright => {
            notes.push("its lines do not tell how the photo stands: it was not straightened".into());
            photo
        }
        Upright::Stands | Upright::Unsure => photo,
    }
}

/// Whether a photo was finished by someone, who then framed it as it is.
fn is_finished(photo: &Photo, wishes: &Wishes) -> bool {
    judge::judge(photo, &within_frame(photo, &photo.reduced(JUDGED_SIDE)), wishes, None).finished
}

/// The reduced copy without the photo's frame: paper says nothing of the light in a picture.
fn within_frame<'a>(photo: &Photo, reduced: &'a Linear) -> Cow<'a, Linear> {
    let strips = Strips::of(photo);
    if !strips.is_frame(photo) {
        return Cow::Borrowed(reduced);
    }
    let across = |strip: usize| (strip * reduced.width).div_ceil(photo.width);
    let down = |strip: usize| (strip * reduced.height).div_ceil(photo.height);
    let columns = across(strips.left)..reduced.width - across(strips.right);
    Cow::Owned(reduced.part(columns, down(strips.top)..reduced.height - down(strips.bottom)))
}

/// What of a room is blown out, in words: no change brings that back.
fn blown(reduced: &Linear, scene: Scene) -> Option<String> {
    let is_blown = |p: &&[f32; 3]| p.iter().all(|v| *v > 0.965);
    let share = 100.0 * reduced.pixels.iter().filter(is_blown).count() as f32 / reduced.pixels.len() as f32;
    (scene == Scene::Indoors && share > 1.0)
        .then(|| format!("{share:.0} % of the picture is blown out; what was to be seen there cannot be brought back"))
}

fn changes(strengths: &Strengths) -> Vec<Adjustment> {
    let told = [
        ("white_balance", strengths.shift, "delta ab", 0.3),
        ("exposure", strengths.exposure, "EV", 0.02),
        ("highlights", -strengths.highlights, "compression", 0.02),
        ("shadows", strengths.shadows, "compression", 0.02),
        ("window_pull", strengths.windows, "share of the exposure taken back", 0.02),
        ("clarity", strengths.detail - 1.0, "local contrast", 0.02),
        ("vibrance", strengths.vibrance, "saturation", 0.01),
        ("neutral_whites", strengths.whites, "share of their tint taken away", 0.02),
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
