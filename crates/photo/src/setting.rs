//! Where a photo was taken: indoors, outdoors, or unknown.
//!
//! A logistic model of few cues: the network's classes, the sky, foliage, smoothness, warmth, and the camera's light value. No cue
//! decides alone: at night exteriors are dark, and pale ceilings look like skies. The weights were fitted by
//! `bench/scenes.sh PHOTOS fit`.
mod cues;

use serde::{Deserialize, Serialize};

use crate::Photo;
use crate::photo::Linear;
use crate::segmentation::{self, Segmentation};
use crate::sky::{self, Matte};

pub use cues::{CUES, Cues, NAMES, cues};

/// Longer side of the copy on which the cues are measured, pixels.
pub const SIDE: usize = 512;

/// Probability from which an exterior is certain.
const SURE: f32 = 0.95;

/// Weights of the cues in the log odds of an exterior, in their order, and the constant.
const WEIGHTS: [f32; CUES] =
    [1.47, 1.68, 1.34, -1.11, -0.62, -0.66, 1.42, 3.12, 3.36, 3.34, 2.46, -4.51, -0.48, -2.33, -1.30, 0.0, 0.0];
const CONSTANT: f32 = 0.46;

/// Light value from which a photo was taken by day outside, and the log odds that this adds: few photos for the fit had one.
pub(crate) const DAYLIGHT: f32 = 11.5;
const BY_DAY: f32 = 4.0;

/// Weights of the share of uniform cells and of the network's doubt in the log odds of neither, and the constant: plans, drawings and
/// screens are uniform like no photo.
const NEITHER: [f32; 3] = [14.0, 8.0, -9.2];

/// Where a photo was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// In a room.
    Indoors,
    /// Outside of buildings.
    Outdoors,
    /// Unknown: a floor plan, a drawing, a close-up.
    Neither,
}

/// Indoors or outdoors, for what needs one of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scene {
    /// A room.
    Indoors,
    /// An exterior.
    Outdoors,
}

/// Where a photo was taken, with probabilities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SettingEstimate {
    /// The most probable setting.
    pub setting: Setting,
    /// Its probability.
    pub confidence: f32,
    /// Probability that it was taken outdoors rather than indoors.
    pub outdoors: f32,
    /// Probability that it is neither.
    pub neither: f32,
}

impl SettingEstimate {
    /// Estimates the setting of a photo that was segmented before.
    #[must_use]
    pub fn of_photo(photo: &Photo, network: &Segmentation) -> Self {
        let reduced = photo.reduced(SIDE);
        Self::of(photo.light_value, &reduced, network, sky::matte(&reduced).as_ref())
    }

    /// Estimates the setting of a reduced photo, with a longer side of [`SIDE`].
    #[must_use]
    pub fn of_reduced(light_value: Option<f32>, reduced: &Linear) -> Self {
        Self::of(light_value, reduced, &segmentation::segment_reduced(reduced), sky::matte(reduced).as_ref())
    }

    /// Combines the light value, colors, the network and the sky. `reduced` has a longer side of [`SIDE`].
    #[must_use]
    pub fn of(light_value: Option<f32>, reduced: &Linear, network: &Segmentation, sky: Option<&Matte>) -> Self {
        let cues = cues(light_value, reduced, network, sky);
        let odds = log_odds(&cues);
        // No room is as bright as a day outside.
        let is_day = light_value.is_some_and(|value| value >= DAYLIGHT);
        Self::of_odds(if is_day { odds + BY_DAY } else { odds }, neither_odds(&cues))
    }

    /// Estimates the setting by cues.
    #[must_use]
    pub fn of_cues(cues: &Cues) -> Self {
        Self::of_odds(log_odds(cues), neither_odds(cues))
    }

    fn of_odds(outdoors: f32, neither: f32) -> Self {
        let probability = |odds: f32| 1.0 / (1.0 + libm::expf(-odds));
        let (outdoors, neither) = (probability(outdoors), probability(neither));
        let known = 1.0 - neither;
        let all = [
            (Setting::Indoors, known * (1.0 - outdoors)),
            (Setting::Outdoors, known * outdoors),
            (Setting::Neither, neither),
        ];
        let most = all.into_iter().reduce(|best, s| if s.1 > best.1 { s } else { best });
        let (setting, confidence) = most.unwrap_or((Setting::Neither, 0.0));
        Self { setting, confidence, outdoors, neither }
    }

    /// Indoors or outdoors, whichever is more probable.
    #[must_use]
    pub fn scene(&self) -> Scene {
        if self.outdoors > 0.5 { Scene::Outdoors } else { Scene::Indoors }
    }

    /// Whether it is certainly an exterior: pale or blue walls and ceilings look like skies.
    #[must_use]
    pub fn is_surely_outdoors(&self) -> bool {
        self.outdoors > SURE && self.setting == Setting::Outdoors
    }
}

fn log_odds(cues: &Cues) -> f32 {
    CONSTANT + cues.iter().zip(WEIGHTS).map(|(cue, weight)| cue * weight).sum::<f32>()
}

fn neither_odds(cues: &Cues) -> f32 {
    NEITHER[0] * cues[CUES - 2] + NEITHER[1] * cues[CUES - 1] + NEITHER[2]
}
