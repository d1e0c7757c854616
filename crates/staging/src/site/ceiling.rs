//! Where something may hang from the ceiling.

use aerie_math::color::luminance;
use aerie_photo::segmentation::Class;
use glam::{Vec2, Vec3};

use super::Site;
use crate::space::Surface;

/// Least mean probability of ceiling around a place, and of wall and ceiling along the line between them.
const CEILING: f32 = 0.6;
const LINE: f32 = 0.55;
/// Distance around a place that the photo has to show as ceiling, and within which nothing else hangs, meters.
const AROUND: f32 = 0.4;
const FREE: f32 = 1.4;
/// Distance from the line between wall and ceiling at which each is looked for, meters.
const OFF_LINE: f32 = 0.3;
/// Share of the ceiling around a place that may look unlike the rest of it, and the logarithm of the factor on its light from which it
/// does.
const ODD: f32 = 0.03;
const UNLIKE: f32 = 0.4;

impl Site<'_> {
    /// Whether the photo shows flat, empty ceiling at a place, at the height that it is taken to have: no lamp, fan or beam.
    #[must_use]
    pub fn has_bare_ceiling(&self, at: Vec2) -> bool {
        let space = &self.shell.space;
        let up = |p: Vec2| p.extend(space.height);
        let around = (0..8_u8).map(|i| at + Vec2::from_angle(f32::from(i) * std::f32::consts::FRAC_PI_4) * AROUND);
        let places: Vec<Vec3> = around.chain([at]).map(up).collect();
        places.iter().all(|p| space.shows(*p) && space.holds(p.truncate()))
            && self.class_at(Class::Ceiling, places.into_iter()) > CEILING
            && self.has_ceiling_line()
            && !self.hangs_near(at)
    }

    /// Whether walls end where the ceiling is taken to be.
    fn has_ceiling_line(&self) -> bool {
        let space = &self.shell.space;
        let below = || {
            let walls = space.sides.iter().filter(|side| side.seen);
            walls.flat_map(|side| {
                (1..8_u8).map(move |i| (side, side.at(side.length() * f32::from(i) / 8.0, space.height)))
            })
        };
        let walls = below().map(|(_, at)| at - Vec3::Z * OFF_LINE);
        let ceiling = below().map(|(side, at)| at + side.inward.extend(0.0) * OFF_LINE);
        // A window or a door up there is no ceiling either.
        let of_walls: Vec<Vec3> = walls.collect();
        let not_ceiling = 1.0 - self.class_at(Class::Ceiling, of_walls.into_iter());
        not_ceiling > LINE && self.class_at(Class::Ceiling, ceiling) > LINE
    }

    /// Whether the ceiling within some distance of a place has a lamp, or looks unlike the rest of it.
    fn hangs_near(&self, at: Vec2) -> bool {
        const STEP: f32 = 0.1;
        let (shell, space) = (self.shell, &self.shell.space);
        let is_lamp = |w: &crate::light::Window| {
            w.surface == Surface::Ceiling && w.rect[0].clamp(at, w.rect[1]).distance(at) < FREE / 2.0
        };
        if shell.windows.iter().any(is_lamp) {
            return true;
        }
        let [low, high] = space.extent(Surface::Ceiling);
        let size = ((high - low) / STEP).ceil().as_uvec2();
        let cells = (0..size.x * size.y)
            .map(|i| low + (Vec2::new((i % size.x) as f32, (i / size.x) as f32) + 0.5) * STEP)
            .filter(|p| space.holds(*p) && space.shows(p.extend(space.height)));
        let lights: Vec<(Vec2, f32)> =
            cells.map(|p| (p, luminance(shell.radiance(Surface::Ceiling, p).to_array()).max(0.002))).collect();
        let near: Vec<f32> = lights.iter().filter(|(p, _)| p.distance(at) < FREE).map(|(_, light)| *light).collect();
        let mut sorted = near.clone();
        sorted.sort_by(f32::total_cmp);
        let Some(usual) = sorted.get(sorted.len() / 2).copied() else { return true };
        let odd = near.iter().filter(|light| (**light / usual).ln().abs() > UNLIKE).count();
        odd as f32 > ODD * near.len() as f32
    }
}
