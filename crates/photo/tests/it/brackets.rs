//! Merging bracketed exposures: alignment, motion, windows and refusals, on synthetic rooms and on photographs.

use std::cell::RefCell;

use aerie_math::Rng;
use aerie_math::color::{encoded, linear};
use aerie_photo::bracket::{MergeError, Merged, merge};
use aerie_photo::report::MERGED;
use aerie_photo::{EnhanceOptions, Photo, decode, decode_file, decode_like, enhance};
use aerie_synthetic::{Developing, LitRoom, Style, imagine};
use aerie_test_data::tiff;

fn merged(photos: &[Photo]) -> Result<Merged, MergeError<String>> {
    merge(photos.len(), |number, _| Ok(photos[number].clone()), |_, _| Ok(()))
}

/// A view of an imagined room, lighter by some stops.
fn room(seed: u64, stops: &[f64]) -> Vec<Photo> {
    let imagined = imagine(seed, &Style { width: 640, height: 448, casual: 0.0, ..Style::default() });
    let view = LitRoom::new(imagined.room).view(&imagined.viewpoint, 1);
    stops.iter().map(|stops| view.developed(&Developing { exposure: *stops, ..Developing::default() })).collect()
}

/// Part of a photo from the pixel at `x`, `y`.
fn part(photo: &Photo, [x, y]: [usize; 2], [width, height]: [usize; 2]) -> Photo {
    let row = |v: usize| &photo.pixels[(y + v) * photo.width + x..][..width];
    Photo::new(width, height, (0..height).flat_map(row).copied().collect())
}

/// A photo under other light, as a camera writes it.
fn relit(photo: &Photo, stops: f32) -> Photo {
    let pixel = |p: &[u16; 3]| encoded(linear(*p).map(|v| v * stops.exp2())).map(|v| v / 257 * 257);
    Photo { pixels: photo.pixels.iter().map(pixel).collect(), ..photo.clone() }
}

/// Shares of clipped and crushed pixels.
fn lost(photo: &Photo) -> [f64; 2] {
    let share = |test: &dyn Fn(&[u16; 3]) -> bool| {
        photo.pixels.iter().filter(|p| test(p)).count() as f64 / photo.pixels.len() as f64
    };
    [share(&|p| p.iter().filter(|v| **v >= 64_250).count() >= 2), share(&|p| p.iter().all(|v| *v <= 3084))]
}

#[test]
fn a_shifted_exposure_is_aligned_within_a_tenth_of_a_pixel() {
    let photo = &room(4, &[0.0])[0];
    let size = [600, 400];
    for (offset, stops) in [([20, 20], -2.0), ([27, 17], -3.0), ([3, 41], 1.5), ([36, 5], -1.0)] {
        let reference = part(photo, [20, 20], size);
        let exposure = relit(&part(photo, offset, size), stops);
        let Merged { photo: made, report } = merged(&[reference.clone(), exposure]).expect("a merge");
        let [x, y] = report.others[0].shift;
        let expected = [20.0 - offset[0] as f32, 20.0 - offset[1] as f32];
        assert!((x - expected[0]).hypot(y - expected[1]) < 0.1, "{offset:?}: {x} {y}");
        assert!((report.others[0].exposure - stops).abs() < 0.15, "{:?}", report.others[0]);
        assert_eq!((report.merged, made.exposures, made.width, made.height), (2, 2, 600, 400));
        assert!(report.others[0].moved < 0.01, "{report:?}");
    }
}

#[test]
fn detail_that_one_exposure_lost_comes_from_another() {
    let photos = room(7, &[0.5, -5.0, 4.0]);
    let [clipped, crushed] = lost(&photos[0]);
    let [dark, light] = [lost(&photos[1]), lost(&photos[2])];
    let made = lost(&merged(&photos).expect("a merge").photo);
    assert!(made[0] <= clipped && made[0] < light[0] && made[1] <= crushed && made[1] < dark[1], "{made:?}");
}

