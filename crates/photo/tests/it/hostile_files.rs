//! Hostile files: each is decoded or rejected with a typed error, without panics or excessive memory.

use aerie_photo::report::ENHANCED;
use aerie_photo::{DecodeError, Disclosure, Format, OutputOptions, Picture, decode};
use image::{DynamicImage, ImageFormat, RgbImage};

pub(crate) fn picture(width: u32, height: u32) -> DynamicImage {
    DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |x, y| {
        image::Rgb([(x * 5 % 256) as u8, (y * 7 % 256) as u8, ((x + y) * 3 % 256) as u8])
    }))
}

pub(crate) fn written(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

const FORMATS: [ImageFormat; 4] = [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Tiff];

#[test]
fn each_format_is_detected_by_content() {
    for format in FORMATS {
        let photo = decode(&written(&picture(64, 40), format)).unwrap();
        assert_eq!((photo.width, photo.height, photo.pixels.len()), (64, 40, 64 * 40), "{format:?}");
    }
}

#[test]
fn a_truncated_file_is_rejected() {
    for format in FORMATS {
        let whole = written(&picture(64, 40), format);
        for part in 0..32 {
            let cut = &whole[..whole.len() * part / 32];
            assert!(decode(cut).is_err(), "{format:?} cut to {} of {} bytes was read", cut.len(), whole.len());
        }
    }
}

#[test]
fn a_jpeg_that_lacks_only_its_end_marker_is_read() {
    let rgb = picture(96, 80).into_rgb8();
    for (restart, sampling) in [(0, (1, 1)), (0, (2, 2)), (3, (2, 1)), (1, (1, 1))] {
        let mut whole = Vec::new();
        let mut encoder = jpeg_encoder::Encoder::new(&mut whole, 90);
        encoder.set_restart_interval(restart);
        encoder.set_sampling_factor(jpeg_encoder::SamplingFactor::from_factors(sampling.0, sampling.1).unwrap());
        encoder.encode(rgb.as_raw(), 96, 80, jpeg_encoder::ColorType::Rgb).unwrap();
        let photo = decode(&whole).unwrap();
        for lacking in 1..=2 {
            assert_eq!(decode(&whole[..whole.len() - lacking]).unwrap(), photo);
        }
        for lacking in 3..whole.len() / 2 {
            let cut = decode(&whole[..whole.len() - lacking]);
            assert!(matches!(cut, Err(DecodeError::Truncated)), "{lacking} bytes, restart interval {restart}");
        }
    }
    // A progressive picture may lack whole scans.
    let mut whole = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut whole, 90);
    encoder.set_progressive(true);
    encoder.encode(rgb.as_raw(), 96, 80, jpeg_encoder::ColorType::Rgb).unwrap();
    assert!(matches!(decode(&whole[..whole.len() - 2]), Err(DecodeError::Truncated)));
}

#[test]
fn damaged_bytes_never_cause_a_panic() {
    let mut seed = 1_u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize
    };
    let mut refused = 0;
    for format in FORMATS {
        let whole = written(&picture(64, 40), format);
        for _ in 0..120 {
            let mut bytes = whole.clone();
            for _ in 0..1 + next() % 8 {
                let at = next() % bytes.len();
                bytes[at] = next() as u8;
            }
            match decode(&bytes) {
                Ok(photo) => assert_eq!(photo.pixels.len(), photo.width * photo.height),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 50, "only {refused} of 480 were rejected: is anything damaged at all?");
}

/// Decodes 500 copies of a file with up to four bytes changed, none of which may panic, and returns how many are pictures.
pub(crate) fn read_of_damaged(whole: &[u8], mut seed: u64) -> u32 {
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize
    };
    let mut read = 0;
    for _ in 0..500 {
        let mut bytes = whole.to_vec();
        for _ in 0..1 + next() % 4 {
            let at = next() % bytes.len();
            bytes[at] = next() as u8;
        }
        let found = decode(&bytes);
        assert!(!matches!(&found, Err(DecodeError::Damaged(why)) if why.contains("panicked")), "{found:?}");
        read += u32::from(found.is_ok());
    }
    read
}

/// A PNG whose header claims a size, with hardly any data.
fn png_of_size(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = written(&picture(32, 32), ImageFormat::Png);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let sum = crc32(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&sum.to_be_bytes());
    bytes
}

pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |c, _| if c & 1 == 1 { (c >> 1) ^ 0xEDB8_8320 } else { c >> 1 })
    })
}

#[test]
fn a_decompression_bomb_is_rejected_by_its_header() {
    for (width, height) in [(20_000, 20_000), (60_000, 60_000), (40_000_001, 16), (2_147_483_647, 2_147_483_647)] {
        let error = decode(&png_of_size(width, height)).unwrap_err();
        let is_size = matches!(error, DecodeError::TooLarge { .. } | DecodeError::Damaged(_));
        assert!(is_size, "{width} x {height}: {error}");
    }
    assert!(matches!(decode(&png_of_size(10_400, 10_400)).unwrap_err(), DecodeError::TooLarge { .. }));
}

