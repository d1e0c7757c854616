//! Files with the structure of a TIFF.

use aerie_picture_format::{Format, Refusal};
use aerie_test_data::tiff::{Directory, file};

use crate::{recognize, refused};

const RGB: u16 = 2;
const CFA: u16 = 32803;
const LINEAR_RAW: u16 = 34892;
const NEW_SUBFILE_TYPE: u16 = 254;
const REDUCED: u32 = 1;
const MASK: u32 = 4;
const SUB_IFDS: u16 = 330;
const MAKE: u16 = 271;
const DNG_VERSION: u16 = 50706;
const DEFAULT_CROP_SIZE: u16 = 50720;
const COMPRESSION: u16 = 259;

fn picture(width: u32, height: u32) -> Directory {
    Directory::picture(width, height, RGB, &vec![90; (width * height * 3) as usize])
}

fn reduced(width: u32, height: u32) -> Directory {
    picture(width, height).longs(NEW_SUBFILE_TYPE, &[REDUCED])
}

fn sensor(photometric: u16) -> Directory {
    Directory::picture(64, 40, photometric, &[9; 64 * 40]).longs(NEW_SUBFILE_TYPE, &[0])
}

#[test]
fn sensor_data_is_the_photo_and_not_its_preview() {
    let previews = [reduced(32, 20), sensor(CFA)];
    let nef = reduced(16, 12).text(MAKE, "NIKON CORPORATION").directories(SUB_IFDS, &previews);
    // A preview of the full size comes first.
    let raw = [sensor(LINEAR_RAW)];
    let pro_raw = reduced(64, 40).text(MAKE, "Apple").undefined(DNG_VERSION, &[1, 4, 0, 0]).directories(SUB_IFDS, &raw);
    let leica = sensor(CFA).text(MAKE, "Leica Camera AG").undefined(DNG_VERSION, &[1, 4, 0, 0]);
    let cropped = leica.clone().fractions(DEFAULT_CROP_SIZE, &[[60, 1], [36, 1]]);
    for (file, format, size) in [
        (file(&[nef]), Format::Nef, (64, 40)),
        (file(&[pro_raw]), Format::Dng, (64, 40)),
        (file(&[leica]), Format::Dng, (64, 40)),
        (file(&[cropped]), Format::Dng, (60, 36)),
    ] {
        let found = recognize(&file).unwrap();
        assert_eq!((found.format, (found.width, found.height)), (format, size));
    }
}

#[test]
fn raw_files_of_other_kinds_are_refused_by_name() {
    let arw = reduced(16, 12).text(MAKE, "SONY").directories(SUB_IFDS, &[sensor(CFA)]);
    let pentax = sensor(CFA).text(MAKE, "PENTAX Corporation");
    // Colors of sensors by their compression alone.
    let packed = picture(64, 40).text(MAKE, "NIKON CORPORATION").shorts(COMPRESSION, &[34713]);
    let preview_only = picture(64, 40).text(MAKE, "Apple").undefined(DNG_VERSION, &[1, 4, 0, 0]);
    for (file, name) in [
        (file(&[arw, picture(16, 12)]), "Sony ARW"),
        (file(&[pentax]), "Pentax PEF"),
        (file(&[reduced(16, 12), sensor(CFA)]), "sensor data in a TIFF"),
        (file(&[packed]), "Nikon NEF, compressed"),
        (file(&[preview_only]), "DNG without sensor data"),
    ] {
        let why = refused(&file);
        assert!(why.starts_with(&format!("camera raw ({name})")) && why.contains("convert it to DNG"), "{why}");
    }
}

#[test]
fn the_maker_of_the_camera_makes_no_raw_file() {
    for make in ["NIKON CORPORATION", "Canon", "Apple"] {
        let found = recognize(&file(&[picture(64, 40).text(MAKE, make)])).unwrap();
        assert_eq!((found.format, found.width, found.height), (Format::Tiff, 64, 40));
        assert!(found.notes.is_empty(), "{:?}", found.notes);
    }
}

