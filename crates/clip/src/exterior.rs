//! Exteriors: the ground, upright surfaces that stand on it, and the sky behind them.
//!
//! Unlike [`Facades`](crate::facade::Facades), which need lines, this model exists for every photo taken outdoors: where no line
//! shows a wall, an upright backdrop stands where the ground ends. Uncertainty shortens the camera's path instead of flattening
//! the scene. The planes meet the photo in straight lines only, so that straight edges stay straight.

use aerie_photo::room::Camera;
use aerie_photo::sky::Matte;
use aerie_photo::{Photo, PhotoScene};
use glam::{DMat3, DVec2, DVec3};

use crate::facade::Facades;
use crate::plate::Frame;
use crate::proxy::{Kind, Proxy, Surface};

mod ground;
mod palette;
mod walls;

pub use ground::GroundEdge;
use walls::Walls;

/// Nearness of the sky, as a share of that of the walls: at a confidence of 1 it is infinitely far.
const VAGUE_SKY: f64 = 0.5;
/// Confidence of a sky from which it is cut out: below, it stays on the walls.
const LEAST_SKY: f32 = 0.72;
/// Least share of the picture that the sky covers.
const LEAST_SKY_SHARE: f32 = 0.02;
/// Least nearness of the foot of the walls, as a share of that at the lower edge of the picture. Where the ground ends nearer to
/// the horizon, or above it, it rises.
const LEAST_FOOT: f64 = 0.14;

/// The surfaces of a photo taken outdoors, in camera heights.
#[derive(Debug, Clone)]
pub struct Exterior {
    /// The camera, in pixels of the photo.
    pub camera: Camera,
    /// The ground as a plane.
    pub ground: DVec3,
    /// What stands on it.
    pub walls: Surface,
    /// Where the ground ends in the photo.
    pub edge: GroundEdge,
    /// One plane far behind, for the sky.
    pub sky: DVec3,
    /// Whether the sky is cut out.
    pub has_sky: bool,
    /// Façades if lines show them.
    pub kind: Kind,
    /// How far the camera dares to go, 0 to 1.
    pub confidence: f64,
}

impl Exterior {
    /// Finds the surfaces of what a photo shows.
    #[must_use]
    pub fn of(photo: &Photo, scene: &PhotoScene, sky: Option<&Matte>) -> Self {
        let camera = scene.view.camera;
        let sky = sky.filter(|sky| sky.share >= LEAST_SKY_SHARE);
        let edge = GroundEdge::find(photo, scene, sky);
        let ground = rising(&edge, &camera);
        let facades = scene.frame.as_ref().and_then(|axes| {
            let facades = Facades::best(&scene.segments, axes).filter(|f| f.is_confident(axes) && f.stands);
            facades.filter(|_| (axes.camera.rotation - camera.rotation).abs_diff_eq(DMat3::ZERO, 1e-6))
        });
        let walls = Walls::fit(&edge, &camera, ground, facades.as_ref());
        let sky_confidence = sky.map_or(0.0, |sky| sky.confidence);
        let certain = f64::from((sky_confidence - LEAST_SKY) / (0.95 - LEAST_SKY)).clamp(0.0, 1.0);
        let forward = camera.rotation.transpose() * DVec3::Z;
        let depth = walls.surface.nearness(forward).max(1e-3);
        let level = DVec3::new(forward.x, forward.y, 0.0).normalize_or(DVec3::Y);
        let far = depth * VAGUE_SKY * (1.0 - certain) / level.dot(forward).max(0.3);
        Self {
            camera,
            ground,
            walls: walls.surface,
            edge,
            sky: level * far,
            has_sky: sky_confidence >= LEAST_SKY,
            kind: if walls.is_by_lines { Kind::Facades } else { Kind::Exterior },
            confidence: (0.5 + 0.25 * scene.view.confidence + 0.25 * walls.confidence).clamp(0.0, 1.0),
        }
    }

    /// The surfaces as a proxy, in the pixels of a frame.
    #[must_use]
    pub fn proxy(&self, frame: &Frame) -> Proxy {
        let mut main = self.walls.clone();
        main.planes.push(self.ground);
        let mut surfaces = vec![main];
        if self.has_sky {
            surfaces.push(Surface { planes: vec![self.sky], corner: Vec::new() });
        }
        Proxy::of_exterior((self.kind, surfaces), &self.camera, frame, self.confidence)
    }
}

/// The ground, which rises away from the camera where it ends near the horizon or above it.
fn rising(edge: &GroundEdge, camera: &Camera) -> DVec3 {
    let forward = camera.rotation.transpose() * DVec3::Z;
    let level = DVec3::new(forward.x, forward.y, 0.0).normalize_or(DVec3::Y);
    let lowest = camera.ray(DVec2::new(camera.width as f64 / 2.0, camera.height as f64));
    let mut need: Vec<f64> = edge
        .points()
        .map(|foot| {
            let ray = camera.ray(foot);
            // Slope at which the foot is as near as it must be.
            let (low, ahead) = (lowest / level.dot(lowest).max(0.05), ray / level.dot(ray).max(0.05));
            (ahead.z - LEAST_FOOT * low.z) / (1.0 - LEAST_FOOT)
        })
        .collect();
    need.sort_by(f64::total_cmp);
    let slope = need.get(need.len() / 2).copied().unwrap_or(0.0).clamp(0.0, 0.4);
    -DVec3::Z + level * slope
}
