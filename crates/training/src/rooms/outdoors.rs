//! Houses from outside: what people send by mistake, or upload among the photos of a listing. Everything is labelled as outdoors.

use std::f32::consts::TAU;

use aerie_math::Rng;
use aerie_photo::room::Camera;
use aerie_staging::mesh::Mesh;
use aerie_staging::shape;
use glam::{DVec2, Vec2, Vec3};

use super::plan::{Groups, Plan, shape_of_photo};
use super::{furniture, walls};
use crate::scene::{Brush, Builder, Label, Material, Scene};

/// How far away the sky is.
const SKY: f32 = 90.0;

/// A scene with houses, and places and cameras before them.
pub(super) fn imagine(rng: &mut Rng, side: usize, views: usize) -> (Scene, Vec<(Vec3, Camera)>) {
    let mut builder = Builder::default();
    let b = &mut builder;
    let width = house(rng, b, Vec2::ZERO);
    if rng.random_bool(0.4) {
        let gap = rng.range_f32(0.0, 8.0);
        let back = rng.range_f32(-5.0, 4.0);
        house(rng, b, Vec2::new(width + gap, back));
    }
    if rng.random_bool(0.3) {
        let at = Vec2::new(-rng.range_f32(8.0, 25.0), rng.range_f32(-12.0, 14.0));
        house(rng, b, at);
    }
    ground(rng, b, width);
    garden(rng, b, width);
    // Panes are dark from outside, and some mirror the sky.
    let pane = rng.pick(&[Material::Soot, Material::Counter, Material::Metal]);
    for s in &mut b.surfaces {
        (s.label, s.plane) = (Label::Outdoors, 0);
        if s.material == Material::Glass {
            s.material = pane;
        }
    }
    sky(b);
    b.panes.clear();
    let mut scene = builder.finish();
    scene.ambient = rng.range_f32(0.6, 1.4);
    if rng.random_bool(0.6) {
        let (turn, up) = (rng.range_f32(0.0, TAU), rng.range_f32(0.2, 1.2));
        let way = Vec3::new(turn.cos() * up.cos(), turn.sin() * up.cos(), up.sin());
        scene.sun = Some((way, rng.range_f32(1.0, 5.0)));
    }
    let mut found = Vec::new();
    for _ in 0..60 {
        if found.len() == views {
            break;
        }
        found.extend(photographed(rng, &scene, width, side));
    }
    (scene, found)
}

/// A house whose front lies along X from a corner; returns its width.
fn house(rng: &mut Rng, b: &mut Builder, corner: Vec2) -> f32 {
    let groups = Groups {
        floor: b.group(),
        wall: b.group(),
        trim: b.group(),
        ceiling: b.group(),
        door: b.group(),
        glass: b.group(),
        frame: b.group(),
    };
    let (width, depth) = (rng.range_f32(6.0, 18.0), rng.range_f32(5.0, 11.0));
    let jog = rng.random_bool(0.5).then(|| (rng.range_f32(0.25, 0.7) * width, rng.range_f32(-2.5, 2.5)));
    let p = |x: f32, y: f32| corner + Vec2::new(x, y);
    // Clockwise: the walls face outward.
    let mut corners = vec![p(0.0, 0.0), p(0.0, depth), p(width, depth)];
    match jog {
        Some((x, out)) => corners.extend([p(width, out), p(x, out), p(x, 0.0)]),
        None => corners.push(p(width, 0.0)),
    }
    let height = rng.range_f32(2.4, 3.2);
    let storeys = 1 + rng.below(3);
    let top = height * storeys as f32;
    let level = rng.range_f32(0.25, 0.8);
    walls::build(rng, b, &Plan { corners, height, top }, &groups, level);
    for storey in 1..storeys {
        upper_windows(rng, b, [corner.x, corner.x + width, corner.y], height * storey as f32, &groups);
    }
    roof(rng, b, [corner, corner + Vec2::new(width, depth)], top, groups.wall);
    if rng.random_bool(0.3) {
        // A porch or a balcony on posts.
        let (from, wide) = (corner.x + rng.range_f32(0.0, 0.5) * width, rng.range_f32(2.0, 0.5 * width + 2.0));
        let deep = rng.range_f32(1.0, 2.6);
        let slab = Brush::new(Label::Outdoors, Material::Trim, groups.trim);
        b.block(Vec3::new(from, corner.y - deep, 2.5), Vec3::new(from + wide, corner.y, 2.7), slab);
        for k in 0..=3 {
            let x = from + wide * k as f32 / 3.0;
            b.block(Vec3::new(x - 0.07, corner.y - deep, 0.0), Vec3::new(x + 0.07, corner.y - deep + 0.14, 2.5), slab);
        }
        if rng.random_bool(0.5) {
            b.block(
                Vec3::new(from, corner.y - deep, 2.7),
                Vec3::new(from + wide, corner.y - deep + 0.05, 3.6),
                Brush { material: rng.pick(&[Material::Trim, Material::Wood, Material::Metal]), ..slab },
            );
        }
    }
    width
}