#[test]
fn reduced_copies_masks_and_thumbnails_are_not_the_picture() {
    let mask = picture(64, 40).longs(NEW_SUBFILE_TYPE, &[MASK]);
    // As in Exif: a thumbnail that is a JPEG file.
    let exif = Directory::new().longs(256, &[16]).longs(257, &[10]).data(513, &[0xFF, 0xD8]).longs(514, &[2]);
    for pages in [
        vec![reduced(16, 10), picture(64, 40)],
        vec![picture(64, 40), reduced(32, 20), reduced(16, 10)],
        vec![mask, picture(64, 40)],
        vec![exif.clone(), picture(64, 40)],
        // Nothing says so but the same proportions.
        vec![picture(16, 10), picture(64, 40)],
        vec![reduced(16, 10).directories(SUB_IFDS, &[picture(64, 40)])],
    ] {
        let found = recognize(&file(&pages)).unwrap();
        assert_eq!((found.width, found.height), (64, 40), "{pages:?}");
        assert!(found.notes.is_empty(), "{:?}", found.notes);
    }
    assert!(refused(&file(&[reduced(16, 10), exif])).starts_with("a TIFF that holds only previews"));
}

#[test]
fn the_first_of_several_pages_is_used_and_the_report_says_so() {
    let found = recognize(&file(&[picture(64, 40), picture(40, 64), picture(64, 40)])).unwrap();
    assert_eq!((found.width, found.height), (64, 40));
    assert_eq!(found.notes, ["the file has 3 pages: only the first is used"]);
}

#[test]
fn directories_that_lead_in_circles_end() {
    let mut bytes = file(&[picture(64, 40), picture(32, 20)]);
    let last = bytes.len() - 4;
    let first: [u8; 4] = bytes[4..8].try_into().unwrap();
    bytes[last..].copy_from_slice(&first);
    assert_eq!(recognize(&bytes).unwrap().width, 64);
    for at in [0_u32, 4, u32::MAX] {
        bytes[4..8].copy_from_slice(&at.to_le_bytes());
        assert!(matches!(recognize(&bytes), Err(Refusal::Unreadable(Format::Tiff))), "{at}");
    }
}

#[test]
fn any_damage_of_a_directory_is_an_error_or_a_picture() {
    let whole = file(&[reduced(16, 10).directories(SUB_IFDS, &[picture(64, 40)]).text(MAKE, "SONY"), picture(32, 20)]);
    let mut seed = 7_u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize
    };
    for _ in 0..3000 {
        let mut bytes = whole.clone();
        for _ in 0..1 + next() % 6 {
            // Directories are at the end, after the pixels.
            let at = bytes.len() - 1 - next() % 400;
            bytes[at] = next() as u8;
        }
        let _ = recognize(&bytes);
    }
}

#[test]
fn pixels_that_look_like_the_name_of_a_raw_format_and_packed_bits_of_a_phone_are_no_raw_file() {
    let page = Directory::picture(8, 8, 2, &b"CR\x02".repeat(64));
    assert!(recognize(&file(&[page])).is_ok());
    let packed = Directory::picture(8, 8, 2, &[0; 192]).text(271, "SAMSUNG").shorts(259, &[32773]);
    let recognized = recognize(&file(&[packed]));
    assert!(recognized.is_ok(), "{recognized:?}");
}

#[test]
fn the_only_picture_of_a_file_is_used_although_it_is_said_to_be_reduced() {
    let page = Directory::picture(8, 8, 2, &[0; 192]).longs(254, &[1]);
    let recognized = recognize(&file(&[page])).unwrap();
    assert_eq!((recognized.width, recognized.notes.len()), (8, 1), "{:?}", recognized.notes);
}

#[test]
fn a_numbered_page_is_no_thumbnail_of_a_larger_one() {
    let page = |side: u32| Directory::picture(side, side, 2, &vec![0; (side * side * 3) as usize]).longs(254, &[2]);
    let recognized = recognize(&file(&[page(8), page(32)])).unwrap();
    assert_eq!(recognized.width, 8);
    assert_eq!(recognized.notes, ["the file has 2 pages: only the first is used"]);
}
