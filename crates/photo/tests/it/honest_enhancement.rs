//! What enhancement must and must not do, on synthetic scenes and on photographs.

use std::path::PathBuf;

use aerie_math::color;
use aerie_photo::{EnhanceOptions, Enhanced, OutputOptions, Photo, Preset, Report, encode, enhance};
use aerie_synthetic::{Developing, LitRoom, Style, imagine};

/// A room in linear light: walls with a gradient, a dark floor, colored furniture, fine grain.
fn room(light: [f32; 3]) -> Photo {
    let (width, height) = (480, 320);
    let pixels = (0..width * height).map(|i| {
        let (x, y) = (i % width, i / width);
        let shade = 0.35 + 0.5 * x as f32 / width as f32;
        let grain = 1.0 + 0.01 * ((i * 2_654_435_761) % 97) as f32 / 97.0;
        let surface = match (x / 60 % 8, y / 64) {
            (_, 0) => [0.85; 3],
            (1, 3) => [0.45, 0.12, 0.08],
            (4, 3) => [0.10, 0.22, 0.40],
            (6, 2) => [0.15, 0.30, 0.10],
            (_, 4) => [0.25, 0.22, 0.19],
            _ => [0.7; 3],
        };
        color::encoded([0, 1, 2].map(|c| surface[c] * shade * grain * light[c]))
    });
    Photo::new(width, height, pixels.collect())
}

/// Mean a*, b* of the ceiling.
fn ceiling(pixels: &[[u16; 3]]) -> [f32; 2] {
    let lab: Vec<[f32; 3]> = pixels[..480 * 50].iter().map(|p| color::lab(color::linear(*p))).collect();
    [1, 2].map(|c| lab.iter().map(|v| v[c]).sum::<f32>() / lab.len() as f32)
}

fn wide(pixels: &[u8]) -> Vec<[u16; 3]> {
    pixels.chunks_exact(3).map(|p| [p[0], p[1], p[2]].map(|v| u16::from(v) * 257)).collect()
}

fn natural() -> EnhanceOptions {
    EnhanceOptions::new(Preset::Natural, Some("indoors"))
}

#[test]
fn casts_are_corrected_to_nearly_neutral() {
    let mut left = Vec::new();
    for light in [[1.0, 0.85, 0.6], [1.0, 0.9, 0.72], [0.8, 0.95, 1.0], [0.85, 1.0, 0.85], [1.0, 0.85, 1.0]] {
        let photo = room(light);
        let [a, b] = ceiling(&photo.pixels);
        let Enhanced { picture, report, .. } = enhance(photo, &natural(), None);
        let [c, d] = ceiling(&wide(&picture.pixels));
        let (before, after) = (a.hypot(b), c.hypot(d));
        assert!(after < 0.85 * before, "{light:?}: {before} became {after}; {report:?}");
        left.push(after);
    }
    left.sort_by(f32::total_cmp);
    assert!(left[2] < 6.0, "{left:?}");
}

#[test]
fn a_dark_room_is_lightened_without_clipping() {
    let report = enhance(room([0.25; 3]), &natural(), None).report;
    let exposure = report.changes.iter().find(|c| c.name == "exposure").unwrap();
    assert!(exposure.amount > 0.5, "{report:?}");
    assert!(report.measures.newly_clipped <= 0.5, "{report:?}");
    assert!(report.changes.iter().all(|c| !c.material));
}

/// A front with windows over paving, under a sky that is smooth and lighter toward the horizon; `front` is lit as given.
fn front(sky: [f32; 3], ground: f32) -> Photo {
    let (width, height) = (480, 320);
    let pixels = (0..width * height).map(|i| {
        let (x, y) = (i % width, i / width);
        let grain = 1.0 + 0.05 * ((i * 2_654_435_761) % 97) as f32 / 97.0;
        let surface = match (x, y) {
            (_, 0..140) => return color::encoded(sky.map(|v| v * (0.8 + 0.2 * y as f32 / 140.0))),
            (0..100 | 400.., 140..230) => [0.10, 0.14, 0.07].map(|v| v * (0.6 + 0.1 * (i * 7919 % 11) as f32)),
            (_, 140..230) if (x / 30) % 3 == 1 && (160..210).contains(&y) => [0.05, 0.05, 0.06],
            (_, 140..230) => [0.52, 0.50, 0.47].map(|v| if y % 6 == 0 { 0.7 * v } else { v }),
            _ => [0.34, 0.33, 0.32],
        };
        color::encoded(surface.map(|v| v * ground * grain))
    });
    Photo::new(width, height, pixels.collect())
}

fn lightness(pixels: &[[u16; 3]], rows: std::ops::Range<usize>) -> f32 {
    let rows = &pixels[rows.start * 480..rows.end * 480];
    rows.iter().map(|p| color::lab(color::linear(*p))[0]).sum::<f32>() / rows.len() as f32
}

