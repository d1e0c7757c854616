//! The path of the camera: the requested moves, limited to what the photo can show.

use glam::{DMat3, DVec3};

mod pace;

use crate::bodies::Bodies;
use crate::image_motion::ImageMotion;
use crate::limits;
pub use crate::moves::Moves;
use crate::pose::Pose;
use crate::proxy::Proxy;
use crate::reach::Reach;
use aerie_language::camera::{CameraMove, CameraPrompt};
pub use pace::Pace;

/// Share of a move that replaces one that the photo cannot show.
const DRIFT: f64 = 0.9;
/// Greatest distance that near and far things move apart in a usual clip, as a share of the width: beyond it, what stands near would
/// rush past, and more would come into view behind it than can be continued.
const MOST_PARALLAX: f64 = 0.055;
/// Motion that is visible for certain, as a share of the width.
const VISIBLE: f64 = 0.055;

/// How far the camera may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// One gentle move.
    Low,
    /// A move with a second component.
    Medium,
    /// A compound path with a change of focal length and light.
    High,
}

/// What a path should do.
#[derive(Debug, Clone)]
pub struct CameraRequest {
    /// The parsed prompt.
    pub prompt: CameraPrompt,
    /// How far.
    pub level: Level,
    /// Whether the clip ends in the photo, rather than begins with it.
    pub ends_in_photo: bool,
    /// Length in seconds.
    pub seconds: f64,
    /// Whether something worth approaching is ahead.
    pub something_ahead: bool,
}

/// A camera path, limited to what the photo can show.
#[derive(Debug, Clone)]
pub struct CameraPath {
    /// What the camera does, from the photo on.
    pub moves: Moves,
    /// The requested moves.
    pub verbs: Vec<CameraMove>,
    /// Share of the requested reach that the photo can show.
    pub share: f64,
    /// Increase of the focal length at the far end that keeps the edges of the photo out of view, less 1.
    pub closing: f64,
    /// Why the camera does less, or other than it was asked to.
    pub limits: Vec<String>,
    /// Where the camera is at rest.
    pub pace: Pace,
    pub(crate) ends_in_photo: bool,
    pub(crate) pivot: f64,
}

impl CameraPath {
    /// Plans the requested moves, as far as the photo can show them. `bodies` are what stands before the surfaces.
    #[must_use]
    pub fn plan(proxy: &Proxy, bodies: Option<&Bodies>, wanted: &CameraRequest) -> Self {
        let mut limits = Vec::new();
        let (verbs, is_replaced) = verbs(proxy, wanted, &mut limits);
        let level = match wanted.level {
            Level::Low => 0.8,
            Level::Medium => 1.0,
            Level::High => 1.18,
        };
        // Slow moves are slow, but seen.
        let amplitude = level * wanted.prompt.strength.sqrt() * if is_replaced { DRIFT } else { 1.0 };
        let reach = Reach::of(proxy, wanted.seconds, amplitude);
        let mut moves = verbs.iter().fold(Moves::default(), |sum, verb| reach.add(sum, *verb));
        if wanted.ends_in_photo {
            // The path runs backward, so that it goes in the requested direction.
            moves = Moves { forward: moves.forward, zoom: moves.zoom, light: moves.light, ..moves.times(-1.0) };
        }
        if wanted.level == Level::High && !is_replaced && !verbs.contains(&CameraMove::Hold) {
            // A dolly zoom holds its balance.
            moves.zoom += if verbs.contains(&CameraMove::DollyZoom) { 0.0 } else { 0.05 };
            moves.light += 0.03;
        }
        let mut course = Self {
            moves,
            verbs,
            share: 1.0,
            closing: 0.0,
            limits,
            pace: Pace::default(),
            ends_in_photo: wanted.ends_in_photo,
            pivot: reach.pivot,
        };
        // What stands in front is nearer than the surfaces, by which the reach is chosen.
        let motion = course.motion(proxy, bodies);
        let calm = MOST_PARALLAX * amplitude / motion.parallax.max(1e-6);
        let visible = VISIBLE / motion.displacement.max(1e-6);
        course.moves = course.moves.times(calm.max(visible).min(1.0));
        course.bound(proxy);
        course
    }

    /// How much the picture moves. `bodies` are what stands before the surfaces.
    #[must_use]
    pub fn motion(&self, proxy: &Proxy, bodies: Option<&Bodies>) -> ImageMotion {
        ImageMotion::of(proxy, (&self.pose(proxy, 1.0), self.ends_in_photo), bodies)
    }

    /// The pose at a moment, 0 at the beginning of the clip and 1 at its end.
    #[must_use]
    pub fn at(&self, proxy: &Proxy, moment: f64) -> Pose {
        let gone = self.pace.gone(moment);
        self.pose(proxy, if self.ends_in_photo { 1.0 - gone } else { gone })
    }

    /// Whether the photo itself is seen at a moment: at the first, or at the last.
    #[must_use]
    pub fn is_photo(&self, moment: f64) -> bool {
        let gone = if self.ends_in_photo { 1.0 - moment } else { moment };
        gone <= 0.0
    }

