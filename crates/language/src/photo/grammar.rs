//! Meanings of clauses of photo prompts.

use super::composition::{direction, requests};
use super::item::{Effect, Item, Verb};
use super::request::{Direction, Property, Refusal};
use super::terms::{Context, Words};

/// Most unknown words in a clause that clearly asks for a change: they name places of the photo.
const MOST_UNKNOWN: usize = 3;

/// Refusals beside which other words of a clause take effect ("a warm vintage look").
const PASSING: [Refusal; 3] = [Refusal::Style, Refusal::TimeOfDay, Refusal::Season];

/// Meaning of a clause.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Meaning {
    /// Changes, with a factor by words of degree.
    Requests(Vec<(Property, Direction)>, f32),
    /// Changes in a clause of which another part is refused.
    Partly(Vec<(Property, Direction)>, f32, Refusal),
    /// Not too much of something: the change that prevents it.
    Limit(Property, Direction),
    /// More on the clause before it: a factor on its degree.
    Follow(f32),
    /// Less of everything.
    Restraint,
    /// Refused, and why.
    Refused(Refusal),
    /// Not recognized.
    Unknown,
}

impl Words {
    /// Returns the meaning of the clause, after clauses that left `context`.
    pub(super) fn meaning(&self, context: Context) -> Meaning {
        let is_negated = self.is_negated()
            || context.is_negated && (context.reaches_on() || self.is_elliptic())
            || context.is_contrast && self.excludes();
        let verb = self.verb().or(context.verb.filter(|_| self.is_elliptic()));
        if self.leaves_what_failed() {
            return keep(self.properties().collect());
        }
        // "No fake sky" is about the sky.
        if self.has(Item::Excess) && !(is_negated && self.properties().any(is_material)) {
            if self.statement.is_of_people && context.is_contrast {
                return Meaning::Follow(1.0);
            }
            // "The colors are over the top", "go easy on the contrast".
            let exaggerated: Vec<_> = self.properties().filter(|p| is_tone(*p)).map(|p| (p, Direction::Less)).collect();
            if !is_negated && !self.has(Item::Not) && !exaggerated.is_empty() && verb != Some(Verb::Keep) {
                return self.accepted(exaggerated);
            }
            return Meaning::Restraint;
        }
        if self.is_verb_only() && !is_negated {
            return Meaning::Follow(self.degree());
        }
        if self.has(Item::Fine) && self.only_praises() {
            return Meaning::Follow(1.0);
        }
        if let Some(meaning) = self.refused(verb, is_negated) {
            return meaning;
        }
        if is_negated || verb == Some(Verb::Keep) || self.has(Item::Not) {
            return self.negated(verb, is_negated);
        }
        if self.properties().any(|property| property == Property::Dusk) {
            return Meaning::Refused(Refusal::Dusk);
        }
        let mut requests = self.of_features(verb).unwrap_or_else(|| self.changed(verb));
        requests.extend(self.settings().map(|setting| (setting, Direction::More)));
        let passing = PASSING.into_iter().find(|refusal| self.has(Item::Refused(*refusal)));
        // "Grungy HDR look".
        let is_of_style = passing == Some(Refusal::Style)
            && requests == [(Property::Shadows, Direction::More), (Property::Highlights, Direction::More)];
        if is_of_style {
            return Meaning::Refused(Refusal::Style);
        }
        let is_date = self.statement.is_stated && passing != Some(Refusal::Style);
        if let Some(refusal) = passing.filter(|_| !is_date) {
            return Meaning::Partly(requests, self.degree(), refusal);
        }
        self.accepted(requests)
    }

