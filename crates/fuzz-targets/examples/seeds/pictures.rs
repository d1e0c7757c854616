//! Pictures in every format that is read.

use std::io::Cursor;

use aerie_photo::report::ENHANCED;
use aerie_photo::{Disclosure, Format, OutputOptions, Picture};
use aerie_test_data::{heif, tiff as written_tiff};
use image::{DynamicImage, ImageBuffer, ImageFormat, RgbImage};

use crate::Seed;

/// An EXIF block of capture settings, an orientation and a position.
const EXIF: &[u8] = b"MM\0*\0\0\0\x08\0\x05\
    \x01\x0f\0\x02\0\0\0\x04ABC\0\
    \x01\x12\0\x03\0\0\0\x01\0\x06\0\0\
    \x82\x9a\0\x05\0\0\0\x01\0\0\0\x60\
    \x88\x25\0\x04\0\0\0\x01\0\0\0\x4a\
    \x87\x69\0\x04\0\0\0\x01\0\0\0\x68\
    \0\0\0\0\
    \0\x01\0\x01\0\x02\0\0\0\x02N\0\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\x01\0\0\0\x7d\
    \0\x02\x82\x9d\0\x05\0\0\0\x01\0\0\0\x86\
    \xa4\x05\0\x03\0\0\0\x01\0\x18\0\0\
    \0\0\0\0\0\0\0\x04\0\0\0\x01";

pub(crate) fn all() -> Vec<Seed> {
    let rgb =
        DynamicImage::ImageRgb8(RgbImage::from_fn(24, 16, |x, y| image::Rgb([(x * 10) as u8, (y * 16) as u8, 90])));
    let gray16 = DynamicImage::ImageLuma16(ImageBuffer::from_fn(16, 16, |x, y| image::Luma([(x * y * 255) as u16])));
    let rgba = DynamicImage::ImageRgba8(rgb.to_rgba8());
    let mut seeds: Vec<Seed> = Vec::new();
    for (name, image, format) in [
        ("jpeg", &rgb, ImageFormat::Jpeg),
        ("png", &rgb, ImageFormat::Png),
        ("png-rgba", &rgba, ImageFormat::Png),
        ("png-gray16", &gray16, ImageFormat::Png),
        ("webp", &rgba, ImageFormat::WebP),
        ("tiff", &rgb, ImageFormat::Tiff),
        ("tiff-gray16", &gray16, ImageFormat::Tiff),
    ] {
        let file = written(image, format);
        seeds.push(("image_header", name, file.clone()));
        seeds.push(("image_decode", name, file));
    }
    for (name, format) in [("aerie-jpeg", Format::Jpeg), ("aerie-png", Format::Png), ("aerie-webp", Format::Webp)] {
        let file = encoded(format);
        // Color profiles are slow to convert, and have a target of their own.
        if format == Format::Webp {
            seeds.push(("image_decode", name, file.clone()));
        }
        seeds.push(("image_header", name, file));
    }
    let deflated = deflated_tiff();
    seeds.push(("image_decode", "tiff-deflate", deflated.clone()));
    seeds.push(("image_header", "tiff-deflate", deflated));
    let heic =
        heifer::encode_rgb8(24, 16, rgb.to_rgb8().as_raw(), &heifer::EncodeOptions::default()).expect("a picture");
    seeds.push(("image_decode", "heic", heic.clone()));
    seeds.push(("image_header", "heic", heic));
    let avif = heif::file(b"avif", &[b"mif1", b"avif"], &[heif::av1(heif::AV1, 0x0C).size(64, 32)]);
    seeds.push(("image_decode", "avif", avif.clone()));
    seeds.push(("image_header", "avif", avif));
    let dng = written_tiff::file(&[written_tiff::dng([32, 16], [16_000, 10_000, 5000])]);
    seeds.push(("image_decode", "dng", dng.clone()));
    seeds.push(("image_header", "dng", dng));
    let square = DynamicImage::ImageRgba8(image::RgbaImage::from_pixel(8, 8, image::Rgba([1, 2, 3, 255])));
    let opaque = DynamicImage::ImageRgb8(square.to_rgb8());
    seeds.push(("map_tile", "png", written(&square, ImageFormat::Png)));
    seeds.push(("map_tile", "webp", written(&square, ImageFormat::WebP)));
    seeds.push(("map_tile", "jpeg", written(&opaque, ImageFormat::Jpeg)));
    let mut metadata = (EXIF.len() as u16).to_le_bytes().to_vec();
    metadata.extend(EXIF);
    metadata.extend(profile(&encoded(Format::Jpeg)));
    seeds.push(("image_metadata", "exif-and-profile", metadata));
    seeds
}

/// A picture as a file.
pub(crate) fn written(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).expect("a picture");
    bytes.into_inner()
}

/// A picture as Aerie writes it, with metadata and a color profile.
fn encoded(format: Format) -> Vec<u8> {
    let picture = Picture { width: 16, height: 16, pixels: (0..16 * 16 * 3).map(|i| (i * 5 % 256) as u8).collect() };
    let disclosure = Disclosure { text: "brighter".into(), digital_source_type: ENHANCED, altered: false };
    let options = OutputOptions { format, ..OutputOptions::default() };
    let steps = ["exposure +0.3 EV".to_owned()];
    aerie_photo::encode(&picture, &options, &disclosure, &steps, Some(EXIF)).expect("a picture").bytes
}

/// The color profile of a JPEG that has one.
fn profile(jpeg: &[u8]) -> Vec<u8> {
    let at = jpeg.windows(12).position(|window| window == b"ICC_PROFILE\0").expect("a profile");
    let length = usize::from(u16::from_be_bytes([jpeg[at - 2], jpeg[at - 1]]));
    jpeg[at + 14..at - 2 + length].to_vec()
}

fn deflated_tiff() -> Vec<u8> {
    use tiff::encoder::{Compression, DeflateLevel, TiffEncoder, colortype};
    let mut bytes = Cursor::new(Vec::new());
    let encoder = TiffEncoder::new(&mut bytes).expect("a file");
    let mut encoder = encoder.with_compression(Compression::Deflate(DeflateLevel::Fast));
    encoder.write_image::<colortype::RGB8>(16, 16, &[77; 16 * 16 * 3]).expect("a picture");
    bytes.into_inner()
}
