//! Plants in pots that stand on the floor.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::foliage::{fiddle, leaf, posed, shaped, split_leaf, tapered};
use super::pots::{self, Pot};
use super::vases::along;
use crate::mesh::Solid;
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::sheet;

pub use super::small_plants::{formed, small};

/// A potted plant of a form.
#[must_use]
pub fn potted(palette: &Palette, form: usize, rng: &mut Rng) -> Piece {
    match form {
        1 => snake_plant(palette, rng),
        2 => olive(palette, rng),
        3 => monstera(palette, rng),
        4 => palm(palette, rng),
        5 => rubber_plant(palette, rng),
        6 => strelitzia(palette, rng),
        7 => ficus_bush(palette, rng),
        _ => fiddle_fig(palette, rng),
    }
}

/// A plant of a size in a pot; returns it with the height of its soil.
fn begun(palette: &Palette, wide: f32, height: f32, (radius, deep): (f32, f32), rng: &mut Rng) -> (Piece, f32) {
    let mut piece = Piece::new(PieceKind::PottedPlant, Vec3::new(wide, wide, height));
    let soil = pots::pot(&mut piece, pots::suiting(palette, rng), radius, deep, rng);
    (piece, soil)
}

/// Draws in what reaches beyond the footprint.
fn gathered(mut piece: Piece) -> Piece {
    let most = piece.size.x / 2.0;
    let height = piece.size.z;
    for v in &mut piece.mesh_mut().vertices {
        let reach = v.place.truncate().length();
        let bend = most * 0.75;
        if reach > bend {
            let beyond = reach - bend;
            let kept = bend + (most - bend) * (1.0 - (-beyond / (most - bend)).exp());
            v.place.x *= kept / reach;
            v.place.y *= kept / reach;
        }
        v.place.z = v.place.z.min(height + 0.04);
    }
    piece
}

/// A trunk that wanders upward.
fn trunk(from: Vec3, to: Vec3, wander: f32, rng: &mut Rng) -> Vec<Vec3> {
    let phase = [rng.range_f32(0.0, TAU), rng.range_f32(0.0, TAU)];
    (0..=12)
        .map(|i| {
            let t = i as f32 / 12.0;
            let away = Vec3::new((t * 5.0 + phase[0]).sin(), (t * 4.0 + phase[1]).sin(), 0.0) * wander * (PI * t).sin();
            from.lerp(to, t) + away
        })
        .collect()
}

/// A fiddle-leaf fig: a bare trunk or two under a crown of broad leaves.
fn fiddle_fig(palette: &Palette, rng: &mut Rng) -> Piece {
    let height = rng.range_f32(1.55, 1.85);
    let (mut piece, soil) = begun(palette, 0.80, height, (0.19, 0.34), rng);
    let mut leaves = Solid::default();
    for (s, share) in [1.0, 0.84].into_iter().enumerate() {
        let lean = Vec2::from_angle(s as f32 * 2.6 + 0.4) * if s == 0 { 0.03 } else { 0.13 };
        let foot = (lean * 0.3).extend(soil - 0.02);
        let path = trunk(foot, lean.extend((height - 0.20) * share), 0.018, rng);
        piece.add(tapered(&path, 0.013, 0.005), Role::Bark);
        let count = if s == 0 { 34 } else { 24 };
        for i in 0..count {
            let t = 0.30 + 0.70 * i as f32 / count as f32;
            let at = along(&path, t);
            let turn = i as f32 * 2.4 + s as f32 + rng.range_f32(-0.25, 0.25);
            let old = 1.0 - (i as f32 / count as f32);
            let long = rng.range_f32(0.23, 0.31) * (0.70 + 0.5 * old.sqrt());
            let up = 0.15 + 0.95 * (1.0 - old) + rng.range_f32(-0.2, 0.2);
            let stalk = Vec3::new(turn.cos(), turn.sin(), 0.6) * 0.035;
            piece.add(tapered(&[at, at + stalk], 0.0030, 0.0022), Role::PaleLeaf);
            let solid = fiddle(long, long * 0.70, 0.5 + 0.7 * old + rng.range_f32(-0.1, 0.2), i as f32);
            leaves = leaves.with(posed(solid, turn, up, rng.range_f32(-0.35, 0.35), at + stalk));
        }
    }
    piece.add(leaves, Role::Leaf);
    gathered(piece)
}

