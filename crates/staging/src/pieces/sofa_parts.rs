//! Parts that several sofas have.

use glam::Vec2;

use crate::mesh::Solid;
use crate::shape::plate;

/// Cross-section of a rolled arm or back, from the seat inside, over the roll and down the outside: outward and up.
pub(super) fn roll_profile(low: f32, seat: f32, top: f32, radius: f32, lean: f32) -> Vec<Vec2> {
    let center = Vec2::new(lean + radius * 0.75, top - radius);
    let mut points = vec![Vec2::new(0.0, seat)];
    let begin = center + Vec2::from_angle(2.95) * radius;
    points.push(Vec2::new(begin.x * 0.35, seat + (begin.y - seat) * 0.55));
    for i in 0..=16 {
        points.push(center + Vec2::from_angle(2.95 - 4.5 * i as f32 / 16.0) * radius);
    }
    let outside = center.x + radius * 0.42;
    points.push(Vec2::new(outside, center.y - radius * 1.25));
    points.push(Vec2::new(outside, low));
    points
}

/// A plate whose outline is in the plane of X and Z, as thick along Y, centered on y = 0.
pub(super) fn face_along_y(outline: &[Vec2], thick: f32, soft: f32) -> Solid {
    plate(outline, thick, soft).pitched(std::f32::consts::FRAC_PI_2).moved(0.0, thick / 2.0, 0.0)
}
