//! Captions in a corner of finished frames.

use crate::RenderError;
use crate::layer::{Layer, Rect};
use crate::picture::Picture;
use crate::text::Text;

/// A line of text, drawn once and blended into any number of frames.
#[derive(Debug, Clone)]
pub struct Caption {
    /// Left and top edge in the frame, pixels, even.
    origin: [usize; 2],
    /// Width and height, pixels.
    size: [usize; 2],
    layer: Option<Layer>,
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
        let text = Text::new(text, size, size.ceil())?;
        let [width, height] = text.size.map(|pixels| pixels as usize);
        let [wide, high] = [picture.width, picture.height].map(|pixels| pixels as usize);
        let inset = (size * 0.9) as usize & !1;
        let x = match corner {
            Corner::TopLeft | Corner::BottomLeft => inset,
            Corner::TopRight | Corner::BottomRight => wide.saturating_sub(width + inset),
        };
        let y = match corner {
            Corner::TopLeft | Corner::TopRight => inset / 2,
            Corner::BottomLeft | Corner::BottomRight => high.saturating_sub(height + inset / 2),
        };
        let mut layer =
            Rect::from_xywh(0.0, 0.0, text.size[0], text.size[1]).and_then(|bounds| Layer::new(bounds, Layer::FINE));
        if let (Some(layer), Some(path)) = (&mut layer, &text.path) {
            layer.light(path, 0.92, 0.36, 0.3 * size);
        }
        Ok(Self { origin: [x & !1, y & !1], size: [width, height], layer })
    }

    /// Width in pixels that a text takes, however wide the picture is.
    ///
    /// # Errors
    /// [`RenderError::Device`] when the built-in font cannot be read.
    pub fn natural_width(text: &str, size: f32) -> Result<f32, RenderError> {
        Ok(Text::new(text, size, size.ceil())?.size[0])
    }

    /// Width, pixels.
    #[must_use]
    pub fn width(&self) -> usize {
        self.size[0]
    }

    /// The same caption, one line higher.
    #[must_use]
    pub fn raised(self) -> Self {
        let [x, y] = self.origin;
        Self { origin: [x, y.saturating_sub(self.size[1]) & !1], ..self }
    }

    /// Blends the caption into an NV12 frame with an opacity of `strength`, 0 to 1.
    pub fn blend(&self, picture: Picture, nv12: &mut [u8], strength: f32) {
        if let Some(layer) = &self.layer {
            layer.blend_at(self.origin.map(|pixels| pixels as f32), picture, nv12, strength);
        }
    }
}
