//! Armchairs with visible frames: wood, rattan, slings.

use aerie_math::Rng;
use glam::Vec3;

use super::dressing::{Nook, cloth, seed};
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::joinery::{bar, bent, curve, dowel, tapered};
use crate::shape::upholstery::{Cushion, pad};
use crate::shape::{ellipse, rod, sheet, tube};

/// A wooden frame with loose cushions.
pub(super) fn wooden(palette: &Palette, rng: &mut Rng) -> Piece {
    let (width, depth, seat, top) = (0.72, 0.80, 0.42, 0.82);
    let role = cloth(palette);
    let mut piece = Piece::new(PieceKind::Armchair, Vec3::new(width, depth, top));
    let x = width / 2.0 - 0.032;
    let (front, back) = (-depth / 2.0 + 0.10, depth / 2.0 - 0.20);
    for side in [-1.0, 1.0] {
        let at = |y: f32, z: f32| Vec3::new(side * x, y, z);
        piece.add(tapered(at(front, 0.575), at(front - 0.045, 0.0), [0.036, 0.046], 0.60, side), Role::Wood);
        piece.add(tapered(at(back, 0.55), at(back + 0.10, 0.0), [0.036, 0.046], 0.60, side + 2.0), Role::Wood);
        // The arm rises toward its front and is broad there.
        let line = curve(
            &[at(front - 0.055, 0.585), at(front + 0.06, 0.590), at(back - 0.10, 0.562), at(back + 0.06, 0.548)],
            5,
        );
        let arm = sheet(line.len(), 17, |s, t| {
            let p = line[(s * (line.len() - 1) as f32).round() as usize];
            let (sin, cos) = (std::f32::consts::TAU * t).sin_cos();
            let wide = 0.024 + 0.012 * (1.0 - s);
            let square = |v: f32| v.signum() * v.abs().powf(0.55);
            let end = (1.0 - (2.0 * s - 1.0).abs().powi(14)).max(0.02);
            p + Vec3::new(square(cos) * wide * end, 0.0, square(sin) * 0.012 * end)
        });
        piece.add(arm.grained(1, side + 4.0), Role::Wood);
        piece.add(bar(at(front, 0.27), at(back, 0.235), 0.024, 0.05, side + 6.0), Role::Wood);
        let (low, high) =
            (Vec3::new(side * (x - 0.035), back - 0.03, 0.25), Vec3::new(side * (x - 0.035), back + 0.155, top - 0.03));
        piece.add(tapered(low, high, [0.026, 0.038], 0.7, side), Role::Wood);
    }
    for (y, z) in [(front, 0.27), (back, 0.235), (back + 0.15, top - 0.055), (back + 0.075, 0.56)] {
        let reach = if z > 0.5 { x - 0.03 } else { x };
        piece.add(bar(Vec3::new(-reach, y, z), Vec3::new(reach, y, z), 0.022, 0.046, z), Role::Wood);
    }
    for i in 1..8 {
        let x = (i as f32 / 8.0 * 2.0 - 1.0) * (x - 0.03);
        let solid =
            dowel(Vec3::new(x, back - 0.01, 0.30), Vec3::new(x, back + 0.15, top - 0.055), 0.0075, 0.0075, i as f32);
        piece.add(solid, Role::Wood);
    }
    let wide = width - 0.13;
    let cushion = Cushion::new(wide, 0.62, 0.125, seed(rng)).edged(0.032).filled(0.026, 0.9).lying().pitched(-0.06);
    piece.add(cushion.moved(0.0, -0.055, seat - 0.135), role);
    let cushion = Cushion::new(wide - 0.01, 0.46, 0.125, seed(rng)).edged(0.035).filled(0.032, 1.0).standing();
    piece.add(cushion.pitched(-0.33).moved(0.0, back - 0.075, seat - 0.04), role);
    Nook { half: wide / 2.0, back: back - 0.12, seat, lean: 0.33, high: 0.4 }.dress_chair(&mut piece, rng);
    piece
}

