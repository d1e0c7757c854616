//! Meanings of words in a prompt.

use super::request::{Property, Refusal};

/// A change of a property: 1 for more, -1 for less.
pub(super) type Effect = (Property, f32);

/// What a word or phrase contributes to its clause.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Item {
    /// A change by itself ("brighten", "warmer").
    Change(&'static [Effect]),
    /// A quality that is wanted unless there is too much of it ("bright", "warm").
    Quality(&'static [Effect]),
    /// A fault; the effects are its remedy ("dark", "noise", "yellow").
    Fault(&'static [Effect]),
    /// A property that is changed by a verb ("brightness").
    Property(Property),
    /// A property that is named with what to do about it ("sky replacement", "straighten").
    Task(Property),
    /// Light, which is often named without a wish to change it ("warm light").
    Light,
    /// A verb.
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
    /// What a lawn looks like in a drought ("brown").
    Dry,
    /// The scene, stated ("interior shot").
    Setting(Property),
    /// That nothing is wrong ("is fine").
    Fine,
    /// Something that is always refused.
    Refused(Refusal),
    /// A word of degree.
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

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
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
