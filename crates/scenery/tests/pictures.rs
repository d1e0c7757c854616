//! Frames of the sample town compared with golden images in `golden/`, and with themselves.
//!
//! Images are compared by similarity, as drivers differ in the last bits. A missing golden image is written and the test fails:
//! inspect the image, then run the test again.

use std::path::{Path as FilePath, PathBuf};
use std::process::Command;

use aerie_geocode::geocode;
use aerie_geodata::place::Place;
use aerie_render::scene::Scene;
use aerie_render::{Gpu, still};
use aerie_render::{Picture, SceneRenderer};
use aerie_sample_town::SAMPLE_ADDRESSES;
use aerie_scenery::{Flight, Path, Side};

const PICTURE: Picture = Picture { width: 640, height: 360, supersampling: 2.0, vignette: 0.16 };
/// Minimum similarity to a golden image, PSNR over all channels in decibels.
const MIN_PSNR: f64 = 27.0;

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

fn compare(name: &str, nv12: &[u8]) {
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.jpg"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fresh = folder.path().join("fresh.jpg");
    still::write_jpeg(&fresh, PICTURE, nv12, 90, None).expect("a JPEG is written");
    if !golden.exists() {
        std::fs::copy(&fresh, &golden).expect("the image is copied");
        panic!("{} was missing and has been written: inspect it, then run the test again", golden.display());
    }
    let psnr = psnr(&read_rgb(&golden), &read_rgb(&fresh));
    assert!(psnr >= MIN_PSNR, "{name}: PSNR {psnr:.1} dB to the golden image, at least {MIN_PSNR} dB expected");
}

#[test]
fn frames_of_the_sample_town_match_the_golden_images() {
    let gpu = Gpu::open().expect("a graphics device");
    let place = sample_place(0);
    compare("original", &frame(&gpu, &place, Path::Original, 150));
    compare("topdown", &frame(&gpu, &place, Path::TopdownRising, 299));
}

#[test]
fn the_same_place_gives_the_same_frame_byte_for_byte() {
    let gpu = Gpu::open().expect("a graphics device");
    let place = sample_place(3);
    let draw = || frame(&gpu, &place, Path::From(Side::West), 200);
    assert!(draw() == draw());
}

#[test]
fn a_frame_without_trees_does_not_match_the_golden_image() {
    // Check the similarity measure itself: it must fail where a feature is missing.
    let gpu = Gpu::open().expect("a graphics device");
    let mut place = sample_place(0);
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/original.jpg");
    place.trees.clear();
    let bare = still::rgb_from_nv12(PICTURE, &frame(&gpu, &place, Path::Original, 150));
    assert!(psnr(&read_rgb(&golden), &bare) < MIN_PSNR);
}

#[test]
fn ground_painted_coarser_where_no_camera_comes_near_looks_the_same() {
    let gpu = Gpu::open().expect("a device");
    let place = sample_place(0);
    let flight = Flight::plan(&place, Path::From(Side::West), aerie_scenery::VideoFormat::default());
    let mut scene = aerie_scenery::scene(&place, &flight);
    let coarse = drawn(&gpu, &scene, &flight, 60);
    // Visibility from anywhere: every window of the ground as fine as it can be.
    scene.views.clear();
    let whole = drawn(&gpu, &scene, &flight, 60);
    let like = psnr(&coarse, &whole);
    assert!(like > 45.0, "{like:.1} dB");
}
