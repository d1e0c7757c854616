//! What the numbers of a file mean, and their conversion to sRGB. An ICC profile counts more than what the format or EXIF state.

use image::{DynamicImage, ImageBuffer};
use moxcms::{
    Chromaticity, CicpColorPrimaries, CicpProfile, ColorPrimaries, ColorProfile, DataColorSpace, Layout,
    MatrixCoefficients, ProfileText, ToneReprCurve, TransferCharacteristics, TransformOptions, XyY,
};

use super::DecodeError;
use super::samples::Channels;

/// Code values of transfer functions for HDR displays (ITU-T H.273): PQ and HLG.
const HDR: [(u8, &str); 2] = [(16, "PQ"), (18, "HLG")];
/// Difference of 16-bit values below which nothing is converted: rounding of variants of sRGB.
const ROUNDING: u16 = 400;
/// Gamma of PNG files that mean sRGB.
const SRGB_GAMMA: f64 = 2.2;

/// An embedded ICC profile.
pub(super) enum Embedded {
    None,
    /// Incomplete or unreadable.
    Broken,
    Profile(Vec<u8>),
}

/// Color space that a file states without an ICC profile.
pub(super) enum Stated {
    /// Nothing, or sRGB.
    Nothing,
    /// EXIF names Adobe RGB.
    AdobeRgb,
    /// EXIF says that the numbers are not sRGB, but not what they are.
    Uncalibrated,
    /// Code points of ITU-T H.273. They count more than a profile; `without` is what else is stated, if they say nothing.
    Cicp { primaries: u8, transfer: u8, without: Box<Stated> },
    /// Exponent of the display (sRGB's curve if absent) and primaries (those of sRGB if absent).
    Gamma { gamma: Option<f64>, primaries: Option<Primaries>, origin: &'static str },
}

/// White point and primaries, CIE 1931 x and y.
pub(super) struct Primaries {
    pub(super) white: [f64; 2],
    pub(super) red: [f64; 2],
    pub(super) green: [f64; 2],
    pub(super) blue: [f64; 2],
}

impl Primaries {
    fn are_srgb(&self) -> bool {
        let pairs = [
            (self.white, [0.3127, 0.329]),
            (self.red, [0.64, 0.33]),
            (self.green, [0.3, 0.6]),
            (self.blue, [0.15, 0.06]),
        ];
        pairs.iter().all(|(own, srgb)| (own[0] - srgb[0]).abs() < 0.005 && (own[1] - srgb[1]).abs() < 0.005)
    }
}

/// The color space of a file.
pub(super) struct SourceColor {
    /// `None`: sRGB.
    profile: Option<Box<ColorProfile>>,
    /// Where it is stated, for the report.
    origin: &'static str,
}

impl SourceColor {
    /// Determines the color space; what cannot be used is added to `readings`.
    pub(super) fn of(
        embedded: &Embedded,
        stated: &Stated,
        channels: Channels,
        readings: &mut Vec<String>,
    ) -> Result<Self, DecodeError> {
        if let Stated::Cicp { primaries, transfer, without } = stated {
            return match of_code_points(*primaries, *transfer)? {
                Some(color) => Ok(color),
                None => Self::of(embedded, without, channels, readings),
            };
        }
        let profile = match embedded {
            Embedded::None => None,
            Embedded::Broken => Some(None),
            Embedded::Profile(bytes) => Some(ColorProfile::new_from_slice(bytes).ok()),
        };
        let is_unusable = match profile {
            Some(Some(profile)) => {
                check_range(&profile)?;
                if fits(&profile, channels) && transform(&profile).is_some() {
                    return Ok(Self { profile: Some(Box::new(profile)), origin: "the embedded color profile" });
                }
                true
            }
            Some(None) => true,
            None => false,
        };
        if channels == Channels::Cmyk {
            return Err(DecodeError::Cmyk);
        }
        let (profile, origin, assumed) = match stated {
            Stated::AdobeRgb => (Some(ColorProfile::new_adobe_rgb()), "Adobe RGB, which EXIF names", "Adobe RGB"),
            Stated::Gamma { gamma, primaries, origin } => (of_gamma(*gamma, primaries.as_ref()), *origin, *origin),
            _ => (None, "", "sRGB"),
        };
        let assumed = if profile.is_some() || assumed == "Adobe RGB" { assumed } else { "sRGB" };
        if is_unusable {
            readings.push(format!("unusable color profile ignored; {assumed} assumed, so colors may be off"));
        } else if matches!(stated, Stated::Uncalibrated) {
            readings.push("EXIF says that the colors are not sRGB, but not what they are; sRGB assumed".to_owned());
        }
        Ok(Self { profile: profile.map(Box::new), origin })
    }

