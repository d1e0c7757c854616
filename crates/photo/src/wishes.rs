//! What a client asks for: a preset, and free words through a small grammar of phrases.
//!
//! The words are split into clauses at commas, full stops, semicolons, "and", "but" and "then". A clause is understood
//! when one phrase and words of manner ("a bit", "much", "please", "the photo") explain all of it; else it is told as
//! not understood and nothing is done for it. "No" and "do not" turn a phrase into leaving that thing alone.

use serde::{Deserialize, Serialize};

/// A look to start from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// What was there, well exposed.
    #[default]
    Natural,
    /// A third of a stop lighter.
    Bright,
    /// White kept a little warm.
    Warm,
    /// Day turned to dusk; material.
    Twilight,
    /// A clear sky in place of the photo's; material.
    BlueSky,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Self; 5] = [Self::Natural, Self::Bright, Self::Warm, Self::Twilight, Self::BlueSky];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::Bright => "bright",
            Self::Warm => "warm",
            Self::Twilight => "twilight",
            Self::BlueSky => "blue_sky",
        }
    }

    /// The preset of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.as_str() == name)
    }
}

/// Wishes, ready to be followed. Strengths are factors on what the photo itself calls for.
#[derive(Debug, Clone, PartialEq)]
pub struct Wishes {
    /// Exposure on top of what the photo calls for, stops.
    pub exposure: f32,
    /// Whether the photo's own exposure is left alone.
    pub keep_exposure: bool,
    /// Warmth on top, b* of white.
    pub warmth: f32,
    /// Whether the photo's own white balance is left alone.
    pub keep_white: bool,
    /// Factor on local tone and clarity.
    pub contrast: f32,
    /// Color strength on top, share.
    pub vibrance: f32,
    /// Whether the photo's own color strength is left alone.
    pub keep_vibrance: bool,
    /// Factor on sharpening.
    pub sharpness: f32,
    /// Factor on the reduction of noise; 0 leaves it.
    pub noise: f32,
    /// Whether a photo that leans is made upright.
    pub upright: bool,
    /// Whether that was asked for in words, so that it is told where it cannot be done.
    pub asks_upright: bool,
    /// Share of the exposure that light windows in rooms are spared.
    pub windows: f32,
    /// Whether a clear sky takes the place of the photo's.
    pub sky: bool,
    /// Whether day is turned to dusk.
    pub dusk: bool,
    /// Whether the lawn is made greener.
    pub lawn: bool,
    /// Where the client says the photo was taken: `Some(true)` indoors.
    pub indoors: Option<bool>,
    /// Clauses that were understood.
    pub understood: Vec<String>,
    /// Clauses that were not.
    pub not_understood: Vec<String>,
}

impl Default for Wishes {
    fn default() -> Self {
        Self::of(Preset::Natural, None)
    }
}

#[derive(Clone, Copy)]
enum Phrase {
    Exposure(f32),
    Warmth(f32),
    Contrast(f32),
    Vibrance(f32),
    Sharpness(f32),
    Noise,
    Scene(bool),
    WhiteBalance,
    Natural,
    Upright,
    Windows,
    Sky,
    Dusk,
    Lawn,
}

