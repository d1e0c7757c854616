//! A decoded tile.

use std::io::Cursor;

use image::{ImageReader, Limits};

/// Maximum side of a tile, pixels.
const LARGEST: u32 = 1024;

/// A square picture.
pub struct Tile {
    side: usize,
    rgba: Vec<u8>,
}

impl Tile {
    /// Side, pixels.
    #[must_use]
    pub fn side(&self) -> u32 {
        self.side as u32
    }

    /// Color of a pixel, sRGB; `None` where it is transparent.
    #[must_use]
    pub fn texel(&self, x: usize, y: usize) -> Option<[u8; 3]> {
        let at = (y * self.side + x) * 4;
        let p = self.rgba.get(at..at + 4)?;
        (p[3] > 127).then(|| [p[0], p[1], p[2]])
    }
}

/// Decodes a square tile; the error says what is wrong with it.
pub fn decode(data: &[u8]) -> Result<Tile, String> {
    let image = picture(data)?;
    if image.width() != image.height() {
        return Err(format!("a tile has {} by {} pixels and is no square", image.width(), image.height()));
    }
    Ok(Tile { side: image.width() as usize, rgba: image.into_raw() })
}

/// Decodes the pixels of a tile; the error says what is wrong with it.
pub fn picture(data: &[u8]) -> Result<image::RgbaImage, String> {
    let mut reader = ImageReader::new(Cursor::new(data)).with_guessed_format().map_err(|e| e.to_string())?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(LARGEST);
    limits.max_image_height = Some(LARGEST);
    reader.limits(limits);
    Ok(reader.decode().map_err(|e| format!("a tile cannot be read: {e}"))?.into_rgba8())
}
