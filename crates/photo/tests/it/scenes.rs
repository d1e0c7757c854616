//! What photos show: invented ones with ground truth, and real ones.

use aerie_math::color;
use aerie_photo::scene::{Basis, Region};
use aerie_photo::{Photo, PhotoScene, Setting, decode_file};
use aerie_synthetic::{Developing, LitRoom, Style, Surface, imagine};

const WIDTH: usize = 720;
const HEIGHT: usize = 480;

fn hashed(x: usize, y: usize) -> f32 {
    let mut h = (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77);
    h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
    ((h >> 8) & 0xFFFF) as f32 / 65_535.0
}

/// What the drawn exterior shows at a pixel: a house with windows between trees, before a lawn with a drive.
fn drawn(x: usize, y: usize) -> Region {
    let (u, v) = (x as f32 / WIDTH as f32, y as f32 / HEIGHT as f32);
    if v > 0.66 {
        let drive = (u - 0.5).abs() < 0.06 + 0.5 * (v - 0.66);
        return if drive { Region::Paving } else { Region::Lawn };
    }
    let crown = |at: f32| (u - at).powi(2) * 2.2 + (v - 0.45).powi(2) < (0.14 + 0.02 * hashed(x / 6, y / 6)).powi(2);
    if crown(0.1) || crown(0.92) || (v > 0.58 && !(0.25..0.75).contains(&u)) {
        return Region::Plants;
    }
    match (0.25..0.75).contains(&u) {
        true if v > 0.34 => Region::Facade,
        true if v > 0.22 && (u - 0.5).abs() < 0.25 - 0.6 * (0.34 - v) => Region::Roof,
        _ => Region::Sky,
    }
}

fn exterior() -> Photo {
    let pixels = (0..WIDTH * HEIGHT).map(|i| {
        let (x, y) = (i % WIDTH, i / WIDTH);
        let v = y as f32 / HEIGHT as f32;
        let surface = match drawn(x, y) {
            Region::Sky => [0.18 + 0.4 * v, 0.34 + 0.45 * v, 0.72 + 0.2 * v],
            Region::Lawn => [0.10, 0.17, 0.045].map(|c| c * (0.8 + 0.4 * hashed(x / 2, y / 2))),
            Region::Plants => [0.05, 0.085, 0.02].map(|c| c * (0.2 + 1.5 * hashed(x / 4, y / 4))),
            Region::Paving => [0.36, 0.35, 0.33],
            Region::Roof => [0.22, 0.11, 0.07].map(|c| c * if (y / 4 + x / 9) % 2 == 0 { 1.0 } else { 0.8 }),
            _ if (x / 30) % 3 == 1 && (y / 40) % 2 == 1 => [0.05, 0.06, 0.08],
            _ => [0.45, 0.40, 0.33],
        };
        let grain = 1.0 + 0.03 * (hashed(x, y) - 0.5);
        color::encoded(surface.map(|c| c * grain))
    });
    Photo::new(WIDTH, HEIGHT, pixels.collect())
}

/// Share of the points of a photo, on a grid, whose most probable region is one of those expected at the pixel; points without an
/// expectation do not count.
fn agreement(scene: &PhotoScene, expected: impl Fn(usize, usize) -> &'static [Region]) -> f64 {
    let (mut right, mut all) = (0, 0);
    for i in 0..60 * 40 {
        let at = [((i % 60) as f64 + 0.5) / 60.0, ((i / 60) as f64 + 0.5) / 40.0];
        let expected = expected((at[0] * WIDTH as f64) as usize, (at[1] * HEIGHT as f64) as usize);
        right += i32::from(expected.contains(&scene.regions.best(at)));
        all += i32::from(!expected.is_empty());
    }
    f64::from(right) / f64::from(all.max(1))
}

#[test]
fn a_drawn_house_is_an_exterior_whose_regions_lie_where_they_were_drawn() {
    let scene = PhotoScene::of(&exterior());
    assert!(scene.setting.outdoors > 0.9, "{:?}", scene.setting);
    let right = agreement(&scene, |x, y| {
        let region = Region::ALL.iter().position(|r| *r == drawn(x, y));
        region.map_or(&[], |i| &Region::ALL[i..=i])
    });
    assert!(right > 0.85, "{right} of the picture");
    let horizon = scene.view.horizon_at(WIDTH as f64 / 2.0) / HEIGHT as f64;
    assert!((0.3..0.66).contains(&horizon), "{horizon}");
}

