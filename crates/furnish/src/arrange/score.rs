//! How well pieces stand for the picture and for people.

use glam::{Vec2, Vec3};

use super::Placed;
use crate::space::Space;

/// How well a piece is seen: about 0 to 1 where it is in view, below 0 where it is not.
pub(super) fn view(space: &Space, placed: &Placed) -> f32 {
    let print = placed.footprint();
    let high = placed.at.z + placed.piece.size.z;
    let corners = print.corners();
    let places = corners.iter().flat_map(|c| [c.extend(placed.at.z + 0.02), c.extend(high)]);
    let seen = places.filter(|p| space.shows(*p)).count() as f32 / 8.0;
    let (width, height) = (space.camera.width as f32, space.camera.height as f32);
    let middle = placed.at + Vec3::Z * placed.piece.size.z / 2.0;
    let Some(pixel) = space.pixel(middle) else { return -1.0 };
    let off = ((pixel.as_vec2() - Vec2::new(width, height) / 2.0) / (Vec2::new(width, height) / 2.0)).abs();
    let central = 1.0 - 0.5 * off.x.min(1.5) - 0.2 * off.y.min(1.5);
    // Near the lens, things are large and cut off.
    let near = ((2.0 - placed.at.truncate().length()) / 1.2).max(0.0);
    seen * central - 0.55 * near - if seen < 0.3 { 1.0 } else { 0.0 }
}

/// How much of its front a piece turns to the camera, -1 to 1.
pub(super) fn faces_camera(placed: &Placed) -> f32 {
    let front = Vec2::from_angle(placed.yaw).rotate(-Vec2::Y);
    front.dot(-placed.at.truncate().normalize_or_zero())
}
