//! Captions in a corner of finished frames.

use ab_glyph::{Font as _, FontRef, Glyph, PxScale, ScaleFont as _, point};

use crate::RenderError;
use crate::picture::Picture;

/// A line of text, rasterized once and blended into any number of frames.
#[derive(Debug, Clone)]
pub struct Caption {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
    /// Coverage of the letters, row by row.
    letters: Vec<f32>,
    /// Coverage of the drop shadow behind them.
    shade: Vec<f32>,
}

/// Corner of the frame for a caption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corner {
    /// Top left.
    TopLeft,
    /// Top right.
    TopRight,
    /// Bottom left.
    BottomLeft,
    /// Bottom right.
    BottomRight,
}

impl Caption {
    /// Lays out `text` with letters of `size` pixels in a corner of the picture.
    ///
    /// # Errors
    /// [`RenderError::Device`] when the built-in font cannot be read.
    pub fn new(picture: Picture, text: &str, size: f32, corner: Corner) -> Result<Self, RenderError> {
        let Letters { width, height, coverage: letters } =
            letters(text, size, size.ceil() as usize)?.within(picture.width as usize, picture.height as usize);
        let shade = soften(&letters, width, height, (size * 0.16).max(1.0) as usize);
        let inset = (size * 0.9) as usize & !1;
        let x = match corner {
            Corner::TopLeft | Corner::BottomLeft => inset,
            Corner::TopRight | Corner::BottomRight => (picture.width as usize).saturating_sub(width + inset),
        } & !1;
        let y = match corner {
            Corner::TopLeft | Corner::TopRight => inset / 2,
            Corner::BottomLeft | Corner::BottomRight => (picture.height as usize).saturating_sub(height + inset / 2),
        } & !1;
        Ok(Self { x, y, width, height, letters, shade })
    }

    /// Width in pixels that a text takes, however wide the picture is.
    ///
    /// # Errors
    /// [`RenderError::Device`] when the built-in font cannot be read.
    pub fn natural_width(text: &str, size: f32) -> Result<f32, RenderError> {
        Ok(letters(text, size, size.ceil() as usize)?.width as f32)
    }

    /// Width, pixels.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The same caption, one line higher.
    #[must_use]
    pub fn raised(self) -> Self {
        Self { y: self.y.saturating_sub(self.height) & !1, ..self }
    }

    /// Blends the caption into an NV12 frame with an opacity of `strength`, 0 to 1.
    pub fn blend(&self, picture: Picture, nv12: &mut [u8], strength: f32) {
        let stride = picture.width as usize;
        let (luma, chroma) = nv12.split_at_mut(stride * picture.height as usize);
        for row in 0..self.height {
            for column in 0..self.width {
                let at = row * self.width + column;
                let pixel = &mut luma[(self.y + row) * stride + self.x + column];
                let shade = self.shade[at] * 0.62 * strength;
                let letter = self.letters[at] * 0.92 * strength;
                let dark = f32::from(*pixel) * (1.0 - shade) + 22.0 * shade;
                *pixel = (dark * (1.0 - letter) + 228.0 * letter).round() as u8;
                if row % 2 == 0 && column % 2 == 0 {
                    let cover = (shade + letter).min(1.0);
                    let base = (self.y + row) / 2 * stride + self.x + column;
                    for value in &mut chroma[base..base + 2] {
                        *value = (f32::from(*value) * (1.0 - cover) + 128.0 * cover).round() as u8;
                    }
                }
            }
        }
    }
}

/// A line of text as coverage.
#[derive(Debug, Clone)]
pub(crate) struct Letters {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Row by row.
    pub(crate) coverage: Vec<f32>,
}

impl Letters {
    /// Crops the text to the size of a picture.
    fn within(self, width: usize, height: usize) -> Self {
        let (kept, rows) = (self.width.min(width), self.height.min(height));
        if (kept, rows) == (self.width, self.height) {
            return self;
        }
        let coverage = self.coverage.chunks_exact(self.width).take(rows).flat_map(|row| row[..kept].to_vec()).collect();
        Self { width: kept, height: rows, coverage }
    }
}

/// Rasterizes a line of text with letters of `size` pixels and half of `margin` pixels around it. Width and height are even.
pub(crate) fn letters(text: &str, size: f32, margin: usize) -> Result<Letters, RenderError> {
    let font = FontRef::try_from_slice(notosans::REGULAR_TTF)
        .map_err(|e| RenderError::Device(format!("the caption font: {e}")))?;
    let scaled = font.as_scaled(PxScale::from(size));
    let mut pen = margin as f32 * 0.5;
    let mut glyphs: Vec<Glyph> = Vec::new();
    for letter in text.chars() {
        let id = scaled.glyph_id(letter);
        if let Some(last) = glyphs.last() {
            pen += scaled.kern(last.id, id);
        }
        glyphs.push(id.with_scale_and_position(PxScale::from(size), point(pen, margin as f32 * 0.5 + scaled.ascent())));
        pen += scaled.h_advance(id);
    }
    let width = ((pen + margin as f32 * 0.5).ceil() as usize).next_multiple_of(2);
    let height = (scaled.height().ceil() as usize + margin).next_multiple_of(2);
    let mut coverage = vec![0.0f32; width * height];
    for glyph in glyphs {
        let Some(outline) = font.outline_glyph(glyph) else { continue };
        let bounds = outline.px_bounds();
        outline.draw(|x, y, covered| {
            let (x, y) = (bounds.min.x as i32 + x as i32, bounds.min.y as i32 + y as i32);
            if (0..width as i32).contains(&x) && (0..height as i32).contains(&y) {
                let at = &mut coverage[y as usize * width + x as usize];
                *at = (*at + covered).min(1.0);
            }
        });
    }
    Ok(Letters { width, height, coverage })
}

/// Three box blurs, which approximate a Gaussian.
fn soften(source: &[f32], width: usize, height: usize, radius: usize) -> Vec<f32> {
    let mut values = source.to_vec();
    for _ in 0..3 {
        for (count, step, lines, line_step) in [(width, 1, height, width), (height, width, width, 1)] {
            for line in 0..lines {
                let at = |i: usize| line * line_step + i * step;
                let old: Vec<f32> = (0..count).map(|i| values[at(i)]).collect();
                for i in 0..count {
                    let (lo, hi) = (i.saturating_sub(radius), (i + radius + 1).min(count));
                    values[at(i)] = old[lo..hi].iter().sum::<f32>() / (2 * radius + 1) as f32;
                }
            }
        }
    }
    values.iter().map(|v| (v * 2.4).min(1.0)).collect()
}
