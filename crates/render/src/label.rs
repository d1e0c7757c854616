//! Labels that follow an object: text on a dark plate, positioned with subpixel precision.

use crate::RenderError;
use crate::caption::{Letters, letters};
use crate::picture::Picture;

/// A line of text on a plate, rasterized once and blended into any number of frames.
#[derive(Debug, Clone)]
pub struct Label {
    letters: Letters,
    /// Half the size of the plate, pixels.
    half: [f32; 2],
}

impl Label {
    /// Lays out `text` with letters of `size` pixels.
    ///
    /// # Errors
    /// [`RenderError::Device`] when the built-in font cannot be read.
    pub fn new(text: &str, size: f32) -> Result<Self, RenderError> {
        let letters = letters(text, size, 2)?;
        let half = [0.5 * letters.width as f32 + 0.36 * size, 0.5 * letters.height as f32 + 0.02 * size];
        Ok(Self { letters, half })
    }

    /// Half the width and half the height of the plate, pixels.
    #[must_use]
    pub fn half(&self) -> [f32; 2] {
        self.half
    }

    /// Blends the label into an NV12 frame, centered at `at` (pixels), with an opacity of `strength`, 0 to 1; clips it to the
    /// frame.
    pub fn blend(&self, picture: Picture, nv12: &mut [u8], at: [f32; 2], strength: f32) {
        let (width, height) = (picture.width as usize, picture.height as usize);
        let (luma, chroma) = nv12.split_at_mut(width * height);
        let range = |c: usize, end: usize| {
            let from = (at[c] - self.half[c] - 1.0).floor().clamp(0.0, end as f32) as usize;
            // Start at an even pixel: chroma is subsampled.
            (from & !1)..((at[c] + self.half[c] + 2.0).ceil().clamp(0.0, end as f32) as usize)
        };
        for y in range(1, height) {
            for x in range(0, width) {
                let off = [x as f32 + 0.5 - at[0], y as f32 + 0.5 - at[1]];
                let plate = self.plate(off) * 0.62 * strength;
                let letter = self.letter(off) * strength;
                if plate <= 0.0 && letter <= 0.0 {
                    continue;
                }
                let pixel = &mut luma[y * width + x];
                let dark = f32::from(*pixel) * (1.0 - plate) + 26.0 * plate;
                *pixel = (dark * (1.0 - letter) + 233.0 * letter).round() as u8;
                if x % 2 == 0 && y % 2 == 0 {
                    let cover = plate + letter - plate * letter;
                    let base = y / 2 * width + x;
                    for value in &mut chroma[base..base + 2] {
                        *value = (f32::from(*value) * (1.0 - cover) + 128.0 * cover).round() as u8;
                    }
                }
            }
        }
    }

    /// Coverage of the plate, a rounded rectangle, at an offset from its middle.
    fn plate(&self, off: [f32; 2]) -> f32 {
        let radius = self.half[1] * 0.55;
        let out = [0, 1].map(|c| off[c].abs() - self.half[c] + radius);
        let away = out[0].max(0.0).hypot(out[1].max(0.0)) + out[0].max(out[1]).min(0.0) - radius;
        (0.5 - away).clamp(0.0, 1.0)
    }

    /// Coverage of the letters at an offset from the middle, interpolated.
    fn letter(&self, off: [f32; 2]) -> f32 {
        let Letters { width, height, ref coverage } = self.letters;
        let (x, y) = (off[0] + 0.5 * width as f32 - 0.5, off[1] + 0.5 * height as f32 - 0.5);
        let (i, j) = (x.floor(), y.floor());
        let (u, v) = (x - i, y - j);
        let at = |i: f32, j: f32| {
            let inside = i >= 0.0 && j >= 0.0 && (i as usize) < width && (j as usize) < height;
            if inside { coverage[j as usize * width + i as usize] } else { 0.0 }
        };
        let upper = at(i, j) * (1.0 - u) + at(i + 1.0, j) * u;
        let lower = at(i, j + 1.0) * (1.0 - u) + at(i + 1.0, j + 1.0) * u;
        upper * (1.0 - v) + lower * v
    }
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
