//! Lines of text as paths.

use ab_glyph::{Font as _, FontRef, OutlineCurve, Point, PxScale, ScaleFont as _};

use crate::RenderError;
use crate::layer::{Path, PathBuilder};

/// A line of text.
pub(crate) struct Text {
    /// The letters, with half of the margin to the left and above; empty where no letter has ink.
    pub(crate) path: Option<Path>,
    /// Size with the margin, pixels, even.
    pub(crate) size: [f32; 2],
}

impl Text {
    /// Lays out a line with letters of `size` pixels and half of `margin` pixels around it.
    ///
    /// # Errors
    /// [`RenderError::Device`] when the built-in font cannot be read.
    pub(crate) fn new(text: &str, size: f32, margin: f32) -> Result<Self, RenderError> {
        let font = FontRef::try_from_slice(notosans::REGULAR_TTF)
            .map_err(|e| RenderError::Device(format!("the caption font: {e}")))?;
        let scaled = font.as_scaled(PxScale::from(size));
        let baseline = 0.5 * margin + scaled.ascent();
        let (mut path, mut pen, mut last) = (PathBuilder::new(), 0.5 * margin, None);
        for letter in text.chars() {
            let id = scaled.glyph_id(letter);
            pen += last.map_or(0.0, |last| scaled.kern(last, id));
            let at = |p: Point| (pen + p.x * scaled.h_scale_factor(), baseline - p.y * scaled.v_scale_factor());
            for curve in font.outline(id).map(|outline| outline.curves).unwrap_or_default() {
                let (OutlineCurve::Line(start, ..) | OutlineCurve::Quad(start, ..) | OutlineCurve::Cubic(start, ..)) =
                    curve;
                let (x, y) = at(start);
                if path.last_point().is_none_or(|last| (last.x, last.y) != (x, y)) {
                    path.move_to(x, y);
                }
                let ends = match curve {
                    OutlineCurve::Line(_, a) => vec![at(a)],
                    OutlineCurve::Quad(_, a, b) => vec![at(a), at(b)],
                    OutlineCurve::Cubic(_, a, b, c) => vec![at(a), at(b), at(c)],
                };
                match *ends {
                    [a] => path.line_to(a.0, a.1),
                    [a, b] => path.quad_to(a.0, a.1, b.0, b.1),
                    [a, b, c] => path.cubic_to(a.0, a.1, b.0, b.1, c.0, c.1),
                    _ => {}
                }
            }
            pen += scaled.h_advance(id);
            last = Some(id);
        }
        let even = |pixels: f32| (pixels.ceil() as usize).next_multiple_of(2) as f32;
        let size = [even(pen + 0.5 * margin), even(scaled.height().ceil() + margin)];
        Ok(Self { path: path.finish(), size })
    }
}