#[test]
fn a_front_against_the_light_is_opened_and_its_sky_stays_as_it_is() {
    let options = EnhanceOptions::new(Preset::Natural, Some("outdoors"));
    let photo = front([0.72, 0.80, 0.92], 0.16);
    let own = photo.pixels.clone();
    let Enhanced { picture, report, .. } = enhance(photo, &options, None);
    let made = wide(&picture.pixels);
    let opened = lightness(&made, 150..300) - lightness(&own, 150..300);
    let sky = lightness(&made, 5..120) - lightness(&own, 5..120);
    assert!(opened > 9.0 && sky.abs() < 3.0, "{opened}, sky {sky}; {report:?}");
    assert!(report.changes.iter().any(|c| c.name == "backlight"), "{report:?}");
    // In even light there is nothing to open.
    let even = enhance(front([0.72, 0.80, 0.92], 0.9), &options, None).report;
    assert!(even.changes.iter().all(|c| c.name != "backlight"), "{even:?}");
}

#[test]
fn the_colors_of_a_sunset_are_not_taken_for_a_cast() {
    let options = EnhanceOptions::new(Preset::Natural, Some("outdoors"));
    let report = enhance(front([0.88, 0.60, 0.58], 0.5), &options, None).report;
    let shift = report.changes.iter().find(|c| c.name == "white_balance").map_or(0.0, |c| c.amount);
    assert!(shift < 2.0, "{report:?}");
}

#[test]
fn a_dark_front_is_opened_less_at_dusk_than_by_day() {
    let options = EnhanceOptions::new(Preset::Natural, Some("outdoors"));
    let opened = |sky: [f32; 3]| {
        let photo = front(sky, 0.10);
        let rows = 150..300;
        let before = lightness(&photo.pixels, rows.clone());
        lightness(&wide(&enhance(photo, &options, None).picture.pixels), rows) - before
    };
    let (day, dusk) = (opened([0.80, 0.88, 0.97]), opened([0.09, 0.13, 0.26]));
    assert!(day > 8.0 && (0.5..0.7 * day).contains(&dusk), "{day} by day, {dusk} at dusk");
}

#[test]
fn a_deep_blue_sky_over_a_sunlit_front_is_not_taken_for_dusk() {
    let options = EnhanceOptions::new(Preset::Natural, Some("outdoors"));
    let enhanced = |sky: [f32; 3], wall: f32, light_value: Option<f32>| {
        let photo = Photo { light_value, ..front(sky, wall) };
        enhance(photo, &options, None).picture.pixels
    };
    let (sunlit, dusk) = (([0.06, 0.16, 0.45], 0.90), ([0.09, 0.13, 0.26], 0.10));
    // As if the camera had measured the light of a day.
    let is_day = |(sky, wall)| enhanced(sky, wall, None) == enhanced(sky, wall, Some(13.0));
    assert!(is_day(sunlit) && !is_day(dusk));
}

#[test]
fn an_edited_photo_is_hardly_changed() {
    let photo = room([1.12; 3]);
    let before = photo.pixels.clone();
    let Enhanced { picture, report, .. } = enhance(photo, &natural(), None);
    assert!(report.finished, "{report:?}");
    let moved: f32 = wide(&picture.pixels).iter().zip(&before).map(|(a, b)| difference(*a, *b)).sum();
    let mean = moved / before.len() as f32;
    assert!(mean < 2.0, "moved by {mean} on average");
}

