//! HEIC files, made from pictures that `heifer` codes.

use aerie_photo::decode::DecodeError;
use aerie_photo::{Photo, decode, decode_file};
use aerie_test_data::heif::{Item, file};
use aerie_test_data::tiff::{self, Directory};
use heifer::heifer_isobmff::HeifFile;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use moxcms::ColorProfile;

use crate::colors::{COLOR, pixel, png};
use crate::hostile_files::{read_of_damaged, written};

const WIDTH: u32 = 64;
const HEIGHT: u32 = 32;
const SRGB: u16 = 13;
const BT_601: u16 = 6;
const BRANDS: [&[u8; 4]; 2] = [b"mif1", b"heic"];

/// A coded picture without anything that says what its colors are; `color` makes RGB of up to `bits` bits.
fn coded(bits: u8, color: impl Fn(u32) -> [u16; 3]) -> Item {
    let pixel = |at: u32| {
        let [r, g, b] = color(at % WIDTH);
        [r, g, b, (1 << bits) - 1]
    };
    let data = (0..WIDTH * HEIGHT).flat_map(pixel).collect();
    let picture = heifer::Image { width: WIDTH, height: HEIGHT, bit_depth: bits, has_alpha: false, data };
    let options = heifer::EncodeOptions { quality: 100, max_threads: 1 };
    let bytes = heifer::encode(&picture, &options).unwrap();
    let parsed = HeifFile::parse(&bytes).unwrap();
    let at = bytes.windows(4).position(|kind| kind == b"hvcC").unwrap();
    let length = u32::from_be_bytes(bytes[at - 4..at].try_into().unwrap()) as usize;
    let configuration = &bytes[at + 4..at - 4 + length];
    Item::new(b"hvc1", &parsed.item_data(parsed.primary_id).unwrap())
        .property(b"hvcC", configuration)
        .size(WIDTH, HEIGHT)
}

fn plain() -> Item {
    coded(8, |_| COLOR.map(u16::from))
}

/// White on the left and black on the right.
fn halves() -> Item {
    coded(8, |x| [if x < WIDTH / 2 { 255 } else { 0 }; 3]).code_points(1, SRGB, BT_601)
}

fn heic(items: &[Item]) -> Vec<u8> {
    file(b"heic", &BRANDS, items)
}

/// Exif that says how the camera was held.
fn exif(orientation: u16) -> Item {
    let block = tiff::file(&[Directory::new().shorts(0x0112, &[orientation]).text(0x010F, "Acme")]);
    Item::new(b"Exif", &[&[0; 4], &block[..]].concat()).refers(b"cdsc", &[1])
}

#[track_caller]
fn assert_near(found: [i32; 3], expected: [i32; 3]) {
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 3), "{found:?}, not {expected:?}");
}

#[test]
fn colors_are_those_of_the_profile_or_else_of_the_code_points() {
    let srgb = decode(&heic(&[plain().code_points(1, SRGB, BT_601)])).unwrap();
    assert_near(pixel(&srgb), COLOR.map(i32::from));
    assert!(srgb.readings.is_empty(), "{:?}", srgb.readings);
    // Display P3, which a PNG states in its own way.
    let picture = DynamicImage::ImageRgb8(RgbImage::from_pixel(32, 32, Rgb(COLOR)));
    let expected = pixel(&decode(&png(&picture, &[(b"cICP", &[12, SRGB as u8, 0, 1])])).unwrap());
    assert!(expected[1] - expected[0] > i32::from(COLOR[1] - COLOR[0]) + 10, "{expected:?}");
    let profile = ColorProfile::new_display_p3().encode().unwrap();
    let embedded = [b"prof".as_slice(), &profile].concat();
    let with_profile = decode(&heic(&[plain().code_points(1, SRGB, BT_601).property(b"colr", &embedded)])).unwrap();
    assert_near(pixel(&with_profile), expected);
    assert_eq!(with_profile.readings, ["converted to sRGB from the embedded color profile"]);
    // Transfer functions of cameras are meant to be shown as sRGB.
    for transfer in [1, 2, 6, SRGB] {
        let with_points = decode(&heic(&[plain().code_points(12, transfer, BT_601)])).unwrap();
        assert_near(pixel(&with_points), expected);
        assert_eq!(with_points.readings, ["converted to sRGB from its color code points"]);
        let srgb = decode(&heic(&[plain().code_points(1, transfer, BT_601)])).unwrap();
        assert_near(pixel(&srgb), COLOR.map(i32::from));
    }
}

#[test]
fn the_profile_of_a_grid_may_be_that_of_its_tiles() {
    let embedded = [b"prof".as_slice(), &ColorProfile::new_display_p3().encode().unwrap()].concat();
    let grid = Item::new(b"grid", &[0, 0, 0, 0, 0, WIDTH as u8, 0, HEIGHT as u8]).size(WIDTH, HEIGHT);
    let tile = plain().code_points(1, SRGB, BT_601).property(b"colr", &embedded);
    let photo = decode(&heic(&[grid.refers(b"dimg", &[2]), tile])).unwrap();
    assert_eq!(photo.readings, ["converted to sRGB from the embedded color profile"]);
}

#[test]
fn hdr_images_are_refused_by_name_with_a_remedy() {
    let profile = ColorProfile::new_srgb().encode().unwrap();
    for (transfer, name) in [(16, "PQ"), (18, "HLG")] {
        let picture = plain().code_points(9, transfer, BT_601);
        let with_profile = picture.clone().property(b"colr", &[b"prof".as_slice(), &profile].concat());
        for item in [picture, with_profile] {
            let why = decode(&heic(&[item])).unwrap_err().to_string();
            assert!(why.contains(&format!("an HDR image ({name})")) && why.contains("export it"), "{why}");
        }
    }
}

