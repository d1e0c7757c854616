//! Single frames as JPEG.

use std::path::Path;

use crate::RenderError;
use crate::film::Picture;

/// NV12 (BT.709, limited range) to 8-bit RGB rows.
#[must_use]
pub fn rgb_from_nv12(picture: Picture, nv12: &[u8]) -> Vec<u8> {
    let (width, height) = (picture.width as usize, picture.height as usize);
    let (luma, chroma) = nv12.split_at(width * height);
    let mut rgb = Vec::with_capacity(width * height * 3);
    for y in 0..height {
        for x in 0..width {
            let l = (f32::from(luma[y * width + x]) - 16.0) * (255.0 / 219.0);
            let at = (y / 2) * width + (x & !1);
            let u = (f32::from(chroma[at]) - 128.0) * (255.0 / 224.0);
            let v = (f32::from(chroma[at + 1]) - 128.0) * (255.0 / 224.0);
            for channel in [l + 1.5748 * v, l - 0.1873 * u - 0.4681 * v, l + 1.8556 * u] {
                rgb.push(channel.round().clamp(0.0, 255.0) as u8);
            }
        }
    }
    rgb
}

/// Writes an NV12 frame as JPEG.
///
/// # Errors
/// [`RenderError::Io`] when the file cannot be written.
pub fn write_jpeg(path: &Path, picture: Picture, nv12: &[u8], quality: u8) -> Result<(), RenderError> {
    let rgb = rgb_from_nv12(picture, nv12);
    let io = |e: jpeg_encoder::EncodingError| RenderError::Io(std::io::Error::other(e.to_string()));
    let mut encoder = jpeg_encoder::Encoder::new_file(path, quality).map_err(io)?;
    encoder.set_progressive(true);
    encoder.set_optimized_huffman_tables(true);
    encoder.encode(&rgb, picture.width as u16, picture.height as u16, jpeg_encoder::ColorType::Rgb).map_err(io)
}
