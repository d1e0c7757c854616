//! The plot of a house: drive, paths, lawns, terrace, pool, fences, plants.

use aerie_math::Rng;
use glam::Vec2;

use super::ground;
use super::house::House;
use super::plants;
use super::site::Site;
use super::things;
use crate::scene::{Brush, Builder, Label, Material};

/// A house with the ground before it, behind it and at its sides, meters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plot {
    pub(crate) house: House,
    pub(crate) front: f32,
    pub(crate) rear: f32,
    pub(crate) margin: f32,
}

/// Lays out front and rear gardens. `detail` scales the number of leaves.
pub(crate) fn lay_out(rng: &mut Rng, b: &mut Builder, site: &Site, plot: &Plot, detail: f32) {
    let Plot { house, front, rear, margin } = *plot;
    let (left, right) = (-margin, house.width + margin);
    // A layer of its own for each cover, so that no two faces coincide.
    let cover = ground::cover(rng, b, 0.12);
    site.bar(b, [left, right], [-front, house.depth + 1.0], [-0.3, -0.03], cover);
    let cover = if rng.random_bool(0.6) { cover } else { ground::cover(rng, b, 0.15) };
    site.bar(b, [left, right], [house.depth + 1.0, house.depth + rear], [-0.3, -0.035], cover);
    approach(rng, b, site, plot);
    at_front(rng, b, site, plot, detail);
    at_rear(rng, b, site, plot, detail);
    enclosure(rng, b, site, plot, detail);
}

/// Drive and path.
fn approach(rng: &mut Rng, b: &mut Builder, site: &Site, plot: &Plot) {
    let Plot { house, front, margin, .. } = *plot;
    let reach = front + 1.5;
    let material = |rng: &mut Rng| rng.pick(&[Material::Paving, Material::Paving, Material::Asphalt]);
    let drive = house
        .garage
        .or_else(|| rng.random_bool(0.5).then(|| rng.pick(&[-margin / 2.0, house.width * 0.2, house.width * 0.8])));
    if let Some(x) = drive.filter(|_| front > 2.5) {
        let half = rng.range_f32(1.3, 3.5);
        let brush = Brush::new(Label::Paving, material(rng), b.group()).reflecting(0.3);
        site.bar(b, [x - half, x + half], [-reach, 1.0], [-0.2, -0.012], brush);
        if rng.random_bool(0.4) {
            let turn = if rng.random_bool(0.7) { std::f32::consts::FRAC_PI_2 } else { -std::f32::consts::FRAC_PI_2 };
            let at = site.flat(x + rng.range_f32(-0.5, 0.5), -rng.range_f32(2.6, (front - 1.0).max(2.7)));
            let x = Vec2::from_angle(turn + rng.range_f32(-0.1, 0.1)).rotate(site.x);
            things::car(rng, b, &Site { origin: at, x });
        }
    }
    if let Some(x) = house.door {
        let brush = Brush::new(Label::Paving, material(rng), b.group()).reflecting(0.3);
        let half = rng.range_f32(0.5, 1.2);
        if rng.random_bool(0.85) {
            site.bar(b, [x - half, x + half], [-reach, 0.0], [-0.2, -0.005], brush);
        }
    }
}

fn at_front(rng: &mut Rng, b: &mut Builder, site: &Site, plot: &Plot, detail: f32) {
    let Plot { house, front, margin, .. } = *plot;
    if front < 1.5 {
        return;
    }
    let clear =
        |x: f32| house.door.is_none_or(|d| (d - x).abs() > 1.3) && house.garage.is_none_or(|g| (g - x).abs() > 3.2);
    if rng.random_bool(0.75) {
        // Along the front.
        let deep = rng.range_f32(0.5, 1.4);
        let mut x = 0.0;
        while x + 1.5 < house.width {
            let length = rng.range_f32(1.5, 4.0).min(house.width - x);
            if clear(x) && clear(x + length) && clear(x + length / 2.0) && rng.random_bool(0.75) {
                plants::bed(rng, b, &site.moved(x, -deep - 0.05, 0), [length, deep], detail);
            }
            x += length;
        }
    }
    for _ in 0..rng.below(9) {
        let x = rng.range_f32(-margin, house.width + margin);
        let y = -rng.range_f32(1.5, front.max(1.6));
        if clear(x) {
            let at = site.flat(x, y);
            if rng.random_bool(0.6) {
                let size = rng.range_f32(0.4, 2.0);
                plants::shrub(rng, b, at, size, detail);
            } else {
                let most = rng.pick(&[4.0_f32, 7.0, 12.0]);
                plants::tree(rng, b, at, most, detail);
            }
        }
    }
    if rng.random_bool(0.12) {
        let x = house.width * rng.unit_f32();
        things::seating(rng, b, &site.moved(x, -front * 0.5, 0));
    }
}

