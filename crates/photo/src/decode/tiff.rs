//! TIFF: the directory that is the picture.

mod redirect;

use aerie_picture_format::tiff::{Directory, Tiff, tag};
use aerie_picture_format::{Recognized, Source};
use image::metadata::Orientation;
use image::{DynamicImage, ImageBuffer};
use tiff::ColorType;
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::Tag;
use tiff::{TiffError, TiffResult};

use super::color::{Embedded, Stated};
use super::{DecodeError, MAX_ALLOCATED, Samples, Stored, jpeg, metadata};
use redirect::Redirected;

const XMP: Tag = Tag::Unknown(700);
/// Value of ExtraSamples: colors are multiplied by their opacity.
const ASSOCIATED: u64 = 1;
const UNSPECIFIED: u64 = 0;

/// Tags of the picture that its decoder ignores.
struct Facts {
    photometric: Option<u64>,
    compression: Option<u64>,
    extra: Vec<u64>,
    /// Set for horizontal differencing (a predictor of 2) of pixels that have samples beside their colors.
    has_differences_beside: bool,
    /// Set if the first pixel of a byte is in its lowest bit.
    is_reversed: bool,
    stated: Stated,
}

/// Reads the picture at the directory that was recognized.
pub(super) fn read(bytes: &[u8], recognized: &Recognized) -> Result<Stored, DecodeError> {
    let facts = facts(bytes, recognized.directory).ok().flatten();
    let facts = facts.ok_or_else(|| DecodeError::Damaged("the directory of its picture cannot be read".into()))?;
    if facts.has_differences_beside {
        let what = "a TIFF with compressed channels beside the colors (predictor), which is not supported";
        return Err(DecodeError::unsupported(what));
    }
    if facts.is_reversed && !matches!(facts.compression, None | Some(1)) {
        return Err(DecodeError::unsupported("a compressed TIFF with reversed bits, which is not supported"));
    }
    if let Some(colors) = unsupported_colors(facts.photometric) {
        return Err(DecodeError::unsupported(format!("a TIFF {colors}, which is not supported")));
    }
    let mut limits = Limits::default();
    limits.decoding_buffer_size = MAX_ALLOCATED as usize / 2;
    limits.intermediate_buffer_size = MAX_ALLOCATED as usize / 2;
    limits.ifd_value_size = MAX_ALLOCATED as usize / 16;
    let failed = |error| failure(error, facts.compression);
    let decoder = Decoder::new(Redirected::new(bytes, recognized.directory)).map_err(failed)?;
    let mut decoder = decoder.with_limits(limits);
    let profile = match decoder.find_tag(Tag::IccProfile) {
        Ok(None) => Embedded::None,
        Ok(Some(profile)) => profile.into_u8_vec().map_or(Embedded::Broken, Embedded::Profile),
        Err(_) => Embedded::Broken,
    };
    let mut readings = Vec::new();
    let pixels = pixels(&mut decoder, &facts).map_err(failed)??;
    let orientation = decoder.find_tag(Tag::Orientation).ok().flatten().and_then(|value| value.into_u16().ok());
    if pixels.is_float && !matches!(profile, Embedded::Profile(_)) {
        return Err(DecodeError::unsupported("a floating-point TIFF without a color profile, which is not supported"));
    }
    if pixels.is_clipped {
        readings.push("floating-point numbers above white clipped".to_owned());
    }
    if pixels.has_alpha {
        readings.push("transparency composited onto white".to_owned());
    }
    if pixels.has_unused {
        readings.push("channels beside the colors ignored".to_owned());
    }
    Ok(Stored {
        is_raw: false,
        samples: pixels.samples,
        orientation: orientation
            .and_then(|value| Orientation::from_exif(value.min(255) as u8))
            .unwrap_or(Orientation::NoTransforms),
        profile,
        stated: facts.stated,
        exif: None,
        xmp: decoder.find_tag(XMP).ok().flatten().and_then(|value| value.into_u8_vec().ok()),
        readings,
    })
}

