//! The recipe of a generated piece: enough to generate the same piece again.

use std::fmt;
use std::str::FromStr;

use aerie_math::Rng;

use crate::piece_kind::PieceKind;

/// Limits of a measure, meters.
const MEASURES: std::ops::RangeInclusive<f32> = 0.1..=6.0;
/// Greatest number of a form.
const FORMS: u8 = 64;

/// Added to a form that has something on top: a lamp on a side table, towels on a stool.
pub(crate) const TOPPED: u8 = 32;

/// A generated piece, but for its palette. Its text, `FORM-WIDTHxDEPTH-VARIANT`, stands in the output of jobs and is read back from
/// `options.arrangement`; measures are in meters, and 0 is the usual one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recipe {
    /// What it is.
    pub kind: PieceKind,
    /// Width, and depth or height, of kinds that are made to measure; 0 for the usual one.
    pub measures: [f32; 2],
    /// Which of the forms of its kind: the motif of a picture, whether a rug is round.
    pub form: u8,
    /// Seed of all that is random in it.
    pub variant: u32,
}

impl Recipe {
    /// A piece of its usual size and form.
    #[must_use]
    pub fn usual(kind: PieceKind, variant: u32) -> Self {
        Self { kind, measures: [0.0; 2], form: 0, variant }
    }

    /// A piece of its usual size and form, with another variant each time.
    #[must_use]
    pub fn drawn(kind: PieceKind, rng: &mut Rng) -> Self {
        Self::usual(kind, (rng.next_u64() >> 32) as u32)
    }

    /// With other measures, in whole centimeters, so that its text says all of them.
    #[must_use]
    pub fn sized(self, width: f32, other: f32) -> Self {
        Self { measures: [width, other].map(|side| (side * 100.0).round() / 100.0), ..self }
    }

    /// In another form.
    #[must_use]
    pub fn formed(self, form: u8) -> Self {
        Self { form, ..self }
    }

    /// With something on top, where the kind has that.
    #[must_use]
    pub fn topped(self) -> Self {
        Self { form: self.form | TOPPED, ..self }
    }

    /// The width, or the usual one.
    pub(crate) fn width(&self, usual: f32) -> f32 {
        if self.measures[0] > 0.0 { self.measures[0] } else { usual }
    }

    /// The depth or height, or the usual one.
    pub(crate) fn other(&self, usual: f32) -> f32 {
        if self.measures[1] > 0.0 { self.measures[1] } else { usual }
    }

    /// The recipe of a kind that a text describes; `None` if it describes none.
    #[must_use]
    pub fn parse(kind: PieceKind, text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '-');
        let form = u8::from_str(parts.next()?).ok().filter(|form| *form < FORMS)?;
        let (width, other) = parts.next()?.split_once('x')?;
        let measure = |text: &str| f32::from_str(text).ok().filter(|side| *side == 0.0 || MEASURES.contains(side));
        let variant = u32::from_str_radix(parts.next()?, 16).ok()?;
        Some(Self::usual(kind, variant).sized(measure(width)?, measure(other)?).formed(form))
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, other] = self.measures;
        write!(f, "{}-{width}x{other}-{:x}", self.form, self.variant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_is_read_back_from_its_text_and_nonsense_is_none() {
        for recipe in [
            Recipe::usual(PieceKind::Sofa, 0),
            Recipe::usual(PieceKind::Rug, 0xFFFF_FFFF).sized(2.345_678, 1.9).formed(1),
            Recipe::usual(PieceKind::FramedArt, 7).sized(0.6, 0.0).formed(11),
        ] {
            assert_eq!(Recipe::parse(recipe.kind, &recipe.to_string()), Some(recipe), "{recipe}");
        }
        for wrong in
            ["", "0", "0-1x1", "0-1-1", "99-1x1-1", "0-NaNx1-1", "0--1x1-1", "0-1e9x1-1", "0-1x1-g", "0-1x1-1-1"]
        {
            assert_eq!(Recipe::parse(PieceKind::Sofa, wrong), None, "{wrong}");
        }
    }
}
