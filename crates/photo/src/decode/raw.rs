//! Camera raw, developed to sRGB with the white balance of the camera and without a tone curve: enhancement does the rest. Previews in the
//! file are never used.

use flashraw::{CorruptionPolicy, DecodeOptions, FlashRaw, FrameSource, Limits, OutputFormat, RawPixelData};
use image::metadata::Orientation;
use image::{DynamicImage, ImageBuffer};

use super::color::{Embedded, Stated};
use super::{DecodeError, MAX_PIXELS, Samples, Stored};

const MAX_SIDE: u32 = 65_535;

/// Reads a raw file that was recognized as one that is read.
pub(super) fn read(bytes: &[u8]) -> Result<Stored, DecodeError> {
    let limits = Limits::default().with_max_samples(MAX_PIXELS * 4).with_max_dimension(MAX_SIDE);
    let raw = FlashRaw::open_with(bytes, limits).map_err(failure)?;
    let metadata = raw.metadata();
    let camera = format!("{} {}", metadata.canonical_make, metadata.canonical_model);
    let options = DecodeOptions {
        output: OutputFormat::Rgb16,
        limits,
        threads: Some(rayon::current_num_threads()),
        // Otherwise what cannot be decoded would be black.
        corruption_policy: CorruptionPolicy::Strict,
        ..DecodeOptions::default()
    };
    let frame = raw.decode(options).map_err(failure)?;
    if frame.source != FrameSource::Sensor || !frame.warnings.is_empty() {
        return Err(DecodeError::Damaged("its sensor data is incomplete".into()));
    }
    if frame.white_balance.is_none() && !frame.white_balance_applied {
        return Err(DecodeError::unsupported(
            "camera raw without the white balance of the camera, which is not supported",
        ));
    }
    let RawPixelData::U16(samples) = frame.data else { return Err(DecodeError::Damaged("no samples".into())) };
    let image = ImageBuffer::from_raw(frame.width, frame.height, samples).map(DynamicImage::ImageRgb16);
    Ok(Stored {
        is_raw: true,
        samples: image.map(Samples::Image).ok_or_else(|| DecodeError::Damaged("too few pixels".into()))?,
        // Applied already.
        orientation: Orientation::NoTransforms,
        profile: Embedded::None,
        stated: Stated::Nothing,
        exif: Some(bytes.to_vec()),
        xmp: None,
        readings: vec![format!("developed from camera raw ({}) with the white balance of the camera", camera.trim())],
    })
}

fn failure(error: flashraw::Error) -> DecodeError {
    match error {
        flashraw::Error::UnsupportedFormat(_)
        | flashraw::Error::UnsupportedCompression { .. }
        | flashraw::Error::CameraUnsupported { .. } => {
            DecodeError::unsupported(format!("camera raw of a variant that is not supported ({error})"))
        }
        other => DecodeError::Damaged(other.to_string()),
    }
}
