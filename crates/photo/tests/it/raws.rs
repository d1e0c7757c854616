//! Camera raw, made from a flat color as a sensor sees it.

use aerie_photo::decode;
use aerie_test_data::tiff::{self, Directory};

const WIDTH: u32 = 64;
const HEIGHT: u32 = 40;
/// Levels of a sensor of 16 bits that looks at a gray card in warm light: red, green and blue, of [`WHITE`].
const CARD: [u16; 3] = [16_000, 10_000, 5000];
const WHITE: u16 = 50_000;

/// Red, green, green and blue in each square of four.
fn mosaic() -> Vec<u8> {
    let level = |x: u32, y: u32| CARD[(x % 2 + y % 2) as usize];
    (0..HEIGHT).flat_map(|y| (0..WIDTH).flat_map(move |x| level(x, y).to_le_bytes())).collect()
}

fn dng() -> Directory {
    // The matrix of an sRGB sensor, from XYZ.
    let matrix = [32_405, -15_371, -4985, -9693, 18_760, 416, 556, -2040, 10_572_i32];
    let matrix: Vec<u8> = matrix.iter().flat_map(|v| [v.to_le_bytes(), 10_000_i32.to_le_bytes()].concat()).collect();
    let neutral = CARD.map(|v| [u32::from(v), 16_000]);
    Directory::picture(WIDTH, HEIGHT, 32_803, &[0; (WIDTH * HEIGHT) as usize])
        .shorts(258, &[16])
        .shorts(277, &[1])
        .without(273)
        .data(273, &mosaic())
        .longs(279, &[WIDTH * HEIGHT * 2])
        .shorts(33_421, &[2, 2])
        .bytes_of(33_422, &[0, 1, 1, 2])
        .text(271, "Acme")
        .text(272, "One")
        .bytes_of(50_706, &[1, 4, 0, 0])
        .text(50_708, "Acme One")
        .shorts(50_717, &[WHITE])
        .signed_fractions(50_721, &matrix)
        .fractions(50_728, &neutral)
        .shorts(50_778, &[21])
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
