//! Two views of a corner with textured surfaces, whose every pixel is known.

use aerie_clip::two_view::{Features, Lens, Plane, RelativePose, Transit, TwoView};
use aerie_math::Rng;
use glam::{DMat3, DVec2, DVec3};

const SIZE: [usize; 2] = [800, 450];
const LENS: Lens = Lens { focal: 680.0, center: DVec2::new(400.0, 225.0) };

/// A camera of the corner: position, and the rotation from the axes of the scene.
#[derive(Clone, Copy)]
struct Camera {
    place: DVec3,
    rotation: DMat3,
}

/// Lightness of a surface at a place: random values on lattices of several sizes, interpolated.
fn texture(surface: u64, at: DVec2) -> f64 {
    let value = |x: i64, y: i64, level: u64| {
        let seed = (x.cast_unsigned() << 32) ^ (y.cast_unsigned() & 0xFFFF_FFFF) ^ (surface << 60) ^ (level << 56);
        Rng::scattered(seed).unit_f64()
    };
    let octave = |level: u64| {
        let place = at * f64::from(3u32 << level);
        let (corner, share) = (place.floor(), place - place.floor());
        let (x, y) = (corner.x as i64, corner.y as i64);
        let row = |y: i64| value(x, y, level) * (1.0 - share.x) + value(x + 1, y, level) * share.x;
        row(y) * (1.0 - share.y) + row(y + 1) * share.y
    };
    (0..4).map(octave).sum::<f64>() / 4.0
}

/// What a camera sees: a wall ahead, a wall on the left, and the floor.
fn seen(camera: Camera, world: u64) -> Plane {
    let back = camera.rotation.transpose();
    let value = |i: usize| {
        let pixel = DVec2::new((i % SIZE[0]) as f64 + 0.5, (i / SIZE[0]) as f64 + 0.5);
        let ray = back * ((pixel - LENS.center) / LENS.focal).extend(1.0);
        let far = |normal: DVec3, distance: f64| {
            let slope = normal.dot(ray);
            let way = (distance - normal.dot(camera.place)) / slope;
            if slope > 1e-9 { way } else { f64::INFINITY }
        };
        let ways = [far(DVec3::Z, 6.0), far(-DVec3::X, 2.0), far(DVec3::Y, 1.3)];
        let nearest = (0..3).min_by(|a, b| ways[*a].total_cmp(&ways[*b])).expect("three surfaces");
        let place = camera.place + ray * ways[nearest];
        let at = [DVec2::new(place.x, place.y), DVec2::new(place.z, place.y), DVec2::new(place.x, place.z)][nearest];
        texture(4 * world + nearest as u64, at + 100.0) as f32
    };
    Plane { width: SIZE[0], height: SIZE[1], values: (0..SIZE[0] * SIZE[1]).map(value).collect() }
}

fn nv12(gray: &Plane) -> Vec<u8> {
    let luma = gray.values.iter().map(|value| (16.0 + 219.0 * value).round() as u8);
    luma.chain(std::iter::repeat_n(128, SIZE[0] * SIZE[1] / 2)).collect()
}

fn psnr(a: &[u8], b: &[u8]) -> f64 {
    let luma = SIZE[0] * SIZE[1];
    let sum: f64 = a[..luma].iter().zip(b).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2)).sum();
    10.0 * (255.0 * 255.0 / (sum / luma as f64).max(1e-9)).log10()
}

fn cameras() -> [Camera; 2] {
    let turned = |right: f64| DMat3::from_rotation_y(-right);
    [
        Camera { place: DVec3::ZERO, rotation: turned(-0.06) },
        Camera { place: DVec3::new(0.5, -0.05, 0.6), rotation: turned(-0.16) },
    ]
}

fn compared(a: &Plane, b: &Plane) -> Option<TwoView> {
    TwoView::of(&Features::of(a), &Features::of(b), Some([LENS.focal; 2]))
}

#[test]
fn the_second_camera_is_found_and_the_frame_half_way_is_as_a_camera_there_would_see_it() {
    let [first, second] = cameras();
    let pictures = [first, second].map(|camera| seen(camera, 0));
    let two = compared(&pictures[0], &pictures[1]).expect("a shared geometry");
    assert!(two.is_strong(), "{} of {}", two.matches.len(), two.tried);
    let rotation = second.rotation * first.rotation.transpose();
    let truth = RelativePose { rotation, shift: (second.rotation * (first.place - second.place)).normalize() };
    let turn = (two.pose.rotation * truth.rotation.transpose()).to_cols_array();
    let angle = ((turn[0] + turn[4] + turn[8] - 1.0) / 2.0).clamp(-1.0, 1.0).acos();
    assert!(angle.to_degrees() < 0.5, "{} degrees", angle.to_degrees());
    assert!(two.pose.shift.dot(truth.shift) > 0.98, "{} for {}", two.pose.shift, truth.shift);

    let way = Transit::plan(&two, SIZE).expect("a way");
    let frames = pictures.map(|picture| nv12(&picture));
    let drawn = |moment: f64| way.frame(moment, [&frames[0], &frames[1]]);
    assert!(psnr(&drawn(0.0), &frames[0]) > 40.0 && psnr(&drawn(1.0), &frames[1]) > 28.0);
    // As far as the lens does not close on the way.
    let middle = Camera { place: first.place.lerp(second.place, 0.5), rotation: DMat3::from_rotation_y(0.11) };
    let truth = nv12(&seen(middle, 0));
    let mixed: Vec<u8> = frames[0].iter().zip(&frames[1]).map(|(a, b)| a.midpoint(*b)).collect();
    let (ours, plain) = (psnr(&drawn(0.5), &truth), psnr(&mixed, &truth));
    assert!(ours > plain + 4.0, "{ours} dB, and {plain} dB without geometry");
}

#[test]
fn pictures_of_different_places_share_nothing() {
    let [first, second] = cameras();
    let two = compared(&seen(first, 0), &seen(second, 1));
    assert!(two.is_none_or(|two| !two.is_strong()));
}

#[test]
fn a_way_to_where_neither_picture_shows_anything_is_not_planned() {
    let [first, _] = cameras();
    // Only a narrow border is in both.
    let second = Camera { rotation: DMat3::from_rotation_y(-0.85), ..first };
    let two = compared(&seen(first, 0), &seen(second, 0));
    assert!(two.is_none_or(|two| !two.is_strong() || Transit::plan(&two, SIZE).is_none()));
}
