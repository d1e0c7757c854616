//! Material changes, perspective correction and consistency within a listing, on scenes with ground truth.

use aerie_math::color;
use aerie_photo::report::{COMPOSITE, ENHANCED};
use aerie_photo::sky::matte;
use aerie_photo::upright::{self, Correction, Limit, Upright};
use aerie_photo::{EnhanceOptions, Enhanced, ListingLooks, Photo, Preset, enhance};

const WIDTH: usize = 720;
const HEIGHT: usize = 480;

fn hashed(x: usize, y: usize) -> f32 {
    let mut h = (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77);
    h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
    ((h >> 8) & 0xFFFF) as f32 / 65_535.0
}

/// Whether a pixel of the exterior shows sky: over a gable, a chimney and a tree.
fn is_sky(x: usize, y: usize) -> bool {
    let (u, v) = (x as f32 / WIDTH as f32, y as f32 / HEIGHT as f32);
    let roof = (0.2..0.75).contains(&u) && v > 0.28 + 0.5 * (u - 0.475).abs();
    let chimney = (0.58..0.62).contains(&u) && v > 0.22;
    let leaf = 0.02 * hashed(x / 6, y / 6);
    let tree = (u - 0.88).powi(2) * 2.2 + (v - 0.42).powi(2) < (0.16 + leaf).powi(2) * 1.2;
    !(roof || chimney || tree || v > 0.55)
}

/// A house by day under a sky with soft clouds, grained like a photograph.
fn exterior(overcast: bool) -> Photo {
    let pixels = (0..WIDTH * HEIGHT).map(|i| {
        let (x, y) = (i % WIDTH, i / WIDTH);
        let (u, v) = (x as f32 / WIDTH as f32, y as f32 / HEIGHT as f32);
        let grain = 1.0 + 0.03 * (hashed(x, y) - 0.5);
        let surface = if is_sky(x, y) {
            let cloud = 0.5 + 0.5 * (u * 9.0 + (v * 7.0).sin()).sin() * (v * 11.0).cos();
            let clear = [0.18 + 0.4 * v, 0.34 + 0.45 * v, 0.72 + 0.2 * v];
            if overcast { [0.72 + 0.12 * cloud; 3] } else { clear.map(|c| c + (0.85 - c) * 0.4 * cloud * v) }
        } else if v > 0.75 {
            let blade = 0.5 + hashed(x / 2, y / 2);
            [0.10 * blade, 0.16 * blade, 0.045 * blade]
        } else if (u - 0.88).powi(2) * 2.2 + (v - 0.42).powi(2) < 0.05 {
            let leaf = 0.3 + 1.2 * hashed(x / 4, y / 4);
            [0.05 * leaf, 0.08 * leaf, 0.02 * leaf]
        } else if (0.2..0.75).contains(&u) && v < 0.45 {
            let tile = if (y / 4 + x / 9) % 2 == 0 { 1.0 } else { 0.8 };
            [0.22 * tile, 0.11 * tile, 0.07 * tile]
        } else if (x / 40) % 3 == 1 && (y / 36) % 3 == 1 {
            [0.05, 0.06, 0.08]
        } else {
            [0.45, 0.40, 0.33]
        };
        color::encoded(surface.map(|c| c * grain))
    });
    Photo::new(WIDTH, HEIGHT, pixels.collect())
}

/// A room with a pale ceiling and a bright window.
fn room(light: f32) -> Photo {
    let pixels = (0..WIDTH * HEIGHT).map(|i| {
        let (x, y) = (i % WIDTH, i / WIDTH);
        let grain = 1.0 + 0.02 * (hashed(x, y) - 0.5);
        let shade = 0.6 + 0.4 * x as f32 / WIDTH as f32;
        let surface = match (x * 8 / WIDTH, y * 6 / HEIGHT) {
            (_, 0) => [0.82, 0.82, 0.80],
            (5..=6, 1..=3) => [0.95, 0.97, 1.0],
            (_, 5) => [0.30, 0.20, 0.12],
            (1, 3..=4) => [0.12, 0.16, 0.30],
            _ => [0.62, 0.60, 0.57],
        };
        color::encoded(surface.map(|c| c * shade * grain * light))
    });
    Photo::new(WIDTH, HEIGHT, pixels.collect())
}