    /// The pose at a share of the way from the photo.
    pub(crate) fn pose(&self, proxy: &Proxy, way: f64) -> Pose {
        self.pose_closed(proxy, way, self.closing)
    }

    /// The same with another closing of the lens.
    fn pose_closed(&self, proxy: &Proxy, way: f64, closing: f64) -> Pose {
        let moves = self.moves.times(way);
        let (forward, right) = (proxy.forward(), proxy.right());
        let radius = self.pivot;
        let round = right * (radius * moves.orbit.sin()) + forward * (radius * (1.0 - moves.orbit.cos()));
        let position = forward * moves.forward + right * moves.right + DVec3::Z * moves.up + round;
        let turn = DMat3::from_rotation_x(-moves.tilt) * DMat3::from_rotation_y(-(moves.pan - moves.orbit));
        let focal = proxy.camera.focal * (1.0 + self.moves.zoom * way) * (1.0 + closing * way);
        Pose { position, rotation: turn * proxy.camera.rotation, focal, gain: 1.0 + moves.light }
    }

    /// Chooses the largest share of the moves, and the smallest closing of the lens, that stay within the photo and its resolution.
    fn bound(&mut self, proxy: &Proxy) {
        let wanted = self.moves;
        for step in (1..=20).rev() {
            self.share = f64::from(step) / 20.0;
            self.moves = wanted.times(self.share);
            if let Some(closing) = limits::least_closing(proxy, |way, closing| self.pose_closed(proxy, way, closing)) {
                self.closing = closing;
                if self.share < 0.8 && wanted != Moves::default() {
                    let percent = (self.share * 100.0).round();
                    self.limits.push(format!(
                        "limited to {percent} % of the requested reach: beyond that, edges of the photo or smeared surfaces would \
                         come into view"
                    ));
                }
                return;
            }
        }
        // Without motion, the photo itself is shown.
        self.share = 0.0;
        self.closing = 0.0;
        self.moves = Moves::default();
        self.limits
            .push("the photo cannot show this move without an edge coming into view: the camera does not move".into());
    }
}

/// The moves: the requested ones where possible, otherwise ones that suit the photo; and whether they only replace what the photo
/// cannot show.
fn verbs(proxy: &Proxy, wanted: &CameraRequest, limits: &mut Vec<String>) -> (Vec<CameraMove>, bool) {
    let mut verbs: Vec<CameraMove> = Vec::new();
    let mut is_replaced = false;
    for verb in &wanted.prompt.verbs {
        let done = match (verb, wanted.ends_in_photo) {
            (CameraMove::PullOut, false) => {
                limits.push(
                    "a clip that begins with the photo cannot pull back, as nothing is known beyond its edges: the camera \
                     drifts sideways instead; use frame_mode last to pull back to the photo"
                        .into(),
                );
                is_replaced = true;
                continue;
            }
            (CameraMove::PushIn | CameraMove::FlyThrough, true) => {
                limits.push(
                    "a clip that ends in the photo cannot push in, as nothing is known beyond its edges: the camera \
                     drifts sideways instead; use frame_mode first to push in"
                        .into(),
                );
                is_replaced = true;
                continue;
            }
            (CameraMove::Reveal, true) => CameraMove::PullOut,
            (CameraMove::Reveal, false) => CameraMove::SlideRight,
            (verb, _) => *verb,
        };
        if !verbs.contains(&done) {
            verbs.push(done);
        }
    }
    if verbs.contains(&CameraMove::Hold) {
        return (vec![CameraMove::Hold], false);
    }
    if !verbs.is_empty() {
        return (verbs, false);
    }
    if is_replaced {
        let drift = if roomier_on_the_right(proxy) { CameraMove::SlideRight } else { CameraMove::SlideLeft };
        return (vec![drift], true);
    }
    (usual(proxy, wanted), false)
}

/// Moves that suit the photo: into its depth, and not toward a blank wall.
fn usual(proxy: &Proxy, wanted: &CameraRequest) -> Vec<CameraMove> {
    let depth = if wanted.ends_in_photo { CameraMove::PullOut } else { CameraMove::PushIn };
    let aside = if roomier_on_the_right(proxy) { CameraMove::SlideRight } else { CameraMove::SlideLeft };
    let mut verbs = if wanted.something_ahead { vec![depth, aside] } else { vec![aside, depth] };
    verbs.retain(|verb| !wanted.prompt.avoided.contains(verb));
    match wanted.level {
        Level::Low => verbs.truncate(1),
        Level::Medium => {}
        Level::High => verbs.push(CameraMove::Rise),
    }
    verbs
}

/// Whether the camera has more room to move to the right than to the left.
#[must_use]
pub fn roomier_on_the_right(proxy: &Proxy) -> bool {
    let right = proxy.right();
    let reach = |way: DVec3| proxy.main().nearness(way).max(1e-6);
    reach(right) <= reach(-right)
}

#[cfg(test)]
mod tests;
