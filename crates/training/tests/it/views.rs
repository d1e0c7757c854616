//! Views of imagined rooms and the samples made from them.

use std::fs::File;

use aerie_math::Rng;
use aerie_training::dress::{NONE, sample};
use aerie_training::rooms::imagine;
use aerie_training::scene::Label;
use aerie_training::view::{View, render};
use aerie_training::view_file::{self, Views};

fn view(seed: u64) -> View {
    let room = imagine(seed, 96, 1);
    let (place, camera) = room.views.first().expect("a camera");
    render(&room.scene, *place, camera, seed)
}

#[test]
fn the_same_seed_gives_the_same_sample_and_another_dresses_the_same_view_differently() {
    let view = view(3);
    let make = |seed: u64| sample(&view, 32, &mut Rng::scattered(seed));
    assert_eq!(make(1).picture, make(1).picture);
    assert_ne!(make(1).picture, make(2).picture);
}

#[test]
fn a_view_survives_writing_and_reading() {
    let view = view(4);
    let folder = tempfile::tempdir().expect("a folder");
    let mut file = File::create(folder.path().join("one.views")).expect("a file");
    view_file::write(&view, &mut file).expect("written");
    let views = Views::open(folder.path()).expect("views");
    assert_eq!(views.count(), 1);
    let read = views.read(0).expect("a view");
    assert_eq!((read.width, read.height, read.surfaces.len()), (view.width, view.height, view.surfaces.len()));
    for (a, b) in read.pixels.iter().zip(&view.pixels) {
        assert_eq!(a.surface, b.surface);
        assert!((a.depth - b.depth).abs() < 2e-3 * b.depth.max(1.0));
    }
}

#[test]
fn rooms_show_floors_and_walls_and_half_of_them_furniture() {
    let (mut floors, mut furnished) = (0, 0);
    for view in (0..60).map(view).filter(|view| !view.is_outdoors).take(24) {
        let shows = |label: Label| view.pixels.iter().any(|p| view.surfaces[p.surface as usize].label == label as u8);
        floors += usize::from(shows(Label::Floor) && shows(Label::Wall));
        furnished += usize::from(shows(Label::Furniture));
    }
    assert!(floors >= 20 && (5..=20).contains(&furnished), "{floors} with floor and wall, {furnished} furnished");
}

#[test]
fn edges_lie_where_labels_change_between_planes() {
    let view = view(5);
    let made = sample(&view, 64, &mut Rng::scattered(9));
    let half = 32;
    let label = |i: usize| made.labels[i];
    let between_floor_and_wall = (0..half * half).filter(|i| made.edges[*i] & 1 != 0);
    let near = |i: usize, wanted: Label| {
        let (x, y) = (i % half, i / half);
        (y.saturating_sub(2)..(y + 3).min(half))
            .flat_map(|v| (x.saturating_sub(2)..(x + 3).min(half)).map(move |u| v * half + u))
            .any(|k| label(k) == wanted as u8 || label(k) == NONE)
    };
    for i in between_floor_and_wall {
        assert!(near(i, Label::Floor), "cell {i}");
    }
}
