//! Changes that a prompt forbids, and the statements that only explain them.

use std::collections::HashSet;

use super::composition::direction;
use super::item::Verb;
use super::request::{Direction, Property, Request};
use super::terms::Words;
use crate::clause::Clause;

/// Changes that a prompt forbids, and its statements, so that a reason never becomes an order.
#[derive(Debug, Default)]
pub(super) struct Forbidden {
    /// Properties with the direction that is forbidden; `None` for any change.
    kept: Vec<(Property, Option<Direction>)>,
    /// Statements of the prompt, as they were written.
    stated: HashSet<String>,
}

impl Forbidden {
    /// Remembers a clause that states something.
    pub(super) fn state(&mut self, clause: &Clause) {
        self.stated.insert(clause.text.clone());
    }

    /// Remembers that a clause keeps a property.
    pub(super) fn forbid(&mut self, property: Property, words: &Words) {
        let forbidden = (property, words.named_direction(property));
        if !self.kept.contains(&forbidden) {
            self.kept.push(forbidden);
        }
    }

    /// Returns whether a change is forbidden.
    pub(super) fn forbids(&self, property: Property, to: Direction) -> bool {
        to != Direction::Keep
            && self.kept.iter().any(|(kept, forbidden)| {
                is_related(*kept, property) && forbidden.is_none_or(|forbidden| forbidden == to)
            })
    }

    /// Returns whether a request was only read from a statement, and is forbidden elsewhere in the prompt.
    pub(super) fn is_mere_reason(&self, request: &Request) -> bool {
        self.stated.contains(&request.clause) && self.forbids(request.property, request.direction)
    }
}

impl Words {
    /// Returns the direction in which the clause would change a property, if it names one.
    fn named_direction(&self, property: Property) -> Option<Direction> {
        let effects = self.changes().into_iter().chain(self.qualities());
        let named = effects.filter(|effect| is_related(property, effect.0)).map(|effect| direction(effect.1)).next();
        named.or(match self.verb() {
            Some(Verb::Increase) => Some(Direction::More),
            Some(Verb::Decrease) => Some(Direction::Less),
            _ => None,
        })
    }
}

/// Returns whether keeping one property keeps another.
fn is_related(kept: Property, property: Property) -> bool {
    use Property::{Color, Colors, Warmth, WhiteBalance};
    kept == property
        || matches!((kept, property), (WhiteBalance | Colors, Warmth | WhiteBalance) | (Color | Colors, Color | Colors))
}
