//! EXIF fields that are used, and those that are preserved.

use std::io::Cursor;

use exif::{Context, Exif, In, Reader, Tag, Value};

#[derive(Default)]
pub(super) struct Metadata {
    /// EXIF block with the preserved fields.
    pub(super) preserved: Option<Vec<u8>>,
    pub(super) light_value: Option<f32>,
    pub(super) focal_35mm: Option<f32>,
}

/// Preserved fields: capture settings and rights. An allow list, so that no field can leak the position, serial numbers, the
/// owner's name or maker notes. Orientation is left out because it is applied.
const PRESERVED: [Tag; 13] = [
    Tag::Make,
    Tag::Model,
    Tag::Artist,
    Tag::Copyright,
    Tag::DateTimeOriginal,
    Tag::OffsetTimeOriginal,
    Tag::ExposureTime,
    Tag::FNumber,
    Tag::PhotographicSensitivity,
    Tag::ExposureBiasValue,
    Tag::FocalLength,
    Tag::FocalLengthIn35mmFilm,
    Tag::LensModel,
];

/// Reads an EXIF block; unreadable fields count as missing.
pub(super) fn read(block: &[u8]) -> Metadata {
    let block = block.strip_prefix(b"Exif\0\0").unwrap_or(block);
    let Ok(exif) = Reader::new().read_raw(block.to_vec()) else { return Metadata::default() };
    Metadata { preserved: preserved(&exif), light_value: light_value(&exif), focal_35mm: focal_35mm(&exif) }
}

fn preserved(exif: &Exif) -> Option<Vec<u8>> {
    let mut writer = exif::experimental::Writer::new();
    let mut any = false;
    for field in exif.fields() {
        let is_preserved =
            field.ifd_num == In::PRIMARY && field.tag.context() != Context::Gps && PRESERVED.contains(&field.tag);
        if is_preserved && !matches!(field.value, Value::Unknown(..)) {
            writer.push_field(field);
            any = true;
        }
    }
    let mut block = Cursor::new(Vec::new());
    // A segment holds 64 KiB; a block that does not fit is dropped as hostile.
    (any && writer.write(&mut block, false).is_ok()).then(|| block.into_inner()).filter(|b| b.len() < 60_000)
}

fn light_value(exif: &Exif) -> Option<f32> {
    let number = |tag| match &exif.get_field(tag, In::PRIMARY)?.value {
        Value::Rational(v) => v.first().map(|r| r.to_f32()),
        other => other.get_uint(0).map(|v| v as f32),
    };
    let (time, stop) = (number(Tag::ExposureTime)?, number(Tag::FNumber)?);
    let sensitivity = number(Tag::PhotographicSensitivity)?;
    let value = (stop * stop / time).log2() - (sensitivity / 100.0).log2();
    value.is_finite().then_some(value)
}

fn focal_35mm(exif: &Exif) -> Option<f32> {
    let length = exif.get_field(Tag::FocalLengthIn35mmFilm, In::PRIMARY)?.value.get_uint(0)?;
    // 0 means unknown.
    (length > 0).then_some(length as f32)
}
