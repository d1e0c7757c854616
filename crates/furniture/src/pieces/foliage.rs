//! Leaves, stalks and flowers.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use glam::{Mat3, Vec2, Vec3};

use crate::material::own_leaf;
use crate::mesh::Solid;
use crate::shape::joinery::Profile;
use crate::shape::{lathe, sheet};

/// A leaf along X from its stalk: folded along its midrib by `fold`, and drooping.
pub(super) fn leaf(length: f32, width: f32, droop: f32, fold: f32) -> Solid {
    shaped(length, droop, fold, [9, 7], |t| width * (PI * t.powf(0.78)).sin().max(0.0).powf(0.8))
}

/// A fiddle-shaped leaf: broad toward its tip, with a wavy rim.
pub(super) fn fiddle(length: f32, width: f32, droop: f32, seed: f32) -> Solid {
    let mut solid = shaped(length, droop, 0.35, [11, 9], |t| {
        let broad = (PI * t.powf(1.25)).sin().max(0.0).powf(0.62);
        let waist = 1.0 - 0.28 * (-((t - 0.36) / 0.15).powi(2)).exp();
        width * broad * waist
    });
    for v in &mut solid.vertices {
        let rim = (v.tex.y.abs() / (width * 0.5)).min(1.0);
        v.place.z += 0.030 * length * rim * rim * (v.tex.x / length * 17.0 + seed + v.tex.y.signum()).sin();
    }
    solid.smoothen();
    solid
}

/// A leaf of any width along its length. Material coordinates are those of the flat leaf.
pub(super) fn shaped(length: f32, droop: f32, fold: f32, grid: [usize; 2], width: impl Fn(f32) -> f32) -> Solid {
    let bend = |t: f32| droop * t;
    let mut solid = sheet(grid[0], grid[1], |t, v| {
        let side = (v - 0.5) * width(t);
        // Along an arc that bends down more and more.
        let (mut x, mut z) = (0.0, 0.0);
        for i in 0..6 {
            let a = bend(t * (i as f32 + 0.5) / 6.0);
            x += a.cos() * length * t / 6.0;
            z -= a.sin() * length * t / 6.0;
        }
        let a = bend(t);
        let lift = side.abs() * fold - side * side / width(t).max(0.004) * fold * 0.7;
        Vec3::new(x + a.sin() * lift, side * (1.0 - 0.15 * fold), z + a.cos() * lift)
    });
    for (i, v) in solid.vertices.iter_mut().enumerate() {
        let (t, s) = ((i % grid[0]) as f32 / (grid[0] - 1) as f32, (i / grid[0]) as f32 / (grid[1] - 1) as f32);
        v.tex = Vec3::new(t * length, (s - 0.5) * width(t), 0.0);
    }
    solid
}

/// A round leaf.
pub(super) fn coin(length: f32, width: f32) -> Solid {
    shaped(length, 0.3, 0.25, [6, 5], |t| width * (PI * t.powf(0.9)).sin().max(0.0).powf(0.5))
}

/// A leaf that is split between its veins, as monstera has: a heart with deep notches in its rim, its stalk at the origin.
pub(super) fn split_leaf(length: f32, width: f32, droop: f32) -> Solid {
    const ALONG: usize = 84;
    // One half of the rim, from the notch at the stalk to the tip, as shares of length and width.
    const RIM: [[f32; 2]; 9] = [
        [0.0, 0.0],
        [-0.15, 0.15],
        [-0.12, 0.33],
        [0.06, 0.47],
        [0.30, 0.50],
        [0.56, 0.43],
        [0.79, 0.27],
        [0.94, 0.11],
        [1.02, 0.0],
    ];
    const NOTCHES: [f32; 6] = [0.30, 0.42, 0.53, 0.64, 0.75, 0.86];
    let rim = Profile::new(RIM.map(|[x, y]| Vec2::new(x * length, y * width)).to_vec());
    let half = |side: f32| {
        move |u: f32, v: f32, rim: &Profile| {
            let near = NOTCHES.iter().map(|notch| (u - notch).abs()).fold(f32::MAX, f32::min);
            let reach = 1.0 - 0.58 * (1.0 - near / 0.020).max(0.0).sqrt();
            // Each vein leaves the midrib before the place of the rim that it runs to.
            let from = Vec2::new(length * 0.86 * ((u - 0.20) / 0.80).max(0.0), 0.0);
            let flat = from.lerp(rim.at(u), v * reach);
            let pucker = 0.010 * length * (near * 52.0).min(PI).sin() * (PI * v).sin();
            bowed(Vec2::new(flat.x, side * flat.y), length, droop, pucker)
        }
    };
    let mut solid = Solid::default();
    for side in [-1.0, 1.0] {
        let at = half(side);
        // The same way around on both sides.
        let part = sheet(ALONG, 5, |u, v| at(if side < 0.0 { u } else { 1.0 - u }, v, &rim));
        solid = solid.with(part);
    }
    solid.smoothen();
    solid
}

