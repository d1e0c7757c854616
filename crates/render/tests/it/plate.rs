//! Rendered plates: the photo itself, and the photo from moved cameras.

use aerie_render::Picture;
use aerie_render::plate::{Cover, Pixels, PlateRenderer, Pose, Shot, Surface};
use glam::{Mat3, Vec2, Vec3};

use crate::gpu;

const WIDTH: usize = 64;
const HEIGHT: usize = 32;

/// A picture enlarged `times`, such that blocks have the same mean.
fn pixels(times: usize) -> Vec<u8> {
    let value = |x: usize, y: usize, channel: usize| (((x * 37 + y * 91 + channel * 53) % 223) + 16) as u8;
    let (width, height) = (WIDTH * times, HEIGHT * times);
    let texel = |i: usize| {
        let (x, y) = (i % width / times, i / width / times);
        [value(x, y, 0), value(x, y, 1), value(x, y, 2), 255]
    };
    (0..width * height).flat_map(texel).collect()
}

fn luma(rgba: &[u8]) -> Vec<u8> {
    let pixel = |p: &[u8]| {
        let light = 0.2126 * f32::from(p[0]) + 0.7152 * f32::from(p[1]) + 0.0722 * f32::from(p[2]);
        (16.0 + 219.0 * light / 255.0 + 0.5) as u8
    };
    rgba.chunks_exact(4).map(pixel).collect()
}

fn film(shot: &Shot) -> Vec<u8> {
    filmed(shot, None, &[])
}

fn filmed(shot: &Shot, behind: Option<&[u8]>, covers: &[Cover<'_>]) -> Vec<u8> {
    let picture = Picture { width: WIDTH as u32, height: HEIGHT as u32, supersampling: 1.0, vignette: 0.0 };
    let (fitted, double) = (pixels(1), pixels(2));
    let double_size = [2 * WIDTH as u32, 2 * HEIGHT as u32];
    let pixels =
        Pixels { fitted: &fitted, double: &double, double_size, behind, covers, most: (1, false), bodies: None };
    // A wall at distance 1, seen from the photo's own position: pixels are directions, and positions in the photo.
    let photo = Mat3::from_scale(1.0 / Vec2::new(WIDTH as f32, HEIGHT as f32));
    let renderer = PlateRenderer::new(gpu(), pixels, photo, picture).expect("a renderer");
    let mut frame = Vec::new();
    renderer
        .render(
            1,
            |_| shot.clone(),
            |_, nv12| {
                frame = nv12[..WIDTH * HEIGHT].to_vec();
                Ok(())
            },
        )
        .expect("a frame");
    frame
}

fn pose(position: Vec3) -> Pose {
    let surface = Surface { planes: vec![Vec3::Z / (1.0 - position.z)], corner: Vec::new() };
    Pose { ray: Mat3::IDENTITY, position, surfaces: vec![surface] }
}

fn shot(position: Vec3, is_photo: bool) -> Shot {
    Shot { opened: pose(position), closed: pose(position), gain: 1.0, is_photo, bodies: Vec::new() }
}

#[test]
fn the_photo_is_shown_to_the_pixel() {
    assert!(film(&shot(Vec3::new(3.0, 1.0, 0.2), true)) == luma(&pixels(1)));
}

#[test]
fn a_camera_that_has_not_moved_reproduces_the_photo() {
    let (seen, expected) = (film(&shot(Vec3::ZERO, false)), luma(&pixels(1)));
    let most = seen.iter().zip(&expected).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(most <= Some(1), "{most:?}");
}

#[test]
fn a_camera_that_moves_sideways_by_a_pixel_shifts_the_photo_by_a_pixel() {
    let (seen, photo) = (film(&shot(Vec3::new(1.0, 0.0, 0.0), false)), luma(&pixels(1)));
    for y in 0..HEIGHT {
        for x in 0..WIDTH - 1 {
            let (a, b) = (seen[y * WIDTH + x], photo[y * WIDTH + x + 1]);
            assert!(a.abs_diff(b) <= 1, "{x} {y}: {a} for {b}");
        }
    }
}

#[test]
fn what_is_cut_out_moves_before_what_lies_far_behind() {
    let mask: Vec<u8> = (0..WIDTH * HEIGHT).map(|i| if i % WIDTH < WIDTH / 2 { 255 } else { 0 }).collect();
    let behind: Vec<u8> = pixels(2).iter().map(|v| 255 - v).collect();
    let covers = [Cover { is_behind: false, mask: Some(&mask) }, Cover { is_behind: true, mask: None }];
    let mut moved = shot(Vec3::new(4.0, 0.0, 0.0), false);
    moved.opened.surfaces.push(Surface::default());
    moved.closed.surfaces.push(Surface::default());
    let seen = filmed(&moved, Some(&behind), &covers);
    let (photo, far) = (luma(&pixels(1)), luma(&pixels(1).iter().map(|v| 255 - v).collect::<Vec<_>>()));
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let expected = match x {
                0..27 => photo[y * WIDTH + x + 4],
                // The mask's edge.
                27..30 => continue,
                _ => far[y * WIDTH + x],
            };
            assert!(seen[y * WIDTH + x].abs_diff(expected) <= 1, "{x} {y}: {} for {expected}", seen[y * WIDTH + x]);
        }
    }
}
