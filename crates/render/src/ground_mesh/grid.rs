//! Lines of the ground's grids.

use glam::Vec2;

use crate::scene::{HeightField, Scene};

/// Grid lines closer than this are merged, meters.
const MERGED: f32 = 0.01;

/// Grid lines: positions along both axes, ascending.
pub(super) struct Grid {
    pub(super) lines: [Vec<f32>; 2],
}

impl Grid {
    /// The lines of the terrain's samples, of the windows' borders, of the finer part's rim, and of the ground beyond.
    pub(super) fn whole(scene: &Scene) -> Self {
        let terrain = &scene.terrain;
        let count = [terrain.columns, terrain.rows];
        let lines = |axis: usize| {
            let (min, max) = (terrain.min[axis], terrain.max()[axis]);
            let mut lines: Vec<f32> = (0..count[axis]).map(|i| min + i as f32 * terrain.spacing).collect();
            for level in &scene.ground_levels {
                lines.extend([level.center[axis] - level.half_extent, level.center[axis] + level.half_extent]);
            }
            if let Some(near) = &terrain.near {
                lines.extend([near.min[axis], near.max()[axis]]);
            }
            for far in [400.0, 1500.0, 4000.0, 10_000.0, 24_000.0] {
                lines.extend([min - far, max + far]);
            }
            lines.sort_by(f32::total_cmp);
            lines.dedup_by(|a, b| (*a - *b).abs() < MERGED);
            lines
        };
        Self { lines: [lines(0), lines(1)] }
    }

    pub(super) fn at(&self, i: usize, j: usize) -> Vec2 {
        Vec2::new(self.lines[0][i], self.lines[1][j])
    }

    /// Number of the vertex at column `i` and row `j`.
    pub(super) fn number(&self, i: usize, j: usize) -> u32 {
        (j * self.lines[0].len() + i) as u32
    }
}

/// Index of the line nearest to a position.
pub(super) fn nearest(lines: &[f32], position: f32) -> usize {
    let after = lines.partition_point(|line| *line < position).min(lines.len() - 1);
    let before = after.saturating_sub(1);
    if position - lines[before] < lines[after] - position { before } else { after }
}

/// The lines between two of `lines`, and between them those of the finer samples.
pub(super) fn finer_lines(lines: &[f32], [low, high]: [usize; 2], near: &HeightField, axis: usize) -> Vec<f32> {
    let coarse = &lines[low..=high];
    let count = [near.columns, near.rows][axis];
    let fine = (0..count).map(|i| near.min[axis] + i as f32 * near.spacing);
    let inside = fine.filter(|line| *line > lines[low] && *line < lines[high]);
    let apart = inside.filter(|line| (coarse[nearest(coarse, *line)] - line).abs() >= MERGED);
    let mut all: Vec<f32> = coarse.iter().copied().chain(apart).collect();
    all.sort_by(f32::total_cmp);
    all
}