fn without_upright(preset: Preset) -> EnhanceOptions {
    EnhanceOptions { upright: false, ..EnhanceOptions::new(preset, None) }
}

#[test]
fn a_sky_is_detected_up_to_its_edges() {
    for overcast in [false, true] {
        let photo = exterior(overcast);
        let reduced = photo.reduced(512);
        let found = matte(&reduced).expect("a sky");
        let (mut both, mut either) = (0, 0);
        for y in 0..HEIGHT {
            for x in 0..WIDTH {
                let at = (y * found.height / HEIGHT) * found.width + x * found.width / WIDTH;
                let (is, was) = (found.alpha[at] > 0.5, is_sky(x, y));
                both += usize::from(is && was);
                either += usize::from(is || was);
            }
        }
        let iou = both as f32 / either as f32;
        assert!(iou > 0.95, "overcast {overcast}: {iou}");
    }
}

#[test]
fn the_sky_of_a_room_is_not_replaced_and_the_report_says_so() {
    let made = enhance(room(1.0), &EnhanceOptions::new(Preset::BlueSky, Some("indoors")), None);
    assert!(made.report.changes.iter().all(|c| !c.material), "{:?}", made.report);
    assert!(made.report.stepped_back.iter().any(|n| n.contains("room")), "{:?}", made.report);
}

#[test]
fn a_request_that_changes_nothing_is_reported_with_the_reason() {
    let notes = |photo: Photo, prompt: &str| {
        enhance(photo, &EnhanceOptions::new(Preset::Natural, Some(prompt)), None).report.stepped_back
    };
    let room_notes = notes(room(1.0), "indoors, Brighter; darker");
    for clause in ["Brighter", "darker"] {
        let note = format!("\"{clause}\" changed nothing: another request asks for the opposite");
        assert!(room_notes.contains(&note), "{room_notes:?}");
    }
    let outside = notes(exterior(false), "outdoors, window pull, warmer");
    assert!(
        outside.iter().any(|note| note == "\"window pull\" changed nothing: the photo does not show a room"),
        "{outside:?}"
    );
    assert!(!outside.iter().any(|note| note.contains("warmer")), "{outside:?}");
}

#[test]
fn shadows_and_highlights_are_changed_on_request() {
    let of = |prompt: &str| {
        let options = EnhanceOptions { upright: false, ..EnhanceOptions::new(Preset::Natural, Some(prompt)) };
        let changes = enhance(room(0.5), &options, None).report.changes;
        ["shadows", "highlights"].map(|name| changes.iter().find(|c| c.name == name).map_or(0.0, |c| c.amount.abs()))
    };
    let [plain, lifted, kept] = ["indoors", "indoors, lift the shadows", "indoors, no HDR"].map(of);
    assert!(lifted[0] > plain[0] + 0.1, "{lifted:?} after {plain:?}");
    assert_eq!(kept, [0.0, 0.0]);
}

#[test]
fn material_changes_are_made_only_on_request_and_disclosed() {
    let natural = enhance(exterior(true), &without_upright(Preset::Natural), None);
    assert!(natural.report.changes.iter().all(|c| !c.material));
    let disclosure = natural.report.disclosure();
    assert!(!disclosure.altered && disclosure.digital_source_type == ENHANCED);

    let Enhanced { picture, report, .. } = enhance(exterior(true), &without_upright(Preset::BlueSky), None);
    let disclosure = report.disclosure();
    assert!(report.changes.iter().any(|c| c.name == "sky" && c.material), "{report:?}");
    assert!(disclosure.altered && disclosure.digital_source_type == COMPOSITE && disclosure.text.contains("sky"));
    let mut blue = (0, 0);
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let at = 3 * (y * WIDTH + x);
            let (new, old) = (&picture.pixels[at..at + 3], &natural.picture.pixels[at..at + 3]);
            if y > HEIGHT * 6 / 10 {
                assert_eq!(new, old, "the ground at {x}, {y}");
            }
            if is_sky(x, y) {
                blue = (blue.0 + 1, blue.1 + usize::from(new[2] > new[0].saturating_add(8)));
            }
        }
    }
    assert!(blue.1 * 10 > blue.0 * 8, "{blue:?} of the sky is blue");
}

