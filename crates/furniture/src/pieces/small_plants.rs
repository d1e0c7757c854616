//! Small plants that stand on furniture.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::foliage::{coin, leaf, posed, shaped, tapered};
use super::pots::{self, Pot};
use super::vases::along;
use crate::mesh::Solid;
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};

/// A small plant of any form.
#[must_use]
pub fn small(palette: &Palette, rng: &mut Rng) -> Piece {
    let form = rng.below(5);
    formed(palette, form, rng)
}

/// A small plant of a form.
#[must_use]
pub fn formed(palette: &Palette, form: usize, rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::SmallPlant, Vec3::new(0.26, 0.26, 0.28));
    let sort = match pots::suiting(palette, rng) {
        Pot::Woven | Pot::Stand => Pot::Glazed,
        other => other,
    };
    let soil = pots::pot(&mut piece, sort, 0.065, 0.105, rng);
    match form {
        1 => succulent(&mut piece, soil, rng),
        2 => fern(&mut piece, soil, rng),
        3 => herbs(&mut piece, soil, rng),
        4 => pilea(&mut piece, soil, rng),
        _ => pothos(&mut piece, soil, rng),
    }
    piece
}

/// Heart-shaped leaves, some on vines that hang over the rim.
fn pothos(piece: &mut Piece, soil: f32, rng: &mut Rng) {
    let heart = |long: f32, droop: f32| {
        shaped(long, droop, 0.35, [8, 6], |t| {
            long * 0.80 * (PI * (0.10 + 0.90 * t.powf(0.62))).sin().max(0.0).powf(0.8)
        })
    };
    let mut leaves = [Solid::default(), Solid::default()];
    for i in 0..26 {
        let turn = i as f32 * 2.4;
        let (out, up) = (0.085 * (i as f32 / 25.0).sqrt(), 0.10 - 0.06 * i as f32 / 25.0 + rng.range_f32(0.0, 0.03));
        let tip = (Vec2::from_angle(turn) * out).extend(soil + up);
        piece.add(
            tapered(&[Vec3::new(0.0, 0.0, soil), tip.lerp(Vec3::new(0.0, 0.0, soil + up), 0.3), tip], 0.0016, 0.0012),
            Role::PaleLeaf,
        );
        let solid = posed(
            heart(rng.range_f32(0.06, 0.085), 0.8),
            turn,
            rng.range_f32(-0.2, 0.5),
            rng.range_f32(-0.4, 0.4),
            tip,
        );
        leaves[i % 2] = std::mem::take(&mut leaves[i % 2]).with(solid);
    }
    for vine in 0..3 {
        let turn = TAU * vine as f32 / 3.0 + rng.range_f32(-0.4, 0.4);
        let away = Vec2::from_angle(turn);
        let down = rng.range_f32(0.03, 0.075);
        let path = [
            Vec3::new(0.0, 0.0, soil),
            (away * 0.060).extend(soil + 0.035),
            (away * 0.095).extend(soil + 0.005),
            (away * 0.110).extend(soil - down * 0.6),
            (away * 0.115).extend((soil - down).max(0.015)),
        ];
        piece.add(tapered(&path, 0.0018, 0.0012), Role::PaleLeaf);
        for k in 0..5 {
            let at = along(&path, 0.35 + 0.16 * k as f32);
            let side = if k % 2 == 0 { 0.8 } else { -0.8 };
            let solid = posed(heart(0.055, 0.7), turn + side, -0.3, 0.0, at);
            leaves[k % 2] = std::mem::take(&mut leaves[k % 2]).with(solid);
        }
    }
    let [dark, pale] = leaves;
    piece.add(dark, Role::Leaf);
    piece.add(pale, Role::PaleLeaf);
}

/// A rosette of fleshy leaves.
fn succulent(piece: &mut Piece, soil: f32, rng: &mut Rng) {
    let mut leaves = Solid::default();
    for i in 0..46 {
        let share = i as f32 / 45.0;
        let long = 0.088 * (1.0 - 0.75 * share) + 0.010;
        for (lift, top) in [(0.0, 1.0), (0.0, -1.0)] {
            let mut solid =
                shaped(long, -0.35, 0.0, [7, 5], |t| long * 0.42 * (PI * (0.18 + 0.80 * t)).sin().max(0.0).powf(0.6));
            for v in &mut solid.vertices {
                let middle = 1.0 - (v.tex.y / (long * 0.22)).powi(2).min(1.0);
                v.place.z += top * 0.006 * middle * (1.0 - v.tex.x / long * 0.6) + lift;
            }
            solid.smoothen();
            let turn = i as f32 * 2.399_96;
            leaves = leaves.with(posed(
                solid,
                turn,
                0.25 + 1.1 * share,
                0.0,
                Vec3::new(0.0, 0.0, soil + 0.012 + 0.03 * share),
            ));
        }
    }
    let _ = rng;
    piece.add(leaves, Role::OliveLeaf);
}

