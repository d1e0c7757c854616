//! Depth maps: the shadow maps (near, far, and fine around the focus), and top-down maps of what stands on the ground.

use std::ops::Range;

use glam::{Mat4, Vec3};
use wgpu::util::DeviceExt as _;

use crate::gpu::Gpu;
use crate::scene::Frustum;
use crate::textures;

/// Texels per side of each shadow map.
pub(crate) const SHADOW_TEXELS: u32 = 4096;
/// Half extents of the near, the far and the fine shadow map, meters.
pub(crate) const SHADOW_REACH: [f32; 3] = [230.0, 1500.0, 40.0];
/// Index of the far map.
const FAR: usize = 1;
/// Texels per side of the top-down map.
pub(crate) const TOPS_TEXELS: u32 = 2048;
/// Half extent of the top-down map, meters.
pub(crate) const TOPS_REACH: f32 = 320.0;
/// Range of heights in top-down maps, meters: from 500 m below the datum to `TOPS_SPAN - 500`.
pub(crate) const TOPS_SPAN: f32 = 4000.0;

/// Texels per side of the maps for reflections in water.
pub(crate) const REFLECTION_TEXELS: u32 = 1024;
/// Their half extent, meters.
pub(crate) const REFLECTION_REACH: f32 = 720.0;

/// A shadow caster: vertices whose first 12 bytes are a position.
pub(crate) struct Caster<'a> {
    pub(crate) vertices: &'a wgpu::Buffer,
    pub(crate) stride: u64,
    pub(crate) indices: &'a wgpu::Buffer,
    /// Its parts: lowest and highest corner, and index range.
    pub(crate) parts: Vec<(Vec3, Vec3, Range<u32>)>,
}

/// World-to-clip matrix of the sun, for `reach` meters around `focus`.
pub(crate) fn sun_view(focus: Vec3, sun: Vec3, reach: f32) -> Mat4 {
    let depth = 3000.0;
    let up = if sun.z.abs() > 0.95 { Vec3::Y } else { Vec3::Z };
    let view = Mat4::look_at_rh(focus + sun * depth, focus, up);
    Mat4::orthographic_rh(-reach, reach, -reach, reach, 0.0, 2.0 * depth) * view
}

/// World-to-clip matrix of a top-down map, for `reach` meters around `focus`.
fn tops_view(focus: Vec3, reach: f32) -> Mat4 {
    let top = TOPS_SPAN - 500.0;
    let view = Mat4::look_at_rh(Vec3::new(focus.x, focus.y, top), Vec3::new(focus.x, focus.y, 0.0), Vec3::Y);
    Mat4::orthographic_rh(-reach, reach, -reach, reach, 0.0, TOPS_SPAN) * view
}

/// The depth maps of a scene.
pub(crate) struct DepthMaps {
    /// Layers: near, far, fine.
    pub(crate) sun: wgpu::TextureView,
    /// Matrices of the layers.
    pub(crate) sun_views: [Mat4; SHADOW_REACH.len()],
    /// Top-down depth of the solids.
    pub(crate) tops: wgpu::TextureView,
    /// Top-down depth of everything but the ground, and of the solids alone; where there is water.
    pub(crate) reflections: Option<[wgpu::TextureView; 2]>,
}

/// Draws the depth maps: `standing` and the ground cast shadows, `solid` is drawn in top-down maps, `wet` says whether there is
/// water.
pub(crate) fn draw(
    gpu: &Gpu,
    (focus, sun): (Vec3, Vec3),
    standing: &[Caster<'_>],
    ground: &[Caster<'_>],
    solid: &[Caster<'_>],
    wet: bool,
) -> DepthMaps {
    let depth_texture = |label, side, layers| {
        gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some(label),
            size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: layers },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Depth32Float,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        })
    };
    let sun_map = depth_texture("sun", SHADOW_TEXELS, SHADOW_REACH.len() as u32);
    let tops_map = depth_texture("tops", TOPS_TEXELS, 1);
    let sun_views = SHADOW_REACH.map(|reach| sun_view(focus, sun, reach));
    for (layer, view) in sun_views.iter().enumerate() {
        let target = sun_map.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2),
            base_array_layer: layer as u32,
            array_layer_count: Some(1),
            ..Default::default()
        });
        // Casters entirely inside the near map are not needed in the far one.
        let nearer = (layer == FAR).then_some(&sun_views[0]);
        draw_one(gpu, &target, (*view, nearer), &[standing, ground], true);
    }
    let tops = tops_map.create_view(&Default::default());
    draw_one(gpu, &tops, (tops_view(focus, TOPS_REACH), None), &[solid], false);
    let reflections = wet.then(|| {
        [standing, solid].map(|casters| {
            let target = depth_texture("reflections", REFLECTION_TEXELS, 1).create_view(&Default::default());
            draw_one(gpu, &target, (tops_view(focus, REFLECTION_REACH), None), &[casters], false);
            target
        })
    });
    DepthMaps {
        sun: sun_map.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        }),
        sun_views,
        tops,
        reflections,
    }
}

