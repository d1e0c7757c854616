//! HEIF files.

use aerie_picture_format::{Format, Refusal};
use aerie_test_data::heif::{Item, file};

use crate::{recognize, refused};

const BRANDS: [&[u8; 4]; 2] = [b"mif1", b"heic"];

fn coded(kind: &[u8; 4]) -> Item {
    Item::new(kind, b"a picture").size(64, 40)
}

fn size(item: Item) -> (u32, u32) {
    let found = recognize(&file(b"heic", &BRANDS, &[item])).unwrap();
    assert_eq!(found.format, Format::Heic);
    (found.width, found.height)
}

/// A crop: width, height and the offset of its center to the right and down, each over two.
fn crop(halves: [i32; 4]) -> Vec<u8> {
    halves.iter().flat_map(|half| [half.to_be_bytes(), 2_i32.to_be_bytes()]).flatten().collect()
}

#[test]
fn the_size_is_that_after_the_crop_and_the_rotation_of_the_file() {
    let picture = || coded(b"hvc1");
    assert_eq!(size(picture()), (64, 40));
    for (quarters, expected) in [(0, (64, 40)), (1, (40, 64)), (2, (64, 40)), (3, (40, 64))] {
        assert_eq!(size(picture().property(b"irot", &[quarters])), expected, "{quarters}");
    }
    assert_eq!(size(picture().property(b"imir", &[1])), (64, 40));
    // 50 x 30 from the top left corner.
    let corner = picture().property(b"clap", &crop([100, 60, -14, -10]));
    assert_eq!(size(corner.clone()), (50, 30));
    assert_eq!(size(corner.property(b"irot", &[1])), (30, 50));
    // A crop is clamped to the picture: its left half lies in it.
    assert_eq!(size(picture().property(b"clap", &crop([100, 60, 64, 0]))), (25, 30));
}

#[test]
fn the_primary_item_decides_by_the_coding_of_what_it_is_made_of() {
    let grid = || Item::new(b"grid", &[0, 0, 0, 0, 0, 128, 0, 80]).size(128, 80).refers(b"dimg", &[2]);
    for (kind, name) in [
        (b"jpeg", "a HEIF image with JPEG inside"),
        (b"j2k1", "a HEIF image with JPEG 2000 inside"),
        (b"unci", "an uncompressed HEIF image"),
        (b"vvc1", "a HEIF image with VVC inside"),
        (b"what", "a HEIF image of an unknown kind"),
    ] {
        for items in [vec![coded(kind)], vec![grid(), coded(kind)]] {
            let why = refused(&file(b"mif1", &[b"mif1"], &items));
            assert!(why.starts_with(name), "{why}");
        }
    }
    // No brand but that of the structure is needed.
    let found = recognize(&file(b"mif1", &[b"mif1"], &[grid(), coded(b"hvc1")])).unwrap();
    assert_eq!((found.format, found.width, found.height), (Format::Heic, 128, 80));
    for items in [vec![coded(b"av01")], vec![grid(), coded(b"av01")]] {
        let found = recognize(&file(b"mif1", &[b"mif1"], &items)).unwrap();
        assert_eq!(found.format, Format::Avif);
    }
    let circle = [grid(), Item::new(b"grid", b"").size(128, 80).refers(b"dimg", &[1])];
    assert_eq!(recognize(&file(b"heic", &BRANDS, &circle)), Err(Refusal::Unreadable(Format::Heic)));
}

#[test]
fn a_sequence_is_read_where_it_has_a_still_image_and_the_report_says_so() {
    for major in [b"hevc", b"msf1"] {
        let found = recognize(&file(major, &[b"msf1", b"heic"], &[coded(b"hvc1")])).unwrap();
        assert_eq!(found.notes, ["the file is an image sequence: only its still image is used"]);
    }
    assert!(recognize(&file(b"heic", &BRANDS, &[coded(b"hvc1")])).unwrap().notes.is_empty());
}

#[test]
fn a_header_that_is_cut_off_is_truncated_and_a_picture_without_a_size_unreadable() {
    let whole = file(b"heic", &BRANDS, &[coded(b"hvc1").property(b"irot", &[1])]);
    let header = whole.windows(4).position(|kind| kind == b"mdat").unwrap() - 4;
    for length in 32..header {
        assert_eq!(recognize(&whole[..length]), Err(Refusal::Truncated(Format::Heic)), "{length}");
    }
    let no_size = file(b"heic", &BRANDS, &[Item::new(b"hvc1", b"a picture")]);
    assert_eq!(recognize(&no_size), Err(Refusal::Unreadable(Format::Heic)));
    let empty = file(b"heic", &BRANDS, &[Item::new(b"hvc1", b"a picture").size(0, 40)]);
    assert_eq!(recognize(&empty), Err(Refusal::Unreadable(Format::Heic)));
}

#[test]
fn lists_that_decoders_would_search_for_hours_are_given_up() {
    let items = vec![coded(b"hvc1"); 200].into_iter().chain(vec![Item::new(b"Exif", b""); 20_000]);
    assert!(refused(&file(b"heic", &BRANDS, &items.collect::<Vec<_>>())).contains("too many parts"));
    // As many tiles as a photo of 200 megapixels has.
    let tiles: Vec<u16> = (2..770).collect();
    let grid = Item::new(b"grid", b"").size(16_320, 12_240).refers(b"dimg", &tiles);
    let tiles = (0..768).map(|_| Item::new(b"hvc1", b"tile"));
    let photo = file(b"heic", &BRANDS, &std::iter::once(grid).chain(tiles).collect::<Vec<_>>());
    assert_eq!(recognize(&photo).unwrap().width, 16_320);
}

#[test]
fn any_damage_of_a_header_is_an_error_or_a_picture() {
    let grid = Item::new(b"grid", b"").size(64, 40).property(b"irot", &[3]).refers(b"dimg", &[2]);
    let whole = file(b"heic", &BRANDS, &[grid, coded(b"hvc1").property(b"clap", &crop([100, 60, -14, -10]))]);
    let mut seed = 7_u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize
    };
    let mut pictures = 0;
    for _ in 0..5000 {
        let mut bytes = whole.clone();
        for _ in 0..1 + next() % 6 {
            let at = next() % bytes.len();
            bytes[at] = if next() % 2 == 0 { [0, 0xFF][next() % 2] } else { next() as u8 };
        }
        pictures += u32::from(recognize(&bytes).is_ok());
    }
    assert!((100..4900).contains(&pictures), "{pictures}");
}