fn facts(bytes: &[u8], directory: u64) -> std::io::Result<Option<Facts>> {
    let mut source = Source::of_bytes(bytes);
    let Some(mut tiff) = Tiff::open(&mut source)? else { return Ok(None) };
    let Some(directory) = tiff.directory(directory)? else { return Ok(None) };
    let number = |tiff: &mut Tiff<'_, '_>, directory: &Directory, tag| tiff.first_number(directory, tag);
    let photometric = number(&mut tiff, &directory, tag::PHOTOMETRIC)?;
    let extra = tiff.numbers(&directory, tag::EXTRA_SAMPLES)?;
    let predictor = number(&mut tiff, &directory, tag::PREDICTOR)?.unwrap_or(1);
    let is_planar = number(&mut tiff, &directory, tag::PLANAR_CONFIGURATION)? == Some(2);
    // The decoder leaves such samples out before it adds the differences.
    let samples = number(&mut tiff, &directory, tag::SAMPLES_PER_PIXEL)?.unwrap_or(1);
    let kept = match photometric {
        Some(2) => {
            if extra.first().is_some_and(|extra| *extra != UNSPECIFIED) {
                4
            } else {
                3
            }
        }
        _ => u64::MAX,
    };
    Ok(Some(Facts {
        photometric,
        compression: number(&mut tiff, &directory, tag::COMPRESSION)?,
        has_differences_beside: predictor != 1 && !is_planar && samples > kept,
        is_reversed: number(&mut tiff, &directory, tag::FILL_ORDER)? == Some(2),
        extra,
        stated: metadata::color_of(&mut tiff, &directory)?,
    }))
}

/// Names colors that cannot be read.
fn unsupported_colors(photometric: Option<u64>) -> Option<&'static str> {
    Some(match photometric? {
        3 => "with a color palette",
        8..=10 => "in CIE L*a*b* colors",
        32844 | 32845 => "in LogLuv colors",
        _ => return None,
    })
}

fn failure(error: TiffError, compression: Option<u64>) -> DecodeError {
    let compression = match compression {
        Some(2 | 3) => "fax",
        Some(6) => "old JPEG",
        Some(34712) => "JPEG 2000",
        Some(34925) => "LZMA",
        Some(50000) => "Zstandard",
        Some(50001) => "WebP",
        Some(50002 | 52546) => "JPEG XL",
        _ => "",
    };
    match error {
        TiffError::UnsupportedError(_) if !compression.is_empty() => {
            DecodeError::unsupported(format!("a TIFF with {compression} compression, which is not supported"))
        }
        TiffError::UnsupportedError(what) => DecodeError::unsupported(format!("a TIFF that is not supported ({what})")),
        TiffError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => DecodeError::Truncated,
        TiffError::LimitsExceeded => DecodeError::Damaged("it needs too much memory".into()),
        other => DecodeError::Damaged(other.to_string()),
    }
}

/// Decoded pixels.
struct Pixels {
    samples: Samples,
    is_float: bool,
    /// Set if samples above white were clipped.
    is_clipped: bool,
    /// Set if transparent pixels were composited onto white.
    has_alpha: bool,
    /// Set if extra channels other than transparency were left out.
    has_unused: bool,
}

