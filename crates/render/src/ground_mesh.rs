//! The ground's mesh: triangles grouped by window, and by whether they may be wet.

use std::ops::Range;

use glam::Vec2;

use crate::scene::{Cover, GroundLevel, HeightField, Scene};

/// Grid lines closer than this are merged, meters.
const MERGED: f32 = 0.01;

/// The triangles of the ground.
pub(crate) struct Mesh {
    pub(crate) vertices: Vec<[f32; 3]>,
    pub(crate) indices: Vec<u32>,
    /// Index ranges of each window: dry, and possibly wet.
    pub(crate) ranges: Vec<[Range<u32>; 2]>,
}

impl Mesh {
    /// Meshes the terrain, cut along the borders of the windows and extended to the horizon. Where it has finer heights, a finer
    /// grid takes the place of the cells there; the cells around it share all its vertices.
    pub(crate) fn of(scene: &Scene) -> Self {
        let mut cells = Cells::new(scene);
        let terrain = &scene.terrain;
        let whole = Grid::whole(scene);
        match &terrain.near {
            None => {
                cells.add(&whole, |_, _| true);
            }
            Some(near) => {
                let hole = [0, 1].map(|axis| {
                    let lines = &whole.lines[axis];
                    [near.min[axis], near.max()[axis]].map(|line| nearest(lines, line))
                });
                let fine = Grid { lines: [0, 1].map(|axis| finer_lines(&whole.lines[axis], hole[axis], near, axis)) };
                let first = cells.add(&fine, |_, _| true);
                let within = |i: usize, [low, high]: [usize; 2]| (low..high).contains(&i);
                let is_beside = |i: usize, j: usize| {
                    let ([left, right], [low, high]) = (hole[0], hole[1]);
                    within(j, hole[1]) && (i + 1 == left || i == right)
                        || within(i, hole[0]) && (j + 1 == low || j == high)
                };
                let base = cells.add(&whole, |i, j| {
                    let is_inside = within(i, hole[0]) && within(j, hole[1]);
                    !is_inside && !is_beside(i, j)
                });
                cells.stitch((&whole, base), (&fine, first), hole);
            }
        }
        cells.finish()
    }
}

/// Grid lines: positions along both axes, ascending.
struct Grid {
    lines: [Vec<f32>; 2],
}

impl Grid {
    /// The lines of the terrain's samples, of the windows' borders, of the finer part's rim, and of the ground beyond.
    fn whole(scene: &Scene) -> Self {
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

    fn at(&self, i: usize, j: usize) -> Vec2 {
        Vec2::new(self.lines[0][i], self.lines[1][j])
    }

    /// Number of the vertex at column `i` and row `j`.
    fn number(&self, i: usize, j: usize) -> u32 {
        (j * self.lines[0].len() + i) as u32
    }
}

/// Index of the line nearest to a position.
fn nearest(lines: &[f32], position: f32) -> usize {
    let after = lines.partition_point(|line| *line < position).min(lines.len() - 1);
    let before = after.saturating_sub(1);
    if position - lines[before] < lines[after] - position { before } else { after }
}

/// The lines between two of `lines`, and between them those of the finer samples.
fn finer_lines(lines: &[f32], [low, high]: [usize; 2], near: &HeightField, axis: usize) -> Vec<f32> {
    let coarse = &lines[low..=high];
    let count = [near.columns, near.rows][axis];
    let fine = (0..count).map(|i| near.min[axis] + i as f32 * near.spacing);
    let inside = fine.filter(|line| *line > lines[low] && *line < lines[high]);
    let apart = inside.filter(|line| (coarse[nearest(coarse, *line)] - line).abs() >= MERGED);
    let mut all: Vec<f32> = coarse.iter().copied().chain(apart).collect();
    all.sort_by(f32::total_cmp);
    all
}

/// The cells of grids, collected by window and by whether they may be wet.
struct Cells<'a> {
    scene: &'a Scene,
    vertices: Vec<[f32; 3]>,
    by_level: Vec<[Vec<u32>; 2]>,
}

