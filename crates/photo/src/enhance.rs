//! Enhancement of light and geometry, guarded by measurements against the original.
//!
//! A reduced copy in linear light is analyzed: scene, color cast, lightness, noise. The analysis determines the strength of each
//! change. Photos that were edited before are hardly changed, which matters more than any other rule here. Changes are tried on
//! the reduced copy and compared with the original; those that fail a measure are weakened step by step, down to nothing. Then
//! the full-size pixels are rendered once. What the photo depicts (sky, lawn) changes only on request, and is
//! reported as material.
//!
//! Amounts come from a blind pairwise study: white balance 0.7 indoors and 0.42 outdoors, 0.7 of the exposure that would reach a
//! weighted L* of 73 and 57, local compression 0.30 and 0.45 (less outdoors), detail 1.22, vibrance
//! 0.16.
mod analysis;
mod backlight;
mod material_changes;
mod mixed_light;
mod outcome;
mod render;
mod safeguards;
mod strengths;
mod tone;
mod white_balance;

use std::borrow::Cow;

use crate::Photo;
use crate::border::Borders;
use crate::consistency::{ListingLooks, Look};
use crate::noise;
use crate::photo::Linear;
use crate::picture::Picture;
use crate::prompt::EnhanceOptions;
use crate::report::{Adjustment, Report, rounded};
use crate::setting::{self, Scene, SettingEstimate};
use crate::upright::{Correction, Limit, Upright, upright};
use material_changes::MaterialChanges;
use mixed_light::MixedLight;
use strengths::Strengths;

/// Longer side of the copy that is analyzed, pixels.
const ANALYSIS_SIDE: usize = 512;
/// Lean below which an edited photo is not straightened, and keeps its crop, degrees.
const LEAST_LEAN_IF_FINISHED: f64 = 1.5;
/// Lean that is reported if it is left, degrees.
const VISIBLE_LEAN: f64 = 0.7;

/// An enhanced photo.
#[derive(Debug, Clone, PartialEq)]
pub struct Enhanced {
    /// Its pixels.
    pub picture: Picture,
    /// What was done.
    pub report: Report,
    /// The look it was given, for consistency with the other photos of its listing.
    pub look: Look,
}

/// Classifies a photo as a room or an exterior.
#[must_use]
pub fn scene(photo: &Photo) -> Scene {
    SettingEstimate::of_reduced(photo.light_value, &within_frame(photo, &photo.reduced(setting::SIDE))).scene()
}

/// Enhances a photo; `shared` holds the looks of earlier photos of its listing. The same arguments give the same pixels.
#[must_use]
pub fn enhance(photo: Photo, options: &EnhanceOptions, shared: Option<&ListingLooks>) -> Enhanced {
    let (mut changes, mut notes) = (Vec::new(), Vec::new());
    let (photo, leans) = straightened(photo, options, &mut changes, &mut notes);
    let reduced = photo.reduced(ANALYSIS_SIDE);
    let analysis = analysis::analyze(&photo, &within_frame(&photo, &reduced), options, shared);
    let material = MaterialChanges::plan(&photo, &reduced, &analysis, options, &mut notes);
    notes.extend(blown(&reduced, analysis.scene));
    let mixed = mixed_light(&reduced, &analysis, options);
    let even = mixed.as_ref().map_or(Cow::Borrowed(&reduced), |light| Cow::Owned(light.removed_from(&reduced)));
    let (strengths, rendering, measures, stepped_back) = safeguards::never_worse(&photo, &even, &analysis);
    notes.extend(stepped_back);
    notes.extend(outcome::notes(options, &analysis, &strengths));
    changes.extend(light_changes(&strengths));
    changes.extend(mixed.as_ref().map(MixedLight::change));
    changes.extend(material.changes());
    let mut report = Report {
        scene: analysis.scene,
        finished: analysis.finished,
        exposures: photo.exposures,
        changes,
        white_gains: strengths.gains.map(rounded),
        readings: photo.readings.clone(),
        stepped_back: notes,
        understood: options.understood.clone(),
        refused: options.refused_requests(),
        not_understood: options.not_understood.clone(),
        measures,
    };
    [report.measures.lean_before, report.measures.lean_after] =
        [0, 1].map(|i| leans.map(|leans| rounded(leans[i] as f32)));
    let picture = render::render(photo, &rendering, mixed.as_ref(), &strengths, &material);
    report.measures.noise_after = rounded(noise::estimate(picture.width, picture.height, |i| {
        let p = &picture.pixels[3 * i..3 * i + 3];
        [p[0], p[1], p[2]].map(|v| u16::from(v) * 257)
    }));
    // The exposure after all safeguards, without what was asked for in the options of this photo.
    let lightness = tone::lit(analysis.middle, strengths.exposure - options.exposure);
    Enhanced { picture, report, look: Look { lightness, ..analysis.look } }
}

