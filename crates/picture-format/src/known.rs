//! Names of other formats.

use crate::format::Unsupported;

/// First bytes of formats that are not supported.
const MAGIC: &[(&[u8], &str)] = &[
    (b"GIF8", "a GIF image"),
    (b"BM", "a BMP image"),
    (b"\xff\x0a", "a JPEG XL image"),
    (b"\xff\x4f\xff\x51", "a JPEG 2000 image"),
    (b"II\xbc\x01", "a JPEG XR image"),
    (b"\0\0\x01\0", "an icon"),
    (b"\0\0\x02\0", "a cursor"),
    (b"8BPS", "a Photoshop file"),
    (b"gimp xcf", "a GIMP file"),
    (b"%PDF", "a PDF file"),
    (b"%!PS", "a PostScript file"),
    (b"\xc5\xd0\xd3\xc6", "a PostScript file"),
    (b"v/1\x01", "an OpenEXR image"),
    (b"#?RADIANCE", "a Radiance HDR image"),
    (b"#?RGBE", "a Radiance HDR image"),
    (b"qoif", "a QOI image"),
    (b"DDS ", "a DDS texture"),
    (b"\x8aMNG\r\n\x1a\n", "an MNG animation"),
    (b"\x8bJNG\r\n\x1a\n", "a JNG image"),
    (b"\x1a\x45\xdf\xa3", "a video"),
    (b"\0\0\x01\xba", "a video"),
    (b"\0\0\x01\xb3", "a video"),
    (b"FLV\x01", "a video"),
    (b"\x1f\x8b", "compressed data"),
    (b"BZh", "compressed data"),
    (b"\xfd7zXZ\0", "compressed data"),
    (b"\x28\xb5\x2f\xfd", "compressed data"),
    (b"PK\x03\x04", "an archive"),
    (b"7z\xbc\xaf\x27\x1c", "an archive"),
    (b"Rar!\x1a\x07", "an archive"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
];

/// Names a file by its first bytes.
pub(crate) fn name(start: &[u8]) -> Unsupported {
    if let Some((_, name)) = MAGIC.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Unsupported::new(*name);
    }
    if let [b'R', b'I', b'F', b'F', _, _, _, _, kind @ ..] = start
        && (kind.starts_with(b"AVI ") || kind.starts_with(b"WAVE"))
    {
        return Unsupported::new(if kind.starts_with(b"AVI ") { "a video" } else { "a sound file" });
    }
    if let [b'P', b'1'..=b'7', b'\n' | b' ' | b'\r' | b'\t', ..] = start {
        return Unsupported::new("a PNM image");
    }
    if start.get(128..132) == Some(b"DICM") {
        return Unsupported::new("a DICOM image");
    }
    Unsupported::new(markup(start).unwrap_or("not an image"))
}

/// Names markup; an SVG image may begin with a declaration and comments.
fn markup(start: &[u8]) -> Option<&'static str> {
    let is_utf16 = start.starts_with(&[0xFF, 0xFE]) || start.starts_with(&[0xFE, 0xFF]);
    let letters = start.iter().filter(|byte| !is_utf16 || **byte != 0);
    let text: String = letters.map(|byte| char::from(*byte).to_ascii_lowercase()).collect();
    let text = text.trim_start_matches(|letter: char| !letter.is_ascii() || letter.is_ascii_whitespace());
    if !text.starts_with('<') {
        return None;
    }
    let svg = text.find("<svg").filter(|at| !text[..*at].contains("<html"));
    Some(if svg.is_some() { "an SVG image" } else { "a web page or other markup" })
}
