//! Ceilings: flat, vaulted, with beams, trays, soffits or open joists.

use aerie_math::Rng;
use glam::Vec3;

use super::plan::{Groups, Plan};
use crate::scene::{Brush, Builder, Label, Material, Pane};

pub(super) fn build(rng: &mut Rng, b: &mut Builder, plan: &Plan, groups: &Groups) {
    let [low, high] = plan.extent();
    let (low, high) = (low - 0.2, high + 0.2);
    let h = plan.height;
    let ceiling =
        Brush::new(Label::Ceiling, Material::Ceiling, groups.ceiling).on(2).reflecting(rng.range_f32(0.5, 0.85));
    let at = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
    let (w, d) = (high.x - low.x, high.y - low.y);
    match rng.below(10) {
        0 => {
            // Two slopes, with the ridge along or across the view.
            let rise = rng.range_f32(0.5, 2.2);
            let flat = rng.range_f32(0.0, 0.3);
            if rng.random_bool(0.5) {
                let half = w * rng.range_f32(0.35, 0.65);
                b.quad(at(low.x, low.y, h), at(half * (1.0 - flat), 0.0, rise), Vec3::Y * d, ceiling);
                b.quad(
                    at(low.x + half * (1.0 - flat), low.y, h + rise),
                    Vec3::X * half * flat * 2.0,
                    Vec3::Y * d,
                    ceiling,
                );
                b.quad(
                    at(low.x + half * (1.0 + flat), low.y, h + rise),
                    at(w - half * (1.0 + flat), 0.0, -rise),
                    Vec3::Y * d,
                    ceiling,
                );
            } else {
                let half = d * rng.range_f32(0.3, 0.7);
                b.quad(at(low.x, low.y, h), Vec3::X * w, at(0.0, half, rise), ceiling);
                b.quad(at(low.x, low.y + half, h + rise), Vec3::X * w, at(0.0, d - half, -rise), ceiling);
            }
        }
        1 => {
            // One slope.
            let rise = rng.range_f32(0.4, 1.8);
            let (from, to) = if rng.random_bool(0.5) { (0.0, rise) } else { (rise, 0.0) };
            if rng.random_bool(0.5) {
                b.quad(at(low.x, low.y, h + from), at(w, 0.0, to - from), Vec3::Y * d, ceiling);
            } else {
                b.quad(at(low.x, low.y, h + from), Vec3::X * w, at(0.0, d, to - from), ceiling);
            }
        }
        _ => b.quad(at(low.x, low.y, h), Vec3::X * w, Vec3::Y * d, ceiling),
    }
    if rng.random_bool(0.22) {
        // Beams or joists along one direction, or a grid.
        let group = if rng.random_bool(0.5) { groups.ceiling } else { b.group() };
        let beam =
            Brush::new(Label::Ceiling, if rng.random_bool(0.5) { Material::Wood } else { Material::Trim }, group).on(2);
        let (gap, deep, wide) = (rng.range_f32(0.4, 1.6), rng.range_f32(0.08, 0.3), rng.range_f32(0.04, 0.2));
        let kind = rng.below(3);
        if kind != 1 {
            let mut x = low.x + gap * 0.5;
            while x < high.x {
                b.block(at(x, low.y, h - deep), at(x + wide, high.y, h - 0.001), beam);
                x += gap;
            }
        }
        if kind != 0 {
            let mut y = low.y + gap * 0.7;
            while y < high.y {
                b.block(at(low.x, y, h - deep), at(high.x, y + wide, h - 0.001), beam);
                y += gap;
            }
        }
    }
    if rng.random_bool(0.15) {
        // A soffit along a wall.
        let (deep, down) = (rng.range_f32(0.3, 1.2), rng.range_f32(0.15, 0.5));
        let wall = Brush::wall(Material::Wall, groups.wall);
        match rng.below(3) {
            0 => b.block(at(low.x, low.y, h - down), at(low.x + 0.2 + deep, high.y, h), wall),
            1 => b.block(at(high.x - 0.2 - deep, low.y, h - down), at(high.x, high.y, h), wall),
            _ => b.block(at(low.x, high.y - 0.2 - deep, h - down), at(high.x, high.y, h), wall),
        }
    }
    if rng.random_bool(0.12) {
        // A header across the room: the lintel of an open plan.
        let y = rng.range_f32(0.3, 0.8) * d + low.y;
        let down = rng.range_f32(0.15, 0.5);
        b.block(at(low.x, y, h - down), at(high.x, y + 0.15, h + 1.0), Brush::wall(Material::Wall, groups.wall));
    }
    if rng.random_bool(0.06) {
        let (x, y) = (rng.range_f32(low.x + 0.5, high.x - 1.5), rng.range_f32(low.y + 1.0, high.y - 1.5));
        let (a, c) = (rng.range_f32(0.6, 1.2), rng.range_f32(0.6, 1.4));
        b.quad(at(x, y, h - 0.004), Vec3::X * a, Vec3::Y * c, Brush::new(Label::Window, Material::Glass, groups.glass));
        b.panes.push(Pane { corner: at(x, y, h - 0.02), edges: [Vec3::X * a, Vec3::Y * c], strength: 1.0 });
    }
    if rng.random_bool(0.2) {
        // A fan or a pendant.
        let m = at(rng.range_f32(low.x, high.x), rng.range_f32(low.y, high.y), h);
        let brush = Brush::new(Label::HangingLamp, Material::Object, b.group());
        let down = rng.range_f32(0.2, 0.9);
        b.block(m - at(0.012, 0.012, down), m + at(0.012, 0.012, 0.0), brush);
        if rng.random_bool(0.5) {
            let turn = rng.range_f32(0.0, 1.5);
            for k in 0..5 {
                let way = glam::Vec2::from_angle(turn + k as f32 * 1.2566);
                b.prism(
                    m.truncate() + way * 0.08 - way.perp() * 0.06,
                    way * 0.55,
                    way.perp() * 0.12,
                    [h - down, h - down + 0.012],
                    brush,
                );
            }
        } else {
            let r = rng.range_f32(0.06, 0.3);
            b.block(m - at(r, r, down + r), m + at(r, r, -down), brush);
        }
    }
    if rng.random_bool(0.3) {
        // Recessed lights.
        let lit = Brush::new(Label::Ceiling, Material::Lamp, b.group()).on(2);
        let gap = rng.range_f32(0.9, 1.8);
        let mut x = low.x + gap * 0.6;
        while x < high.x {
            let mut y = low.y + gap * 0.6;
            while y < high.y {
                b.quad(at(x, y, h - 0.003), Vec3::X * 0.12, Vec3::Y * 0.12, lit);
                y += gap;
            }
            x += gap;
        }
    }
}