#[test]
fn a_false_size_is_rejected() {
    assert!(decode(&png_of_size(5000, 5000)).is_err());
    let mut jpeg = written(&picture(64, 40), ImageFormat::Jpeg);
    let frame = jpeg.windows(2).position(|w| w == [0xFF, 0xC0]).unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0xFF, 0xFF, 0xFF, 0xFF]);
    assert!(matches!(decode(&jpeg).unwrap_err(), DecodeError::TooLarge { width: 65_535, height: 65_535 }));
    // 5,000 x 5,000, with the bits of 64 x 40: not filled up with gray.
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0x13, 0x88, 0x13, 0x88]);
    assert!(matches!(decode(&jpeg).unwrap_err(), DecodeError::Truncated));
}

#[test]
fn cmyk_images_without_a_profile_are_rejected() {
    let mut bytes = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut bytes, 90);
    encoder.encode(&[100; 32 * 32 * 4], 32, 32, jpeg_encoder::ColorType::Cmyk).unwrap();
    assert!(matches!(decode(&bytes).unwrap_err(), DecodeError::Cmyk));
}

#[test]
fn unsupported_formats_are_named() {
    let named = [
        (&b"\0\0\0\x0cJXL "[..], "a JPEG XL image"),
        (b"GIF89a..", "a GIF image"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "an SVG image"),
        (b"PK\x03\x04", "an archive"),
        (b"\0", "not an image"),
    ];
    for (bytes, name) in named {
        let message = decode(bytes).unwrap_err().to_string();
        let expected = format!("the file is {name}; JPEG, PNG, WebP, TIFF, HEIC, AVIF and DNG images are supported");
        assert!(message.starts_with(&expected), "{message}");
    }
    assert!(matches!(decode(b"").unwrap_err(), DecodeError::Truncated));
    assert!(matches!(decode(&written(&picture(4, 400), ImageFormat::Png)).unwrap_err(), DecodeError::TooSmall { .. }));
}

#[test]
fn gray_16_bit_and_transparent_images_are_decoded_like_in_a_viewer() {
    let gray = DynamicImage::ImageLuma16(image::ImageBuffer::from_pixel(20, 20, image::Luma([30_000])));
    assert_eq!(decode(&written(&gray, ImageFormat::Png)).unwrap().pixels[0], [30_000; 3]);
    let clear = DynamicImage::ImageRgba8(image::RgbaImage::from_pixel(20, 20, image::Rgba([0, 0, 0, 0])));
    assert_eq!(decode(&written(&clear, ImageFormat::Png)).unwrap().pixels[0], [65_535; 3]);
}

/// EXIF (TIFF, big-endian) with an orientation, a camera make and a position.
fn exif(orientation: u8) -> Vec<u8> {
    let mut block = b"MM\0*\0\0\0\x08\0\x03".to_vec();
    block.extend(b"\x01\x0F\0\x02\0\0\0\x04ABC\0");
    block.extend([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]);
    block.extend(b"\x88\x25\0\x04\0\0\0\x01\0\0\0\x32\0\0\0\0");
    block.extend(b"\0\x01\0\x01\0\x02\0\0\0\x02N\0\0\0\0\0\0\0");
    block
}

#[test]
fn orientation_is_applied_and_the_position_is_removed() {
    let mut bytes = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, 90);
    encoder.add_exif_metadata(&exif(6)).unwrap();
    let rgb = picture(64, 40).into_rgb8();
    encoder.encode(rgb.as_raw(), 64, 40, jpeg_encoder::ColorType::Rgb).unwrap();
    assert!(exif_tags(&bytes).contains(&exif::Tag::GPSLatitudeRef), "the test file has a position");

    let photo = decode(&bytes).unwrap();
    assert_eq!((photo.width, photo.height), (40, 64));
    let picture = Picture { width: 40, height: 64, pixels: vec![128; 40 * 64 * 3] };
    let disclosure = Disclosure { text: "text & <tags>".into(), digital_source_type: ENHANCED, altered: false };
    for format in Format::ALL {
        let options = OutputOptions { format, ..OutputOptions::default() };
        let steps = ["exposure +0.31 EV".to_owned()];
        let out = aerie_photo::encode(&picture, &options, &disclosure, &steps, photo.exif.as_deref()).unwrap().bytes;
        assert_eq!(exif_tags(&out), [exif::Tag::Make], "{format:?}");
        let text = String::from_utf8_lossy(&out);
        assert!(text.contains("digitalsourcetype/algorithmicallyEnhanced"), "{format:?}");
        assert!(text.contains("text &amp; &lt;tags&gt;") && text.contains("exposure +0.31 EV"), "{format:?}");
        assert!(format != Format::Jpeg || text.contains("8BIM") && text.contains("text & <tags>"), "IPTC");
        let again = decode(&out).unwrap();
        assert_eq!((again.width, again.height), (40, 64));
        assert!(again.readings.is_empty(), "sRGB and upright need nothing: {format:?} {:?}", again.readings);
        let place = match format {
            Format::Jpeg => "ICC_PROFILE",
            Format::Png => "iCCP",
            Format::Webp => "ICCP",
        };
        assert!(text.contains(place), "{format:?} has no color profile");
    }
}

fn exif_tags(jpeg: &[u8]) -> Vec<exif::Tag> {
    let exif = exif::Reader::new().read_from_container(&mut std::io::Cursor::new(jpeg)).unwrap();
    exif.fields().map(|f| f.tag).collect()
}