fn upper_windows(rng: &mut Rng, b: &mut Builder, [from, to, y]: [f32; 3], floor: f32, groups: &Groups) {
    let frame = Brush::new(Label::Outdoors, Material::Trim, groups.frame);
    let glass = Brush::new(Label::Outdoors, Material::Glass, groups.glass);
    let count = 1 + rng.below(5);
    let wide = rng.range_f32(0.6, 1.6).min((to - from) / count as f32 * 0.7);
    for k in 0..count {
        let x = from + (to - from) * (k as f32 + 0.5) / count as f32 - wide / 2.0;
        let (low, high) = (floor + 0.8, floor + 2.1);
        b.block(Vec3::new(x - 0.07, y - 0.05, low - 0.07), Vec3::new(x + wide + 0.07, y, high + 0.07), frame);
        for half in [0.0, 0.5] {
            let x = x + half * wide;
            b.block(Vec3::new(x + 0.03, y - 0.06, low), Vec3::new(x + wide * 0.5 - 0.03, y - 0.04, high), glass);
        }
    }
}

/// A flat, gabled or hipped roof.
fn roof(rng: &mut Rng, b: &mut Builder, [low, high]: [Vec2; 2], top: f32, wall: u16) {
    let over = rng.range_f32(0.1, 0.7);
    let cover = Brush::new(Label::Outdoors, Material::Roof, b.group()).reflecting(0.3);
    let gable = Brush::new(Label::Outdoors, Material::Wall, wall);
    let (a, z) = (low - over, high + over);
    let size = z - a;
    let at = |x: f32, y: f32, up: f32| Vec3::new(x, y, up);
    match rng.below(5) {
        0 => b.block(a.extend(top), z.extend(top + 0.35), cover),
        1 | 2 => {
            // The ridge runs along the front.
            let rise = size.y * 0.5 * rng.range_f32(0.3, 1.0);
            let half = Vec3::new(0.0, size.y * 0.5, rise);
            b.quad(a.extend(top), Vec3::X * size.x, half, cover);
            b.quad(at(a.x, z.y, top), half * Vec3::new(1.0, -1.0, 1.0), Vec3::X * size.x, cover);
            for x in [low.x, high.x] {
                b.triangle([at(x, low.y, top), at(x, high.y, top), at(x, (low.y + high.y) * 0.5, top + rise)], gable);
            }
        }
        3 => {
            // The gable faces the front.
            let rise = size.x * 0.5 * rng.range_f32(0.3, 0.9);
            let half = Vec3::new(size.x * 0.5, 0.0, rise);
            b.quad(a.extend(top), half, Vec3::Y * size.y, cover);
            b.quad(at(z.x, a.y, top), Vec3::Y * size.y, half * Vec3::new(-1.0, 1.0, 1.0), cover);
            for y in [low.y, high.y] {
                b.triangle([at(low.x, y, top), at(high.x, y, top), at((low.x + high.x) * 0.5, y, top + rise)], gable);
            }
        }
        _ => {
            let rise = size.min_element() * 0.5 * rng.range_f32(0.3, 0.8);
            let (x, y) = ((size.x - size.y).max(0.0) * 0.5, (size.y - size.x).max(0.0) * 0.5);
            let middle = (a + z) * 0.5;
            let ridge = [middle - Vec2::new(x, y), middle + Vec2::new(x, y)].map(|p| p.extend(top + rise));
            let foot = [a, Vec2::new(z.x, a.y), z, Vec2::new(a.x, z.y)].map(|p| p.extend(top));
            for (i, j, k) in [(0, 1, 0), (1, 2, 1), (2, 3, 1), (3, 0, 0)] {
                b.triangle([foot[i], foot[j], ridge[k]], cover);
            }
            let (i, j) = if x > y { (1, 3) } else { (2, 0) };
            b.triangle([foot[i], ridge[1], ridge[0]], cover);
            b.triangle([foot[j], ridge[0], ridge[1]], cover);
        }
    }
    if rng.random_bool(0.4) {
        let x = rng.range_f32(low.x, high.x - 0.8);
        let y = rng.range_f32(low.y, high.y - 0.6);
        let masonry = Brush::new(Label::Outdoors, Material::Masonry, b.group());
        b.block(at(x, y, top), at(x + 0.8, y + 0.6, top + rng.range_f32(1.5, 5.0)), masonry);
    }
}