/// Whether a view contains all of a box.
pub(crate) fn holds(view: &Mat4, min: Vec3, max: Vec3) -> bool {
    (0..8).all(|i| {
        let corner = Vec3::select(glam::BVec3::new(i & 1 > 0, i & 2 > 0, i & 4 > 0), max, min);
        view.project_point3(corner).truncate().abs().max_element() < 0.99
    })
}

/// Draws the casters in `view`, except those that `nearer` contains.
fn draw_one(
    gpu: &Gpu,
    target: &wgpu::TextureView,
    (view, nearer): (Mat4, Option<&Mat4>),
    casters: &[&[Caster<'_>]],
    biased: bool,
) {
    let frustum = Frustum::new(&view);
    let drawn = |(min, max, range): &&(Vec3, Vec3, Range<u32>)| {
        !range.is_empty() && frustum.sees(*min, *max) && !nearer.is_some_and(|view| holds(view, *min, *max))
    };
    let module = textures::shader(gpu, "cast", &[include_str!("shaders/cast.wgsl")]);
    let group_layout = textures::layout(gpu, "cast", &[textures::buffer_entry(0, wgpu::BufferBindingType::Uniform)]);
    let uniform = gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("cast"),
        contents: bytemuck::bytes_of(&view.to_cols_array()),
        usage: wgpu::BufferUsages::UNIFORM,
    });
    let group = textures::bind(gpu, "cast", &group_layout, &[uniform.as_entire_binding()]);
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("cast"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: target,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Store }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_bind_group(0, &group, &[]);
        for caster in casters.iter().copied().flatten().filter(|c| c.parts.iter().any(|part| !part.2.is_empty())) {
            let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("cast"),
                layout: Some(&textures::pipeline_layout(gpu, &[&group_layout])),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some("vertex_main"),
                    compilation_options: Default::default(),
                    buffers: &[Some(wgpu::VertexBufferLayout {
                        array_stride: caster.stride,
                        step_mode: wgpu::VertexStepMode::Vertex,
                        attributes: &wgpu::vertex_attr_array![0 => Float32x3],
                    })],
                },
                primitive: wgpu::PrimitiveState::default(),
                depth_stencil: Some(wgpu::DepthStencilState {
                    format: wgpu::TextureFormat::Depth32Float,
                    depth_write_enabled: Some(true),
                    depth_compare: Some(wgpu::CompareFunction::Less),
                    stencil: Default::default(),
                    bias: if biased {
                        wgpu::DepthBiasState { constant: 0, slope_scale: 1.5, clamp: 0.0 }
                    } else {
                        Default::default()
                    },
                }),
                multisample: Default::default(),
                fragment: None,
                multiview_mask: None,
                cache: None,
            });
            pass.set_pipeline(&pipeline);
            pass.set_vertex_buffer(0, caster.vertices.slice(..));
            pass.set_index_buffer(caster.indices.slice(..), wgpu::IndexFormat::Uint32);
            for (_, _, range) in caster.parts.iter().filter(drawn) {
                pass.draw_indexed(range.clone(), 0, 0..1);
            }
        }
    }
    gpu.queue.submit([encoder.finish()]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fine_map_shows_two_centimeters_and_reaches_the_walls_around_the_focus() {
        let (focus, sun) = (Vec3::new(12.0, -7.0, 430.0), Vec3::new(0.5, -0.6, 0.62).normalize());
        let fine = sun_view(focus, sun, SHADOW_REACH[2]);
        let across = sun.cross(Vec3::Z).normalize() * 0.02;
        let texels = |p: Vec3| fine.project_point3(p).truncate() * 0.5 * SHADOW_TEXELS as f32;
        let moved = texels(focus + across).distance(texels(focus));
        assert!((0.9..1.5).contains(&moved), "{moved} texels in 2 cm");
        let reach = Vec3::new(26.0, 26.0, 12.0);
        assert!(holds(&fine, focus - reach, focus + reach));
    }
}
