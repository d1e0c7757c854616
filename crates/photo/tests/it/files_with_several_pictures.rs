//! Which picture of a file is the photo.

use aerie_photo::decode;
use aerie_test_data::tiff::{self, Directory};
use image::ImageFormat;

use crate::hostile_files::{picture, written};

/// A JPEG with further segments (marker and contents) after its first one.
fn jpeg(width: u32, height: u32, segments: &[(u8, &[u8])]) -> Vec<u8> {
    let rgb = picture(width, height).into_rgb8();
    let mut bytes = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, 90);
    for (marker, contents) in segments {
        encoder.add_app_segment(*marker, contents.to_vec()).unwrap();
    }
    encoder.encode(rgb.as_raw(), width as u16, height as u16, jpeg_encoder::ColorType::Rgb).unwrap();
    bytes
}

fn xmp(attributes: &str) -> Vec<u8> {
    let text = format!("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta><rdf:Description {attributes}/></x:xmpmeta>");
    text.into_bytes()
}

/// A list of pictures of the Multi-Picture Format, by their types.
fn mpf(kinds: &[u32]) -> Vec<u8> {
    let entries: Vec<u8> = kinds.iter().flat_map(|kind| [&kind.to_le_bytes()[..], &[0; 12]].concat()).collect();
    [b"MPF\0".as_slice(), &tiff::file(&[Directory::new().undefined(0xB002, &entries)])].concat()
}

#[test]
fn the_picture_of_a_tiff_is_decoded_wherever_it_is() {
    let page = |width: u32, height: u32, value: u8| {
        Directory::picture(width, height, 2, &vec![value; (width * height * 3) as usize])
    };
    let small = page(32, 20, 10).longs(254, &[1]);
    for pages in [vec![small.clone(), page(64, 40, 200)], vec![small.directories(330, &[page(64, 40, 200)])]] {
        let photo = decode(&tiff::file(&pages)).unwrap();
        assert_eq!((photo.width, photo.height, photo.pixels[9]), (64, 40, [200 * 257; 3]));
    }
}

#[test]
fn planes_one_after_the_other_are_one_picture() {
    let planes: Vec<u8> = [200, 100, 50].iter().flat_map(|v| vec![*v; 32 * 16]).collect();
    // The planes follow the directory, whose length does not depend on their offsets.
    let page = |at: u32| {
        let offsets = [at, at + 512, at + 1024];
        Directory::picture(32, 16, 2, &planes).shorts(284, &[2]).longs(279, &[512; 3]).longs(273, &offsets)
    };
    let at = tiff::file(&[page(0)]).len() as u32;
    let photo = decode(&[tiff::file(&[page(at)]), planes.clone()].concat()).unwrap();
    assert_eq!(photo.pixels[40], [200 * 257, 100 * 257, 50 * 257]);
}

#[test]
fn a_big_tiff_is_read() {
    let mut file = std::io::Cursor::new(Vec::new());
    let mut encoder = ::tiff::encoder::TiffEncoder::new_big(&mut file).unwrap();
    encoder.write_image::<::tiff::encoder::colortype::RGB8>(32, 16, &[70; 32 * 16 * 3]).unwrap();
    let photo = decode(&file.into_inner()).unwrap();
    assert_eq!((photo.width, photo.height, photo.pixels[0]), (32, 16, [70 * 257; 3]));
}

#[test]
fn what_follows_the_picture_in_a_jpeg_is_reported_and_not_used() {
    let second = jpeg(32, 20, &[]);
    let gain_map = jpeg(32, 20, &[(1, &xmp("AuxiliaryImageType=\"urn:com:apple:photo:2020:aux:hdrgainmap\""))]);
    let ultra_hdr = xmp("xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\" hdrgm:Version=\"1.0\"");
    let motion = xmp("GCamera:MotionPhoto=\"1\"");
    let unused_gain_map = "the gain map for HDR displays is not used: the picture is the standard one";
    for (file, expected) in [
        ([jpeg(64, 40, &[]), second.clone()].concat(), "another picture follows in the file: only the first is used"),
        ([jpeg(64, 40, &[(2, &mpf(&[0x03_0000, 0, 0]))]), gain_map].concat(), unused_gain_map),
        ([jpeg(64, 40, &[(1, &ultra_hdr)]), second.clone()].concat(), unused_gain_map),
        (
            [jpeg(64, 40, &[(2, &mpf(&[0x03_0000, 0x02_0002]))]), second.clone()].concat(),
            "the file has 2 pictures: only the first is used",
        ),
        (
            [jpeg(64, 40, &[(1, &motion)]), b"\0\0\0\x18ftypmp42".to_vec()].concat(),
            "the video of this motion photo is not used",
        ),
    ] {
        let photo = decode(&file).unwrap();
        assert_eq!((photo.width, photo.height, &photo.readings[..]), (64, 40, &[expected.to_owned()][..]));
    }
    // Copies of it at other sizes, as cameras add them, are not worth a word.
    let preview = [jpeg(64, 40, &[(2, &mpf(&[0x03_0000, 0x01_0002]))]), second.clone()].concat();
    assert!(decode(&preview).unwrap().readings.is_empty());
    // The end of the second picture is not that of the first.
    let whole = jpeg(64, 40, &[]);
    let cut = [&whole[..whole.len() - 100], &second].concat();
    assert!(matches!(decode(&cut).unwrap_err(), aerie_photo::DecodeError::Truncated));
}

#[test]
fn pages_and_animations_are_reported() {
    let page = Directory::picture(64, 40, 2, &[90; 64 * 40 * 3]);
    let photo = decode(&tiff::file(&[page.clone(), page])).unwrap();
    assert_eq!(photo.readings, ["the file has 2 pages: only the first is used"]);
    assert!(decode(&written(&picture(64, 40), ImageFormat::WebP)).unwrap().readings.is_empty());
}