fn ground(rng: &mut Rng, b: &mut Builder, width: f32) {
    let plain = Brush::new(Label::Outdoors, Material::Ground, b.group()).reflecting(0.2);
    b.quad(Vec3::new(-SKY, -SKY, -0.03), Vec3::X * 2.0 * SKY, Vec3::Y * 2.0 * SKY, plain);
    // A path, a drive, a street, a terrace.
    for _ in 0..1 + rng.below(3) {
        let paved = Brush {
            group: b.group(),
            material: rng.pick(&[Material::Ground, Material::Floor, Material::Masonry]),
            ..plain
        };
        let up = rng.range_f32(-0.025, 0.02);
        if rng.random_bool(0.4) {
            let y = rng.range_f32(-20.0, -1.0);
            b.quad(Vec3::new(-SKY, y, up), Vec3::X * 2.0 * SKY, Vec3::Y * rng.range_f32(1.0, 7.0), paved);
        } else {
            let x = rng.range_f32(-4.0, width);
            let deep = rng.range_f32(1.5, 25.0);
            b.quad(Vec3::new(x, -deep, up), Vec3::X * rng.range_f32(0.8, 8.0), Vec3::Y * deep, paved);
        }
    }
    if rng.random_bool(0.08) {
        let water = Brush::new(Label::Outdoors, Material::Counter, b.group());
        let (x, y) = (rng.range_f32(0.0, width), rng.range_f32(-10.0, -5.0));
        b.quad(Vec3::new(x, y, 0.01), Vec3::X * rng.range_f32(3.0, 10.0), Vec3::Y * rng.range_f32(2.0, 4.0), water);
    }
}

fn garden(rng: &mut Rng, b: &mut Builder, width: f32) {
    for _ in 0..rng.below(9) {
        let at = Vec2::new(rng.range_f32(-12.0, width + 12.0), rng.range_f32(-14.0, 22.0));
        let at = if (0.0..width).contains(&at.x) && at.y > -1.0 { Vec2::new(at.x, -1.0) } else { at };
        let bush = rng.random_bool(0.5);
        let size = if bush { rng.range_f32(0.4, 1.8) } else { rng.range_f32(2.0, 6.0) };
        let up = if bush { 0.0 } else { rng.range_f32(1.0, 3.0) };
        let leaves = Brush::new(Label::Outdoors, Material::Leaves, b.group()).reflecting(0.15);
        let trunk = Brush { material: Material::Wood, ..leaves };
        if !bush {
            b.prism(at - 0.15, Vec2::X * 0.3, Vec2::Y * 0.3, [0.0, up + 1.0], trunk);
        }
        for _ in 0..3 + rng.below(4) {
            let r = size * rng.range_f32(0.2, 0.45);
            let off = Vec3::new(rng.range_f32(-0.3, 0.3), rng.range_f32(-0.3, 0.3), rng.range_f32(0.1, 0.7)) * size;
            let mut mesh = Mesh::default();
            mesh.add(shape::ball(r), 0);
            b.mesh(&mesh, 0.0, at.extend(up) + off - Vec3::Z * r * 0.5, |_| leaves);
        }
    }
    if rng.random_bool(0.35) {
        // A hedge, a fence or a garden wall.
        let brush = Brush::new(
            Label::Outdoors,
            rng.pick(&[Material::Leaves, Material::Wood, Material::Masonry, Material::Trim]),
            b.group(),
        );
        let (y, up) = (rng.range_f32(-15.0, -2.0), rng.range_f32(0.6, 1.9));
        if rng.random_bool(0.5) {
            b.block(Vec3::new(-30.0, y, 0.0), Vec3::new(rng.range_f32(-5.0, 40.0), y + 0.3, up), brush);
        } else {
            for k in 0..120 {
                let x = -15.0 + 0.3 * k as f32;
                b.block(Vec3::new(x, y, 0.0), Vec3::new(x + 0.08, y + 0.04, up), brush);
            }
        }
    }
    for _ in 0..rng.below(3) {
        car(rng, b, width);
    }
    if rng.random_bool(0.25) {
        let corners = [[0.0, 0.0], [width, 0.0], [width, 5.0], [0.0, 5.0]].map(|[x, y]| Vec2::new(x, y - 5.2));
        let terrace = Plan { corners: corners.to_vec(), height: 3.0, top: 3.0 };
        furniture::furnish(rng, b, &terrace, &mut Vec::new());
    }
}

