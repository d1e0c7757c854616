//! Files of the ISO base media file format (ISO/IEC 14496-12), by their brands: HEIF, AVIF, Canon raw, videos.

use crate::format::Unsupported;
use crate::raw;
use crate::source::Source;

/// Greatest number of bytes of brands that are read.
const MAX_BRANDS: usize = 4096;

pub(crate) const CONVERT: &str = "JPEG, PNG, WebP and TIFF images are supported; convert it to JPEG (phones: choose \"Most \
    Compatible\" in the camera's settings)";

/// Names such a file; `None` for others.
pub(crate) fn name(source: &mut Source<'_>, start: &[u8]) -> std::io::Result<Option<Unsupported>> {
    let video = || Some(Unsupported::new("a video"));
    let Some((length, kind)) = start.split_first_chunk::<4>().and_then(|(l, rest)| Some((l, rest.first_chunk::<4>()?)))
    else {
        return Ok(None);
    };
    match kind {
        b"ftyp" => {}
        // QuickTime files of old cameras begin with other boxes.
        b"moov" | b"mdat" | b"wide" | b"pnot" => return Ok(video()),
        b"jP  " => return Ok(Some(Unsupported::new("a JPEG 2000 image"))),
        b"JXL " => return Ok(Some(Unsupported::new("a JPEG XL image"))),
        _ => return Ok(None),
    }
    let length = (u32::from_be_bytes(*length) as usize).clamp(16, MAX_BRANDS);
    let brands = source.at(8, length - 8)?;
    let mut brands = brands.as_chunks::<4>().0.iter();
    let major = brands.next().copied().unwrap_or_default();
    // After the major brand and its version.
    let compatible: Vec<[u8; 4]> = brands.skip(1).copied().collect();
    Ok(still(&major).or_else(|| of_structure(&major, &compatible)).or_else(video))
}

/// Names what a major brand alone says.
fn still(brand: &[u8; 4]) -> Option<Unsupported> {
    Some(match brand {
        b"avif" | b"avis" => Unsupported::new("an AVIF image").or(CONVERT),
        b"heic" | b"heix" | b"heim" | b"heis" => Unsupported::new("a HEIC image").or(CONVERT),
        b"hevc" | b"hevx" | b"hevm" | b"hevs" => Unsupported::new("a HEIC image sequence").or(CONVERT),
        b"crx " => raw::refusal("Canon CR3"),
        b"jpeg" | b"jpgs" => Unsupported::new("a HEIF image with JPEG inside").or(CONVERT),
        b"j2ki" => Unsupported::new("a HEIF image with JPEG 2000 inside").or(CONVERT),
        _ => return None,
    })
}

/// Names a file whose major brand says only how it is structured.
fn of_structure(major: &[u8; 4], compatible: &[[u8; 4]]) -> Option<Unsupported> {
    let is_image =
        |brand: &[u8; 4]| matches!(brand, b"mif1" | b"mif2" | b"msf1" | b"miaf" | b"1pic" | b"MiHB" | b"MiHE");
    // A video may list an image brand, because it has a cover.
    is_image(major).then(|| {
        let named = compatible.iter().find_map(still);
        named.unwrap_or_else(|| Unsupported::new("a HEIF image").or(CONVERT))
    })
}
