//! Embeds the sRGB profile, XMP, IPTC and EXIF, each as the file format has it.

use exif::{In, Reader, Tag, Value};
use img_parts::jpeg::{Jpeg, JpegSegment, markers};
use img_parts::png::{Png, PngChunk};
use img_parts::riff::{RiffChunk, RiffContent};
use img_parts::webp::WebP;
use img_parts::{Bytes, ImageEXIF, ImageICC};
use moxcms::ColorProfile;

use super::error::EncodeError;
use super::format::Format;
use crate::report::Disclosure;

/// Greatest length of an XMP packet: a JPEG segment holds 64 KiB.
const MAX_XMP: usize = 60_000;

/// Adds metadata to an encoded file; `panorama` has names and values of its tags.
pub(super) fn embed(
    bare: Vec<u8>,
    format: Format,
    disclosure: &Disclosure,
    steps: &[String],
    (exif, panorama): (Option<&[u8]>, &[(&str, String)]),
) -> Result<Vec<u8>, EncodeError> {
    let rights = exif.map(rights).unwrap_or_default();
    let xmp = xmp(disclosure, steps, &rights, panorama);
    if xmp.len() > MAX_XMP {
        return Err(EncodeError(format!("its metadata have {} bytes, more than a file can hold", xmp.len())));
    }
    let (profile, bare) = (Bytes::from(srgb()?), Bytes::from(bare));
    let exif = exif.map(Bytes::copy_from_slice);
    let mut bytes = Vec::with_capacity(bare.len() + xmp.len() + 4096);
    match format {
        Format::Jpeg => {
            let mut jpeg = Jpeg::from_bytes(bare).map_err(EncodeError::new)?;
            jpeg.set_icc_profile(Some(profile));
            jpeg.set_exif(exif);
            let packet = [b"http://ns.adobe.com/xap/1.0/\0".as_slice(), xmp.as_bytes()].concat();
            let segments = jpeg.segments_mut();
            // After the JFIF and EXIF segments, which readers expect first.
            let at = segments.iter().take_while(|s| s.marker() == markers::APP0 || is_exif(s)).count();
            segments.insert(at, JpegSegment::new_with_contents(markers::APP1, packet.into()));
            segments.insert(at + 1, JpegSegment::new_with_contents(markers::APP13, iptc(disclosure, &rights).into()));
            jpeg.encoder().write_to(&mut bytes).map_err(EncodeError::new)?;
        }
        Format::Png => {
            let mut png = Png::from_bytes(bare).map_err(EncodeError::new)?;
            png.set_icc_profile(Some(profile));
            png.set_exif(exif);
            // iTXt: keyword, no compression, no language, no translated keyword.
            let text = [b"XML:com.adobe.xmp\0\0\0\0\0".as_slice(), xmp.as_bytes()].concat();
            png.chunks_mut().insert(1, PngChunk::new(*b"iTXt", text.into()));
            png.encoder().write_to(&mut bytes).map_err(EncodeError::new)?;
        }
        Format::Webp => {
            let mut webp = WebP::from_bytes(bare).map_err(EncodeError::new)?;
            let mut chunk = |id, data| webp.chunks_mut().push(RiffChunk::new(id, RiffContent::Data(data)));
            exif.into_iter().for_each(|exif| chunk(*b"EXIF", exif));
            chunk(*b"XMP ", Bytes::from(xmp));
            // Last, because it writes the header that lists the other chunks.
            webp.set_icc_profile(Some(profile));
            webp.encoder().write_to(&mut bytes).map_err(EncodeError::new)?;
        }
    }
    Ok(bytes)
}

fn is_exif(segment: &JpegSegment) -> bool {
    segment.marker() == markers::APP1 && segment.contents().starts_with(b"Exif\0\0")
}

/// The sRGB profile, with the same bytes every time.
fn srgb() -> Result<Vec<u8>, EncodeError> {
    let profile = ColorProfile::new_srgb().encode().map_err(|e| EncodeError(format!("{e:?}")))?;
    let mut profile = aligned(&profile).ok_or_else(|| EncodeError("the color profile is incomplete".into()))?;
    // The creation time in the header (ICC.1, bytes 24 to 35) would make every file differ: use the date of the standard.
    profile[24..36].copy_from_slice(&[0x07, 0xCF, 0, 10, 0, 18, 0, 0, 0, 0, 0, 0]);
    // Strict readers, libpng among them, want D50 as ICC.1 rounds it.
    profile[68..80].copy_from_slice(&[0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D]);
    Ok(profile)
}

/// The same profile with each of its elements at a multiple of four bytes, as ICC.1 wants it; `None` if it is cut off.
fn aligned(profile: &[u8]) -> Option<Vec<u8>> {
    const HEADER: usize = 128;
    let number = |at: usize| {
        let bytes = profile.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(u32::from_be_bytes(bytes)).ok()
    };
    let entries = number(HEADER)?;
    let mut out = profile.get(..HEADER + 4 + 12 * entries)?.to_vec();
    for entry in (0..entries).map(|i| HEADER + 4 + 12 * i) {
        let (from, length) = (number(entry + 4)?, number(entry + 8)?);
        let to = u32::try_from(out.len()).ok()?;
        out[entry + 4..entry + 8].copy_from_slice(&to.to_be_bytes());
        out.extend(profile.get(from..from.checked_add(length)?)?);
        out.resize(out.len().next_multiple_of(4), 0);
    }
    let size = u32::try_from(out.len()).ok()?;
    out[..4].copy_from_slice(&size.to_be_bytes());
    Some(out)
}