/// Corrects the perspective if lines of the photo determine it. Returns the leans of verticals before and after, degrees, if they
/// are known.
fn straightened(
    photo: Photo,
    options: &EnhanceOptions,
    changes: &mut Vec<Adjustment>,
    notes: &mut Vec<String>,
) -> (Photo, Option<[f64; 2]>) {
    if !options.upright {
        return (photo, None);
    }
    if let Some(panorama) = &photo.panorama {
        if options.asks_upright {
            notes.push(format!("not straightened: the photo is {}, whose projection would break", panorama.name()));
        }
        return (photo, None);
    }
    if Borders::detect(&photo).is_frame(&photo) {
        if options.asks_upright {
            notes.push("not straightened: the photo has a frame, which would tilt".into());
        }
        return (photo, None);
    }
    let is_outdoors = || scene(&photo) == Scene::Outdoors;
    let found = upright(&photo, photo.focal(), options.asks_upright, is_outdoors);
    let Correction { turn, leans: [before, after], limit } = match found {
        Upright::Stay(limit) => {
            let lean = limit.lean();
            if options.asks_upright || (lean.is_some_and(|l| l >= VISIBLE_LEAN) && !matches!(limit, Limit::Level(_))) {
                notes.push(format!("not straightened: {limit}"));
            }
            return (photo, lean.map(|l| [l, l]));
        }
        Upright::Turn(correction) => correction,
    };
    if !options.asks_upright && before < LEAST_LEAN_IF_FINISHED && is_finished(&photo, options) {
        return (photo, Some([before, before]));
    }
    if let Some(limit) = limit.filter(|_| after >= VISIBLE_LEAN) {
        notes.push(format!("straightened in part: {limit}; verticals at the sides still lean by {after:.1} degrees"));
    }
    let change = |name, amount: f64, unit| Adjustment { name, amount: rounded(amount as f32), unit, material: false };
    let amounts = [("upright_pitch", -turn.pitch, "degrees"), ("upright_roll", -turn.roll, "degrees")];
    changes.extend(amounts.into_iter().filter(|a| a.1.abs() > 0.01).map(|(n, a, u)| change(n, a, u)));
    changes.push(change("crop", turn.kept - 1.0, "share of the area"));
    (turn.apply(photo), Some([before, after]))
}

/// Light of different colors in a room that was not edited before.
fn mixed_light(reduced: &Linear, analysis: &analysis::Analysis, options: &EnhanceOptions) -> Option<MixedLight> {
    if !analysis.is_surely_indoors || analysis.finished || options.keep_white {
        return None;
    }
    MixedLight::find(reduced, analysis.strengths.gains)
}

/// Whether a photo was edited before, and so cropped on purpose.
fn is_finished(photo: &Photo, options: &EnhanceOptions) -> bool {
    analysis::analyze(photo, &within_frame(photo, &photo.reduced(ANALYSIS_SIDE)), options, None).finished
}

/// The reduced copy without the photo's frame, whose white would bias the analysis.
fn within_frame<'a>(photo: &Photo, reduced: &'a Linear) -> Cow<'a, Linear> {
    let borders = Borders::detect(photo);
    if !borders.is_frame(photo) {
        return Cow::Borrowed(reduced);
    }
    let across = |border: usize| (border * reduced.width).div_ceil(photo.width);
    let down = |border: usize| (border * reduced.height).div_ceil(photo.height);
    let columns = across(borders.left)..reduced.width - across(borders.right);
    Cow::Owned(reduced.crop(columns, down(borders.top)..reduced.height - down(borders.bottom)))
}

/// Note on blown-out areas of a room, which cannot be recovered.
fn blown(reduced: &Linear, scene: Scene) -> Option<String> {
    let is_blown = |p: &&[f32; 3]| p.iter().all(|v| *v > 0.965);
    let share = 100.0 * reduced.pixels.iter().filter(is_blown).count() as f32 / reduced.pixels.len() as f32;
    (scene == Scene::Indoors && share > 1.0)
        .then(|| format!("{share:.0} % of the photo is blown out and cannot be recovered"))
}

fn light_changes(strengths: &Strengths) -> Vec<Adjustment> {
    let amounts = [
        ("white_balance", strengths.shift, "delta ab", 0.3),
        ("exposure", if strengths.backlight.is_some() { 0.0 } else { strengths.exposure }, "EV", 0.02),
        (
            "backlight",
            if strengths.backlight.is_some() { strengths.exposure } else { 0.0 },
            "EV in the dark part",
            0.02,
        ),
        ("highlights", -strengths.highlights, "compression", 0.02),
        ("shadows", strengths.shadows, "compression", 0.02),
        ("window_pull", strengths.windows, "share of the exposure reverted", 0.02),
        ("clarity", strengths.detail - 1.0, "local contrast", 0.02),
        ("vibrance", strengths.vibrance, "saturation", 0.01),
        ("neutral_whites", strengths.whites, "share of their tint removed", 0.02),
        ("noise_reduction", strengths.noise, "L* sigma", 0.01),
        ("sharpening", strengths.sharpening, "unsharp amount", 0.02),
    ];
    let applied = amounts.into_iter().filter(|(_, amount, _, least)| amount.abs() >= *least);
    applied.map(|(name, amount, unit, _)| Adjustment { name, amount: rounded(amount), unit, material: false }).collect()
}