impl<'a> Cells<'a> {
    fn new(scene: &'a Scene) -> Self {
        Self { scene, vertices: Vec::new(), by_level: vec![[Vec::new(), Vec::new()]; scene.ground_levels.len()] }
    }

    /// Adds the vertices of a grid, and the cells that are `wanted`, by column and row; returns the number of its first vertex.
    fn add(&mut self, grid: &Grid, wanted: impl Fn(usize, usize) -> bool) -> u32 {
        let base = self.vertices.len() as u32;
        let [xs, ys] = &grid.lines;
        for &y in ys {
            self.vertices.extend(xs.iter().map(|&x| [x, y, self.scene.terrain.height(Vec2::new(x, y))]));
        }
        let wet = wet_cells(self.scene, xs, ys);
        for j in 0..ys.len() - 1 {
            for i in 0..xs.len() - 1 {
                if !wanted(i, j) {
                    continue;
                }
                let a = base + grid.number(i, j);
                let (b, c) = (a + 1, a + xs.len() as u32);
                let level = self.level_at((grid.at(i, j) + grid.at(i + 1, j + 1)) * 0.5);
                self.by_level[level][usize::from(wet[j * xs.len() + i])].extend([a, b, c + 1, a, c + 1, c]);
            }
        }
        base
    }

    /// Adds the cells of `whole` beside the hole that `fine` fills, as fans that share the vertices of the fine grid's rim. Each
    /// grid comes with the number of its first vertex.
    fn stitch(&mut self, (whole, base): (&Grid, u32), (fine, first): (&Grid, u32), hole: [[usize; 2]; 2]) {
        let wet = wet_cells(self.scene, &whole.lines[0], &whole.lines[1]);
        let last = fine.lines.each_ref().map(|lines| lines.len() - 1);
        for axis in [0, 1] {
            let across = 1 - axis;
            for end in [0, 1] {
                let beside = if end == 0 { hole[across][0].checked_sub(1) } else { Some(hole[across][1]) };
                let Some(beside) = beside.filter(|line| line + 1 < whole.lines[across].len()) else { continue };
                for along in hole[axis][0]..hole[axis][1] {
                    let pick = |a: usize, c: usize| if axis == 0 { (a, c) } else { (c, a) };
                    let outer = |a: usize| {
                        let (i, j) = pick(a, if end == 0 { beside } else { beside + 1 });
                        base + whole.number(i, j)
                    };
                    let span = [along, along + 1].map(|line| nearest(&fine.lines[axis], whole.lines[axis][line]));
                    let rim = (span[0]..=span[1]).map(|a| {
                        let (i, j) = pick(a, if end == 0 { 0 } else { last[across] });
                        first + fine.number(i, j)
                    });
                    let rim: Vec<u32> = rim.collect();
                    let mut fan: Vec<[u32; 3]> = rim.windows(2).map(|pair| [outer(along), pair[0], pair[1]]).collect();
                    fan.push([outer(along), rim[rim.len() - 1], outer(along + 1)]);
                    let (i, j) = pick(along, beside);
                    let level = self.level_at((whole.at(i, j) + whole.at(i + 1, j + 1)) * 0.5);
                    let upward = fan.into_iter().flat_map(|triangle| upward(&self.vertices, triangle));
                    self.by_level[level][usize::from(wet[j * whole.lines[0].len() + i])].extend(upward);
                }
            }
        }
    }

    fn level_at(&self, at: Vec2) -> usize {
        let levels = &self.scene.ground_levels;
        let inside = |l: &GroundLevel| (at - l.center).abs().max_element() < l.half_extent;
        levels.iter().position(inside).unwrap_or(levels.len().saturating_sub(1))
    }

    fn finish(self) -> Mesh {
        let mut indices = Vec::new();
        let mut add = |part: Vec<u32>| {
            let first = indices.len() as u32;
            indices.extend(part);
            first..indices.len() as u32
        };
        let ranges = self.by_level.into_iter().map(|parts| parts.map(&mut add)).collect();
        Mesh { vertices: self.vertices, indices, ranges }
    }
}

