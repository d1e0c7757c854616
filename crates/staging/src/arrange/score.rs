//! Scores of placements: visibility, composition, free floor.

use glam::{Vec2, Vec3};

use super::placement::Placed;
use crate::site::Footprint;
use crate::space::{Space, Surface};
use aerie_furniture::piece::PieceKind;

/// Share of the corners of a piece that lie in the picture.
pub(super) fn seen(space: &Space, placed: &Placed) -> f32 {
    let high = placed.at.z + placed.piece.size.z;
    let corners = placed.footprint().corners();
    let places = corners.iter().flat_map(|c| [c.extend(placed.at.z + 0.02), c.extend(high)]);
    places.filter(|p| space.shows(*p)).count() as f32 / 8.0
}

/// Whether every standing piece of a group is nearly whole in the picture, apart from `placed`, and hides little of the first of those.
pub(super) fn is_whole(space: &Space, placed: &[Placed], pieces: &[Placed]) -> bool {
    const APART: f32 = 0.8;
    const SEEN: f32 = 0.85;
    /// Share of the first piece, across the picture, that a piece may stand before.
    const HIDDEN: f32 = 0.15;
    let on_floor: Vec<_> = placed.iter().filter(|p| p.is_flat() || p.is_solid()).map(Placed::footprint).collect();
    let first = placed.first().map(|p| bearings(&p.footprint()));
    pieces.iter().filter(|p| p.is_solid()).all(|p| {
        let print = p.footprint();
        let wide = print.wider(APART);
        let [low, high] = bearings(&print);
        seen(space, p) > SEEN
            && on_floor.iter().all(|other| !other.overlaps(&wide))
            && first.is_none_or(|[from, to]| high.min(to) - low.max(from) < HIDDEN * (to - from))
    })
}

/// Azimuths between which the camera sees a footprint, radians.
pub(super) fn bearings(print: &Footprint) -> [f32; 2] {
    let all = print.corners().map(|c| c.x.atan2(c.y));
    [all.into_iter().fold(f32::MAX, f32::min), all.into_iter().fold(f32::MIN, f32::max)]
}

/// Visibility score of a piece: about 0 to 1 in view, below 0 out of view.
pub(super) fn view(space: &Space, placed: &Placed) -> f32 {
    let seen = seen(space, placed);
    let (width, height) = (space.camera.width as f32, space.camera.height as f32);
    let middle = placed.at + Vec3::Z * placed.piece.size.z / 2.0;
    let Some(pixel) = space.pixel(middle) else { return -1.0 };
    let off = ((pixel.as_vec2() - Vec2::new(width, height) / 2.0) / (Vec2::new(width, height) / 2.0)).abs();
    let central = 1.0 - 0.5 * off.x.min(1.5) - 0.2 * off.y.min(1.5);
    // Close to the camera, pieces look large and are cut off.
    let near = ((2.0 - placed.at.truncate().length()) / 1.2).max(0.0);
    seen * central - 0.55 * near - if seen < 0.3 { 1.0 } else { 0.0 }
}

/// Where a group begins and ends across the picture, as shares of its width.
pub(super) fn span(space: &Space, pieces: &[Placed]) -> [f32; 2] {
    let width = space.camera.width as f32;
    let corners = pieces.iter().flat_map(|p| p.footprint().corners().map(|c| c.extend(0.0)));
    let across = corners.filter_map(|place| space.pixel(place)).map(|pixel| (pixel.x as f32 / width).clamp(0.0, 1.0));
    let [low, high] = across.fold([1.0_f32, 0.0_f32], |[low, high], x| [low.min(x), high.max(x)]);
    [low.min(high), high]
}

/// How far the middle of a piece lies to the side of the picture's middle: 0 in it, 1 at the edge.
pub(super) fn off_center(space: &Space, placed: &Placed) -> f32 {
    let half = space.camera.width as f32 / 2.0;
    space.pixel(placed.at).map_or(1.0, |pixel| ((pixel.x as f32 - half) / half).abs())
}

/// Cosine of the angle between the front of a piece and the direction to the camera.
pub(super) fn faces_camera(placed: &Placed) -> f32 {
    let front = Vec2::from_angle(placed.yaw).rotate(-Vec2::Y);
    front.dot(-placed.at.truncate().normalize_or_zero())
}

/// Share of the top of a table that chairs hide from the camera.
pub(super) fn screened(space: &Space, table: &Placed, chairs: &[Placed]) -> f32 {
    const STEPS: u8 = 5;
    let (print, high) = (table.footprint(), table.piece.size.z);
    let turn = Vec2::from_angle(print.yaw);
    let across = |k: u8| 2.0 * (f32::from(k) + 0.5) / f32::from(STEPS) - 1.0;
    let is_hidden = |at: Vec2| {
        let reach = at.length();
        chairs.iter().filter(|chair| chair.is_solid()).any(|chair| {
            let crossed = chair.footprint().crossed(at / reach.max(1e-3));
            // The back of a chair is about as far away as its middle.
            let middle = crossed.map(|[near, far]| (near + far) / 2.0).filter(|middle| *middle < reach);
            middle.is_some_and(|m| space.eye.z + (high - space.eye.z) * m / reach < chair.piece.size.z)
        })
    };
    let places = (0..STEPS * STEPS)
        .map(|i| print.center + turn.rotate(print.half * Vec2::new(across(i % STEPS), across(i / STEPS))));
    places.filter(|at| is_hidden(*at)).count() as f32 / f32::from(STEPS * STEPS)
}

