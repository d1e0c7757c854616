//! Verbs that are separated from their particle by what they change ("dial the contrast back").

use super::item::{Item, Verb};
use super::request::Property;
use super::terms::Words;
use crate::class::Class;

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
}
