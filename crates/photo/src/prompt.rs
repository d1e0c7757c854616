//! Enhancement options from a preset and a free-text prompt.
//!
//! The prompt is split into clauses at commas, full stops, semicolons, "and", "but" and "then". A clause is recognized if it
//! consists of one known phrase and filler words ("a bit", "much", "please", "the photo"); other clauses are reported and
//! ignored. "No" and "do not" turn a phrase into leaving that property alone. American and British spellings are accepted.

mod grammar;

use serde::{Deserialize, Serialize};

use grammar::{Instruction, Phrase};

/// A preset look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// Well exposed, true to the scene.
    #[default]
    Natural,
    /// A third of a stop lighter.
    Bright,
    /// Slightly warm white balance.
    Warm,
    /// Day to dusk; a material change.
    Twilight,
    /// Sky replaced by a clear one; a material change.
    BlueSky,
}

/// Options of enhancement. Factors and offsets apply to what the photo's analysis calls for.
#[derive(Debug, Clone, PartialEq)]
pub struct EnhanceOptions {
    /// Additional exposure, stops.
    pub exposure: f32,
    /// Disables automatic exposure.
    pub keep_exposure: bool,
    /// Additional warmth, b* of white.
    pub warmth: f32,
    /// Disables automatic white balance.
    pub keep_white: bool,
    /// Factor on local tone mapping and clarity.
    pub contrast: f32,
    /// Additional saturation, as a share.
    pub vibrance: f32,
    /// Disables automatic saturation.
    pub keep_vibrance: bool,
    /// Factor on sharpening.
    pub sharpness: f32,
    /// Factor on noise reduction; 0 disables it.
    pub noise: f32,
    /// Whether perspective is corrected.
    pub upright: bool,
    /// Whether the prompt asked for it, so that a failure is reported.
    pub asks_upright: bool,
    /// Share of the exposure from which bright windows of rooms are spared.
    pub windows: f32,
    /// Whether the sky is replaced by a clear one.
    pub sky: bool,
    /// Whether day is turned to dusk.
    pub dusk: bool,
    /// Whether the lawn is made greener.
    pub lawn: bool,
    /// Scene stated in the prompt: `Some(true)` for indoors.
    pub indoors: Option<bool>,
    /// Recognized clauses.
    pub understood: Vec<String>,
    /// Unrecognized clauses, which are ignored.
    pub not_understood: Vec<String>,
}

impl Default for EnhanceOptions {
    fn default() -> Self {
        Self::new(Preset::Natural, None)
    }
}

impl EnhanceOptions {
    /// Options of a preset, modified by a prompt.
    #[must_use]
    pub fn new(preset: Preset, prompt: Option<&str>) -> Self {
        let mut options = Self {
            exposure: 0.0,
            keep_exposure: false,
            warmth: 0.0,
            keep_white: false,
            contrast: 1.0,
            vibrance: 0.0,
            keep_vibrance: false,
            sharpness: 1.0,
            noise: 1.0,
            upright: true,
            asks_upright: false,
            windows: 0.0,
            sky: false,
            dusk: false,
            lawn: false,
            indoors: None,
            understood: Vec::new(),
            not_understood: Vec::new(),
        };
        match preset {
            Preset::Natural => {}
            Preset::Bright => options.exposure = 0.33,
            Preset::Warm => options.warmth = 4.0,
            Preset::Twilight => options.dusk = true,
            Preset::BlueSky => options.sky = true,
        }
        for clause in grammar::clauses(prompt.unwrap_or_default()) {
            if options.apply(&clause) {
                options.understood.push(clause);
            } else {
                options.not_understood.push(clause);
            }
        }
        options.exposure = options.exposure.clamp(-1.0, 1.0);
        options.warmth = options.warmth.clamp(-8.0, 8.0);
        options.contrast = options.contrast.clamp(0.0, 1.75);
        options.sharpness = options.sharpness.clamp(0.0, 1.75);
        options.vibrance = options.vibrance.clamp(-0.4, 0.25);
        options
    }

