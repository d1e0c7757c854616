//! Frames of small synthetic scenes.

use aerie_render::scene::{
    Camera, Cover, GroundLevel, HeightField, Light, PaintVertex, Scene, SolidChunk, SolidVertex,
};
use aerie_render::{Gpu, RenderError};
use aerie_render::{Picture, SceneRenderer};
use glam::{Vec2, Vec3, vec3};

use crate::gpu;

const PICTURE: Picture = Picture { width: 320, height: 180, supersampling: 1.414, vignette: 0.1 };

/// A lake on a plain; the camera is south of it, facing north.
fn lake() -> Scene {
    let corner = |x: f32, y: f32, cover: Cover, albedo: [f32; 3]| PaintVertex {
        position: [x, y],
        color: [albedo[0], albedo[1], albedo[2], 1.0],
        grain: [f32::from(cover as u8), 0.0],
        local: [0.0; 2],
    };
    let square = |half: f32, cover: Cover, albedo: [f32; 3]| {
        let at = |x: f32, y: f32| corner(x * half, y * half, cover, albedo);
        [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)]
    };
    let mut paint = square(40_000.0, Cover::Lawn, [0.08, 0.10, 0.04]).to_vec();
    paint.extend(square(60.0, Cover::Water, [0.028, 0.046, 0.048]));
    Scene {
        light: Light::default(),
        terrain: HeightField {
            min: Vec2::splat(-400.0),
            spacing: 20.0,
            columns: 41,
            rows: 41,
            heights: vec![0.0; 41 * 41],
            near: None,
        },
        paint,
        ground_levels: vec![GroundLevel { center: Vec2::ZERO, half_extent: 400.0, texels: 1024 }],
        ..Scene::default()
    }
}

/// Adds a block on the ground: center, half sizes, height.
fn block(scene: &mut Scene, middle: Vec2, half: Vec2, height: f32) {
    let corner = |k: usize, z: f32| {
        let turn = [Vec2::new(-1.0, -1.0), Vec2::new(1.0, -1.0), Vec2::new(1.0, 1.0), Vec2::new(-1.0, 1.0)][k % 4];
        (middle + turn * half).extend(z)
    };
    let mut faces: Vec<[Vec3; 4]> =
        (0..4).map(|k| [corner(k, 0.0), corner(k + 1, 0.0), corner(k + 1, height), corner(k, height)]).collect();
    faces.push([0, 1, 2, 3].map(|k| corner(k, height)));
    for face in faces {
        let normal = (face[1] - face[0]).cross(face[2] - face[0]).normalize() * 127.0;
        let base = scene.solids.vertices.len() as u32;
        scene.solids.vertices.extend(face.map(|position| SolidVertex {
            position: position.to_array(),
            normal: [normal.x as i8, normal.y as i8, normal.z as i8, 127],
            uv: [0.0; 2],
            material: [u32::from_le_bytes([140, 140, 140, 0]), 0, 0, 0],
        }));
        scene.solids.indices.extend([0, 1, 2, 0, 2, 3].map(|i| base + i));
    }
    let count = scene.solids.indices.len() as u32;
    let (min, max) = ((middle - half).extend(0.0), (middle + half).extend(height));
    scene.solids.chunks = vec![SolidChunk { min, max, ranges: [0..0, 0..0, 0..count] }];
}

fn luma(gpu: &Gpu, scene: &Scene, picture: Picture) -> Vec<u8> {
    let camera = Camera { eye: vec3(0.0, -100.0, 22.0), target: vec3(0.0, 30.0, 0.0), up: Vec3::Z, field: 0.5 };
    let mut out = Vec::new();
    SceneRenderer::new(gpu, scene, picture)
        .and_then(|renderer| {
            renderer.render(
                1,
                |_| camera,
                |_, nv12| -> Result<(), RenderError> {
                    out = nv12[..(picture.width * picture.height) as usize].to_vec();
                    Ok(())
                },
            )
        })
        .expect("a frame is drawn");
    out
}

