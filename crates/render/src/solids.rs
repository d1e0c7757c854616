//! Draws the solids: sorted by shader, culled, near to far.

use glam::{Mat4, Vec3};
use std::ops::Range;

use crate::gpu::Gpu;
use crate::pipelines::Pipelines;
use crate::scene::{Frustum, SolidChunk, SolidVertex, Solids};
use crate::shadow::{self, Caster};
use crate::textures;

/// Fragment shaders: walls, roofs by covering (tiles or slates, seams, flat), plain faces.
const PROGRAMS: [(&str, u32); 5] = [("wall", 0), ("roof", 0), ("roof", 1), ("roof", 2), ("plain", 0)];

/// A part that is culled as a whole.
struct Chunk {
    min: Vec3,
    max: Vec3,
    /// Index range of each program.
    ranges: [Range<u32>; PROGRAMS.len()],
}

/// The solids on the device.
pub(crate) struct SolidBuffers {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    chunks: Vec<Chunk>,
}

impl SolidBuffers {
    pub(crate) fn new(gpu: &Gpu, solids: &Solids) -> Self {
        let mut indices = Vec::with_capacity(solids.indices.len());
        let chunks = solids.chunks.iter().map(|chunk| sorted(solids, chunk, &mut indices)).collect();
        let upload = |bytes, usage| textures::buffer(gpu, "solids", bytes, usage);
        Self {
            vertices: upload(bytemuck::cast_slice(&solids.vertices), wgpu::BufferUsages::VERTEX),
            indices: upload(bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX),
            chunks,
        }
    }

    pub(crate) fn caster(&self) -> Caster<'_> {
        let whole = |c: &Chunk| (c.min, c.max, c.ranges[0].start..c.ranges[PROGRAMS.len() - 1].end);
        Caster {
            vertices: &self.vertices,
            stride: size_of::<SolidVertex>() as u64,
            indices: &self.indices,
            parts: self.chunks.iter().map(whole).collect(),
        }
    }

    /// Draws the chunks in view.
    pub(crate) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        programs: &Programs,
        (frustum, eye): (&Frustum, Vec3),
        [near_shadow, _, fine_shadow]: &[Mat4; shadow::SHADOW_REACH.len()],
    ) {
        let mut seen: Vec<_> = self.chunks.iter().filter(|c| frustum.sees(c.min, c.max)).collect();
        let distance = |c: &Chunk| ((c.min + c.max) * 0.5).distance_squared(eye);
        seen.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        let (near, far): (Vec<_>, Vec<_>) =
            seen.into_iter().partition(|c| shadow::holds(near_shadow, c.min - 1.0, c.max + 1.0));
        let in_fine = Frustum::new(fine_shadow);
        let (fine, near): (Vec<_>, Vec<_>) = near.into_iter().partition(|c| in_fine.sees(c.min, c.max));
        for (pipelines, chunks) in programs.0.iter().zip([fine, near, far]) {
            for (pipeline, index) in pipelines.iter().zip(0..) {
                pass.set_pipeline(pipeline);
                for range in chunks.iter().map(|c: &&Chunk| &c.ranges[index]).filter(|range| !range.is_empty()) {
                    pass.draw_indexed(range.clone(), 0, 0..1);
                }
            }
        }
    }
}

/// Appends a chunk's indices by program.
fn sorted(solids: &Solids, chunk: &SolidChunk, indices: &mut Vec<u32>) -> Chunk {
    let of = |range: &Range<u32>| solids.indices[range.start as usize..range.end as usize].chunks_exact(3);
    // Coverings, as numbered in `solids.wgsl`.
    let covering = |triangle: &[u32]| match solids.vertices[triangle[0] as usize].material[0] >> 24 {
        0 | 1 => 0,
        2 => 1,
        _ => 2,
    };
    let [walls, roofs, plain] = &chunk.ranges;
    let ranges = PROGRAMS.map(|(entry, roofing)| {
        let start = indices.len() as u32;
        match entry {
            "wall" => indices.extend(of(walls).flatten()),
            "roof" => indices.extend(of(roofs).filter(|t| covering(t) == roofing).flatten()),
            _ => indices.extend(of(plain).flatten()),
        }
        start..indices.len() as u32
    });
    Chunk { min: chunk.min, max: chunk.max, ranges }
}

/// Pipelines of the solids: for chunks inside the near shadow map that the fine one reaches, for others inside the near one, and
/// for the rest.
pub(crate) struct Programs([[wgpu::RenderPipeline; PROGRAMS.len()]; 3]);

impl Programs {
    pub(crate) fn new(gpu: &Gpu, pipelines: &Pipelines<'_>, noise_layout: &wgpu::BindGroupLayout) -> Self {
        let sources = [
            include_str!("shaders/light.wgsl"),
            include_str!("shaders/shadow_tap.wgsl"),
            include_str!("shaders/solids.wgsl"),
        ];
        let module = textures::shader(gpu, "solids", &sources);
        let attributes = wgpu::vertex_attr_array![0 => Float32x3, 1 => Snorm8x4, 2 => Float32x2, 3 => Uint32x4];
        let program = |maps: u32, (entry, roofing): (&str, u32)| {
            let constants = [("maps", f64::from(maps)), ("roofing", f64::from(roofing))];
            let stride = size_of::<SolidVertex>() as u64;
            pipelines.with(
                entry,
                &module,
                ("vertex_main", entry),
                &constants,
                &[noise_layout],
                stride,
                &attributes,
                true,
            )
        };
        Self([3, 0, 2].map(|maps| PROGRAMS.map(|which| program(maps, which))))
    }
}
