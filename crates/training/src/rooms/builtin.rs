//! What is built in: kitchens, wardrobes, fireplaces, stairs, shelves, railings.

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::plan::{Groups, Plan};
use crate::scene::{Brush, Builder, Label, Material};

pub(super) fn build(rng: &mut Rng, b: &mut Builder, plan: &Plan, groups: &Groups) {
    if rng.random_bool(0.25) {
        kitchen(rng, b, plan);
    }
    if rng.random_bool(0.13) {
        fireplace(rng, b, plan, groups);
    }
    if rng.random_bool(0.13) {
        stairs(rng, b, plan, groups);
    }
    if rng.random_bool(0.1) {
        shelves(rng, b, plan);
    }
    if rng.random_bool(0.08) {
        railing(rng, b, plan);
    }
}

/// A run along a wall: its start, its direction and the way into the room, all on the rectangle around the plan.
fn along_wall(rng: &mut Rng, plan: &Plan, length: f32) -> Option<(Vec2, Vec2, Vec2)> {
    let count = plan.corners.len();
    for _ in 0..8 {
        let i = rng.below(count);
        let (from, to) = (plan.corners[i], plan.corners[(i + 1) % count]);
        let free = (to - from).length() - length;
        if free > 0.05 {
            let along = (to - from).normalize();
            return Some((from + along * rng.range_f32(0.0, free), along, Vec2::new(-along.y, along.x)));
        }
    }
    None
}

fn kitchen(rng: &mut Rng, b: &mut Builder, plan: &Plan) {
    let cabinet = Brush::new(Label::Fixture, Material::Cabinet, b.group());
    let upper = if rng.random_bool(0.8) { cabinet } else { Brush { group: b.group(), ..cabinet } };
    let counter = Brush::new(Label::Fixture, Material::Counter, b.group());
    let metal = Brush::new(Label::Fixture, Material::Metal, b.group());
    for _ in 0..1 + rng.below(3) {
        let length = rng.range_f32(1.2, 4.0);
        let Some((from, along, inward)) = along_wall(rng, plan, length) else { continue };
        let unit = rng.range_f32(0.4, 0.62);
        let count = (length / unit) as usize;
        let tall = rng.random_bool(0.15);
        let has_upper = rng.random_bool(0.75);
        let bottom = rng.range_f32(1.3, 1.5);
        for k in 0..count {
            let at = from + along * unit * k as f32;
            let gap = 0.004;
            if tall || (k == 0 && rng.random_bool(0.3)) {
                let brush = if rng.random_bool(0.4) { metal } else { cabinet };
                b.prism(at + along * gap, along * (unit - 2.0 * gap), inward * 0.62, [0.0, 2.1], brush);
                continue;
            }
            b.prism(
                at + along * gap,
                along * (unit - 2.0 * gap),
                inward * 0.55,
                [0.0, 0.1],
                Brush { material: Material::Soot, ..cabinet },
            );
            b.prism(at + along * gap, along * (unit - 2.0 * gap), inward * 0.6, [0.1, 0.88], cabinet);
            if rng.random_bool(0.7) {
                let inset = 0.06;
                let low = if rng.random_bool(0.3) { 0.5 } else { 0.16 };
                b.prism(
                    at + along * inset + inward * 0.6,
                    along * (unit - 2.0 * inset),
                    inward * 0.006,
                    [low, 0.82],
                    cabinet,
                );
            }
            b.prism(at + along * (unit * 0.4) + inward * 0.6, along * 0.12, inward * 0.03, [0.8, 0.815], metal);
            if has_upper && rng.random_bool(0.9) {
                b.prism(
                    at + along * gap,
                    along * (unit - 2.0 * gap),
                    inward * 0.34,
                    [bottom, (bottom + 0.75).min(plan.height)],
                    upper,
                );
            }
        }
        if !tall {
            b.prism(from, along * unit * count as f32, inward * 0.63, [0.88, 0.92], counter);
        }
    }
    if rng.random_bool(0.4) {
        let [low, high] = plan.extent();
        let at = Vec2::new(rng.range_f32(low.x + 0.6, high.x - 1.2), rng.range_f32(low.y + 1.5, high.y - 0.8));
        let (w, d) = (rng.range_f32(0.8, 2.2), rng.range_f32(0.5, 1.1));
        if plan.holds(at) {
            b.prism(at, Vec2::X * w, Vec2::Y * d, [0.0, 0.88], if rng.random_bool(0.7) { cabinet } else { upper });
            b.prism(at - 0.04, Vec2::X * (w + 0.08), Vec2::Y * (d + 0.08), [0.88, 0.92], counter);
        }
    }
}

