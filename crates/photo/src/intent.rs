//! The photos of one listing belong together: each is brought towards the white and the lightness that those before it
//! were given. Kept small, so that it can be stored with a job.

use serde::{Deserialize, Serialize};

use crate::Scene;

/// What one photo was given.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    /// Where it was taken.
    pub scene: Scene,
    /// What was left of the cast of its light: natural logarithms of red and blue over green.
    pub left: [f32; 2],
    /// Its middle lightness (L*, weighted quartiles) after exposure.
    pub lightness: f32,
}

/// What the earlier photos of a listing were given.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SharedIntent {
    /// One for each photo, in any order.
    pub photos: Vec<Intent>,
}

/// What is aimed at, and how strongly: 0 for not at all, under 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aim {
    /// As in [`Intent`], the median over photos of the same scene.
    pub left: [f32; 2],
    /// Likewise.
    pub lightness: f32,
    /// A half after one photo, two thirds from two on.
    pub weight: f32,
}

impl SharedIntent {
    /// What a photo of this scene is brought towards; `None` where there is none before it. Rooms follow rooms and
    /// exteriors follow exteriors.
    #[must_use]
    pub fn aim(&self, scene: Scene) -> Option<Aim> {
        let same: Vec<&Intent> = self.photos.iter().filter(|p| p.scene == scene).collect();
        if same.is_empty() {
            return None;
        }
        let median = |value: &dyn Fn(&Intent) -> f32| {
            let mut values: Vec<f32> = same.iter().map(|p| value(p)).filter(|v| v.is_finite()).collect();
            values.sort_unstable_by(f32::total_cmp);
            values.get(values.len() / 2).copied()
        };
        Some(Aim {
            // What is stored may be old or damaged: no aim lies far from neutral.
            left: [median(&|p| p.left[0])?.clamp(-0.15, 0.15), median(&|p| p.left[1])?.clamp(-0.15, 0.15)],
            lightness: median(&|p| p.lightness)?.clamp(40.0, 80.0),
            weight: if same.len() == 1 { 0.5 } else { 2.0 / 3.0 },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(scene: Scene, left: f32, lightness: f32) -> Intent {
        Intent { scene, left: [left, -left], lightness }
    }

    #[test]
    fn rooms_follow_rooms_alone() {
        let shared = SharedIntent {
            photos: vec![
                given(Scene::Indoors, 0.02, 60.0),
                given(Scene::Indoors, 0.04, 70.0),
                given(Scene::Indoors, 0.10, 72.0),
            ],
        };
        let aim = shared.aim(Scene::Indoors).unwrap();
        assert_eq!((aim.left, aim.lightness), ([0.04, -0.04], 70.0));
        assert_eq!(shared.aim(Scene::Outdoors), None);
    }

    #[test]
    fn what_is_stored_damaged_is_bounded() {
        let shared = SharedIntent { photos: vec![given(Scene::Outdoors, 9.0, f32::INFINITY)] };
        assert_eq!(shared.aim(Scene::Outdoors), None);
        let shared = SharedIntent { photos: vec![given(Scene::Outdoors, 9.0, 900.0)] };
        let aim = shared.aim(Scene::Outdoors).unwrap();
        assert_eq!((aim.left, aim.lightness), ([0.15, -0.15], 80.0));
    }
}
