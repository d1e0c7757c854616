//! Numbers are converted by what the file says they are.

use aerie_math::color;
use aerie_photo::{Photo, decode};
use aerie_test_data::tiff::{self, Directory};
use image::{DynamicImage, ImageFormat, Luma, Rgb, RgbImage};
use jpeg_encoder::{ColorType, Encoder};
use moxcms::ColorProfile;

use crate::hostile_files::{crc32, written};

const SIDE: u32 = 32;
pub(crate) const COLOR: [u8; 3] = [60, 150, 90];

fn plain(color: [u8; 3]) -> DynamicImage {
    DynamicImage::ImageRgb8(RgbImage::from_pixel(SIDE, SIDE, Rgb(color)))
}

/// A JPEG with Exif, a profile and further segments (marker and contents).
fn jpeg(exif: Option<&[u8]>, profile: Option<&[u8]>, segments: &[(u8, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 98);
    if let Some(exif) = exif {
        encoder.add_exif_metadata(exif).unwrap();
    }
    if let Some(profile) = profile {
        encoder.add_icc_profile(profile).unwrap();
    }
    for (marker, contents) in segments {
        encoder.add_app_segment(*marker, contents.to_vec()).unwrap();
    }
    encoder.encode(&COLOR.repeat((SIDE * SIDE) as usize), SIDE as u16, SIDE as u16, ColorType::Rgb).unwrap();
    bytes
}

/// A PNG with further chunks after its header.
pub(crate) fn png(image: &DynamicImage, chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let whole = written(image, ImageFormat::Png);
    let mut bytes = whole[..33].to_vec();
    for (kind, contents) in chunks {
        let chunk = [kind.as_slice(), contents].concat();
        bytes.extend((contents.len() as u32).to_be_bytes());
        bytes.extend(&chunk);
        bytes.extend(crc32(&chunk).to_be_bytes());
    }
    [&bytes, &whole[33..]].concat()
}

fn numbers(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_be_bytes()).collect()
}

fn exif(space: u16, index: &str) -> Vec<u8> {
    let interoperability = Directory::new().text(1, index);
    let inner = Directory::new().shorts(0xA001, &[space]).directories(0xA005, &[interoperability]);
    tiff::file(&[Directory::new().directories(0x8769, &[inner])])
}

/// The pixel as 8-bit sRGB.
pub(crate) fn pixel(photo: &Photo) -> [i32; 3] {
    photo.pixels[photo.pixels.len() / 2].map(|v| i32::from(v / 257))
}

#[track_caller]
fn assert_near(photo: &Photo, expected: [i32; 3], by: i32) {
    let found = pixel(photo);
    let is_near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= by);
    assert!(is_near, "{found:?}, not {expected:?}; {:?}", photo.readings);
}

/// What Adobe RGB numbers are in sRGB, by their definition (Adobe RGB 1998).
fn from_adobe_rgb(color: [u8; 3]) -> [i32; 3] {
    let [r, g, b] = color.map(|v| (f32::from(v) / 255.0).powf(563.0 / 256.0));
    // Both have the same white.
    let linear = [1.3984 * r - 0.3984 * g, g, -0.0430 * g + 1.0430 * b];
    color::encoded(linear).map(|v| i32::from(v / 257))
}

#[test]
fn adobe_rgb_that_exif_alone_names_is_converted() {
    let expected = from_adobe_rgb(COLOR);
    for block in [exif(65535, "R03"), exif(2, "R98")] {
        let photo = decode(&jpeg(Some(&block), None, &[])).unwrap();
        assert_near(&photo, expected, 2);
        assert_eq!(photo.readings, ["converted to sRGB from Adobe RGB, which EXIF names"]);
    }
    let srgb = decode(&jpeg(Some(&exif(1, "R98")), None, &[])).unwrap();
    assert_near(&srgb, COLOR.map(i32::from), 2);
    assert!(srgb.readings.is_empty(), "{:?}", srgb.readings);
    // A profile counts more.
    let profile = ColorProfile::new_srgb().encode().unwrap();
    assert_near(&decode(&jpeg(Some(&exif(65535, "R03")), Some(&profile), &[])).unwrap(), COLOR.map(i32::from), 2);
    let unknown = decode(&jpeg(Some(&exif(65535, "R98")), None, &[])).unwrap();
    assert_near(&unknown, COLOR.map(i32::from), 2);
    assert!(unknown.readings[0].contains("sRGB assumed"), "{:?}", unknown.readings);
}

#[test]
fn a_profile_that_cannot_be_used_is_reported() {
    let whole = ColorProfile::new_display_p3().encode().unwrap();
    let part = [b"ICC_PROFILE\0\x01\x02".as_slice(), &whole[..200]].concat();
    for bytes in [
        jpeg(None, Some(&[7; 300]), &[]),
        jpeg(None, Some(&whole[..whole.len() / 3]), &[]),
        // One of its parts is missing.
        jpeg(None, None, &[(2, &part)]),
        jpeg(None, Some(&ColorProfile::new_gray_with_gamma(2.2).encode().unwrap()), &[]),
        png(&plain(COLOR), &[(b"iCCP", b"name\0\0not compressed")]),
    ] {
        let photo = decode(&bytes).unwrap();
        assert_near(&photo, COLOR.map(i32::from), 2);
        assert!(photo.readings[0].starts_with("unusable color profile ignored; sRGB assumed"), "{:?}", photo.readings);
    }
    let adobe = decode(&jpeg(Some(&exif(65535, "R03")), Some(&[7; 300]), &[])).unwrap();
    assert_near(&adobe, from_adobe_rgb(COLOR), 2);
}