/// Where the white half lies.
fn white_side(photo: &Photo) -> &'static str {
    let at = |x: usize, y: usize| photo.pixels[y * photo.width + x][0] > 0x8000;
    let (right, bottom) = (photo.width - 2, photo.height - 2);
    match (at(1, 1), at(right, 1), at(1, bottom), at(right, bottom)) {
        (true, false, true, false) => "left",
        (false, true, false, true) => "right",
        (true, true, false, false) => "top",
        (false, false, true, true) => "bottom",
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_photo_is_turned_once_by_the_file_or_else_by_exif() {
    let turned = "rotated according to EXIF orientation".to_owned();
    for (items, side, readings) in [
        (vec![halves()], "left", vec![]),
        // Counterclockwise.
        (vec![halves().property(b"irot", &[1])], "bottom", vec![]),
        (vec![halves().property(b"irot", &[3])], "top", vec![]),
        (vec![halves().property(b"irot", &[3]), exif(6)], "top", vec![]),
        // Left and right exchanged.
        (vec![halves().property(b"imir", &[1]), exif(6)], "right", vec![]),
        (vec![halves().property(b"irot", &[0]), exif(6)], "left", vec![]),
        (vec![halves(), exif(6)], "top", vec![turned.clone()]),
        (vec![halves(), exif(3)], "right", vec![turned]),
        (vec![halves(), exif(1)], "left", vec![]),
    ] {
        let photo = decode(&heic(&items)).unwrap();
        let (long, short) = (WIDTH as usize, HEIGHT as usize);
        let size = if matches!(side, "left" | "right") { (long, short) } else { (short, long) };
        assert_eq!((white_side(&photo), (photo.width, photo.height)), (side, size));
        assert_eq!(photo.readings, readings);
        assert_eq!(photo.exif.is_some(), items.len() > 1, "Exif is kept");
    }
}

#[test]
fn ten_bits_are_kept() {
    let ramp = coded(10, |x| [256 + 4 * x as u16 + 1; 3]).code_points(1, SRGB, BT_601);
    let photo = decode(&heic(&[ramp])).unwrap();
    for (x, pixel) in photo.pixels[..WIDTH as usize].iter().enumerate() {
        let expected = (256.0 + 4.0 * x as f32 + 1.0) * 65_535.0 / 1023.0;
        assert!((f32::from(pixel[1]) - expected).abs() < 130.0, "{x}: {pixel:?}, not {expected}");
    }
}

#[test]
fn a_file_is_what_its_content_says_whatever_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let jpeg = written(&DynamicImage::ImageRgb8(RgbImage::from_pixel(WIDTH, HEIGHT, Rgb(COLOR))), ImageFormat::Jpeg);
    for (name, bytes) in [("photo.jpg", heic(&[halves()])), ("photo.heic", jpeg)] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(decode_file(&path).unwrap().width, WIDTH as usize, "{name}");
    }
}

#[test]
fn what_is_not_used_is_in_the_report() {
    let gain_map = coded(8, |_| [90; 3])
        .property(b"auxC", b"\0\0\0\0urn:com:apple:photo:2020:aux:hdrgainmap\0")
        .refers(b"auxl", &[1]);
    let photo = decode(&heic(&[halves(), gain_map])).unwrap();
    assert_eq!(photo.readings, ["the gain map for HDR displays is not used: the picture is the standard one"]);
    let photo = decode(&heic(&[halves(), coded(8, |_| [90; 3])])).unwrap();
    assert_eq!(photo.readings, ["the file has 2 pictures: only the main one is used"]);
    let motion = [&heic(&[halves()])[..], b"\0\0\0\x0cmpvdfilm"].concat();
    assert_eq!(decode(&motion).unwrap().readings, ["the video of this motion photo is not used"]);
}

#[test]
fn a_damaged_file_is_an_error_that_says_so() {
    let whole = heic(&[halves(), exif(6)]);
    assert!(decode(&whole).is_ok());
    let data = whole.windows(4).position(|kind| kind == b"mdat").unwrap() + 4;
    for length in [40, data - 2, data + 8, whole.len() - 60] {
        assert!(matches!(decode(&whole[..length]), Err(DecodeError::Truncated)), "{length}");
    }
    let mut damaged = whole.clone();
    damaged[data..data + 8].fill(0xFF);
    let why = decode(&damaged).unwrap_err().to_string();
    assert!(why.contains("export it again") || why.contains("send the whole file"), "{why}");
    // An image derived from itself ends, too.
    let grid = |source| Item::new(b"grid", &[0, 0, 0, 0, 0, 64, 0, 32]).size(64, 32).refers(b"dimg", &[source]);
    assert!(decode(&heic(&[grid(2), grid(1)])).is_err());
    read_of_damaged(&whole, 5);
}

#[test]
fn a_picture_of_more_pixels_than_allowed_is_refused_before_it_is_decoded() {
    let photo = Item::new(b"hvc1", b"").size(12_000, 9000);
    let why = decode(&heic(&[photo])).unwrap_err().to_string();
    assert!(why.contains("12000 x 9000") && why.contains("100 megapixels"), "{why}");
    let layer = || Item::new(b"hvc1", b"").size(8000, 8000);
    let overlay = Item::new(b"iovl", b"").size(64, 40).refers(b"dimg", &[2, 3]);
    let why = decode(&heic(&[overlay, layer(), layer()])).unwrap_err().to_string();
    assert!(why.contains("composed of more than 100 megapixels"), "{why}");
}
