//! Foliage as small opaque cards, collected cell by cell.

use aerie_math::Rng;
use aerie_render::scene::{PlantChunk, PlantVertex, Plants};
use glam::{Vec3, vec3};
use std::collections::BTreeMap;

/// Side of a cell, meters.
const CELL: f32 = 70.0;

#[derive(Default)]
pub(crate) struct Cell {
    vertices: Vec<PlantVertex>,
    indices: Vec<u32>,
}

/// Plants under construction.
#[derive(Default)]
pub(crate) struct Grove {
    cells: BTreeMap<(i32, i32), Cell>,
}

/// Material of a card.
#[derive(Clone, Copy)]
pub(crate) struct Leaf {
    pub(crate) normal: Vec3,
    /// Share of open sky.
    pub(crate) open: f32,
    /// Linear albedo.
    pub(crate) albedo: Vec3,
    /// Translucency, 0 to 1.
    pub(crate) thin: f32,
}

impl Grove {
    /// The cell that a plant belongs to.
    pub(crate) fn cell(&mut self, foot: Vec3) -> &mut Cell {
        self.cells.entry(((foot.x / CELL).floor() as i32, (foot.y / CELL).floor() as i32)).or_default()
    }

    pub(crate) fn finish(self) -> Plants {
        let mut plants = Plants::default();
        for cell in self.cells.into_values() {
            let base = plants.vertices.len() as u32;
            let start = plants.indices.len() as u32;
            let mut chunk = PlantChunk { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY, range: 0..0 };
            for vertex in &cell.vertices {
                chunk.min = chunk.min.min(Vec3::from_array(vertex.position));
                chunk.max = chunk.max.max(Vec3::from_array(vertex.position));
            }
            plants.indices.extend(cell.indices.iter().map(|i| i + base));
            plants.vertices.extend(cell.vertices);
            chunk.range = start..plants.indices.len() as u32;
            plants.chunks.push(chunk);
        }
        plants
    }
}

impl Cell {
    fn vertex(&mut self, position: Vec3, leaf: &Leaf) {
        let byte = |v: f32| (v.clamp(-1.0, 1.0) * 127.0).round() as i8;
        let code = |v: f32| (v.clamp(0.0, 1.0).sqrt() * 255.0).round() as u8;
        self.vertices.push(PlantVertex {
            position: position.to_array(),
            normal: [byte(leaf.normal.x), byte(leaf.normal.y), byte(leaf.normal.z), byte(leaf.open)],
            color: [code(leaf.albedo.x), code(leaf.albedo.y), code(leaf.albedo.z), (leaf.thin * 255.0) as u8],
        });
    }

    /// Adds a triangle with a material per corner.
    pub(crate) fn triangle(&mut self, corners: [(Vec3, Leaf); 3]) {
        let base = self.vertices.len() as u32;
        for (corner, leaf) in &corners {
            self.vertex(*corner, leaf);
        }
        self.indices.extend([base, base + 1, base + 2]);
    }

    /// Adds a convex polygon of one material.
    pub(crate) fn polygon(&mut self, corners: &[Vec3], leaf: &Leaf) {
        let base = self.vertices.len() as u32;
        for &corner in corners {
            self.vertex(corner, leaf);
        }
        for i in 1..corners.len() as u32 - 1 {
            self.indices.extend([base, base + i, base + i + 1]);
        }
    }

    /// Adds a card of `size` meters at `center`, facing roughly `facing`.
    pub(crate) fn card(&mut self, center: Vec3, facing: Vec3, size: f32, corners: usize, rng: &mut Rng, leaf: &Leaf) {
        let jitter = vec3(rng.range_f32(-1.0, 1.0), rng.range_f32(-1.0, 1.0), rng.range_f32(-1.0, 1.0));
        let axis = (facing + jitter * 0.75).normalize_or(Vec3::Z);
        let right = axis.cross(vec3(0.3, 0.5, 0.81)).normalize_or(Vec3::X);
        let up = right.cross(axis);
        let turn = rng.unit_f32() * std::f32::consts::TAU;
        let points: Vec<Vec3> = (0..corners)
            .map(|i| {
                let angle = turn + i as f32 * std::f32::consts::TAU / corners as f32;
                center + (right * angle.cos() + up * angle.sin()) * size * rng.range_f32(0.75, 1.15)
            })
            .collect();
        self.polygon(&points, leaf);
    }
}