/// Author and copyright from EXIF.
#[derive(Debug, Default)]
struct Rights {
    artist: Option<String>,
    copyright: Option<String>,
}

fn rights(block: &[u8]) -> Rights {
    let Ok(exif) = Reader::new().read_raw(block.to_vec()) else { return Rights::default() };
    let text = |tag| {
        let Value::Ascii(lines) = &exif.get_field(tag, In::PRIMARY)?.value else { return None };
        let text = String::from_utf8_lossy(lines.first()?).trim().to_owned();
        let text: String = text.chars().filter(|c| !c.is_control()).take(200).collect();
        (!text.is_empty()).then_some(text)
    };
    Rights { artist: text(Tag::Artist), copyright: text(Tag::Copyright) }
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    // XML has neither control characters nor the last two code points of the first plane.
    text.chars().filter(|c| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}')).collect()
}

/// XMP packet (Adobe XMP part 3): IPTC digital source type, description, rights, processing steps as history, and the tags of a
/// panorama.
fn xmp(disclosure: &Disclosure, steps: &[String], rights: &Rights, panorama: &[(&str, String)]) -> String {
    let alternative = |name: &str, text: &str| {
        format!("<{name}><rdf:Alt><rdf:li xml:lang=\"x-default\">{}</rdf:li></rdf:Alt></{name}>", escaped(text))
    };
    let mut inside = alternative("dc:description", &disclosure.text);
    if let Some(artist) = &rights.artist {
        inside += &format!("<dc:creator><rdf:Seq><rdf:li>{}</rdf:li></rdf:Seq></dc:creator>", escaped(artist));
    }
    if let Some(copyright) = &rights.copyright {
        inside += &alternative("dc:rights", copyright);
    }
    if !steps.is_empty() {
        let step = |s: &String| {
            format!(
                "<rdf:li stEvt:action=\"edited\" stEvt:softwareAgent=\"Aerie\" stEvt:parameters=\"{}\"/>",
                escaped(s)
            )
        };
        let steps: String = steps.iter().map(step).collect();
        inside += &format!("<xmpMM:History><rdf:Seq>{steps}</rdf:Seq></xmpMM:History>");
    }
    let mut tags = String::new();
    if !panorama.is_empty() {
        tags += "xmlns:GPano=\"http://ns.google.com/photos/1.0/panorama/\" ";
    }
    for (name, value) in panorama {
        tags += &format!("GPano:{name}=\"{}\" ", escaped(value));
    }
    format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\
         <x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
         <rdf:Description rdf:about=\"\" xmlns:Iptc4xmpExt=\"http://iptc.org/std/Iptc4xmpExt/2008-02-29/\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" \
         xmlns:xmpMM=\"http://ns.adobe.com/xap/1.0/mm/\" xmlns:stEvt=\"http://ns.adobe.com/xap/1.0/sType/ResourceEvent#\" \
         {tags}Iptc4xmpExt:DigitalSourceType=\"{source}\" xmp:CreatorTool=\"Aerie {version}\">{inside}\
         </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end=\"r\"?>",
        source = disclosure.digital_source_type,
        version = env!("CARGO_PKG_VERSION"),
    )
}

/// IPTC-IIM 4.2 in a Photoshop resource block: caption, author and copyright, for readers without XMP support.
fn iptc(disclosure: &Disclosure, rights: &Rights) -> Vec<u8> {
    let mut data = Vec::new();
    let mut set = |record: u8, number: u8, value: &[u8]| {
        data.extend_from_slice(&[0x1C, record, number]);
        data.extend_from_slice(&(value.len() as u16).to_be_bytes());
        data.extend_from_slice(value);
    };
    // UTF-8 (ISO 2022).
    set(1, 90, b"\x1b%G");
    set(2, 0, &[0, 4]);
    set(2, 65, b"Aerie");
    if let Some(artist) = &rights.artist {
        set(2, 80, clipped(artist, 32));
    }
    if let Some(copyright) = &rights.copyright {
        set(2, 116, clipped(copyright, 128));
    }
    set(2, 120, clipped(&disclosure.text, 2000));
    let mut block = b"Photoshop 3.0\x008BIM\x04\x04\0\0".to_vec();
    block.extend_from_slice(&(data.len() as u32).to_be_bytes());
    block.extend_from_slice(&data);
    if data.len() % 2 == 1 {
        block.push(0);
    }
    block
}

/// Truncates to a number of bytes at a character boundary.
fn clipped(text: &str, most: usize) -> &[u8] {
    let end = (0..=most.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    &text.as_bytes()[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_readers_accept_the_color_profile() {
        let profile = srgb().unwrap();
        let number = |at: usize| u32::from_be_bytes(profile[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!(number(0), profile.len());
        assert_eq!([number(68), number(72), number(76)], [0xF6D6, 0x1_0000, 0xD32D], "the D50 of ICC.1");
        assert!((0..number(128)).all(|i| number(132 + 12 * i + 4) % 4 == 0), "elements at multiples of four bytes");
        let read = ColorProfile::new_from_slice(&profile).unwrap();
        assert_eq!((read.red_trc, read.red_colorant), {
            let meant = ColorProfile::new_from_slice(&ColorProfile::new_srgb().encode().unwrap()).unwrap();
            (meant.red_trc, meant.red_colorant)
        });
    }
}