#[test]
fn what_moved_is_that_of_the_reference() {
    let still = room(4, &[0.0, -1.5, 1.5]);
    let mut moving = still.clone();
    // Somebody stands in front of the wall while the other exposures are taken, at two places.
    for (photo, x) in [(1, 120), (2, 300)] {
        for y in 100..320 {
            moving[photo].pixels[y * 640 + x..][..60].fill([9_000, 12_000, 16_000]);
        }
    }
    let (expected, made) = (merged(&still).expect("a merge"), merged(&moving).expect("a merge"));
    assert!(
        expected.report.from_reference < 0.01 && expected.report.others.iter().all(|o| o.moved < 0.02),
        "{:?}",
        expected.report
    );
    let share = 60.0 * 220.0 / (640.0 * 448.0);
    for other in &made.report.others {
        assert!((share * 0.8..share * 2.0).contains(&other.moved), "{other:?}");
    }
    let apart = |[left, right]: [usize; 2]| {
        let at = (100..320).flat_map(|y| (left..right).map(move |x| y * 640 + x));
        let apart = at.map(|i| (0..3).map(|c| expected.photo.pixels[i][c].abs_diff(made.photo.pixels[i][c])).max());
        f64::from(apart.flatten().map(u32::from).max().unwrap_or(0)) / 257.0
    };
    assert!(apart([120, 180]) < 24.0 && apart([300, 360]) < 24.0, "{} {}", apart([120, 180]), apart([300, 360]));
}

#[test]
fn an_exposure_of_another_size_is_left_out_with_the_reason() {
    let photos = room(4, &[0.0, -1.0]);
    let small = part(&photos[1], [0, 0], [639, 448]);
    let made = merged(&[photos[0].clone(), photos[1].clone(), small.clone()]).expect("a merge");
    assert_eq!((made.report.merged, made.photo.exposures), (2, 2));
    assert!(made.report.others[0].left_out.is_none());
    let why = made.report.others[1].left_out.as_deref().expect("a reason");
    assert!(why.starts_with("it has 639 x 448 pixels, but `image_url` has 640 x 448"), "{why}");
    assert!(made.photo.pixels == merged(&photos).expect("a merge").photo.pixels);
    let alone = merged(&[photos[0].clone(), small]).expect("a photo");
    assert_eq!((alone.report.merged, alone.photo), (1, photos[0].clone()));
}

#[test]
fn an_exposure_of_another_scene_is_refused_by_its_number() {
    let photos = room(4, &[0.0, -1.0]);
    let other = &room(11, &[-0.5])[0];
    let refused = merged(&[photos[0].clone(), other.clone(), photos[1].clone()]).unwrap_err();
    assert!(matches!(refused, MergeError::OtherScene(1)), "{refused:?}");
}

/// Exposures as raw files show them, with the noise of a sensor or a part of it: each by its stops and its white balance.
fn raws(light: &Photo, noise: f32, exposures: &[(f32, [f32; 3])]) -> Vec<Photo> {
    let mut rng = Rng::new(3);
    let mut exposed = |(stops, white): &(f32, [f32; 3])| {
        let mut channel = |v: f32, white: f32| {
            let v = v * stops.exp2();
            (v + noise * rng.normal() as f32 * (1e-6 + 4e-4 * v).sqrt()) * white
        };
        let pixels = light.pixels.iter().map(|p| {
            let light = linear(*p);
            encoded([0, 1, 2].map(|c| channel(light[c], white[c])))
        });
        Photo { pixels: pixels.collect(), is_raw: true, ..light.clone() }
    };
    exposures.iter().map(&mut exposed).collect()
}

/// Mean distance of the channels of two photos where the second is dark, in 8-bit steps.
fn apart_in_shadows(a: &Photo, b: &Photo) -> f64 {
    let dark = a.pixels.iter().zip(&b.pixels).filter(|(_, b)| b.iter().all(|v| *v < 20_000));
    let all: Vec<f64> =
        dark.map(|(a, b)| (0..3).map(|c| f64::from(a[c].abs_diff(b[c]))).sum::<f64>() / 3.0 / 257.0).collect();
    assert!(all.len() > 1000, "{} dark pixels", all.len());
    all.iter().sum::<f64>() / all.len() as f64
}

#[test]
fn raw_exposures_of_another_white_balance_leave_no_cast() {
    const NEUTRAL: [f32; 3] = [1.0; 3];
    let light = &room(4, &[0.0])[0];
    let expected = merged(&raws(light, 1.0, &[(0.0, NEUTRAL), (-2.0, NEUTRAL), (2.0, NEUTRAL)])).expect("a merge");
    let cast = raws(light, 1.0, &[(0.0, NEUTRAL), (-2.0, [0.8, 1.0, 1.3]), (2.0, [1.25, 1.0, 0.75])]);
    let made = merged(&cast).expect("a merge");
    assert!(expected.report.linear && made.report.linear && made.report.merged == 3, "{:?}", made.report);
    assert!((made.report.others[1].exposure - 2.0).abs() < 0.05, "{:?}", made.report);
    let apart = apart_in_shadows(&made.photo, &expected.photo);
    let as_others: Vec<Photo> = cast.into_iter().map(|photo| Photo { is_raw: false, ..photo }).collect();
    let fused = merged(&as_others).expect("a merge");
    assert!(!fused.report.linear);
    let cast = apart_in_shadows(&fused.photo, &expected.photo);
    assert!(apart < 2.0 && cast > 4.0 * apart, "{apart} {cast}");
}