/// The exterior under a clear sky, with surfaces in front of its sky.
fn in_front_of_sky(surface: impl Fn(f32, f32) -> Option<[f32; 3]>) -> Photo {
    let mut photo = exterior(false);
    for (i, pixel) in photo.pixels.iter_mut().enumerate() {
        let (x, y) = (i % WIDTH, i / WIDTH);
        let surface = surface(x as f32 / WIDTH as f32, y as f32 / HEIGHT as f32).filter(|_| is_sky(x, y));
        if let Some(surface) = surface {
            *pixel = color::encoded(surface.map(|c| c * (1.0 + 0.03 * (hashed(x, y) - 0.5))));
        }
    }
    photo
}

/// Share of the pixels that a new sky changes, where `of` holds and where it does not; of what is sky or in front of it.
fn replaced(photo: &Photo, of: impl Fn(f32, f32) -> bool) -> [f32; 2] {
    let pixels = |preset| enhance(photo.clone(), &without_upright(preset), None).picture.pixels;
    let (old, new) = (pixels(Preset::Natural), pixels(Preset::BlueSky));
    let mut counts = [[0_u32; 2]; 2];
    for (i, (old, new)) in old.chunks(3).zip(new.chunks(3)).enumerate() {
        let (x, y) = (i % WIDTH, i / WIDTH);
        if is_sky(x, y) {
            let [changed, all] = &mut counts[usize::from(!of(x as f32 / WIDTH as f32, y as f32 / HEIGHT as f32))];
            *all += 1;
            *changed += u32::from(old.iter().zip(new).any(|(old, new)| old.abs_diff(*new) > 8));
        }
    }
    counts.map(|[changed, all]| changed as f32 / all.max(1) as f32)
}

#[test]
fn hills_in_haze_stay_when_the_sky_is_replaced() {
    let ridge = |u: f32| 0.36 + 0.05 * (u * 7.0).sin();
    let far = |u: f32| 0.29 + 0.03 * (u * 11.0).cos();
    let photo = in_front_of_sky(|u, v| {
        if v > ridge(u) {
            Some([0.20, 0.27, 0.40])
        } else if v > far(u) {
            Some([0.27, 0.37, 0.56])
        } else {
            None
        }
    });
    let [hills, sky] = replaced(&photo, |u, v| v > far(u).min(ridge(u)) + 0.01);
    assert!(hills < 0.01 && sky > 0.9, "{hills} of the hills and {sky} of the sky replaced");
}

#[test]
fn a_pale_wall_that_reaches_the_upper_border_is_no_sky() {
    let photo = in_front_of_sky(|u, _| {
        if u < 0.14 {
            Some([0.72, 0.66, 0.55])
        } else if u < 0.17 {
            Some([0.10, 0.08, 0.07])
        } else {
            None
        }
    });
    let [wall, sky] = replaced(&photo, |u, _| u < 0.17);
    assert!(wall < 0.01 && sky > 0.9, "{wall} of the wall and {sky} of the sky replaced");
}

#[test]
fn wires_in_front_of_the_sky_stay_when_it_is_replaced() {
    let is_wire = |y: usize| y.is_multiple_of(40) && (40..HEIGHT / 4).contains(&y);
    let photo = in_front_of_sky(|_, v| is_wire((v * HEIGHT as f32).round() as usize).then_some([0.05, 0.05, 0.06]));
    let made = enhance(photo, &without_upright(Preset::BlueSky), None);
    assert!(made.report.changes.iter().any(|c| c.name == "sky"), "{:?}", made.report);
    let light = |x: usize, y: usize| made.picture.pixels[3 * (y * WIDTH + x) + 1];
    for y in (40..HEIGHT / 4).step_by(40) {
        for x in (10..WIDTH - 10).filter(|x| is_sky(*x, y + 3)) {
            assert!(light(x, y) + 40 < light(x, y - 3).min(light(x, y + 3)), "at {x}, {y}");
        }
    }
}