    /// Converts to sRGB. Returns a sentence if anything changes.
    pub(super) fn convert(&self, pixels: &mut [[u16; 3]]) -> Result<Option<String>, DecodeError> {
        let Some(profile) = self.profile.as_deref() else { return Ok(None) };
        let reading = Some(format!("converted to sRGB from {}", self.origin));
        if profile.color_space == DataColorSpace::Cmyk {
            // As inks, before the photo was turned.
            return Ok(reading);
        }
        let failed = || DecodeError::Damaged("its color profile cannot be applied".into());
        let transform = transform(profile).ok_or_else(failed)?;
        let is_gray = profile.color_space == DataColorSpace::Gray;
        let apply = |pixels: &[[u16; 3]], out: &mut [u16]| {
            if is_gray {
                let gray: Vec<u16> = pixels.iter().map(|pixel| pixel[0]).collect();
                transform.transform(&gray, out)
            } else {
                transform.transform(pixels.as_flattened(), out)
            }
        };
        let mut row = vec![0; 3 * 4096];
        // Most profiles are variants of sRGB: nothing is converted where nothing would change by more than rounding.
        let probe: Vec<[u16; 3]> = (0..=8_u16)
            .map(|i| i * 8191)
            .flat_map(|v| if is_gray { vec![[v; 3]] } else { vec![[v, v, v], [v, 0, 0], [0, v, 0], [0, 0, v]] })
            .collect();
        let moved = &mut row[..probe.len() * 3];
        apply(&probe, moved).map_err(|_| failed())?;
        if probe.as_flattened().iter().zip(moved).all(|(a, b)| a.abs_diff(*b) < ROUNDING) {
            return Ok(None);
        }
        for chunk in pixels.chunks_mut(4096) {
            let out = &mut row[..chunk.len() * 3];
            apply(chunk, out).map_err(|_| failed())?;
            chunk.as_flattened_mut().copy_from_slice(out);
        }
        Ok(reading)
    }
}

/// Converts inks to sRGB.
pub(super) fn from_inks(
    inks: &[[u16; 4]],
    source: &SourceColor,
    (width, height): (u32, u32),
) -> Result<DynamicImage, DecodeError> {
    let transform = source.profile.as_deref().and_then(transform).ok_or(DecodeError::Cmyk)?;
    let mut pixels = vec![0; inks.len() * 3];
    for (inks, out) in inks.chunks(4096).zip(pixels.chunks_mut(3 * 4096)) {
        transform.transform(inks.as_flattened(), out).map_err(|_| DecodeError::Cmyk)?;
    }
    let image = ImageBuffer::from_raw(width, height, pixels);
    image.map(DynamicImage::ImageRgb16).ok_or_else(|| DecodeError::Damaged("too few pixels".into()))
}

type Transform = std::sync::Arc<dyn moxcms::TransformExecutor<u16> + Send + Sync>;

/// The transform to sRGB; `None` for a profile that lacks what it needs.
fn transform(profile: &ColorProfile) -> Option<Transform> {
    let layout = match profile.color_space {
        DataColorSpace::Gray => Layout::Gray,
        DataColorSpace::Cmyk => Layout::Rgba,
        _ => Layout::Rgb,
    };
    profile.create_transform_16bit(layout, &ColorProfile::new_srgb(), Layout::Rgb, TransformOptions::default()).ok()
}

/// Returns whether a profile describes such pixels. Gray ones are RGB with equal numbers, too.
fn fits(profile: &ColorProfile, channels: Channels) -> bool {
    match profile.color_space {
        DataColorSpace::Rgb => channels != Channels::Cmyk,
        DataColorSpace::Gray => channels == Channels::Gray,
        DataColorSpace::Cmyk => channels == Channels::Cmyk,
        _ => false,
    }
}

/// Refuses profiles for HDR displays, by their code points or their name.
fn check_range(profile: &ColorProfile) -> Result<(), DecodeError> {
    if let Some(cicp) = &profile.cicp {
        check_transfer(cicp.transfer_characteristics as u8)?;
    }
    let name = match &profile.description {
        Some(ProfileText::PlainString(text)) => text.clone(),
        Some(ProfileText::Localizable(texts)) => texts.iter().map(|text| text.value.clone() + " ").collect(),
        Some(ProfileText::Description(text)) => text.ascii_string.clone(),
        None => String::new(),
    };
    let words: Vec<&str> = name.split(|letter: char| !letter.is_alphanumeric()).collect();
    match HDR.iter().find(|(_, transfer)| words.contains(transfer)) {
        Some((code, _)) => check_transfer(*code),
        None => Ok(()),
    }
}

/// Refuses transfer functions for HDR displays.
pub(super) fn check_transfer(transfer: u8) -> Result<(), DecodeError> {
    match HDR.iter().find(|(code, _)| *code == transfer) {
        Some((_, name)) => Err(DecodeError::unsupported(format!("an HDR image ({name}), which is not supported"))),
        None => Ok(()),
    }
}

/// Returns the color space of code points (ITU-T H.273); `None` for those that are not known or say nothing.
fn of_code_points(primaries: u8, transfer: u8) -> Result<Option<SourceColor>, DecodeError> {
    check_transfer(transfer)?;
    let cicp = CicpColorPrimaries::try_from(primaries).ok().zip(TransferCharacteristics::try_from(transfer).ok());
    let profile = cicp.map(|(color_primaries, transfer_characteristics)| {
        ColorProfile::new_from_cicp(CicpProfile {
            color_primaries,
            transfer_characteristics,
            matrix_coefficients: MatrixCoefficients::Identity,
            full_range: true,
        })
    });
    let profile = profile.filter(|profile| profile.red_trc.is_some() && transform(profile).is_some());
    Ok(profile.map(|profile| SourceColor { profile: Some(Box::new(profile)), origin: "its color code points" }))
}

/// A profile with an exponent and primaries; `None` for numbers that make none.
fn of_gamma(gamma: Option<f64>, primaries: Option<&Primaries>) -> Option<ColorProfile> {
    let mut profile = ColorProfile::new_srgb();
    profile.cicp = None;
    if let Some(Primaries { white, red, green, blue }) = primaries {
        let all = [white, red, green, blue];
        if all.iter().any(|[x, y]| !(0.0..1.0).contains(x) || !(0.01..=1.0).contains(y) || x + y > 1.001) {
            return None;
        }
        let point = |[x, y]: [f64; 2]| Chromaticity::new(x as f32, y as f32);
        let colors = ColorPrimaries { red: point(*red), green: point(*green), blue: point(*blue) };
        profile.update_rgb_colorimetry(XyY { x: white[0], y: white[1], yb: 1.0 }, colors);
    }
    // Editors state the gamma of sRGB as 2.2, and mean its curve.
    let means_srgb = |gamma: f64| (gamma - SRGB_GAMMA).abs() < 0.02 && primaries.is_none_or(Primaries::are_srgb);
    if let Some(gamma) = gamma.filter(|gamma| !means_srgb(*gamma)) {
        if !(0.2..10.0).contains(&gamma) {
            return None;
        }
        let curve = ToneReprCurve::Parametric(vec![gamma as f32]);
        profile.red_trc = Some(curve.clone());
        profile.green_trc = Some(curve.clone());
        profile.blue_trc = Some(curve);
    }
    let is_finite = profile.rgb_to_xyz_matrix().v.iter().flatten().all(|value| value.is_finite());
    (is_finite && transform(&profile).is_some()).then_some(profile)
}
