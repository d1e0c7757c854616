//! Material changes, made only on request and reported as such: sky replacement, greener lawn.

use rayon::prelude::*;

use crate::Photo;
use crate::box_mean;
use crate::guided_filter::{Coefficients, GuidedFilter};
use crate::photo::Linear;
use crate::prompt::EnhanceOptions;
use crate::report::{Adjustment, rounded};
use crate::setting::Scene;
use crate::sky::{Matte, coverage, matte, replace};
use aerie_math::color::{encoded, lab, linear, luminance};

use super::analysis::Analysis;

/// Least confidence of a sky matte.
const LEAST_CONFIDENCE: f32 = 0.6;
/// Least share of the image that must be lawn.
const LEAST_LAWN: f32 = 0.02;

/// Planned material changes.
#[derive(Default)]
pub(crate) struct MaterialChanges {
    sky: Option<(Matte, Vec<u8>)>,
    lawn: Option<Coefficients>,
    lawn_share: f32,
    strength: f32,
}

impl MaterialChanges {
    /// Plans what was requested and is possible; adds a note for what is not.
    pub(crate) fn plan(
        photo: &Photo,
        reduced: &Linear,
        analysis: &Analysis,
        options: &EnhanceOptions,
        notes: &mut Vec<String>,
    ) -> Self {
        let mut plan = Self { strength: 0.55, ..Self::default() };
        if (options.sky || options.lawn) && !analysis.is_surely_outdoors {
            notes.push(
                match analysis.scene {
                    Scene::Indoors => "sky and lawn not changed: the photo shows a room",
                    Scene::Outdoors => {
                        "sky and lawn not changed: the photo may show a room; write \"outdoors\" in the \
                         prompt if it does not"
                    }
                }
                .into(),
            );
            return plan;
        }
        let sky = (options.sky || options.lawn).then(|| matte(reduced)).flatten();
        let foot = sky.as_ref().map_or(0.3, lower_end);
        if options.sky {
            match sky {
                Some(sky) if sky.confidence >= LEAST_CONFIDENCE => {
                    let coverage = coverage(photo, reduced, &sky);
                    plan.sky = Some((sky, coverage));
                }
                Some(_) => notes.push("sky not changed: its outline is unclear".into()),
                None => notes.push("sky not changed: no sky detected".into()),
            }
        }
        if options.lawn {
            match lawn(reduced, foot) {
                Some((base, share)) => (plan.lawn, plan.lawn_share) = (Some(base), share),
                None => notes.push("lawn not changed: no lawn detected".into()),
            }
        }
        plan
    }

    /// Whether there are no changes.
    pub(crate) fn is_empty(&self) -> bool {
        self.sky.is_none() && self.lawn.is_none()
    }

    /// Applies the changes.
    pub(crate) fn apply(&self, photo: &mut Photo) {
        if let Some(lawn) = &self.lawn {
            green(photo, lawn, self.strength);
        }
        if let Some((matte, coverage)) = &self.sky {
            replace(photo, coverage, matte);
        }
    }

    /// The changes, for the report.
    pub(crate) fn changes(&self) -> Vec<Adjustment> {
        let change = |name, amount: f32, unit| Adjustment { name, amount: rounded(amount), unit, material: true };
        let mut changes = Vec::new();
        if let Some((matte, _)) = &self.sky {
            changes.push(change("sky", matte.share, "share of the picture replaced"));
        }
        if self.lawn.is_some() {
            changes.push(change("lawn", self.lawn_share, "share of the picture greened"));
        }
        changes
    }
}

/// Lower end of the sky, as a share of the height.
fn lower_end(matte: &Matte) -> f32 {
    let is_sky = |y: &usize| matte.alpha[y * matte.width..(y + 1) * matte.width].iter().any(|a| *a > 0.5);
    (0..matte.height).rev().find(is_sky).map_or(0.3, |y| y as f32 / matte.height as f32)
}

/// Detects lawn: its share of each pixel, grown from green areas, and its share of the image.
fn lawn(reduced: &Linear, foot: f32) -> Option<(Coefficients, f32)> {
    let (width, height) = (reduced.width, reduced.height);
    let values: Vec<[f32; 3]> = reduced.pixels.par_iter().map(|p| lab(*p)).collect();
    let plane: Vec<f32> = values.iter().map(|v| v[0]).collect();
    let squares: Vec<f32> = plane.iter().map(|v| v * v).collect();
    let (mean, square) = (box_mean(&plane, width, height, 2), box_mean(&squares, width, height, 2));
    let from = ((foot + 0.12).max(0.45) * height as f32) as usize * width;
    // Green and grainy like blades of grass, but neither as dark nor as rough as foliage.
    let is_green = |i: usize| {
        let [l, a, b] = values[i];
        let grain = (square[i] - mean[i] * mean[i]).max(0.0).sqrt();
        i >= from && a < -4.0 && b > 8.0 && (22.0..80.0).contains(&l) && (0.3..9.0).contains(&grain)
    };
    let green: Vec<f32> = (0..values.len()).map(|i| f32::from(u8::from(is_green(i)))).collect();
    let dense = box_mean(&green, width, height, (width / 16).max(2));
    let shares: Vec<f32> = (0..values.len())
        .map(|i| {
            let [l, a, b] = values[i];
            // Includes straw and thin patches within it: yellowish, but not the brown of earth or brick.
            let is_near = i >= from && a < 5.0 && b > 13.0 && l > 20.0;
            if is_near { ((dense[i] - 0.15) / 0.25).clamp(0.0, 1.0) } else { 0.0 }
        })
        .collect();
    let share = shares.iter().sum::<f32>() / shares.len() as f32;
    let guide: Vec<f32> = values.iter().map(|v| v[0] - v[1]).collect();
    let coefficients = GuidedFilter::new(&guide, width, height, 4, 30.0).coefficients(&shares);
    let fitted = coefficients.iter().zip(&guide).map(|([a, b], g)| [0.0, (a * g + b).clamp(0.0, 1.0)]).collect();
    (share >= LEAST_LAWN).then_some((Coefficients { width, height, values: fitted }, share))
}

/// Shifts the hue of lawn toward healthy grass at its own luminance.
fn green(photo: &mut Photo, lawn: &Coefficients, strength: f32) {
    let (width, height) = (photo.width, photo.height);
    photo.pixels.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        for (pixel, [_, share]) in row.iter_mut().zip(lawn.row(y, height, width)) {
            if share < 0.01 {
                continue;
            }
            let own = linear(*pixel);
            let light = luminance(own);
            // Linear sRGB of sunlit grass at unit luminance.
            let grass = [0.66, 1.19, 0.30].map(|v| v * light);
            *pixel = encoded([0, 1, 2].map(|c| own[c] + (grass[c] - own[c]) * share * strength));
        }
    });
}
