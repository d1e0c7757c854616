//! Layouts of synthetic rooms with ground truth, and of exteriors.

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
fn accepted_layouts_have_the_floor_in_the_right_place() {
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
fn the_layout_does_not_depend_on_the_number_of_threads() {
    let (_, photo, _) = photographed(2);
    let first = Layout::of(&photo, &Hints::default()).expect("lines");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let again = pool.install(|| Layout::of(&photo, &Hints::default())).expect("lines");
    assert_eq!(format!("{first:?}"), format!("{again:?}"));
}

#[test]
fn face_polygons_cover_the_image_exactly_once() {
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
fn an_image_without_lines_has_no_layout() {
    assert!(Layout::of(&Photo::new(320, 240, vec![[30_000; 3]; 320 * 240]), &Hints::default()).is_none());
}

/// Doubts about the layout of a photo that does not show a room.
fn doubts(photo: &Photo) -> Vec<Doubt> {
    Layout::of(photo, &Hints::default()).map_or(vec![Doubt::FewLinesAlongAxes], |layout| layout.doubts)
}

/// Straight strokes in all directions, as of branches or a heap of planks.
fn strokes(seed: u64) -> Photo {
    let (width, height) = (1000_i64, 700_i64);
    let mut pixels = vec![[45_000_u16; 3]; (width * height) as usize];
    let mut rng = aerie_math::Rng::new(seed);
    for _ in 0..160 {
        let (x, y) = (rng.range_f64(0.0, width as f64), rng.range_f64(0.0, height as f64));
        let (length, angle) = (rng.range_f64(80.0, 400.0), rng.range_f64(0.0, std::f64::consts::TAU));
        let shade = rng.range_f64(4_000.0, 30_000.0) as u16;
        for step in 0..(2.0 * length) as i64 {
            let along = step as f64 / 2.0;
            let (px, py) = ((x + along * angle.cos()) as i64, (y + along * angle.sin()) as i64);
            for (px, py) in (-3..=3).flat_map(|i| (-3..=3).map(move |j| (px + i, py + j))) {
                if (0..width).contains(&px) && (0..height).contains(&py) {
                    pixels[(py * width + px) as usize] = [shade; 3];
                }
            }
        }
    }
    Photo::new(width as usize, height as usize, pixels)
}

#[test]
fn lines_in_all_directions_are_rejected_as_a_room_with_reasons() {
    for seed in 0..6 {
        assert!(!doubts(&strokes(seed)).is_empty(), "strokes of seed {seed} were accepted as a room");
    }
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn exteriors_are_rejected_as_rooms_with_reasons() {
    for folder in ["photos/exteriors", "photos/brackets"] {
        let entries = std::fs::read_dir(aerie_test_data::test_data(folder)).expect(folder);
        let photos: Vec<PathBuf> = entries
            .map(|e| e.expect("an entry").path())
            .filter(|p| p.extension().is_some_and(|e| e == "jpg"))
            .collect();
        assert!(!photos.is_empty(), "{folder} has no photographs");
        for path in photos {
            let photo = decode_file(&path).expect("a photograph");
            assert!(!doubts(&photo).is_empty(), "{} was accepted as a room", path.display());
        }
    }
}
