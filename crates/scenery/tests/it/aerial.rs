//! Aerial imagery on the ground of the sample town.

use aerie_geocode::geocode;
use aerie_render::scene::Camera;
use aerie_render::still;
use aerie_render::{Picture, SceneRenderer};
use aerie_sample_town::SAMPLE_ADDRESSES;
use aerie_scenery::{Flight, aerial};
use glam::Vec3;

use crate::gpu;

const PICTURE: Picture = Picture { width: 320, height: 320, supersampling: 2.0, vignette: 0.0 };

/// A top view of the sample place as RGB rows, `half` meters to each side.
fn from_above(images: Vec<aerial::AerialImage>, half: f32) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pack = aerie_sample_town::open(folder.path()).expect("the sample town is built");
    let found = geocode(&pack, SAMPLE_ADDRESSES[0]).expect("a sample address is found");
    let mut place = pack.place(&found, 300.0).expect("a place is made");
    place.trees.clear();
    place.barriers.clear();
    let [x, y] = aerial::center(&place).map(|v| v as f32);
    let ground = place.terrain.height([f64::from(x), f64::from(y)]) as f32;
    let eye = Vec3::new(x, y, ground + 900.0);
    let field = 2.0 * (half / 900.0).atan();
    let camera = Camera { eye, target: Vec3::new(x, y, ground), up: Vec3::Y, field };
    let flight = Flight { cameras: vec![camera] };
    let scene = aerie_scenery::scene_with_imagery(&place, &flight, images);
    let renderer = SceneRenderer::new(gpu(), &scene, PICTURE).expect("the scene is accepted");
    let mut out = Vec::new();
    let keep = |_: u32, nv12: &[u8]| {
        out = still::rgb_from_nv12(PICTURE, nv12);
        Ok(())
    };
    renderer.render(1, |_| camera, keep).expect("a frame is drawn");
    out
}

/// An image that is green in the northwest quarter, gray in the northeast one, and unknown in the south.
fn quarters(half_extent: f32, side: u32) -> aerial::AerialImage {
    let pixel = |i: u32| match (i % side < side / 2, i / side < side / 2) {
        (true, true) => [40, 120, 40, 255],
        (false, true) => [120, 120, 120, 255],
        (_, false) => [0; 4],
    };
    aerial::AerialImage { half_extent, side, rgba: (0..side * side).flat_map(pixel).collect() }
}

#[test]
fn imagery_lies_over_the_ground_where_it_was_taken_and_nowhere_else() {
    let half = 110.0;
    let bare = from_above(vec![], half);
    let over = from_above(vec![quarters(230.0, 512)], half);
    let blank = aerial::AerialImage { half_extent: 230.0, side: 512, rgba: vec![0; 512 * 512 * 4] };
    let blank = from_above(vec![blank], half);
    // Mean excess of green over gray in the middle of a quarter.
    let green = |rgb: &[u8], quarter: [usize; 2]| {
        let (mut sum, mut count) = (0.0, 0.0);
        for y in quarter[1] * 160 + 20..quarter[1] * 160 + 110 {
            for x in quarter[0] * 160 + 20..quarter[0] * 160 + 140 {
                let p = &rgb[(y * 320 + x) * 3..][..3];
                sum += f64::from(p[1]) - 0.5 * (f64::from(p[0]) + f64::from(p[2]));
                count += 1.0;
            }
        }
        sum / count
    };
    assert!(green(&over, [0, 0]) > green(&over, [1, 0]) + 12.0);
    assert!((green(&over, [1, 0])).abs() < 8.0, "{}", green(&over, [1, 0]));
    let row = |y: usize| y * 320 * 3..(y + 1) * 320 * 3;
    let differing =
        |y: usize, most: u8| blank[row(y)].iter().zip(&over[row(y)]).filter(|(a, b)| a.abs_diff(**b) > most).count();
    // Roofs in the unknown part keep their color, too.
    assert!(differing(60, 6) > 300 && differing(240, 0) == 0, "{} {}", differing(60, 6), differing(240, 0));
    // A completely unknown image only affects the resolution of the painted ground.
    let off: u32 = bare.iter().zip(&blank).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
    assert!(f64::from(off) / (bare.len() as f64) < 1.5, "{off} of {}", bare.len());
}
