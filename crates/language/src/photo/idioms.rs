//! Meanings that only several words together express: separated verbs ("dial the contrast back"), complaints, and
//! exposure in stops.

use super::item::{Effect, Item, Verb};
use super::request::Property;
use super::terms::{Words, is_stop};
use crate::class::Class;
use crate::statement::is_unseen;

/// Maximum number of words between a verb and its particle.
const LONGEST_OBJECT: usize = 4;

impl Words {
    /// Reads a separated verb of lessening. "Pull the view back" recovers what is lost, so only a tone is lessened.
    pub(super) fn read_particles(&mut self, words: &[String]) {
        use Property::{Color, Contrast, Exposure, Sharpness, Warmth};
        let is_tone = |property| matches!(property, Color | Contrast | Exposure | Sharpness | Warmth);
        let is_separated = |at: usize| {
            let object = words.iter().skip(at + 1).take(LONGEST_OBJECT + 1);
            Class::Lessening.has(&words[at])
                && object.skip(1).any(|word| Class::LesseningParticle.has(word))
                && words.get(at + 1).is_some_and(|next| !Class::LesseningParticle.has(next))
        };
        let is_lessened = (0..words.len()).any(is_separated)
            && self.properties().next().is_some()
            && self.properties().all(is_tone)
            && !self.has(Item::Thing);
        if is_lessened {
            let is_verb = |item: &Item| {
                matches!(item, Item::Verb(Verb::Recover | Verb::Remove | Verb::Replace) | Item::Away | Item::Where)
            };
            self.items.retain(|item| !is_verb(item));
            self.items.push(Item::Verb(Verb::Decrease));
        }
    }

    /// Reads softness and invisibility as faults ("the sofa is soft", "you can hardly see the fireplace").
    pub(super) fn read_complaints(&mut self, words: &[String]) {
        let is_measured = self.items.iter().any(|item| matches!(item, Item::Degree(_)));
        if words.iter().any(|word| word == "soft")
            && (Class::Mildly.is_in(words) || is_measured)
            && !self.statement.asks
        {
            let soft = self.items.iter_mut().find(|item| **item == Item::Verb(Verb::Soften));
            soft.into_iter().for_each(|item| *item = Item::Fault(&[(Property::Sharpness, 1.0)]));
        }
        // "Nicht gerade rücken" is no complaint, "nicht gerade" is.
        if words.windows(2).any(|pair| pair[0] == "nicht" && ["gerade", "senkrecht"].contains(&pair[1].as_str()))
            && words.last().is_some_and(|last| Class::Straightening.has(last))
        {
            self.items.retain(|item| *item != Item::Fault(&[(Property::Upright, 1.0)]));
            self.items.extend([Item::No, Item::Task(Property::Upright)]);
        }
        if is_unseen(words) && !self.statement.asks && !self.has_any_verb() {
            self.items.retain(|item| !matches!(item, Item::No | Item::Not | Item::More | Item::Away));
            // "You can hardly make out the fireplace".
            if self.items.iter().any(|item| matches!(item, Item::Thing | Item::Surface | Item::Refused(_))) {
                self.items.retain(|item| !matches!(item, Item::Refused(_) | Item::Verb(_)));
            }
            self.items.push(Item::Fault(&[(Property::Exposure, 1.0)]));
            self.is_unseen = true;
        }
    }

    /// Reads complaints about uneven light and gray whites, and exposure in stops.
    pub(super) fn read_light(&mut self, words: &[String]) {
        use Property::{Exposure, Highlights, Shadows};
        let is_light = |item: &Item| matches!(item, Item::Light | Item::Property(Exposure));
        if Class::Uneven.is_in(words) && self.items.iter().any(is_light) {
            self.items.retain(|item| !is_light(item) && !matches!(item, Item::Fault(_) | Item::Dry | Item::Verb(_)));
            self.items.push(Item::Change(&[(Shadows, 1.0), (Highlights, 1.0)]));
        }
        // "White furniture reads grey".
        let is_white = |item: &Item| matches!(item, Item::Quality([(Property::WhiteBalance, _)]));
        if Class::White.is_in(words)
            && Class::Gray.is_in(words)
            && !self.statement.asks
            && !self.has_any_verb()
            && self.items.iter().any(is_white)
        {
            self.items.retain(|item| !is_white(item) && !matches!(item, Item::Fault(_)));
            self.items.push(Item::Fault(&[(Exposure, 1.0)]));
        }
        if is_in_stops(words)
            && !self.has(Item::Too)
            && self.properties().all(|property| property == Exposure)
            && self.changes().is_empty()
        {
            const BRIGHTER: &[Effect] = &[(Exposure, 1.0)];
            const DARKER: &[Effect] = &[(Exposure, -1.0)];
            let is_step = |item: &Item| {
                matches!(
                    item,
                    Item::More | Item::Less | Item::Away | Item::Property(_) | Item::Verb(_) | Item::Change(_)
                )
            };
            self.items.retain(|item| !is_step(item));
            self.items.push(Item::Change(if Class::LessLight.is_in(words) { DARKER } else { BRIGHTER }));
            self.unknown = 0;
        }
    }

    /// Narrows a fault of contrast and color to the one that the clause names ("the colors are dull").
    pub(super) fn narrow_faults(&mut self) {
        const CONTRAST: &[Effect] = &[(Property::Contrast, 1.0)];
        const COLOR: &[Effect] = &[(Property::Color, 1.0)];
        let is_flat = |item: &Item| matches!(item, Item::Fault([(Property::Contrast, _), (Property::Color, _)]));
        let stated = self.items.iter().take_while(|item| !is_flat(item)).copied().collect::<Vec<_>>();
        let named = |property| stated.contains(&Item::Property(property));
        let narrowed = match (named(Property::Contrast), named(Property::Color)) {
            (true, false) => CONTRAST,
            (false, true) => COLOR,
            _ => return,
        };
        self.items.iter_mut().filter(|item| is_flat(item)).for_each(|item| *item = Item::Fault(narrowed));
    }
}

/// Returns whether exposure is given in stops ("+1 stop", "down half a stop").
fn is_in_stops(words: &[String]) -> bool {
    (1..words.len()).any(|at| is_stop(words, at))
}
