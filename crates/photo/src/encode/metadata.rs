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

/// Adds metadata to an encoded file.
pub(super) fn embed(
    bare: Vec<u8>,
    format: Format,
    disclosure: &Disclosure,
    steps: &[String],
    exif: Option<&[u8]>,
) -> Result<Vec<u8>, EncodeError> {
    let rights = exif.map(rights).unwrap_or_default();
    let xmp = xmp(disclosure, steps, &rights);
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
    let mut profile = ColorProfile::new_srgb().encode().map_err(|e| EncodeError(format!("{e:?}")))?;
    // The creation time in the header (ICC.1, bytes 24 to 35) would make every file differ: use the date of the standard.
    if let Some(created) = profile.get_mut(24..36) {
        created.copy_from_slice(&[0x07, 0xCF, 0, 10, 0, 18, 0, 0, 0, 0, 0, 0]);
    }
    Ok(profile)
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

/// XMP packet (Adobe XMP part 3): IPTC digital source type, description, rights, and processing steps as history.
fn xmp(disclosure: &Disclosure, steps: &[String], rights: &Rights) -> String {
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
    format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\
         <x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
         <rdf:Description rdf:about=\"\" xmlns:Iptc4xmpExt=\"http://iptc.org/std/Iptc4xmpExt/2008-02-29/\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" \
         xmlns:xmpMM=\"http://ns.adobe.com/xap/1.0/mm/\" xmlns:stEvt=\"http://ns.adobe.com/xap/1.0/sType/ResourceEvent#\" \
         Iptc4xmpExt:DigitalSourceType=\"{source}\" xmp:CreatorTool=\"Aerie {version}\">{inside}\
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
