//! Values over the rectangle of a surface.

use glam::{UVec2, Vec2, Vec3};

/// Values at the centers of cells.
#[derive(Debug, Clone)]
pub struct Grid {
    /// Lower corner, meters.
    pub low: Vec2,
    /// Size of a cell, meters.
    pub cell: Vec2,
    /// Cells across and up.
    pub size: UVec2,
    /// Row by row.
    pub values: Vec<Vec3>,
}

impl Grid {
    /// A grid over a rectangle with cells of about `cell` meters, at most `most` per side.
    #[must_use]
    pub fn new([low, high]: [Vec2; 2], cell: f32, most: u32, value: Vec3) -> Self {
        let span = (high - low).max(Vec2::splat(1e-3));
        let size = (span / cell).ceil().as_uvec2().clamp(UVec2::splat(2), UVec2::splat(most));
        Self { low, cell: span / size.as_vec2(), size, values: vec![value; (size.x * size.y) as usize] }
    }

    /// Center of a cell.
    #[must_use]
    pub fn middle(&self, index: usize) -> Vec2 {
        let (x, y) = (index as u32 % self.size.x, index as u32 / self.size.x);
        self.low + (Vec2::new(x as f32, y as f32) + 0.5) * self.cell
    }

    /// The cell of a point, or the nearest one.
    #[must_use]
    pub fn index(&self, at: Vec2) -> usize {
        let p = ((at - self.low) / self.cell).floor().max(Vec2::ZERO).as_uvec2().min(self.size - 1);
        (p.y * self.size.x + p.x) as usize
    }

    /// Bilinear interpolation.
    #[must_use]
    pub fn at(&self, at: Vec2) -> Vec3 {
        let p = ((at - self.low) / self.cell - 0.5).clamp(Vec2::ZERO, self.size.as_vec2() - 1.001);
        let (i, t) = (p.as_uvec2(), p.fract());
        let value =
            |x: u32, y: u32| self.values[(y.min(self.size.y - 1) * self.size.x + x.min(self.size.x - 1)) as usize];
        let near = value(i.x, i.y).lerp(value(i.x + 1, i.y), t.x);
        near.lerp(value(i.x, i.y + 1).lerp(value(i.x + 1, i.y + 1), t.x), t.y)
    }
}
