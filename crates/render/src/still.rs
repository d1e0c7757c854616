//! Single frames as JPEG.

use std::path::Path;

use crate::RenderError;
use crate::picture::Picture;

/// Converts NV12 (BT.709, limited range) to 8-bit RGB rows.
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

/// Converts RGB rows, 0 to 255, to NV12 (BT.709, limited range).
#[must_use]
pub fn nv12_from_rgb(picture: Picture, rgb: &[[f32; 3]]) -> Vec<u8> {
    let (width, height) = (picture.width as usize, picture.height as usize);
    let luma = |p: &[f32; 3]| 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2];
    let mut nv12 = Vec::with_capacity(picture.frame_bytes());
    nv12.extend(rgb.iter().map(|p| (16.5 + luma(p) * (219.0 / 255.0)).clamp(16.0, 235.0) as u8));
    for y in (0..height).step_by(2) {
        for x in (0..width).step_by(2) {
            let block = [y * width + x, y * width + x + 1, (y + 1) * width + x, (y + 1) * width + x + 1];
            let mean = [0, 1, 2].map(|c| 0.25 * block.iter().map(|at| rgb[*at][c]).sum::<f32>());
            let l = luma(&mean);
            for off in [(mean[2] - l) / 1.8556, (mean[0] - l) / 1.5748] {
                nv12.push((128.5 + off * (224.0 / 255.0)).clamp(16.0, 240.0) as u8);
            }
        }
    }
    nv12
}

/// Writes an NV12 frame as JPEG, with an optional description as XMP (`dc:description`).
///
/// # Errors
/// [`RenderError::Io`] when the file cannot be written.
pub fn write_jpeg(
    path: &Path,
    picture: Picture,
    nv12: &[u8],
    quality: u8,
    description: Option<&str>,
) -> Result<(), RenderError> {
    write_rgb_jpeg(path, picture.width, picture.height, &rgb_from_nv12(picture, nv12), quality, description)
}

/// Writes 8-bit RGB rows as JPEG, like [`write_jpeg`] for frames.
///
/// # Errors
/// [`RenderError::Io`] when the file cannot be written.
pub fn write_rgb_jpeg(
    path: &Path,
    width: u32,
    height: u32,
    rgb: &[u8],
    quality: u8,
    description: Option<&str>,
) -> Result<(), RenderError> {
    let io = |e: jpeg_encoder::EncodingError| RenderError::Io(std::io::Error::other(e.to_string()));
    let mut encoder = jpeg_encoder::Encoder::new_file(path, quality).map_err(io)?;
    encoder.set_progressive(true);
    encoder.set_optimized_huffman_tables(true);
    if let Some(description) = description {
        encoder.add_app_segment(1, xmp(description)).map_err(io)?;
    }
    encoder.encode(rgb, width as u16, height as u16, jpeg_encoder::ColorType::Rgb).map_err(io)
}

/// A JPEG APP1 segment with an XMP packet (ISO 16684-1) that holds a description.
fn xmp(description: &str) -> Vec<u8> {
    let escaped = description.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "http://ns.adobe.com/xap/1.0/\0<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\
         <x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
         <rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:description><rdf:Alt>\
         <rdf:li xml:lang=\"x-default\">{escaped}</rdf:li></rdf:Alt></dc:description></rdf:Description></rdf:RDF>\
         </x:xmpmeta><?xpacket end=\"r\"?>"
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PICTURE: Picture = Picture { width: 16, height: 8, supersampling: 1.0, vignette: 0.0 };

    fn frame(luma: u8, cb: u8, cr: u8) -> Vec<u8> {
        let mut nv12 = vec![luma; 16 * 8];
        nv12.extend([cb, cr].repeat(16 * 8 / 4));
        nv12
    }

    #[test]
    fn bt_709_code_values_become_their_colors() {
        // Reference values of ITU-R BT.709 in 8 bits: white, black, red, green, blue.
        let cases = [
            ((235, 128, 128), [255, 255, 255]),
            ((16, 128, 128), [0, 0, 0]),
            ((63, 102, 240), [255, 0, 0]),
            ((173, 42, 26), [0, 255, 0]),
            ((32, 240, 118), [0, 0, 255]),
        ];
        for ((luma, cb, cr), wanted) in cases {
            let rgb = rgb_from_nv12(PICTURE, &frame(luma, cb, cr));
            for (got, want) in rgb[..3].iter().zip(wanted) {
                assert!(got.abs_diff(want) <= 2, "{luma} {cb} {cr}: {:?}, not {wanted:?}", &rgb[..3]);
            }
        }
    }

    #[test]
    fn colors_go_to_nv12_and_back() {
        for color in [[255, 255, 255], [0, 0, 0], [255, 212, 0], [30, 90, 200], [128, 128, 128]] {
            let rgb = vec![color.map(|v: u8| f32::from(v)); 16 * 8];
            let back = rgb_from_nv12(PICTURE, &nv12_from_rgb(PICTURE, &rgb));
            assert!(back[..3].iter().zip(color).all(|(a, b)| a.abs_diff(b) <= 2), "{color:?} became {:?}", &back[..3]);
        }
    }

    #[test]
    fn a_still_carries_its_description_escaped() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("still.jpg");
        write_jpeg(&path, PICTURE, &frame(120, 128, 128), 90, Some("roofs & walls < guessed")).expect("it is written");
        let bytes = std::fs::read(path).expect("it is read");
        let found = |text: &[u8]| bytes.windows(text.len()).any(|w| w == text);
        assert!(found(b"roofs &amp; walls &lt; guessed") && found(b"http://ns.adobe.com/xap/1.0/"));
    }
}