/// Arching fronds.
fn fern(piece: &mut Piece, soil: f32, rng: &mut Rng) {
    let mut leaves = Solid::default();
    for f in 0..22 {
        let turn = f as f32 * 2.4 + rng.range_f32(-0.2, 0.2);
        let away = Vec2::from_angle(turn);
        let (out, up) = (rng.range_f32(0.09, 0.15) - 0.002 * f as f32, rng.range_f32(0.08, 0.14) + 0.003 * f as f32);
        let path: Vec<Vec3> = (0..=8)
            .map(|i| i as f32 / 8.0)
            .map(|t| (away * out * t).extend(soil + up * (1.9 * t - 1.25 * t * t)))
            .collect();
        piece.add(tapered(&path, 0.0011, 0.0006), Role::PaleLeaf);
        for n in 0..13 {
            let at = along(&path, 0.15 + 0.85 * n as f32 / 12.0);
            let long = 0.032 * (1.0 - 0.65 * n as f32 / 12.0);
            for side in [-1.2, 1.2] {
                let solid = shaped(long, 0.5, 0.2, [4, 3], |t| 0.010 * (PI * (0.1 + 0.85 * t)).sin().max(0.0));
                leaves = leaves.with(posed(solid, turn + side, -0.15, 0.0, at));
            }
        }
    }
    piece.add(leaves, Role::PaleLeaf);
}

/// A bush of small leaves: basil.
fn herbs(piece: &mut Piece, soil: f32, rng: &mut Rng) {
    let mut leaves = Solid::default();
    for s in 0..14 {
        let turn = s as f32 * 2.4;
        let foot = (Vec2::from_angle(turn) * 0.03).extend(soil);
        // A dome: stems that lean outward are shorter.
        let away = rng.range_f32(0.015, 0.095);
        let tip = (Vec2::from_angle(turn) * away).extend(soil + 0.165 - 0.75 * away + rng.range_f32(-0.02, 0.02));
        piece.add(tapered(&[foot, foot.lerp(tip, 0.5), tip], 0.0016, 0.0010), Role::PaleLeaf);
        for k in 0..6 {
            let at = foot.lerp(tip, 0.35 + 0.13 * k as f32);
            for side in [0.0, PI] {
                // The youngest leaves, at the tip, are small and upright.
                let young = k as f32 / 5.0;
                let long = rng.range_f32(0.030, 0.050) * (1.0 - 0.45 * young);
                let spin = turn + k as f32 * 1.57 + side + rng.range_f32(-0.4, 0.4);
                let up = 0.1 + 0.6 * young + rng.range_f32(-0.2, 0.2);
                leaves = leaves.with(posed(leaf(long, long * 0.58, 0.7, 0.4), spin, up, rng.range_f32(-0.4, 0.4), at));
            }
        }
    }
    piece.add(leaves, Role::PaleLeaf);
}

/// Round leaves like coins on thin stalks.
fn pilea(piece: &mut Piece, soil: f32, rng: &mut Rng) {
    let mut leaves = Solid::default();
    for i in 0..26 {
        let turn = i as f32 * 2.4;
        let share = i as f32 / 25.0;
        let out = 0.115 * (1.0 - share * 0.8);
        let up = 0.045 + 0.115 * share + rng.range_f32(-0.01, 0.01);
        let root = Vec3::new(0.0, 0.0, soil + 0.06 * share);
        let tip = (Vec2::from_angle(turn) * out).extend(soil + up);
        piece.add(tapered(&[root, root.lerp(tip, 0.55) + Vec3::Z * 0.018, tip], 0.0014, 0.0010), Role::PaleLeaf);
        let wide = rng.range_f32(0.040, 0.058);
        let solid = coin(wide, wide).moved(-wide * 0.35, 0.0, 0.0);
        leaves = leaves.with(posed(solid, turn, -0.45 + 0.6 * share, rng.range_f32(-0.25, 0.25), tip));
    }
    piece.add(leaves, Role::Leaf);
}
