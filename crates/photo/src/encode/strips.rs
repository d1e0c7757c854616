//! Parallel JPEG encoding in strips joined by restart markers (ITU-T T.81, B.2.1 and E.1.4). The bytes do not depend on the
//! number of threads.

use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use rayon::prelude::*;

use super::error::EncodeError;
use crate::picture::Picture;

/// Rows of a strip: whole blocks for both sampling factors.
const ROWS: usize = 64;

/// Encodes an image; `sampling` is 4:4:4 or 4:2:0.
pub(super) fn encoded(picture: &Picture, quality: u8, sampling: SamplingFactor) -> Result<Vec<u8>, EncodeError> {
    let side = |v: usize| u16::try_from(v).map_err(|_| EncodeError(format!("a side of {v} pixels is too long")));
    let (width, height) = (side(picture.width)?, side(picture.height)?);
    let block = if sampling == SamplingFactor::R_4_2_0 { 16 } else { 8 };
    let blocks = picture.width.div_ceil(block) * (ROWS / block);
    let interval = u16::try_from(blocks).map_err(|_| EncodeError("too wide to be encoded in strips".into()))?;
    let strips: Vec<Vec<u8>> = picture
        .pixels
        .par_chunks(picture.width * 3 * ROWS)
        .map(|pixels| {
            let mut bytes = Vec::with_capacity(pixels.len() / 4 + 1024);
            let mut encoder = Encoder::new(&mut bytes, quality);
            encoder.set_sampling_factor(sampling);
            encoder.set_restart_interval(interval);
            let rows = (pixels.len() / (picture.width * 3)) as u16;
            encoder.encode(pixels, width, rows, ColorType::Rgb).map_err(EncodeError::new)?;
            Ok(bytes)
        })
        .collect::<Result<_, EncodeError>>()?;
    let mut joined = Vec::with_capacity(strips.iter().map(Vec::len).sum());
    for (i, strip) in strips.iter().enumerate() {
        let scan = scan(strip).ok_or_else(|| EncodeError("a strip has no scan".into()))?;
        if i == 0 {
            joined.extend_from_slice(&strip[..scan.start]);
        } else {
            joined.extend_from_slice(&[0xFF, 0xD0 + ((i - 1) % 8) as u8]);
        }
        joined.extend_from_slice(&strip[scan]);
    }
    joined.extend_from_slice(&[0xFF, 0xD9]);
    let frame = segments(&joined).find(|(marker, _)| *marker == 0xC0).map(|(_, at)| at);
    let sides = frame.and_then(|at| joined.get_mut(at + 5..at + 7));
    sides.ok_or_else(|| EncodeError("a strip has no frame header".into()))?.copy_from_slice(&height.to_be_bytes());
    Ok(joined)
}

/// Entropy-coded data between the scan header and the end of the image.
fn scan(strip: &[u8]) -> Option<std::ops::Range<usize>> {
    let (_, at) = segments(strip).find(|(marker, _)| *marker == 0xDA)?;
    let length = usize::from(u16::from_be_bytes([*strip.get(at + 2)?, *strip.get(at + 3)?]));
    let end = strip.len().checked_sub(2).filter(|end| strip[*end..] == [0xFF, 0xD9])?;
    (at + 2 + length <= end).then_some(at + 2 + length..end)
}

/// Markers up to the scan, with their offsets.
fn segments(strip: &[u8]) -> impl Iterator<Item = (u8, usize)> {
    let mut at = 2;
    let mut is_over = false;
    std::iter::from_fn(move || {
        let [0xFF, marker, high, low] = *strip.get(at..at + 4)? else { return None };
        if is_over {
            return None;
        }
        is_over = marker == 0xDA;
        let place = at;
        at += 2 + usize::from(u16::from_be_bytes([high, low]));
        Some((marker, place))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: usize, height: usize) -> Picture {
        let value = |i: usize| ((i * 7 + i / 3 % width * 3 + i / (3 * width) * 5) % 251) as u8;
        Picture { width, height, pixels: (0..width * height * 3).map(value).collect() }
    }

    #[test]
    fn joined_strips_decode_like_the_image_encoded_whole() {
        for (width, height) in [(100, 40), (64, 64), (203, 131), (75, 700)] {
            for sampling in [SamplingFactor::R_4_4_4, SamplingFactor::R_4_2_0] {
                let picture = picture(width, height);
                let mut whole = Vec::new();
                let mut encoder = Encoder::new(&mut whole, 90);
                encoder.set_sampling_factor(sampling);
                encoder.encode(&picture.pixels, width as u16, height as u16, ColorType::Rgb).unwrap();
                let joined = encoded(&picture, 90, sampling).unwrap();
                let read = |bytes: &[u8]| image::load_from_memory(bytes).unwrap().to_rgb8();
                assert!(read(&whole) == read(&joined), "{width} x {height}");
            }
        }
    }
}
