//! The words of a clause with their meanings.

use super::item::{Effect, Item, Verb};
use super::request::{Property, Refusal};
use super::stops::is_stop;
use super::words::WORDS;
use crate::class::Class;
use crate::statement::{Statement, people};

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
    /// What its grammar says.
    pub(super) statement: Statement,
    /// Whether it makes something look in a way ("make the sofa green").
    pub(super) makes: bool,
    /// Whether it names saturation, not color as a whole.
    names_saturation: bool,
    /// Whether it says that something cannot be seen.
    pub(super) is_unseen: bool,
    /// Whether a pronoun stands for what was named before it ("don't touch them").
    pub(super) refers_back: bool,
}

/// Whether a clause begins with a conclusion ("so don't").
fn concludes(words: &[String]) -> bool {
    let ordering = ["no", "dont", "do", "never", "please", "leave", "keep"];
    matches!(words, [so, next, ..] if so == "so" && ordering.contains(&next.as_str()))
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
                Some(Item::Too) if reading.at == 0 && concludes(words) => found.items.push(Item::Filler),
                // "Down a stop".
                Some(Item::No) if is_stop(words, reading.at) => found.items.push(Item::Filler),
                Some(
                    Item::Thing
                    | Item::Surface
                    | Item::Verb(Verb::Add)
                    | Item::Hue
                    | Item::Refused(Refusal::Season | Refusal::TimeOfDay),
                )
                | None
                    if is_compared =>
                {
                    found.items.push(Item::Filler);
                }
                // "Make sure the exposure is good", "let it shine".
                Some(Item::Fine) if Class::Ensuring.is_in(words) || found.statement.asks => {
                    found.items.push(Item::Quality(&[(Property::Natural, 1.0)]));
                }
                Some(Item::Verb(Verb::Leave)) if Class::Shining.is_in(words) => found.items.push(Item::Filler),
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
        found.read_particles(words);
        found.read_complaints(words);
        found.read_light(words);
        found.narrow_faults();
        found
    }

    /// Whether it states something that has nothing to do with the look of the photo ("the neighbours are ugly").
    pub(super) fn only_states(&self) -> bool {
        self.statement.is_stated
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
        let keeps = self.verb() == Some(Verb::Keep)
            && self.items.iter().all(|item| {
                matches!(
                    item,
                    Item::Verb(Verb::Keep | Verb::Leave) | Item::Fine | Item::Filler | Item::Only | Item::Too
                )
            });
        keeps || self.is_verb_of_change_denied()
    }

    /// Whether it only says that what was named before it is not to be changed ("don't touch them").
    fn is_verb_of_change_denied(&self) -> bool {
        let changes = |item: &Item| matches!(item, Item::Verb(Verb::Touch | Verb::Replace | Verb::Remove));
        self.unknown == 0
            && self.has(Item::No)
            && self.items.iter().any(changes)
            && self
                .items
                .iter()
                .all(|item| changes(item) || matches!(item, Item::No | Item::Filler | Item::Only | Item::Too))
    }

    /// Whether it says nothing that is known.
    pub(super) fn is_unknown(&self) -> bool {
        self.items.iter().all(|item| *item == Item::Filler)
    }

    /// Whether it is the verb of the next clause that keeps something ("lassen Sie | den Himmel unverändert").
    pub(super) fn is_verb_of(&self, next: &Self) -> bool {
        self.leaves()
            && self.is_verb_of_keeping()
            && next.verb() == Some(Verb::Keep)
            && next.properties().next().is_some()
    }

    /// Whether it only names what the photo is compared with ("like a boutique hotel").
    pub(super) fn only_compares(&self) -> bool {
        self.items
            .iter()
            .all(|item| matches!(item, Item::Filler | Item::Thing | Item::Surface | Item::Where | Item::Hue))
    }

    /// Whether it only says that nothing else is asked for ("nothing else").
    pub(super) fn excludes_the_rest(&self, words: &[String]) -> bool {
        let is_all = words.first().is_some_and(|first| first == "nada") || self.has(Item::No);
        is_all
            && self.unknown == 0
            && (self.has(Item::Anything) || self.has(Item::More))
            && self.items.iter().all(|item| {
                matches!(item, Item::No | Item::Anything | Item::More | Item::Filler | Item::Only | Item::Enough)
            })
    }

    /// Whether it complains of what it then wants left alone ("the windows looked fake, so don't touch them").
    pub(super) fn leaves_what_failed(&self) -> bool {
        let at = |wanted: &dyn Fn(&Item) -> bool| self.items.iter().position(wanted);
        let denied =
            at(&|item| *item == Item::No).filter(|_| self.has_verb(Verb::Touch) || self.has_verb(Verb::Replace));
        let left = at(&|item| *item == Item::Verb(Verb::Leave)).or(denied);
        let named = at(&|item| matches!(item, Item::Property(_)));
        let failed = at(&|item| matches!(item, Item::Excess | Item::Too));
        matches!((named, failed, left), (Some(named), Some(failed), Some(left)) if named < left && failed < left)
    }

    /// Whether it says that a lawn shall look fresh.
    pub(super) fn is_fresh(&self, words: &[String]) -> bool {
        Class::Fresh.is_in(words) && self.properties().next().is_none() && self.faults().is_empty()
    }

    /// Whether it asks for nothing and says nothing of the photo, except that it names people.
    pub(super) fn is_silent(&self, words: &[String]) -> bool {
        let is_silent = |item: &Item| {
            use Item::{Away, Degree, Enough, Filler, No, Not, Thing, Too, Where};
            matches!(item, Filler | Thing | Where | Away | No | Not | Enough | Degree(_) | Too)
        };
        let things = self.items.iter().filter(|item| **item == Item::Thing).count();
        self.items.iter().all(is_silent) && things <= people(words)
    }

    /// Whether it complains of something that it names, and asks for nothing ("the windows looked fake").
    pub(super) fn only_complains(&self) -> bool {
        !self.statement.asks && self.verb().is_none() && self.changes().is_empty() && self.properties().next().is_some()
    }

    /// Whether it says that a place is dark ("it's pitch black under the desk").
    pub(super) fn is_dark_place(&self) -> bool {
        let is_place = |item: &Item| matches!(item, Item::Where | Item::Surface | Item::Thing);
        let is_dark = |(property, amount): &Effect| *property == Property::Exposure && *amount > 0.0;
        !self.statement.asks
            && (self.unknown > 0 || self.items.iter().any(is_place))
            && self.items.iter().any(|item| matches!(item, Item::Fault(faults) if faults.iter().any(is_dark)))
    }

    /// Whether it is about detail alone ("bring some detail back in there").
    pub(super) fn is_detail(&self) -> bool {
        self.changes().is_empty()
            && self.faults().is_empty()
            && self.properties().next().is_some()
            && self.properties().all(|property| property == Property::Sharpness)
    }

    /// Whether it complains that the photo is flat, of contrast as well as of color.
    pub(super) fn is_flat(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Fault([(Property::Contrast, _), (Property::Color, _)])))
    }

    /// Whether it only asks for restraint ("subtle edits only").
    pub(super) fn only_restrains(&self, words: &[String]) -> bool {
        Class::Mild.is_in(words)
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
    pub(super) fn has_any_verb(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Verb(verb) if *verb != Verb::Recover))
    }

    /// Whether it only asks for clarity, which a blurry photo lacks.
    pub(super) fn is_clearer(&self, words: &[String]) -> bool {
        Class::Clear.is_in(words)
            && self.changes().iter().all(|(property, _)| *property == Property::Contrast)
            && self.faults().is_empty()
            && self.qualities().is_empty()
    }

    /// Whether it compares the photo with something that it shall not be, or that says no more ("like a cartoon").
    pub(super) fn is_comparison(&self, words: &[String]) -> bool {
        words.iter().take(3).any(|word| Class::Like.has(word))
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
        Context { verb: self.verb(), is_negated, is_dangling: self.is_verb_only() && !self.refers_back, ..inherited }
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
                    | Item::Verb(Verb::Add | Verb::Replace | Verb::Correct)
            )
        }) && (self.has(Item::Dry) || self.faults().iter().any(|(property, _)| colors.contains(property)))
    }

    /// Whether it says what something looks like, or shall look like.
    fn has_looks(&self) -> bool {
        self.has_changes() || !self.faults().is_empty()
    }

    pub(super) fn has_changes(&self) -> bool {
        !self.changes().is_empty() || !self.qualities().is_empty()
    }
}
