//! Where a photo was taken: indoors or outdoors.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::Photo;
use crate::box_filter::box_mean;
use crate::color::lab;
use crate::photo::Linear;
use crate::segmentation::{Class, Segmentation};
use crate::sky::Matte;

/// Indoors or outdoors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scene {
    /// A room.
    Indoors,
    /// An exterior.
    Outdoors,
}

/// Where a photo was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// In a room.
    Indoors,
    /// Outside of buildings.
    Outdoors,
    /// Cannot be told: something shown closely, a plan, a drawing.
    Neither,
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
    /// Combines the light value, colors, the network and the sky.
    #[must_use]
    pub fn of(photo: &Photo, segmentation: &Segmentation, sky: Option<&Matte>) -> Self {
        let (scene, _) = classify(photo.light_value, &photo.reduced(512), [1.0; 3]);
        let by_color = if scene == Scene::Outdoors { 1.2 } else { -1.2 };
        let by_network = ((segmentation.share(Class::Outdoors) - 0.15) * 8.0).clamp(-1.0, 3.0);
        let by_room = ((0.12 - segmentation.share(Class::Floor)) * 5.0).clamp(-1.0, 0.5);
        let by_sky = sky.map_or(-0.5, |sky| ((sky.confidence - 0.85) * 20.0).clamp(-1.0, 2.0));
        Self::from_odds(by_color + by_network + by_room + by_sky, 0.0)
    }

    fn from_odds(odds: f32, neither: f32) -> Self {
        let outdoors = 1.0 / (1.0 + libm::expf(-odds));
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
}

/// Classifies a photo by the camera's light value, otherwise by content: a smooth, blue or blown-out top is sky, and green,
/// rough areas are foliage; rooms are smooth and rather warm. Weights were fitted by logistic regression on a thousand listing
/// photos. The second value is whether it is certainly outdoors: pale or blue walls and ceilings look like skies, but have no
/// foliage below them.
pub(crate) fn classify(light_value: Option<f32>, reduced: &Linear, gains: [f32; 3]) -> (Scene, bool) {
    match light_value {
        Some(value) if value <= 8.0 => return (Scene::Indoors, false),
        Some(value) if value >= 11.0 => return (Scene::Outdoors, true),
        _ => {}
    }
    let (width, height) = (reduced.width, reduced.height);
    let balanced = |p: &[f32; 3]| lab([0, 1, 2].map(|c| p[c] * gains[c]));
    let values: Vec<[f32; 3]> = reduced.pixels.par_iter().map(balanced).collect();
    let plane: Vec<f32> = values.iter().map(|v| v[0]).collect();
    let radius = (width.min(height) / 100).max(1);
    let mean = box_mean(&plane, width, height, radius);
    let squares: Vec<f32> = plane.iter().map(|v| v * v).collect();
    let square = box_mean(&squares, width, height, radius);
    let is_smooth = |i: usize| square[i] - mean[i] * mean[i] < 6.25;
    let top = width * (height / 4).max(1);
    let share = |range: std::ops::Range<usize>, test: &dyn Fn(usize) -> bool| {
        let length = range.len().max(1) as f32;
        range.filter(|i| test(*i)).count() as f32 / length
    };
    let lower: f32 = plane[values.len() / 2..].iter().sum::<f32>() / (values.len() - values.len() / 2) as f32;
    let leaves = share(0..values.len(), &|i| values[i][1] < -5.0 && values[i][2] > 5.0 && !is_smooth(i));
    let odds = [
        (8.5, share(0..top, &|i| is_smooth(i) && values[i][0] > 30.0 && values[i][2] < -7.0)),
        (2.0, share(0..top, &|i| values[i][1] < 3.0 && values[i][2] < -4.0)),
        (6.4, share(0..top, &|i| is_smooth(i) && values[i][0] > (lower + 30.0).max(80.0))),
        (17.1, leaves),
        (-11.6, share(0..values.len(), &is_smooth)),
        (-5.7, share(0..values.len(), &|i| values[i][1] > 0.0 && values[i][2] > 12.0)),
    ];
    let sum: f32 = 3.2 + odds.iter().map(|(weight, share)| weight * share).sum::<f32>();
    (if sum > 0.0 { Scene::Outdoors } else { Scene::Indoors }, sum > 1.6 && leaves > 0.008)
}