#[test]
fn pixels_outside_the_matte_stay_equal_when_the_sky_is_replaced() {
    for overcast in [false, true] {
        let photo = exterior(overcast);
        let matte = matte(&photo.reduced(512)).expect("a sky");
        let [old, new] = [Preset::Natural, Preset::BlueSky]
            .map(|preset| enhance(photo.clone(), &without_upright(preset), None).picture.pixels);
        // Sharpening and interpolation of the matte reach one of its pixels further.
        let is_outside = |x: usize, y: usize| {
            let (u, v) = (x * matte.width / WIDTH, y * matte.height / HEIGHT);
            let near = |at: usize, most: usize| at.saturating_sub(2)..(at + 3).min(most);
            near(v, matte.height).all(|v| near(u, matte.width).all(|u| matte.alpha[v * matte.width + u] == 0.0))
        };
        let outside: Vec<usize> = (0..WIDTH * HEIGHT).filter(|i| is_outside(i % WIDTH, i / WIDTH)).collect();
        assert!(outside.len() > WIDTH * HEIGHT / 3, "{}", outside.len());
        for i in outside {
            assert_eq!(new[3 * i..3 * i + 3], old[3 * i..3 * i + 3], "at {}, {}", i % WIDTH, i / WIDTH);
        }
    }
}

#[test]
fn a_lawn_is_greened_and_nothing_above_it() {
    let asked = EnhanceOptions { upright: false, ..EnhanceOptions::new(Preset::Natural, Some("greener lawn")) };
    let plain = enhance(exterior(true), &without_upright(Preset::Natural), None).picture;
    let made = enhance(exterior(true), &asked, None);
    assert!(made.report.changes.iter().any(|c| c.name == "lawn" && c.material), "{:?}", made.report);
    let green = |p: &[u8]| {
        let lawn = &p[(HEIGHT * 8 / 10) * WIDTH * 3..];
        lawn.chunks_exact(3).map(|v| f64::from(v[1]) - (f64::from(v[0]) + f64::from(v[2])) / 2.0).sum::<f64>()
    };
    assert!(green(&made.picture.pixels) > 1.05 * green(&plain.pixels));
    let over = (HEIGHT * 4 / 10) * WIDTH * 3;
    assert_eq!(made.picture.pixels[..over], plain.pixels[..over]);
}

#[test]
fn a_tilted_photo_is_corrected_and_a_level_one_is_not() {
    let photo = facade();
    assert!(matches!(upright::upright(&photo, None, false, || false), Upright::Stay(Limit::Level(_))));
    for (roll, pitch) in [(-2.0, 0.0), (1.5, 0.0), (3.0, 0.0), (-4.0, 4.0), (4.0, -4.0)] {
        let tilted = upright::tilted(&photo, 800.0, pitch, roll).unwrap().apply(photo.clone());
        let found = upright::upright(&tilted, None, false, || false);
        let Upright::Turn(Correction { turn, leans, limit }) = found else { panic!("{roll}, {pitch}: {found:?}") };
        // The pitch is less certain than the roll: a degree of it is a quarter of a degree of lean.
        assert!((turn.roll - roll).abs() < 0.3 && (turn.pitch - pitch).abs() < 1.2, "{roll}, {pitch}: {turn:?}");
        assert!(turn.kept >= upright::LEAST_KEPT && leans[1] < 0.25 * leans[0] && limit.is_none(), "{found:?}");
    }
}

/// An endless facade from a camera pitched up and rolled clockwise, degrees.
fn facade_from(pitch: f64, roll: f64) -> Photo {
    let (width, height, focal) = (1000, 700, 800.0);
    let (up, turned) = (pitch.to_radians(), roll.to_radians());
    let pixels = (0..width * height).map(|i| {
        let (u, v) = (((i % width) as f64 - 499.5) / focal, ((i / width) as f64 - 349.5) / focal);
        let (u, v) = (u * turned.cos() - v * turned.sin(), u * turned.sin() + v * turned.cos());
        let (down, away) = (v * up.cos() - up.sin(), v * up.sin() + up.cos());
        // No plain row or column at the edges, which would look like a frame.
        let (x, y) = (u / away * 6.4 + 0.25, down / away * 5.0 + 0.3);
        let is_window = x.rem_euclid(1.0) < 0.5 && y.rem_euclid(1.0) < 0.6;
        let plaster = 0.3 + 0.25 * hashed((x + 99.0) as usize, (y + 99.0) as usize);
        let value = (if is_window { 0.06 } else { plaster }) * (1.0 + 0.02 * (hashed(i % width, i / width) - 0.5));
        color::encoded([value, value, value * 0.95])
    });
    Photo::new(width, height, pixels.collect())
}