    /// Applies a clause; false where it is not recognized.
    fn apply(&mut self, clause: &str) -> bool {
        let Some(Instruction { phrase, degree, is_negated }) = grammar::parse(clause) else { return false };
        match phrase {
            Phrase::Scene(_) | Phrase::Natural if is_negated => return false,
            Phrase::Exposure(_) if is_negated => self.keep_exposure = true,
            Phrase::Warmth(_) | Phrase::WhiteBalance if is_negated => self.keep_white = true,
            Phrase::Contrast(_) if is_negated => self.contrast = 0.0,
            Phrase::Vibrance(_) if is_negated => self.keep_vibrance = true,
            Phrase::Sharpness(_) if is_negated => self.sharpness = 0.0,
            Phrase::Noise if is_negated => self.noise = 0.0,
            Phrase::Upright => (self.upright, self.asks_upright) = (!is_negated, !is_negated),
            Phrase::Windows => self.windows = if is_negated { 0.0 } else { f32::min(0.7 * degree, 1.0) },
            Phrase::Sky => self.sky = !is_negated,
            Phrase::Dusk => self.dusk = !is_negated,
            Phrase::Lawn => self.lawn = !is_negated,
            Phrase::Exposure(stops) => self.exposure += stops * degree,
            Phrase::Warmth(b) => self.warmth += b * degree,
            Phrase::Contrast(share) => self.contrast += share * degree,
            Phrase::Vibrance(share) => self.vibrance += share * degree,
            Phrase::Sharpness(share) => self.sharpness += share * degree,
            Phrase::Noise => self.noise = 1.0 + 0.5 * degree,
            Phrase::Scene(indoors) => self.indoors = Some(indoors),
            // Both are done by default.
            Phrase::WhiteBalance | Phrase::Natural => {}
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(prompt: &str) -> EnhanceOptions {
        EnhanceOptions::new(Preset::Natural, Some(prompt))
    }

    #[test]
    fn clauses_are_recognized_with_words_of_degree() {
        let options = read("Please make it much brighter, and a bit warmer.");
        assert!((options.exposure - 0.33 * 1.75).abs() < 1e-6 && (options.warmth - 2.0).abs() < 1e-6, "{options:?}");
        assert_eq!(options.understood, ["please make it much brighter", "a bit warmer"]);
        assert!(options.not_understood.is_empty());
    }

    #[test]
    fn unrecognized_clauses_are_reported_and_change_nothing() {
        let options = read("paint the walls; remove the bright car; remove the sky");
        assert_eq!(options.not_understood, ["paint the walls", "remove the bright car", "remove the sky"]);
        let nothing = EnhanceOptions { not_understood: Vec::new(), ..options };
        assert_eq!(nothing, EnhanceOptions::default());
    }

    #[test]
    fn a_negated_phrase_leaves_that_property_alone() {
        let options = read("don't brighten, no sharpening, do not sharpen");
        assert!(options.keep_exposure);
        assert_eq!(options.sharpness, 0.0);
        assert_eq!(options.not_understood, ["no sharpening"]);
    }

    #[test]
    fn the_longest_phrase_wins() {
        assert_eq!(read("less warm").warmth, -4.0);
        assert_eq!(read("less bright").exposure, -0.33);
    }

    #[test]
    fn british_and_american_spellings_mean_the_same() {
        for (british, american) in [
            ("more colour", "more color"),
            ("a bit less colour", "a bit less color"),
            ("no more colour", "no more color"),
            ("brighter colours", "brighter colors"),
            ("fix the white balance of the colours", "fix the white balance of the colors"),
            ("replace the dull grey sky", "replace the dull gray sky"),
            ("brighten the grey house", "brighten the gray house"),
        ] {
            let without_quotes = |options: EnhanceOptions| {
                assert!(options.not_understood.is_empty(), "{options:?}");
                EnhanceOptions { understood: Vec::new(), ..options }
            };
            let (british, american) = (read(british), read(american));
            assert_ne!(british.understood, american.understood, "clauses are quoted as they were spelled");
            assert_eq!(without_quotes(british), without_quotes(american));
        }
    }

    #[test]
    fn material_changes_are_made_only_on_request() {
        assert!(!EnhanceOptions::default().sky && !EnhanceOptions::default().dusk && !EnhanceOptions::default().lawn);
        let options = read("replace the grey sky, greener lawn, straight verticals, show the view");
        assert!(options.sky && options.lawn && options.asks_upright && options.windows > 0.5, "{options:?}");
        assert!(EnhanceOptions::new(Preset::Twilight, None).dusk && read("turn day to dusk").dusk);
        let kept = EnhanceOptions::new(Preset::BlueSky, Some("do not straighten, no sky replacement"));
        assert!(!kept.sky && !kept.upright && kept.not_understood.is_empty(), "{kept:?}");
    }
}