const PHRASES: [(&str, Phrase); 72] = [
    ("brighten", Phrase::Exposure(0.33)),
    ("brighter", Phrase::Exposure(0.33)),
    ("bright", Phrase::Exposure(0.33)),
    ("lighten", Phrase::Exposure(0.33)),
    ("lighter", Phrase::Exposure(0.33)),
    ("more light", Phrase::Exposure(0.33)),
    ("light and airy", Phrase::Exposure(0.33)),
    ("darken", Phrase::Exposure(-0.33)),
    ("darker", Phrase::Exposure(-0.33)),
    ("less bright", Phrase::Exposure(-0.33)),
    ("warm", Phrase::Warmth(4.0)),
    ("warmer", Phrase::Warmth(4.0)),
    ("warm up", Phrase::Warmth(4.0)),
    ("cool", Phrase::Warmth(-4.0)),
    ("cooler", Phrase::Warmth(-4.0)),
    ("less warm", Phrase::Warmth(-4.0)),
    ("less yellow", Phrase::Warmth(-4.0)),
    ("contrast", Phrase::Contrast(0.5)),
    ("more contrast", Phrase::Contrast(0.5)),
    ("clarity", Phrase::Contrast(0.5)),
    ("more clarity", Phrase::Contrast(0.5)),
    ("less contrast", Phrase::Contrast(-0.5)),
    ("softer contrast", Phrase::Contrast(-0.5)),
    ("vivid", Phrase::Vibrance(0.12)),
    ("vibrant", Phrase::Vibrance(0.12)),
    ("more vivid", Phrase::Vibrance(0.12)),
    ("more vibrant", Phrase::Vibrance(0.12)),
    ("more colour", Phrase::Vibrance(0.12)),
    ("more color", Phrase::Vibrance(0.12)),
    ("less colour", Phrase::Vibrance(-0.2)),
    ("less color", Phrase::Vibrance(-0.2)),
    ("less saturated", Phrase::Vibrance(-0.2)),
    ("sharpen", Phrase::Sharpness(0.5)),
    ("sharper", Phrase::Sharpness(0.5)),
    ("softer", Phrase::Sharpness(-0.5)),
    ("denoise", Phrase::Noise),
    ("reduce noise", Phrase::Noise),
    ("less noise", Phrase::Noise),
    ("indoors", Phrase::Scene(true)),
    ("interior", Phrase::Scene(true)),
    ("outdoors", Phrase::Scene(false)),
    ("exterior", Phrase::Scene(false)),
    ("white balance", Phrase::WhiteBalance),
    ("natural", Phrase::Natural),
    ("keep natural", Phrase::Natural),
    ("straighten", Phrase::Upright),
    ("straight verticals", Phrase::Upright),
    ("straight lines", Phrase::Upright),
    ("straight", Phrase::Upright),
    ("upright", Phrase::Upright),
    ("verticals", Phrase::Upright),
    ("level", Phrase::Upright),
    ("perspective", Phrase::Upright),
    ("window pull", Phrase::Windows),
    ("pull windows", Phrase::Windows),
    ("pull the windows", Phrase::Windows),
    ("show the view", Phrase::Windows),
    ("windows", Phrase::Windows),
    ("sky", Phrase::Sky),
    ("blue sky", Phrase::Sky),
    ("clear sky", Phrase::Sky),
    ("sky replacement", Phrase::Sky),
    ("dusk", Phrase::Dusk),
    ("day to dusk", Phrase::Dusk),
    ("twilight", Phrase::Dusk),
    ("green lawn", Phrase::Lawn),
    ("greener lawn", Phrase::Lawn),
    ("green grass", Phrase::Lawn),
    ("greener grass", Phrase::Lawn),
    ("green the lawn", Phrase::Lawn),
    ("lush lawn", Phrase::Lawn),
    ("green up the lawn", Phrase::Lawn),
];

const MANNER: [&str; 49] = [
    "a",
    "an",
    "the",
    "it",
    "this",
    "that",
    "is",
    "are",
    "please",
    "make",
    "make it",
    "image",
    "photo",
    "picture",
    "shot",
    "room",
    "house",
    "look",
    "looks",
    "looking",
    "more",
    "some",
    "slightly",
    "little",
    "bit",
    "touch",
    "much",
    "very",
    "far",
    "strongly",
    "lot",
    "of",
    "with",
    "fix",
    "correct",
    "colours",
    "colors",
    "whole",
    "replace",
    "replacement",
    "turn",
    "into",
    "to",
    "new",
    "nice",
    "grey",
    "gray",
    "dull",
    "at",
];

impl Wishes {
    /// The wishes of a preset and free words.
    #[must_use]
    pub fn of(preset: Preset, prompt: Option<&str>) -> Self {
        let mut wishes = Self {
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
            Preset::Bright => wishes.exposure = 0.33,
            Preset::Warm => wishes.warmth = 4.0,
            Preset::Twilight => wishes.dusk = true,
            Preset::BlueSky => wishes.sky = true,
        }
        for clause in clauses(prompt.unwrap_or_default()) {
            if wishes.follow(&clause) {
                wishes.understood.push(clause);
            } else {
                wishes.not_understood.push(clause);
            }
        }
        wishes.exposure = wishes.exposure.clamp(-1.0, 1.0);
        wishes.warmth = wishes.warmth.clamp(-8.0, 8.0);
        wishes.contrast = wishes.contrast.clamp(0.0, 1.75);
        wishes.sharpness = wishes.sharpness.clamp(0.0, 1.75);
        wishes.vibrance = wishes.vibrance.clamp(-0.4, 0.25);
        wishes
    }

