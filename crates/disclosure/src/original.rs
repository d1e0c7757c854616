//! The original photo as it may be public: its pixels unaltered, without its metadata.
//!
//! The parts of the file that are needed to show the picture are copied byte for byte, and nothing is decoded. Only what is listed here is
//! kept, so that no metadata of a kind unknown today can leak a position or a name; nor what follows the end of the picture, where
//! cameras put videos and further pictures with metadata of their own. Files are walked here and not by `img-parts`, which keeps all that
//! follows the first scan of a JPEG as one block, refuses a WebP without the padding of its last chunk and a PNG with a wrong CRC
//! in its metadata, and holds a list of all chunks, many times the size of a hostile file of empty ones.

use exif::{In, Reader, Tag};
use img_parts::jpeg::{JpegSegment, markers};
use img_parts::png::PngChunk;

/// A file that may be public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicFile {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// File extension: `jpg`, `png` or `webp`.
    pub extension: &'static str,
}

/// Why a photo cannot be shown on a public page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotPublic {
    /// Browsers do not show its format.
    #[error("is a TIFF or camera raw, which browsers do not show; submit the photo as JPEG, PNG or WebP")]
    Tiff,
    /// Most browsers do not show one of its formats, and the metadata of neither can be removed.
    #[error("is a HEIC or AVIF, which a page cannot show without its metadata; submit the photo as JPEG, PNG or WebP")]
    Heif,
    /// Its format is not known.
    #[error("is no JPEG, PNG or WebP")]
    Unknown,
    /// The file is cut off or malformed.
    #[error("cannot be separated from its metadata, because the file is damaged; submit the photo again")]
    Damaged,
    /// It has several frames.
    #[error("is animated; submit a still photo")]
    Animated,
}

/// Chunks of PNG that decide what the picture looks like.
const PNG_CHUNKS: [&[u8; 4]; 15] = [
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"sBIT", b"cICP", b"mDCV",
    b"cLLI", b"pHYs", b"bKGD",
];
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Bits of the header of an extended WebP file.
const WEBP_ANIMATION: u8 = 0x02;
const WEBP_XMP: u8 = 0x04;
const WEBP_EXIF: u8 = 0x08;

const EXIF: &[u8] = b"Exif\0\0";

/// Returns a photo without its metadata: color profile and orientation are kept.
///
/// # Errors
/// Why it cannot be shown on a public page, as the end of a sentence.
pub fn public_original(file: &[u8]) -> Result<PublicFile, NotPublic> {
    match file {
        [0xFF, markers::SOI, rest @ ..] => {
            jpeg(rest).map(|bytes| PublicFile { bytes, extension: "jpg" }).ok_or(NotPublic::Damaged)
        }
        _ if file.starts_with(PNG) => {
            png(&file[PNG.len()..]).map(|bytes| PublicFile { bytes, extension: "png" }).ok_or(NotPublic::Damaged)
        }
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', rest @ ..] => {
            webp(rest).map(|bytes| PublicFile { bytes, extension: "webp" })
        }
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => Err(NotPublic::Tiff),
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => Err(NotPublic::Heif),
        _ => Err(NotPublic::Unknown),
    }
}

/// What follows the start of a JPEG file, up to its end; `None` if it has none.
fn jpeg(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut out = vec![0xFF, markers::SOI];
    let mut has_scan = false;
    loop {
        let [0xFF, code, after @ ..] = rest else { return None };
        match *code {
            0xFF => rest = &rest[1..],
            markers::EOI if has_scan => {
                out.extend([0xFF, markers::EOI]);
                return Some(out);
            }
            markers::EOI | markers::SOI | 0x00 => return None,
            // Without contents.
            0x01 | 0xD0..=0xD7 => rest = after,
            code => {
                let size = usize::from(u16::from_be_bytes(*after.first_chunk()?));
                let (segment, following) = after.split_at_checked(size)?;
                let contents = segment.get(2..)?;
                if is_picture(code, contents) {
                    out.extend([0xFF, code]);
                    out.extend(segment);
                } else if code == markers::APP1
                    && let Some(exif) = contents.strip_prefix(EXIF).and_then(orientation_only)
                {
                    let contents = [EXIF, &exif].concat();
                    out.extend(JpegSegment::new_with_contents(code, contents.into()).encoder().bytes());
                }
                rest = following;
                if code == markers::SOS {
                    has_scan = true;
                    let end = end_of_scan(rest)?;
                    out.extend(&rest[..end]);
                    rest = &rest[end..];
                }
            }
        }
    }
}

