//! Labels that follow an object: text on a dark plate, positioned with subpixel precision.

use crate::RenderError;
use crate::layer::{DARK, LIGHT, Layer, Path, PathBuilder, Rect};
use crate::picture::Picture;
use crate::text::Text;

/// A line of text on a plate, drawn once and blended into any number of frames.
#[derive(Debug, Clone)]
pub struct Label {
    layer: Option<Layer>,
    /// Middle of the text in the layer, pixels.
    middle: [f32; 2],
    /// Half the size of the plate, pixels.
    half: [f32; 2],
}

impl Label {
    /// Lays out `text` with letters of `size` pixels.
    ///
    /// # Errors
    /// [`RenderError::Device`] when the built-in font cannot be read.
    pub fn new(text: &str, size: f32) -> Result<Self, RenderError> {
        let text = Text::new(text, size, 2.0)?;
        let rim = [0.36 * size, 0.02 * size];
        let half = [0, 1].map(|c| 0.5 * text.size[c] + rim[c]);
        let plate = Rect::from_ltrb(-rim[0], -rim[1], text.size[0] + rim[0], text.size[1] + rim[1]);
        let mut layer = plate.and_then(|plate| Layer::new(plate, Layer::FINE));
        if let (Some(layer), Some(plate), Some(letters)) =
            (&mut layer, plate.and_then(|plate| rounded(plate, 0.55 * half[1])), &text.path)
        {
            layer.fill(&plate, DARK, 0.62);
            layer.fill(letters, LIGHT, 1.0);
        }
        let middle = text.size.map(|pixels| 0.5 * pixels);
        Ok(Self { layer, middle, half })
    }

    /// Half the width and half the height of the plate, pixels.
    #[must_use]
    pub fn half(&self) -> [f32; 2] {
        self.half
    }

    /// Blends the label into an NV12 frame, centered at `at` (pixels), with an opacity of `strength`, 0 to 1; clips it to the
    /// frame.
    pub fn blend(&self, picture: Picture, nv12: &mut [u8], at: [f32; 2], strength: f32) {
        if let Some(layer) = &self.layer {
            layer.blend_at([0, 1].map(|c| at[c] - self.middle[c]), picture, nv12, strength);
        }
    }
}

/// A rectangle with rounded corners.
fn rounded(rect: Rect, radius: f32) -> Option<Path> {
    let (left, top, right, bottom) = (rect.left(), rect.top(), rect.right(), rect.bottom());
    let mut path = PathBuilder::new();
    path.move_to(left + radius, top);
    path.line_to(right - radius, top);
    path.quad_to(right, top, right, top + radius);
    path.line_to(right, bottom - radius);
    path.quad_to(right, bottom, right - radius, bottom);
    path.line_to(left + radius, bottom);
    path.quad_to(left, bottom, left, bottom - radius);
    path.line_to(left, top + radius);
    path.quad_to(left, top, left + radius, top);
    path.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PICTURE: Picture = Picture { width: 320, height: 180, supersampling: 1.0, vignette: 0.0 };

    /// Center of mass of what a label adds to black.
    fn drawn(at: [f32; 2]) -> [f64; 3] {
        let mut nv12 = vec![26_u8; 320 * 180];
        nv12.extend([128_u8; 320 * 90]);
        Label::new("24.0 m", 22.0).expect("the font is there").blend(PICTURE, &mut nv12, at, 1.0);
        let mut sum = [0.0; 3];
        for (i, value) in nv12[..320 * 180].iter().enumerate() {
            let weight = f64::from(*value) - 26.0;
            sum[0] += weight;
            sum[1] += weight * (i % 320) as f64;
            sum[2] += weight * (i / 320) as f64;
        }
        [sum[0], sum[1] / sum[0], sum[2] / sum[0]]
    }

    #[test]
    fn a_label_moves_by_fractions_of_a_pixel() {
        let (here, there) = (drawn([150.0, 90.0]), drawn([150.3, 89.6]));
        assert!(here[0] > 10_000.0, "there are letters");
        assert!((there[1] - here[1] - 0.3).abs() < 0.02, "{}", there[1] - here[1]);
        assert!((there[2] - here[2] + 0.4).abs() < 0.02, "{}", there[2] - here[2]);
    }

    #[test]
    fn a_label_at_the_edge_or_outside_is_clipped() {
        for at in [[0.0, 0.0], [320.0, 180.0], [-400.0, 90.0], [160.0, 9_000.0]] {
            let mut nv12 = vec![100_u8; 320 * 270];
            Label::new("1 m", 18.0).expect("the font is there").blend(PICTURE, &mut nv12, at, 1.0);
        }
    }
}
