//! The style prompt: free text, read phrase by phrase.

use std::sync::LazyLock;

use serde::Serialize;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::class::Class;
use crate::clause::{Splitting, clauses};
use crate::lexicon::Lexicon;
use crate::words::{checked, word_files};

/// Maximum number of words that are reported as not understood.
const MAX_NOT_UNDERSTOOD: usize = 40;

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
    /// Returns the name in JSON and in `pieces.toml`.
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

/// A change of a style's materials. Colors are linear sRGB.
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

/// Meaning of a word or phrase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Item {
    Style(Style),
    Change(Change),
    /// Has no effect and is not reported.
    Idle,
}

impl Item {
    /// Parses a meaning of the files of words: "style boho", "wood oak", "accent 0.3 0.1 0".
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let Some((kind, of)) = name.split_once(' ') else { return (name == "idle").then_some(Self::Idle) };
        let color = || {
            let [red, green, blue] = of.split(' ').map(|value| value.parse().ok()).collect::<Vec<Option<f32>>>()[..]
            else {
                return None;
            };
            Some([red?, green?, blue?])
        };
        Some(match kind {
            "style" => Self::Style(of.parse().ok()?),
            "wood" => Self::Change(Change::Wood(of.parse().ok()?)),
            "metal" => Self::Change(Change::Metal(of.parse().ok()?)),
            "upholstery" => Self::Change(Change::Upholstery(of.parse().ok()?)),
            "upholstery_color" => Self::Change(Change::UpholsteryColor(color()?)),
            "accent" => Self::Change(Change::Accent(color()?)),
            "lightness" => Self::Change(Change::Lightness(of.parse().ok()?)),
            _ => return None,
        })
    }
}

const SPLITTING: Splitting = Splitting { conjunctions: &[Class::Conjunction], openers: &[Class::Opener] };

static WORDS: LazyLock<Lexicon<Item>> =
    LazyLock::new(|| checked(Lexicon::parse(&word_files!("furniture", "en"), Item::parse)));

impl StylePrompt {
    /// Parses a prompt. Without one, the style is modern.
    #[must_use]
    pub fn parse(prompt: Option<&str>) -> Self {
        let mut parsed = Self { style: Style::default(), understood: vec![], not_understood: vec![], changes: vec![] };
        let mut has_style = false;
        let mut is_denied = false;
        for clause in clauses(prompt.unwrap_or_default(), SPLITTING) {
            is_denied &= clause.is_alternative;
            for reading in WORDS.read_exactly(&clause.words) {
                let word = clause.quoted(&reading).to_lowercase();
                let folded = &clause.words[reading.at];
                match reading.meaning {
                    Some(Item::Idle) => {}
                    // "Without red or blue".
                    Some(_) if is_denied => parsed.not_understood.push(word),
                    Some(Item::Style(style)) if !has_style => {
                        (parsed.style, has_style) = (style, true);
                        parsed.understood.push(word);
                    }
                    Some(Item::Style(_)) => parsed.not_understood.push(format!("{word} (one style at a time)")),
                    Some(Item::Change(change)) => {
                        parsed.changes.push(change);
                        parsed.understood.push(word);
                    }
                    None => {
                        // "No frills, modern" denies the frills.
                        let is_between = Class::Inserted.has(folded) || Class::BesideDenial.has(folded);
                        is_denied =
                            Class::Denying.has(folded) || Class::Forbidding.has(folded) || is_denied && is_between;
                        parsed.not_understood.push(word);
                    }
                }
            }
        }
        parsed.not_understood.truncate(MAX_NOT_UNDERSTOOD);
        parsed
    }
}