/// A rubber plant: thick oval leaves along several stems.
fn rubber_plant(palette: &Palette, rng: &mut Rng) -> Piece {
    let height = rng.range_f32(1.25, 1.55);
    let (mut piece, soil) = begun(palette, 0.72, height, (0.18, 0.30), rng);
    let mut leaves = Solid::default();
    for (s, share) in [1.0, 0.84, 0.68].into_iter().enumerate() {
        let lean = Vec2::from_angle(s as f32 * 2.2 + 0.9) * (0.04 + 0.06 * s as f32);
        let path = trunk((lean * 0.4).extend(soil - 0.02), lean.extend((height - 0.16) * share), 0.012, rng);
        piece.add(tapered(&path, 0.010, 0.005), Role::Bark);
        let count = 21 - 3 * s;
        for i in 0..count {
            let t = 0.14 + 0.86 * i as f32 / count as f32;
            let turn = i as f32 * 2.4 + s as f32 * 1.3 + rng.range_f32(-0.2, 0.2);
            let at = along(&path, t);
            let long = rng.range_f32(0.23, 0.30) * (1.0 - 0.25 * t);
            let stalk = Vec3::new(turn.cos(), turn.sin(), 0.7) * 0.045;
            piece.add(tapered(&[at, at + stalk], 0.0032, 0.0026), Role::PaleLeaf);
            let solid = leaf(long, long * 0.56, 0.35 + 0.5 * (1.0 - t), 0.35);
            leaves = leaves.with(posed(solid, turn, 0.25 + 0.7 * t * t, rng.range_f32(-0.3, 0.3), at + stalk));
        }
        // The rolled leaf at the tip.
        let tip = path[path.len() - 1];
        piece.add(
            tapered(&[tip, tip + Vec3::new(0.004, 0.003, 0.06), tip + Vec3::new(0.01, 0.006, 0.12)], 0.006, 0.001),
            Role::PaleLeaf,
        );
    }
    piece.add(leaves, Role::Leaf);
    gathered(piece)
}

/// An olive tree: a gnarled trunk, a loose crown of fine branches and small gray leaves.
fn olive(palette: &Palette, rng: &mut Rng) -> Piece {
    let height = rng.range_f32(1.55, 1.85);
    let (mut piece, soil) = begun(palette, 0.84, height, (0.19, 0.34), rng);
    let fork = soil + (height - soil) * 0.38;
    let head = fork + (height - fork) * 0.40;
    let path = trunk(Vec3::new(0.0, 0.0, soil - 0.02), Vec3::new(0.02, 0.01, head), 0.024, rng);
    piece.add(tapered(&path, 0.021, 0.010), Role::Bark);
    let mut leaves = Solid::default();
    for b in 0..17 {
        let turn = b as f32 * 2.4 + rng.range_f32(-0.3, 0.3);
        let from = along(&path, 1.0 - 0.42 * b as f32 / 16.0);
        // To a place on a round crown.
        let level = 0.90 - 1.65 * (b as f32 + rng.range_f32(0.0, 0.8)) / 17.0;
        let away = Vec2::from_angle(turn) * (1.0 - level * level).max(0.06).sqrt() * rng.range_f32(0.31, 0.40);
        let tip = (path[12].truncate() + away).extend((height + fork) * 0.5 - 0.03 + level * (height - fork) * 0.42);
        let branch: Vec<Vec3> = (0..=7)
            .map(|i| i as f32 / 7.0)
            .map(|t| from.lerp(tip, t) + Vec3::Z * 0.07 * (PI * t).sin())
            .map(|p| p + Vec3::new(rng.range_f32(-0.008, 0.008), rng.range_f32(-0.008, 0.008), 0.0))
            .collect();
        piece.add(tapered(&branch, 0.0065, 0.0016), Role::Bark);
        for k in 0..7 {
            let start = along(&branch, 0.34 + 0.11 * k as f32);
            let side = Vec2::from_angle(turn + k as f32 * 2.4);
            let long = rng.range_f32(0.14, 0.26);
            let twig: Vec<Vec3> = (0..=4)
                .map(|i| i as f32 / 4.0)
                .map(|t| start + (side * long * t * 0.7).extend(long * (0.75 * t - 0.45 * t * t)))
                .collect();
            piece.add(tapered(&twig, 0.0024, 0.0009), Role::Bark);
            for n in 0..20 {
                let at = along(&twig, 0.10 + 0.90 * (n / 2) as f32 / 9.0);
                let spin = turn + n as f32 * (PI / 2.0 + 1.2) + PI * (n % 2) as f32;
                let long = rng.range_f32(0.055, 0.080);
                let solid = shaped(long, 0.35, 0.2, [5, 3], |t| long * 0.29 * (PI * t.powf(0.85)).sin().max(0.0));
                let pose = posed(solid, spin, rng.range_f32(-0.1, 1.0), rng.range_f32(-0.8, 0.8), at);
                leaves = leaves.with(pose);
            }
        }
    }
    piece.add(leaves, Role::OliveLeaf);
    gathered(piece)
}

