//! Camera raw, made from a flat color as a sensor sees it.

use aerie_photo::decode;
use aerie_test_data::tiff::{self, Directory};

const WIDTH: u32 = 64;
const HEIGHT: u32 = 40;
/// Levels of a sensor of 16 bits that looks at a gray card in warm light: red, green and blue, of 50,000.
const CARD: [u16; 3] = [16_000, 10_000, 5000];

fn dng() -> Directory {
    tiff::dng([WIDTH, HEIGHT], CARD)
}

#[test]
fn a_gray_card_is_gray_by_the_white_balance_of_the_camera() {
    let photo = decode(&tiff::file(&[dng()])).unwrap();
    assert_eq!((photo.width, photo.height), (64, 40));
    let [r, g, b] = photo.pixels[20 * 64 + 32].map(i32::from);
    assert!((r - g).abs() < 400 && (b - g).abs() < 400, "{r} {g} {b}");
    assert_eq!(photo.readings, ["developed from camera raw (Acme One) with the white balance of the camera"]);
}

#[test]
fn a_raw_file_is_turned_as_the_camera_was_held() {
    let photo = decode(&tiff::file(&[dng().shorts(274, &[6])])).unwrap();
    assert_eq!((photo.width, photo.height), (40, 64));
}

#[test]
fn incomplete_sensor_data_is_refused_instead_of_filled_with_black() {
    let whole = tiff::file(&[dng()]);
    assert!(decode(&whole[..whole.len() - 1000]).is_err());
}

#[test]
fn a_raw_file_without_a_white_balance_is_refused() {
    let error = decode(&tiff::file(&[dng().without(50_728)])).unwrap_err().to_string();
    assert!(error.contains("without the white balance of the camera"), "{error}");
}
