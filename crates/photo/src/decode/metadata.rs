//! EXIF: what we use, and what we pass on.

use std::io::Cursor;

use exif::{Context, Exif, In, Reader, Tag, Value};

#[derive(Default)]
pub(super) struct Metadata {
    /// An EXIF block with the fields that may be kept.
    pub(super) kept: Option<Vec<u8>>,
    pub(super) light_value: Option<f32>,
    pub(super) focal_35mm: Option<f32>,
}

/// Fields that tell of the picture and its rights. Position, serial numbers, owner's names, maker's notes and
/// orientation (which is applied) are not among them; a list of what stays cannot forget a new way to give a place away.
const KEPT: [Tag; 13] = [
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

/// Reads an EXIF block; what cannot be read is as if it were not there.
pub(super) fn read(block: &[u8]) -> Metadata {
    let block = block.strip_prefix(b"Exif\0\0").unwrap_or(block);
    let Ok(exif) = Reader::new().read_raw(block.to_vec()) else { return Metadata::default() };
    Metadata { kept: kept(&exif), light_value: light_value(&exif), focal_35mm: focal_35mm(&exif) }
}

fn kept(exif: &Exif) -> Option<Vec<u8>> {
    let mut writer = exif::experimental::Writer::new();
    let mut any = false;
    for field in exif.fields() {
        let is_kept = field.ifd_num == In::PRIMARY && field.tag.context() != Context::Gps && KEPT.contains(&field.tag);
        if is_kept && !matches!(field.value, Value::Unknown(..)) {
            writer.push_field(field);
            any = true;
        }
    }
    let mut block = Cursor::new(Vec::new());
    // A segment holds 64 KiB: a block that would not fit is a hostile one.
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
    let told = exif.get_field(Tag::FocalLengthIn35mmFilm, In::PRIMARY)?.value.get_uint(0)?;
    // 0 means that it is not known.
    (told > 0).then_some(told as f32)
}
