//! What a flight sees, so that plants which neither it nor their shadow shows are not built.

use std::cell::RefCell;
use std::collections::BTreeMap;

use aerie_geodata::place::Terrain;
use aerie_render::scene::Frustum;
use glam::{Mat4, Vec2, Vec3};

/// Side of the cells that are seen or not as a whole, meters.
const CELL: f32 = 48.0;
/// How far a crown reaches beyond its foot, meters; and what moves between two views that are asked.
const AROUND: f32 = 12.0;
/// Higher stands nothing, meters.
const TALLEST: f32 = 38.0;

/// Knows which cells of the ground are seen with what stands on them.
pub(crate) struct Seen<'a> {
    views: Vec<Frustum>,
    terrain: &'a Terrain,
    /// How far a shadow falls for each meter of height: east, north.
    fall: Vec2,
    known: RefCell<BTreeMap<(i32, i32), bool>>,
}

impl<'a> Seen<'a> {
    /// For views given as world to clip space, and a direction towards the sun.
    pub(crate) fn new(views: &[Mat4], terrain: &'a Terrain, sun: Vec3) -> Self {
        Self {
            views: views.iter().map(Frustum::new).collect(),
            terrain,
            fall: -sun.truncate() / sun.z.max(0.1),
            known: RefCell::default(),
        }
    }

    /// Whether something on the ground there may be seen, or its shadow.
    pub(crate) fn sees(&self, at: Vec2) -> bool {
        let cell = (at / CELL).floor().as_ivec2();
        *self.known.borrow_mut().entry(cell.into()).or_insert_with(|| self.sees_cell(cell.as_vec2() * CELL))
    }

    fn sees_cell(&self, corner: Vec2) -> bool {
        let heights = (0..9).map(|i| {
            let at = corner + Vec2::new((i % 3) as f32, (i / 3) as f32) * (CELL * 0.5);
            self.terrain.height([f64::from(at.x), f64::from(at.y)]) as f32
        });
        let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), z| (l.min(z), h.max(z)));
        let shadow = self.fall * TALLEST;
        let least = corner - AROUND + shadow.min(Vec2::ZERO);
        let greatest = corner + CELL + AROUND + shadow.max(Vec2::ZERO);
        let (min, max) = (least.extend(low - 4.0), greatest.extend(high + TALLEST));
        self.views.iter().any(|view| view.sees(min, max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aerie_render::scene::Camera;

    #[test]
    fn what_lies_behind_the_camera_is_not_seen_but_what_throws_its_shadow_into_the_picture_is() {
        let camera =
            Camera { eye: Vec3::new(0.0, 0.0, 60.0), target: Vec3::new(0.0, 200.0, 0.0), up: Vec3::Z, field: 0.6 };
        let views = [camera.view_projection(1.78)];
        let terrain = Terrain::flat(1000.0, 0.0);
        let seen = |sun: Vec3, at: Vec2| Seen::new(&views, &terrain, sun.normalize()).sees(at);
        let high = Vec3::new(0.0, 0.0, 1.0);
        assert!(seen(high, Vec2::new(0.0, 200.0)));
        assert!(!seen(high, Vec2::new(0.0, -200.0)) && !seen(high, Vec2::new(400.0, 100.0)));
        // A low sun in the east: what stands to the right of the picture throws its shadow into it.
        let aside = Vec2::new(230.0, 200.0);
        assert!(!seen(high, aside) && seen(Vec3::new(0.9, 0.0, 0.35), aside));
    }
}
