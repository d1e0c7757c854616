//! Furniture: our own pieces in random palettes, random shapes, and loose clutter.

use aerie_furniture::palette::{Palette, Role};
use aerie_furniture::style::Style;
use aerie_furniture::{PieceKind, StylePrompt, pieces, shape};
use aerie_math::Rng;
use glam::{Vec2, Vec3};
use strum::VariantArray;

use super::plan::Plan;
use crate::scene::{Brush, Builder, Label, Material};

const PIECES: [PieceKind; 34] = [
    PieceKind::Armchair,
    PieceKind::Armchair,
    PieceKind::Basket,
    PieceKind::Bed,
    PieceKind::Bed,
    PieceKind::Bench,
    PieceKind::Bookshelf,
    PieceKind::CoffeeTable,
    PieceKind::CoffeeTable,
    PieceKind::ConsoleTable,
    PieceKind::Cot,
    PieceKind::Desk,
    PieceKind::DeskChair,
    PieceKind::DiningChair,
    PieceKind::DiningChair,
    PieceKind::DiningTable,
    PieceKind::Dresser,
    PieceKind::FloorLamp,
    PieceKind::FloorLamp,
    PieceKind::MediaConsole,
    PieceKind::Nightstand,
    PieceKind::Planter,
    PieceKind::PottedPlant,
    PieceKind::PottedPlant,
    PieceKind::Pouf,
    PieceKind::RoundTable,
    PieceKind::SideTable,
    PieceKind::Sideboard,
    PieceKind::SingleBed,
    PieceKind::Sofa,
    PieceKind::Sofa,
    PieceKind::Sofa,
    PieceKind::Stool,
    PieceKind::Wardrobe,
];

pub(super) fn furnish(rng: &mut Rng, b: &mut Builder, plan: &Plan, taken: &mut Vec<(Vec2, f32)>) {
    let style = rng.pick(Style::VARIANTS).as_str();
    let palette = Palette::new(&StylePrompt::parse(Some(style)), rng.next_u64());
    let groups: Vec<u16> = palette.materials.iter().map(|_| b.group()).collect();
    if rng.random_bool(0.5) {
        rug(rng, b, plan);
    }
    let count = 1 + rng.below(9);
    for _ in 0..count {
        if rng.random_bool(0.3) {
            random_thing(rng, b, plan, taken);
            continue;
        }
        let kind = rng.pick(&PIECES);
        let is_lamp = matches!(kind, PieceKind::FloorLamp | PieceKind::TableLamp);
        let label = if is_lamp { Label::StandingLamp } else { Label::Furniture };
        let piece = pieces::build(kind, &palette, rng);
        let size = piece.size;
        let radius = size.x.max(size.y) * 0.5;
        let Some((at, yaw)) = place(rng, plan, size, taken) else { continue };
        taken.push((at, radius));
        b.mesh(&piece.mesh, yaw, at.extend(0.0), |role| {
            let material = if role == Role::Wood as usize || role == Role::DarkWood as usize {
                Material::Wood
            } else if role == Role::Metal as usize || role == Role::DarkMetal as usize {
                Material::Metal
            } else if role == Role::Rug as usize {
                Material::Rug
            } else {
                Material::Cloth
            };
            Brush::new(label, material, groups.get(role).copied().unwrap_or(0)).reflecting(0.35)
        });
    }
}

/// A free place, against a wall or anywhere, and a rotation.
fn place(rng: &mut Rng, plan: &Plan, size: Vec3, taken: &[(Vec2, f32)]) -> Option<(Vec2, f32)> {
    let [low, high] = plan.extent();
    let radius = size.x.max(size.y) * 0.5;
    for _ in 0..20 {
        let (at, yaw) = if rng.random_bool(0.5) {
            let i = rng.below(plan.corners.len());
            let (from, to) = (plan.corners[i], plan.corners[(i + 1) % plan.corners.len()]);
            let along = (to - from).normalize_or(Vec2::X);
            let inward = Vec2::new(-along.y, along.x);
            let t = rng.unit_f32();
            // The front looks toward -Y.
            (
                from.lerp(to, t) + inward * (size.y * 0.5 + 0.04),
                (-inward).to_angle() - std::f32::consts::FRAC_PI_2 + std::f32::consts::PI,
            )
        } else {
            let at = Vec2::new(rng.range_f32(low.x, high.x), rng.range_f32(low.y, high.y));
            (
                at,
                if rng.random_bool(0.6) {
                    f32::from(rng.below(4) as u8) * std::f32::consts::FRAC_PI_2
                } else {
                    rng.range_f32(0.0, std::f32::consts::TAU)
                },
            )
        };
        let apart = taken.iter().all(|(p, r)| (*p - at).length() > (r + radius) * 0.75);
        if plan.holds(at) && apart {
            return Some((at, yaw));
        }
    }
    None
}