fn car(rng: &mut Rng, b: &mut Builder, width: f32) {
    let at = Vec2::new(rng.range_f32(-6.0, width + 6.0), rng.range_f32(-18.0, -2.5));
    let along = Vec2::from_angle(rng.range_f32(0.0, TAU));
    let across = along.perp();
    let paint = Brush::new(Label::Outdoors, Material::Metal, b.group());
    let dark = Brush::new(Label::Outdoors, Material::Soot, b.group());
    b.prism(at, along * 4.3, across * 1.8, [0.3, 0.9], paint);
    b.prism(at + along * 0.9 + across * 0.1, along * 2.3, across * 1.6, [0.9, 1.4], dark);
    b.prism(at + along * 1.1 + across * 0.12, along * 1.9, across * 1.56, [1.4, 1.45], paint);
    for (x, y) in [(0.5, -0.02), (3.1, -0.02), (0.5, 1.62), (3.1, 1.62)] {
        b.prism(at + along * x + across * y, along * 0.65, across * 0.2, [0.0, 0.62], dark);
    }
}

fn sky(b: &mut Builder) {
    let brush = Brush::new(Label::Outdoors, Material::Sky, b.group());
    b.block(Vec3::new(-SKY, -SKY, -1.0), Vec3::new(SKY, SKY, SKY), brush);
}

/// A camera before the house; `None` where something near or walls alone fill the picture.
fn photographed(rng: &mut Rng, scene: &Scene, width: f32, side: usize) -> Option<(Vec3, Camera)> {
    let (w, h) = shape_of_photo(rng, side);
    let near = rng.random_bool(0.3);
    let back = if near { rng.range_f32(2.5, 7.0) } else { rng.range_f32(6.0, 26.0) };
    let at = Vec2::new(rng.range_f32(-6.0, width + 6.0), -back);
    let up = if rng.random_bool(0.85) { rng.range_f32(1.0, 2.2) } else { rng.range_f32(3.0, 25.0) };
    let place = at.extend(up);
    let aim = Vec2::new(rng.range_f32(0.0, width), rng.range_f32(0.0, 4.0)) - at;
    let yaw = f64::from(aim.x.atan2(aim.y));
    let pitch = rng.normal() * 0.08 - f64::from(((up - 2.0) / aim.length()).atan().max(0.0));
    let focal = rng.range_f64(0.45, 1.3) * side as f64;
    let camera = Camera::turned(w, h, focal, pitch, rng.normal() * 0.02, yaw);
    let (mut near, mut open) = (0, 0);
    for i in 0..64 {
        let pixel = DVec2::new((f64::from(i % 8) + 0.5) / 8.0 * w as f64, (f64::from(i / 8) + 0.5) / 8.0 * h as f64);
        let Some(hit) = scene.hit(place, camera.ray(pixel).as_vec3()) else { continue };
        near += usize::from(hit.distance < 1.2);
        let material = scene.surfaces[hit.surface as usize].material;
        open += usize::from(matches!(material, Material::Sky | Material::Ground | Material::Leaves | Material::Roof));
    }
    // A wall alone could as well be one of a room.
    (near < 16 && open > 22).then_some((place, camera))
}
