//! Registration of textures that are moved by known maps.

#![cfg(test)]

use aerie_math::Rng;
use aerie_register::{Frame, Homography, Level, Plane, Sensitivity, Warp, affine_between, features, turned};

const SIZE: [usize; 2] = [320, 240];

/// Smooth noise of 0 to 255 at a place.
fn texture([x, y]: [f64; 2]) -> f64 {
    let octave = |size: f64| {
        let (x, y) = (x / size, y / size);
        let value = |i: f64, j: f64| Rng::scattered((i as i64 * 7919 + j as i64 * 104_729).cast_unsigned()).unit_f64();
        let (u, v) = (x - x.floor(), y - y.floor());
        let (u, v) = (u * u * (3.0 - 2.0 * u), v * v * (3.0 - 2.0 * v));
        let row = |j: f64| value(x.floor(), j) * (1.0 - u) + value(x.floor() + 1.0, j) * u;
        row(y.floor()) * (1.0 - v) + row(y.floor() + 1.0) * v
    };
    255.0 * (octave(31.0) + octave(13.0) + octave(7.0)) / 3.0
}

/// The texture as a picture shows it whose pixels `map` converts to places.
fn seen(map: &Homography) -> Plane {
    let pixel = |i: usize| texture(map.apply([(i % SIZE[0]) as f64 + 0.5, (i / SIZE[0]) as f64 + 0.5])) as f32;
    Plane::new(SIZE[0], SIZE[1], (0..SIZE[0] * SIZE[1]).map(pixel).collect())
}

const FEATURES: Sensitivity = Sensitivity { min_contrast: 1.0, max_features: 800 };

#[test]
fn pictures_of_other_scale_and_rotation_are_registered_to_a_fraction_of_a_pixel() {
    let truth = Homography::affine([0.8, 0.03, 21.0, -0.03, 0.82, 17.0]);
    let [own, other] = [seen(&truth), seen(&Homography::IDENTITY)];
    let found = affine_between(&features(&own, FEATURES), &features(&other, FEATURES), 2.0).expect("a map");
    let frame = Frame::of(SIZE);
    let apart = |map: &Homography| truth.inverse().expect("a map").after(map).of_points([&frame; 2]).reach(&frame);
    assert!(apart(&found) < 3.0, "{} pixels", apart(&found));
    let level = |plane: Plane| Level::of(plane, frame.copy([0.5; 2], [1.0; 2]), &(0.0..256.0));
    let refined = level(own).refined(&level(other), found.of_points([&frame; 2]), Warp::Affine);
    let refined = refined.of_pixels([&frame; 2]);
    assert!(apart(&refined) < 0.2, "{} pixels", apart(&refined));
}

#[test]
fn pictures_of_different_places_have_no_map() {
    let other = seen(&Homography::affine([1.0, 0.0, 5000.0, 0.0, 1.0, 9000.0]));
    let [own, other] = [seen(&Homography::IDENTITY), other].map(|picture| features(&picture, FEATURES));
    assert_eq!(affine_between(&own, &other, 2.0), None);
}

#[test]
fn a_descriptor_turned_by_a_quarter_is_that_of_the_turned_picture() {
    let map = Homography::IDENTITY;
    // A quarter to the left: the right edge becomes the upper one.
    let left = Homography::affine([0.0, -1.0, SIZE[0] as f64, 1.0, 0.0, 0.0]);
    let [upright, turned_left] = [seen(&map), seen(&left)].map(|picture| features(&picture, FEATURES));
    let back = left.inverse().expect("a map");
    let pairs = upright.iter().filter_map(|own| {
        let [x, y] = back.apply(own.at.to_array());
        let other = turned_left.iter().find(|other| (other.at.x - x).hypot(other.at.y - y) < 0.3)?;
        Some(turned(&own.descriptor, 1).iter().zip(&other.descriptor).map(|(a, b)| a * b).sum::<f32>())
    });
    let mut likeness: Vec<f32> = pairs.collect();
    likeness.sort_by(f32::total_cmp);
    assert!(likeness.len() > 20 && likeness[likeness.len() / 2] > 0.98, "{likeness:?}");
}

#[test]
fn features_beside_unknown_pixels_are_left_out() {
    let mut picture = seen(&Homography::IDENTITY);
    picture.values.chunks_mut(SIZE[0]).for_each(|row| row[..160].fill(f32::NAN));
    let found = features(&picture, FEATURES);
    assert!(!found.is_empty() && found.iter().all(|feature| feature.at.x > 170.0));
}
