//! Hedges, with a solid core so that no light leaks through.

use aerie_geodata::place::{Barrier, Place};
use glam::{Vec2, Vec3, vec3};

use crate::flight::Flight;
use crate::foliage::{Cell, Grove, Leaf};
use crate::shape;
use crate::visibility::Visibility;
use aerie_math::Rng;

/// Half the width of a hedge, meters.
const HALF: f32 = 0.42;

/// Adds a hedge: a solid core, and leaf cards on its sides, top and ends.
pub(crate) fn add(grove: &mut Grove, place: &Place, flight: &Flight, visibility: &Visibility<'_>, barrier: &Barrier) {
    let Some(&[x, y]) = barrier.line.first() else { return };
    let mut rng = Rng::from_name(&format!("{x:.1} {y:.1}"));
    let height = barrier.height.clamp(0.6, 3.0) as f32;
    let hue = vec3(0.046, 0.072, 0.023) * rng.range_f32(0.85, 1.2);
    for pair in barrier.line.windows(2) {
        let (a, b) = (shape::vec(pair[0]).as_vec2(), shape::vec(pair[1]).as_vec2());
        let steps = (a.distance(b) / 1.2).ceil().max(1.0) as usize;
        let along = (b - a).normalize_or(Vec2::X);
        let foot = |share: f32| {
            let at = a.lerp(b, share);
            at.extend(place.terrain.height([f64::from(at.x), f64::from(at.y)]) as f32)
        };
        for i in 0..steps {
            let (from, to) = (foot(i as f32 / steps as f32), foot((i + 1) as f32 / steps as f32));
            if !visibility.contains(from.truncate()) {
                continue;
            }
            let distance = flight.distance_to(from);
            let near = distance < 260.0;
            let cell = grove.cell(from);
            core(cell, from, to, along.perp(), height * 0.9, hue * 0.55);
            let leaves = match distance {
                d if d < 130.0 => 44,
                d if d < 260.0 => 26,
                d if d < 450.0 => 9,
                _ => 3,
            };
            for _ in 0..leaves {
                leaf(cell, from.lerp(to, rng.unit_f32()), along.perp(), height, hue, near, &mut rng);
            }
            if i == 0 {
                end(cell, from, -along, height, hue, &mut rng);
            }
            if i + 1 == steps {
                end(cell, to, along, height, hue, &mut rng);
            }
        }
    }
}

/// Adds the core of a piece of hedge: two sides and a top.
fn core(cell: &mut Cell, from: Vec3, to: Vec3, side: Vec2, height: f32, albedo: Vec3) {
    let corner = |p: Vec3, s: f32, z: f32| p + (side * s * HALF).extend(z);
    let inside = |normal: Vec3, open: f32| Leaf { normal, open, albedo, thin: 0.2 };
    for s in [-1.0, 1.0] {
        let faces = [corner(from, s, -0.2), corner(to, s, -0.2), corner(to, s, height), corner(from, s, height)];
        cell.polygon(&faces, &inside((side * s).extend(0.25).normalize(), 0.5));
    }
    let top =
        [corner(from, -1.0, height), corner(to, -1.0, height), corner(to, 1.0, height), corner(from, 1.0, height)];
    cell.polygon(&top, &inside(Vec3::Z, 0.8));
}

/// Closes a hedge's end, which faces `out`.
fn end(cell: &mut Cell, foot: Vec3, out: Vec2, height: f32, hue: Vec3, rng: &mut Rng) {
    let side = out.perp();
    let corner = |s: f32, z: f32| foot + (side * s * HALF).extend(z);
    let normal = out.extend(0.3).normalize();
    let inside = Leaf { normal, open: 0.5, albedo: hue * 0.55, thin: 0.2 };
    cell.polygon(
        &[corner(-1.0, -0.2), corner(1.0, -0.2), corner(1.0, height * 0.9), corner(-1.0, height * 0.9)],
        &inside,
    );
    for _ in 0..14 {
        let up = rng.range_f32(0.1, 1.0);
        let card = Leaf { normal, open: 0.35 + 0.5 * up, albedo: hue * rng.range_f32(0.75, 1.3), thin: 0.4 };
        cell.card(corner(rng.range_f32(-1.0, 1.0), height * up), normal, 0.19, 4, rng, &card);
    }
}

/// Adds a leaf card on a hedge's side or top.
fn leaf(cell: &mut Cell, foot: Vec3, side: Vec2, height: f32, hue: Vec3, near: bool, rng: &mut Rng) {
    let (across, up) = (rng.range_f32(-1.0, 1.0), rng.range_f32(0.1, 1.0));
    let (place, normal, open) = if rng.unit_f32() < 0.45 {
        ((side * across * HALF).extend(height * rng.range_f32(0.90, 1.02)), Vec3::Z, 0.95)
    } else {
        let out = side * across.signum();
        ((out * HALF * 1.04).extend(height * up), out.extend(0.45).normalize(), 0.35 + 0.5 * up)
    };
    let card = Leaf { normal, open, albedo: hue * rng.range_f32(0.75, 1.3), thin: 0.4 };
    let (size, corners) = if near { (0.17, 4) } else { (0.42, 3) };
    cell.card(foot + place, normal, size, corners, rng, &card);
}