fn fireplace(rng: &mut Rng, b: &mut Builder, plan: &Plan, groups: &Groups) {
    let wide = rng.range_f32(1.0, 1.9);
    let Some((from, along, inward)) = along_wall(rng, plan, wide) else { return };
    let masonry =
        Brush::new(Label::Fixture, if rng.random_bool(0.6) { Material::Masonry } else { Material::Trim }, b.group());
    let out = rng.range_f32(0.05, 0.5);
    let hole = [wide * 0.22, wide * 0.78];
    let top = rng.range_f32(0.6, 0.95);
    let bottom = if rng.random_bool(0.5) { 0.0 } else { rng.range_f32(0.1, 0.4) };
    let high = if rng.random_bool(0.5) { rng.range_f32(1.1, 1.5) } else { plan.height + 1.0 };
    let part = |b: &mut Builder, across: [f32; 2], up: [f32; 2], brush: Brush| {
        b.prism(from + along * across[0], along * (across[1] - across[0]), inward * out, up, brush);
    };
    part(b, [0.0, hole[0]], [0.0, high], masonry);
    part(b, [hole[1], wide], [0.0, high], masonry);
    part(b, hole, [top, high], masonry);
    if bottom > 0.0 {
        part(b, hole, [0.0, bottom], masonry);
    }
    let soot = Brush::new(Label::Fixture, Material::Soot, b.group()).reflecting(0.05);
    b.prism(from + along * hole[0], along * (hole[1] - hole[0]), inward * (out - 0.02).max(0.012), [bottom, top], soot);
    if rng.random_bool(0.7) {
        let mantel = Brush::new(Label::Fixture, Material::Wood, b.group());
        let up = top + rng.range_f32(0.15, 0.5);
        b.prism(
            from - along * 0.08,
            along * (wide + 0.16),
            inward * (out + 0.15),
            [up, up + rng.range_f32(0.04, 0.15)],
            mantel,
        );
    }
    if rng.random_bool(0.6) {
        let hearth = Brush::new(
            Label::Fixture,
            Material::Masonry,
            if rng.random_bool(0.5) { masonry.group } else { groups.trim },
        );
        b.prism(
            from - along * 0.1,
            along * (wide + 0.2),
            inward * (out + rng.range_f32(0.3, 0.6)),
            [0.0, rng.pick(&[0.02_f32, 0.05, 0.3])],
            hearth,
        );
    }
}

fn stairs(rng: &mut Rng, b: &mut Builder, plan: &Plan, groups: &Groups) {
    let (rise, tread, wide) = (rng.range_f32(0.16, 0.2), rng.range_f32(0.24, 0.3), rng.range_f32(0.8, 1.1));
    let count = rng.pick(&[3_usize, 8, 12, 14]);
    let Some((from, along, inward)) = along_wall(rng, plan, tread * count.min(8) as f32) else { return };
    let (along, from) =
        if rng.random_bool(0.5) { (along, from) } else { (-along, from + along * tread * count.min(8) as f32) };
    let step =
        Brush::new(Label::Fixture, if rng.random_bool(0.6) { Material::Wood } else { Material::Trim }, b.group());
    let riser = Brush::new(Label::Fixture, Material::Trim, groups.trim);
    let open = rng.random_bool(0.25);
    for k in 0..count {
        let up = rise * (k + 1) as f32;
        let at = from + along * tread * k as f32;
        b.prism(at, along * (tread + 0.03), inward * wide, [up - 0.035, up], step);
        if !open {
            b.prism(at + along * 0.03, along * tread, inward * (wide - 0.02), [0.0, up - 0.035], riser);
        }
        if rng.random_bool(0.95) {
            b.prism(at + inward * (wide - 0.06) + along * 0.1, along * 0.025, inward * 0.025, [up, up + 0.85], riser);
        }
    }
}

fn shelves(rng: &mut Rng, b: &mut Builder, plan: &Plan) {
    let (wide, deep, high) = (rng.range_f32(0.8, 2.5), rng.range_f32(0.25, 0.6), rng.range_f32(1.4, 2.4));
    let Some((from, along, inward)) = along_wall(rng, plan, wide) else { return };
    let brush = Brush::new(Label::Fixture, Material::Cabinet, b.group());
    if rng.random_bool(0.5) {
        // Wardrobe fronts.
        let leaves = (wide / 0.6).max(1.0) as usize;
        for k in 0..leaves {
            let unit = wide / leaves as f32;
            b.prism(
                from + along * (unit * k as f32 + 0.004),
                along * (unit - 0.008),
                inward * deep,
                [0.0, high],
                brush,
            );
        }
        return;
    }
    let boards = rng.below(4) + 3;
    for k in 0..=boards {
        let up = high * k as f32 / boards as f32;
        b.prism(from, along * wide, inward * deep, [up, up + 0.025], brush);
    }
    let uprights = (wide / 0.8) as usize + 1;
    for k in 0..=uprights {
        b.prism(from + along * (wide * k as f32 / uprights as f32), along * 0.022, inward * deep, [0.0, high], brush);
    }
}

fn railing(rng: &mut Rng, b: &mut Builder, plan: &Plan) {
    let [low, high] = plan.extent();
    let at = Vec2::new(rng.range_f32(low.x, high.x - 1.0), rng.range_f32(low.y + 1.5, high.y));
    let way = if rng.random_bool(0.5) { Vec2::X } else { Vec2::Y };
    let length = rng.range_f32(1.0, 4.0);
    if !plan.holds(at) {
        return;
    }
    let brush =
        Brush::new(Label::Fixture, if rng.random_bool(0.5) { Material::Metal } else { Material::Wood }, b.group());
    b.prism(at, way * length, way.perp() * 0.05, [0.92, 0.98], brush);
    let gap = rng.range_f32(0.1, 0.16);
    let mut t = 0.0;
    while t < length {
        b.prism(at + way * t, way * 0.022, way.perp() * 0.022, [0.0, 0.93], brush);
        t += gap;
    }
    let post = Vec3::new(at.x, at.y, 0.0);
    b.prism(post.truncate() - 0.03, Vec2::X * 0.09, Vec2::Y * 0.09, [0.0, 1.1], brush);
}