/// A small-leaved fig with a full crown on a slim trunk.
fn ficus_bush(palette: &Palette, rng: &mut Rng) -> Piece {
    let height = rng.range_f32(1.45, 1.75);
    let (mut piece, soil) = begun(palette, 0.80, height, (0.18, 0.32), rng);
    let mut leaves = Solid::default();
    for s in 0..3 {
        let path = trunk(
            (Vec2::from_angle(s as f32 * 2.1) * 0.02).extend(soil - 0.02),
            (Vec2::from_angle(s as f32 * 2.1 + 1.5) * 0.05).extend(height * 0.80),
            0.03,
            rng,
        );
        piece.add(tapered(&path, 0.011, 0.004), Role::Bark);
        for b in 0..22 {
            let share = 0.40 + 0.60 * b as f32 / 21.0;
            let from = along(&path, share);
            let side = Vec2::from_angle(b as f32 * 2.4 + s as f32);
            let long = rng.range_f32(0.20, 0.36) * (1.0 - 0.8 * (share - 0.55).abs());
            let twig: Vec<Vec3> = (0..=5)
                .map(|i| i as f32 / 5.0)
                .map(|t| from + (side * long * t).extend(long * (0.8 * t - 0.75 * t * t)))
                .collect();
            piece.add(tapered(&twig, 0.0035, 0.0012), Role::Bark);
            for n in 0..26 {
                let at = along(&twig, 0.10 + 0.90 * n as f32 / 25.0);
                let long = rng.range_f32(0.065, 0.098);
                let solid = shaped(long, rng.range_f32(0.5, 1.1), 0.35, [5, 3], |t| {
                    long * 0.48 * (PI * t.powf(0.75)).sin().max(0.0).powf(0.9)
                });
                let spin = side.to_angle() + if n % 2 == 0 { 0.9 } else { -0.9 } + rng.range_f32(-0.4, 0.4);
                leaves = leaves.with(posed(solid, spin, rng.range_f32(-0.7, 0.4), rng.range_f32(-0.5, 0.5), at));
            }
        }
    }
    piece.add(leaves, Role::Leaf);
    gathered(piece)
}

/// A monstera: split leaves on long stalks.
fn monstera(palette: &Palette, rng: &mut Rng) -> Piece {
    let height = rng.range_f32(1.05, 1.25);
    let (mut piece, soil) = begun(palette, 0.92, height, (0.18, 0.30), rng);
    for i in 0..15 {
        let share = i as f32 / 14.0;
        let turn = i as f32 * 2.4 + rng.range_f32(-0.2, 0.2);
        let away = Vec2::from_angle(turn);
        let out = 0.22 - 0.15 * share + rng.range_f32(-0.03, 0.03);
        let up = soil + (height - soil - 0.06) * (0.30 + 0.70 * share);
        let stalk: Vec<Vec3> = (0..=8)
            .map(|k| k as f32 / 8.0)
            .map(|t| (away * (0.02 + out * t.powf(1.6))).extend(soil - 0.02 + (up - soil) * (1.15 * t - 0.15 * t * t)))
            .collect();
        piece.add(tapered(&stalk, 0.0055, 0.0035), Role::PaleLeaf);
        let tip = stalk[8];
        let long = rng.range_f32(0.24, 0.33) * (1.0 - 0.2 * share);
        let solid = split_leaf(long, long * 1.02, 0.55);
        let role = if i > 11 { Role::PaleLeaf } else { Role::Leaf };
        piece.add(
            posed(solid, turn + rng.range_f32(-0.3, 0.3), -0.80 + 0.75 * share, rng.range_f32(-0.3, 0.3), tip),
            role,
        );
    }
    gathered(piece)
}

