//! The ground: lawns, streets, drives, terraces, pools, and what closes the view.

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::site::Site;
use crate::scene::{Brush, Builder, Label, Material};

/// How far the ground reaches.
pub(crate) const FAR: f32 = 900.0;

/// A material of the ground and its class.
pub(crate) fn cover(rng: &mut Rng, b: &mut Builder, paved: f64) -> Brush {
    if rng.random_bool(paved) {
        let material = rng.pick(&[Material::Paving, Material::Paving, Material::Asphalt]);
        return Brush::new(Label::Paving, material, b.group()).reflecting(0.3);
    }
    let material = if rng.random_bool(0.88) { Material::Lawn } else { Material::Soil };
    Brush::new(Label::Lawn, material, b.group()).reflecting(0.2)
}

/// The plain around everything.
pub(crate) fn plain(rng: &mut Rng, b: &mut Builder) {
    let brush = cover(rng, b, 0.04);
    b.quad(Vec3::new(-FAR, -FAR, -0.06), Vec3::X * 2.0 * FAR, Vec3::Y * 2.0 * FAR, brush);
}

/// A street along X between two distances, with curbs and sidewalks at either side.
pub(crate) fn street(rng: &mut Rng, b: &mut Builder, y: [f32; 2]) {
    let site = Site::new(Vec2::ZERO, 0.0);
    let reach = [-260.0, 260.0];
    let walk = rng.range_f32(1.2, 3.5);
    let has_walk = rng.random_bool(0.75);
    let asphalt =
        Brush::new(Label::Paving, rng.pick(&[Material::Asphalt, Material::Asphalt, Material::Paving]), b.group());
    site.sheet(b, reach, y, -0.05, asphalt.reflecting(0.15));
    if has_walk {
        let paving = Brush::new(Label::Paving, Material::Paving, b.group()).reflecting(0.3);
        let curb = Brush::new(Label::Paving, Material::Trim, b.group()).reflecting(0.4);
        for (near, far) in [(y[0] - walk, y[0]), (y[1], y[1] + walk)] {
            site.bar(b, reach, [near, far], [-0.2, 0.015], paving);
        }
        site.bar(b, reach, [y[0] - 0.15, y[0] + 0.02], [-0.2, 0.03], curb);
        site.bar(b, reach, [y[1] - 0.02, y[1] + 0.15], [-0.2, 0.03], curb);
    }
    if rng.random_bool(0.25) {
        let paint = Brush::new(Label::Paving, Material::Trim, b.group());
        let middle = (y[0] + y[1]) / 2.0;
        for k in -30..30 {
            let x = 6.0 * k as f32;
            site.sheet(b, [x, x + 3.0], [middle - 0.06, middle + 0.06], -0.045, paint);
        }
    }
}

/// A pool in its paving, or a pond. `site` is the middle.
pub(crate) fn pool(rng: &mut Rng, b: &mut Builder, site: &Site, [w, d]: [f32; 2]) {
    let water = Brush::new(Label::Water, Material::Water, b.group()).reflecting(0.3);
    if rng.random_bool(0.15) {
        site.disc(b, [0.0, 0.0, 0.012], [w * 0.5, d * 0.5], water);
        return;
    }
    let rim = rng.range_f32(0.4, 2.5);
    let paving = Brush::new(Label::Paving, Material::Paving, b.group()).reflecting(0.5);
    let edge = Brush { group: b.group(), ..paving };
    let (x, y) = ([-w / 2.0, w / 2.0], [-d / 2.0, d / 2.0]);
    let z = rng.range_f32(0.0, 0.04);
    if rng.random_bool(0.25) {
        let (x, y) = ([x[0] - rim, x[1] + rim], [y[0] - rim, y[1] + rim]);
        site.sheet(b, x, y, z, paving);
        site.disc(b, [0.0, 0.0, z + 0.012], [w * 0.5, d * 0.5], water);
        return;
    }
    for (x, y) in [
        ([x[0] - rim, x[1] + rim], [y[0] - rim, y[0]]),
        ([x[0] - rim, x[1] + rim], [y[1], y[1] + rim]),
        ([x[0] - rim, x[0]], y),
        ([x[1], x[1] + rim], y),
    ] {
        site.bar(b, x, y, [-0.2, z], paving);
    }
    for (x, y) in [
        ([x[0] - 0.3, x[1] + 0.3], [y[0] - 0.3, y[0]]),
        ([x[0] - 0.3, x[1] + 0.3], [y[1], y[1] + 0.3]),
        ([x[0] - 0.3, x[0]], y),
        ([x[1], x[1] + 0.3], y),
    ] {
        site.bar(b, x, y, [-0.3, z + 0.02], edge);
    }
    site.sheet(b, x, y, z - rng.range_f32(0.03, 0.15), water);
}

/// Hills, woods, a sea or mountains far away, around everything.
pub(crate) fn horizon(rng: &mut Rng, b: &mut Builder) {
    if rng.random_bool(0.12) {
        // The sea behind the gardens.
        let water = Brush::new(Label::Water, Material::Water, b.group()).reflecting(0.3);
        let y = rng.range_f32(25.0, 120.0);
        b.quad(Vec3::new(-FAR, y, -0.04), Vec3::X * 2.0 * FAR, Vec3::Y * FAR, water);
    }
    for _ in 0..rng.below(4) {
        let far = rng.range_f32(60.0, 700.0);
        let steep = if rng.random_bool(0.3) { rng.range_f32(0.1, 0.35) } else { rng.range_f32(0.01, 0.12) };
        let brush = match rng.below(8) {
            0 | 1 => Brush::new(Label::Lawn, Material::Lawn, b.group()),
            2 if steep > 0.1 => Brush::new(Label::Plants, Material::Rock, b.group()),
            _ => Brush::new(Label::Plants, Material::Leaves, b.group()),
        }
        .reflecting(0.2);
        let rough = rng.range_f32(0.3, 1.0);
        let phases: [f32; 5] = std::array::from_fn(|_| rng.range_f32(0.0, 6.3));
        let [from, span] =
            if rng.random_bool(0.5) { [0.0, 6.3] } else { [rng.range_f32(0.0, 6.3), rng.range_f32(1.0, 4.0)] };
        let count = 260;
        let place = |k: usize, back: f32| {
            let turn = from + span * k as f32 / count as f32;
            let wave = 1.0
                + rough * (0.6 * (turn * 3.0 + phases[0]).sin() + 0.3 * (turn * 7.0 + phases[1]).sin())
                + rough * (0.15 * (turn * 17.0 + phases[2]).sin() + 0.08 * (turn * 43.0 + phases[3]).sin())
                + rough * 0.05 * (turn * 131.0 + phases[4]).sin();
            (Vec2::from_angle(turn) * far * back).extend((far * steep * wave).max(0.5))
        };
        let mut slopes = Vec::new();
        for k in 0..count {
            let (p, q) = (place(k, 1.0), place(k + 1, 1.0));
            let [r, s] = [k, k + 1].map(|k| (place(k, 0.75)).with_z(-0.1));
            slopes.extend([[r, s, q], [r, q, p]]);
        }
        b.soup(slopes, brush);
    }
}
