//! Frames of the sample town compared with golden images in `golden/`, and with themselves.
//!
//! Images are compared by similarity, as drivers differ in the last bits: the whole frame by PSNR, and the property, which is a small
//! part of it, by the structural similarity of its pixels. A missing golden image is written and the test fails: inspect the image,
//! then run the test again.

use std::path::{Path as FilePath, PathBuf};
use std::process::Command;

use aerie_geocode::geocode;
use aerie_geodata::place::Place;
use aerie_render::scene::{Camera, Scene};
use aerie_render::{Gpu, still};
use aerie_render::{Picture, SceneRenderer};
use aerie_sample_town::SAMPLE_ADDRESSES;
use aerie_scenery::{Flight, Path, Side};
use glam::Vec4;

use crate::gpu;

const PICTURE: Picture = Picture { width: 640, height: 360, supersampling: 2.0, vignette: 0.16 };
/// Minimum similarity to a golden image, PSNR over all channels in decibels.
const MIN_PSNR: f64 = 27.0;
/// Minimum structural similarity of the property's pixels to those of a golden image.
const MIN_SSIM: f64 = 0.9;

fn sample_place(index: usize) -> Place {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pack = aerie_sample_town::open(folder.path()).expect("the sample town is built");
    let found = geocode(&pack, SAMPLE_ADDRESSES[index]).expect("a sample address is found");
    pack.place(&found, 900.0).expect("a place is made")
}

fn frame(gpu: &Gpu, place: &Place, path: Path, at: usize) -> Vec<u8> {
    let flight = Flight::plan(place, path, aerie_scenery::VideoFormat::default());
    drawn(gpu, &aerie_scenery::scene(place, &flight), &flight, at)
}

fn drawn(gpu: &Gpu, scene: &Scene, flight: &Flight, at: usize) -> Vec<u8> {
    let renderer = SceneRenderer::new(gpu, scene, PICTURE).expect("the scene is accepted");
    let mut out = Vec::new();
    renderer
        .render(
            1,
            |_| flight.cameras[at],
            |_, nv12| {
                out = nv12.to_vec();
                Ok(())
            },
        )
        .expect("a frame is drawn");
    out
}

