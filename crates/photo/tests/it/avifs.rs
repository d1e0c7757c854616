//! AVIF files, made from pictures of one and two colors that `libaom` coded.

use aerie_photo::decode;
use aerie_photo::decode::DecodeError;
use aerie_test_data::heif::{AV1, Item, av1, file};

use crate::hostile_files::read_of_damaged;

const WIDTH: u32 = 64;
const HEIGHT: u32 = 32;
const SRGB: u16 = 13;
const BT_601: u16 = 6;
/// Colors of the left and of the right half, sRGB.
const LEFT: [i32; 3] = [200, 60, 40];
const RIGHT: [i32; 3] = [30, 140, 60];

const CHROMA_444: &str = "0a0638153ffb64803221100000a6caeb10616a27addd2e2c4135492828c178dff5c0e38946f5ac91cfe740";
const TEN_BITS: &str = "0a0618153ffb72103223100000559db75a4139b2cdb78156426171819685cedb465b6dc30bcbb06f5e0fc3c7ec";
/// The luma of both halves.
const GRAY: &str = "0a0618153ffb6a80320b1000a0d3f65f732d92a37e";
/// 63 x 31 in the color of the left half.
const ODD: &str = "12000a0918153ef34404341a10321b1207f7f6a90082083e400000dcaba8ab2655bcca4f79acd408e706";

fn plain() -> Item {
    av1(AV1, 0x0C).size(WIDTH, HEIGHT)
}

fn gray() -> Item {
    av1(GRAY, 0x1C).size(WIDTH, HEIGHT)
}

fn avif(items: &[Item]) -> Vec<u8> {
    file(b"avif", &[b"mif1", b"miaf", b"avif"], items)
}

/// Size of the photo, and the colors of its first and last pixel.
#[track_caller]
fn assert_ends(items: &[Item], size: (usize, usize), ends: [[i32; 3]; 2]) {
    let photo = decode(&avif(items)).unwrap();
    assert_eq!((photo.width, photo.height), size);
    for (at, expected) in [(0, ends[0]), (photo.pixels.len() - 1, ends[1])] {
        let found = photo.pixels[at].map(|v| i32::from(v / 257));
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 3), "{found:?}, not {expected:?}");
    }
}

fn refused(items: &[Item]) -> String {
    decode(&avif(items)).unwrap_err().to_string()
}

#[test]
fn pictures_of_every_subsampling_and_depth_have_their_colors() {
    let size = (64, 32);
    assert_ends(&[plain().code_points(1, SRGB, BT_601)], size, [LEFT, RIGHT]);
    assert_ends(&[plain()], size, [LEFT, RIGHT]);
    assert_ends(&[av1(CHROMA_444, 0x20).size(WIDTH, HEIGHT)], size, [LEFT, RIGHT]);
    assert_ends(&[av1(TEN_BITS, 0x4C).size(WIDTH, HEIGHT)], size, [LEFT, RIGHT]);
    assert_ends(&[av1(ODD, 0x0C).size(63, 31)], (63, 31), [LEFT, LEFT]);
    assert_ends(&[gray()], size, [[99; 3], [98; 3]]);
    // A configuration of another picture takes no colors away.
    assert_ends(&[av1(AV1, 0x1C).size(WIDTH, HEIGHT)], size, [LEFT, RIGHT]);
}

#[test]
fn a_picture_is_cropped_rotated_and_mirrored_as_its_file_prescribes() {
    assert_ends(&[plain().property(b"irot", &[2])], (64, 32), [RIGHT, LEFT]);
    // By a quarter to the left, the right half is above.
    assert_ends(&[plain().property(b"irot", &[1])], (32, 64), [RIGHT, LEFT]);
    assert_ends(&[plain().property(b"imir", &[1])], (64, 32), [RIGHT, LEFT]);
    // 20 x 32 at the right edge.
    let crop: Vec<u8> = [20, 1, 32, 1, 22, 1, 0, 1_i32].iter().flat_map(|v| v.to_be_bytes()).collect();
    assert_ends(&[plain().property(b"clap", &crop)], (20, 32), [RIGHT, RIGHT]);
}

#[test]
fn a_grid_is_put_together_from_its_tiles() {
    let grid = |tiles: &[u16]| {
        let size = [[0, 0, 0, 1].as_slice(), &100_u16.to_be_bytes(), &32_u16.to_be_bytes()].concat();
        Item::new(b"grid", &size).size(100, 32).refers(b"dimg", tiles)
    };
    assert_ends(&[grid(&[2, 3]), plain(), plain()], (100, 32), [LEFT, RIGHT]);
    assert!(refused(&[grid(&[2]), plain()]).contains("does not have the tiles"));
    assert!(refused(&[grid(&[2, 1]), plain()]).contains("coded otherwise"));
    let small = av1(ODD, 0x0C).size(63, 31);
    assert!(refused(&[grid(&[2, 3]), plain(), small]).contains("different tiles"));
}

#[test]
fn transparency_is_composited_onto_white() {
    let alpha =
        gray().property(b"auxC", b"\0\0\0\0urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0").refers(b"auxl", &[1]);
    let seen = |color: [i32; 3]| color.map(|v| (v * 99 + 255 * 156) / 255);
    assert_ends(&[plain(), alpha], (64, 32), [seen(LEFT), seen(RIGHT)]);
}

#[test]
fn what_is_coded_in_a_way_that_is_not_read_is_named() {
    assert!(refused(&[plain().code_points(9, 16, 9)]).contains("HDR image (PQ)"));
    assert!(refused(&[plain().code_points(1, SRGB, 8)]).contains("matrix 8"));
    assert!(refused(&[plain().property(b"lsel", &[0, 1])]).contains("several layers"));
    let other_size = av1(AV1, 0x0C).size(80, 32);
    assert!(matches!(decode(&avif(&[other_size])), Err(DecodeError::Damaged(_))));
}

#[test]
fn damaged_files_are_refused_or_read_and_never_end_the_process() {
    let whole = avif(&[plain()]);
    let read = read_of_damaged(&whole, 3);
    assert!((10..490).contains(&read), "{read}");
    for length in 0..whole.len() {
        assert!(decode(&whole[..length]).is_err(), "{length}");
    }
}
