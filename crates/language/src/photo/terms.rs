//! The words of a clause with their meanings.

use super::item::Item::{
    self, Anything, Away, Change, Damage, Degree, Dry, Enough, Excess, Fault, Filler, Fine, Hue, Light, More, No, Not,
    Only, Quality, Refused, Setting, Stain, Surface, Task, Thing, Too, Where, Yard,
};
use super::item::{Effect, Verb, WORDS};
use super::request::{Property, Refusal};
use crate::class::Class;
use crate::statement::{Statement, people};

/// Meaning that a clause leaves to the next one ("remove the car and the bins").
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Context {
    pub(super) verb: Option<Verb>,
    pub(super) is_negated: bool,
    /// True if the clause goes on with "or", or after a bare verb ("do not add, remove or change"), so that a negation
    /// holds for it.
    pub(super) is_alternative: bool,
    /// True if the clause goes on with a sentence that asked for something ("brighter, but not warm").
    pub(super) is_contrast: bool,
    pub(super) is_dangling: bool,
}

impl Context {
    /// Returns whether a negation holds for the next clause, even if that has a verb.
    pub(super) fn reaches_on(self) -> bool {
        self.is_alternative || self.is_dangling
    }

    /// Returns whether it says nothing.
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
    /// Its grammar.
    pub(super) statement: Statement,
    /// True if it makes something look in a way ("make the sofa green").
    pub(super) makes: bool,
    /// True if it names saturation, not color as a whole.
    names_saturation: bool,
    /// True if it says that something cannot be seen.
    pub(super) is_unseen: bool,
    /// True if a pronoun stands for what was named before it ("don't touch them").
    pub(super) refers_back: bool,
}

/// Returns whether the word at `at` is a unit of exposure after a number.
pub(super) fn is_stop(words: &[String], at: usize) -> bool {
    let is_number = |word: &String| Class::Number.has(word) || word.starts_with(|c: char| c.is_ascii_digit());
    Class::Stop.has(&words[at]) && at.checked_sub(1).is_some_and(|before| is_number(&words[before]))
}

/// Returns whether all items of a clause match a pattern.
macro_rules! has_only {
    ($words:expr, $pattern:pat) => {
        $words.items.iter().all(|item| matches!(item, $pattern))
    };
}

impl Words {
    /// Looks up the words of a clause.
    pub(super) fn of(words: &[String]) -> Self {
        let mut found = Self {
            items: Vec::new(),
            unknown: 0,
            statement: Statement::of(words),
            makes: Class::Making.is_in(words),
            names_saturation: Class::Saturation.is_in(words),
            is_unseen: false,
            refers_back: Class::Reference.is_in(words),
        };
        let mut is_place = false;
        // After a quality, what it is compared with asks for nothing ("cozy like grandma's place").
        let mut is_compared = false;
        for reading in WORDS.read(words) {
            is_compared |= Class::Like.has(&words[reading.at]) && reading.length == 1 && found.has_looks();
            match reading.meaning {
                // "So no sky replacement".
                Some(Too) if reading.at == 0 && words.get(1).is_some_and(|next| Class::Concluding.has(next)) => {
                    found.items.push(Filler);
                }
                // "Down a stop".
                Some(No) if is_stop(words, reading.at) => found.items.push(Filler),
                Some(Thing | Surface | Item::Verb(Verb::Add) | Hue | Refused(Refusal::Season | Refusal::TimeOfDay))
                | None
                    if is_compared =>
                {
                    found.items.push(Filler);
                }
                // "Make sure the exposure is good", "let it shine".
                Some(Fine) if Class::Ensuring.is_in(words) || found.statement.asks => {
                    found.items.push(Quality(&[(Property::Natural, 1.0)]));
                }
                Some(Item::Verb(Verb::Leave)) if Class::Shining.is_in(words) => found.items.push(Filler),
                Some(item) => {
                    is_place |= item == Where && !found.items.is_empty();
                    found.items.push(item);
                }
                None if words[reading.at].starts_with(|c: char| c.is_ascii_digit()) => found.items.push(Filler),
                // A place that has no name here ("in the alcove").
                None if is_place => found.items.push(Filler),
                None => found.unknown += 1,
            }
        }
        found.read_particles(words);
        found.read_complaints(words);
        found.read_light(words);
        found.narrow_faults();
        found
    }