/// A fan of rattan around a round seat.
pub(super) fn rattan(rng: &mut Rng) -> Piece {
    let (width, depth, seat, top) = (0.82, 0.74, 0.40, 1.12);
    let mut piece = Piece::new(PieceKind::Armchair, Vec3::new(width, depth, top));
    // The back leans and closes around the sitter.
    let back = |turn: f32, reach: f32| {
        let (sin, cos) = turn.sin_cos();
        let (x, z) = (0.385 * reach * cos, 0.36 + (top - 0.38) * reach * sin.max(-0.1));
        Vec3::new(x, 0.19 + 0.15 * (z - 0.36) - 0.42 * x * x, z)
    };
    let arc = |reach: f32, from: f32, to: f32, count: usize| -> Vec<Vec3> {
        (0..=count).map(|i| back(from + (to - from) * i as f32 / count as f32, reach)).collect()
    };
    let (low, high) = (0.12, std::f32::consts::PI - 0.12);
    for (reach, radius) in [(1.0, 0.017), (0.955, 0.009), (0.68, 0.008), (0.64, 0.008)] {
        piece.add(tube(&arc(reach, low, high, 36), radius, 8, false), Role::Cane);
    }
    for i in 0..=26 {
        let turn = low + (high - low) * i as f32 / 26.0;
        piece.add(tube(&[back(turn, 0.06), back(turn, 0.5), back(turn, 0.985)], 0.0048, 6, false), Role::Cane);
    }
    // Scallops between the two inner arcs and the rim.
    let wave: Vec<Vec3> = (0..=104)
        .map(|i| i as f32 / 104.0)
        .map(|s| back(low + (high - low) * s, 0.82 + 0.10 * (s * 26.0 * std::f32::consts::PI).cos()))
        .collect();
    piece.add(tube(&wave, 0.004, 5, false), Role::Cane);
    // Arms: from the rim around to the front of the seat.
    for side in [-1.0, 1.0] {
        let turn = if side > 0.0 { 0.36 } else { std::f32::consts::PI - 0.36 };
        for (drop, radius) in [(0.0, 0.016), (0.05, 0.009)] {
            let rim = back(turn, 1.0 - drop);
            let path = [
                rim,
                Vec3::new(side * (0.385 - drop), -0.02, 0.60 - drop),
                Vec3::new(side * (0.35 - drop), -0.22, 0.55 - drop),
                Vec3::new(side * (0.28 - drop * 0.5), -0.29 + drop * 0.4, 0.40),
                Vec3::new(side * 0.25, -0.27 + drop * 0.4, 0.0),
            ];
            piece.add(bent(&path, radius), Role::Cane);
        }
        piece.add(
            bent(&[back(turn, 0.98), Vec3::new(side * 0.30, 0.24, 0.30), Vec3::new(side * 0.27, 0.27, 0.0)], 0.016),
            Role::Cane,
        );
    }
    let ring = |wide: f32, deep: f32, z: f32| -> Vec<Vec3> {
        ellipse(wide, deep, 36).iter().map(|p| (*p - glam::Vec2::Y * 0.03).extend(z)).collect()
    };
    piece.add(tube(&ring(0.60, 0.56, seat - 0.09), 0.017, 8, true), Role::Cane);
    piece.add(tube(&ring(0.58, 0.54, seat - 0.125), 0.010, 8, true), Role::Cane);
    piece.add(tube(&ring(0.53, 0.54, 0.13), 0.012, 8, true), Role::Cane);
    for i in 0..18 {
        let turn = std::f32::consts::TAU * i as f32 / 18.0;
        let at = |r: f32, z: f32| Vec3::new(r * turn.cos(), r * 0.94 * turn.sin() - 0.03, z);
        piece.add(rod(at(0.285, 0.13 - 0.13 * 0.0), at(0.29, seat - 0.12), 0.0045), Role::Cane);
    }
    piece.add(pad(&ellipse(0.56, 0.52, 40), 0.085, 0.04, 0.03, seed(rng)).moved(0.0, -0.03, seat - 0.075), Role::Linen);
    Nook { half: 0.25, back: 0.20, seat: seat + 0.025, lean: 0.18, high: 0.5 }.dress_chair(&mut piece, rng);
    piece
}