fn rug(rng: &mut Rng, b: &mut Builder, plan: &Plan) {
    let [low, high] = plan.extent();
    let at = Vec2::new(rng.range_f32(low.x + 0.2, high.x - 1.0), rng.range_f32(low.y + 0.5, high.y - 0.8));
    let size = Vec2::new(rng.range_f32(0.8, 3.2), rng.range_f32(0.6, 2.6));
    if plan.holds(at) && plan.holds(at + size) {
        let brush = Brush::new(Label::Floor, Material::Rug, b.group()).on(1).reflecting(0.3);
        b.block(at.extend(0.0), (at + size).extend(0.012), brush);
    }
}

/// A thing of a few random boxes, cushions and turned shapes, on legs or not.
fn random_thing(rng: &mut Rng, b: &mut Builder, plan: &Plan, taken: &mut Vec<(Vec2, f32)>) {
    let size = Vec3::new(rng.range_f32(0.3, 2.2), rng.range_f32(0.3, 1.0), rng.range_f32(0.25, 1.9));
    let Some((at, yaw)) = place(rng, plan, size, taken) else { return };
    taken.push((at, size.x.max(size.y) * 0.5));
    let turn = Vec2::from_angle(yaw);
    let kinds =
        [Material::Cloth, Material::Cloth, Material::Wood, Material::Object, Material::Metal, Material::Cabinet];
    let main = Brush::new(Label::Furniture, rng.pick(&kinds), b.group()).reflecting(0.35);
    let other = Brush::new(Label::Furniture, rng.pick(&kinds), b.group()).reflecting(0.35);
    let legs = if rng.random_bool(0.6) { rng.range_f32(0.05, 0.5).min(size.z * 0.8) } else { 0.0 };
    let corner = at - turn * size.x * 0.5 - turn.perp() * size.y * 0.5;
    if legs > 0.0 {
        let t = rng.range_f32(0.02, 0.06);
        for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            let p = corner + turn * (x * (size.x - t)) + turn.perp() * (y * (size.y - t));
            b.prism(p, turn * t, turn.perp() * t, [0.0, legs], other);
        }
    }
    for _ in 0..1 + rng.below(4) {
        let part = size * Vec3::new(rng.range_f32(0.4, 1.0), rng.range_f32(0.4, 1.0), rng.range_f32(0.3, 1.0));
        let part = Vec3::new(part.x, part.y, part.z.min(size.z - legs).max(0.04));
        let off = Vec2::new(rng.unit_f32() * (size.x - part.x), rng.unit_f32() * (size.y - part.y));
        let low = legs + rng.unit_f32() * (size.z - legs - part.z).max(0.0);
        let brush = if rng.random_bool(0.6) { main } else { other };
        if rng.random_bool(0.5) {
            let p = corner + turn * off.x + turn.perp() * off.y;
            b.prism(p, turn * part.x, turn.perp() * part.y, [low, low + part.z], brush);
        } else {
            let solid = if rng.random_bool(0.5) {
                shape::soft(part, part.min_element() * 0.3, 0.03, rng.below(1000) as u32)
            } else {
                let r = part.x.min(part.y) * 0.5;
                shape::lathe(&[[r * rng.unit_f32(), 0.0], [r, part.z * 0.4], [r * rng.range_f32(0.2, 1.0), part.z]], 16)
            };
            let mut mesh = aerie_furniture::mesh::Mesh::default();
            mesh.add(solid, 0);
            let middle = corner + turn * (off.x + part.x * 0.5) + turn.perp() * (off.y + part.y * 0.5);
            b.mesh(&mesh, yaw, middle.extend(low), |_| brush);
        }
    }
}

/// Cardboard boxes, buckets, bags and ladders: what stands about in rooms that are being emptied or renovated.
pub(super) fn clutter(rng: &mut Rng, b: &mut Builder, plan: &Plan, taken: &mut Vec<(Vec2, f32)>) {
    for _ in 0..1 + rng.below(5) {
        let size = Vec3::new(rng.range_f32(0.1, 0.7), rng.range_f32(0.1, 0.6), rng.range_f32(0.06, 0.9));
        let Some((at, yaw)) = place(rng, plan, size, taken) else { continue };
        taken.push((at, size.x.max(size.y) * 0.5));
        let brush = Brush::new(Label::Furniture, Material::Object, b.group()).reflecting(0.35);
        let turn = Vec2::from_angle(yaw + rng.range_f32(-0.4, 0.4));
        match rng.below(4) {
            0 => {
                let r = size.x * 0.5;
                let mut mesh = aerie_furniture::mesh::Mesh::default();
                mesh.add(shape::lathe(&[[r * 0.8, 0.0], [r, size.z]], 20), 0);
                b.mesh(&mesh, yaw, at.extend(0.0), |_| brush);
            }
            1 => {
                // A leaning board or ladder.
                for k in 0..2 {
                    let p = at + turn * (0.4 * k as f32);
                    b.prism(p, turn * 0.06, turn.perp() * 0.03, [0.0, 1.6], brush);
                }
                for k in 1..6 {
                    b.prism(at, turn * 0.4, turn.perp() * 0.03, [0.27 * k as f32, 0.27 * k as f32 + 0.03], brush);
                }
            }
            _ => b.prism(at, turn * size.x, turn.perp() * size.y, [0.0, size.z], brush),
        }
    }
}
