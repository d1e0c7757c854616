//! Interiors: a box of floor, walls and ceiling under every room, and what stands in it as bodies.
//!
//! Where lines leave no doubt, the box is that of the layout; elsewhere it is fitted to what the network sees. Furniture and fixtures
//! rise from where they meet the floor. They stay attached to what is behind them where their depths are close or no edge separates
//! them, so that nothing tears where the outline is doubtful.

use aerie_photo::lines::{self, Segment};
use aerie_photo::room::Layout;
use aerie_photo::segmentation::{Class, Segmentation};
use aerie_photo::{Photo, PhotoScene, Setting};

use crate::bodies::Bodies;
use crate::plate::{Frame, Plate};
use crate::proxy::Proxy;

mod diffusion;
mod furniture;
mod grid;
mod hanging;
mod mask;
mod matte;
mod pendants;
mod pieces;
mod relief;
mod room_box;
mod settle;
mod straight;

/// Minimum share of the photo that shows floor or ceiling; with less, it shows no place that a camera could move in.
const LEAST_LEVEL: f32 = 0.04;
/// Share of the outdoors from which a photo shows no interior.
const OUTDOORS: f32 = 0.3;

/// Distance between parts of a line, across it and along it, as shares of the longer side.
const THICK: f64 = 0.0018;
const BROKEN: f64 = 0.03;

/// An interior.
#[derive(Debug, Clone)]
pub struct Interior {
    /// Camera height, meters.
    pub meters: f64,
    /// Confidence in the box, 0 to 1.
    pub confidence: f64,
    /// Whether the box is only an estimate.
    pub is_estimated: bool,
    segmentation: Segmentation,
    segments: Vec<Segment>,
}

impl Interior {
    /// The box under a photo of an interior, and what else is known of it; `None` if the photo shows no interior.
    #[must_use]
    pub fn of(photo: &Photo, scene: &PhotoScene, frame: &Frame) -> Option<(Proxy, Self)> {
        let segmentation = scene.segmentation.clone();
        let is_sure = scene.layout.as_ref().is_some_and(Layout::is_confident);
        let level = segmentation.share(Class::Floor).max(segmentation.share(Class::Ceiling));
        let is_doubtful = level < LEAST_LEVEL || segmentation.share(Class::Outdoors) > OUTDOORS;
        if !is_sure && is_doubtful && !scene.is(Setting::Indoors) {
            return None;
        }
        let found = room_box::fitted(scene);
        let reach = 0.75 + 0.25 * (found.confidence / 0.6).min(1.0);
        let proxy = Proxy::of_box(&found.distances, &found.camera, frame, reach);
        let side = photo.width.max(photo.height) as f64;
        let interior = Self {
            meters: found.meters,
            confidence: found.confidence,
            is_estimated: found.is_estimated,
            segmentation,
            segments: lines::merged(&scene.segments, THICK * side, BROKEN * side),
        };
        Some((proxy, interior))
    }

    /// What stands in the room, in front of its box, which is filled behind it; `None` if nothing does. `photo` is the photo's size.
    #[must_use]
    pub fn bodies(&self, proxy: &Proxy, (frame, plate): (&Frame, &Plate), photo: [usize; 2]) -> Option<Bodies> {
        furniture::bodies((&self.segmentation, &self.segments), proxy, (frame, plate), photo)
    }
}