/// A place of a flat leaf of a length, when the leaf bends down along and across.
fn bowed(flat: Vec2, length: f32, droop: f32, lift: f32) -> Vec3 {
    let turn = droop * flat.x / length;
    let (away, down) = (turn.sin() * length / droop, (1.0 - turn.cos()) * length / droop);
    Vec3::new(away, flat.y, 0.16 * flat.y.abs() - 0.9 * flat.y * flat.y / length - down + lift)
}

/// A thin twig or stalk along a path, thinner toward its tip.
pub(super) fn tapered(path: &[Vec3], from: f32, to: f32) -> Solid {
    let count = path.len();
    let mut side = (path[1] - path[0]).normalize_or(Vec3::Z).any_orthonormal_vector();
    let mut rings = Vec::with_capacity(count);
    for i in 0..count {
        let direction = (path[(i + 1).min(count - 1)] - path[i.saturating_sub(1)]).normalize_or(Vec3::Z);
        side = (side - direction * side.dot(direction)).normalize_or(direction.any_orthonormal_vector());
        rings.push((path[i], side, direction.cross(side), from + (to - from) * i as f32 / (count - 1) as f32));
    }
    sheet(7, count, |u, v| {
        let (at, side, other, radius) = rings[((v * (count - 1) as f32).round() as usize).min(count - 1)];
        at + (side * (u * TAU).cos() + other * (u * TAU).sin()) * radius
    })
    .grained(2, path[0].x * 5.0)
}

/// A bud or berry.
pub(super) fn bud(radius: f32) -> Solid {
    lathe(
        &[
            [0.0, -radius],
            [radius * 0.8, -radius * 0.5],
            [radius, 0.0],
            [radius * 0.6, radius * 0.9],
            [0.0, radius * 1.3],
        ],
        7,
    )
}

/// A turn from Z toward a direction.
pub(super) fn toward(direction: Vec3) -> Mat3 {
    Mat3::from_quat(glam::Quat::from_rotation_arc(Vec3::Z, direction.normalize_or(Vec3::Z)))
}

/// A petal that stands on the origin and closes toward Z.
fn petal(radius: f32, height: f32, wide: f32, open: f32) -> Solid {
    sheet(6, 6, |u, v| {
        let across = (u - 0.5) * wide * (PI * (0.12 + 0.80 * v)).sin().max(0.05).powf(0.7);
        let out = radius * (PI * (0.15 + (0.72 - open * 0.4) * v)).sin() + open * radius * v * v;
        let turn = across / radius.max(0.004);
        let cup = out * (1.0 - 0.10 * (u - 0.5).abs());
        Vec3::new(turn.cos() * cup, turn.sin() * cup, height * v * (1.0 - 0.25 * open * v))
    })
}

/// A flower like a closed cup: a tulip.
pub(super) fn cup_flower(radius: f32, height: f32) -> Solid {
    let mut flower = Solid::default();
    for i in 0..6 {
        let size = if i % 2 == 0 { 1.0 } else { 0.9 };
        let solid = petal(radius * size, height, radius * 1.5, 0.06).yawed(TAU * i as f32 / 6.0);
        flower = flower.with(solid);
    }
    flower
}

/// A flower full of petals: a peony.
pub(super) fn full_flower(radius: f32, rng: &mut Rng) -> Solid {
    let mut flower = Solid::default();
    for (ring, (size, count, open)) in
        [(1.0, 7, 0.9), (0.82, 6, 0.55), (0.6, 5, 0.25), (0.38, 4, 0.0)].into_iter().enumerate()
    {
        for i in 0..count {
            let turn = TAU * (i as f32 + 0.5 * ring as f32) / count as f32 + rng.range_f32(-0.15, 0.15);
            let tall = radius * (0.95 + 0.12 * ring as f32) * rng.range_f32(0.9, 1.1);
            flower = flower.with(petal(radius * size, tall, radius * 1.25 * size, open).yawed(turn));
        }
    }
    flower
}

/// Turns a leaf along X up by `up` and around by `turn`, with a twist about itself.
pub(super) fn posed(mut solid: Solid, turn: f32, up: f32, twist: f32, at: Vec3) -> Solid {
    solid.vertices.iter_mut().for_each(|v| v.tex = own_leaf(v.tex, at));
    let pose = Mat3::from_rotation_z(turn) * Mat3::from_rotation_y(-up) * Mat3::from_rotation_x(twist);
    solid.turned(pose).moved(at.x, at.y, at.z)
}
