//! Pictures.

use std::cell::OnceCell;
use std::io::Read;
use std::sync::OnceLock;

use aerie_fetch::{FetchError, Limits, Picture, PictureReceiver};
use aerie_geodata::tiles::tile;
use aerie_photo::{DecodeError, Disclosure, OutputOptions};

/// Greatest number of pixels decoded here: larger pictures are allowed, but take long.
const MAX_PIXELS: u64 = 1 << 18;
/// Side of the picture that carries metadata.
const SIDE: usize = 16;

/// The size of a picture by its header, as the API reads it.
pub fn image_header(bytes: &[u8]) {
    let limits = Limits::default();
    match header(bytes) {
        Ok(mut picture) => {
            assert_eq!(picture.size, bytes.len() as u64);
            assert!(picture.width > 0 && picture.height > 0 && picture.width * picture.height <= limits.pixels);
            let mut stored = Vec::new();
            picture.file.read_to_end(&mut stored).expect("a file");
            assert_eq!(stored, bytes, "the file is kept as it came, and rewound");
        }
        Err(error) => {
            assert!(!matches!(error, FetchError::Scratch(_)), "{error}");
            assert!(error.to_string().len() < 200, "{error}");
        }
    }
}

/// A picture's pixels, as the engines read them.
pub fn image_decode(bytes: &[u8]) {
    let bare = aerie_photo::without_credentials(bytes);
    assert!(aerie_photo::without_credentials(&bare) == bare, "all Content Credentials are left out at once");
    if header(bytes).is_ok_and(|picture| picture.width * picture.height > MAX_PIXELS) {
        return;
    }
    let Ok(photo) = aerie_photo::decode(bytes) else { return };
    let sides = [photo.width, photo.height];
    assert!(sides.iter().all(|side| *side >= aerie_photo::decode::MIN_SIDE as usize), "{sides:?}");
    assert!((photo.width * photo.height) as u64 <= aerie_photo::decode::MAX_PIXELS, "{sides:?}");
    assert_eq!(photo.pixels.len(), photo.width * photo.height);
    assert!(photo.light_value.is_none_or(f32::is_finite) && photo.focal_35mm.is_none_or(|length| length > 0.0));
    if super::is_sampled(bytes) {
        assert!(aerie_photo::decode(bytes).is_ok_and(|again| again == photo), "the same file gives the same pixels");
    }
}

/// EXIF and a color profile in a small JPEG: a length in two bytes, EXIF of that length, then the profile. What is preserved is
/// written into a new file.
pub fn image_metadata(bytes: &[u8]) {
    let [low, high, rest @ ..] = bytes else { return };
    let (exif, profile) = rest.split_at(usize::from(u16::from_le_bytes([*low, *high])).min(rest.len()));
    let Some(file) = jpeg(&[(0xe1, b"Exif\0\0", exif), (0xe2, b"ICC_PROFILE\0\x01\x01", profile)]) else { return };
    let photo = match aerie_photo::decode(&file) {
        // A profile for HDR displays.
        Err(DecodeError::Unsupported(_)) => return,
        photo => photo.expect("other metadata do not make a picture unreadable"),
    };
    assert_eq!(photo.pixels.len(), SIDE * SIDE);
    let Some(preserved) = photo.exif else { return };
    let written = encoded(Some(&preserved));
    let again = aerie_photo::decode(&written).expect("what was written can be read");
    assert_eq!(again.exif.as_ref(), Some(&preserved), "fields are preserved as they are");
}

/// A map tile.
pub fn map_tile(bytes: &[u8]) {
    let Ok(tile) = tile::decode(bytes) else { return };
    let side = tile.side() as usize;
    assert!((1..=1024).contains(&side), "{side}");
    assert!(tile.texel(side, side).is_none(), "there is nothing beyond the last pixel");
    let _ = (tile.texel(0, 0), tile.texel(side - 1, side - 1));
}

fn header(bytes: &[u8]) -> Result<Picture, FetchError> {
    thread_local! {
        static RUNTIME: OnceCell<tokio::runtime::Runtime> = const { OnceCell::new() };
    }
    let received = async {
        let mut receiver = PictureReceiver::new(&std::env::temp_dir(), Limits::default())?;
        receiver.push(bytes).await?;
        receiver.finish().await
    };
    RUNTIME.with(|runtime| {
        let new = || tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.get_or_init(new).block_on(received)
    })
}

/// A small JPEG with these segments: marker, prefix and content.
fn jpeg(segments: &[(u8, &[u8], &[u8])]) -> Option<Vec<u8>> {
    static PLAIN: OnceLock<Vec<u8>> = OnceLock::new();
    let mut file = vec![0xff, 0xd8];
    for (marker, prefix, content) in segments {
        let length = u16::try_from(2 + prefix.len() + content.len()).ok()?;
        file.extend([0xff, *marker]);
        file.extend(length.to_be_bytes());
        file.extend_from_slice(prefix);
        file.extend_from_slice(content);
    }
    file.extend(PLAIN.get_or_init(|| without_metadata(&encoded(None))));
    Some(file)
}

fn encoded(exif: Option<&[u8]>) -> Vec<u8> {
    let pixels = (0..SIDE * SIDE * 3).map(|i| (i * 7 % 256) as u8).collect();
    let picture = aerie_photo::Picture { width: SIDE, height: SIDE, pixels };
    let disclosure =
        Disclosure { text: "none".into(), digital_source_type: aerie_photo::report::ENHANCED, altered: false };
    aerie_photo::encode(&picture, &OutputOptions::default(), &disclosure, &[], exif).expect("a picture").bytes
}

/// What follows the application segments at the start of a JPEG.
fn without_metadata(jpeg: &[u8]) -> Vec<u8> {
    let mut rest = &jpeg[2..];
    while let [0xff, 0xe0..=0xef, high, low, ..] = rest {
        rest = &rest[2 + usize::from(u16::from_be_bytes([*high, *low]))..];
    }
    rest.to_vec()
}
