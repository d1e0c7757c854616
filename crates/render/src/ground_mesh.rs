//! The ground's mesh: triangles grouped by window, and by whether they may be wet.

use std::ops::Range;

use glam::Vec2;

use crate::scene::{Cover, GroundLevel, Scene};

/// The triangles of the ground.
pub(crate) struct Mesh {
    pub(crate) vertices: Vec<[f32; 3]>,
    pub(crate) indices: Vec<u32>,
    /// Index ranges of each window: dry, and possibly wet.
    pub(crate) ranges: Vec<[Range<u32>; 2]>,
}

impl Mesh {
    /// Meshes the terrain, cut along the borders of the windows and extended to the horizon.
    pub(crate) fn of(scene: &Scene) -> Self {
        let terrain = &scene.terrain;
        let far_corner = Vec2::new((terrain.columns - 1) as f32, (terrain.rows - 1) as f32) * terrain.spacing;
        let max = terrain.min + far_corner;
        let lines = |min: f32, max: f32, count: usize, center: fn(Vec2) -> f32| {
            let mut lines: Vec<f32> = (0..count).map(|i| min + i as f32 * terrain.spacing).collect();
            for level in &scene.ground_levels {
                lines.extend([center(level.center) - level.half_extent, center(level.center) + level.half_extent]);
            }
            for far in [400.0, 1500.0, 4000.0, 10_000.0, 24_000.0] {
                lines.extend([min - far, max + far]);
            }
            lines.sort_by(f32::total_cmp);
            lines.dedup_by(|a, b| (*a - *b).abs() < 0.01);
            lines
        };
        let xs = lines(terrain.min.x, max.x, terrain.columns, |c| c.x);
        let ys = lines(terrain.min.y, max.y, terrain.rows, |c| c.y);
        let mut vertices = Vec::with_capacity(xs.len() * ys.len());
        for &y in &ys {
            vertices.extend(xs.iter().map(|&x| [x, y, terrain.height(Vec2::new(x, y))]));
        }
        let outermost = scene.ground_levels.len().saturating_sub(1);
        let level_of = |at: Vec2| {
            let inside = |l: &GroundLevel| (at - l.center).abs().max_element() < l.half_extent;
            scene.ground_levels.iter().position(inside).unwrap_or(outermost)
        };
        let wet = wet_cells(scene, &xs, &ys);
        let mut by_level = vec![[Vec::new(), Vec::new()]; scene.ground_levels.len()];
        for j in 0..ys.len() - 1 {
            for i in 0..xs.len() - 1 {
                let level = level_of(Vec2::new((xs[i] + xs[i + 1]) * 0.5, (ys[j] + ys[j + 1]) * 0.5));
                let a = (j * xs.len() + i) as u32;
                let (b, c, d) = (a + 1, a + xs.len() as u32, a + 1 + xs.len() as u32);
                by_level[level][usize::from(wet[j * xs.len() + i])].extend([a, b, d, a, d, c]);
            }
        }
        let mut indices = Vec::new();
        let mut add = |part: Vec<u32>| {
            let first = indices.len() as u32;
            indices.extend(part);
            first..indices.len() as u32
        };
        let ranges = by_level.into_iter().map(|parts| parts.map(&mut add)).collect();
        Self { vertices, indices, ranges }
    }
}

/// Which cells between the grid lines contain water, row by row; rows are as long as `xs`.
fn wet_cells(scene: &Scene, xs: &[f32], ys: &[f32]) -> Vec<bool> {
    let mut wet = vec![false; xs.len() * ys.len()];
    let cells = |lines: &[f32], low: f32, high: f32| {
        let first = lines.partition_point(|line| *line <= low).saturating_sub(1);
        first..lines.partition_point(|line| *line < high).min(lines.len() - 1)
    };
    let water = f32::from(Cover::Water as u8);
    for triangle in scene.paint.chunks_exact(3).filter(|t| t[0].grain[0] == water) {
        let [a, b, c] = [0, 1, 2].map(|i| Vec2::from_array(triangle[i].position));
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        for j in cells(ys, low.y, high.y) {
            for i in cells(xs, low.x, high.x) {
                let corners = [xs[i], xs[i + 1]].map(|x| [ys[j], ys[j + 1]].map(|y| Vec2::new(x, y)));
                wet[j * xs.len() + i] |= touches([a, b, c], corners.as_flattened());
            }
        }
    }
    wet
}

/// Whether a triangle and a rectangle, given by its corners, may intersect: no edge of the triangle separates them.
fn touches(triangle: [Vec2; 3], corners: &[Vec2]) -> bool {
    let middle = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
    (0..3).all(|i| {
        let (a, b) = (triangle[i], triangle[(i + 1) % 3]);
        let inwards = (middle - a).dot((b - a).perp()).signum();
        corners.iter().any(|corner| (*corner - a).dot((b - a).perp()) * inwards >= 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{HeightField, PaintVertex};

    #[test]
    fn cells_are_wet_exactly_where_water_is_painted() {
        let corner = |x: f32, y: f32| PaintVertex {
            position: [x, y],
            color: [0.0; 4],
            grain: [f32::from(Cover::Water as u8), 0.0],
            local: [0.0; 2],
        };
        let scene = Scene {
            terrain: HeightField {
                min: Vec2::splat(-100.0),
                spacing: 20.0,
                columns: 11,
                rows: 11,
                heights: vec![0.0; 121],
            },
            paint: vec![corner(-90.0, -90.0), corner(90.0, 85.0), corner(85.0, 90.0)],
            ground_levels: vec![GroundLevel { center: Vec2::ZERO, half_extent: 50.0, texels: 512 }],
            ..Scene::default()
        };
        let mesh = Mesh::of(&scene);
        let [dry, wet] = mesh.ranges[0].clone();
        assert_eq!(mesh.indices.len(), dry.len() + wet.len());
        let middles = |range: Range<u32>| -> Vec<Vec2> {
            let triangles = mesh.indices[range.start as usize..range.end as usize].chunks_exact(3);
            let at = |i: &u32| Vec2::new(mesh.vertices[*i as usize][0], mesh.vertices[*i as usize][1]);
            triangles.map(|t| t.iter().map(at).sum::<Vec2>() / 3.0).collect()
        };
        // The sliver of water runs along the diagonal.
        let off = |p: &Vec2| (p.x - p.y).abs();
        assert!(!wet.is_empty() && middles(wet).iter().all(|p| off(p) < 30.0 && p.abs().max_element() < 100.0));
        assert!(middles(dry).iter().all(|p| off(p) > 5.0 || p.abs().max_element() > 85.0));
    }
}