/// A palm: arching fronds with many narrow leaflets.
fn palm(palette: &Palette, rng: &mut Rng) -> Piece {
    let height = rng.range_f32(1.50, 1.80);
    let (mut piece, soil) = begun(palette, 0.95, height, (0.18, 0.32), rng);
    let mut leaflets = Solid::default();
    for f in 0..13 {
        let share = f as f32 / 12.0;
        let turn = f as f32 * 2.4 + rng.range_f32(-0.2, 0.2);
        let away = Vec2::from_angle(turn);
        let up = (height - soil) * (0.55 + 0.45 * share);
        let out = 0.52 - 0.30 * share;
        let rachis: Vec<Vec3> = (0..=14)
            .map(|i| i as f32 / 14.0)
            .map(|t| {
                (away * (0.025 + out * t * t))
                    .extend(soil - 0.02 + up * (1.30 * t - 0.42 * t.powi(3) + 0.12 * t.powi(6)))
            })
            .collect();
        piece.add(tapered(&rachis, 0.0055, 0.0016), Role::PaleLeaf);
        for n in 0..22 {
            let t = 0.40 + 0.60 * n as f32 / 21.0;
            let at = along(&rachis, t);
            let direction = (along(&rachis, t + 0.04) - along(&rachis, t - 0.06)).normalize_or(Vec3::Z);
            let long = 0.30 * (PI * (0.16 + 0.74 * (t - 0.40) / 0.60)).sin() * rng.range_f32(0.88, 1.08);
            for side in [-1.0, 1.0] {
                let flat = away.perp() * side;
                let to = (direction * 0.75 + flat.extend(0.12) * 0.85).normalize();
                let solid = shaped(long, 0.75 + rng.range_f32(-0.1, 0.2), 0.5, [6, 3], |s| {
                    0.024 * (PI * (0.06 + 0.90 * s.powf(0.8))).sin().max(0.0).powf(0.7)
                });
                let heading = to.truncate().to_angle();
                let rise = to.z.clamp(-1.0, 1.0).asin();
                leaflets = leaflets.with(posed(solid, heading, rise, side * 0.35, at));
            }
        }
    }
    piece.add(leaflets, Role::Leaf);
    gathered(piece)
}

/// A strelitzia: paddle leaves on tall stalks.
fn strelitzia(palette: &Palette, rng: &mut Rng) -> Piece {
    let height = rng.range_f32(1.45, 1.75);
    let (mut piece, soil) = begun(palette, 0.86, height, (0.19, 0.33), rng);
    for i in 0..11 {
        let share = i as f32 / 10.0;
        let turn = i as f32 * 2.4 + rng.range_f32(-0.3, 0.3);
        let away = Vec2::from_angle(turn);
        let long = rng.range_f32(0.38, 0.48);
        let up = (height - soil - long * 0.62) * (0.45 + 0.55 * share);
        let out = 0.17 - 0.10 * share;
        let stalk: Vec<Vec3> = (0..=8)
            .map(|k| k as f32 / 8.0)
            .map(|t| (away * (0.02 + out * t.powf(1.5))).extend(soil - 0.02 + up * t))
            .collect();
        piece.add(tapered(&stalk, 0.0085, 0.0045), Role::PaleLeaf);
        let tip = stalk[8];
        let mut solid =
            shaped(long, 0.95, 0.45, [14, 9], |t| 0.19 * (PI * (0.05 + 0.92 * t.powf(0.85))).sin().max(0.0).powf(0.55));
        // Ripples run from the midrib to the rim.
        for v in &mut solid.vertices {
            v.place.z += 0.006 * (v.tex.x * 70.0).sin() * (v.tex.y.abs() / 0.09).min(1.0);
        }
        solid.smoothen();
        piece.add(posed(solid, turn, 1.25 - 0.25 * (1.0 - share), rng.range_f32(-0.5, 0.5), tip), Role::Leaf);
    }
    gathered(piece)
}

/// A snake plant: upright swords with pale margins.
fn snake_plant(palette: &Palette, rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::PottedPlant, Vec3::new(0.46, 0.46, 0.95));
    let sort = match pots::suiting(palette, rng) {
        Pot::Woven => Pot::Glazed,
        other => other,
    };
    let soil = pots::pot(&mut piece, sort, 0.16, 0.26, rng);
    for i in 0..17 {
        let turn = i as f32 * 2.4;
        let (out, tall) = (0.02 + 0.010 * i as f32 * 0.6, rng.range_f32(0.40, 0.68) * (1.05 - 0.02 * i as f32));
        let (twist, wide) = (rng.range_f32(-0.9, 0.9), rng.range_f32(0.05, 0.07));
        let foot = Vec2::from_angle(turn) * (0.02 + 0.0055 * i as f32);
        let blade = |scale: f32, off: f32| {
            sheet(5, 14, |v, t| {
                let narrow = (1.0 - t.powf(3.5)).max(0.0).powf(0.7) * (0.55 + 0.45 * (PI * (0.15 + 0.7 * t)).sin());
                let side = turn + PI / 2.0 + twist * t;
                let across = (v - 0.5) * wide * narrow * scale;
                let cup = (v - 0.5).powi(2) * wide * narrow * 0.9 - off;
                let flat = Vec2::from_angle(side) * across + Vec2::from_angle(side - PI / 2.0) * (cup + out * t * t);
                (foot + flat).extend(soil - 0.02 + tall * t)
            })
        };
        piece.add(blade(1.0, 0.0), Role::Margin);
        for off in [-0.0009, 0.0009] {
            piece.add(blade(0.70, off), Role::Leaf);
        }
    }
    gathered(piece)
}
