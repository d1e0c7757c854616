//! What stands on and in furniture: small groups as a stylist arranges them.

use aerie_math::Rng;
use glam::Vec3;

use super::{decor, plants, table_lamps, trays, vases};
use crate::palette::Palette;
use crate::piece::Piece;

/// Groups along the top of a long piece: something tall at one end, books with a bowl, something green at the other end.
pub(super) fn vignette(piece: &mut Piece, palette: &Palette, size: Vec3, rng: &mut Rng) {
    let (half, z) = (size.x / 2.0, size.z);
    let side = if rng.random_bool_f32(0.5) { 1.0 } else { -1.0 };
    let y = 0.03;
    if rng.random_bool_f32(0.6) {
        let lamp = table_lamps::table_lamp(palette, table_lamps::table_form(palette, rng), rng);
        piece.attach(&lamp, 0.0, Vec3::new(-side * (half - 0.22), y, z));
    } else {
        let vase = vases::vase(vases::tall(palette.style, rng), rng);
        piece.attach(&vase, 0.0, Vec3::new(-side * (half - 0.22), y, z));
    }
    let books = decor::books(2 + rng.below(2), rng);
    let middle = rng.range_f32(-0.08, 0.08) * size.x;
    piece.attach(&books, rng.range_f32(-0.15, 0.15), Vec3::new(middle, y - 0.02, z));
    let on_books = if rng.random_bool_f32(0.5) { decor::bowl(rng).scaled(0.6) } else { decor::knot() };
    piece.attach(&on_books, rng.range_f32(0.0, 3.0), Vec3::new(middle, y - 0.02, z + books.size.z));
    match rng.below(3) {
        0 => piece.attach(&plants::small(palette, rng), 0.0, Vec3::new(side * (half - 0.20), y, z)),
        1 => {
            let vase = vases::vase(vases::low(rng), rng);
            piece.attach(&vase, 0.0, Vec3::new(side * (half - 0.22), y, z));
            piece.attach(&trays::candles(rng), 0.0, Vec3::new(side * (half - 0.46), y - 0.02, z));
        }
        _ => {
            piece.attach(&trays::tray(rng, false), 0.0, Vec3::new(side * (half - 0.30), y, z));
        }
    }
}

/// Something in an open part of a cabinet: its lower middle and its room.
pub(super) fn fill(piece: &mut Piece, at: Vec3, room: Vec3, rng: &mut Rng) {
    let at = at.with_z(at.z + 0.010);
    if room.z < 0.14 {
        piece.attach(&decor::books(2, rng).scaled(0.85), rng.range_f32(-0.1, 0.1), at);
    } else if rng.random_bool_f32(0.5) {
        piece.attach(&decor::books(3, rng).scaled(0.9), rng.range_f32(-0.1, 0.1), at);
    } else {
        let scale = (room.z / 0.12).min(1.0);
        piece.attach(&decor::bowl(rng).scaled(scale * 0.8), 0.0, at);
    }
}

/// A group on a low table: books and a bowl or a tray, and something that grows.
pub(super) fn low_group(piece: &mut Piece, palette: &Palette, reach: [f32; 2], z: f32, rng: &mut Rng) {
    let [x, y] = reach;
    let side = if rng.random_bool_f32(0.5) { 1.0 } else { -1.0 };
    match rng.below(3) {
        0 => {
            let books = decor::books(2, rng).scaled(0.9);
            piece.attach(&books, rng.range_f32(-0.3, 0.3), Vec3::new(-side * x, -y * 0.2, z));
            let top = z + books.size.z;
            piece.attach(&trays::candle(0.07, rng), 0.0, Vec3::new(-side * x, -y * 0.2, top));
            let vase = vases::vase(vases::low(rng), rng);
            piece.attach(&vase, 0.0, Vec3::new(side * x, y * 0.3, z));
        }
        1 => {
            piece.attach(&trays::tray(rng, true), 0.1 * side, Vec3::new(side * x * 0.6, 0.0, z));
            let books = decor::books(2, rng).scaled(0.85);
            piece.attach(&books, rng.range_f32(-0.2, 0.4), Vec3::new(-side * x * 1.1, y * 0.1, z));
        }
        _ => {
            let books = decor::books(3, rng).scaled(0.9);
            piece.attach(&books, rng.range_f32(-0.3, 0.3), Vec3::new(-side * x, y * 0.2, z));
            piece.attach(&decor::bowl(rng).scaled(0.9), 0.0, Vec3::new(side * x * 0.5, -y * 0.4, z));
            piece.attach(
                &vases::vase(vases::tall(palette.style, rng), rng).scaled(0.8),
                0.0,
                Vec3::new(side * x * 1.15, y * 0.4, z),
            );
        }
    }
}
