//! Trees, shrubs, hedges, flower beds, palms.

use std::f32::consts::TAU;

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::site::Site;
use crate::scene::{Brush, Builder, Label, Material};

fn any_way(rng: &mut Rng) -> Vec3 {
    Vec3::new(rng.normal() as f32, rng.normal() as f32, rng.normal() as f32).normalize_or(Vec3::Z)
}

/// Leaves on an ellipsoid: small quadrilaterals in random directions, as two triangles each.
fn blob(rng: &mut Rng, middle: Vec3, radii: Vec3, count: usize, size: f32, out: &mut Vec<[Vec3; 3]>) {
    for _ in 0..count {
        let way = any_way(rng);
        let at = middle + way * radii * rng.range_f32(0.6, 1.0);
        let normal = (way + any_way(rng) * 0.9).normalize_or(way);
        let a = normal.any_orthonormal_vector() * size * rng.range_f32(0.5, 1.3);
        let c = normal.cross(a) * rng.range_f32(0.5, 1.0);
        out.push([at - a, at + c, at + a]);
        out.push([at - a, at - c, at + a]);
    }
}

/// A tapered limb of four sides.
fn limb(from: Vec3, to: Vec3, thick: [f32; 2], out: &mut Vec<[Vec3; 3]>) {
    let way = (to - from).normalize_or(Vec3::Z);
    let (a, c) = way.any_orthonormal_pair();
    let rim = |p: Vec3, r: f32, k: usize| {
        let turn = TAU * (k % 5) as f32 / 5.0;
        p + (a * turn.cos() + c * turn.sin()) * r
    };
    for k in 0..5 {
        let [p, q, r, s] =
            [rim(from, thick[0], k), rim(from, thick[0], k + 1), rim(to, thick[1], k + 1), rim(to, thick[1], k)];
        out.extend([[p, q, r], [p, r, s]]);
    }
}

fn branches(
    rng: &mut Rng,
    from: Vec3,
    way: Vec3,
    [length, thick]: [f32; 2],
    depth: usize,
    ends: &mut Vec<Vec3>,
    out: &mut Vec<[Vec3; 3]>,
) {
    let to = from + way * length;
    limb(from, to, [thick, thick * 0.65], out);
    ends.push(to);
    if depth == 0 {
        return;
    }
    for _ in 0..2 + rng.below(3) {
        let turned = (way + any_way(rng) * 0.75 + Vec3::Z * 0.12).normalize_or(Vec3::Z);
        let start = from.lerp(to, rng.range_f32(0.5, 1.0));
        let shorter = length * rng.range_f32(0.55, 0.85);
        branches(rng, start, turned, [shorter, thick * 0.55], depth - 1, ends, out);
    }
}

