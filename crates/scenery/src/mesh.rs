//! Solid faces collected cell by cell, so that the renderer can cull them.

use aerie_render::scene::{Finish, SolidChunk, SolidVertex, Solids};
use glam::{DVec2, Vec2, Vec3};
use std::collections::BTreeMap;

/// Side of a cell, meters.
const CELL: f32 = 90.0;

/// Material of a face: the four words that `solids.wgsl` reads.
pub(crate) type Material = [u32; 4];

#[derive(Default)]
struct Cell {
    vertices: Vec<SolidVertex>,
    indices: [Vec<u32>; 3],
}

/// Collects faces.
#[derive(Default)]
pub(crate) struct Builder {
    cells: BTreeMap<(i32, i32), Cell>,
}

impl Builder {
    /// Adds a flat convex face. Corners run counter-clockwise seen from outside: position, meters along and up the face, and the
    /// share of open sky.
    pub(crate) fn face(&mut self, finish: Finish, corners: &[(Vec3, Vec2, f32)], material: Material) {
        let Some(normal) = normal_of(corners) else { return };
        let first = corners[0].0;
        let key = ((first.x / CELL).floor() as i32, (first.y / CELL).floor() as i32);
        let cell = self.cells.entry(key).or_default();
        let base = cell.vertices.len() as u32;
        let byte = |v: f32| (v.clamp(-1.0, 1.0) * 127.0).round() as i8;
        for (position, uv, open) in corners {
            cell.vertices.push(SolidVertex {
                position: position.to_array(),
                normal: [byte(normal.x), byte(normal.y), byte(normal.z), byte(*open)],
                uv: uv.to_array(),
                material,
            });
        }
        let indices = &mut cell.indices[finish as usize];
        for i in 1..corners.len() as u32 - 1 {
            indices.extend([base, base + i, base + i + 1]);
        }
    }

    /// Adds a face of one color.
    pub(crate) fn plain(&mut self, corners: &[Vec3], color: u32) {
        let corners: Vec<_> = corners.iter().map(|&c| (c, Vec2::ZERO, 0.8)).collect();
        self.face(Finish::Plain, &corners, [color, 0, 0, 0]);
    }

    /// Everything collected, cell by cell.
    pub(crate) fn finish(self) -> Solids {
        let mut solids = Solids::default();
        for cell in self.cells.into_values() {
            let base = solids.vertices.len() as u32;
            let mut chunk = SolidChunk { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY, ..SolidChunk::default() };
            for vertex in &cell.vertices {
                chunk.min = chunk.min.min(Vec3::from_array(vertex.position));
                chunk.max = chunk.max.max(Vec3::from_array(vertex.position));
            }
            for (range, indices) in chunk.ranges.iter_mut().zip(&cell.indices) {
                let start = solids.indices.len() as u32;
                solids.indices.extend(indices.iter().map(|i| i + base));
                *range = start..solids.indices.len() as u32;
            }
            solids.vertices.extend(cell.vertices);
            solids.chunks.push(chunk);
        }
        solids
    }
}

/// Normal of a flat face (Newell); `None` where it has no area.
fn normal_of(corners: &[(Vec3, Vec2, f32)]) -> Option<Vec3> {
    let n = corners.len();
    let sum = (0..n)
        .fold(Vec3::ZERO, |sum, i| sum + (corners[i].0 - corners[0].0).cross(corners[(i + 1) % n].0 - corners[0].0));
    (n >= 3 && sum.length_squared() > 1e-8).then(|| sum.normalize())
}

/// Packs sRGB bytes as square roots of linear light, as the shaders expect, with a fourth byte on top.
pub(crate) fn color(srgb: [u8; 3], fourth: u8) -> u32 {
    let code = |v: u8| {
        let v = f32::from(v) / 255.0;
        let linear = if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) };
        (linear.sqrt() * 255.0).round() as u32
    };
    code(srgb[0]) | code(srgb[1]) << 8 | code(srgb[2]) << 16 | u32::from(fourth) << 24
}

/// Adds an upright box: center, direction, half sizes, bottom, top.
pub(crate) fn block(at: DVec2, along: DVec2, half: DVec2, bottom: f64, top: f64, srgb: [u8; 3], out: &mut Builder) {
    let corner =
        |x: f64, y: f64, z: f64| -> Vec3 { (at + along * half.x * x + along.perp() * half.y * y).extend(z).as_vec3() };
    let color = color(srgb, 0);
    let ring = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    for i in 0..4 {
        let ((x0, y0), (x1, y1)) = (ring[i], ring[(i + 1) % 4]);
        out.plain(&[corner(x0, y0, bottom), corner(x1, y1, bottom), corner(x1, y1, top), corner(x0, y0, top)], color);
    }
    out.plain(&ring.map(|(x, y)| corner(x, y, top)), color);
}

/// Material of a flat gritty surface, for the roof shader.
pub(crate) fn gritty(srgb: [u8; 3]) -> (Material, Finish) {
    const FLAT: u8 = 3;
    const GRIT: u32 = 1 << 24;
    ([color(srgb, FLAT), GRIT, 0, 0], Finish::Roof)
}
