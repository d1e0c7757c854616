//! How far a negation reaches, and statements that only explain it.

use std::collections::HashSet;

use super::composition::direction;
use super::item::Verb;
use super::request::{Direction, Property, Request};
use super::terms::Words;
use crate::chatter::is_reason;
use crate::clause::Clause;

/// Words that begin the subject of a statement, folded.
const DETERMINERS: [&str; 26] = [
    "the", "that", "those", "these", "this", "my", "our", "their", "its", "it", "they", "der", "die", "das", "diese",
    "dieser", "le", "la", "les", "ces", "ce", "el", "los", "las", "esos", "esas",
];

/// Whether a clause states something and orders nothing ("those clouds are real").
pub(super) fn states(clause: &Clause, words: &Words) -> bool {
    let has_subject = DETERMINERS.contains(&clause.words[0].as_str()) && clause.words.len() > 2;
    !words.asks && (words.is_statement || has_subject || is_reason(&clause.words))
}

/// The words before a reason that follows a negation without a comma ("don't straighten it | the walls are crooked").
pub(super) fn without_explanation(words: &[String]) -> &[String] {
    const NEGATING: [&str; 16] = [
        "dont", "never", "no", "leave", "without", "nicht", "kein", "keine", "ohne", "pas", "sans", "sin", "nunca",
        "jamais", "avoid", "stop",
    ];
    const STATING: [&str; 20] = [
        "is", "are", "was", "were", "isnt", "arent", "looks", "has", "really", "ist", "sind", "war", "waren", "est",
        "sont", "etait", "es", "esta", "son", "estan",
    ];
    const PRONOUNS: [&str; 6] = ["it", "they", "that", "those", "these", "this"];
    const BECAUSE: [&str; 7] = ["because", "since", "weil", "denn", "parce", "car", "porque"];
    const COMPARING: [&str; 12] =
        ["like", "as", "than", "if", "that", "what", "how", "way", "wie", "als", "comme", "como"];
    /// Maximum number of words of a subject after its determiner.
    const LONGEST_SUBJECT: usize = 3;
    let is_in = |list: &[&str], word: &String| list.contains(&word.as_str());
    let negates = |at: usize| {
        is_in(&NEGATING, &words[at])
            || words[at] == "not" && at > 0 && ["do", "please"].contains(&words[at - 1].as_str())
    };
    let Some(negation) = (0..words.len()).find(|at| negates(*at)) else { return words };
    let starts = |at: &usize| {
        if is_in(&COMPARING, &words[at - 1]) {
            return false;
        }
        let rest = &words[at + 1..];
        let subject = rest.iter().take(LONGEST_SUBJECT).take_while(|word| !is_in(&DETERMINERS, word)).count();
        let is_pronoun = is_in(&PRONOUNS, &words[*at]) && rest.first().is_some_and(|verb| is_in(&STATING, verb));
        let has_verb = rest.iter().take(subject + 1).skip(1).any(|word| is_in(&STATING, word))
            && !is_in(&PRONOUNS[..2], &words[*at]);
        is_in(&BECAUSE, &words[*at]) && !rest.is_empty()
            || is_in(&DETERMINERS, &words[*at]) && (is_pronoun || has_verb || is_reason(&words[*at..]))
    };
    &words[..(negation + 2..words.len()).find(starts).unwrap_or(words.len())]
}

/// What a prompt forbids, and what it only states, so that a reason never becomes an order.
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

    /// Whether a change is forbidden.
    pub(super) fn forbids(&self, property: Property, to: Direction) -> bool {
        to != Direction::Keep
            && self.kept.iter().any(|(kept, forbidden)| {
                is_related(*kept, property) && forbidden.is_none_or(|forbidden| forbidden == to)
            })
    }

    /// Whether a request was only read from a statement, and is forbidden elsewhere in the prompt.
    pub(super) fn is_mere_reason(&self, request: &Request) -> bool {
        self.stated.contains(&request.clause) && self.forbids(request.property, request.direction)
    }
}

impl Words {
    /// The direction in which the clause would change a property, if it names one.
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

/// Whether keeping one property keeps another.
fn is_related(kept: Property, property: Property) -> bool {
    use Property::{Color, Colors, Warmth, WhiteBalance};
    kept == property
        || matches!((kept, property), (WhiteBalance | Colors, Warmth | WhiteBalance) | (Color | Colors, Color | Colors))
}