/// Mean luma around a column, within a share of the rows.
fn mean(luma: &[u8], column: usize, rows: [f32; 2]) -> f32 {
    let (width, height) = (PICTURE.width as usize, PICTURE.height as f32);
    let rows = (rows[0] * height) as usize..(rows[1] * height) as usize;
    let values: Vec<f32> =
        rows.flat_map(|row| (column - 8..column + 8).map(move |x| f32::from(luma[row * width + x]))).collect();
    values.iter().sum::<f32>() / values.len() as f32
}

#[test]
fn water_reflects_what_stands_on_its_bank() {
    let mut bare = lake();
    // Light from behind the camera, so that the block's shadow falls behind it.
    bare.light.sun_direction = vec3(0.0, -0.75, 0.66).normalize();
    let mut built = bare.clone();
    block(&mut built, Vec2::new(0.0, 72.0), Vec2::new(9.0, 8.0), 16.0);
    let (bare, built) = (luma(gpu(), &bare, PICTURE), luma(gpu(), &built, PICTURE));
    // The far bank is at 44 % of the picture's height.
    let rows = [0.455, 0.485];
    let before = mean(&bare, 160, rows) - mean(&built, 160, rows);
    let beside = mean(&bare, 40, rows) - mean(&built, 40, rows);
    assert!(before > 6.0 && beside.abs() < 1.0, "{before:.1} before the block, {beside:.1} beside it");
}

#[test]
fn two_samples_per_pixel_are_close_to_nine() {
    let mut scene = lake();
    block(&mut scene, Vec2::new(0.0, 72.0), Vec2::new(9.0, 8.0), 16.0);
    let [two, nine, one] =
        [1.414, 3.0, 1.0].map(|supersampling| luma(gpu(), &scene, Picture { supersampling, ..PICTURE }));
    let like = |a: &[u8], b: &[u8]| {
        let square: f64 = a.iter().zip(b).map(|(x, y)| (f64::from(*x) - f64::from(*y)).powi(2)).sum();
        10.0 * (255.0 * 255.0 * a.len() as f64 / square.max(1e-9)).log10()
    };
    let (two, one) = (like(&two, &nine), like(&one, &nine));
    assert!(two > 38.0 && two > one, "{two:.1} dB with two samples per pixel, {one:.1} dB with one");
}

#[test]
fn a_finer_part_of_the_terrain_looks_as_if_all_of_it_were_that_fine() {
    let mound = |at: Vec2| 7.0 * (1.0 - (at - Vec2::new(0.0, 20.0)).length() / 30.0).max(0.0);
    let field = |half: f32, spacing: f32, height: &dyn Fn(Vec2) -> f32| {
        let count = (2.0 * half / spacing) as usize + 1;
        let at = |k: usize| Vec2::new((k % count) as f32, (k / count) as f32) * spacing - half;
        HeightField {
            min: Vec2::splat(-half),
            spacing,
            columns: count,
            rows: count,
            heights: (0..count * count).map(|k| height(at(k))).collect(),
            near: None,
        }
    };
    let scene = |terrain: HeightField| {
        let mut scene = lake();
        scene.paint.truncate(6);
        Scene { terrain, ..scene }
    };
    let flat = field(400.0, 20.0, &|_| 0.0);
    let near = Some(Box::new(field(70.0, 2.0, &mound)));
    let [bare, part, whole] = [flat.clone(), HeightField { near, ..flat }, field(400.0, 2.0, &mound)]
        .map(|terrain| luma(gpu(), &scene(terrain), PICTURE));
    let apart =
        |a: &[u8], b: &[u8]| a.iter().zip(b).map(|(x, y)| f64::from(x.abs_diff(*y))).sum::<f64>() / a.len() as f64;
    let (same, other) = (apart(&part, &whole), apart(&part, &bare));
    assert!(same < 0.1 && other > 0.3, "{same:.3} from all that fine, {other:.3} from without");
}
