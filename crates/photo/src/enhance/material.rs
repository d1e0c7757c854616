//! Changes of what is shown, made only when they are asked for and told as material: the sky, the lawn, the hour.

use rayon::prelude::*;

use crate::account::Adjustment;
use crate::color::{encoded, lab, linear, luminance};
use crate::photo::Linear;
use crate::sky::{Matte, Sky, coverage, matte, replace};
use crate::{Photo, Wishes};

use super::guided::{Base, Guide};
use super::judge::{Judged, Scene};
use super::rounded;
use crate::window::box_mean;

/// Least share of the sky that must be surely sky.
const LEAST_CONFIDENCE: f32 = 0.6;
/// Least share of the picture that must be lawn.
const LEAST_LAWN: f32 = 0.02;

/// What is going to be changed.
#[derive(Default)]
pub(crate) struct Material {
    sky: Option<(Sky, Matte, Vec<u8>)>,
    lawn: Option<Base>,
    lawn_share: f32,
    strength: f32,
}

impl Material {
    /// What was asked for and can be done; what cannot is noted.
    pub(crate) fn of(
        photo: &Photo,
        reduced: &Linear,
        judged: &Judged,
        wishes: &Wishes,
        notes: &mut Vec<String>,
    ) -> Self {
        let mut found = Self { strength: 0.55, ..Self::default() };
        let wanted = match (wishes.dusk, wishes.sky) {
            (true, _) => Some(Sky::Dusk),
            (false, true) => Some(Sky::Clear),
            (false, false) => None,
        };
        if (wanted.is_some() || wishes.lawn) && !judged.is_surely_outdoors {
            notes.push(
                match judged.scene {
                    Scene::Indoors => "the photo shows a room: neither sky nor lawn nor the hour was changed",
                    Scene::Outdoors => {
                        "the photo may show a room: neither sky nor lawn nor the hour was changed; say \"outdoors\" in \
                         the prompt where that is wrong"
                    }
                }
                .into(),
            );
            return found;
        }
        let sky = (wanted.is_some() || wishes.lawn).then(|| matte(reduced)).flatten();
        let foot = sky.as_ref().map_or(0.3, lowest);
        if let Some(wanted) = wanted {
            match sky {
                Some(sky) if sky.confidence >= LEAST_CONFIDENCE => {
                    let coverage = coverage(photo, reduced, &sky);
                    found.sky = Some((wanted, sky, coverage));
                }
                Some(_) => notes.push("the sky could not be told clearly from the rest: it was left as it is".into()),
                None => notes.push("no sky was found: it was left as it is".into()),
            }
        }
        if wishes.lawn {
            match lawn(reduced, foot) {
                Some((base, share)) => (found.lawn, found.lawn_share) = (Some(base), share),
                None => notes.push("no lawn was found: the ground was left as it is".into()),
            }
        }
        found
    }

    /// Whether it will be dusk: the scene is darkened instead of lightened.
    pub(crate) fn is_dusk(&self) -> bool {
        matches!(self.sky, Some((Sky::Dusk, _, _)))
    }

    /// Whether nothing is to be changed.
    pub(crate) fn is_none(&self) -> bool {
        self.sky.is_none() && self.lawn.is_none()
    }

    /// Makes the changes.
    pub(crate) fn apply(&self, photo: &mut Photo) {
        if let Some(lawn) = &self.lawn {
            green(photo, lawn, self.strength);
        }
        if self.is_dusk() {
            darken(photo);
        }
        if let Some((sky, matte, coverage)) = &self.sky {
            replace(photo, coverage, matte, *sky);
        }
    }

    /// What is told of them.
    pub(crate) fn changes(&self) -> Vec<Adjustment> {
        let change = |name, amount: f32, unit| Adjustment { name, amount: rounded(amount), unit, material: true };
        let mut told = Vec::new();
        if let Some((sky, matte, _)) = &self.sky {
            told.push(change("sky", matte.share, "share of the picture replaced"));
            if *sky == Sky::Dusk {
                told.push(change("day_to_dusk", DUSK_STOPS, "EV"));
            }
        }
        if self.lawn.is_some() {
            told.push(change("lawn", self.lawn_share, "share of the picture greened"));
        }
        told
    }
}