#[test]
fn a_requested_correction_that_changes_nothing_is_reported_with_its_reason() {
    let asked = EnhanceOptions::new(Preset::Natural, Some("straighten"));
    let reasons = |photo: Photo| enhance(photo, &asked, None).report.stepped_back.join("; ");
    let plain = reasons(Photo::new(400, 300, vec![[30_000; 3]; 120_000]));
    assert!(plain.contains("not straightened: too few clear upright lines"), "{plain}");
    let level = reasons(facade_from(0.0, 0.0));
    assert!(level.contains("not straightened: verticals are already upright within"), "{level}");
}

#[test]
fn a_framed_photo_is_not_straightened() {
    let tilted = upright::tilted(&facade(), 800.0, 0.0, 2.0).unwrap().apply(facade());
    let asked = EnhanceOptions::new(Preset::Natural, Some("straighten"));
    let turned = |photo: &Photo| {
        let report = enhance(photo.clone(), &asked, None).report;
        (report.changes.iter().any(|c| c.name == "upright_roll"), report.stepped_back)
    };
    assert!(turned(&tilted).0);
    let (width, height) = (tilted.width, tilted.height + 40);
    let mut pixels = tilted.pixels.clone();
    pixels.resize(width * height, [65_535; 3]);
    // A watermark, as listing services add it.
    for y in height - 30..height - 10 {
        pixels[y * width + width - 120..y * width + width - 20].fill([30_000; 3]);
    }
    let (is_turned, notes) = turned(&Photo::new(width, height, pixels));
    assert!(!is_turned && notes.iter().any(|n| n.contains("frame")), "{notes:?}");
}

#[test]
fn the_dark_edge_of_a_scan_is_cropped_by_the_correction() {
    let mut tilted = upright::tilted(&facade(), 800.0, 0.0, 2.0).unwrap().apply(facade());
    for row in tilted.pixels.chunks_mut(tilted.width) {
        row[..3].fill([0; 3]);
    }
    let Upright::Turn(found) = upright::upright(&tilted, None, false, || false) else { panic!("not turned") };
    let turned = found.turn.apply(tilted);
    let is_dark = |y: usize| turned.pixels[y * turned.width..y * turned.width + 3].iter().any(|p| p[0] < 8_000);
    assert!((0..turned.height).all(|y| !is_dark(y)));
}

#[test]
fn an_invisible_tilt_is_not_corrected() {
    for (pitch, roll) in [(0.0, 0.4), (1.0, 0.0), (-1.0, 0.2)] {
        let tilted = upright::tilted(&facade(), 800.0, pitch, roll).unwrap().apply(facade());
        let found = upright::upright(&tilted, None, false, || false);
        assert!(!matches!(found, Upright::Turn(_)), "{pitch}, {roll}: {found:?}");
    }
}

/// A facade with rows of windows above a street.
fn facade() -> Photo {
    let (width, height) = (1000, 700);
    let pixels = (0..width * height).map(|i| {
        let (x, y) = (i % width, i / width);
        let grain = 1.0 + 0.02 * (hashed(x, y) - 0.5);
        let window = (60..940).contains(&x) && (80..520).contains(&y) && (x - 60) % 110 < 60 && (y - 80) % 150 < 90;
        let value = if window {
            0.06
        } else if y > 600 {
            0.2
        } else {
            0.5
        };
        color::encoded([value * grain, value * grain, value * grain * 0.95])
    });
    Photo::new(width, height, pixels.collect())
}

#[test]
fn photos_of_one_listing_become_similar_in_lightness() {
    let options = EnhanceOptions { upright: false, ..EnhanceOptions::new(Preset::Natural, Some("indoors")) };
    let first = enhance(room(0.9), &options, None).look;
    let alone = enhance(room(0.32), &options, None).look;
    let shared = ListingLooks { photos: vec![first, first] };
    let together = enhance(room(0.32), &options, Some(&shared)).look;
    let apart = |look: aerie_photo::Look| (look.lightness - first.lightness).abs();
    assert!(apart(together) < apart(alone), "{first:?} {alone:?} {together:?}");
}
