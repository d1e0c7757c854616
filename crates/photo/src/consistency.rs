//! Consistency of the photos of one listing: each approaches the white balance and lightness of earlier ones. Looks are small
//! enough to be stored with jobs.

use serde::{Deserialize, Serialize};

use crate::setting::Scene;

/// White balance and lightness of one enhanced photo.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// Indoors or outdoors.
    pub scene: Scene,
    /// Residual color cast: natural logarithms of red and blue over green.
    pub left: [f32; 2],
    /// Middle lightness (L*, weighted quartiles) after exposure.
    pub lightness: f32,
}

/// Looks of the earlier photos of a listing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ListingLooks {
    /// One per photo, in any order.
    pub photos: Vec<Look>,
}

/// Target of a photo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LookTarget {
    /// Median of [`Look::left`] over photos of the same scene.
    pub left: [f32; 2],
    /// Median of [`Look::lightness`].
    pub lightness: f32,
    /// Strength: a half after one photo, two thirds after more.
    pub weight: f32,
}

impl ListingLooks {
    /// Target of a photo of this scene; `None` if it is the first one.
    #[must_use]
    pub fn target(&self, scene: Scene) -> Option<LookTarget> {
        let same: Vec<&Look> = self.photos.iter().filter(|p| p.scene == scene).collect();
        if same.is_empty() {
            return None;
        }
        let median = |value: &dyn Fn(&Look) -> f32| {
            let mut values: Vec<f32> = same.iter().map(|p| value(p)).filter(|v| v.is_finite()).collect();
            values.sort_unstable_by(f32::total_cmp);
            values.get(values.len() / 2).copied()
        };
        Some(LookTarget {
            // Stored looks may be damaged: targets stay near neutral.
            left: [median(&|p| p.left[0])?.clamp(-0.15, 0.15), median(&|p| p.left[1])?.clamp(-0.15, 0.15)],
            lightness: median(&|p| p.lightness)?.clamp(40.0, 80.0),
            weight: if same.len() == 1 { 0.5 } else { 2.0 / 3.0 },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(scene: Scene, left: f32, lightness: f32) -> Look {
        Look { scene, left: [left, -left], lightness }
    }

    #[test]
    fn rooms_follow_only_rooms() {
        let shared = ListingLooks {
            photos: vec![
                look(Scene::Indoors, 0.02, 60.0),
                look(Scene::Indoors, 0.04, 70.0),
                look(Scene::Indoors, 0.10, 72.0),
            ],
        };
        let target = shared.target(Scene::Indoors).unwrap();
        assert_eq!((target.left, target.lightness), ([0.04, -0.04], 70.0));
        assert_eq!(shared.target(Scene::Outdoors), None);
    }

    #[test]
    fn damaged_looks_have_bounded_effect() {
        let shared = ListingLooks { photos: vec![look(Scene::Outdoors, 9.0, f32::INFINITY)] };
        assert_eq!(shared.target(Scene::Outdoors), None);
        let shared = ListingLooks { photos: vec![look(Scene::Outdoors, 9.0, 900.0)] };
        let target = shared.target(Scene::Outdoors).unwrap();
        assert_eq!((target.left, target.lightness), ([0.15, -0.15], 80.0));
    }
}