#[test]
fn raw_exposures_add_up_to_less_noise_than_any_of_them_has() {
    let light = &room(4, &[-1.0])[0];
    let exposures = [(0.0, [1.0; 3]), (-1.0, [1.0; 3]), (1.0, [1.0; 3])];
    let [noisy, clean] = [1.0, 0.0].map(|noise| raws(light, noise, &exposures));
    let linear = apart_in_shadows(&merged(&noisy).expect("a merge").photo, &merged(&clean).expect("a merge").photo);
    let plain = |photos: Vec<Photo>| {
        merged(&photos.into_iter().map(|photo| Photo { is_raw: false, ..photo }).collect::<Vec<_>>())
            .expect("a merge")
            .photo
    };
    let fused = apart_in_shadows(&plain(noisy), &plain(clean));
    assert!(linear < 0.9 * fused, "{linear} {fused}");
}

#[test]
fn raw_exposures_are_merged_as_photos_where_one_is_not_raw() {
    let light = &room(4, &[0.0])[0];
    let mut photos = raws(light, 1.0, &[(0.0, [1.0; 3]), (-1.0, [1.0; 3])]);
    photos[1].is_raw = false;
    let made = merged(&photos).expect("a merge");
    assert_eq!((made.report.linear, made.report.merged), (false, 2));
}

#[test]
fn raw_files_are_merged_in_linear_light() {
    let light = |stops: f32| {
        // Squares of other light, from a twentieth to ten times that of the card.
        move |x: u32, y: u32| {
            let square = (x / 24 * 7 + y / 24 * 13) % 17;
            0.05 * (square as f32 / 17.0 * 8.0).exp2() * (1.0 + 0.2 * ((x + 2 * y) % 24) as f32 / 24.0) * stops.exp2()
        }
    };
    let file = |stops| tiff::file(&[tiff::dng_of([480, 336], [16_000, 10_000, 8000], light(stops))]);
    let files = [0.0, -2.5, 2.0].map(file);
    let read = |number: usize, like| decode_like(&files[number], like).map_err(|error| error.to_string());
    let made = merge(3, read, |_, _| Ok(())).expect("a merge");
    assert!(made.report.linear && made.report.merged == 3 && made.photo.is_raw, "{:?}", made.report);
    let [dark, bright] = [made.report.others[0].exposure, made.report.others[1].exposure];
    assert!((dark + 2.5).abs() < 0.05 && (bright - 2.0).abs() < 0.05, "{dark} {bright}");
    let photos = [0, 1, 2].map(|number| decode(&files[number]).expect("a photo"));
    let [clipped, _] = lost(&photos[0]);
    assert!(clipped > 0.05 && lost(&made.photo)[0] < clipped / 4.0, "{clipped} {:?}", lost(&made.photo));
}

/// A JPEG whose EXIF states an orientation.
fn flagged(photo: &Photo, orientation: u16) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut file, 95);
    let exif = tiff::Directory::new().shorts(0x112, &[orientation]);
    encoder.add_exif_metadata(&tiff::file(&[exif])).unwrap();
    let bytes: Vec<u8> = photo.pixels.iter().flat_map(|p| p.map(|v| (v / 257) as u8)).collect();
    let (width, height) = (photo.width as u16, photo.height as u16);
    encoder.encode(&bytes, width, height, jpeg_encoder::ColorType::Rgb).unwrap();
    file
}

#[test]
fn exposures_with_other_orientation_flags_are_turned_like_the_reference() {
    let photos = room(4, &[0.0, -1.5, 1.5]);
    for (flags, size) in [([1, 8, 3], [640, 448]), ([6, 1, 6], [448, 640])] {
        let files: Vec<Vec<u8>> = photos.iter().zip(flags).map(|(photo, flag)| flagged(photo, flag)).collect();
        let read = |number: usize, like| decode_like(&files[number], like);
        let made = merge(3, read, |_, _| Ok::<_, aerie_photo::DecodeError>(())).expect("a merge");
        assert_eq!((made.report.merged, [made.photo.width, made.photo.height]), (3, size), "{flags:?}");
        let others = flags[1..].iter().filter(|flag| **flag != flags[0]).count();
        let said = made.photo.readings.iter().filter(|reading| reading.contains("turned like the photo")).count();
        assert_eq!(said, others, "{:?}", made.photo.readings);
    }
}

