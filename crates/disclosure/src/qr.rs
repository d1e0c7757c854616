//! QR codes of addresses, for print and for pages.

use png::{BitDepth, ColorType, Encoder};
use qrcode::render::svg;
use qrcode::{Color, EcLevel, QrCode};

/// Quiet zone around a code, modules: what the standard asks for (ISO/IEC 18004).
const QUIET: usize = 4;
/// Pixels of a module in the PNG: 15 mm at 300 dpi for a usual address.
const SCALE: usize = 8;

/// The text is too long for a code.
#[derive(Debug, thiserror::Error)]
#[error("no QR code can be made of the address: {0}")]
pub struct QrError(String);

fn code(address: &str) -> Result<QrCode, QrError> {
    QrCode::with_error_correction_level(address, EcLevel::M).map_err(|error| QrError(error.to_string()))
}

/// The code as SVG, black on white with its quiet zone.
///
/// # Errors
/// When the address is too long.
pub fn svg(address: &str) -> Result<String, QrError> {
    let code = code(address)?;
    Ok(code.render::<svg::Color<'_>>().min_dimensions(240, 240).quiet_zone(true).build())
}

/// The code as PNG, black on white with its quiet zone, one bit a pixel.
///
/// # Errors
/// When the address is too long.
pub fn png(address: &str) -> Result<Vec<u8>, QrError> {
    let code = code(address)?;
    let (modules, colors) = (code.width(), code.to_colors());
    let side = (modules + 2 * QUIET) * SCALE;
    let is_white = |x: usize, y: usize| {
        let module = |at: usize| (at / SCALE).checked_sub(QUIET).filter(|at| *at < modules);
        module(x).zip(module(y)).is_none_or(|(x, y)| colors[y * modules + x] == Color::Light)
    };
    let mut rows = Vec::with_capacity(side * side.div_ceil(8));
    for y in 0..side {
        for first in (0..side).step_by(8) {
            rows.push((0..8).fold(0, |byte, bit| byte << 1 | u8::from(first + bit < side && is_white(first + bit, y))));
        }
    }
    let failed = |error: png::EncodingError| QrError(error.to_string());
    let pixels = u32::try_from(side).map_err(|error| QrError(error.to_string()))?;
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, pixels, pixels);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::One);
    encoder.write_header().and_then(|mut writer| writer.write_image_data(&rows)).map_err(failed)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: &str = "https://media.example.com/t/3q2-7wAAAAAAAAAAAAAAAA";

    #[test]
    fn the_png_shows_the_same_modules_as_the_code_with_a_quiet_zone() {
        let file = png(ADDRESS).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
        let mut rows = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut rows).unwrap();
        let code = code(ADDRESS).unwrap();
        let (modules, colors) = (code.width(), code.to_colors());
        assert_eq!(info.width as usize, (modules + 8) * SCALE);
        let dark = |x: usize, y: usize| rows[y * info.line_size + x / 8] >> (7 - x % 8) & 1 == 0;
        for y in 0..modules + 8 {
            for x in 0..modules + 8 {
                let inside = (4..modules + 4).contains(&x) && (4..modules + 4).contains(&y);
                let expected = inside && colors[(y - 4) * modules + x - 4] == Color::Dark;
                assert_eq!(dark(x * SCALE + 3, y * SCALE + 3), expected, "{x} {y}");
            }
        }
    }

    #[test]
    fn the_svg_is_a_document_of_its_own_without_scripts_or_links() {
        let text = svg(ADDRESS).unwrap();
        assert!(text.contains("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{text}");
        assert!(!text.contains("script") && !text.contains("href"));
        assert!(svg(&"a".repeat(5000)).is_err());
    }
}
