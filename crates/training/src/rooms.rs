//! Imagined rooms, as wide a range as people photograph: plans with jogs and bays, open plans, openings, kitchens, stairs, beams,
//! fireplaces, walls in the foreground, and furniture of our own or of random shapes.
mod builtin;
mod ceiling;
mod furniture;
mod lamps;
mod plan;
mod walls;

use aerie_math::Rng;
use aerie_photo::room::Camera;
use glam::{Vec2, Vec3};

use plan::{Groups, Plan, shape_of_photo};

use crate::exteriors;
use crate::scene::{Brush, Builder, Label, Material, Scene};

/// Share of houses from outside.
const OUTDOORS: f64 = 0.4;
/// Share of close-ups of a wall, a floor or a piece of furniture among the views of rooms.
const CLOSE: f64 = 0.04;

/// A room and the cameras in it.
pub struct Imagined {
    /// The scene.
    pub scene: Scene,
    /// Places and cameras.
    pub views: Vec<(Vec3, Camera)>,
}

/// Builds a room, or now and then a house from outside, from a seed, with some cameras. `side` is the longer side of the pictures.
#[must_use]
pub fn imagine(seed: u64, side: usize, views: usize) -> Imagined {
    let mut rng = Rng::scattered(seed);
    let rng = &mut rng;
    if rng.random_bool(OUTDOORS) {
        let (scene, views) = exteriors::imagine(rng, side, views);
        return Imagined { scene, views };
    }
    let mut builder = Builder::default();
    let groups = Groups {
        floor: builder.group(),
        wall: builder.group(),
        trim: builder.group(),
        ceiling: builder.group(),
        door: builder.group(),
        glass: builder.group(),
        frame: builder.group(),
    };
    let plan = imagined_plan(rng);
    let level = rng.range_f32(0.25, 0.8);
    walls::build(rng, &mut builder, &plan, &groups, level);
    ceiling::build(rng, &mut builder, &plan, &groups);
    builtin::build(rng, &mut builder, &plan, &groups);
    let mut taken = Vec::new();
    if rng.random_bool(0.5) {
        furniture::furnish(rng, &mut builder, &plan, &mut taken);
    }
    if rng.random_bool(0.22) {
        furniture::clutter(rng, &mut builder, &plan, &mut taken);
    }
    foreground(rng, &mut builder, &plan, &groups);
    strip(rng, &mut builder, &plan);
    let doorway = if rng.random_bool(0.35) { doorway(rng, &mut builder, &plan, &groups) } else { None };
    lamps::hang(rng, &mut builder, &plan);
    let mut scene = builder.finish();
    scene.ambient = rng.range_f32(0.15, 1.0);
    let sky = rng.range_f32(1.0, 8.0);
    scene.panes.iter_mut().for_each(|p| p.strength = sky);
    if rng.random_bool(0.4) {
        let (turn, up) = (rng.range_f32(0.0, std::f32::consts::TAU), rng.range_f32(0.25, 1.1));
        let way = Vec3::new(turn.cos() * up.cos(), turn.sin() * up.cos(), up.sin());
        scene.sun = Some((way, rng.range_f32(2.0, 14.0)));
    }
    let mut found = Vec::new();
    if let Some((at, aim)) = doorway {
        // Photos from a doorway show its jambs and the open leaf on both sides.
        for _ in 0..views / 2 {
            found.extend(photographed(rng, &scene, &plan, side, Some((at, aim))));
        }
    }
    while found.len() < views {
        match photographed(rng, &scene, &plan, side, None) {
            Some(view) => found.push(view),
            None => break,
        }
    }
    Imagined { scene, views: found }
}