#[test]
fn imagined_rooms_are_rooms_whose_floors_walls_and_ceilings_are_found() {
    let style = Style { width: WIDTH, height: HEIGHT, cluttered: 0.0, ..Style::default() };
    let mut total = 0.0;
    for seed in 0..4 {
        let imagined = imagine(seed, &style);
        let view = LitRoom::new(imagined.room).view(&imagined.viewpoint, 1);
        let scene = PhotoScene::of(&view.developed(&Developing::default()));
        assert!(scene.is(Setting::Indoors), "{seed}: {:?}", scene.setting);
        let right = agreement(&scene, |x, y| match view.surfaces[y * WIDTH + x] {
            Surface::Floor => &[Region::Floor],
            Surface::Ceiling => &[Region::Ceiling],
            // With its openings.
            Surface::Wall(_) => &[Region::Wall, Region::Window, Region::Door],
            Surface::Block(..) => &[],
        });
        assert!(right > 0.75, "{seed}: {right}");
        total += right / 4.0;
    }
    assert!(total > 0.88, "{total}");
}

#[test]
fn every_picture_has_a_camera_and_regions_that_add_up() {
    let gray = PhotoScene::of(&Photo::new(300, 200, vec![[30_000; 3]; 60_000]));
    assert!(gray.frame.is_none() && gray.layout.is_none());
    assert_eq!(gray.view.basis, Basis::Prior);
    assert!((0.4..0.55).contains(&(gray.view.horizon_at(150.0) / 200.0)));
    assert!(gray.regions.cells.iter().all(|cell| (cell.iter().sum::<f32>() - 1.0).abs() < 1e-3));
    // A picture of one pixel has no structure at all.
    let pixel = PhotoScene::of(&Photo::new(1, 1, vec![[9_000; 3]]));
    assert!(pixel.view.horizon_at(0.5).is_finite());
    assert!((0.0..=1.0).contains(&pixel.setting.confidence));
}

#[test]
fn the_same_photo_gives_the_same_scene_on_one_thread_and_on_many() {
    let photo = exterior();
    let many = PhotoScene::of(&photo);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let one = pool.install(|| PhotoScene::of(&photo));
    assert_eq!(many.setting, one.setting);
    assert_eq!(many.view, one.view);
    assert_eq!(many.regions, one.regions);
}

fn real(name: &str) -> PhotoScene {
    PhotoScene::of(&decode_file(&aerie_test_data::test_data(format!("photos/{name}"))).expect("a photo"))
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn brick_walls_are_exteriors_and_rooms_are_rooms() {
    let exteriors = ["02", "04", "06", "11"].map(|n| format!("exteriors/ar_brick_buildings_{n}.jpg"));
    for name in exteriors.iter().map(String::as_str).chain(["exteriors/ar_stone_facades_01.jpg"]) {
        let scene = real(name);
        assert!(scene.is(Setting::Outdoors), "{name}: {:?}", scene.setting);
    }
    for name in ["rooms/ar_mixed_materials_05.jpg", "interiors/darwin_hero-interior_pexels.jpg"] {
        let scene = real(name);
        assert!(scene.is(Setting::Indoors), "{name}: {:?}", scene.setting);
    }
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn a_white_house_on_a_square_has_sky_above_paving_below_and_itself_between() {
    let scene = real("exteriors/ar_brick_buildings_04.jpg");
    let regions = &scene.regions;
    assert_eq!(regions.best([0.6, 0.1]), Region::Sky);
    assert_eq!(regions.best([0.5, 0.95]), Region::Paving);
    assert!(regions.any(&[Region::Facade, Region::Roof], [0.5, 0.55]) > 0.6);
    let horizon = scene.view.horizon_at(scene.view.camera.center.x) / scene.view.camera.height as f64;
    assert!((0.55..0.85).contains(&horizon), "{horizon}");
}
