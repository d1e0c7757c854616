//! How far each move goes: as far as it takes to be seen. Targets are shares of the width of the picture by which things move, so that
//! clips of a cupboard and of a hall show as much motion.

use crate::moves::Moves;
use crate::proxy::{Kind, Proxy};
use aerie_language::camera::CameraMove;

/// Duration for which the targets are meant, seconds; a longer clip goes a little further.
const USUAL_SECONDS: f64 = 5.0;
/// Distance that near and far things move apart when the camera moves sideways or up, as a share of the width; in a room, where
/// furniture hides much of what is near and far, and outlines of it are doubtful.
const PARALLAX: f64 = 0.052;
const PARALLAX_OF_ROOM: f64 = 0.038;
/// Distance that everything moves when the camera turns sideways or up, and when it moves in front of a backdrop.
const TURN: f64 = 0.04;
const TILT: f64 = 0.06;
const SHIFT: f64 = 0.08;
/// Growth of things in the middle distance when the camera pushes in.
const GROWTH: f64 = 0.19;
/// Greatest distance that near things move sideways, as a share of the width, and that the camera goes of the way to them.
const MOST_SHIFT: f64 = 0.17;
const MOST_FORWARD: f64 = 0.55;
/// Share of the sideways motion that goes with a turn.
const WITH_TURN: f64 = 1.45;
/// Share of the motion of far things that a turn cancels while the camera moves sideways or up.
const HELD: f64 = 0.5;
/// An orbit goes this many times as far as a slide, and comes closer by this share of a push in, as what it circles hardly moves.
const ORBIT: f64 = 1.15;
const CLOSER: f64 = 0.55;
/// Parallax as a move of its own goes this many times as far as a slide.
const MORE_PARALLAX: f64 = 1.4;
/// A dolly zoom goes this many times as far as a push in, whose motion it takes back in the middle.
const MORE_DOLLY_ZOOM: f64 = 2.4;
/// Share of the distance to the pivot that a dolly zoom may cross.
const MOST_DOLLY_ZOOM: f64 = 0.35;
/// Percentiles of nearness that count as near and far.
const NEAR: usize = 92;
const FAR: usize = 8;
/// Nearness of far things, as a share of that of near ones, above which there is no parallax to show.
const NO_DEPTH: f64 = 0.85;

/// How far each move goes, in camera heights and radians.
pub(crate) struct Reach {
    forward: f64,
    aside: f64,
    up: f64,
    turn: f64,
    tilt: f64,
    orbit: f64,
    far: f64,
    /// Distance to the middle of the scene, which orbits circle.
    pub(crate) pivot: f64,
}

impl Reach {
    /// `amplitude` is 1 for a usual clip.
    pub(crate) fn of(proxy: &Proxy, seconds: f64, amplitude: f64) -> Self {
        let time = (seconds / USUAL_SECONDS).clamp(0.9, 1.15);
        let amplitude = amplitude * time * proxy.reach;
        let depths = proxy.depths();
        let at = |percent: usize| depths[depths.len() * percent / 100].max(1e-4);
        let (near, middle, far) = (at(NEAR), at(50), at(FAR));
        // Widths of the picture to a camera height at a nearness of 1.
        let width = proxy.camera.width as f64 / proxy.camera.focal;
        let has_depth = proxy.kind != Kind::Flat && far < NO_DEPTH * near;
        let parallax = if proxy.kind == Kind::Room { PARALLAX_OF_ROOM } else { PARALLAX };
        let aside = if has_depth { parallax * width / (near - far) } else { SHIFT * width / middle };
        let aside = (amplitude * aside).min(MOST_SHIFT * width / near);
        let growth = amplitude * GROWTH;
        Self {
            forward: (growth / (1.0 + growth) / middle).min(MOST_FORWARD / near),
            aside,
            up: 0.8 * aside,
            turn: amplitude * TURN * width,
            tilt: amplitude * TILT * width,
            orbit: libm::asin((ORBIT * aside * middle).min(0.5)),
            far: if has_depth { far } else { 0.0 },
            pivot: 1.0 / middle,
        }
    }

    /// Adds a move to others.
    pub(crate) fn add(&self, sum: Moves, verb: CameraMove) -> Moves {
        let aside = |sign: f64| {
            let right = sign * self.aside;
            Moves { right: sum.right + right, pan: sum.pan - HELD * right * self.far, ..sum }
        };
        let up = |sign: f64| {
            let up = sign * self.up;
            Moves { up: sum.up + up, tilt: sum.tilt - HELD * up * self.far, ..sum }
        };
        // The camera keeps facing the pivot: what is nearer and what is farther shift to opposite sides.
        let parallax = |sign: f64| {
            let right = sign * MORE_PARALLAX * self.aside;
            Moves { right: sum.right + right, pan: sum.pan - libm::atan(right / self.pivot), ..sum }
        };
        let pan = |sign: f64| {
            let right = sum.right + sign * WITH_TURN * self.aside;
            Moves { pan: sum.pan + sign * self.turn, right, ..sum }
        };
        let tilt = |sign: f64| {
            let up = sum.up + sign * WITH_TURN * self.up;
            Moves { tilt: sum.tilt + sign * self.tilt, up, ..sum }
        };
        let orbit = |sign: f64| {
            let forward = sum.forward + CLOSER * self.forward;
            Moves { orbit: sum.orbit + sign * self.orbit, forward, ..sum }
        };
        match verb {
            CameraMove::PushIn | CameraMove::PullOut => Moves { forward: sum.forward + self.forward, ..sum },
            CameraMove::FlyThrough => Moves { forward: sum.forward + 1.4 * self.forward, ..sum },
            CameraMove::PanLeft => pan(-1.0),
            CameraMove::PanRight => pan(1.0),
            CameraMove::TiltUp => tilt(1.0),
            CameraMove::TiltDown => tilt(-1.0),
            CameraMove::Rise => up(1.0),
            CameraMove::Descend => up(-1.0),
            CameraMove::OrbitLeft => orbit(-1.0),
            CameraMove::OrbitRight => orbit(1.0),
            CameraMove::SlideLeft => aside(-1.0),
            CameraMove::SlideRight | CameraMove::Reveal => aside(1.0),
            CameraMove::ParallaxLeft => parallax(-1.0),
            CameraMove::ParallaxRight => parallax(1.0),
            CameraMove::DollyZoom => {
                // What is at the pivot keeps its size: the focal length falls as its distance does.
                let forward = (MORE_DOLLY_ZOOM * self.forward).min(MOST_DOLLY_ZOOM * self.pivot);
                Moves { forward: sum.forward + forward, zoom: sum.zoom - forward / self.pivot, ..sum }
            }
            CameraMove::Hold => sum,
        }
    }
}
