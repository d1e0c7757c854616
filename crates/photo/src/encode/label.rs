//! Text label in a strip at the bottom of an image.

use ab_glyph::{Font as _, FontRef, PxScale, ScaleFont as _, point};

use crate::picture::Picture;

/// Factor by which the strip darkens the image.
const SHADE: f32 = 0.35;

/// Least legible font size, pixels.
const LEAST_SIZE: f32 = 9.0;

fn font() -> FontRef<'static> {
    let Ok(font) = FontRef::try_from_slice(notosans::REGULAR_TTF) else {
        unreachable!("the font is part of the build");
    };
    font
}

/// Whether the label font has a glyph for a character.
#[must_use]
pub fn has_glyph(letter: char) -> bool {
    font().glyph_id(letter).0 != 0
}

/// Draws the label; text that is too wide for the image is set smaller.
pub(super) fn labeled(picture: &Picture, text: &str) -> Picture {
    let mut labeled = picture.clone();
    let font = font();
    let (width, height) = (picture.width, picture.height);
    let length = |size: f32| {
        let scaled = font.as_scaled(PxScale::from(size));
        text.chars().map(|letter| scaled.h_advance(scaled.glyph_id(letter))).sum::<f32>() + 1.2 * size
    };
    // Legible when the image is shown at column width.
    let wanted = (width.min(height) as f32 / 28.0).clamp(LEAST_SIZE, 96.0);
    let size = (wanted * width as f32 / length(wanted)).clamp(LEAST_SIZE, wanted);
    let strip = ((size * 1.7) as usize).clamp(1, height);
    for value in &mut labeled.pixels[(height - strip) * width * 3..] {
        *value = (f32::from(*value) * SHADE) as u8;
    }
    let scaled = font.as_scaled(PxScale::from(size));
    let mut pen = size * 0.6;
    let baseline = (height - strip) as f32 + (strip as f32 - scaled.height()) / 2.0 + scaled.ascent();
    for letter in text.chars() {
        let id = scaled.glyph_id(letter);
        let glyph = id.with_scale_and_position(PxScale::from(size), point(pen, baseline));
        pen += scaled.h_advance(id);
        let Some(outline) = font.outline_glyph(glyph) else { continue };
        let bounds = outline.px_bounds();
        outline.draw(|x, y, coverage| {
            let (x, y) = (bounds.min.x as i64 + i64::from(x), bounds.min.y as i64 + i64::from(y));
            if (0..width as i64).contains(&x) && (0..height as i64).contains(&y) {
                let at = 3 * (y as usize * width + x as usize);
                for value in &mut labeled.pixels[at..at + 3] {
                    *value = (f32::from(*value) + (245.0 - f32::from(*value)) * coverage.min(1.0)) as u8;
                }
            }
        });
    }
    labeled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_label_covers_only_a_strip_at_the_bottom() {
        let picture = Picture { width: 1200, height: 900, pixels: vec![200; 1200 * 900 * 3] };
        let labeled = labeled(&picture, "Digitally altered");
        let strip = (900.0_f32 / 28.0 * 1.7) as usize;
        let split = (900 - strip) * 1200 * 3;
        assert!(labeled.pixels[..split].iter().all(|v| *v == 200));
        let letters = labeled.pixels[split..].iter().filter(|v| **v > 230).count();
        assert!(letters > 1000, "{letters} bright values are too few for text");
        assert!(labeled.pixels[split..].contains(&70));
    }

    #[test]
    fn long_text_is_set_smaller_and_fits_the_width() {
        let picture = Picture { width: 700, height: 900, pixels: vec![200; 700 * 900 * 3] };
        let labeled = labeled(&picture, &"Seen as it may look one day ".repeat(3));
        let is_bright = |x: usize| (800..900).any(|y| labeled.pixels[3 * (y * 700 + x)] > 230 && y > 880);
        assert!((600..690).any(is_bright) && !(692..700).any(is_bright));
    }
}
