//! Exteriors: the ground, upright surfaces that stand on it, and the sky behind them.
//!
//! Unlike [`Facades`], which need lines, this model exists for every photo taken outdoors: where no line
//! shows a wall, an upright backdrop stands where the ground ends. Uncertainty shortens the camera's path instead of flattening
//! the scene. The planes meet the photo in straight lines only, so that straight edges stay straight.

use std::ops::Range;

use aerie_photo::lines::Segment;
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
use ground::is_upright;
use walls::{Walls, ahead};

/// Nearness of the sky, as a share of that of the walls: at a confidence of 1 it is infinitely far.
const VAGUE_SKY: f64 = 0.5;
/// Confidence of a sky from which it is cut out: below, it stays on the walls.
const LEAST_SKY: f32 = 0.72;
/// Least share of the picture that the sky covers.
const LEAST_SKY_SHARE: f32 = 0.02;
/// Least nearness of the foot of the walls, as a share of that at the lower edge of the picture. Where the ground ends nearer to
/// the horizon, or above it, it rises.
const LEAST_FOOT: f64 = 0.14;

/// Pitch in degrees from which a photo shows the ground from above, as from a drone: nothing stands at its end.
const FROM_ABOVE: f64 = -17.0;
/// Heights of the horizon in photos taken by a person, as shares of the photo's height from the top, and confidence from which
/// others are believed.
const USUAL_HORIZONS: Range<f64> = 0.25..0.75;
const CERTAIN_VIEW: f64 = 0.85;
/// Least share of the picture's width in which the ground is seen.
const LEAST_GROUND: f64 = 0.3;
/// Share of the usual reach at which the nearest parts do not move too far.
const MOST_NEAR: f64 = 0.85;
/// Length of upright lines on the ground, in heights of the photo, for which the camera takes most caution, and its share.
const MUCH_LEANING: f64 = 1.2;
const MOST_CAUTION: f64 = 0.55;
/// Share of the usual reach that is visible and, even where nothing is certain, does little harm. Usual is what suits rooms, whose
/// floors and walls hide less.
const LEAST_REACH: f64 = 0.45;

/// The surfaces of a photo taken outdoors, in camera heights.
#[derive(Debug, Clone)]
pub struct Exterior {
    /// The camera, in pixels of the photo.
    pub camera: Camera,
    /// The ground as a plane; none where lines show façades that fill the picture.
    pub ground: Option<DVec3>,
    /// What stands on it.
    pub walls: Surface,
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
        let camera = viewpoint(scene);
        let sky = sky.filter(|sky| sky.share >= LEAST_SKY_SHARE);
        let edge = GroundEdge::find(photo, scene, &camera, sky);
        let ground = rising(&edge, &camera);
        let facades = scene.frame.as_ref().and_then(|axes| {
            let facades = Facades::best(&scene.segments, axes).filter(|facades| facades.is_confident(axes));
            facades.filter(|_| (axes.camera.rotation - camera.rotation).abs_diff_eq(DMat3::ZERO, 1e-6))
        });
        let is_grounded = edge.share_above(0.95 * photo.height as f64) > LEAST_GROUND;
        let uprights: Vec<[DVec2; 2]> =
            scene.segments.iter().filter(|segment| is_upright(segment, &camera)).map(downward).collect();
        let walls = match facades {
            _ if camera.pitch().to_degrees() < FROM_ABOVE => Walls::far(&camera),
            Some(facades) if !is_grounded => Walls::of(&facades),
            facades => {
                let standing = facades.filter(|facades| facades.stands);
                Walls::fit(&edge, &camera, ground, standing.as_ref(), &uprights)
            }
        };
        let lean = leaning(&scene.segments, &camera, &walls.surface, ground);
        let caution = MOST_CAUTION * (lean / MUCH_LEANING).min(1.0);
        let certainty = 0.75 + 0.1 * scene.view.confidence + 0.15 * walls.confidence;
        let sky_confidence = sky.map_or(0.0, |sky| sky.confidence);
        let certain = f64::from((sky_confidence - LEAST_SKY) / (0.95 - LEAST_SKY)).clamp(0.0, 1.0);
        let forward = camera.rotation.transpose() * DVec3::Z;
        let depth = walls.surface.nearness(forward).max(1e-3);
        let level = ahead(&camera);
        let far = depth * VAGUE_SKY * (1.0 - certain) / level.dot(forward).max(0.3);
        Self {
            camera,
            ground: if walls.is_by_lines { is_grounded.then_some(-DVec3::Z) } else { Some(ground) },
            walls: walls.surface,
            sky: level * far,
            has_sky: sky_confidence >= LEAST_SKY,
            kind: if walls.is_by_lines { Kind::Facades } else { Kind::Exterior },
            confidence: (certainty * (1.0 - caution)).clamp(LEAST_REACH, 1.0),
        }
    }

    /// The surfaces as a proxy, in the pixels of a frame.
    #[must_use]
    pub fn proxy(&self, frame: &Frame) -> Proxy {
        let mut main = self.walls.clone();
        main.planes.extend(self.ground);
        let mut surfaces = vec![main];
        if self.has_sky {
            surfaces.push(Surface { planes: vec![self.sky], corner: Vec::new() });
        }
        let mut proxy = Proxy::of_exterior((self.kind, surfaces), &self.camera, frame, self.confidence);
        proxy.reach = self.confidence.min(MOST_NEAR * evenness(&proxy.depths())).max(LEAST_REACH);
        proxy
    }
}

