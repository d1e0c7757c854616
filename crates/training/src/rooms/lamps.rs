//! Lamps that hang from the ceiling or lie against it.

use aerie_furniture::mesh::Mesh;
use aerie_furniture::shape;
use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::plan::Plan;
use crate::scene::{Brush, Builder, Label, Lamp, Material};

/// Hangs lamps, lit or not, in about half of all rooms.
pub(super) fn hang(rng: &mut Rng, b: &mut Builder, plan: &Plan) {
    if !rng.random_bool(0.55) {
        return;
    }
    let [low, high] = plan.extent();
    let lit = rng.random_bool(0.8);
    let warmth = rng.unit_f32();
    let kind = rng.below(6);
    let body =
        Brush::new(Label::HangingLamp, rng.pick(&[Material::Metal, Material::Object, Material::Trim]), b.group());
    let shade = match (lit, rng.random_bool(0.5)) {
        (true, true) => Brush::new(Label::HangingLamp, Material::Lamp, b.group()),
        _ => Brush::new(Label::HangingLamp, rng.pick(&[Material::Cloth, Material::Metal, Material::Trim]), b.group()),
    };
    let count = if kind == 0 { 2 + rng.below(7) } else { 1 + rng.below(3) };
    let row = Vec2::new(rng.range_f32(low.x, high.x), rng.range_f32(low.y, high.y));
    let step = if rng.random_bool(0.5) { Vec2::X } else { Vec2::Y } * rng.range_f32(0.5, 1.4);
    let rows = rng.random_bool(0.5);
    for k in 0..count {
        let at = if rows {
            row + step * k as f32
        } else {
            Vec2::new(rng.range_f32(low.x, high.x), rng.range_f32(low.y, high.y))
        };
        if !plan.holds(at) || plan.clearance(at) < 0.25 {
            continue;
        }
        let down = match kind {
            0 | 1 => 0.05,
            _ => rng.range_f32(0.3, 0.45 * plan.height),
        };
        let place = at.extend(plan.height - down);
        fixture(rng, b, kind, place, down, [body, shade]);
        if lit {
            b.lamps.push(Lamp { place: place - Vec3::Z * 0.12, strength: rng.range_f32(0.3, 2.0), warmth });
        }
    }
}

fn fixture(rng: &mut Rng, b: &mut Builder, kind: usize, place: Vec3, down: f32, [body, shade]: [Brush; 2]) {
    let put = |b: &mut Builder, outline: &[[f32; 2]], at: Vec3, brush: Brush| {
        let mut mesh = Mesh::default();
        mesh.add(shape::lathe(outline, 18), 0);
        b.mesh(&mesh, 0.0, at, |_| brush);
    };
    if kind == 0 {
        // A spot in the ceiling.
        let r = rng.range_f32(0.035, 0.09);
        put(b, &[[0.0, 0.0], [r, 0.0], [r * 1.2, 0.05]], place, shade);
        return;
    }
    if kind == 1 {
        let r = rng.range_f32(0.12, 0.3);
        put(b, &[[0.0, -0.06], [r * 0.7, -0.05], [r, 0.0], [r, 0.05]], place, shade);
        return;
    }
    b.block(place - Vec3::new(0.008, 0.008, 0.0), place + Vec3::new(0.008, 0.008, down), body);
    let r = rng.range_f32(0.08, 0.35);
    match kind {
        2 => put(b, &[[r, -r * 0.9], [r * rng.range_f32(0.2, 0.9), 0.0], [0.02, 0.02]], place, shade),
        3 => {
            let ball: Vec<[f32; 2]> = (0..=8)
                .map(|k| (k as f32 / 8.0 - 0.5) * std::f32::consts::PI)
                .map(|t| [r * t.cos().max(0.0), r * t.sin() - r])
                .collect();
            put(b, &ball, place, shade);
        }
        4 => put(b, &[[r * 1.3, -0.3], [r * 1.3, 0.0], [0.0, 0.0]], place, shade),
        _ => {
            // Arms with candles or bulbs.
            let arms = 3 + rng.below(6);
            for k in 0..arms {
                let way = Vec2::from_angle(std::f32::consts::TAU * k as f32 / arms as f32);
                let reach = r + 0.15;
                b.prism(
                    place.truncate() - way.perp() * 0.01,
                    way * reach,
                    way.perp() * 0.02,
                    [place.z - 0.12, place.z - 0.1],
                    body,
                );
                let end = place + (way * reach).extend(-0.1);
                put(b, &[[0.012, 0.0], [0.035, 0.06], [0.0, 0.13]], end, shade);
            }
        }
    }
}
