//! Files of the ISO base media file format (ISO/IEC 14496-12), by their brands: HEIF, AVIF, Canon raw, videos.

use crate::format::{CONVERT, Format, Recognized, Refusal, Unsupported};
use crate::source::Source;
use crate::{heif, raw};

/// Maximum size of the brands, bytes.
const MAX_BRANDS: usize = 4096;

/// Brands of files without moving pictures: songs, books and voices.
const SOUNDS: [&[u8; 4]; 5] = [b"M4A ", b"M4B ", b"M4P ", b"F4A ", b"F4B "];

/// Meaning of a brand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brand {
    /// Still images of a format.
    Still(Format),
    /// Image sequences of a format, perhaps beside a still image.
    Sequence(Format),
    /// A structure of the file that leaves open how its images are coded.
    Structure,
    /// Something that is not supported.
    Other(&'static str),
}

/// Recognizes such a file; `None` for others.
pub(crate) fn recognized(source: &mut Source<'_>, start: &[u8]) -> Result<Option<Recognized>, Refusal> {
    let Some((length, kind)) = start.split_first_chunk::<4>().and_then(|(l, rest)| Some((l, rest.first_chunk::<4>()?)))
    else {
        return Ok(None);
    };
    let video = || Unsupported::new("a video");
    match kind {
        b"ftyp" => {}
        // QuickTime files of old cameras begin with other boxes.
        b"moov" | b"mdat" | b"wide" | b"pnot" => return Err(video().into()),
        b"jP  " => return Err(Unsupported::new("a JPEG 2000 image").into()),
        b"JXL " => return Err(Unsupported::new("a JPEG XL image").into()),
        _ => return Ok(None),
    }
    let length = (u32::from_be_bytes(*length) as usize).clamp(16, MAX_BRANDS);
    let brands = source.at(8, length - 8)?;
    let mut brands = brands.as_chunks::<4>().0.iter();
    let major = brands.next().copied().unwrap_or_default();
    if &major == b"crx " {
        return Err(raw::refusal("Canon CR3").into());
    }
    // A video may list an image brand, because it has a cover.
    let Some(brand) = brand(&major) else {
        return Err(if SOUNDS.contains(&&major) { Unsupported::new("a sound file") } else { video() }.into());
    };
    // After the major brand and its version.
    let compatible = brands.skip(1).filter_map(self::brand);
    let named = std::iter::once(brand).chain(compatible).find(|brand| *brand != Brand::Structure);
    if let Brand::Other(what) = brand {
        return Err(Unsupported::new(what).or(CONVERT).into());
    }
    let is_sequence = matches!(brand, Brand::Sequence(_)) || &major == b"msf1";
    let format = match named {
        Some(Brand::Still(format) | Brand::Sequence(format)) => format,
        _ => Format::Heic,
    };
    let missing = |is_truncated: bool| match named {
        Some(Brand::Still(format)) if is_truncated => Refusal::Truncated(format),
        Some(Brand::Still(format)) => Refusal::Unreadable(format),
        Some(Brand::Sequence(Format::Avif)) => {
            Unsupported::new("an AVIF image sequence without a still image").or(CONVERT).into()
        }
        Some(Brand::Sequence(_)) => Unsupported::new("a HEIC image sequence without a still image").or(CONVERT).into(),
        Some(Brand::Other(what)) => Unsupported::new(what).or(CONVERT).into(),
        Some(Brand::Structure) | None => Unsupported::new("a HEIF image").or(CONVERT).into(),
    };
    heif::recognized(source, is_sequence, format, missing).map(Some)
}

fn brand(brand: &[u8; 4]) -> Option<Brand> {
    Some(match brand {
        b"heic" | b"heix" | b"heim" | b"heis" => Brand::Still(Format::Heic),
        b"hevc" | b"hevx" | b"hevm" | b"hevs" => Brand::Sequence(Format::Heic),
        b"mif1" | b"mif2" | b"msf1" | b"miaf" | b"1pic" | b"MiHB" | b"MiHE" => Brand::Structure,
        b"avif" => Brand::Still(Format::Avif),
        b"avis" => Brand::Sequence(Format::Avif),
        b"jpeg" | b"jpgs" => Brand::Other("a HEIF image with JPEG inside"),
        b"j2ki" => Brand::Other("a HEIF image with JPEG 2000 inside"),
        _ => return None,
    })
}
