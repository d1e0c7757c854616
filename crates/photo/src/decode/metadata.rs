//! EXIF fields that are used, and those that are preserved.

use std::io::Cursor;

use aerie_picture_format::Source;
use aerie_picture_format::tiff::{Directory, Tiff, tag};
use exif::{Context, Exif, In, Reader, Tag, Value};

use super::color::{Primaries, Stated};

#[derive(Default)]
pub(super) struct Metadata {
    /// EXIF block with the preserved fields.
    pub(super) preserved: Option<Vec<u8>>,
    pub(super) light_value: Option<f32>,
    pub(super) focal_35mm: Option<f32>,
    /// Make and model.
    pub(super) camera: String,
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
    let text = |tag| exif.get_field(tag, In::PRIMARY).map(|field| field.display_value().to_string());
    let camera = [Tag::Make, Tag::Model].into_iter().filter_map(text).collect::<Vec<_>>().join(" ");
    Metadata { preserved: preserved(&exif), light_value: light_value(&exif), focal_35mm: focal_35mm(&exif), camera }
}

/// Reads what an Exif block says about colors.
pub(super) fn color(block: &[u8]) -> Stated {
    let block = block.strip_prefix(b"Exif\0\0").unwrap_or(block);
    let mut source = Source::of_bytes(block);
    let mut read = || -> std::io::Result<Option<Stated>> {
        let Some(mut tiff) = Tiff::open(&mut source)? else { return Ok(None) };
        let Some(first) = tiff.directory(tiff.first)? else { return Ok(None) };
        color_of(&mut tiff, &first).map(Some)
    };
    read().ok().flatten().unwrap_or(Stated::Nothing)
}

/// Reads what a directory, and the Exif directory in it, say about colors (Exif 2.32, DCF 2.0).
pub(super) fn color_of(tiff: &mut Tiff<'_, '_>, first: &Directory) -> std::io::Result<Stated> {
    const ADOBE_RGB: u64 = 2;
    const UNCALIBRATED: u64 = 65535;
    let primaries = primaries(tiff, first)?;
    let exif = tiff.first_number(first, tag::EXIF_IFD)?;
    let exif = exif.map(|at| tiff.directory(at)).transpose()?.flatten();
    let Some(exif) = exif else {
        return Ok(primaries.map_or(Stated::Nothing, |primaries| stated_primaries(primaries, None)));
    };
    let space = tiff.first_number(&exif, tag::COLOR_SPACE)?;
    let interoperability = tiff.first_number(&exif, tag::INTEROPERABILITY_IFD)?;
    let interoperability = interoperability.map(|at| tiff.directory(at)).transpose()?.flatten();
    let index = interoperability.map(|directory| tiff.text(&directory, INTEROPERABILITY_INDEX)).transpose()?;
    let is_adobe = index.is_some_and(|index| index.trim() == "R03");
    let gamma = tiff.fractions(&exif, tag::GAMMA)?.first().copied();
    Ok(match space {
        Some(ADOBE_RGB) => Stated::AdobeRgb,
        Some(UNCALIBRATED) if is_adobe => Stated::AdobeRgb,
        Some(UNCALIBRATED) => primaries.map_or(Stated::Uncalibrated, |primaries| stated_primaries(primaries, gamma)),
        // Values of some cameras that name no color space of the standard are not evidence of another one.
        _ => Stated::Nothing,
    })
}

const INTEROPERABILITY_INDEX: u16 = 1;

fn primaries(tiff: &mut Tiff<'_, '_>, directory: &Directory) -> std::io::Result<Option<Primaries>> {
    let white = tiff.fractions(directory, tag::WHITE_POINT)?;
    let colors = tiff.fractions(directory, tag::PRIMARY_CHROMATICITIES)?;
    let ([wx, wy], [rx, ry, gx, gy, bx, by]) = (&white[..], &colors[..]) else { return Ok(None) };
    Ok(Some(Primaries { white: [*wx, *wy], red: [*rx, *ry], green: [*gx, *gy], blue: [*bx, *by] }))
}

fn stated_primaries(primaries: Primaries, gamma: Option<f64>) -> Stated {
    Stated::Gamma { gamma, primaries: Some(primaries), origin: "the primaries in EXIF" }
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