/// A triangle with its corners counter-clockwise seen from above.
fn upward(vertices: &[[f32; 3]], [a, b, c]: [u32; 3]) -> [u32; 3] {
    let at = |i: u32| Vec2::new(vertices[i as usize][0], vertices[i as usize][1]);
    if (at(b) - at(a)).perp_dot(at(c) - at(a)) < 0.0 { [a, c, b] } else { [a, b, c] }
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
    use crate::scene::PaintVertex;

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
                near: None,
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

    /// A bumpy terrain whose finer part, off the coarse lines, has bumps of its own and the coarse heights on its rim.
    fn with_finer_part() -> Scene {
        let coarse = |i: usize| ((i * 37) % 11) as f32;
        let mut terrain = HeightField {
            min: Vec2::splat(-100.0),
            spacing: 20.0,
            columns: 11,
            rows: 11,
            heights: (0..121).map(coarse).collect(),
            near: None,
        };
        let mut near =
            HeightField { min: Vec2::new(-33.0, -27.5), spacing: 1.0, columns: 61, rows: 51, ..terrain.clone() };
        let fine = (0..61 * 51).map(|k| {
            let (i, j) = (k % 61, k / 61);
            let is_rim = i == 0 || j == 0 || i == 60 || j == 50;
            let bump = if is_rim { 0.0 } else { ((i * 7 + j * 13) % 5) as f32 * 0.2 };
            terrain.height(near.min + Vec2::new(i as f32, j as f32)) + bump
        });
        near.heights = fine.collect();
        terrain.near = Some(Box::new(near));
        let level = |half_extent| GroundLevel { center: Vec2::new(3.0, 1.0), half_extent, texels: 512 };
        Scene { terrain, ground_levels: vec![level(20.0), level(90.0)], ..Scene::default() }
    }

    #[test]
    fn the_mesh_has_no_crack_around_the_finer_part_of_the_terrain() {
        let mesh = Mesh::of(&with_finer_part());
        let key = |i: u32| mesh.vertices[i as usize].map(f32::to_bits);
        let mut edges = std::collections::BTreeMap::new();
        for t in mesh.indices.chunks_exact(3) {
            for k in 0..3 {
                *edges.entry([key(t[k]), key(t[(k + 1) % 3])]).or_insert(0) += 1;
            }
        }
        let single = edges.iter().filter(|([a, b], _)| !edges.contains_key(&[*b, *a]));
        let rim = 24_100.0 - 1.0;
        let inner = single
            .filter(|(edge, _)| edge.iter().any(|v| f32::from_bits(v[0]).abs().max(f32::from_bits(v[1]).abs()) < rim));
        assert_eq!(inner.count(), 0);
        assert!(edges.values().all(|count| *count == 1));
        let area = mesh.indices.chunks_exact(3).map(|t| {
            let [a, b, c] = [0, 1, 2].map(|k| mesh.vertices[t[k] as usize].map(f64::from));
            ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) * 0.5
        });
        let areas: Vec<f64> = area.collect();
        assert!(areas.iter().all(|area| *area > 0.0));
        assert!((areas.iter().sum::<f64>() / 48_200.0_f64.powi(2) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_mesh_passes_through_every_finer_sample() {
        let scene = with_finer_part();
        let mesh = Mesh::of(&scene);
        let near = scene.terrain.near.as_ref().expect("a finer part");
        let used: std::collections::BTreeSet<_> =
            mesh.indices.iter().map(|i| mesh.vertices[*i as usize].map(|v| (v * 1000.0).round() as i64)).collect();
        for (k, height) in near.heights.iter().enumerate() {
            let at = near.min + Vec2::new((k % 61) as f32, (k / 61) as f32);
            assert!(used.contains(&[at.x, at.y, *height].map(|v| (v * 1000.0).round() as i64)), "{at} {height}");
        }
    }
}
