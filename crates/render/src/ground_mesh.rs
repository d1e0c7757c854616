//! The ground's mesh: triangles grouped by window, and by what the shader has to draw on them.

mod grid;

use std::ops::Range;

use glam::Vec2;

use self::grid::{Grid, finer_lines, nearest};
use crate::marking::Marking;
use crate::scene::{Cover, GroundLevel, Scene};

/// A part of a window: triangles that one shader draws.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) range: Range<u32>,
    /// Whether there may be water.
    pub(crate) is_wet: bool,
    /// Whether the scene's marking may reach it.
    pub(crate) is_marked: bool,
}

/// The triangles of the ground.
pub(crate) struct Mesh {
    pub(crate) vertices: Vec<[f32; 3]>,
    pub(crate) indices: Vec<u32>,
    /// The parts of each window; none is empty.
    pub(crate) windows: Vec<Vec<Part>>,
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

/// The cells of grids, collected by window and part.
struct Cells<'a> {
    scene: &'a Scene,
    vertices: Vec<[f32; 3]>,
    /// Lowest and highest corner of the area that the marking may reach.
    marked: Option<(Vec2, Vec2)>,
    /// The parts of each window: neither, wet, marked, both.
    by_level: Vec<[Vec<u32>; 4]>,
}

impl<'a> Cells<'a> {
    fn new(scene: &'a Scene) -> Self {
        Self {
            scene,
            vertices: Vec::new(),
            marked: scene.marking.as_ref().and_then(Marking::bounds),
            by_level: vec![Default::default(); scene.ground_levels.len()],
        }
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
                let part = self.part(grid, (i, j), wet[j * xs.len() + i]);
                part.extend([a, b, c + 1, a, c + 1, c]);
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
                    let upward: Vec<u32> = fan.into_iter().flat_map(|fan| upward(&self.vertices, fan)).collect();
                    self.part(whole, (i, j), wet[j * whole.lines[0].len() + i]).extend(upward);
                }
            }
        }
    }

    /// The part that a cell of a grid belongs to.
    fn part(&mut self, grid: &Grid, (i, j): (usize, usize), is_wet: bool) -> &mut Vec<u32> {
        let (low, high) = (grid.at(i, j), grid.at(i + 1, j + 1));
        let middle = (low + high) * 0.5;
        let levels = &self.scene.ground_levels;
        let inside = |l: &GroundLevel| (middle - l.center).abs().max_element() < l.half_extent;
        let level = levels.iter().position(inside).unwrap_or(levels.len().saturating_sub(1));
        let is_marked = self.marked.is_some_and(|(min, max)| low.cmple(max).all() && high.cmpge(min).all());
        &mut self.by_level[level][usize::from(is_wet) + 2 * usize::from(is_marked)]
    }

    fn finish(self) -> Mesh {
        let mut indices: Vec<u32> = Vec::new();
        let mut add = |(kind, part): (usize, Vec<u32>)| {
            let first = indices.len() as u32;
            indices.extend(part);
            Part { range: first..indices.len() as u32, is_wet: kind & 1 > 0, is_marked: kind & 2 > 0 }
        };
        let mut window = |parts: [Vec<u32>; 4]| -> Vec<Part> {
            parts.into_iter().enumerate().filter(|(_, part)| !part.is_empty()).map(&mut add).collect()
        };
        let windows = self.by_level.into_iter().map(&mut window).collect();
        Mesh { vertices: self.vertices, indices, windows }
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
                near: None,
            },
            paint: vec![corner(-90.0, -90.0), corner(90.0, 85.0), corner(85.0, 90.0)],
            ground_levels: vec![GroundLevel { center: Vec2::ZERO, half_extent: 50.0, texels: 512 }],
            ..Scene::default()
        };
        let mesh = Mesh::of(&scene);
        assert_eq!(mesh.indices.len(), mesh.windows[0].iter().map(|part| part.range.len()).sum::<usize>());
        let [dry, wet] = [false, true].map(|is_wet| middles(&mesh, |part| part.is_wet == is_wet));
        // The sliver of water runs along the diagonal.
        let off = |p: &Vec2| (p.x - p.y).abs();
        assert!(!wet.is_empty() && wet.iter().all(|p| off(p) < 30.0 && p.abs().max_element() < 100.0));
        assert!(dry.iter().all(|p| off(p) > 5.0 || p.abs().max_element() > 85.0));
    }

    #[test]
    fn cells_are_marked_where_the_marking_reaches_and_not_beyond() {
        let ring = [(-42.0, 3.0), (18.0, 3.0), (18.0, 31.0)].map(|(x, y)| Vec2::new(x, y));
        let marking = Marking { rings: vec![ring.to_vec()], color: [1.0; 3], width: 0.5 };
        let scene = Scene { marking: Some(marking), ..with_finer_part() };
        let mesh = Mesh::of(&scene);
        let [plain, marked] = [false, true].map(|is_marked| middles(&mesh, |part| part.is_marked == is_marked));
        assert!(ring.iter().all(|corner| marked.iter().any(|p| p.distance(*corner) < 15.0)));
        let is_reached = |p: &Vec2| (-42.0..18.0).contains(&p.x) && (3.0..31.0).contains(&p.y);
        assert!(!plain.iter().any(is_reached));
        // Cells are 20 m wide, and the line has a margin of 6 m.
        let is_near = |p: &Vec2| (-68.0..44.0).contains(&p.x) && (-23.0..57.0).contains(&p.y);
        assert!(marked.iter().all(is_near));
        let unmarked = Mesh::of(&with_finer_part());
        assert_eq!(middles(&unmarked, |part| part.is_marked).len(), 0);
        assert_eq!(unmarked.indices.len(), mesh.indices.len());
    }

    /// The middles of the triangles in some parts.
    fn middles(mesh: &Mesh, wanted: impl Fn(&Part) -> bool) -> Vec<Vec2> {
        let parts = mesh.windows.iter().flatten().filter(|part| wanted(part));
        let triangles =
            parts.flat_map(|part| mesh.indices[part.range.start as usize..part.range.end as usize].chunks_exact(3));
        let at = |i: &u32| Vec2::new(mesh.vertices[*i as usize][0], mesh.vertices[*i as usize][1]);
        triangles.map(|t| t.iter().map(at).sum::<Vec2>() / 3.0).collect()
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