/// Where a sky ends, share of the height.
fn lowest(matte: &Matte) -> f32 {
    let is_sky = |y: &usize| matte.alpha[y * matte.width..(y + 1) * matte.width].iter().any(|a| *a > 0.5);
    (0..matte.height).rev().find(is_sky).map_or(0.3, |y| y as f32 / matte.height as f32)
}

/// Stops that the scene loses after sunset: less than it would, as a camera opens up.
const DUSK_STOPS: f32 = -1.6;

/// The light of a sky without its sun: dimmer and bluer, with shadows and lights closer to each other. Windows are not
/// lit: whether someone is at home is not ours to say.
fn darken(photo: &mut Photo) {
    const LIGHT: [f32; 3] = [0.86, 0.94, 1.19];
    photo.pixels.par_iter_mut().for_each(|pixel| {
        let own = linear(*pixel);
        let y = luminance(own);
        // Highlights lose more than shadows: no sun is left to make them.
        let dimmed = y * DUSK_STOPS.exp2() * (1.0 + 0.35 * (1.0 - y)) / (1.0 + 0.35 * y);
        // And depths fall away first: without that the house lies flat before the sky.
        let scale = dimmed / y.max(1e-5) * (y / 0.20).powf(0.16).clamp(0.70, 1.12);
        // Eyes and cameras see less color in the dusk.
        *pixel = encoded([0, 1, 2].map(|c| (y + (own[c] - y) * 0.82) * scale * LIGHT[c]));
    });
}

/// The lawn as a share of each pixel, from its green parts on, and its share of the picture.
fn lawn(reduced: &Linear, foot: f32) -> Option<(Base, f32)> {
    let (width, height) = (reduced.width, reduced.height);
    let values: Vec<[f32; 3]> = reduced.pixels.par_iter().map(|p| lab(*p)).collect();
    let plane: Vec<f32> = values.iter().map(|v| v[0]).collect();
    let squares: Vec<f32> = plane.iter().map(|v| v * v).collect();
    let (mean, square) = (box_mean(&plane, width, height, 2), box_mean(&squares, width, height, 2));
    let from = ((foot + 0.12).max(0.45) * height as f32) as usize * width;
    // Green, and grained as blades are, but not as dark and ragged as leaves.
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
            // Straw and thin patches in the midst of it, too: yellowish, not the brown of earth or brick.
            let is_near = i >= from && a < 5.0 && b > 13.0 && l > 20.0;
            if is_near { ((dense[i] - 0.15) / 0.25).clamp(0.0, 1.0) } else { 0.0 }
        })
        .collect();
    let share = shares.iter().sum::<f32>() / shares.len() as f32;
    let guide: Vec<f32> = values.iter().map(|v| v[0] - v[1]).collect();
    let coefficients = Guide::new(&guide, width, height, 4, 30.0).coefficients(&shares);
    let fitted = coefficients.iter().zip(&guide).map(|([a, b], g)| [0.0, (a * g + b).clamp(0.0, 1.0)]).collect();
    (share >= LEAST_LAWN).then_some((Base { width, height, coefficients: fitted }, share))
}

/// Turns a lawn's hue towards that of grass in good health, at its own lightness.
fn green(photo: &mut Photo, lawn: &Base, strength: f32) {
    let (width, height) = (photo.width, photo.height);
    photo.pixels.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        for (pixel, [_, share]) in row.iter_mut().zip(lawn.row(y, height, width)) {
            if share < 0.01 {
                continue;
            }
            let own = linear(*pixel);
            let light = luminance(own);
            // Grass in sunlight, in linear light, per unit of luminance.
            let grass = [0.66, 1.19, 0.30].map(|v| v * light);
            *pixel = encoded([0, 1, 2].map(|c| own[c] + (grass[c] - own[c]) * share * strength));
        }
    });
}