fn at_rear(rng: &mut Rng, b: &mut Builder, site: &Site, plot: &Plot, detail: f32) {
    let Plot { house, rear, margin, .. } = *plot;
    let back = house.depth;
    if rng.random_bool(0.8) {
        let (from, wide, deep) =
            (rng.range_f32(0.0, 0.4) * house.width, rng.range_f32(0.4, 1.0) * house.width, rng.range_f32(2.0, 5.0));
        let terrace = Brush::new(Label::Paving, Material::Paving, b.group()).reflecting(0.4);
        let to = (from + wide).min(house.width + margin);
        site.bar(b, [from, to], [back - 0.2, back + deep], [-0.3, 0.0], terrace);
        let middle = site.moved((from + to) / 2.0, back + deep * 0.55, 0);
        if rng.random_bool(0.75) {
            things::seating(rng, b, &middle);
        }
        if rng.random_bool(0.25) {
            things::parasol(rng, b, middle.flat(0.3, 0.5));
        }
        if rng.random_bool(0.2) {
            things::pergola(rng, b, &site.moved(from + 0.2, back + 0.1, 0), [(to - from - 0.4).max(2.0), deep - 0.2]);
        }
    }
    if rng.random_bool(0.35) && rear > 11.0 {
        let (w, d) = (rng.range_f32(4.0, 11.0), rng.range_f32(2.5, 5.0));
        let pool = site.moved(house.width * rng.range_f32(0.2, 0.8), back + rng.range_f32(7.5, rear - 3.0), 0);
        ground::pool(rng, b, &pool, [w, d]);
        let group = b.group();
        for k in 0..rng.below(5) {
            things::lounger(rng, b, &pool.moved(-w / 2.0 + 2.3 * k as f32, d / 2.0 + 0.6, 0), group);
            if rng.random_bool(0.3) {
                things::parasol(rng, b, pool.flat(-w / 2.0 + 2.3 * k as f32 + 1.6, d / 2.0 + 1.0));
            }
        }
    }
    for _ in 0..rng.below(14) {
        let x = rng.range_f32(-margin, house.width + margin);
        let y = back + rng.range_f32(4.0, rear.max(4.5));
        let at = site.flat(x, y);
        match rng.below(5) {
            0 | 1 => plants::tree(rng, b, at, 9.0, detail),
            2 => plants::bed(rng, b, &site.moved(x, y, 0), [2.5, 1.2], detail),
            _ => {
                let size = rng.range_f32(0.5, 2.2);
                plants::shrub(rng, b, at, size, detail);
            }
        }
    }
    if rng.random_bool(0.5) {
        let side = rng.range_f32(0.5, 1.5);
        let at = site.moved(-margin + 0.5, back + rear - side, 0);
        plants::bed(rng, b, &at, [house.width + margin, side], detail);
    }
}

/// Hedges, fences and walls around the plot.
fn enclosure(rng: &mut Rng, b: &mut Builder, site: &Site, plot: &Plot, detail: f32) {
    let Plot { house, front, rear, margin } = *plot;
    let (left, right) = (-margin, house.width + margin);
    let back = house.depth + rear;
    let edge = |rng: &mut Rng, b: &mut Builder, at: Site, length: f32, hedges: f64| {
        if rng.random_bool(hedges) {
            plants::hedge(rng, b, &at, length, detail);
        } else {
            things::fence(rng, b, &at, length);
        }
    };
    let hedges = rng.pick(&[0.15, 0.5, 0.85]);
    if rng.random_bool(0.7) {
        edge(rng, b, site.moved(left, back, 0), right - left, hedges);
    }
    for x in [left, right] {
        if rng.random_bool(0.65) {
            edge(rng, b, site.moved(x, house.depth * 0.8, 1), back - house.depth * 0.8, hedges);
        }
        if rng.random_bool(0.25) && front > 2.0 {
            edge(rng, b, site.moved(x, -front, 1), front, hedges);
        }
    }
    if rng.random_bool(0.3) && front > 2.0 {
        // With a gap for the gate.
        let gate = house.door.unwrap_or(house.width / 2.0);
        let gap = rng.range_f32(0.8, 3.0);
        for (from, to) in [(left, gate - gap), (gate + gap, right)] {
            if to - from > 1.0 {
                edge(rng, b, site.moved(from, -front, 0), to - from, hedges);
            }
        }
    }
}