    /// Returns whether it states something that has nothing to do with the look of the photo ("the neighbours are
    /// ugly").
    pub(super) fn only_states(&self) -> bool {
        self.statement.is_stated && has_only!(self, Filler | Thing | Where | Away | Yard)
    }

    /// Returns whether it says that something is fine that it does not name ("I like it").
    pub(super) fn only_praises(&self) -> bool {
        has_only!(self, Fine | Filler | Degree(_) | Where)
    }

    /// Returns whether it only says that something is kept that was named before it ("leave it").
    pub(super) fn is_verb_of_keeping(&self) -> bool {
        let keeps = has_only!(self, Item::Verb(Verb::Keep | Verb::Leave) | Fine | Filler | Only | Too);
        keeps && self.verb() == Some(Verb::Keep) || self.is_verb_of_change_denied()
    }

    /// Returns whether it only says that what was named before it is not to be changed ("don't touch them").
    fn is_verb_of_change_denied(&self) -> bool {
        self.unknown == 0
            && self.has(No)
            && self.verb().is_some()
            && has_only!(self, Item::Verb(Verb::Touch | Verb::Replace | Verb::Remove) | No | Filler | Only | Too)
    }

    /// Returns whether it says nothing that is known.
    pub(super) fn is_unknown(&self) -> bool {
        has_only!(self, Filler)
    }

    /// Returns whether it only names what the photo is compared with ("like a boutique hotel").
    pub(super) fn only_compares(&self) -> bool {
        has_only!(self, Filler | Thing | Surface | Where | Hue)
    }

    /// Returns whether it only says that nothing else is asked for ("nothing else").
    pub(super) fn excludes_the_rest(&self, words: &[String]) -> bool {
        let is_all = words.first().is_some_and(|first| first == "nada") || self.has(No);
        is_all
            && self.unknown == 0
            && (self.has(Anything) || self.has(More))
            && has_only!(self, No | Anything | More | Filler | Only | Enough)
    }

    /// Returns whether it complains of what it then wants left alone ("the windows looked fake, so don't touch them").
    pub(super) fn leaves_what_failed(&self) -> bool {
        let at = |wanted: &dyn Fn(&Item) -> bool| self.items.iter().position(wanted);
        let denied = at(&|item| *item == No).filter(|_| self.has_verb(Verb::Touch) || self.has_verb(Verb::Replace));
        let left = at(&|item| *item == Item::Verb(Verb::Leave)).or(denied);
        let named = at(&|item| matches!(item, Item::Property(_)));
        let failed = at(&|item| matches!(item, Excess | Too));
        matches!((named, failed, left), (Some(named), Some(failed), Some(left)) if named < left && failed < left)
    }

    /// Returns whether it says that a lawn shall look fresh.
    pub(super) fn is_fresh(&self, words: &[String]) -> bool {
        Class::Fresh.is_in(words) && self.properties().next().is_none() && self.faults().is_empty()
    }

    /// Returns whether it asks for nothing and says nothing of the photo, except that it names people.
    pub(super) fn is_silent(&self, words: &[String]) -> bool {
        let things = self.items.iter().filter(|item| **item == Thing).count();
        has_only!(self, Filler | Thing | Where | Away | No | Not | Enough | Degree(_) | Too) && things <= people(words)
    }

    /// Returns whether it complains of something that it names, and asks for nothing ("the windows looked fake").
    pub(super) fn only_complains(&self) -> bool {
        self.asks_nothing() && self.properties().next().is_some()
    }

    /// Returns whether it says that a place is dark ("it's pitch black under the desk").
    pub(super) fn is_dark_place(&self) -> bool {
        let is_place = |item: &Item| matches!(item, Where | Surface | Thing);
        let is_dark = |(property, amount): &Effect| *property == Property::Exposure && *amount > 0.0;
        !self.statement.asks
            && (self.unknown > 0 || self.items.iter().any(is_place))
            && self.items.iter().any(|item| matches!(item, Fault(faults) if faults.iter().any(is_dark)))
    }

    /// Returns whether it names a property, and no other.
    pub(super) fn names_only(&self, named: Property) -> bool {
        self.properties().next().is_some() && self.properties().all(|property| property == named)
    }

    /// Returns whether it is about detail alone ("bring some detail back in there").
    pub(super) fn is_detail(&self) -> bool {
        self.names_only(Property::Sharpness) && self.changes().is_empty() && self.faults().is_empty()
    }

