//! Rooms of known shape, and photos of houses from outside.

use std::path::PathBuf;

use aerie_photo::room::{Doubt, Face, Hints, Layout};
use aerie_photo::{Photo, decode_file};
use aerie_synthetic::{Developing, LitRoom, Style, Surface, View, imagine};

fn photographed(seed: u64) -> (View, Photo, f64) {
    let style = Style { width: 720, height: 480, casual: 0.0, ..Style::default() };
    let imagined = imagine(seed, &style);
    let view = LitRoom::new(imagined.room).view(&imagined.viewpoint, 1);
    let photo = view.developed(&Developing { seed, ..Developing::default() });
    (view, photo, imagined.viewpoint.camera.focal)
}

fn floor_iou(view: &View, layout: &Layout) -> f64 {
    let (mut both, mut either) = (0, 0);
    for (i, surface) in view.shell.iter().enumerate() {
        let pixel = [(i % view.width) as f64 + 0.5, (i / view.width) as f64 + 0.5];
        let (truth, found) = (*surface == Surface::Floor, layout.face_at(pixel) == Face::Floor);
        both += usize::from(truth && found);
        either += usize::from(truth || found);
    }
    both as f64 / either.max(1) as f64
}

#[test]
fn rooms_that_are_accepted_have_their_floor_where_it_is() {
    let mut accepted = 0;
    for seed in 1..=8 {
        let (view, photo, focal) = photographed(seed);
        let hints = Hints { focal: Some(focal), ..Hints::default() };
        let layout = Layout::of(&photo, &hints).expect("lines");
        if layout.is_confident() {
            accepted += 1;
            let iou = floor_iou(&view, &layout);
            assert!(iou > 0.9, "room {seed}: {iou}");
        }
    }
    assert!(accepted >= 5, "only {accepted} of 8 accepted");
}

#[test]
fn the_same_photo_gives_the_same_room_whatever_the_threads() {
    let (_, photo, _) = photographed(2);
    let once = Layout::of(&photo, &Hints::default()).expect("lines");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let again = pool.install(|| Layout::of(&photo, &Hints::default())).expect("lines");
    assert_eq!(format!("{once:?}"), format!("{again:?}"));
}

#[test]
fn polygons_cover_the_picture_once() {
    let (_, photo, _) = photographed(3);
    let layout = Layout::of(&photo, &Hints::default()).expect("lines");
    let area = |p: &[[f64; 2]]| {
        let next = |i: usize| p[(i + 1) % p.len()];
        (0..p.len()).map(|i| p[i][0] * next(i)[1] - next(i)[0] * p[i][1]).sum::<f64>().abs() / 2.0
    };
    let total: f64 = layout.polygons().iter().map(|(_, p)| area(p)).sum();
    let picture = (photo.width * photo.height) as f64;
    assert!((total / picture - 1.0).abs() < 1e-3, "{}", total / picture);
}

#[test]
fn a_picture_without_lines_is_no_room() {
    assert!(Layout::of(&Photo::new(320, 240, vec![[30_000; 3]; 320 * 240]), &Hints::default()).is_none());
}

#[test]
fn houses_from_outside_are_refused_as_rooms_with_reasons() {
    let Some(data) = std::env::var_os("AERIE_TEST_DATA").map(PathBuf::from) else {
        eprintln!("skipped: AERIE_TEST_DATA names no folder of photographs");
        return;
    };
    for folder in ["photos/exteriors", "photos/brackets"] {
        let entries = std::fs::read_dir(data.join(folder)).expect(folder);
        let photos: Vec<PathBuf> = entries
            .map(|e| e.expect("an entry").path())
            .filter(|p| p.extension().is_some_and(|e| e == "jpg"))
            .collect();
        assert!(!photos.is_empty(), "{folder} has no photographs");
        for path in photos {
            let photo = decode_file(&path).expect("a photograph");
            let doubts = Layout::of(&photo, &Hints::default()).map_or(vec![Doubt::FewLinesAlongAxes], |l| l.doubts);
            assert!(!doubts.is_empty(), "{} was taken for a room", path.display());
        }
    }
}