fn difference(a: [u16; 3], b: [u16; 3]) -> f32 {
    let (a, b) = (color::lab(color::linear(a)), color::lab(color::linear(b)));
    (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f32>().sqrt()
}

#[test]
fn the_same_photo_gives_the_same_bytes() {
    let made = || {
        let Enhanced { picture, report, .. } = enhance(room([0.5, 0.45, 0.3]), &natural(), None);
        encode(&picture, &OutputOptions::default(), &report.disclosure(), &report.steps(), None).unwrap()
    };
    let first = made();
    // Longer than one second, so that a timestamp in the file would differ.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    assert!(first == made());
}

/// A room with paneling in a saturated color and a nearly white ceiling.
fn paneled(wood: [f32; 3], light: f32) -> Photo {
    let (width, height) = (480, 320);
    let pixels = (0..width * height).map(|i| {
        let (x, y) = (i % width, i / width);
        let grain = 1.0 + 0.03 * ((i * 2_654_435_761) % 97) as f32 / 97.0;
        let board = if (x / 24) % 2 == 0 { 1.0 } else { 0.8 };
        let surface = if y < 64 { [0.80, 0.80, 0.79] } else { wood.map(|v| v * board) };
        color::encoded(surface.map(|v| v * grain * light))
    });
    Photo::new(width, height, pixels.collect())
}

#[test]
fn a_white_ceiling_over_colored_walls_stays_white() {
    for wood in [[0.55, 0.30, 0.14], [0.25, 0.35, 0.50], [0.28, 0.42, 0.22]] {
        let photo = paneled(wood, 0.8);
        let [a, b] = ceiling(&photo.pixels);
        let [c, d] = ceiling(&wide(&enhance(photo, &natural(), None).picture.pixels));
        assert!(c.hypot(d) <= a.hypot(b) + 1.0, "{wood:?}: {a}, {b} became {c}, {d}");
    }
}

#[test]
fn vibrance_counteracts_the_gain_of_chroma_by_exposure() {
    let mean = |pixels: &[[u16; 3]]| {
        let chroma = |p: &[u16; 3]| color::lab(color::linear(*p)).map(|v| v * v);
        pixels.iter().map(|p| (chroma(p)[1] + chroma(p)[2]).sqrt()).sum::<f32>() / pixels.len() as f32
    };
    let lit = |keep_vibrance| {
        let options = EnhanceOptions { keep_white: true, keep_vibrance, ..natural() };
        let Enhanced { picture, report, .. } = enhance(paneled([0.60, 0.24, 0.06], 0.35), &options, None);
        assert!(report.changes.iter().any(|c| c.name == "exposure" && c.amount > 0.5), "{report:?}");
        mean(&wide(&picture.pixels))
    };
    assert!(lit(false) < 0.93 * lit(true), "{} {}", lit(false), lit(true));
}

#[test]
fn a_bright_photo_gets_no_brighter() {
    let photo = room([1.5; 3]);
    let mean = |pixels: &[[u16; 3]]| {
        pixels.iter().map(|p| color::lab(color::linear(*p))[0]).sum::<f32>() / pixels.len() as f32
    };
    let before = mean(&photo.pixels);
    let after = mean(&wide(&enhance(photo, &natural(), None).picture.pixels));
    assert!(after < before + 0.3, "{before} became {after}");
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    let made = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let Enhanced { picture, report, .. } = enhance(room([0.5, 0.45, 0.3]), &EnhanceOptions::default(), None);
            encode(&picture, &OutputOptions::default(), &report.disclosure(), &report.steps(), None).unwrap()
        })
    };
    assert!(made(1) == made(3));
}

#[test]
fn noise_is_measured_on_flat_patches_and_reduced() {
    let mut photo = room([0.6; 3]);
    let mut seed = 7_u32;
    for pixel in &mut photo.pixels {
        for value in pixel {
            let mut noise = -6.0;
            for _ in 0..12 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                noise += (seed >> 8) as f32 / (1 << 24) as f32;
            }
            *value = (f32::from(*value) + noise * 2600.0).clamp(0.0, 65_535.0) as u16;
        }
    }
    let report = enhance(photo, &natural(), None).report;
    let measures = report.measures;
    assert!(measures.noise_before > 1.2 && measures.noise_after < measures.noise_before, "{measures:?}");
}

#[test]
fn refused_requests_are_reported_with_the_reason_and_change_nothing() {
    let plain = enhance(room([0.5; 3]), &natural(), None).picture;
    let options = EnhanceOptions::new(Preset::Natural, Some("indoors, add a swimming pool"));
    let Enhanced { picture: with, report, .. } = enhance(room([0.5; 3]), &options, None);
    let [refused] = report.refused.as_slice() else { panic!("{report:?}") };
    assert_eq!(refused.request, "add a swimming pool");
    assert!(refused.reason.contains("nothing is added"), "{refused:?}");
    assert_eq!(plain, with);
}

/// Limits that every enhanced photo keeps to.
fn assert_harmless(name: &str, photo: Photo) {
    let report: Report = enhance(photo, &EnhanceOptions::default(), None).report;
    let measures = report.measures;
    assert!(measures.newly_clipped <= 0.5 && measures.reversed_edges <= 0.3, "{name}: {measures:?}");
    assert!(measures.highlight_detail >= 0.55, "{name}: {measures:?}");
}

#[test]
fn synthetic_photos_are_clipped_no_further_and_keep_their_highlights() {
    for seed in 1..=4 {
        let style = Style { width: 600, height: 400, cluttered: (seed % 2) as f64, ..Style::default() };
        let imagined = imagine(seed, &style);
        let view = LitRoom::new(imagined.room).view(&imagined.viewpoint, 1);
        for exposure in [-1.5, 0.0, 1.0] {
            let photo = view.developed(&Developing { seed, exposure, ..Developing::default() });
            assert_harmless(&format!("room {seed} at {exposure} stops"), photo);
        }
    }
    for light in [[0.25; 3], [1.0, 0.85, 0.6], [1.5; 3]] {
        assert_harmless(&format!("room in light {light:?}"), room(light));
    }
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn photographs_are_clipped_no_further_and_keep_their_highlights() {
    for folder in ["rooms", "interiors", "exteriors", "brackets"] {
        let folder = aerie_test_data::test_data(PathBuf::from("photos").join(folder));
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
        files.retain(|f| f.extension().is_some_and(|e| e == "jpg"));
        assert!(!files.is_empty());
        for file in files {
            assert_harmless(&file.display().to_string(), aerie_photo::decode_file(&file).unwrap());
        }
    }
}
