//! A photo studio for single pieces: a bare, even room with a window, in which a piece is seen from any side.

use std::f32::consts::PI;

use aerie_math::color::encoded;
use aerie_photo::room::{Camera, Scale};
use aerie_photo::{Photo, Picture};
use glam::{Vec2, Vec3};

use crate::composite::composite;
use crate::effort::Effort;
use crate::light::Shell;
use crate::monitor::Monitor;
use crate::space::{Side, Space};
use crate::trace::Scene;
use aerie_furniture::material::Material;
use aerie_furniture::mesh::Mesh;
use aerie_furniture::piece::Piece;

/// Half the width of the studio, and its height, meters.
const REACH: f32 = 6.0;
const HEIGHT: f32 = 4.0;
/// Radiance of its surfaces, and of its window.
const EVEN: f32 = 0.62;
const BRIGHT: f32 = 7.0;
/// Angle of the camera above the piece, and its field of view, radians.
const ABOVE: f32 = 0.33;
const FIELD: f32 = 0.55;

/// The angle from which a piece shows its front and a side.
pub const FRONT: f32 = 0.45;

/// Where the camera and the window of the studio are, from a piece on z = 0 whose footprint is centered on the origin, meters.
#[derive(Debug, Clone, Copy)]
pub struct Setup {
    /// The camera.
    pub eye: Vec3,
    /// What it looks at.
    pub target: Vec3,
    /// Its field of view, radians.
    pub field: f32,
    /// Radiance of the room.
    pub even: f32,
    /// Radiance of the window.
    pub bright: f32,
    /// Low and high corner of the window, on the wall to the left.
    pub window: [Vec3; 2],
}

impl Setup {
    /// The studio around a piece of a size, which fills the picture.
    #[must_use]
    pub fn of(size: Vec3) -> Self {
        let radius = 0.5 * size.length().max(0.05);
        let away = radius / (FIELD * 0.5).sin() * 0.93;
        let target = Vec3::new(0.0, 0.0, size.z / 2.0);
        let eye = target + away * Vec3::new(0.0, -ABOVE.cos(), ABOVE.sin());
        // Beside the camera and before it.
        let window = [Vec3::new(-REACH, eye.y - 4.0, 0.9), Vec3::new(-REACH, eye.y + 0.6, HEIGHT - 0.4)];
        Self { eye, target, field: FIELD, even: EVEN, bright: BRIGHT, window }
    }
}

/// A square picture of a piece, `side` pixels wide, seen from `turn` radians to the right of its front.
#[must_use]
pub fn picture(piece: &Piece, materials: &[Material], side: usize, turn: f32, effort: &Effort) -> Picture {
    let Setup { eye, window, .. } = Setup::of(piece.size);
    let focal = side as f64 / (2.0 * f64::from(FIELD * 0.5).tan());
    let camera = Camera::turned(side, side, focal, -f64::from(ABOVE), 0.0, 0.0);
    // In the axes of a room the camera is over the origin.
    let (near, far) = (-REACH - eye.y.abs(), REACH - eye.y);
    let corners = [Vec2::new(-REACH, near), Vec2::new(REACH, near), Vec2::new(REACH, far), Vec2::new(-REACH, far)];
    let sides = (0..4)
        .map(|i| {
            let (from, to) = (corners[i], corners[(i + 1) % 4]);
            Side { from, to, inward: (to - from).normalize().perp(), seen: true }
        })
        .collect::<Vec<Side>>();
    let height = HEIGHT.max(eye.z + 1.0);
    let scale = Scale::known(f64::from(eye.z));
    let space = Space { camera, eye: Vec3::new(0.0, 0.0, eye.z), height, sides, scale };
    // The wall on the left runs toward the camera.
    let along = |corner: Vec3| far - (corner.y - eye.y);
    let rect = [Vec2::new(along(window[1]), window[0].z), Vec2::new(along(window[0]), window[1].z)];
    let mut shell = Shell::even(space, Vec3::splat(EVEN)).with_windows(&[(3, rect)], Vec3::splat(BRIGHT));
    let mut mesh = Mesh::default();
    mesh.place(&piece.mesh, -turn, Vec3::new(0.0, -eye.y, 0.0));
    let mut scene = Scene::new(mesh, materials.to_vec());
    let photo = Photo::new(side, side, vec![encoded([EVEN; 3]); side * side]);
    let pixels =
        composite(&photo, &mut shell, &mut scene, effort, 1, &Monitor::NONE).map_or(photo.pixels, |c| c.pixels);
    let pixels = pixels.iter().flatten().map(|v| ((u32::from(*v) + 128) / 257) as u8).collect();
    Picture { width: side, height: side, pixels }
}

/// The angles of `count` pictures all around a piece, from slightly right of its front.
pub fn around(count: usize) -> impl Iterator<Item = f32> {
    (0..count).map(move |i| FRONT + 2.0 * PI * i as f32 / count as f32)
}