fn imagined_plan(rng: &mut Rng) -> Plan {
    let big = rng.random_bool(0.25);
    let width = if big { rng.range_f32(4.5, 10.0) } else { rng.range_f32(2.3, 6.0) };
    let depth = if big { rng.range_f32(5.0, 13.0) } else { rng.range_f32(2.6, 7.0) };
    let height = if rng.random_bool(0.7) { rng.range_f32(2.3, 2.8) } else { rng.range_f32(2.8, 4.2) };
    let p = Vec2::new;
    // The side at the far wall goes from right to left.
    let mut far = vec![p(width, depth), p(0.0, depth)];
    let mut right = vec![p(width, 0.0)];
    let mut left = Vec::new();
    match rng.below(10) {
        0 | 1 => {
            // A chimney breast or an alcove in the far wall.
            let from = rng.range_f32(0.1, 0.5) * width;
            let to = (from + rng.range_f32(0.6, 2.4)).min(width * 0.95);
            let out = if rng.random_bool(0.6) { -rng.range_f32(0.2, 0.7) } else { rng.range_f32(0.3, 1.5) };
            far = vec![
                p(width, depth),
                p(to, depth),
                p(to, depth + out),
                p(from, depth + out),
                p(from, depth),
                p(0.0, depth),
            ];
        }
        2 | 3 => {
            // An L: one far corner is missing.
            let (cut, deep) = (rng.range_f32(0.2, 0.6) * width, rng.range_f32(0.15, 0.6) * depth);
            far = if rng.random_bool(0.5) {
                vec![p(width, depth - deep), p(width - cut, depth - deep), p(width - cut, depth), p(0.0, depth)]
            } else {
                vec![p(width, depth), p(cut, depth), p(cut, depth - deep), p(0.0, depth - deep)]
            };
        }
        4 => {
            // A bay window.
            let (from, to) = (rng.range_f32(0.08, 0.3) * width, rng.range_f32(0.6, 0.92) * width);
            let (out, slant) = (rng.range_f32(0.4, 1.2), rng.range_f32(0.3, 0.9).min((to - from) * 0.3));
            far = vec![
                p(width, depth),
                p(to, depth),
                p(to - slant, depth + out),
                p(from + slant, depth + out),
                p(from, depth),
                p(0.0, depth),
            ];
        }
        5 => {
            // A cut corner.
            let cut = rng.range_f32(0.5, 1.8).min(width * 0.5);
            far = if rng.random_bool(0.5) {
                vec![p(width, depth - cut), p(width - cut, depth), p(0.0, depth)]
            } else {
                vec![p(width, depth), p(cut, depth), p(0.0, depth - cut)]
            };
        }
        6 | 7 => {
            // Jogs in the side walls.
            let (from, to) = (rng.range_f32(0.2, 0.5) * depth, rng.range_f32(0.55, 0.95) * depth);
            let by = if rng.random_bool(0.5) { rng.range_f32(0.15, 0.6) } else { -rng.range_f32(0.3, 1.6) };
            if rng.random_bool(0.5) {
                right = vec![p(width, 0.0), p(width, from), p(width - by, from), p(width - by, to), p(width, to)];
            } else {
                left = vec![p(0.0, to), p(by, to), p(by, from), p(0.0, from)];
            }
        }
        _ => {}
    }
    let mut corners = vec![p(0.0, 0.0)];
    corners.extend(right);
    corners.extend(far);
    corners.extend(left);
    // A slightly skewed building now and then.
    if rng.random_bool(0.08) {
        let skew = rng.range_f32(-0.15, 0.15);
        corners.iter_mut().for_each(|c| c.x += skew * c.y);
    }
    Plan { corners, height, top: height + 2.5 }
}

/// Things near the camera that cut into the picture: ends of walls, door leaves, columns.
fn foreground(rng: &mut Rng, builder: &mut Builder, plan: &Plan, groups: &Groups) {
    let [low, high] = plan.extent();
    if rng.random_bool(0.12) {
        // A free-standing column or a post.
        let at = Vec2::new(rng.range_f32(low.x, high.x), rng.range_f32(low.y + 1.2, high.y - 0.3));
        let side = if rng.random_bool(0.5) { rng.range_f32(0.08, 0.16) } else { rng.range_f32(0.2, 0.6) };
        let group = if rng.random_bool(0.6) { groups.wall } else { builder.group() };
        if plan.holds(at) {
            let brush = Brush::wall(Material::Wall, group);
            builder.prism(at, Vec2::X * side, Vec2::Y * side, [0.0, plan.height + 2.0], brush);
        }
    }
    if rng.random_bool(0.2) {
        // The end of a wall: thick, full height or with a cap at chest height.
        let half = rng.random_bool(0.3);
        let thick = rng.range_f32(0.1, 0.25);
        let length = rng.range_f32(0.4, 2.2);
        let at = Vec2::new(rng.range_f32(low.x, high.x), rng.range_f32(low.y, high.y * 0.6));
        let [a, b] = if rng.random_bool(0.5) {
            [Vec2::X * length, Vec2::Y * thick]
        } else {
            [Vec2::X * thick, Vec2::Y * length]
        };
        if plan.holds(at) {
            let top = if half { rng.range_f32(0.9, 1.2) } else { plan.height + 2.0 };
            builder.prism(at, a, b, [0.0, top], Brush::wall(Material::Wall, groups.wall));
            builder.prism(
                at - 0.012,
                a + a.normalize() * 0.024,
                b + b.normalize() * 0.024,
                [0.0, 0.12],
                Brush::wall(Material::Trim, groups.trim),
            );
            if half {
                builder.prism(
                    at - 0.03,
                    a + a.normalize() * 0.06,
                    b + b.normalize() * 0.06,
                    [top, top + 0.04],
                    Brush::wall(Material::Trim, groups.trim),
                );
            }
        }
    }
    if rng.random_bool(0.12) {
        // An open door leaf somewhere.
        let at = Vec2::new(rng.range_f32(low.x, high.x), rng.range_f32(low.y, high.y * 0.7));
        let turn = Vec2::from_angle(rng.range_f32(0.0, std::f32::consts::TAU));
        if plan.holds(at) {
            let brush = Brush::new(Label::Door, Material::Door, groups.door);
            builder.prism(at, turn * 0.82, turn.perp() * 0.04, [0.01, 2.03], brush);
        }
    }
}

