//! JPEG and other files.

use aerie_picture_format::{Format, Refusal};

use crate::{recognize, refused};

/// A JPEG up to its first scan: a frame with a marker, bits of a sample and components.
fn jpeg(marker: u8, precision: u8, components: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, marker];
    bytes.extend((8 + 3 * components.len() as u16).to_be_bytes());
    bytes.extend([precision, 0, 40, 0, 64, components.len() as u8]);
    bytes.extend(components.iter().flat_map(|id| [*id, 0x11, 0]));
    bytes.extend([0xFF, 0xDA, 0, 2]);
    bytes
}

#[test]
fn codings_of_jpeg_that_are_not_supported_are_named() {
    for (marker, name) in [
        (0xC3, "a lossless JPEG"),
        (0xC5, "a hierarchical JPEG"),
        (0xC9, "a JPEG with arithmetic coding"),
        (0xCA, "a JPEG with arithmetic coding"),
        (0xCB, "a lossless JPEG"),
        (0xCE, "a hierarchical JPEG"),
        (0xF7, "a JPEG-LS image"),
    ] {
        let why = refused(&jpeg(marker, 8, &[1, 2, 3]));
        assert!(why.starts_with(name) && why.contains("not supported; save it again"), "{marker:x}: {why}");
    }
    assert!(refused(&jpeg(0xC1, 12, &[1])).starts_with("a JPEG with more than 8 bits"));
    assert!(refused(&jpeg(0xC0, 8, &[1, 2])).starts_with("a JPEG with 2 color components"));
    for marker in 0xC0..=0xC2 {
        let found = recognize(&jpeg(marker, 8, &[1, 2, 3])).unwrap();
        assert_eq!((found.format, found.width, found.height), (Format::Jpeg, 64, 40));
    }
}

#[test]
fn a_header_that_ends_too_early_is_truncated() {
    let whole = jpeg(0xC0, 8, &[1, 2, 3]);
    for length in 3..whole.len() - 4 {
        assert_eq!(recognize(&whole[..length]), Err(Refusal::Truncated(Format::Jpeg)), "{length}");
    }
}

#[test]
fn a_header_of_millions_of_empty_parts_is_given_up() {
    let mut bytes = vec![0xFF, 0xD8];
    bytes.extend([0xFF, 0xE0, 0, 2].repeat(1_000_000));
    assert!(refused(&bytes).contains("too many parts"));
    // A photo with a long header is read.
    let mut photo = vec![0xFF, 0xD8];
    photo.extend([[0xFF, 0xE2, 0xFF, 0xFF].as_slice(), &[0; 0xFFFD]].concat().repeat(200));
    photo.extend(&jpeg(0xC0, 8, &[1, 2, 3])[2..]);
    assert_eq!(recognize(&photo).unwrap().width, 64);
}

/// A file of the ISO base media file format, by its brands.
fn iso(major: &[u8; 4], compatible: &[&[u8; 4]]) -> Vec<u8> {
    let mut bytes = (16 + 4 * compatible.len() as u32).to_be_bytes().to_vec();
    bytes.extend([b"ftyp".as_slice(), major, &[0; 4]].concat());
    bytes.extend(compatible.iter().copied().flatten());
    bytes.extend(b"\0\0\0\x08mdat");
    bytes
}

#[test]
fn iso_files_are_named_by_their_brands() {
    for (major, compatible, name) in [
        (b"msf1", vec![b"hevc"], "a HEIC image sequence without a still image"),
        (b"mif1", vec![b"mif1"], "a HEIF image"),
        (b"avis", vec![], "an AVIF image sequence without a still image"),
        (b"crx ", vec![b"crx ", b"isom"], "camera raw (Canon CR3)"),
        (b"isom", vec![b"mp42"], "a video"),
        (b"qt  ", vec![b"qt  "], "a video"),
        (b"M4A ", vec![b"M4A ", b"mp42"], "a sound file"),
        (b"M4B ", vec![b"isom"], "a sound file"),
        // With a picture as its cover.
        (b"mp42", vec![b"mp42", b"heic"], "a video"),
    ] {
        let why = refused(&iso(major, &compatible));
        assert!(why.starts_with(name), "{major:?}: {why}");
    }
    assert!(refused(b"\0\0\0\x08wide\0\0\0\0mdat").starts_with("a video"));
}

#[test]
fn other_files_are_named_by_how_they_begin() {
    for (bytes, name) in [
        (b"II*\0\x10\0\0\0CR\x02\0".as_slice(), "camera raw (Canon CR2)"),
        (b"II\x1a\0\0\0HEAPCCDR", "camera raw (Canon CRW)"),
        (b"FUJIFILMCCD-RAW 0201", "camera raw (Fujifilm RAF)"),
        (b"IIRO\x08\0\0\0", "camera raw (Olympus ORF)"),
        (b"IIU\0\x18\0\0\0", "camera raw (Panasonic RW2)"),
        (b"\0MRM\0\0\0\0", "camera raw (Minolta MRW)"),
        (b"FOVb\0\0\0\0", "camera raw (Sigma X3F)"),
        (b"GIF89a", "a GIF image"),
        (b"BM....", "a BMP image"),
        (b"%PDF-1.7", "a PDF"),
        (b"8BPS\0\x01", "a Photoshop file"),
        (b"\xff\x0a\0\0", "a JPEG XL image"),
        (b"\0\0\0\x0cJXL \r\n\x87\n", "a JPEG XL image"),
        (b"\0\0\0\x0cjP  \r\n\x87\n", "a JPEG 2000 image"),
        (b"<?xml version='1.0'?>\n<!-- made by hand -->\n<svg xmlns=''>", "an SVG image"),
        (b"\xef\xbb\xbf <SVG>", "an SVG image"),
        (b"<!doctype html><html><svg>", "a web page or other markup"),
        (b"RIFF\0\0\0\0AVI LIST", "a video"),
        (b"PK\x03\x04", "an archive"),
        (b"hello", "not an image"),
        (b"", "not an image"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\x04CgBI\0\0\0\0\0\0\0\0", "a PNG optimized for iOS"),
    ] {
        let why = refused(bytes);
        assert!(why.starts_with(name), "{why}");
    }
}

#[test]
fn animations_are_read_as_their_first_picture_and_the_report_says_so() {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x40\0\0\0\x28\x08\x02\0\0\0....".to_vec();
    let still = [png.clone(), b"\0\0\0\0IDAT....".to_vec()].concat();
    png.extend(b"\0\0\0\x08acTL\0\0\0\x02\0\0\0\0....\0\0\0\0IDAT....");
    let webp =
        |flags: u8| [b"RIFF\x40\0\0\0WEBPVP8X\x0a\0\0\0".as_slice(), &[flags, 0, 0, 0, 63, 0, 0, 39, 0, 0]].concat();
    for (bytes, count) in [(png, 1), (still, 0), (webp(0x02), 1), (webp(0x10), 0)] {
        let found = recognize(&bytes).unwrap();
        assert_eq!((found.width, found.height, found.notes.len()), (64, 40, count), "{:?}", found.notes);
    }
}