/// Whether a segment is needed to show the picture.
fn is_picture(code: u8, contents: &[u8]) -> bool {
    match code {
        markers::APP0 => contents.starts_with(b"JFIF\0"),
        markers::APP2 => contents.starts_with(b"ICC_PROFILE\0"),
        markers::APP14 => contents.starts_with(b"Adobe"),
        markers::APP1..=markers::APP15 | markers::JPG0..=markers::COM => false,
        _ => true,
    }
}

/// Length of the compressed data of a scan: up to the next marker.
fn end_of_scan(data: &[u8]) -> Option<usize> {
    data.windows(2).position(|pair| pair[0] == 0xFF && !matches!(pair[1], 0x00 | 0xD0..=0xD7 | 0xFF))
}

/// Copies a PNG file whose signature is read already. CRCs are copied unchecked.
fn png(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut out = PNG.to_vec();
    loop {
        let size = usize::try_from(u32::from_be_bytes(*rest.first_chunk()?)).ok()?;
        let (chunk, following) = rest.split_at_checked(size.checked_add(12)?)?;
        let (kind, contents) = (chunk[4..].first_chunk()?, chunk.get(8..8 + size)?);
        if PNG_CHUNKS.contains(&kind) {
            out.extend(chunk);
        } else if kind == b"eXIf"
            && let Some(exif) = orientation_only(contents)
        {
            out.extend(PngChunk::new(*kind, exif.into()).encoder().bytes());
        }
        if kind == b"IEND" {
            return Some(out);
        }
        rest = following;
    }
}

/// What follows the header of a WebP file.
fn webp(mut rest: &[u8]) -> Result<Vec<u8>, NotPublic> {
    let (mut chunks, mut header, mut exif, mut has_picture) = (Vec::new(), None, None, false);
    while !rest.is_empty() {
        let (id, size) = (rest.get(..4), rest.get(4..8).and_then(<[u8]>::first_chunk));
        let (Some(id), Some(size)) = (id, size) else { return Err(NotPublic::Damaged) };
        let size = u32::from_le_bytes(*size) as usize;
        // Chunks have an even length; the last one may lack its padding.
        let end = 8usize.checked_add(size).ok_or(NotPublic::Damaged)?;
        let contents = rest.get(8..end).ok_or(NotPublic::Damaged)?;
        match id {
            b"VP8X" => header = Some(contents),
            b"VP8 " | b"VP8L" | b"ALPH" | b"ICCP" => {
                has_picture |= matches!(id, b"VP8 " | b"VP8L");
                chunk(&mut chunks, id, contents);
            }
            b"EXIF" => exif = orientation_only(contents.strip_prefix(EXIF).unwrap_or(contents)),
            b"ANIM" | b"ANMF" => return Err(NotPublic::Animated),
            _ => {}
        }
        rest = rest.get(end + size % 2..).unwrap_or_default();
    }
    if !has_picture {
        return Err(NotPublic::Damaged);
    }
    let mut body = b"WEBP".to_vec();
    if let Some(header) = header {
        let [flags, others @ ..] = header else { return Err(NotPublic::Damaged) };
        let flags = flags & !(WEBP_XMP | WEBP_EXIF | WEBP_ANIMATION) | if exif.is_some() { WEBP_EXIF } else { 0 };
        chunk(&mut body, b"VP8X", &[&[flags], others].concat());
    }
    body.extend(chunks);
    if let (Some(exif), Some(_)) = (exif, header) {
        chunk(&mut body, b"EXIF", &exif);
    }
    let size = u32::try_from(body.len()).map_err(|_| NotPublic::Damaged)?;
    Ok([&b"RIFF"[..], &size.to_le_bytes(), &body].concat())
}

fn chunk(out: &mut Vec<u8>, id: &[u8], contents: &[u8]) {
    out.extend(id);
    out.extend((contents.len() as u32).to_le_bytes());
    out.extend(contents);
    out.resize(out.len().next_multiple_of(2), 0);
}

