//! The recipe of a generated piece: enough to generate the same piece again.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use aerie_math::Rng;

use crate::piece_kind::PieceKind;

/// The one measure of kinds that are not made to measure: the usual one.
const USUAL: RangeInclusive<f32> = 0.0..=0.0;
/// Greatest number of a form.
const FORMS: u8 = 64;

/// Added to a form that has something on top: a lamp on a side table, towels on a stool.
pub(crate) const TOPPED: u8 = 32;

/// Why a text is no recipe; it follows the name of the member that holds the text.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RecipeError {
    /// Its parts cannot be read.
    #[error("is not a recipe of this kind of furniture; give one that a job returned, or none")]
    Unreadable,
    /// A measure is none that the kind is made in.
    #[error("asks for a {measure} of {asked} m; give {}", remedy(*kind, measure, limits))]
    Measure {
        /// The kind.
        kind: PieceKind,
        /// Width, depth or height.
        measure: &'static str,
        /// The measure that was asked for, meters.
        asked: f32,
        /// Those that the kind is made in.
        limits: RangeInclusive<f32>,
    },
}

fn remedy(kind: PieceKind, measure: &str, limits: &RangeInclusive<f32>) -> String {
    if *limits == USUAL {
        return format!("0: `{kind}` comes in its usual {measure} only");
    }
    format!("{} to {} m for `{kind}`, or 0 for the usual {measure}", limits.start(), limits.end())
}

/// The measures, meters, in which a kind is made: width and depth of a rug, width and height of what hangs, height and nothing of
/// lanterns, hanging lamps and stools. 0 stands for the usual measure of any kind.
#[must_use]
pub fn measures(kind: PieceKind) -> [RangeInclusive<f32>; 2] {
    match kind {
        // A plan sizes both kinds of bed; a single one keeps its own width.
        PieceKind::Bed | PieceKind::SingleBed => [0.8..=2.2, USUAL],
        PieceKind::Bench => [0.6..=2.4, USUAL],
        PieceKind::Curtains => [0.8..=6.0, 1.0..=4.0],
        PieceKind::Desk => [1.1..=1.8, USUAL],
        PieceKind::DiningTable => [0.9..=3.5, USUAL],
        PieceKind::FramedArt => [0.1..=3.0, 0.1..=3.0],
        PieceKind::Lantern => [0.2..=1.0, USUAL],
        PieceKind::MediaConsole | PieceKind::Sideboard => [0.9..=3.2, USUAL],
        PieceKind::Mirror => [0.2..=2.0, USUAL],
        // From the lower rim to the ceiling.
        PieceKind::PendantLamp => [0.5..=3.0, USUAL],
        PieceKind::RoundTable => [0.6..=2.0, USUAL],
        PieceKind::Rug => [0.5..=6.0, 0.5..=6.0],
        PieceKind::Sectional => [2.0..=4.0, USUAL],
        PieceKind::Sofa => [1.3..=3.2, USUAL],
        PieceKind::Stool => [0.3..=0.9, USUAL],
        PieceKind::Television => [0.6..=2.5, USUAL],
        _ => [USUAL, USUAL],
    }
}

/// What the measures of a kind are called.
fn names(kind: PieceKind) -> [&'static str; 2] {
    match kind {
        PieceKind::Lantern | PieceKind::PendantLamp | PieceKind::Stool => ["height", "depth"],
        PieceKind::Curtains | PieceKind::FramedArt => ["width", "height"],
        _ => ["width", "depth"],
    }
}

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

    /// The recipe of a kind that a text describes.
    ///
    /// # Errors
    /// If it describes none, or one of a measure in which the kind is not made.
    pub fn parse(kind: PieceKind, text: &str) -> Result<Self, RecipeError> {
        let recipe = Self::read(kind, text).ok_or(RecipeError::Unreadable)?;
        for ((asked, limits), measure) in recipe.measures.into_iter().zip(measures(kind)).zip(names(kind)) {
            if asked != 0.0 && !limits.contains(&asked) {
                return Err(RecipeError::Measure { kind, measure, asked, limits });
            }
        }
        Ok(recipe)
    }

    /// The recipe of a text, of any measures.
    fn read(kind: PieceKind, text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '-');
        let form = u8::from_str(parts.next()?).ok().filter(|form| *form < FORMS)?;
        let (width, other) = parts.next()?.split_once('x')?;
        let measure = |text: &str| f32::from_str(text).ok().filter(|side| side.is_finite());
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
    use strum::VariantArray;

    use super::*;

    #[test]
    fn a_recipe_is_read_back_from_its_text_and_nonsense_is_none() {
        for recipe in [
            Recipe::usual(PieceKind::Sofa, 0),
            Recipe::usual(PieceKind::Rug, 0xFFFF_FFFF).sized(2.345_678, 1.9).formed(1),
            Recipe::usual(PieceKind::FramedArt, 7).sized(0.6, 0.0).formed(11),
        ] {
            assert_eq!(Recipe::parse(recipe.kind, &recipe.to_string()), Ok(recipe), "{recipe}");
        }
        for wrong in
            ["", "0", "0-2x0", "0-2-1", "99-2x0-1", "0--1x0-1", "0-NaNx0-1", "0-infx0-1", "0-2x0-g", "0-2x0-1-1"]
        {
            assert_eq!(Recipe::parse(PieceKind::Sofa, wrong), Err(RecipeError::Unreadable), "{wrong}");
        }
    }

    #[test]
    fn a_measure_in_which_a_kind_is_not_made_is_refused_with_those_in_which_it_is() {
        let said = |kind, text| Recipe::parse(kind, text).map_err(|error| error.to_string());
        let sofa = "asks for a width of 0.1 m; give 1.3 to 3.2 m for `sofa`, or 0 for the usual width";
        assert_eq!(said(PieceKind::Sofa, "0-0.1x0-1"), Err(sofa.to_owned()));
        let deep = "asks for a depth of 1 m; give 0: `sofa` comes in its usual depth only";
        assert_eq!(said(PieceKind::Sofa, "0-2x1-1"), Err(deep.to_owned()));
        let high = "asks for a height of 9 m; give 1 to 4 m for `curtains`, or 0 for the usual height";
        assert_eq!(said(PieceKind::Curtains, "0-2x9-1"), Err(high.to_owned()));
        assert!(matches!(Recipe::parse(PieceKind::Sofa, "0-1e9x0-1"), Err(RecipeError::Measure { .. })));
        for kind in PieceKind::VARIANTS {
            for limit in measures(*kind).map(|limits| [*limits.start(), *limits.end()]).as_flattened() {
                assert!((0.0..=6.0).contains(limit), "{kind}");
            }
        }
    }
}
