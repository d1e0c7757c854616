//! Where a person can walk.

use glam::{UVec2, Vec2};

use super::footprint::STEP;
use crate::space::{Space, Surface};

/// Width of a walkway, meters.
pub(super) const WALKWAY: f32 = 0.75;

/// The floor in cells of 10 cm, and where a person fits between the walls.
pub(super) struct Ground {
    low: Vec2,
    pub(super) size: UVec2,
    pub(super) free: Vec<bool>,
}

impl Ground {
    pub(super) fn of(space: &Space) -> Self {
        let [low, high] = space.extent(Surface::Floor);
        let size = ((high - low) / STEP).ceil().as_uvec2() + 1;
        let mut ground = Self { low, size, free: Vec::new() };
        let is_free = |i: usize| {
            let place = ground.place(i);
            space.holds(place) && space.clearance(place) >= WALKWAY / 2.0 - 0.05
        };
        ground.free = (0..(size.x * size.y) as usize).map(is_free).collect();
        ground
    }

    pub(super) fn place(&self, i: usize) -> Vec2 {
        let i = i as u32;
        self.low + Vec2::new((i % self.size.x) as f32, (i / self.size.x) as f32) * STEP
    }

    /// The cell of a point, or the nearest one.
    pub(super) fn cell(&self, at: Vec2) -> UVec2 {
        ((at - self.low) / STEP).round().max(Vec2::ZERO).as_uvec2().min(self.size - 1)
    }

    /// Cells within `most` meters of a point, and their distances.
    pub(super) fn within(&self, to: Vec2, most: f32) -> impl Iterator<Item = (usize, f32)> {
        let (low, high) = (self.cell(to - most), self.cell(to + most));
        (low.y..=high.y)
            .flat_map(move |y| (low.x..=high.x).map(move |x| (y * self.size.x + x) as usize))
            .map(move |i| (i, (self.place(i) - to).length()))
            .filter(move |(_, d)| *d < most)
    }
}