/// How far the nearest parts of a picture stand out from the usual near ones, both against far ones: 1 where they do not. A narrow strip
/// of ground moves much farther than all else. `depths` are sorted.
fn evenness(depths: &[f64]) -> f64 {
    let at = |percent: usize| depths.get(depths.len() * percent / 100).copied().unwrap_or(0.0);
    let (far, near, nearest) = (at(8), at(92), at(99));
    if nearest - far > 0.1 * nearest { (near - far) / (nearest - far) } else { 1.0 }
}

/// The camera of a photo: that of its scene, unless it puts the horizon, without much certainty, where nobody holds a camera.
fn viewpoint(scene: &PhotoScene) -> Camera {
    let view = &scene.view;
    let camera = view.camera;
    let (width, height) = (camera.width as f64, camera.height as f64);
    let share = view.horizon_at(width / 2.0) / height;
    let is_unusual = !USUAL_HORIZONS.contains(&share) && camera.pitch().to_degrees() > FROM_ABOVE;
    if !is_unusual || view.confidence >= CERTAIN_VIEW {
        return camera;
    }
    let pitch = libm::atan((share.clamp(0.38, 0.62) - 0.5) * height / camera.focal);
    Camera::turned(camera.width, camera.height, camera.focal, pitch, 0.0, 0.0)
}

/// A segment from its upper to its lower end.
fn downward(segment: &Segment) -> [DVec2; 2] {
    let [a, b] = [segment.a, segment.b].map(DVec2::from_array);
    if a.y > b.y { [b, a] } else { [a, b] }
}

/// Length of upright lines whose lower ends would lie on the ground before the walls, in heights of the photo: they lean as the
/// camera moves.
fn leaning(segments: &[Segment], camera: &Camera, walls: &Surface, ground: DVec3) -> f64 {
    let of = |segment: &Segment| {
        let [a, b] = [segment.a, segment.b].map(DVec2::from_array);
        let ray = camera.ray(if a.y > b.y { a } else { b });
        let before = ground.dot(ray) / walls.nearness(ray).max(1e-6);
        if before > 1.15 { segment.length() / camera.height as f64 } else { 0.0 }
    };
    segments.iter().filter(|segment| is_upright(segment, camera)).map(of).sum()
}

/// The ground, which rises away from the camera where it ends near the horizon or above it.
fn rising(edge: &GroundEdge, camera: &Camera) -> DVec3 {
    let level = ahead(camera);
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
