//! Perspective correction of real photographs that are turned by known angles.

use aerie_photo::upright::{self, Correction, Upright};
use aerie_photo::{EnhanceOptions, Photo, Preset, decode_file, enhance};

fn photo(path: &str) -> Photo {
    decode_file(&aerie_test_data::test_data(format!("photos/{path}"))).expect("a photo")
}

/// Worst lean at the sides of a photo of a vanishing point, in homogeneous pixel coordinates, degrees.
fn lean([x, y, w]: [f64; 3], photo: &Photo) -> f64 {
    let middle = photo.height as f64 / 2.0;
    let at = |share: f64| (x - share * photo.width as f64 * w).abs().atan2((y - middle * w).abs()).to_degrees();
    at(0.1).max(at(0.9))
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn photographs_turned_by_known_angles_are_straightened() {
    for path in [
        "interiors/darwin_hero-interior_pexels.jpg",
        "exteriors/ar_brick_buildings_02.jpg",
        "exteriors/ar_brick_buildings_11.jpg",
        "exteriors/ar_stone_facades_01.jpg",
        "exteriors/ar_stone_facades_03.jpg",
    ] {
        let photo = photo(path);
        // Level by its own lines, so that the lean of the photo itself is not counted.
        let level = upright::full_correction(&photo, None).unwrap().apply(photo);
        let focal = 0.8 * level.width as f64;
        for (roll, pitch) in [(-4.0, 4.0), (3.0, 0.0), (2.0, -6.0), (-3.0, -4.0), (0.0, 6.0)] {
            let turn = upright::tilted(&level, focal, pitch, roll).unwrap();
            let turned = turn.apply(level.clone());
            let up = turn.map_homogeneous([0.0, -1.0, 0.0]);
            let before = lean(up, &turned);
            let found = upright::upright(&turned, None, false, || false);
            let Upright::Turn(Correction { turn, .. }) = found else { panic!("{path} {roll}, {pitch}: {found:?}") };
            let after = lean(turn.map_homogeneous(up), &turn.apply(turned));
            assert!(after <= 0.5 * before, "{path} {roll}, {pitch}: {before:.2} became {after:.2}");
        }
    }
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn a_photograph_taken_steeply_from_below_stays_as_it_is_and_the_report_says_so() {
    let asked = EnhanceOptions::new(Preset::Natural, Some("straighten"));
    let report = enhance(photo("brackets/mer_OldHouse2.jpg"), &asked, None).report;
    assert!(report.changes.iter().all(|c| c.name != "crop"), "{report:?}");
    assert!(report.stepped_back.iter().any(|n| n.contains("not straightened: the photo looks up")), "{report:?}");
}
