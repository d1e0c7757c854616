//! The words of a clause with their meanings.

use super::item::{Effect, Item, Verb};
use super::request::Property;
use super::words::WORDS;

/// What a clause leaves to the next one ("remove the car and the bins").
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Context {
    pub(super) verb: Option<Verb>,
    pub(super) is_negated: bool,
    /// Whether the clause goes on with "or", or after a bare verb ("do not add, remove or change"), so that a negation holds for it.
    pub(super) is_alternative: bool,
    /// Whether the clause goes on with a sentence that asked for something ("brighter, but not warm").
    pub(super) is_contrast: bool,
    pub(super) is_dangling: bool,
}

impl Context {
    /// Whether a negation holds for the next clause, even if that has a verb.
    pub(super) fn reaches_on(self) -> bool {
        self.is_alternative || self.is_dangling
    }

    /// Whether it says nothing.
    pub(super) fn is_empty(self) -> bool {
        self.verb.is_none() && !self.is_negated
    }
}

/// The words of a clause with their meanings.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) items: Vec<Item>,
    /// Number of words without a known meaning.
    pub(super) unknown: usize,
}

impl Words {
    /// Looks up the words of a clause.
    pub(super) fn of(words: &[String]) -> Self {
        let mut found = Self { items: Vec::new(), unknown: 0 };
        let mut is_place = false;
        for reading in WORDS.read(words) {
            match reading.meaning {
                Some(item) => {
                    is_place |= item == Item::Where && !found.items.is_empty();
                    found.items.push(item);
                }
                None if words[reading.at].starts_with(|c: char| c.is_ascii_digit()) => found.items.push(Item::Filler),
                // A place that has no name here ("in the alcove").
                None if is_place => found.items.push(Item::Filler),
                None => found.unknown += 1,
            }
        }
        found
    }

    /// What this clause leaves to the next one.
    pub(super) fn context(&self, inherited: Context) -> Context {
        if self.is_elliptic() {
            return inherited;
        }
        let is_negated = self.is_negated() || inherited.reaches_on() && inherited.is_negated;
        Context { verb: self.verb(), is_negated, is_dangling: self.is_verb_only(), ..inherited }
    }

    /// Whether it is but a verb, for what was named before it ("please fix").
    pub(super) fn is_verb_only(&self) -> bool {
        self.unknown == 0
            && self.items.iter().all(|item| {
                matches!(
                    item,
                    Item::Verb(_) | Item::Filler | Item::Only | Item::Away | Item::Degree(_) | Item::No | Item::Not
                )
            })
            && self.verb().is_some_and(|verb| {
                !matches!(verb, Verb::Pop | Verb::Soften | Verb::Enhance | Verb::Stretch | Verb::Keep)
            })
    }

    /// Whether none of its words asks for anything.
    pub(super) fn is_filler(&self) -> bool {
        self.unknown == 0 && self.items.iter().all(|item| matches!(item, Item::Filler | Item::Away | Item::Where))
    }

    /// Whether it asks for less, without saying of what.
    pub(super) fn only_lessens(&self) -> bool {
        self.is_verb_only() && self.verb() == Some(Verb::Decrease)
    }

    /// Whether it asks to correct the photo, without saying what.
    pub(super) fn only_corrects(&self) -> bool {
        self.is_verb_only() && matches!(self.verb(), Some(Verb::Correct | Verb::Balance | Verb::Touch))
    }

    /// Whether it names only things and properties, so that the verb of a neighbor holds for it.
    pub(super) fn is_elliptic(&self) -> bool {
        let has_thing = self.has(Item::Thing);
        self.items.iter().all(|item| match item {
            Item::Property(_)
            | Item::Thing
            | Item::Surface
            | Item::Damage
            | Item::Light
            | Item::Filler
            | Item::Away
            | Item::Where
            | Item::Anything => true,
            // "The yellow sign".
            Item::Quality(_) | Item::Fault(_) => has_thing,
            _ => false,
        }) && (self.unknown > 0
            || self.items.iter().any(|item| !matches!(item, Item::Filler | Item::Away | Item::Where)))
    }

