//! A strip at the foot of a picture with a line of text.

use ab_glyph::{Font as _, FontRef, PxScale, ScaleFont as _, point};

use super::Finished;

/// Share of the strip that lets the picture through.
const SHADE: f32 = 0.35;

/// Smallest size of letters that can be read, pixels.
const LEAST_SIZE: f32 = 9.0;

fn font() -> FontRef<'static> {
    let Ok(font) = FontRef::try_from_slice(notosans::REGULAR_TTF) else {
        unreachable!("the font is part of the build");
    };
    font
}

/// Whether a label's font has a shape for this character.
#[must_use]
pub fn has_shape(letter: char) -> bool {
    font().glyph_id(letter).0 != 0
}

/// The picture with its strip. A text too long for the picture's width is written smaller.
pub(super) fn labeled(picture: &Finished, text: &str) -> Finished {
    let mut labeled = picture.clone();
    let font = font();
    let (width, height) = (picture.width, picture.height);
    let length = |size: f32| {
        let scaled = font.as_scaled(PxScale::from(size));
        text.chars().map(|letter| scaled.h_advance(scaled.glyph_id(letter))).sum::<f32>() + 1.2 * size
    };
    // Legible at the size of a page's column, and no larger than it has to be on a small picture.
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
    fn the_strip_stands_at_the_foot_and_leaves_the_rest_alone() {
        let picture = Finished { width: 1200, height: 900, pixels: vec![200; 1200 * 900 * 3] };
        let labeled = labeled(&picture, "Digitally altered");
        let strip = (900.0_f32 / 28.0 * 1.7) as usize;
        let split = (900 - strip) * 1200 * 3;
        assert!(labeled.pixels[..split].iter().all(|v| *v == 200));
        let letters = labeled.pixels[split..].iter().filter(|v| **v > 230).count();
        assert!(letters > 1000, "{letters} bright values are no text");
        assert!(labeled.pixels[split..].contains(&70));
    }

    #[test]
    fn a_long_text_is_written_smaller_and_ends_within_the_picture() {
        let picture = Finished { width: 700, height: 900, pixels: vec![200; 700 * 900 * 3] };
        let labeled = labeled(&picture, &"Seen as it may look one day ".repeat(3));
        let is_bright = |x: usize| (800..900).any(|y| labeled.pixels[3 * (y * 700 + x)] > 230 && y > 880);
        assert!((600..690).any(is_bright) && !(692..700).any(is_bright));
    }
}