/// A part of the floor of another material or level with a board between: a threshold, a border, a step.
fn strip(rng: &mut Rng, builder: &mut Builder, plan: &Plan) {
    if !rng.random_bool(0.22) {
        return;
    }
    let [low, high] = plan.extent();
    let group = builder.group();
    let floor = Brush::new(Label::Floor, Material::Floor, group).on(1).reflecting(0.3);
    let up = rng.pick(&[0.002_f32, 0.002, 0.02]);
    if rng.random_bool(0.6) {
        let deep = rng.range_f32(0.3, 1.8);
        builder.block(low.extend(0.0), Vec3::new(high.x, low.y + deep, up), floor);
    }
    // Boards of another tone along the walls, or one across.
    let (wide, inset) = (rng.range_f32(0.04, 0.15), rng.range_f32(0.1, 0.5));
    let border = Brush { group: builder.group(), ..floor };
    let [a, b] = [low + inset, high - inset];
    if b.x - a.x > 1.0 && b.y - a.y > 1.0 {
        builder.block(a.extend(0.0), Vec3::new(b.x, a.y + wide, 0.003), border);
        builder.block(Vec3::new(a.x, b.y - wide, 0.0), b.extend(0.003), border);
        builder.block(a.extend(0.0), Vec3::new(a.x + wide, b.y, 0.003), border);
        builder.block(Vec3::new(b.x - wide, a.y, 0.0), b.extend(0.003), border);
    }
}

/// A doorway in the room to look through: two wall ends with casings, often with the leaf open. Returns a place before it and where
/// it leads.
fn doorway(rng: &mut Rng, builder: &mut Builder, plan: &Plan, groups: &Groups) -> Option<(Vec2, Vec2)> {
    let [low, high] = plan.extent();
    let at = Vec2::new(rng.range_f32(low.x + 0.5, high.x - 0.5), rng.range_f32(low.y + 0.4, low.y + 0.9));
    if !plan.holds(at) || high.y - low.y < 3.0 {
        return None;
    }
    let way = Vec2::from_angle(std::f32::consts::FRAC_PI_2 + rng.range_f32(-0.5, 0.5));
    let across = way.perp();
    let (half, thick) = (rng.range_f32(0.38, 0.55), rng.range_f32(0.1, 0.2));
    let ahead = at + way * rng.range_f32(0.15, 0.5);
    let wall = Brush::wall(Material::Wall, if rng.random_bool(0.7) { groups.wall } else { builder.group() });
    let trim = Brush::new(Label::Door, Material::Trim, groups.trim).reflecting(0.8);
    let sides: &[f32] = if rng.random_bool(0.5) { &[-1.0, 1.0] } else { &[1.0] };
    for side in sides {
        let edge = ahead + across * (half * side);
        builder.prism(edge, across * (1.5 * side), way * thick, [0.0, plan.height + 2.0], wall);
        if rng.random_bool(0.8) {
            builder.prism(
                edge - across * (0.015 * side) - way * 0.02,
                across * (0.08 * side),
                way * (thick + 0.04),
                [0.0, 2.06],
                trim,
            );
        }
        builder.prism(
            edge - way * 0.014,
            across * (1.4 * side),
            way * (thick + 0.028),
            [0.0, 0.1],
            Brush::wall(Material::Trim, groups.trim),
        );
    }
    if sides.len() == 2 && rng.random_bool(0.7) {
        builder.prism(ahead - across * half, across * (2.0 * half), way * thick, [2.04, plan.height + 2.0], wall);
    }
    if rng.random_bool(0.6) {
        // The leaf opens into the room, about its hinge.
        let side = rng.pick(sides);
        let hinge = ahead + across * ((half - 0.02) * side) + way * thick;
        let turn = rng.range_f32(0.0, 0.9);
        let leaf = Vec2::from_angle(turn * -side).rotate(way);
        let brush = Brush::new(Label::Door, Material::Door, groups.door).reflecting(0.7);
        builder.prism(hinge, leaf * (2.0 * half).min(0.85), leaf.perp() * 0.04, [0.01, 2.03], brush);
        let knob = hinge + leaf * 0.72 - leaf.perp() * 0.04;
        let metal = Brush::new(Label::Door, Material::Metal, builder.group());
        builder.prism(knob, leaf * 0.06, leaf.perp() * 0.12, [0.95, 1.02], metal);
    }
    Some((at, way))
}