    /// Returns the refusal, or that something is kept because changing it would be refused.
    fn refused(&self, verb: Option<Verb>, is_negated: bool) -> Option<Meaning> {
        let is_kept = is_negated || verb == Some(Verb::Keep);
        let refused = |refusal| Some(if is_kept { kept(Property::Content) } else { Meaning::Refused(refusal) });
        let has_thing = self.has(Item::Thing);
        let remedies = !self.faults().is_empty() && !has_thing;
        let refusal =
            self.items.iter().find_map(|item| if let Item::Refused(refusal) = item { Some(*refusal) } else { None });
        match refusal {
            // "It was winter".
            Some(Refusal::Season | Refusal::TimeOfDay) if self.statement.is_stated => return None,
            Some(Refusal::Remove) if remedies => return None,
            Some(refusal)
                if PASSING.contains(&refusal) && !is_kept && !has_thing && (self.has_changes() || remedies) =>
            {
                return None;
            }
            // "Add flames to the fireplace".
            Some(Refusal::Lights) if has_thing && verb == Some(Verb::Add) => return refused(Refusal::Add),
            Some(refusal) => return refused(refusal),
            None if self.recolors() && !is_kept => return refused(Refusal::Alter),
            None => {}
        }
        if self.has(Item::Stain) && verb == Some(Verb::Remove) && !self.has(Item::Damage) {
            return refused(Refusal::Remove);
        }
        if self.has(Item::Damage) || self.has(Item::Stain) || verb == Some(Verb::Hide) {
            return refused(Refusal::Conceal);
        }
        if self.has_verb(Verb::Stretch) {
            return refused(Refusal::Enlarge);
        }
        let is_changed = self.has_changes() || remedies;
        let has_property = self.properties().next().is_some();
        let (is_light, has_surface) = (self.has(Item::Light), self.has(Item::Surface));
        let only = |wanted| self.properties().all(|property| property == wanted);
        match verb {
            Some(Verb::Remove) if has_thing || !remedies && !self.removable() => refused(Refusal::Remove),
            Some(Verb::Add) if has_thing || !is_changed && !has_property && !is_light => refused(Refusal::Add),
            Some(Verb::Replace) if !has_property && !is_changed => refused(Refusal::Alter),
            Some(Verb::Replace) if has_property && only(Property::Windows) => refused(Refusal::Alter),
            Some(Verb::Add) if has_surface && !has_property => refused(Refusal::Alter),
            Some(Verb::Touch | Verb::Replace) if has_surface && only(Property::Color) => refused(Refusal::Alter),
            Some(Verb::Touch | Verb::Keep) if is_kept && !has_property && !is_changed && !is_light => {
                refused(Refusal::Alter)
            }
            Some(Verb::Touch) if has_thing => refused(Refusal::Alter),
            None if has_thing && self.has(Item::Away) => refused(Refusal::Remove),
            _ if self.has(Item::Hue) && (has_thing || has_surface) && !is_changed => refused(Refusal::Alter),
            _ if has_thing && is_kept && verb.is_none() => Some(Meaning::Refused(Refusal::Remove)),
            _ if has_thing && is_kept => refused(Refusal::Remove),
            // "The white curtain is blown out" describes the photo.
            _ if has_thing && self.describes() => None,
            _ if self.has(Item::Region) && !is_kept && (self.has_changes() || verb.is_some()) => {
                Some(Meaning::Refused(Refusal::Part))
            }
            _ if has_thing && (is_changed || verb.is_some()) && !self.places_things() => {
                Some(Meaning::Refused(Refusal::Part))
            }
            _ => None,
        }
    }

    /// Returns whether it gives a thing another color ("make the sofa green").
    fn recolors(&self) -> bool {
        let colors = [Property::Warmth, Property::WhiteBalance];
        self.makes
            && (self.has(Item::Thing) || self.has(Item::Surface))
            && self.properties().next().is_none()
            && self.verb().is_none()
            && !self.has_changes()
            && ![Item::More, Item::Less, Item::Too, Item::Unlike].into_iter().any(|item| self.has(item))
            && !self.faults().is_empty()
            && self.faults().iter().all(|(property, _)| colors.contains(property))
    }

    /// Returns whether it only says what is wrong with something.
    fn describes(&self) -> bool {
        self.asks_nothing() && !self.faults().is_empty()
    }

    /// Returns whether things are named only to say where ("the noise behind the sofa").
    fn places_things(&self) -> bool {
        let first = self.items.iter().position(|item| *item == Item::Thing);
        let place = self.items.iter().position(|item| *item == Item::Where);
        matches!((first, place), (Some(thing), Some(place)) if place < thing && place > 0)
    }

    /// Returns whether a property is named that can be removed or reduced.
    fn removable(&self) -> bool {
        use Property::{Color, Contrast, Exposure, Highlights, Shadows, Sharpness, Warmth};
        let lessened = [Shadows, Highlights, Color, Contrast, Exposure, Warmth, Sharpness];
        self.properties().any(|property| lessened.contains(&property))
    }