/// A JPEG as RGB rows, by ffmpeg.
fn read_rgb(path: &FilePath) -> Vec<u8> {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(path)
        .args(["-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        .output()
        .expect("ffmpeg runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn psnr(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    let square: f64 = a.iter().zip(b).map(|(x, y)| (f64::from(*x) - f64::from(*y)).powi(2)).sum();
    10.0 * (255.0 * 255.0 * a.len() as f64 / square.max(1e-9)).log10()
}

/// Pixels of a frame: from `low` up to `high`.
#[derive(Clone, Copy)]
struct Crop {
    low: [usize; 2],
    high: [usize; 2],
}

impl Crop {
    /// The box around the property's building, from the ground to its ridge.
    fn of_property(place: &Place, camera: &Camera) -> Self {
        let building = &place.buildings[place.property.building.expect("a building")];
        let view = camera.view_projection(PICTURE.width as f32 / PICTURE.height as f32);
        let corners = building.footprint.outer.iter().flat_map(|&[x, y]| {
            let ground = place.terrain.height([x, y]);
            [ground, ground + building.ridge].map(|z| {
                let clip = view * Vec4::new(x as f32, y as f32, z as f32, 1.0);
                let [right, up] = [clip.x / clip.w, clip.y / clip.w];
                [(right + 1.0) / 2.0 * PICTURE.width as f32, (1.0 - up) / 2.0 * PICTURE.height as f32]
            })
        });
        let (low, high) = corners.fold(([f32::MAX; 2], [0.0_f32; 2]), |(low, high), at| {
            ([low[0].min(at[0]), low[1].min(at[1])], [high[0].max(at[0]), high[1].max(at[1])])
        });
        let limit = [PICTURE.width, PICTURE.height].map(|size| size as f32);
        let in_frame = |at: [f32; 2]| [0, 1].map(|axis| at[axis].clamp(0.0, limit[axis]) as usize);
        Self { low: in_frame(low), high: in_frame(high) }
    }

    /// Mean structural similarity of luma over windows of 8 by 8 pixels, 4 pixels apart (Wang et al. 2004).
    fn ssim(self, a: &[u8], b: &[u8]) -> f64 {
        const SIDE: usize = 8;
        let luma = |rgb: &[u8], x: usize, y: usize| {
            let at = (y * PICTURE.width as usize + x) * 3;
            0.299 * f64::from(rgb[at]) + 0.587 * f64::from(rgb[at + 1]) + 0.114 * f64::from(rgb[at + 2])
        };
        let window = |x0: usize, y0: usize| {
            let (mut sums, mut squares, mut product) = ([0.0; 2], [0.0; 2], 0.0);
            for (x, y) in (0..SIDE * SIDE).map(|i| (x0 + i % SIDE, y0 + i / SIDE)) {
                let values = [luma(a, x, y), luma(b, x, y)];
                for (i, value) in values.into_iter().enumerate() {
                    sums[i] += value;
                    squares[i] += value * value;
                }
                product += values[0] * values[1];
            }
            let count = (SIDE * SIDE) as f64;
            let mean = sums.map(|sum| sum / count);
            let variance = [0, 1].map(|i| squares[i] / count - mean[i] * mean[i]);
            let covariance = product / count - mean[0] * mean[1];
            let (c1, c2) = ((0.01_f64 * 255.0).powi(2), (0.03_f64 * 255.0).powi(2));
            (2.0 * mean[0] * mean[1] + c1) * (2.0 * covariance + c2)
                / ((mean[0].powi(2) + mean[1].powi(2) + c1) * (variance[0] + variance[1] + c2))
        };
        let starts = |axis: usize| (self.low[axis]..=self.high[axis].saturating_sub(SIDE)).step_by(4);
        let windows: Vec<f64> =
            starts(1).flat_map(|y| starts(0).map(move |x| (x, y))).map(|(x, y)| window(x, y)).collect();
        assert!(windows.len() > 20, "the property covers {} windows", windows.len());
        windows.iter().sum::<f64>() / windows.len() as f64
    }
}

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.jpg"))
}

fn compare(name: &str, nv12: &[u8], property: Crop) {
    let golden = golden(name);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fresh = folder.path().join("fresh.jpg");
    still::write_jpeg(&fresh, PICTURE, nv12, 90, None).expect("a JPEG is written");
    if !golden.exists() {
        std::fs::copy(&fresh, &golden).expect("the image is copied");
        panic!("{} was missing and has been written: inspect it, then run the test again", golden.display());
    }
    let (golden, fresh) = (read_rgb(&golden), read_rgb(&fresh));
    let (psnr, ssim) = (psnr(&golden, &fresh), property.ssim(&golden, &fresh));
    assert!(psnr >= MIN_PSNR, "{name}: PSNR {psnr:.1} dB to the golden image, at least {MIN_PSNR} dB expected");
    assert!(
        ssim >= MIN_SSIM,
        "{name}: SSIM {ssim:.3} of the property to the golden image, at least {MIN_SSIM} expected"
    );
}

/// A path of a golden image, and the frame of its flight.
const GOLDEN: [(&str, Path, usize); 2] = [("original", Path::Original, 150), ("topdown", Path::TopdownRising, 299)];

#[test]
fn frames_of_the_sample_town_match_the_golden_images() {
    let place = sample_place(0);
    for (name, path, at) in GOLDEN {
        let flight = Flight::plan(&place, path, aerie_scenery::VideoFormat::default());
        let frame = drawn(gpu(), &aerie_scenery::scene(&place, &flight), &flight, at);
        compare(name, &frame, Crop::of_property(&place, &flight.cameras[at]));
    }
}

#[test]
fn a_frame_without_the_house_does_not_match_the_golden_image() {
    // Check the similarity measure itself: it must fail where the subject is missing.
    let place = sample_place(0);
    for (name, path, at) in GOLDEN {
        let flight = Flight::plan(&place, path, aerie_scenery::VideoFormat::default());
        let mut bare = place.clone();
        let house = bare.property.building.take().expect("a building");
        // Its parts, too. Moved out of view, not removed, because other code refers to buildings by index.
        for building in &mut bare.buildings {
            if building.id == place.buildings[house].id || building.footprint == place.buildings[house].footprint {
                building.footprint.outer.iter_mut().for_each(|corner| corner[0] += 2_000.0);
            }
        }
        let frame = still::rgb_from_nv12(PICTURE, &drawn(gpu(), &aerie_scenery::scene(&bare, &flight), &flight, at));
        let ssim = Crop::of_property(&place, &flight.cameras[at]).ssim(&read_rgb(&golden(name)), &frame);
        assert!(ssim < MIN_SSIM - 0.2, "{name}: {ssim:.3} without the house");
    }
}

#[test]
fn the_same_place_gives_the_same_frame_byte_for_byte() {
    let place = sample_place(3);
    let draw = || frame(gpu(), &place, Path::From(Side::West), 200);
    assert!(draw() == draw());
}

#[test]
fn a_frame_without_trees_does_not_match_the_golden_image() {
    // Check the similarity measure itself: it must fail where a feature is missing.
    let mut place = sample_place(0);
    place.trees.clear();
    let bare = still::rgb_from_nv12(PICTURE, &frame(gpu(), &place, Path::Original, 150));
    assert!(psnr(&read_rgb(&golden("original")), &bare) < MIN_PSNR);
}

#[test]
fn ground_painted_coarser_where_no_camera_comes_near_looks_the_same() {
    let place = sample_place(0);
    let flight = Flight::plan(&place, Path::From(Side::West), aerie_scenery::VideoFormat::default());
    let mut scene = aerie_scenery::scene(&place, &flight);
    let coarse = drawn(gpu(), &scene, &flight, 60);
    // Visibility from anywhere: every window of the ground as fine as it can be.
    scene.views.clear();
    let whole = drawn(gpu(), &scene, &flight, 60);
    let like = psnr(&coarse, &whole);
    assert!(like > 45.0, "{like:.1} dB");
}