/// Leather slung between wooden or metal bars.
pub(super) fn sling(palette: &Palette, rng: &mut Rng) -> Piece {
    let (width, depth, top) = (0.70, 0.76, 0.80);
    let mut piece = Piece::new(PieceKind::Armchair, Vec3::new(width, depth, top));
    let x = width / 2.0 - 0.03;
    let is_metal = palette.on_metal;
    let beam = |piece: &mut Piece, from: Vec3, to: Vec3, cut: f32| {
        if is_metal {
            piece.add(rod(from, to, 0.012), Role::DarkMetal);
        } else {
            piece.add(dowel(from, to, 0.017, 0.017, cut), Role::Wood);
        }
    };
    for side in [-1.0, 1.0] {
        let at = |y: f32, z: f32| Vec3::new(side * x, y, z);
        beam(&mut piece, at(-0.31, 0.0), at(-0.31, 0.60), side);
        beam(&mut piece, at(0.23, 0.0), at(0.23, 0.56), side + 2.0);
        beam(&mut piece, at(-0.32, 0.37), at(0.24, 0.28), side + 4.0);
        beam(&mut piece, at(-0.31, 0.14), at(0.23, 0.14), side + 5.0);
        beam(
            &mut piece,
            Vec3::new(side * (x - 0.05), 0.10, 0.26),
            Vec3::new(side * (x - 0.05), 0.345, top - 0.015),
            side + 6.0,
        );
        // A strap for an arm.
        let strap = sheet(16, 13, |s, t| {
            let y = -0.335 + 0.60 * s;
            let sag = 0.016 * (std::f32::consts::PI * s).sin();
            let (sin, cos) = (std::f32::consts::TAU * t).sin_cos();
            Vec3::new(side * x + 0.030 * cos, y, 0.602 - 0.04 * s - sag + 0.004 * sin)
        });
        piece.add(strap, Role::Leather);
    }
    for (y, z) in [(-0.31, 0.36), (0.23, 0.285), (0.23, 0.14), (-0.31, 0.14)] {
        beam(&mut piece, Vec3::new(-x, y, z), Vec3::new(x, y, z), y + z);
    }
    for (y, z) in [(0.15, 0.37), (0.34, 0.77)] {
        beam(&mut piece, Vec3::new(0.05 - x, y, z), Vec3::new(x - 0.05, y, z), y + z);
    }
    let noise = seed(rng);
    // Seat and back: hides that sag between the bars and wrap around them.
    let slung = |from: Vec3, to: Vec3, half: f32, sag: f32| {
        let normal = (to - from).cross(Vec3::X).normalize();
        let normal = if normal.z < 0.0 { -normal } else { normal };
        sheet(25, 2 * 19, move |s, t| {
            let (share, under) =
                if t < 0.5 { (t * 2.0 * 37.0 / 36.0, 0.0) } else { ((1.0 - t) * 2.0 * 37.0 / 36.0, 1.0) };
            let share = share.min(1.0);
            let across = s * 2.0 - 1.0;
            let dip = sag * (std::f32::consts::PI * share).sin() * (0.75 + 0.25 * (1.0 - across * across));
            let crease = (crate::noise::value_noise(Vec3::new(across * 3.0, share * 4.0, 0.0), noise) - 0.5) * 0.008;
            let p = from.lerp(to, share) + Vec3::X * across * half;
            p + normal * (0.016 - dip + crease - 0.007 * under)
        })
    };
    piece.add(slung(Vec3::new(0.0, -0.315, 0.366), Vec3::new(0.0, 0.24, 0.29), x - 0.03, 0.075), Role::Leather);
    piece.add(slung(Vec3::new(0.0, 0.148, 0.37), Vec3::new(0.0, 0.338, 0.775), x - 0.06, 0.05), Role::Leather);
    for side in [-1.0, 1.0] {
        for y in [-0.26, -0.1, 0.06, 0.19] {
            let z = 0.375 - 0.145 * (y + 0.315);
            piece.add(crate::shape::ball(0.008).moved(side * (x - 0.045), y, z), Role::Metal);
        }
    }
    piece.add(bar(Vec3::new(0.06 - x, 0.345, 0.79), Vec3::new(x - 0.06, 0.345, 0.79), 0.01, 0.006, 1.0), Role::Leather);
    Nook { half: 0.26, back: 0.065, seat: 0.335, lean: 0.42, high: 0.4 }.dress_chair(&mut piece, rng);
    piece
}
