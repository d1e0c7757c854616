//! An animated boundary on the ground. It is part of the ground's shader, so that it follows the terrain exactly, does not
//! z-fight, and is occluded as the ground is.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use crate::gpu::Gpu;
use crate::textures;

/// A boundary on the ground.
#[derive(Debug, Clone, Default)]
pub struct Marking {
    /// Closed rings, east and north in meters, filled by the even-odd rule.
    pub rings: Vec<Vec<Vec2>>,
    /// Color, sRGB from 0 to 1.
    pub color: [f32; 3],
    /// Width of the line, meters; at least nearly two pixels on screen.
    pub width: f32,
}

impl Marking {
    /// Lowest and highest corner of the area that it may cover, with a margin for the line and its corner markers, which are wider
    /// than nominal from far away; `None` without rings.
    pub(crate) fn bounds(&self) -> Option<(Vec2, Vec2)> {
        let room = self.width * 4.0 + 4.0;
        let mut corners = self.rings.iter().flatten().copied();
        let first = corners.next()?;
        let (low, high) = corners.fold((first, first), |(low, high), at| (low.min(at), high.max(at)));
        Some((low - room, high + room))
    }
}

/// How much of a [`Marking`] a frame shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MarkingState {
    /// Share of each ring, from its first corner on, 0 to 1.
    pub line: f32,
    /// Strength of the fill, 0 to 1.
    pub fill: f32,
}

impl MarkingState {
    /// Not shown.
    pub const HIDDEN: Self = Self { line: 0.0, fill: 0.0 };
}

/// Corners that turn by less than this, radians, belong to a curve and get no marker.
const BEND: f32 = 0.3;

#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Edge {
    ends: [f32; 4],
    span: [f32; 4],
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct MarkingUniform {
    bounds: [f32; 4],
    style: [f32; 4],
    state: [f32; 4],
}

/// A marking on the device.
pub(crate) struct GpuMarking {
    uniform: wgpu::Buffer,
    pub(crate) group: wgpu::BindGroup,
    pub(crate) layout: wgpu::BindGroupLayout,
    fixed: MarkingUniform,
}

impl GpuMarking {
    /// Uploads a marking; `None` where it has no edges.
    pub(crate) fn new(gpu: &Gpu, marking: &Marking) -> Option<Self> {
        let edges = edges(marking);
        if edges.is_empty() {
            return None;
        }
        let (low, high) = marking.bounds()?;
        let [red, green, blue] = marking.color;
        let fixed = MarkingUniform {
            bounds: [low.x, low.y, high.x, high.y],
            style: [red, green, blue, 0.5 * marking.width],
            state: [0.0; 4],
        };
        let uniform = textures::buffer(gpu, "marking", bytemuck::bytes_of(&fixed), wgpu::BufferUsages::UNIFORM);
        let edges = textures::buffer(gpu, "edges", bytemuck::cast_slice(&edges), wgpu::BufferUsages::STORAGE);
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
            count: None,
        };
        let layout = textures::layout(
            gpu,
            "marking",
            &[
                entry(0, wgpu::BufferBindingType::Uniform),
                entry(1, wgpu::BufferBindingType::Storage { read_only: true }),
            ],
        );
        let group = textures::bind(gpu, "marking", &layout, &[uniform.as_entire_binding(), edges.as_entire_binding()]);
        Some(Self { uniform, group, layout, fixed })
    }

    /// Sets the state for the next frame; `texels` is the number of texels per pixel of the film along each axis.
    pub(crate) fn show(&self, gpu: &Gpu, drawn: MarkingState, texels: f32) {
        let shown = MarkingUniform { state: [drawn.line, drawn.fill, texels, 0.0], ..self.fixed };
        gpu.queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&shown));
    }
}

/// The edges of all rings, with the share of the ring's length at both ends.
fn edges(marking: &Marking) -> Vec<Edge> {
    let mut edges = Vec::new();
    for ring in marking.rings.iter().filter(|ring| ring.len() >= 3) {
        let count = ring.len();
        let length = |i: usize| ring[i].distance(ring[(i + 1) % count]);
        let total: f32 = (0..count).map(length).sum();
        let mut along = 0.0;
        for i in 0..count {
            let (a, b) = (ring[i], ring[(i + 1) % count]);
            let turn = (a - ring[(i + count - 1) % count]).angle_to(b - a).abs();
            let from = along / total;
            along += length(i);
            edges.push(Edge {
                ends: [a.x, a.y, b.x, b.y],
                span: [from, along / total, if turn > BEND { 1.0 } else { 0.0 }, 0.0],
            });
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use glam::vec2;

    use super::*;

    #[test]
    fn edges_span_the_whole_length_of_their_ring_and_curves_have_no_corner_markers() {
        let square = vec![vec2(0.0, 0.0), vec2(10.0, 0.0), vec2(10.0, 10.0), vec2(0.0, 10.0)];
        // The same with an extra point on its first edge, where it hardly turns.
        let bent = [&square[..1], &[vec2(4.0, 0.1)], &square[1..]].concat();
        let marking = Marking { rings: vec![square, bent, vec![Vec2::ZERO]], color: [1.0; 3], width: 0.5 };
        let edges = edges(&marking);
        assert_eq!(edges.len(), 9);
        assert_eq!((edges[0].span[0], edges[0].span[1]), (0.0, 0.25));
        assert!((edges[3].span[1] - 1.0).abs() < 1e-6 && (edges[8].span[1] - 1.0).abs() < 1e-6);
        assert_eq!(edges.iter().filter(|e| e.span[2] == 1.0).count(), 8);
        assert_eq!(edges[5].span[2], 0.0);
    }
}