    /// Returns a clause with a negation, or one that keeps something.
    fn negated(&self, verb: Option<Verb>, is_negated: bool) -> Meaning {
        let (qualities, faults) = (self.qualities(), self.faults());
        let wanted = |effects: &[Effect]| self.accepted(requests(effects));
        if self.has(Item::Too) {
            let limited = faults.first().map(|fault| (fault.0, direction(fault.1)));
            let limited = limited.or(qualities.first().map(|quality| (quality.0, direction(-quality.1))));
            return limited.map_or(Meaning::Restraint, |(property, direction)| Meaning::Limit(property, direction));
        }
        let keeps = verb == Some(Verb::Keep);
        let properties: Vec<Property> = self.properties().collect();
        let kept_features = properties.iter().copied().filter(|p| is_material(*p)).collect::<Vec<_>>();
        if !kept_features.is_empty() && (is_negated || keeps) {
            return keep(kept_features);
        }
        // "Leave the shadows dark", "the exposure is fine".
        if self.leaves() && !is_negated && !properties.contains(&Property::Color) {
            let changes = self.changes();
            let shown = faults.iter().chain(&qualities).chain(&changes).map(|(property, _)| *property);
            let named = if properties.is_empty() { shown.collect() } else { properties.clone() };
            if !named.is_empty() && named != [Property::Natural] {
                return keep(named);
            }
        }
        if !is_negated {
            // "Not level", "isn't straight"; "keep it natural", "keep the verticals straight".
            let effects: Vec<Effect> = faults.iter().chain(&qualities).copied().collect();
            if keeps && self.has(Item::Light) && !qualities.is_empty() {
                return keep(qualities.iter().map(|(property, _)| *property).collect());
            }
            if !effects.is_empty() {
                return wanted(&effects);
            }
        } else if !faults.is_empty() && !properties.contains(&Property::Color) {
            let leaves = matches!(self.verb(), Some(Verb::Remove | Verb::Decrease | Verb::Correct | Verb::Balance));
            if leaves {
                // "Don't remove the noise".
                return keep(faults.iter().map(|(property, _)| *property).collect());
            }
            // "No yellow tones", "without blowing out the windows".
            return self.accepted(self.of_features(None).unwrap_or_else(|| requests(&faults)));
        }
        let mut named: Vec<Property> = self.changes().iter().chain(&qualities).map(|(property, _)| *property).collect();
        // "Not darker" is always so: nothing is darkened unless it is requested.
        if self.changes().iter().any(|(property, amount)| *property == Property::Exposure && *amount < 0.0) {
            named = vec![Property::Content];
        }
        if named.is_empty() {
            named.extend(properties);
        }
        if named.is_empty() && self.has(Item::Light) {
            named.push(Property::Exposure);
        }
        match named.as_slice() {
            [] if self.has(Item::Anything) || self.has(Item::More) || verb.is_some() => kept(Property::Content),
            [] => Meaning::Unknown,
            [Property::Indoors] => self.accepted(vec![(Property::Outdoors, Direction::More)]),
            [Property::Outdoors] => self.accepted(vec![(Property::Indoors, Direction::More)]),
            [Property::Natural] => Meaning::Unknown,
            named if named.contains(&Property::Color) => keep(vec![self.color()]),
            named => keep(named.to_vec()),
        }
    }

    /// Returns requests with their degree, if enough of the clause is known.
    fn accepted(&self, requests: Vec<(Property, Direction)>) -> Meaning {
        let is_clear = self.items.iter().any(|item| match item {
            Item::Change(_) | Item::Verb(_) | Item::More | Item::Less | Item::Too | Item::Enough | Item::No => true,
            Item::Setting(_) => true,
            // "The skin looks green".
            Item::Fault(_) if self.statement.is_stated => true,
            // Colors may just describe ("blue cabinets").
            Item::Fault(effects) => {
                effects.iter().all(|effect| ![Property::Warmth, Property::WhiteBalance].contains(&effect.0))
            }
            _ => false,
        });
        if requests.is_empty() {
            let is_remark =
                self.unknown == 0 && self.items.iter().any(|item| matches!(item, Item::Degree(_) | Item::Verb(_)));
            return if is_remark || self.is_filler() { Meaning::Follow(self.degree()) } else { Meaning::Unknown };
        }
        // "The yellow chair".
        let subjects = self.items.iter().take_while(|item| **item != Item::Where);
        let has_subject = subjects.filter(|item| matches!(item, Item::Thing | Item::Surface)).count() > 0;
        let names_only = !is_clear && !self.has(Item::Away) && has_subject && !self.faults().is_empty();
        if names_only && self.qualities().is_empty() && !self.statement.asks {
            return Meaning::Unknown;
        }
        let is_bare = self.items.iter().any(|item| matches!(item, Item::Property(Property::Color)));
        if self.unknown > if is_clear || self.statement.asks { MOST_UNKNOWN } else { usize::from(!is_bare) } {
            return Meaning::Unknown;
        }
        let is_minor = self.has(Item::Too) || self.has(Item::Enough);
        Meaning::Requests(requests, if is_minor && self.degree() > 1.0 { 1.0 } else { self.degree() })
    }
}

fn keep(properties: Vec<Property>) -> Meaning {
    let mut kept: Vec<(Property, Direction)> = Vec::new();
    for property in properties {
        // Warmth is kept by keeping the white balance.
        let property = if property == Property::Warmth { Property::WhiteBalance } else { property };
        if !kept.contains(&(property, Direction::Keep)) {
            kept.push((property, Direction::Keep));
        }
    }
    Meaning::Requests(kept, 1.0)
}

fn kept(property: Property) -> Meaning {
    keep(vec![property])
}

/// Returns whether it is a property of the whole photo that can be overdone.
fn is_tone(property: Property) -> bool {
    use Property::{Color, Contrast, Exposure, Sharpness, Warmth};
    matches!(property, Color | Contrast | Exposure | Sharpness | Warmth)
}

/// Returns whether it changes what the photo shows.
fn is_material(property: Property) -> bool {
    matches!(property, Property::Sky | Property::Dusk | Property::Lawn)
}
