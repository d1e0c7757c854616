//! Meanings of words in a prompt.

use std::sync::LazyLock;

use strum::EnumString;

use super::request::{Property, Refusal};
use crate::class::Class;
use crate::clause::Splitting;
use crate::lexicon::Lexicon;
use crate::words::{checked, list, word_files};

/// Where prompts are split into clauses.
pub(super) const SPLITTING: Splitting = Splitting { conjunctions: &[Class::Conjunction], openers: &[Class::Opener] };

/// Words of all languages.
pub(super) static WORDS: LazyLock<Lexicon<Item>> =
    LazyLock::new(|| checked(Lexicon::parse(&word_files!("photo"), Item::parse)));

/// A change of a property: 1 for more, -1 for less.
pub(crate) type Effect = (Property, f32);

/// Contribution of a word or phrase to its clause.
#[derive(Debug, Clone, Copy, PartialEq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Item {
    /// A change by itself ("brighten", "warmer").
    #[strum(disabled)]
    Change(&'static [Effect]),
    /// A quality that is wanted unless there is too much of it ("bright", "warm").
    #[strum(disabled)]
    Quality(&'static [Effect]),
    /// A fault; the effects are its remedy ("dark", "noise", "yellow").
    #[strum(disabled)]
    Fault(&'static [Effect]),
    /// A property that is changed by a verb ("brightness").
    #[strum(disabled)]
    Property(Property),
    /// A property that is named with what to do about it ("sky replacement", "straighten").
    #[strum(disabled)]
    Task(Property),
    /// Light, which is often named without a wish to change it ("warm light").
    Light,
    /// A verb.
    #[strum(disabled)]
    Verb(Verb),
    /// A thing that can be removed or added.
    Thing,
    /// A part of the photo ("left half").
    Region,
    /// A place outdoors that has grass ("front yard").
    Yard,
    /// A surface of the property.
    Surface,
    /// A color that only things have ("red").
    Hue,
    /// Damage of the property.
    Damage,
    /// A stain: damage that can be cleaned.
    Stain,
    /// Look of a lawn in a drought ("brown").
    Dry,
    /// The scene, stated ("interior shot").
    #[strum(disabled)]
    Setting(Property),
    /// That nothing is wrong ("is fine").
    Fine,
    /// Something that is always refused.
    #[strum(disabled)]
    Refused(Refusal),
    /// A word of degree.
    #[strum(disabled)]
    Degree(f32),
    /// More.
    More,
    /// Less.
    Less,
    /// Too, overly.
    Too,
    /// Enough.
    Enough,
    /// "Than in reality".
    Unlike,
    /// "No", "do not", "without".
    No,
    /// "Not", "is not".
    Not,
    /// Exaggeration ("overdo").
    Excess,
    /// "Only", "just the".
    Only,
    /// "Anything", "the rest".
    Anything,
    /// "In", "from": what follows says where.
    Where,
    /// "Out", "away": removes a thing that is named with it ("get the car out").
    Away,
    /// A word without effect.
    Filler,
}

impl Item {
    /// Parses a meaning of the files of words: "thing", "verb remove", "change +exposure -contrast".
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let Some((kind, of)) = name.split_once(' ') else { return name.parse().ok() };
        let effect = |name: &str| {
            let (amount, property) = match name.strip_prefix('+') {
                Some(property) => (1.0, property),
                None => (-1.0, name.strip_prefix('-')?),
            };
            Some((property.parse().ok()?, amount))
        };
        Some(match kind {
            "change" => Self::Change(list(of, effect)?),
            "quality" => Self::Quality(list(of, effect)?),
            "fault" => Self::Fault(list(of, effect)?),
            "property" => Self::Property(of.parse().ok()?),
            "task" => Self::Task(of.parse().ok()?),
            "setting" => Self::Setting(of.parse().ok()?),
            "verb" => Self::Verb(of.parse().ok()?),
            "refused" => Self::Refused(of.parse().ok()?),
            "degree" => Self::Degree(of.parse().ok()?),
            _ => return None,
        })
    }
}

/// A verb of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Verb {
    /// Increase, lift.
    Increase,
    /// Decrease, tone down.
    Decrease,
    /// Soften.
    Soften,
    /// Enhance, improve.
    Enhance,
    /// Make it pop.
    Pop,
    /// Fix, correct.
    Correct,
    /// Recover, bring back.
    Recover,
    /// Balance, even out.
    Balance,
    /// Remove, erase.
    Remove,
    /// Hide.
    Hide,
    /// Add, put.
    Add,
    /// Replace, swap.
    Replace,
    /// Change, edit.
    Touch,
    /// Keep, preserve.
    Keep,
    /// Leave: as it is, whatever it looks like.
    Leave,
    /// Stretch: bigger, wider.
    Stretch,
}
