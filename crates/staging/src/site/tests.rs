//! Tests of the constraints of a room with doors and windows.

use aerie_photo::lines::Segment;
use aerie_photo::room::Camera;
use glam::{Vec2, Vec3};

use super::*;
use crate::space::{Space, boxed};

/// The far wall of the room.
const FAR: usize = 2;

fn room() -> Space {
    let camera = Camera::turned(900, 600, 500.0, 0.0, 0.0, 0.0);
    boxed(camera, 1.4, Vec2::new(-3.0, -1.0), Vec2::new(3.0, 5.0), 2.6)
}

/// A room with glass in its far wall, from `low` to `high`; X of the room is 3 m less.
fn glazed(low: Vec2, high: Vec2) -> Shell {
    // Places along the far wall run from right to left.
    let mirrored = [Vec2::new(6.0 - high.x, low.y), Vec2::new(6.0 - low.x, high.y)];
    Shell::even(room(), Vec3::splat(0.5)).with_windows(&[(FAR, mirrored)], Vec3::splat(3.0))
}

/// An upright edge in the far wall.
fn edge(space: &Space, x: f32, from: f32, to: f32) -> Segment {
    let pixel = |up: f32| space.pixel(Vec3::new(x, 5.0, up)).expect("in view").to_array();
    Segment::new(pixel(from), pixel(to))
}

/// A piece against the far wall, `off` meters from it.
fn before_wall(x: f32, off: f32, size: Vec2) -> Footprint {
    Footprint { center: Vec2::new(x, 5.0 - off - size.y / 2.0), half: size / 2.0, yaw: 0.0 }
}

#[test]
fn glass_in_a_casing_that_stands_on_the_floor_is_a_door_and_in_one_that_does_not_a_window() {
    let shell = glazed(Vec2::new(2.2, 0.8), Vec2::new(3.8, 2.0));
    let casing = |foot: f32| [-0.98, 0.98].map(|x| edge(&shell.space, x, foot, 2.1));
    let sofa = before_wall(0.0, 1.0, Vec2::new(2.0, 0.9));
    let [door, window] = [0.05, 0.7].map(|foot| Site::of(&shell, &casing(foot), None).backs_onto_opening(&sofa));
    assert!(door && !window);
    let aside = before_wall(2.0, 1.0, Vec2::new(1.6, 0.9));
    let far = before_wall(0.0, 2.4, Vec2::new(2.0, 0.9));
    let site = Site::of(&shell, &casing(0.05), None);
    assert!(!site.backs_onto_opening(&aside) && !site.backs_onto_opening(&far));
    // Nothing stands in the way of the door.
    assert!(!site.allows(&before_wall(0.0, 0.3, Vec2::new(0.5, 0.4)), 0.5));
}

#[test]
fn no_big_piece_stands_close_to_a_wall_of_glass_and_a_low_flat_one_does() {
    let shell = glazed(Vec2::new(1.0, 0.1), Vec2::new(5.0, 2.2));
    let site = Site::with_doors(&shell, Vec::new(), vec![Vec::new(); 4]);
    let near = |deep: f32, off: f32, high: f32| site.allows(&before_wall(0.0, off, Vec2::new(1.2, deep)), high);
    assert!(!near(0.9, 0.6, 0.7) && !near(0.4, 0.6, 1.2));
    assert!(near(0.4, 0.6, 0.45) && near(0.9, 0.95, 0.8));
}
