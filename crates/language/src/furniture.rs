//! The style prompt: free text, read word by word.

use serde::Serialize;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// A furnishing style. Its text is the name in JSON, in prompts and in an operator's `pieces.toml`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Display, EnumString, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Style {
    #[default]
    Modern,
    Scandinavian,
    Industrial,
    Midcentury,
    Luxury,
    Farmhouse,
    Coastal,
    Minimalist,
    Traditional,
    Transitional,
    Boho,
    ArtDeco,
    Japandi,
    Contemporary,
}

impl Style {
    /// The name in JSON and in `pieces.toml`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Wood of furniture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Wood {
    Oak,
    PaleOak,
    Walnut,
    Teak,
    Black,
}

/// Metal of legs, handles and lamps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Metal {
    Brass,
    Steel,
    Black,
}

/// Upholstery of a sofa.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Upholstery {
    Leather,
    Boucle,
    Velvet,
    Linen,
}

/// What a prompt changes in the materials of a style. Colors are linear sRGB.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    /// Wood of all furniture.
    Wood(Wood),
    /// Metal of all furniture.
    Metal(Metal),
    /// Upholstery of the sofa.
    Upholstery(Upholstery),
    /// Color of the sofa and the headboard.
    UpholsteryColor([f32; 3]),
    /// Color of pillows and throws.
    Accent([f32; 3]),
    /// Factor on the lightness of wood, upholstery and rug.
    Lightness(f32),
}

/// A style prompt, parsed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StylePrompt {
    /// The style.
    pub style: Style,
    /// Words that take effect, in the order of the prompt.
    pub understood: Vec<String>,
    /// Words that are not recognized, and are ignored.
    pub not_understood: Vec<String>,
    /// Changes of the style's materials.
    #[serde(skip)]
    pub changes: Vec<Change>,
}

/// Words of prompts: styles, materials, colors, mood. A phrase comes before the words that it contains.
const WORDS: &[(&str, Word)] = &[
    ("mid-century", Word::Style(Style::Midcentury)),
    ("mid century", Word::Style(Style::Midcentury)),
    ("midcentury", Word::Style(Style::Midcentury)),
    ("retro", Word::Style(Style::Midcentury)),
    ("scandinavian", Word::Style(Style::Scandinavian)),
    ("scandi", Word::Style(Style::Scandinavian)),
    ("nordic", Word::Style(Style::Scandinavian)),
    ("hygge", Word::Style(Style::Scandinavian)),
    ("japandi", Word::Style(Style::Japandi)),
    ("zen", Word::Style(Style::Japandi)),
    ("minimalist", Word::Style(Style::Minimalist)),
    ("minimal", Word::Style(Style::Minimalist)),
    ("industrial", Word::Style(Style::Industrial)),
    ("loft", Word::Style(Style::Industrial)),
    ("luxury", Word::Style(Style::Luxury)),
    ("luxurious", Word::Style(Style::Luxury)),
    ("glam", Word::Style(Style::Luxury)),
    ("elegant", Word::Style(Style::Luxury)),
    ("farmhouse", Word::Style(Style::Farmhouse)),
    ("rustic", Word::Style(Style::Farmhouse)),
    ("country", Word::Style(Style::Farmhouse)),
    ("coastal", Word::Style(Style::Coastal)),
    ("beach", Word::Style(Style::Coastal)),
    ("modern", Word::Style(Style::Modern)),
    ("contemporary", Word::Style(Style::Contemporary)),
    ("traditional", Word::Style(Style::Traditional)),
    ("classic", Word::Style(Style::Traditional)),
    ("victorian", Word::Style(Style::Traditional)),
    ("transitional", Word::Style(Style::Transitional)),
    ("boho", Word::Style(Style::Boho)),
    ("bohemian", Word::Style(Style::Boho)),
    ("art_deco", Word::Style(Style::ArtDeco)),
    ("art deco", Word::Style(Style::ArtDeco)),
    ("art-deco", Word::Style(Style::ArtDeco)),
    ("deco", Word::Style(Style::ArtDeco)),
    ("light oak", Word::Change(Change::Wood(Wood::PaleOak))),
    ("pale wood", Word::Change(Change::Wood(Wood::PaleOak))),
    ("dark wood", Word::Change(Change::Wood(Wood::Walnut))),
    ("oak", Word::Change(Change::Wood(Wood::Oak))),
    ("walnut", Word::Change(Change::Wood(Wood::Walnut))),
    ("teak", Word::Change(Change::Wood(Wood::Teak))),
    ("black wood", Word::Change(Change::Wood(Wood::Black))),
    ("brass", Word::Change(Change::Metal(Metal::Brass))),
    ("gold", Word::Change(Change::Metal(Metal::Brass))),
    ("chrome", Word::Change(Change::Metal(Metal::Steel))),
    ("steel", Word::Change(Change::Metal(Metal::Steel))),
    ("black metal", Word::Change(Change::Metal(Metal::Black))),
    ("leather", Word::Change(Change::Upholstery(Upholstery::Leather))),
    ("boucle", Word::Change(Change::Upholstery(Upholstery::Boucle))),
    ("velvet", Word::Change(Change::Upholstery(Upholstery::Velvet))),
    ("linen", Word::Change(Change::Upholstery(Upholstery::Linen))),
    ("navy", Word::Change(Change::Accent([0.020, 0.038, 0.085]))),
    ("blue", Word::Change(Change::Accent([0.065, 0.13, 0.24]))),
    ("sage", Word::Change(Change::Accent([0.23, 0.28, 0.19]))),
    ("green", Word::Change(Change::Accent([0.07, 0.14, 0.075]))),
    ("emerald", Word::Change(Change::Accent([0.015, 0.10, 0.06]))),
    ("terracotta", Word::Change(Change::Accent([0.38, 0.13, 0.06]))),
    ("rust", Word::Change(Change::Accent([0.30, 0.085, 0.03]))),
    ("mustard", Word::Change(Change::Accent([0.44, 0.25, 0.035]))),
    ("yellow", Word::Change(Change::Accent([0.60, 0.42, 0.08]))),
    ("pink", Word::Change(Change::Accent([0.52, 0.25, 0.23]))),
    ("blush", Word::Change(Change::Accent([0.56, 0.34, 0.29]))),
    ("red", Word::Change(Change::Accent([0.33, 0.025, 0.025]))),
    ("beige", Word::Change(Change::UpholsteryColor([0.52, 0.44, 0.34]))),
    ("cream", Word::Change(Change::UpholsteryColor([0.66, 0.60, 0.50]))),
    ("white", Word::Change(Change::UpholsteryColor([0.70, 0.69, 0.66]))),
    ("charcoal", Word::Change(Change::UpholsteryColor([0.055, 0.056, 0.060]))),
    ("grey", Word::Change(Change::UpholsteryColor([0.28, 0.28, 0.285]))),
    ("gray", Word::Change(Change::UpholsteryColor([0.28, 0.28, 0.285]))),
    ("airy", Word::Change(Change::Lightness(1.25))),
    ("bright", Word::Change(Change::Lightness(1.2))),
    ("light", Word::Change(Change::Lightness(1.2))),
    ("moody", Word::Change(Change::Lightness(0.6))),
    ("dark", Word::Change(Change::Lightness(0.65))),
];