/// A block of EXIF with the orientation alone, which decides how the picture is shown; `None` if it is upright.
fn orientation_only(block: &[u8]) -> Option<Vec<u8>> {
    let exif = Reader::new().read_raw(block.to_vec()).ok()?;
    let orientation = exif.get_field(Tag::Orientation, In::PRIMARY)?.value.get_uint(0)?;
    let orientation = u8::try_from(orientation).ok().filter(|value| (2..=8).contains(value))?;
    // Little-endian; at 8 a directory of one entry: tag 0x0112, SHORT, one value; no further directory.
    Some(vec![b'I', b'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0])
}

#[cfg(test)]
mod tests {
    use super::*;

    const GPS: &[u8] = b"GPSLatitude 47.1";

    /// A block of EXIF with this orientation, followed by a position.
    fn exif(orientation: u8) -> Vec<u8> {
        let mut block = vec![b'I', b'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0];
        block.extend([0; 4]);
        block.extend(GPS);
        block
    }

    fn segment(code: u8, contents: &[u8]) -> Vec<u8> {
        [&[0xFF, code][..], &(contents.len() as u16 + 2).to_be_bytes(), contents].concat()
    }

    fn contains(bytes: &[u8], part: &[u8]) -> bool {
        bytes.windows(part.len()).any(|window| window == part)
    }

    /// A JPEG file with metadata before, between and after its two scans.
    fn jpeg_file(orientation: u8) -> Vec<u8> {
        let exif = [EXIF, &exif(orientation)].concat();
        [
            vec![0xFF, 0xD8],
            segment(0xE0, b"JFIF\0\x01\x02\0\0\x01\0\x01\0\0"),
            segment(0xE1, &exif),
            segment(0xE1, &[b"http://ns.adobe.com/xap/1.0/\0", GPS].concat()),
            segment(0xE2, b"ICC_PROFILE\0\x01\x01profile"),
            segment(0xE2, &[b"MPF\0", GPS].concat()),
            segment(0xEB, &[b"JP", GPS].concat()),
            segment(0xED, &[b"Photoshop 3.0\0", GPS].concat()),
            segment(0xFE, GPS),
            segment(0xDB, &[0; 65]),
            segment(0xC2, &[8, 0, 1, 0, 1, 1, 1, 0x11, 0]),
            segment(0xDA, &[1, 1, 0, 0, 0, 0]),
            vec![1, 2, 0xFF, 0x00, 3, 0xFF, 0xD0, 4],
            segment(0xFE, GPS),
            segment(0xDA, &[1, 1, 0, 1, 63, 0]),
            vec![5, 6],
            vec![0xFF, 0xD9],
            [&b"ftypmp4"[..], GPS].concat(),
        ]
        .concat()
    }

    #[test]
    fn a_jpeg_keeps_its_picture_byte_for_byte_and_nothing_else() {
        let public = public_original(&jpeg_file(1)).unwrap();
        let expected = [
            vec![0xFF, 0xD8],
            segment(0xE0, b"JFIF\0\x01\x02\0\0\x01\0\x01\0\0"),
            segment(0xE2, b"ICC_PROFILE\0\x01\x01profile"),
            segment(0xDB, &[0; 65]),
            segment(0xC2, &[8, 0, 1, 0, 1, 1, 1, 0x11, 0]),
            segment(0xDA, &[1, 1, 0, 0, 0, 0]),
            vec![1, 2, 0xFF, 0x00, 3, 0xFF, 0xD0, 4],
            segment(0xDA, &[1, 1, 0, 1, 63, 0]),
            vec![5, 6, 0xFF, 0xD9],
        ]
        .concat();
        assert_eq!((public.bytes, public.extension), (expected, "jpg"));
    }

    #[test]
    fn a_turned_photo_stays_turned_and_loses_the_rest_of_its_exif() {
        let public = public_original(&jpeg_file(6)).unwrap().bytes;
        assert!(!contains(&public, b"GPS"));
        let at = public.windows(6).position(|window| window == EXIF).unwrap() + 6;
        let read = Reader::new().read_raw(public[at..at + 26].to_vec()).unwrap();
        assert_eq!(read.fields().count(), 1);
        assert_eq!(read.get_field(Tag::Orientation, In::PRIMARY).unwrap().value.get_uint(0), Some(6));
    }

    fn png_chunk(kind: &[u8; 4], contents: &[u8]) -> Vec<u8> {
        PngChunk::new(*kind, contents.to_vec().into()).encoder().bytes().to_vec()
    }

    #[test]
    fn a_png_keeps_the_chunks_of_its_picture() {
        let (header, data, end) = (png_chunk(b"IHDR", &[0; 13]), png_chunk(b"IDAT", b"data"), png_chunk(b"IEND", b""));
        let color = png_chunk(b"gAMA", &[0, 0, 0xB1, 0x8F]);
        let file = [
            PNG,
            &header,
            &color,
            &png_chunk(b"eXIf", &exif(1)),
            &png_chunk(b"tEXt", GPS)[..8 + GPS.len()],
            b"bCRC",
            &png_chunk(b"iTXt", GPS),
            &png_chunk(b"caBX", GPS),
            &data,
            &png_chunk(b"tIME", GPS),
            &end,
            GPS,
        ]
        .concat();
        let public = public_original(&file).unwrap();
        assert_eq!((public.bytes, public.extension), ([PNG, &header, &color, &data, &end].concat(), "png"));
        let turned = [PNG, &header, &png_chunk(b"eXIf", &exif(8)), &data, &end].concat();
        let public = public_original(&turned).unwrap().bytes;
        let kept = png_chunk(b"eXIf", &exif(8)[..26]);
        assert_eq!(public, [PNG, &header, &kept, &data, &end].concat());
    }

    fn riff(parts: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut body = b"WEBP".to_vec();
        parts.iter().for_each(|(id, contents)| chunk(&mut body, *id, contents));
        [&b"RIFF"[..], &(body.len() as u32).to_le_bytes(), &body].concat()
    }

    #[test]
    fn a_webp_keeps_its_picture_and_says_so_in_its_header() {
        let header = |flags: u8| [flags, 0, 0, 0, 9, 0, 0, 9, 0, 0];
        let file = riff(&[
            (b"VP8X", &header(0x2C)),
            (b"ICCP", b"profile"),
            (b"VP8 ", b"picture"),
            (b"EXIF", &exif(1)),
            (b"XMP ", GPS),
            (b"C2PA", GPS),
        ]);
        let public = public_original(&file).unwrap();
        let expected = riff(&[(b"VP8X", &header(0x20)), (b"ICCP", b"profile"), (b"VP8 ", b"picture")]);
        assert_eq!((public.bytes, public.extension), (expected, "webp"));
        let turned = riff(&[(b"VP8X", &header(0x08)), (b"VP8L", b"picture"), (b"EXIF", &exif(3))]);
        let public = public_original(&turned).unwrap().bytes;
        let expected = riff(&[(b"VP8X", &header(0x08)), (b"VP8L", b"picture"), (b"EXIF", &exif(3)[..26])]);
        assert_eq!(public, expected);
        assert_eq!(public_original(&riff(&[(b"ANMF", b"frame")])), Err(NotPublic::Animated));
    }

    #[test]
    fn files_that_are_cut_off_are_refused_wherever_and_never_read_beyond_their_end() {
        let header = [0x0C, 0, 0, 0, 9, 0, 0, 9, 0, 0];
        let webp = riff(&[(b"VP8X", &header), (b"EXIF", &exif(3)), (b"VP8 ", b"pictures")]);
        let png = [PNG, &png_chunk(b"IHDR", &[0; 13]), &png_chunk(b"IEND", b"")].concat();
        let jpeg = jpeg_file(6);
        let end = jpeg.len() - b"ftypmp4".len() - GPS.len();
        for file in [&jpeg[..end], &webp, &png] {
            for length in 0..file.len() {
                assert!(public_original(&file[..length]).is_err(), "{length} of {}", file.len());
            }
            assert!(public_original(file).is_ok());
        }
        assert_eq!(public_original(b"II*\0aaaa"), Err(NotPublic::Tiff));
        assert_eq!(public_original(b"\0\0\0\x18ftypheic"), Err(NotPublic::Heif));
        assert_eq!(public_original(b"GIF89a"), Err(NotPublic::Unknown));
    }
}
