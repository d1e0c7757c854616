//! The words of a clause with their meanings.

use super::item::{Effect, Item, Verb};
use super::request::Property;
use super::words::WORDS;
use crate::phrases;

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
    /// Whether it says that something is wanted.
    pub(super) asks: bool,
    /// Whether it makes something look in a way ("make the sofa green").
    pub(super) makes: bool,
    /// Whether it states something, by its grammar.
    pub(super) is_statement: bool,
    /// Whether it is about people, not about the photo.
    pub(super) is_of_people: bool,
    /// Whether it names saturation, not color as a whole.
    names_saturation: bool,
    /// Whether it says that something cannot be seen.
    pub(super) is_unseen: bool,
}

/// Words for saturation alone.
const SATURATION: [&str; 9] = [
    "saturation",
    "vibrance",
    "vibrancy",
    "sattigung",
    "farbsattigung",
    "saturacion",
    "saturated",
    "saturate",
    "intensidad",
];
/// Words that say how something shall look, so that it is not left as it is ("lass es wärmer wirken").
const LOOKING: [&str; 10] =
    ["wirken", "aussehen", "erscheinen", "strahlen", "leuchten", "look", "shine", "paraitre", "parezca", "entrer"];
/// Words that make what is good a request ("make sure the exposure is good").
const ENSURING: [&str; 7] = ["sure", "ensure", "until", "should", "must", "want", "if"];

impl Words {
    /// Looks up the words of a clause.
    pub(super) fn of(words: &[String]) -> Self {
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let mut found = Self {
            items: Vec::new(),
            unknown: 0,
            asks: phrases::asks(words),
            makes: has(&["make", "mach", "mache", "haz", "color", "colour", "turn"]),
            is_statement: phrases::is_statement(words),
            is_of_people: phrases::is_of_people(words),
            names_saturation: has(&SATURATION),
            is_unseen: false,
        };
        let mut is_place = false;
        for reading in WORDS.read(words) {
            match reading.meaning {
                // "Make sure the exposure is good", "let it shine".
                Some(Item::Fine) if has(&ENSURING) || found.asks => {
                    found.items.push(Item::Quality(&[(Property::Natural, 1.0)]));
                }
                Some(Item::Verb(Verb::Leave)) if has(&LOOKING) => found.items.push(Item::Filler),
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
        found.read_complaints(words);
        found
    }

    /// Reads what is said to be soft or not to be seen as a fault, which single words do not show.
    fn read_complaints(&mut self, words: &[String]) {
        const STATING: [&str; 16] = [
            "is", "its", "are", "looks", "look", "came", "comes", "was", "bit", "little", "slightly", "too", "quite",
            "rather", "kinda", "seems",
        ];
        const STRAIGHTENING: [&str; 8] =
            ["ausrichten", "rucken", "stellen", "machen", "biegen", "richten", "ziehen", "begradigen"];
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let is_measured = self.items.iter().any(|item| matches!(item, Item::Degree(_)));
        if has(&["soft"]) && (has(&STATING) || is_measured) && !self.asks {
            let soft = self.items.iter_mut().find(|item| **item == Item::Verb(Verb::Soften));
            soft.into_iter().for_each(|item| *item = Item::Fault(&[(Property::Sharpness, 1.0)]));
        }
        // "Nicht gerade rücken" is no complaint, "nicht gerade" is.
        if words.windows(2).any(|pair| pair[0] == "nicht" && ["gerade", "senkrecht"].contains(&pair[1].as_str()))
            && words.last().is_some_and(|last| STRAIGHTENING.contains(&last.as_str()))
        {
            self.items.retain(|item| *item != Item::Fault(&[(Property::Upright, 1.0)]));
            self.items.extend([Item::No, Item::Task(Property::Upright)]);
        }
        if phrases::is_unseen(words) && !self.asks && !self.has_any_verb() {
            self.items.retain(|item| !matches!(item, Item::No | Item::Not | Item::More | Item::Away));
            self.items.push(Item::Fault(&[(Property::Exposure, 1.0)]));
            self.is_unseen = true;
        }
    }

    /// Whether it states something that has nothing to do with the look of the photo ("the neighbours are ugly").
    pub(super) fn only_states(&self) -> bool {
        self.is_statement
            && self
                .items
                .iter()
                .all(|item| matches!(item, Item::Filler | Item::Thing | Item::Where | Item::Away | Item::Yard))
    }

    /// Whether it says that something is fine that it does not name ("I like it").
    pub(super) fn only_praises(&self) -> bool {
        self.items.iter().all(|item| matches!(item, Item::Fine | Item::Filler | Item::Degree(_) | Item::Where))
    }

    /// Whether it only says that something is kept that was named before it ("leave it").
    pub(super) fn is_verb_of_keeping(&self) -> bool {
        self.verb() == Some(Verb::Keep)
            && self.items.iter().all(|item| {
                matches!(item, Item::Verb(Verb::Keep | Verb::Leave) | Item::Fine | Item::Filler | Item::Only)
            })
    }

    /// Whether it only asks for restraint ("subtle edits only").
    pub(super) fn only_restrains(&self, words: &[String]) -> bool {
        const RESTRAINED: [&str; 18] = [
            "subtle",
            "subtly",
            "gentle",
            "gently",
            "minimal",
            "moderate",
            "moderately",
            "mild",
            "delicate",
            "delicately",
            "dezent",
            "sanft",
            "subtil",
            "subtile",
            "sutil",
            "discrete",
            "moderat",
            "dezente",
        ];
        words.iter().any(|word| RESTRAINED.contains(&word.as_str()))
            && self.unknown == 0
            && self.items.iter().all(|item| {
                matches!(
                    item,
                    Item::Filler | Item::Degree(_) | Item::Only | Item::Verb(Verb::Keep | Verb::Touch | Verb::Enhance)
                )
            })
    }

    /// Whether it names things, and says nothing of them.
    pub(super) fn names_things(&self) -> bool {
        self.has(Item::Thing)
            && self.items.iter().all(|item| matches!(item, Item::Thing | Item::Filler | Item::Where | Item::Hue))
    }

    /// Whether it has a verb other than of seeing.
    fn has_any_verb(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Verb(verb) if *verb != Verb::Recover))
    }