    /// Whether it begins with a thing or property, so that its verb can hold for the clause before it, too.
    pub(super) fn begins_with_noun(&self) -> bool {
        let first = self.items.iter().find(|item| **item != Item::Filler);
        matches!(first, Some(Item::Property(_) | Item::Thing | Item::Surface | Item::Light))
    }

    pub(super) fn verb(&self) -> Option<Verb> {
        // "Add some punch".
        if self.has_verb(Verb::Add) && self.has_verb(Verb::Pop) {
            return Some(Verb::Pop);
        }
        self.items.iter().find_map(|item| if let Item::Verb(verb) = item { Some(*verb) } else { None })
    }

    pub(super) fn has(&self, item: Item) -> bool {
        self.items.contains(&item)
    }

    /// Whether it says that something shall not be done.
    pub(super) fn is_negated(&self) -> bool {
        let is_act = |item: &Item| match item {
            Item::Change(_) => true,
            Item::Verb(verb) => matches!(
                verb,
                Verb::Touch | Verb::Replace | Verb::Remove | Verb::Add | Verb::Hide | Verb::Increase | Verb::Decrease
            ),
            _ => false,
        };
        // "Not sharper", but not "not bright": that is a complaint.
        let mut after = self.items.iter().skip_while(|item| **item != Item::Not);
        self.has(Item::No) || !self.has(Item::Enough) && after.any(is_act)
    }

    /// Whether it excludes a quality from what was asked for before ("but not warm").
    pub(super) fn excludes(&self) -> bool {
        let stated = [Property::Upright, Property::Natural];
        self.items.first() == Some(&Item::Not)
            && !self.has(Item::Enough)
            && !self.has(Item::Too)
            && self.faults().is_empty()
            && self.qualities().iter().any(|(property, _)| !stated.contains(property))
    }

    /// Whether it says what shall not become of the photo ("without turning it orange").
    pub(super) fn prevents(&self) -> bool {
        (self.has(Item::No) || self.has(Item::Not)) && !self.faults().is_empty()
    }

    pub(super) fn has_verb(&self, verb: Verb) -> bool {
        self.has(Item::Verb(verb))
    }

    pub(super) fn properties(&self) -> impl Iterator<Item = Property> {
        self.items.iter().filter_map(|item| {
            if let Item::Property(property) | Item::Task(property) = item { Some(*property) } else { None }
        })
    }

    pub(super) fn degree(&self) -> f32 {
        self.items
            .iter()
            .find_map(|item| if let Item::Degree(degree) = item { Some(*degree) } else { None })
            .unwrap_or(1.0)
    }

    /// Effects of items of one sort, before a word that says where.
    pub(super) fn effects(&self, sort: impl Fn(&Item) -> Option<&'static [Effect]>) -> Vec<Effect> {
        let mut effects = Vec::new();
        let mut is_place = false;
        for item in &self.items {
            is_place |= *item == Item::Where && !effects.is_empty();
            if !is_place {
                effects.extend(sort(item).unwrap_or_default());
            }
        }
        effects
    }

    pub(super) fn changes(&self) -> Vec<Effect> {
        self.effects(|item| if let Item::Change(effects) = item { Some(effects) } else { None })
    }

    pub(super) fn qualities(&self) -> Vec<Effect> {
        self.effects(|item| if let Item::Quality(effects) = item { Some(effects) } else { None })
    }

    pub(super) fn faults(&self) -> Vec<Effect> {
        self.effects(|item| if let Item::Fault(effects) = item { Some(effects) } else { None })
    }

    /// Whether it only says which color it is ("vibrant green"), as of a lawn or a sky named before it.
    pub(super) fn is_color(&self) -> bool {
        let colors = [Property::Warmth, Property::WhiteBalance];
        self.items.iter().all(|item| matches!(item, Item::Quality(_) | Item::Fault(_) | Item::Filler | Item::Degree(_)))
            && self.faults().iter().any(|(property, _)| colors.contains(property))
    }

    pub(super) fn has_changes(&self) -> bool {
        !self.changes().is_empty() || !self.qualities().is_empty()
    }
}