#[test]
fn a_black_frame_is_left_out_with_a_reason_and_the_photo_stays_as_it_is() {
    let photo = room(4, &[0.0]).remove(0);
    let black = Photo::new(photo.width, photo.height, vec![[0; 3]; photo.pixels.len()]);
    let made = merged(&[photo.clone(), black]).expect("a merge");
    assert_eq!((made.report.merged, made.photo), (1, photo));
    assert_eq!(
        made.report.others[0].left_out,
        Some("it is too dark to be aligned with the other exposures".to_owned())
    );
}

#[test]
fn the_same_exposures_give_the_same_pixels_whatever_the_number_of_threads() {
    let photos: Vec<Photo> = room(4, &[0.0, -2.0]).iter().map(|p| part(p, [10, 10], [320, 240])).collect();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| merged(&photos).expect("a merge"))
    };
    let (one, three) = (with(1), with(3));
    assert!(one.photo == three.photo && one.report == three.report);
}

#[test]
fn progress_reaches_its_end_and_the_caller_may_stop_a_merge() {
    let photos: Vec<Photo> = room(4, &[0.0, -1.0]).iter().map(|p| part(p, [0, 0], [160, 120])).collect();
    let steps = RefCell::new(Vec::new());
    let read = |number: usize, _| Ok::<_, String>(photos[number].clone());
    merge(2, read, |done, all| {
        steps.borrow_mut().push((done, all));
        Ok(())
    })
    .expect("a merge");
    let steps = steps.into_inner();
    assert!(steps.is_sorted() && steps.last() == Some(&(6, 6)), "{steps:?}");
    let stopped = merge(2, read, |done, _| if done < 3 { Ok(()) } else { Err("canceled".to_owned()) });
    assert_eq!(stopped.err(), Some(MergeError::Stopped("canceled".to_owned())));
}

#[test]
fn a_merged_photo_is_disclosed_and_lightened_no_further_than_little() {
    let photos = room(4, &[-1.0, -3.0, 1.0]);
    let Merged { photo, report } = merged(&photos).expect("a merge");
    assert_eq!(report.merged, 3);
    let made = enhance(photo, &EnhanceOptions::new(aerie_photo::Preset::Natural, None), None);
    assert_eq!(made.report.steps()[0], "merged 3 exposures");
    let disclosure = made.report.disclosure();
    assert_eq!((disclosure.digital_source_type, disclosure.altered), (MERGED, false));
    assert!(disclosure.text.starts_with("Photo merged from 3 exposures of one view"), "{}", disclosure.text);
    let exposure =
        made.report.changes.iter().find(|change| change.name == "exposure").map_or(0.0, |change| change.amount);
    assert!(exposure <= 0.6, "{exposure}");
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn a_real_bracket_keeps_its_highlights_and_shadows() {
    let read = |number: usize| {
        let path = format!("photos/brackets/mer_OldHouse{number}.jpg");
        decode_file(&aerie_test_data::test_data(path)).expect("a photo")
    };
    let photos = [read(2), read(1), read(3)];
    let before = lost(&photos[0]);
    let Merged { photo, report } = merged(&photos).expect("a merge");
    let after = lost(&photo);
    assert_eq!(report.merged, 3);
    assert!(report.others.iter().all(|other| other.shift[0].hypot(other.shift[1]) < 1.0), "{report:?}");
    assert!(after[0] <= before[0] && after[1] <= before[1], "{before:?} {after:?}");
    // The same house, moved.
    let size = [1000, 640];
    let moved = [part(&photos[0], [40, 40], size), part(&photos[1], [31, 52], size), part(&photos[2], [44, 35], size)];
    let found = merged(&moved).expect("a merge").report;
    for (i, expected) in [[9.0, -12.0], [-4.0, 5.0_f32]].into_iter().enumerate() {
        let (other, rest) = (&found.others[i], report.others[i].shift);
        let apart = (other.shift[0] - expected[0] - rest[0]).hypot(other.shift[1] - expected[1] - rest[1]);
        assert!(apart < 0.5, "{other:?}");
    }
}