/// Cost of chairs that turn their backs to the camera and are close to it.
pub(super) fn near_backs(pieces: &[Placed]) -> f32 {
    const NEAR: f32 = 3.0;
    let chairs = pieces.iter().filter(|p| matches!(p.piece.kind, PieceKind::DiningChair | PieceKind::DeskChair));
    let cost = |p: &Placed| (NEAR - p.at.truncate().length()).max(0.0) * (0.3 - faces_camera(p)).clamp(0.0, 1.0);
    0.5 * chairs.map(cost).sum::<f32>()
}

/// Visible floor far from all placed pieces, square meters.
pub(super) fn free_floor(space: &Space, placed: &[Placed]) -> f32 {
    const STEP: f32 = 0.25;
    let [low, high] = space.extent(Surface::Floor);
    let prints: Vec<_> = placed.iter().map(Placed::footprint).collect();
    let steps = ((high - low) / STEP).ceil().as_uvec2();
    let place = |i: u32| low + (Vec2::new((i % steps.x) as f32, (i / steps.x) as f32) + 0.5) * STEP;
    let is_free = |p: &Vec2| {
        (1.2..8.0).contains(&p.length())
            && space.holds(*p)
            && space.shows(p.extend(0.0))
            && prints.iter().all(|f| f.distance(*p) > 0.6)
    };
    (0..steps.x * steps.y).map(place).filter(is_free).count() as f32 * STEP * STEP
}

/// Share of a rug that lies to the side of the picture, where its edge is cut off from top to bottom.
pub(super) fn off_sides(space: &Space, rug: &Placed) -> f32 {
    const STEPS: u8 = 9;
    let print = rug.footprint();
    let turn = Vec2::from_angle(print.yaw);
    let (width, height) = (space.camera.width as f64, space.camera.height as f64);
    let across = |k: u8| 2.0 * (f32::from(k) + 0.5) / f32::from(STEPS) - 1.0;
    let places = (0..STEPS * STEPS)
        .map(|i| print.center + turn.rotate(print.half * Vec2::new(across(i % STEPS), across(i / STEPS))));
    let pixels = places.filter_map(|place| space.pixel(place.extend(0.0))).filter(|p| p.y < height);
    let (off, all) = pixels
        .fold((0.0_f32, 0.0_f32), |(off, all), p| (off + f32::from(u8::from(!(0.0..width).contains(&p.x))), all + 1.0));
    off / all.max(1.0)
}

#[cfg(test)]
mod tests {
    use aerie_photo::room::Camera;

    use super::*;
    use crate::space::boxed;
    use aerie_furniture::piece::Piece;

    fn room() -> Space {
        let camera = Camera::turned(900, 600, 600.0, -0.12, 0.0, 0.0);
        boxed(camera, 1.5, Vec2::new(-4.0, -1.0), Vec2::new(4.0, 7.0), 2.6)
    }

    fn placed(kind: PieceKind, size: Vec3, at: Vec2, yaw: f32) -> Placed {
        Placed { piece: Piece::new(kind, size), at: at.extend(0.0), yaw }
    }

    #[test]
    fn a_rug_is_cut_off_at_the_side_of_the_picture_but_not_at_its_lower_edge() {
        let rug = |at: Vec2| placed(PieceKind::Rug, Vec3::new(2.4, 1.8, 0.01), at, 0.0);
        assert_eq!(off_sides(&room(), &rug(Vec2::new(0.0, 4.0))), 0.0);
        assert_eq!(off_sides(&room(), &rug(Vec2::new(0.0, 2.2))), 0.0);
        let cut = off_sides(&room(), &rug(Vec2::new(2.8, 4.0)));
        assert!((0.2..0.9).contains(&cut), "{cut}");
    }

    #[test]
    fn chairs_before_a_table_hide_it_and_chairs_behind_it_do_not() {
        let table = placed(PieceKind::DiningTable, Vec3::new(1.6, 0.9, 0.75), Vec2::new(0.0, 3.0), 0.0);
        let chair =
            |away: f32, yaw: f32| placed(PieceKind::DiningChair, Vec3::new(0.5, 0.55, 0.95), Vec2::new(0.0, away), yaw);
        let (before, behind) = (chair(2.2, std::f32::consts::PI), chair(3.8, 0.0));
        assert!(screened(&room(), &table, std::slice::from_ref(&before)) > 0.1);
        assert_eq!(screened(&room(), &table, std::slice::from_ref(&behind)), 0.0);
        // Its back is turned to the camera and close to it.
        assert!(near_backs(&[table.clone(), before]) > 0.2);
        assert_eq!(near_backs(&[table, behind]), 0.0);
    }
}
