//! JPEG with an sRGB profile and an account of what was done.

use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use moxcms::ColorProfile;

/// Of an enhanced photo: differences from the pixels given stay out of sight.
const QUALITY: u8 = 92;
/// Longer side of a thumbnail, pixels.
pub const THUMBNAIL_SIDE: usize = 640;

/// IPTC digital source type of a photo with small corrections by algorithm.
pub const DIGITAL_SOURCE_TYPE: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced";

/// Pixels ready to be written, 8 bits a channel, sRGB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Red, green, blue, row by row.
    pub pixels: Vec<u8>,
}

/// A picture that could not be written as JPEG.
#[derive(Debug, thiserror::Error)]
#[error("the picture cannot be encoded: {0}")]
pub struct EncodeError(String);

/// Encodes a picture with its description, and the EXIF fields that are kept.
///
/// # Errors
/// When a side is over 65535 pixels, or the description over 60 kB.
pub fn encode(picture: &Finished, description: &str, exif: Option<&[u8]>) -> Result<Vec<u8>, EncodeError> {
    encode_at(picture, QUALITY, SamplingFactor::R_4_4_4, description, exif)
}

/// Encodes the picture at the size of a thumbnail.
///
/// # Errors
/// As [`encode`].
pub fn thumbnail(picture: &Finished, description: &str) -> Result<Vec<u8>, EncodeError> {
    let wide = picture.pixels.chunks_exact(3).map(|p| [p[0], p[1], p[2]].map(|v| u16::from(v) * 257)).collect();
    let small = crate::Photo::new(picture.width, picture.height, wide).reduced(THUMBNAIL_SIDE);
    let pixels = small.pixels.iter().flat_map(|p| crate::colour::encoded(*p).map(|v| (v / 257) as u8)).collect();
    let small = Finished { width: small.width, height: small.height, pixels };
    encode_at(&small, 85, SamplingFactor::R_4_2_0, description, None)
}

fn encode_at(
    picture: &Finished,
    quality: u8,
    sampling: SamplingFactor,
    description: &str,
    exif: Option<&[u8]>,
) -> Result<Vec<u8>, EncodeError> {
    let failed = |e: jpeg_encoder::EncodingError| EncodeError(e.to_string());
    let side = |v: usize| u16::try_from(v).map_err(|_| EncodeError(format!("a side of {v} pixels is too long")));
    let mut bytes = Vec::with_capacity(picture.pixels.len() / 4);
    let mut encoder = Encoder::new(&mut bytes, quality);
    encoder.set_sampling_factor(sampling);
    if let Some(exif) = exif {
        encoder.add_exif_metadata(exif).map_err(failed)?;
    }
    encoder.add_app_segment(1, xmp(description)).map_err(failed)?;
    let mut profile = ColorProfile::new_srgb().encode().map_err(|e| EncodeError(format!("{e:?}")))?;
    // The header's time of making (ICC.1, bytes 24 to 35) would make every file differ: the day of the standard instead.
    if let Some(made) = profile.get_mut(24..36) {
        made.copy_from_slice(&[0x07, 0xCF, 0, 10, 0, 18, 0, 0, 0, 0, 0, 0]);
    }
    encoder.add_icc_profile(&profile).map_err(failed)?;
    encoder.encode(&picture.pixels, side(picture.width)?, side(picture.height)?, ColorType::Rgb).map_err(failed)?;
    Ok(bytes)
}

/// An XMP packet (Adobe XMP part 3): the IPTC digital source type, and the account as description.
fn xmp(description: &str) -> Vec<u8> {
    let text = description.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    format!(
        "http://ns.adobe.com/xap/1.0/\0<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\
         <x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
         <rdf:Description rdf:about=\"\" xmlns:Iptc4xmpExt=\"http://iptc.org/std/Iptc4xmpExt/2008-02-29/\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" \
         Iptc4xmpExt:DigitalSourceType=\"{DIGITAL_SOURCE_TYPE}\" xmp:CreatorTool=\"Aerie {version}\">\
         <dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">{text}</rdf:li></rdf:Alt></dc:description>\
         </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end=\"r\"?>",
        version = env!("CARGO_PKG_VERSION"),
    )
    .into_bytes()
}
