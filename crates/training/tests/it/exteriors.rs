//! Imagined exteriors and the truth of their pixels.

use aerie_math::Rng;
use aerie_training::dress::{self, NO_DEPTH};
use aerie_training::view::{self, View};
use aerie_training::{Label, rooms};
use glam::Vec3;

/// Small views of the exteriors among the first scenes.
fn views() -> Vec<View> {
    let scenes = (0..24).map(|seed| rooms::imagine(seed, 40, 4)).filter(|room| room.scene.is_outdoors);
    scenes
        .flat_map(|room| {
            room.views
                .into_iter()
                .map(move |(at, camera)| view::render(&room.scene, at, &camera, 1))
                .collect::<Vec<_>>()
        })
        .collect()
}

fn label(view: &View, i: usize) -> u8 {
    view.surfaces[view.pixels[i].surface as usize].label
}

#[test]
fn lawns_lie_level_on_the_ground_where_depth_and_normal_say() {
    let mut count = 0;
    for view in views() {
        for i in (0..view.pixels.len()).filter(|i| label(&view, *i) == Label::Lawn as u8) {
            let (pixel, place) = (&view.pixels[i], view.place + view.way(i) * view.pixels[i].depth);
            // Not those of distant hills.
            if place.truncate().length() < 40.0 && pixel.depth < 40.0 {
                assert!(place.z.abs() < 0.4, "{place}");
                let normal = view.turn * pixel.normal;
                count += usize::from(normal.dot(Vec3::Z) > 0.99);
            }
        }
    }
    assert!(count > 500, "{count} pixels of level lawns");
}

#[test]
fn exteriors_show_all_that_is_outdoors() {
    let mut counts = [0; Label::ALL.len()];
    for view in views() {
        (0..view.pixels.len()).for_each(|i| counts[label(&view, i) as usize] += 1);
    }
    for class in [
        Label::Sky,
        Label::Lawn,
        Label::Paving,
        Label::Facade,
        Label::Roof,
        Label::Plants,
        Label::Vehicle,
        Label::Window,
        Label::Door,
    ] {
        assert!(counts[class as usize] > 20, "{class:?}: {counts:?}");
    }
}

#[test]
fn samples_have_depth_and_normals_everywhere_but_in_the_sky() {
    for (k, view) in views().iter().enumerate() {
        let sample = dress::sample(view, 40, &mut Rng::scattered(k as u64));
        for (i, label) in sample.labels.iter().enumerate().filter(|(_, label)| **label != dress::NONE) {
            let is_sky = *label == Label::Sky as u8;
            assert_eq!(sample.depths[i] == NO_DEPTH, is_sky);
            assert_eq!(sample.normals[i] == [0; 3], is_sky);
        }
    }
}
