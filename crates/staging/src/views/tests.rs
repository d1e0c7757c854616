use std::f64::consts::FRAC_PI_2;

use aerie_photo::Photo;
use aerie_photo::room::{Camera, Scale};
use aerie_photo::segmentation::segment;
use aerie_synthetic::{Developing, Imagined, LitRoom, Style, Viewpoint, imagine};
use glam::{DMat3, DVec2, DVec3, Vec3};

use super::*;
use crate::arrange::{Arrangement, Placed};
use crate::space::{Side, Space};
use aerie_furniture::piece::{Piece, PieceKind};

/// A room with a camera in it.
fn imagined(seed: u64) -> Imagined {
    imagine(seed, &Style { width: 720, height: 480, casual: 0.0, ..Style::default() })
}

/// The photo of a viewpoint, and the room's shape in axes that are turned by `quarters` to the right of those of the room.
fn seen(room: &LitRoom, from: &Viewpoint, quarters: u8, noise: u64) -> (Photo, Space) {
    let photo = room.view(from, 2).developed(&Developing { jpeg_quality: None, seed: noise, ..Developing::default() });
    let turn = FRAC_PI_2 * f64::from(quarters);
    let camera = Camera { rotation: from.camera.rotation * DMat3::from_rotation_z(-turn), ..from.camera };
    let place = |corner: DVec2| DVec2::from_angle(turn).rotate(corner - from.place.truncate()).as_vec2();
    let corners: Vec<_> = room.room().corners.iter().map(|c| place(*c)).collect();
    let count = corners.len();
    let area: f32 = (0..count).map(|i| corners[i].perp_dot(corners[(i + 1) % count])).sum();
    let order: Vec<usize> = if area > 0.0 { (0..count).collect() } else { (0..count).rev().collect() };
    let side = |i: usize| {
        let (from, to) = (corners[order[i]], corners[order[(i + 1) % count]]);
        Side { from, to, inward: (to - from).normalize().perp(), seen: true }
    };
    let eye = Vec3::Z * from.place.z as f32;
    let scale = Scale::known(from.place.z);
    let height = room.room().height as f32;
    (photo, Space { camera, eye, height, sides: (0..count).map(side).collect(), scale })
}

/// Another viewpoint in the same room.
fn moved(from: &Viewpoint, by: DVec3, yaw: f64) -> Viewpoint {
    let rotation = from.camera.rotation * DMat3::from_rotation_z(yaw);
    Viewpoint { place: from.place + by, camera: Camera { rotation, ..from.camera } }
}

fn registered(a: &(Photo, Space), b: &(Photo, Space)) -> Result<Registration, Unregistered> {
    let segmentations = [a, b].map(|(photo, _)| segment(photo));
    let [first, second] = [(a, &segmentations[0]), (b, &segmentations[1])]
        .map(|((photo, space), segmentation)| RoomView { photo, space, segmentation });
    register(first, second)
}

#[test]
fn the_second_camera_is_found_in_the_room_of_the_first() {
    let imagined = imagined(3);
    let room = LitRoom::new(imagined.room);
    let from = imagined.viewpoint;
    let middle = room.room().corners.iter().sum::<DVec2>() / room.room().corners.len() as f64;
    let toward = ((middle - from.place.truncate()).normalize() * 0.5).extend(0.12);
    let to = moved(&from, toward, -0.25);
    let first = seen(&room, &from, 0, 1);
    for quarters in [0, 1] {
        let found = registered(&first, &seen(&room, &to, quarters, 2)).expect("one room");
        let turned = DVec2::from_angle(found.plan.yaw + FRAC_PI_2 * f64::from(quarters)).to_angle();
        assert!(turned.abs() < 0.02, "turned by {turned}");
        assert!((found.plan.scale - 1.0).abs() < 0.03, "{:?}", found.plan);
        assert!(found.plan.shift.distance(toward.truncate()) < 0.06, "{:?} for {toward}", found.plan);
        assert!(found.evidence.residual < 0.1 && found.evidence.confidence > 0.5, "{:?}", found.evidence);
    }
}

#[test]
fn views_of_different_rooms_are_not_registered() {
    let views = [3, 4, 8].map(|seed| {
        let imagined = imagined(seed);
        seen(&LitRoom::new(imagined.room), &imagined.viewpoint, 0, seed)
    });
    for (i, k) in [(0, 1), (0, 2), (1, 2)] {
        let found = registered(&views[i], &views[k]);
        assert!(found.is_err(), "{i} and {k}: {:?}", found.map(|f| f.evidence));
    }
}

#[test]
fn furniture_of_the_first_view_stands_at_the_same_place_of_the_room_in_the_second() {
    let imagined = imagined(3);
    let room = LitRoom::new(imagined.room);
    let from = imagined.viewpoint;
    let (_, first) = seen(&room, &from, 0, 1);
    let (_, second) = seen(&room, &moved(&from, DVec3::new(0.2, 0.3, 0.0), 0.0), 1, 1);
    let plan = PlanTransform { yaw: -FRAC_PI_2, scale: 1.0, shift: DVec2::new(0.2, 0.3) };
    let piece = |at: Vec3, yaw| Placed { piece: Piece::new(PieceKind::Sofa, Vec3::new(2.0, 0.9, 0.8)), at, yaw };
    // One where the first photo shows the floor, and one behind both cameras.
    let pixel = DVec2::new(first.camera.width as f64 / 2.0, first.camera.height as f64 * 0.8);
    let ray = first.ray(pixel);
    let at = first.eye + ray * (first.eye.z / -ray.z);
    let behind = -(at - first.eye).truncate().extend(0.0) * 3.0;
    let arrangement = Arrangement { placed: vec![piece(at, 0.3), piece(behind, 0.0)], left_out: Vec::new() };
    let carried = carried(&arrangement, &plan, &second);
    assert_eq!(carried.placed.len(), 1, "the piece behind the camera is not in the picture");
    let there = carried.placed[0].at.as_dvec3();
    let expected = DVec2::from_angle(FRAC_PI_2).rotate(at.truncate().as_dvec2() - DVec2::new(0.2, 0.3));
    assert!(
        there.truncate().distance(expected) < 1e-4
            && (carried.placed[0].yaw - 0.3 - std::f32::consts::FRAC_PI_2).abs() < 1e-4
    );
    assert_eq!(carried.placed[0].piece.size, Vec3::new(2.0, 0.9, 0.8));
}