/// A tree of a random kind, at most so high.
pub(crate) fn tree(rng: &mut Rng, b: &mut Builder, at: Vec2, most: f32, detail: f32) {
    let foot = at.extend(-0.1);
    let bark = Brush::new(Label::Plants, Material::Bark, b.group()).reflecting(0.2);
    let leaf = Brush::new(Label::Plants, Material::Leaves, b.group()).reflecting(0.15);
    let mut wood = Vec::new();
    let mut leaves = Vec::new();
    let high = most * rng.range_f32(0.35, 1.0);
    let many = |n: f32| (n * detail) as usize + 4;
    match rng.below(12) {
        0 | 1 => {
            // A conifer: whorls that droop.
            let low = high * rng.range_f32(0.02, 0.2);
            limb(foot, foot + Vec3::Z * high, [high * 0.02 + 0.05, 0.02], &mut wood);
            let wide = high * rng.range_f32(0.14, 0.3);
            for _ in 0..many(420.0) {
                let t = rng.unit_f32().sqrt();
                let z = high - (high - low) * t;
                let turn = rng.range_f32(0.0, TAU);
                let out = Vec3::new(turn.cos(), turn.sin(), -rng.range_f32(0.1, 0.7));
                let reach = wide * t * rng.range_f32(0.5, 1.0);
                let (from, to) = (foot + Vec3::Z * z + out * reach * 0.3, foot + Vec3::Z * z + out * reach);
                let side = Vec3::new(-turn.sin(), turn.cos(), 0.0) * (0.05 + 0.1 * reach);
                leaves.push([from, to - side, to + side]);
            }
            b.soup(leaves, Brush { material: Material::Needles, ..leaf });
        }
        2 => {
            // A column: cypress or poplar.
            let wide = high * rng.range_f32(0.06, 0.14);
            limb(foot, foot + Vec3::Z * high * 0.5, [0.1, 0.05], &mut wood);
            blob(
                rng,
                foot + Vec3::Z * high * 0.52,
                Vec3::new(wide, wide, high * 0.48),
                many(420.0),
                high * 0.03 + 0.05,
                &mut leaves,
            );
            blob(
                rng,
                foot + Vec3::Z * high * 0.5,
                Vec3::new(wide, wide, high * 0.42) * 0.6,
                many(120.0),
                high * 0.05,
                &mut leaves,
            );
            b.soup(leaves, Brush { material: Material::Needles, ..leaf });
        }
        3 => palm(rng, b, foot, high.min(11.0), [bark, leaf]),
        4 => {
            // Bare branches.
            let mut ends = Vec::new();
            branches(rng, foot, Vec3::Z, [high * 0.32, high * 0.025 + 0.03], 4, &mut ends, &mut wood);
        }
        _ => {
            // Broad leaves: blobs around the ends of branches.
            let mut ends = Vec::new();
            let clear = rng.range_f32(0.15, 0.4);
            branches(rng, foot, Vec3::Z, [high * clear, high * 0.022 + 0.04], 2, &mut ends, &mut wood);
            let size = high * rng.range_f32(0.014, 0.026) + 0.05;
            let r = high * rng.range_f32(0.1, 0.2);
            ends.push(foot + Vec3::Z * high * 0.7);
            // From crowns through which the sky shows to closed ones.
            let dense = rng.range_f32(0.5, 2.2);
            for end in ends {
                let radii = Vec3::new(1.0, 1.0, rng.range_f32(0.6, 1.0)) * r * rng.range_f32(0.7, 1.3);
                let middle = end + Vec3::Z * r * 0.3;
                blob(rng, middle, radii, many(80.0 * dense), size, &mut leaves);
                blob(rng, middle, radii * 0.7, many(14.0 * dense), size * 2.5, &mut leaves);
            }
            b.soup(leaves, leaf);
        }
    }
    b.soup(wood, bark);
}

fn palm(rng: &mut Rng, b: &mut Builder, foot: Vec3, high: f32, [bark, leaf]: [Brush; 2]) {
    let lean = Vec3::new(rng.range_f32(-0.15, 0.15), rng.range_f32(-0.15, 0.15), 1.0);
    let top = foot + lean * high * 0.8;
    let mut wood = Vec::new();
    limb(foot, top, [0.2, 0.13], &mut wood);
    b.soup(wood, bark);
    let mut fronds = Vec::new();
    let reach = rng.range_f32(1.3, 2.8);
    for k in 0..18 + rng.below(16) {
        let turn = 2.399 * k as f32;
        let way = Vec3::new(turn.cos(), turn.sin(), 0.0);
        let side = Vec3::new(-turn.sin(), turn.cos(), 0.0);
        let rise = rng.range_f32(-0.5, 0.9);
        let place = |t: f32| top + way * reach * t + Vec3::Z * reach * (rise * t - 0.8 * t * t);
        for j in 0..9 {
            let t = j as f32 / 9.0;
            let (p, q) = (place(t), place(t + 0.11));
            for s in [-1.0, 1.0] {
                let out = side * (s * 0.32 * reach * (1.0 - t).max(0.15) * 0.6) - Vec3::Z * 0.16 + way * 0.12;
                fronds.push([p, q, p.lerp(q, 0.5) + out]);
            }
        }
    }
    b.soup(fronds, leaf);
}

