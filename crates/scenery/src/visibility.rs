//! Which parts of the ground a flight sees, so that plants out of view are not built.

use std::cell::RefCell;
use std::collections::BTreeMap;

use aerie_geodata::place::Terrain;
use aerie_render::scene::Frustum;
use glam::{Mat4, Vec2, Vec3};

/// Side of the cells that are visible or not as a whole, meters.
const CELL: f32 = 48.0;
/// Margin around a cell, meters: for crowns, and for camera motion between the tested views.
const MARGIN: f32 = 12.0;
/// Height of the tallest plants, meters.
const MAX_HEIGHT: f32 = 38.0;

/// Tests which cells of the ground are visible, with the plants on them and their shadows.
pub(crate) struct Visibility<'a> {
    views: Vec<Frustum>,
    terrain: &'a Terrain,
    /// Offset of a shadow per meter of height: east, north.
    fall: Vec2,
    cache: RefCell<BTreeMap<(i32, i32), bool>>,
}

impl<'a> Visibility<'a> {
    /// Takes views as world-to-clip matrices, and the direction toward the sun.
    pub(crate) fn new(views: &[Mat4], terrain: &'a Terrain, sun: Vec3) -> Self {
        Self {
            views: views.iter().map(Frustum::new).collect(),
            terrain,
            fall: -sun.truncate() / sun.z.max(0.1),
            cache: RefCell::default(),
        }
    }

    /// Whether something on the ground there, or its shadow, may be visible.
    pub(crate) fn contains(&self, at: Vec2) -> bool {
        let cell = (at / CELL).floor().as_ivec2();
        *self.cache.borrow_mut().entry(cell.into()).or_insert_with(|| self.is_cell_visible(cell.as_vec2() * CELL))
    }

    fn is_cell_visible(&self, corner: Vec2) -> bool {
        let heights = (0..9).map(|i| {
            let at = corner + Vec2::new((i % 3) as f32, (i / 3) as f32) * (CELL * 0.5);
            self.terrain.height([f64::from(at.x), f64::from(at.y)]) as f32
        });
        let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), z| (l.min(z), h.max(z)));
        let shadow = self.fall * MAX_HEIGHT;
        let least = corner - MARGIN + shadow.min(Vec2::ZERO);
        let greatest = corner + CELL + MARGIN + shadow.max(Vec2::ZERO);
        let (min, max) = (least.extend(low - 4.0), greatest.extend(high + MAX_HEIGHT));
        self.views.iter().any(|view| view.sees(min, max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aerie_render::scene::Camera;

    #[test]
    fn plants_behind_the_camera_are_not_visible_but_plants_that_cast_a_shadow_into_view_are() {
        let camera =
            Camera { eye: Vec3::new(0.0, 0.0, 60.0), target: Vec3::new(0.0, 200.0, 0.0), up: Vec3::Z, field: 0.6 };
        let views = [camera.view_projection(1.78)];
        let terrain = Terrain::flat(1000.0, 0.0);
        let visible = |sun: Vec3, at: Vec2| Visibility::new(&views, &terrain, sun.normalize()).contains(at);
        let high = Vec3::new(0.0, 0.0, 1.0);
        assert!(visible(high, Vec2::new(0.0, 200.0)));
        assert!(!visible(high, Vec2::new(0.0, -200.0)) && !visible(high, Vec2::new(400.0, 100.0)));
        // With a low sun in the east, a plant to the right of the view casts its shadow into it.
        let outside = Vec2::new(230.0, 200.0);
        assert!(!visible(high, outside) && visible(Vec3::new(0.9, 0.0, 0.35), outside));
    }
}