/// A camera as people hold it, in a doorway if one is given; `None` where nothing fits.
fn photographed(
    rng: &mut Rng,
    scene: &Scene,
    plan: &Plan,
    side: usize,
    doorway: Option<(Vec2, Vec2)>,
) -> Option<(Vec3, Camera)> {
    let (width, height) = shape_of_photo(rng, side);
    let [low, high] = plan.extent();
    for _ in 0..60 {
        let near = rng.random_bool(0.65);
        let at = if let Some((at, _)) = doorway {
            at + Vec2::new(rng.range_f32(-0.2, 0.2), rng.range_f32(-0.2, 0.2))
        } else if near {
            Vec2::new(rng.range_f32(low.x + 0.15, high.x - 0.15), rng.range_f32(low.y + 0.1, low.y + 1.2))
        } else {
            Vec2::new(rng.range_f32(low.x + 0.1, high.x - 0.1), rng.range_f32(low.y + 0.1, high.y - 0.1))
        };
        if !plan.holds(at) || plan.clearance(at) < 0.12 {
            continue;
        }
        let aim = Vec2::new(rng.range_f32(low.x, high.x), rng.range_f32(low.y, high.y));
        let aim = if near { Vec2::new(aim.x, aim.y.max(low.y + 0.6 * (high.y - low.y))) } else { aim };
        let aim = match doorway {
            Some((_, way)) => at + Vec2::from_angle(rng.range_f32(-0.4, 0.4)).rotate(way) * 3.0,
            None => aim,
        };
        if (aim - at).length() < 1.5 {
            continue;
        }
        let way = aim - at;
        let yaw = f64::from(way.x.atan2(way.y));
        let upright = height > width;
        let phone = upright || doorway.is_some();
        let (pitch, roll) = if rng.random_bool(if phone { 0.2 } else { 0.55 }) {
            (rng.normal() * 0.04 - 0.02, rng.normal() * 0.01)
        } else {
            (rng.normal() * 0.17 - 0.22, rng.normal() * 0.05)
        };
        let focal = rng.range_f64(0.4, 1.0) * side as f64;
        let up = if rng.random_bool(0.85) { rng.range_f32(0.95, 1.7) } else { rng.range_f32(0.4, 2.0) };
        let place = at.extend(up.min(plan.height - 0.25));
        let camera = Camera::turned(width, height, focal, pitch, roll, yaw);
        if rng.random_bool(CLOSE) || sees_enough(scene, place, &camera) {
            return Some((place, camera));
        }
    }
    None
}

/// Whether the middle of the picture is some meters away and some floor is in view.
fn sees_enough(scene: &Scene, place: Vec3, camera: &Camera) -> bool {
    let (w, h) = (camera.width as f64, camera.height as f64);
    let mut floor = 0;
    let mut near = 0;
    for i in 0..64 {
        let pixel = glam::DVec2::new((f64::from(i % 8) + 0.5) / 8.0 * w, (f64::from(i / 8) + 0.5) / 8.0 * h);
        let Some(hit) = scene.hit(place, camera.ray(pixel).as_vec3()) else { continue };
        if hit.distance < 0.6 {
            near += 1;
        }
        if scene.surfaces[hit.surface as usize].label == Label::Floor {
            floor += 1;
        }
    }
    near < 20 && floor >= 2
}