#[test]
fn gray_is_converted_from_a_gray_profile() {
    let linear = ColorProfile::new_gray_with_gamma(1.0).encode().unwrap();
    let page = Directory::picture(SIDE, SIDE, 1, &[55; (SIDE * SIDE) as usize]).undefined(34675, &linear);
    let photo = decode(&tiff::file(&[page])).unwrap();
    let expected = color::encoded([55.0 / 255.0; 3]).map(|v| i32::from(v / 257));
    assert_near(&photo, expected, 2);
    assert_eq!(photo.readings, ["converted to sRGB from the embedded color profile"]);
}

#[test]
fn gamma_primaries_and_code_points_of_a_png_are_applied() {
    let linear_half = DynamicImage::ImageLuma16(image::ImageBuffer::from_pixel(SIDE, SIDE, Luma([32_768_u16])));
    let bright = color::encoded([0.5; 3]).map(|v| i32::from(v / 257));
    // A linear picture, by gAMA and by cICP.
    for chunk in [(b"gAMA", numbers(&[100_000])), (b"cICP", vec![1, 8, 0, 1])] {
        let photo = decode(&png(&linear_half, &[(chunk.0, &chunk.1)])).unwrap();
        assert_near(&photo, bright, 2);
        assert_eq!(photo.readings.len(), 1);
    }
    // What the same number is in sRGB.
    for chunks in [
        vec![(b"gAMA", numbers(&[45_455]))],
        vec![(b"sRGB", vec![0]), (b"gAMA", numbers(&[100_000]))],
        vec![(b"cICP", vec![1, 13, 0, 1])],
        vec![],
    ] {
        let chunks: Vec<(&[u8; 4], &[u8])> = chunks.iter().map(|(kind, body)| (*kind, &body[..])).collect();
        let photo = decode(&png(&linear_half, &chunks)).unwrap();
        assert_near(&photo, [127; 3], 1);
        assert!(photo.readings.is_empty(), "{:?}", photo.readings);
    }
    // Adobe RGB in gAMA and cHRM.
    let primaries = numbers(&[31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000]);
    let photo = decode(&png(&plain(COLOR), &[(b"gAMA", &numbers(&[45_470])), (b"cHRM", &primaries)])).unwrap();
    assert_near(&photo, from_adobe_rgb(COLOR), 3);
}

#[test]
fn pictures_for_hdr_displays_are_refused_by_name() {
    for (transfer, name) in [(16, "PQ"), (18, "HLG")] {
        let error = decode(&png(&plain(COLOR), &[(b"cICP", &[9, transfer, 0, 1])])).unwrap_err().to_string();
        assert!(error.contains(&format!("an HDR image ({name})")), "{error}");
    }
    let profile = ColorProfile::new_bt2020_pq().encode().unwrap();
    let error = decode(&jpeg(None, Some(&profile), &[])).unwrap_err().to_string();
    assert!(error.contains("an HDR image (PQ)"), "{error}");
}

/// A CMYK profile whose inks filter light ideally: a table of two steps each, in CIE L*a*b*.
fn cmyk_profile() -> Vec<u8> {
    let mut table = b"mft1\0\0\0\0\x04\x03\x02\0".to_vec();
    let identity = [1_u32 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 16];
    table.extend(numbers(&identity));
    table.extend((0..4).flat_map(|_| 0..=255_u8));
    for i in 0..16_u32 {
        let light = |ink: u32| if i >> (3 - ink) & 1 == 1 || i & 1 == 1 { 0.0 } else { 1.0 };
        let [l, a, b] = color::lab([light(0), light(1), light(2)]);
        table.extend([l * 2.55, a + 128.0, b + 128.0].map(|v| v.round() as u8));
    }
    table.extend((0..3).flat_map(|_| 0..=255_u8));
    let mut profile = vec![0; 128];
    let length = (128 + 4 + 12 + table.len()) as u32;
    profile[..4].copy_from_slice(&length.to_be_bytes());
    profile[8] = 2;
    profile[12..24].copy_from_slice(b"prtrCMYKLab ");
    profile[36..40].copy_from_slice(b"acsp");
    profile[68..80].copy_from_slice(&[0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D]);
    profile.extend(numbers(&[1]));
    profile.extend(b"A2B0");
    profile.extend(numbers(&[144, table.len() as u32]));
    profile.extend(table);
    profile
}