/// A shrub with or without flowers; clipped shrubs are denser.
pub(crate) fn shrub(rng: &mut Rng, b: &mut Builder, at: Vec2, size: f32, detail: f32) {
    let leaf = Brush::new(Label::Plants, Material::Leaves, b.group()).reflecting(0.15);
    let tall = rng.range_f32(0.5, 1.2) * size;
    let radii = Vec3::new(size * 0.5, size * 0.5, tall * 0.5);
    let middle = at.extend(tall * 0.45);
    let mut leaves = Vec::new();
    let count = (240.0 * detail) as usize + 20;
    blob(rng, middle, radii, count, size * 0.05 + 0.02, &mut leaves);
    blob(rng, middle, radii * 0.65, count / 4, size * 0.14, &mut leaves);
    if rng.random_bool(0.3) {
        // Long blades: grasses, yuccas.
        for _ in 0..60 {
            let way = (any_way(rng) * Vec3::new(1.0, 1.0, 0.3) + Vec3::Z * 0.7).normalize();
            let tip = at.extend(0.0) + way * size * rng.range_f32(0.7, 1.2);
            let side = way.any_orthonormal_vector() * 0.02;
            leaves.push([at.extend(0.0) - side, at.extend(0.0) + side, tip]);
        }
    }
    b.soup(leaves, leaf);
    if rng.random_bool(0.25) {
        let flower = Brush::new(Label::Plants, Material::Flowers, b.group());
        let mut petals = Vec::new();
        blob(rng, middle, radii * 1.03, (70.0 * detail) as usize + 8, size * 0.035 + 0.015, &mut petals);
        b.soup(petals, flower);
    }
}

/// A hedge along X of a site, clipped or loose.
pub(crate) fn hedge(rng: &mut Rng, b: &mut Builder, site: &Site, length: f32, detail: f32) {
    let leaf = Brush::new(Label::Plants, Material::Leaves, b.group()).reflecting(0.15);
    let (deep, high) = (rng.range_f32(0.35, 1.0), rng.range_f32(0.5, 2.3));
    site.bar(b, [0.0, length], [0.06, deep - 0.06], [0.0, high - 0.06], leaf);
    let mut leaves = Vec::new();
    let rough = if rng.random_bool(0.5) { 0.05 } else { 0.25 };
    let count = ((length * (high * 2.0 + deep)) * 22.0 * detail).min(2500.0) as usize;
    for _ in 0..count {
        let x = rng.range_f32(0.0, length);
        let (y, z) = match rng.below(3) {
            0 => (0.0, rng.range_f32(0.0, high)),
            1 => (deep, rng.range_f32(0.0, high)),
            _ => (rng.range_f32(0.0, deep), high),
        };
        let at = site.at(x, y, z) + any_way(rng) * rough;
        let a = any_way(rng) * rng.range_f32(0.05, 0.13);
        let c = a.any_orthonormal_vector() * 0.08;
        leaves.push([at - a, at + c, at + a]);
    }
    b.soup(leaves, leaf);
}

/// A bed of soil with low plants and flowers along X of a site.
pub(crate) fn bed(rng: &mut Rng, b: &mut Builder, site: &Site, [length, deep]: [f32; 2], detail: f32) {
    let soil = Brush::new(Label::Plants, Material::Soil, b.group()).reflecting(0.15);
    site.bar(b, [0.0, length], [0.0, deep], [-0.2, 0.03], soil);
    let mut x = rng.range_f32(0.1, 0.6);
    while x < length {
        let size = rng.range_f32(0.25, 0.5 + deep * 0.7);
        let at = site.flat(x, rng.range_f32(0.2, 0.8) * deep);
        shrub(rng, b, at, size, 0.35 * detail);
        x += size * rng.range_f32(0.5, 1.6);
    }
}