    /// Returns whether it asks for no change ("it looks flat").
    pub(super) fn asks_nothing(&self) -> bool {
        !self.statement.asks && self.verb().is_none() && self.changes().is_empty()
    }

    /// Returns whether it complains that the photo is flat, of contrast as well as of color.
    pub(super) fn is_flat(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Fault([(Property::Contrast, _), (Property::Color, _)])))
    }

    /// Returns whether it only asks for restraint ("subtle edits only").
    pub(super) fn only_restrains(&self, words: &[String]) -> bool {
        Class::Mild.is_in(words)
            && self.unknown == 0
            && has_only!(self, Filler | Degree(_) | Only | Item::Verb(Verb::Keep | Verb::Touch | Verb::Enhance))
    }

    /// Returns whether it names things, and says nothing of them.
    pub(super) fn names_things(&self) -> bool {
        self.has(Thing) && has_only!(self, Thing | Filler | Where | Hue)
    }

    /// Returns whether it has a verb other than of seeing.
    pub(super) fn has_any_verb(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Verb(verb) if *verb != Verb::Recover))
    }

    /// Returns whether it only asks for clarity, which a blurry photo lacks.
    pub(super) fn is_clearer(&self, words: &[String]) -> bool {
        Class::Clear.is_in(words)
            && self.changes().iter().all(|(property, _)| *property == Property::Contrast)
            && self.faults().is_empty()
            && self.qualities().is_empty()
    }

    /// Returns names of color in it: saturation alone, or all color.
    pub(super) fn color(&self) -> Property {
        if self.names_saturation { Property::Color } else { Property::Colors }
    }

    /// Returns the meaning that this clause leaves to the next one.
    pub(super) fn context(&self, inherited: Context) -> Context {
        if self.is_elliptic() {
            return inherited;
        }
        let is_negated = self.is_negated() || inherited.reaches_on() && inherited.is_negated;
        Context { verb: self.verb(), is_negated, is_dangling: self.is_verb_only() && !self.refers_back, ..inherited }
    }

    /// Returns whether it is but a verb, for what was named before it ("please fix").
    pub(super) fn is_verb_only(&self) -> bool {
        self.unknown == 0
            && has_only!(self, Item::Verb(_) | Filler | Only | Away | Degree(_) | No | Not)
            && self.verb().is_some_and(|verb| {
                !matches!(verb, Verb::Pop | Verb::Soften | Verb::Enhance | Verb::Stretch | Verb::Keep)
            })
    }

    /// Returns whether none of its words asks for anything.
    pub(super) fn is_filler(&self) -> bool {
        self.unknown == 0 && has_only!(self, Filler | Away | Where | Yard)
    }

    /// Returns whether it asks for less, without saying of what.
    pub(super) fn only_lessens(&self) -> bool {
        self.is_verb_only() && self.verb() == Some(Verb::Decrease)
    }

    /// Returns whether it asks to correct the photo, without saying what.
    pub(super) fn only_corrects(&self) -> bool {
        self.is_verb_only() && matches!(self.verb(), Some(Verb::Correct | Verb::Balance | Verb::Touch))
    }

    /// Returns whether it names only things and properties, so that the verb of a neighbor holds for it.
    pub(super) fn is_elliptic(&self) -> bool {
        // "The yellow sign".
        let is_described = self.has(Thing) || !self.items.iter().any(|item| matches!(item, Quality(_) | Fault(_)));
        is_described
            && (self.unknown > 0 || !self.is_filler())
            && has_only!(
                self,
                Item::Property(_)
                    | Thing
                    | Surface
                    | Damage
                    | Stain
                    | Yard
                    | Light
                    | Filler
                    | Away
                    | Where
                    | Anything
                    | Quality(_)
                    | Fault(_)
            )
    }

    /// Returns whether it begins with a thing or property, so that its verb can hold for the clause before it, too.
    pub(super) fn begins_with_noun(&self) -> bool {
        let first = self.items.iter().find(|item| **item != Filler);
        matches!(first, Some(Item::Property(_) | Thing | Surface | Light))
    }

    pub(super) fn verb(&self) -> Option<Verb> {
        // "Add some punch".
        if self.has_verb(Verb::Add) && self.has_verb(Verb::Pop) {
            return Some(Verb::Pop);
        }
        self.items.iter().find_map(|item| match item {
            Item::Verb(Verb::Leave) | Fine => Some(Verb::Keep),
            Item::Verb(verb) => Some(*verb),
            _ => None,
        })
    }

    /// Returns whether it leaves something as it is, whatever it looks like ("leave the shadows dark").
    pub(super) fn leaves(&self) -> bool {
        self.has(Fine) || self.has_verb(Verb::Leave)
    }

    /// Returns scenes that are stated ("interior shot").
    pub(super) fn settings(&self) -> impl Iterator<Item = Property> {
        self.items.iter().filter_map(|item| if let Setting(property) = item { Some(*property) } else { None })
    }

    pub(super) fn has(&self, item: Item) -> bool {
        self.items.contains(&item)
    }

    /// Returns whether it says that something shall not be done.
    pub(super) fn is_negated(&self) -> bool {
        let is_act = |item: &Item| match item {
            Change(_) => true,
            Item::Verb(verb) => matches!(
                verb,
                Verb::Touch | Verb::Replace | Verb::Remove | Verb::Add | Verb::Hide | Verb::Increase | Verb::Decrease
            ),
            _ => false,
        };
        // "Not sharper", but not "not bright": that is a complaint.
        let mut after = self.items.iter().skip_while(|item| **item != Not);
        self.has(No) || !self.has(Enough) && after.any(is_act)
    }

    /// Returns whether it excludes a quality from what was asked for before ("but not warm").
    pub(super) fn excludes(&self) -> bool {
        let stated = [Property::Upright, Property::Natural];
        self.items.first() == Some(&Not)
            && !self.has(Enough)
            && !self.has(Too)
            && self.faults().is_empty()
            && self.qualities().iter().any(|(property, _)| !stated.contains(property))
    }

    /// Returns whether it says what shall not become of the photo ("without turning it orange").
    pub(super) fn prevents(&self) -> bool {
        (self.has(No) || self.has(Not)) && !self.faults().is_empty()
    }

    pub(super) fn has_verb(&self, verb: Verb) -> bool {
        self.has(Item::Verb(verb))
    }

    pub(super) fn properties(&self) -> impl Iterator<Item = Property> {
        self.items.iter().filter_map(|item| {
            if let Item::Property(property) | Task(property) = item { Some(*property) } else { None }
        })
    }

    pub(super) fn degree(&self) -> f32 {
        self.items.iter().find_map(|item| if let Degree(degree) = item { Some(*degree) } else { None }).unwrap_or(1.0)
    }

    /// Returns effects of items of one sort, before a word that says where.
    pub(super) fn effects(&self, sort: impl Fn(&Item) -> Option<&'static [Effect]>) -> Vec<Effect> {
        let mut effects = Vec::new();
        let mut is_place = false;
        for item in &self.items {
            is_place |= *item == Where && !effects.is_empty();
            if !is_place {
                effects.extend(sort(item).unwrap_or_default());
            }
        }
        effects
    }

    pub(super) fn changes(&self) -> Vec<Effect> {
        self.effects(|item| if let Change(effects) = item { Some(effects) } else { None })
    }

    pub(super) fn qualities(&self) -> Vec<Effect> {
        self.effects(|item| if let Quality(effects) = item { Some(effects) } else { None })
    }

    pub(super) fn faults(&self) -> Vec<Effect> {
        self.effects(|item| if let Fault(effects) = item { Some(effects) } else { None })
    }

    /// Returns whether it only says which color it is ("vibrant green"), as of a lawn or a sky named before it.
    pub(super) fn is_color(&self) -> bool {
        let colors = [Property::Warmth, Property::WhiteBalance];
        let is_paint = |(property, _): &Effect| colors.contains(property);
        (self.has(Dry) || self.faults().iter().any(is_paint))
            && has_only!(
                self,
                Quality(_)
                    | Fault(_)
                    | Filler
                    | Degree(_)
                    | More
                    | Dry
                    | Item::Verb(Verb::Add | Verb::Replace | Verb::Correct)
            )
    }

    /// Returns whether it says what something looks like, or shall look like.
    fn has_looks(&self) -> bool {
        self.has_changes() || !self.faults().is_empty()
    }

    pub(super) fn has_changes(&self) -> bool {
        !self.changes().is_empty() || !self.qualities().is_empty()
    }
}