fn pixels(decoder: &mut Decoder<Redirected<'_>>, facts: &Facts) -> TiffResult<Result<Pixels, DecodeError>> {
    let (width, height) = decoder.dimensions()?;
    let color = decoder.colortype()?;
    let mut buffer = DecodingResult::U8(Vec::new());
    let layout = decoder.read_image_to_buffer(&mut buffer)?;
    if buffer.as_buffer(0).as_bytes().len() < layout.complete_len {
        return Err(TiffError::LimitsExceeded);
    }
    let unsupported =
        |what: &str| Ok(Err(DecodeError::unsupported(format!("a TIFF with {what}, which is not supported"))));
    let is_float = matches!(buffer, DecodingResult::F32(_));
    let is_clipped = matches!(&buffer, DecodingResult::F32(floats) if floats.iter().any(|v| *v > 1.0));
    let count = width as usize * height as usize;
    let samples: Vec<u16> = match buffer {
        DecodingResult::U8(bits) if color == ColorType::Gray(1) => {
            let row = (width as usize).div_ceil(8);
            let shift = |x: usize| if facts.is_reversed { x % 8 } else { 7 - x % 8 };
            let bit = |x: usize, row: &[u8]| if row[x / 8] >> shift(x) & 1 == 1 { u16::MAX } else { 0 };
            bits.chunks_exact(row).flat_map(|row| (0..width as usize).map(move |x| bit(x, row))).collect()
        }
        _ if color.bit_depth() < 8 => return unsupported("fewer than 8 bits per sample"),
        DecodingResult::U8(bytes) => bytes.into_iter().map(|v| u16::from(v) * 257).collect(),
        DecodingResult::U16(words) => words,
        DecodingResult::F32(floats) => floats.into_iter().map(|v| (v.clamp(0.0, 1.0) * 65_535.0) as u16).collect(),
        DecodingResult::F16(_) | DecodingResult::F64(_) => return unsupported("16- or 64-bit floating-point numbers"),
        _ => return unsupported("signed or 32-bit numbers"),
    };
    let channels = match color {
        ColorType::Gray(_) => 1,
        ColorType::Multiband { num_samples, .. } => usize::from(num_samples),
        ColorType::RGB(_) | ColorType::YCbCr(_) => 3,
        ColorType::RGBA(_) | ColorType::CMYK(_) => 4,
        ColorType::CMYKA(_) => 5,
        _ => return unsupported("unusual colors"),
    };
    if samples.len() < count * channels {
        return Ok(Err(DecodeError::Truncated));
    }
    // Planes one after the other become pixels.
    let samples = if layout.planes > 1 {
        (0..count * channels).map(|i| samples[i % channels * count + i / channels]).collect()
    } else {
        samples
    };
    let is_gray = matches!(color, ColorType::Gray(_) | ColorType::Multiband { .. });
    let colors = if is_gray { 1 } else { channels.min(if matches!(color, ColorType::RGBA(_)) { 3 } else { 4 }) };
    let has_alpha = channels > colors && facts.extra.first().is_none_or(|extra| *extra != UNSPECIFIED);
    let is_associated = facts.extra.first() == Some(&ASSOCIATED);
    let pixel = samples.chunks_exact(channels).take(count);
    // Multiplied colors lie on black: white is added. Others are put onto white.
    let on_white = |v: u16, alpha: u16| {
        let (v, a) = (u32::from(v), u32::from(alpha));
        if is_associated {
            (v + 65_535 - a).min(65_535) as u16
        } else {
            ((v * a + 65_535 * (65_535 - a) + 32_767) / 65_535) as u16
        }
    };
    let flat = |v: u16, pixel: &[u16]| if has_alpha { on_white(v, pixel[colors]) } else { v };
    let gray = |pixels: Vec<u16>| ImageBuffer::from_raw(width, height, pixels).map(DynamicImage::ImageLuma16);
    let rgb = |pixels: Vec<u16>| ImageBuffer::from_raw(width, height, pixels).map(DynamicImage::ImageRgb16);
    let image = match color {
        ColorType::CMYK(_) | ColorType::CMYKA(_) => {
            let inks = pixel.map(|p| [p[0], p[1], p[2], p[3]]).collect();
            let samples = Samples::Cmyk { width, height, inks };
            return Ok(Ok(Pixels { samples, is_float, is_clipped, has_alpha: false, has_unused: channels > 4 }));
        }
        ColorType::YCbCr(8) if facts.compression == Some(7) => rgb(pixel
            .flat_map(|p| jpeg::rgb_of_ycc([p[0], p[1], p[2]].map(|v| (v / 257) as u8)).map(|v| u16::from(v) * 257))
            .collect()),
        ColorType::YCbCr(_) => return unsupported("YCbCr colors that are not JPEG-compressed"),
        _ if is_gray => gray(pixel.map(|p| flat(p[0], p)).collect()),
        _ => rgb(pixel.flat_map(|p| [p[0], p[1], p[2]].map(|v| flat(v, p))).collect()),
    };
    let has_unused = channels > colors + usize::from(has_alpha);
    let image = image.ok_or(TiffError::IntSizeError)?;
    Ok(Ok(Pixels { samples: Samples::Image(image), is_float, is_clipped, has_alpha, has_unused }))
}