    /// Whether it only asks for clarity, which a blurry photo lacks.
    pub(super) fn is_clearer(&self, words: &[String]) -> bool {
        words.iter().any(|word| ["clear", "clearer", "klarer", "klar", "clara"].contains(&word.as_str()))
            && self.changes().iter().all(|(property, _)| *property == Property::Contrast)
            && self.faults().is_empty()
            && self.qualities().is_empty()
    }

    /// Whether it compares the photo with something that it shall not be, or that says no more ("like a cartoon").
    pub(super) fn is_comparison(&self, words: &[String]) -> bool {
        words.iter().take(3).any(|word| ["like", "wie", "comme", "como"].contains(&word.as_str()))
            && self.verb().is_none()
            && self.changes().is_empty()
            && self.items.iter().any(|item| matches!(item, Item::Refused(_)))
    }

    /// Names of color in it: saturation alone, or all color.
    pub(super) fn color(&self) -> Property {
        if self.names_saturation { Property::Color } else { Property::Colors }
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
        self.unknown == 0
            && self.items.iter().all(|item| matches!(item, Item::Filler | Item::Away | Item::Where | Item::Yard))
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
            | Item::Stain
            | Item::Yard
            | Item::Light
            | Item::Filler
            | Item::Away
            | Item::Where
            | Item::Anything => true,
            // "The yellow sign".
            Item::Quality(_) | Item::Fault(_) => has_thing,
            _ => false,
        }) && (self.unknown > 0
            || self.items.iter().any(|item| !matches!(item, Item::Filler | Item::Away | Item::Where | Item::Yard)))
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
        self.items.iter().find_map(|item| match item {
            Item::Verb(Verb::Leave) | Item::Fine => Some(Verb::Keep),
            Item::Verb(verb) => Some(*verb),
            _ => None,
        })
    }

    /// Whether it leaves something as it is, whatever it looks like ("leave the shadows dark").
    pub(super) fn leaves(&self) -> bool {
        self.has(Item::Fine) || self.has_verb(Verb::Leave)
    }

    /// Scenes that are stated ("interior shot").
    pub(super) fn settings(&self) -> impl Iterator<Item = Property> {
        self.items.iter().filter_map(|item| if let Item::Setting(property) = item { Some(*property) } else { None })
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
        self.items.iter().all(|item| {
            matches!(
                item,
                Item::Quality(_)
                    | Item::Fault(_)
                    | Item::Filler
                    | Item::Degree(_)
                    | Item::More
                    | Item::Dry
                    | Item::Verb(Verb::Add | Verb::Replace)
            )
        }) && (self.has(Item::Dry) || self.faults().iter().any(|(property, _)| colors.contains(property)))
    }

    pub(super) fn has_changes(&self) -> bool {
        !self.changes().is_empty() || !self.qualities().is_empty()
    }
}