#[test]
fn cmyk_with_a_profile_is_converted_however_it_is_stored() {
    // moxcms scales CIE L*a*b* of 8-bit tables as if it were that of 16-bit ones: 0.4 % too much.
    const TOLERANCE: i32 = 10;
    let profile = cmyk_profile();
    // Full cyan; no ink; full black. As Little CMS converts them: the light of the table is that of D65, and profiles are relative to D50.
    for (inks, expected) in [([255, 0, 0, 0], [57, 255, 254]), ([0; 4], [255; 3]), ([0, 0, 0, 255], [0; 3])] {
        for stored in [ColorType::Cmyk, ColorType::CmykAsYcck] {
            let mut bytes = Vec::new();
            let mut encoder = Encoder::new(&mut bytes, 98);
            encoder.add_icc_profile(&profile).unwrap();
            encoder.encode(&inks.repeat((SIDE * SIDE) as usize), SIDE as u16, SIDE as u16, stored).unwrap();
            let photo = decode(&bytes).unwrap();
            assert_near(&photo, expected, TOLERANCE);
            assert_eq!(photo.readings, ["converted to sRGB from the embedded color profile"], "{stored:?}");
        }
        let page = Directory::picture(SIDE, SIDE, 5, &inks.repeat((SIDE * SIDE) as usize)).undefined(34675, &profile);
        assert_near(&decode(&tiff::file(&[page])).unwrap(), expected, TOLERANCE);
    }
}

#[test]
fn components_of_a_jpeg_are_rgb_where_the_file_says_so() {
    // The encoder is handed RGB as if it was YCbCr, and the file says what it is.
    let bare = |segments: &[(u8, &[u8])]| {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, 98);
        for (marker, contents) in segments {
            encoder.add_app_segment(*marker, contents.to_vec()).unwrap();
        }
        encoder.encode(&COLOR.repeat((SIDE * SIDE) as usize), SIDE as u16, SIDE as u16, ColorType::Ycbcr).unwrap();
        bytes
    };
    let adobe = bare(&[(14, b"Adobe\0\x64\0\0\0\0\0")]);
    assert_near(&decode(&adobe).unwrap(), COLOR.map(i32::from), 3);
    // Components with the names R, G and B, without a JFIF segment.
    let mut named = bare(&[]);
    let jfif = named.windows(2).position(|w| w == [0xFF, 0xE0]).unwrap();
    let length = usize::from(u16::from_be_bytes([named[jfif + 2], named[jfif + 3]]));
    named.drain(jfif..jfif + 2 + length);
    let frame = named.windows(2).position(|w| w == [0xFF, 0xC0]).unwrap();
    let scan = named.windows(2).position(|w| w == [0xFF, 0xDA]).unwrap();
    for (i, name) in b"RGB".iter().enumerate() {
        named[frame + 10 + 3 * i] = *name;
        named[scan + 5 + 2 * i] = *name;
    }
    assert_near(&decode(&named).unwrap(), COLOR.map(i32::from), 3);
}

#[test]
fn transparency_of_a_tiff_is_what_its_extra_channel_says() {
    let rgba = [100, 50, 0, 128].repeat((SIDE * SIDE) as usize);
    for (extra, expected) in [(0_u16, [100, 50, 0]), (1, [227, 177, 127]), (2, [177, 152, 127])] {
        let page = Directory::picture(SIDE, SIDE, 2, &rgba).shorts(338, &[extra]);
        let photo = decode(&tiff::file(&[page])).unwrap();
        assert_near(&photo, expected, 1);
        let said = if extra == 0 { "channels beside the colors ignored" } else { "transparency composited onto white" };
        // A decoder may leave out what stands for nothing.
        assert!(photo.readings.iter().all(|reading| reading == said), "{:?}", photo.readings);
    }
}

#[test]
fn colors_of_a_tiff_that_cannot_be_read_are_named() {
    let page = |photometric| Directory::picture(SIDE, SIDE, photometric, &[9; (SIDE * SIDE * 3) as usize]);
    let floats: Vec<u8> = (0..SIDE * SIDE * 3).flat_map(|_| 0.5_f32.to_le_bytes()).collect();
    let float =
        page(2).data(273, &floats).longs(279, &[floats.len() as u32]).shorts(258, &[32; 3]).shorts(339, &[3; 3]);
    for (page, name) in [
        (page(8), "in CIE L*a*b* colors"),
        (Directory::picture(SIDE, SIDE, 3, &[9; (SIDE * SIDE) as usize]), "with a color palette"),
        (page(2).shorts(259, &[34712]), "with JPEG 2000 compression"),
        (float.clone(), "a floating-point TIFF without a color profile"),
        (
            Directory::picture(SIDE, SIDE, 5, &[9; (SIDE * SIDE * 4) as usize]),
            "CMYK colors without a usable color profile",
        ),
    ] {
        let error = decode(&tiff::file(&[page])).unwrap_err().to_string();
        assert!(error.contains(name), "{name}: {error}");
    }
    let profile = ColorProfile::new_srgb().encode().unwrap();
    assert_near(&decode(&tiff::file(&[float.undefined(34675, &profile)])).unwrap(), [127; 3], 1);
}