#[derive(Debug, Clone, Copy)]
enum Word {
    Style(Style),
    Change(Change),
}

/// Words that have no effect and are not reported.
const IDLE: &[&str] = &[
    "a",
    "an",
    "and",
    "the",
    "with",
    "of",
    "in",
    "some",
    "style",
    "room",
    "living",
    "bedroom",
    "dining",
    "furniture",
    "look",
    "feel",
    "feeling",
    "tones",
    "tone",
    "accents",
    "accent",
    "touches",
    "please",
    "colours",
    "colors",
    "very",
    "palette",
    "warm",
    "cosy",
    "cozy",
    "neutral",
    "natural",
    "decor",
    "design",
    "interior",
];

impl StylePrompt {
    /// Parses a prompt. Without one, the style is modern.
    #[must_use]
    pub fn parse(prompt: Option<&str>) -> Self {
        let mut parsed = Self { style: Style::default(), understood: vec![], not_understood: vec![], changes: vec![] };
        let mut text = format!(
            " {} ",
            prompt
                .unwrap_or_default()
                .to_lowercase()
                .replace(|c: char| !c.is_alphanumeric() && c != '-' && c != '_', " ")
        );
        let mut matches: Vec<(usize, &str, Word)> = Vec::new();
        for (word, meaning) in WORDS {
            let whole = format!(" {word} ");
            while let Some(at) = text.find(&whole) {
                matches.push((at, word, *meaning));
                text.replace_range(at + 1..at + 1 + word.len(), &"#".repeat(word.len()));
            }
        }
        matches.sort_by_key(|(at, ..)| *at);
        let mut has_style = false;
        for (_, word, meaning) in matches {
            match meaning {
                Word::Style(style) if !has_style => {
                    parsed.style = style;
                    has_style = true;
                }
                Word::Style(_) => {
                    parsed.not_understood.push(format!("{word} (one style at a time)"));
                    continue;
                }
                Word::Change(change) => parsed.changes.push(change),
            }
            parsed.understood.push(word.to_owned());
        }
        let rest = text.split_whitespace().filter(|w| !w.starts_with('#') && !IDLE.contains(w));
        parsed.not_understood.extend(rest.take(40).map(str::to_owned));
        parsed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_read_word_by_word_and_unrecognized_words_are_reported() {
        let parsed = StylePrompt::parse(Some("Scandinavian, light oak and a sage accent, unicorns"));
        assert_eq!(parsed.style, Style::Scandinavian);
        assert_eq!(parsed.understood, ["scandinavian", "light oak", "sage"]);
        assert_eq!(parsed.not_understood, ["unicorns"]);
        assert_eq!(StylePrompt::parse(None).style, Style::Modern);
    }

    #[test]
    fn american_and_british_spellings_mean_the_same() {
        for (american, british) in
            [("gray", "grey"), ("cozy farmhouse", "cosy farmhouse"), ("colors of sage", "colours of sage")]
        {
            let [ours, theirs] = [american, british].map(|prompt| StylePrompt::parse(Some(prompt)));
            assert_eq!((ours.style, &ours.changes), (theirs.style, &theirs.changes), "{american}");
            assert_eq!((ours.not_understood.len(), theirs.not_understood.len()), (0, 0), "{american}");
        }
        assert_eq!(StylePrompt::parse(Some("grey")).understood, ["grey"]);
    }
}