    fn follow(&mut self, clause: &str) -> bool {
        let (words, is_denied) = without_denial(clause);
        // The longest phrase that stands in the clause, so that "less warm" is not read as "warm".
        let found = PHRASES
            .iter()
            .filter_map(|(phrase, meaning)| {
                let phrase: Vec<&str> = phrase.split(' ').collect();
                let at = words.windows(phrase.len()).position(|w| w == phrase)?;
                Some((at, phrase.len(), *meaning))
            })
            .max_by_key(|(_, length, _)| *length);
        let Some((at, length, meaning)) = found else { return false };
        let around = || words[..at].iter().chain(&words[at + length..]);
        if !around().all(|w| MANNER.contains(w)) {
            return false;
        }
        let has = |list: &[&str]| around().any(|w| list.contains(w));
        let much = match () {
            () if has(&["slightly", "little", "bit", "touch"]) => 0.5,
            () if has(&["much", "very", "far", "strongly", "lot"]) => 1.75,
            () => 1.0,
        };
        match meaning {
            Phrase::Scene(_) | Phrase::Natural if is_denied => return false,
            Phrase::Exposure(_) if is_denied => self.keep_exposure = true,
            Phrase::Warmth(_) | Phrase::WhiteBalance if is_denied => self.keep_white = true,
            Phrase::Contrast(_) if is_denied => self.contrast = 0.0,
            Phrase::Vibrance(_) if is_denied => self.keep_vibrance = true,
            Phrase::Sharpness(_) if is_denied => self.sharpness = 0.0,
            Phrase::Noise if is_denied => self.noise = 0.0,
            Phrase::Upright => (self.upright, self.asks_upright) = (!is_denied, !is_denied),
            Phrase::Windows => self.windows = if is_denied { 0.0 } else { f32::min(0.7 * much, 1.0) },
            Phrase::Sky => self.sky = !is_denied,
            Phrase::Dusk => self.dusk = !is_denied,
            Phrase::Lawn => self.lawn = !is_denied,
            Phrase::Exposure(stops) => self.exposure += stops * much,
            Phrase::Warmth(b) => self.warmth += b * much,
            Phrase::Contrast(share) => self.contrast += share * much,
            Phrase::Vibrance(share) => self.vibrance += share * much,
            Phrase::Sharpness(share) => self.sharpness += share * much,
            Phrase::Noise => self.noise = 1.0 + 0.5 * much,
            Phrase::Scene(indoors) => self.indoors = Some(indoors),
            // Both are what is done anyway.
            Phrase::WhiteBalance | Phrase::Natural => {}
        }
        true
    }
}

/// Lower case, words alone, split where a wish ends. "light and airy" is one phrase.
fn clauses(prompt: &str) -> Vec<String> {
    let text = prompt.to_lowercase().replace(['\u{2019}', '\''], "").replace("light and airy", "brighter");
    let mut clauses = Vec::new();
    for part in text.split([',', '.', ';', ':', '!', '?', '\n']) {
        let mut clause: Vec<&str> = Vec::new();
        for word in part.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|w| !w.is_empty()) {
            if ["and", "but", "then"].contains(&word) {
                clauses.push(std::mem::take(&mut clause).join(" "));
            } else {
                clause.push(word);
            }
        }
        clauses.push(clause.join(" "));
    }
    clauses.retain(|c| !c.is_empty());
    clauses
}

fn without_denial(clause: &str) -> (Vec<&str>, bool) {
    let words: Vec<&str> = clause.split(' ').collect();
    for denial in [&["do", "not"][..], &["dont"], &["no"], &["not"], &["without"], &["never"]] {
        if words.starts_with(denial) {
            return (words[denial.len()..].to_vec(), true);
        }
    }
    (words, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(prompt: &str) -> Wishes {
        Wishes::of(Preset::Natural, Some(prompt))
    }

    #[test]
    fn wishes_are_understood_with_their_manner() {
        let wishes = read("Please make it much brighter, and a bit warmer.");
        assert!((wishes.exposure - 0.33 * 1.75).abs() < 1e-6 && (wishes.warmth - 2.0).abs() < 1e-6, "{wishes:?}");
        assert_eq!(wishes.understood, ["please make it much brighter", "a bit warmer"]);
        assert!(wishes.not_understood.is_empty());
    }

    #[test]
    fn what_is_not_understood_is_told_and_changes_nothing() {
        let wishes = read("paint the walls; remove the bright car; remove the sky");
        assert_eq!(wishes.not_understood, ["paint the walls", "remove the bright car", "remove the sky"]);
        let nothing = Wishes { not_understood: Vec::new(), ..wishes };
        assert_eq!(nothing, Wishes::default());
    }

    #[test]
    fn a_denied_wish_leaves_that_thing_alone() {
        let wishes = read("don't brighten, no sharpening, do not sharpen");
        assert!(wishes.keep_exposure);
        assert_eq!(wishes.sharpness, 0.0);
        assert_eq!(wishes.not_understood, ["no sharpening"]);
    }

    #[test]
    fn the_longer_phrase_wins() {
        assert_eq!(read("less warm").warmth, -4.0);
        assert_eq!(read("less bright").exposure, -0.33);
    }

    #[test]
    fn a_preset_goes_by_its_name() {
        assert!(Preset::ALL.iter().all(|p| Preset::from_name(p.as_str()) == Some(*p)));
        assert_eq!(Preset::from_name("hdr"), None);
    }

    #[test]
    fn what_is_shown_is_changed_only_when_asked() {
        assert!(!Wishes::default().sky && !Wishes::default().dusk && !Wishes::default().lawn);
        let wishes = read("replace the grey sky, greener lawn, straight verticals, show the view");
        assert!(wishes.sky && wishes.lawn && wishes.asks_upright && wishes.windows > 0.5, "{wishes:?}");
        assert!(Wishes::of(Preset::Twilight, None).dusk && read("turn day to dusk").dusk);
        let kept = Wishes::of(Preset::BlueSky, Some("do not straighten, no sky replacement"));
        assert!(!kept.sky && !kept.upright && kept.not_understood.is_empty(), "{kept:?}");
    }
}
