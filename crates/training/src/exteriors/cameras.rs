//! Cameras of exteriors.

use aerie_math::Rng;
use aerie_photo::room::Camera;
use glam::{DVec2, Vec2, Vec3};

use crate::scene::{Label, Scene};

/// What is photographed: the house at the origin, its gardens and its street, meters.
pub(crate) struct Subject {
    pub(crate) width: f32,
    pub(crate) depth: f32,
    pub(crate) height: f32,
    pub(crate) front: f32,
    pub(crate) rear: f32,
    pub(crate) road: [f32; 2],
}

/// A photo from the street, along it, from the garden, the terrace, a window, the doorstep, or a drone; `None` where something near
/// fills the picture.
pub(crate) fn photographed(rng: &mut Rng, scene: &Scene, subject: &Subject, side: usize) -> Option<(Vec3, Camera)> {
    let (w, h) = shape(rng, side);
    let s = subject;
    let eye = if rng.random_bool(0.8) { rng.range_f32(1.3, 1.8) } else { rng.range_f32(0.4, 2.6) };
    let middle = Vec2::new(s.width * rng.range_f32(0.1, 0.9), 0.0);
    let behind = s.depth + s.rear;
    let (place, aim, mut focal): (Vec3, Vec3, f64);
    match rng.below(100) {
        0..=33 => {
            // Before the house.
            let back = rng.range_f32(0.4, 1.6) * (s.width * 0.5 + s.height * 0.4) + 2.0;
            let slant = rng.normal() as f32 * 0.6;
            let at = middle + Vec2::new(slant * back, -back);
            place = at.extend(eye);
            aim = middle.extend(s.height * rng.range_f32(0.2, 0.6));
            focal = rng.range_f64(0.5, 1.2);
        }
        34..=46 => {
            // Along the street.
            let y = rng.range_f32(s.road[0] - 1.5, s.road[1] + 1.5);
            let at = Vec2::new(rng.range_f32(-25.0, s.width + 25.0), y);
            let ahead = if rng.random_bool(0.5) { 20.0 } else { -20.0 };
            place = at.extend(eye);
            aim = (at + Vec2::new(ahead, rng.range_f32(-9.0, 14.0))).extend(eye + rng.range_f32(-1.0, 3.0));
            focal = rng.range_f64(0.45, 1.1);
        }
        47..=66 => {
            // In the garden, toward the house mostly.
            let at = Vec2::new(rng.range_f32(-2.0, s.width + 2.0), s.depth + rng.range_f32(0.3, 1.0) * s.rear);
            place = at.extend(eye);
            aim = if rng.random_bool(0.7) {
                Vec3::new(s.width * rng.unit_f32(), s.depth, s.height * rng.range_f32(0.1, 0.6))
            } else {
                Vec3::new(
                    rng.range_f32(-8.0, s.width + 8.0),
                    rng.range_f32(s.depth, behind + 5.0),
                    eye - rng.range_f32(0.0, 1.0),
                )
            };
            focal = rng.range_f64(0.4, 1.0);
        }
        67..=76 => {
            // From the terrace or an upper window into the garden, or from the front into the street.
            let up = if rng.random_bool(0.5) { 0.0 } else { rng.range_f32(0.5, 1.0) * (s.height - 2.0).max(0.0) };
            let rear = rng.random_bool(0.7);
            let y = if rear { s.depth + 0.5 } else { -0.5 };
            place = Vec3::new(s.width * rng.range_f32(0.1, 0.9), y, eye.max(1.2) + up);
            let far = if rear { behind } else { -s.front - 8.0 };
            aim = Vec3::new(s.width * rng.range_f32(-0.6, 1.6), far, rng.range_f32(0.0, 2.0));
            focal = rng.range_f64(0.4, 0.95);
        }
        77..=83 => {
            // The entrance, or another part of the front.
            let x = s.width * rng.unit_f32();
            let back = rng.range_f32(2.5, 6.0);
            place = Vec3::new(x + rng.normal() as f32 * 1.5, -back, eye);
            aim = Vec3::new(x, 0.0, eye + rng.range_f32(-0.4, 0.8));
            focal = rng.range_f64(0.5, 1.1);
        }
        _ => {
            // From the air.
            let down = rng.range_f32(0.17, 1.05);
            let up = if rng.random_bool(0.6) { rng.range_f32(8.0, 25.0) } else { rng.range_f32(25.0, 60.0) };
            let turn = rng.range_f32(0.0, std::f32::consts::TAU);
            let target = Vec2::new(s.width * rng.unit_f32(), s.depth * rng.unit_f32());
            let reach = (up - s.height * 0.5).max(2.0) / down.tan();
            place = (target + Vec2::from_angle(turn) * reach).extend(up);
            aim = target.extend(s.height * 0.5);
            focal = rng.range_f64(0.5, 1.0);
        }
    }
    focal *= side as f64;
    let way = aim - place;
    let yaw = f64::from(way.x.atan2(way.y));
    let level = place.z < 7.0 && rng.random_bool(0.45);
    let pitch = f64::from(way.z.atan2(way.truncate().length()));
    let pitch = if level { rng.normal() * 0.03 } else { pitch + rng.normal() * 0.06 };
    let roll = if rng.random_bool(0.6) { rng.normal() * 0.008 } else { rng.normal() * 0.03 };
    let camera = Camera::turned(w, h, focal, pitch, roll, yaw);
    is_open(scene, place, &camera).then_some((place, camera))
}

fn shape(rng: &mut Rng, side: usize) -> (usize, usize) {
    let shapes = [[3, 2], [3, 2], [3, 2], [4, 3], [4, 3], [16, 9], [3, 4], [9, 16], [1, 1]];
    let [w, h]: [usize; 2] = rng.pick(&shapes);
    let longer = w.max(h);
    ((w * side / longer) & !1, (h * side / longer) & !1)
}

/// Whether the camera stands in the open, and neither a thing near it nor one class alone fills the picture.
fn is_open(scene: &Scene, place: Vec3, camera: &Camera) -> bool {
    let free = |way: Vec3| scene.hit(place, way).is_none_or(|hit| hit.distance > 0.35);
    if ![Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::NEG_Z].into_iter().all(free) {
        return false;
    }
    // Under a roof, only a porch is open.
    if scene
        .hit(place, Vec3::Z)
        .is_some_and(|hit| scene.surfaces[hit.surface as usize].label == Label::Roof && place.z > 3.0)
    {
        return false;
    }
    let (w, h) = (camera.width as f64, camera.height as f64);
    let mut near = 0;
    let mut counts = [0; Label::ALL.len()];
    for i in 0..100 {
        let pixel = DVec2::new((f64::from(i % 10) + 0.5) / 10.0 * w, (f64::from(i / 10) + 0.5) / 10.0 * h);
        let Some(hit) = scene.hit(place, camera.ray(pixel).as_vec3()) else { continue };
        near += usize::from(hit.distance < 1.6);
        counts[scene.surfaces[hit.surface as usize].label as usize] += 1;
    }
    near < 22 && counts.iter().all(|c| *c < 78)
}
