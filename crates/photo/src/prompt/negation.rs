//! How far a negation reaches, and statements that only explain it.

use std::collections::HashSet;

use super::chatter::is_reason;
use super::composition::direction;
use super::item::Verb;
use super::request::{Direction, Property, Request};
use super::terms::Words;
use crate::phrases::Clause;

/// Maximum number of clauses in a list after a negation.
const LONGEST_LIST: usize = 6;
/// Words that begin a new order, so that a negation before them ends, folded.
const ORDERING: [&str; 15] = [
    "please",
    "pls",
    "plz",
    "just",
    "only",
    "instead",
    "rather",
    "bitte",
    "nur",
    "sondern",
    "svp",
    "seulement",
    "solo",
    "sino",
    "better",
];
/// Words that begin the subject of a statement, folded.
const DETERMINERS: [&str; 26] = [
    "the", "that", "those", "these", "this", "my", "our", "their", "its", "it", "they", "der", "die", "das", "diese",
    "dieser", "le", "la", "les", "ces", "ce", "el", "los", "las", "esos", "esas",
];

/// Whether each clause follows a conjunction ("and", "but"), not only punctuation.
#[must_use]
pub fn conjoined(prompt: &str, clauses: &[Clause]) -> Vec<bool> {
    let mut rest = prompt;
    let is_conjoined = |clause: &Clause| {
        let Some((between, _)) = rest.split_once(clause.text.as_str()) else { return false };
        rest = &rest[between.len() + clause.text.len()..];
        between.contains(char::is_alphabetic) && !clause.is_alternative
    };
    clauses.iter().map(is_conjoined).collect()
}

/// Whether a list goes on from clause `i` to an "or" ("don't brighten it, warm it or sharpen it"), so that a negation holds for
/// all of it. `states` says whether a clause orders nothing, `is_known` whether it has a meaning.
#[must_use]
pub fn is_listed(
    clauses: &[Clause],
    conjoined: &[bool],
    i: usize,
    states: impl Fn(usize) -> bool,
    is_known: impl Fn(usize) -> bool,
) -> bool {
    let next = i + 1;
    for at in next..clauses.len().min(next + LONGEST_LIST) {
        let clause = &clauses[at];
        let is_new = ORDERING.contains(&clause.words[0].as_str()) || states(at);
        if !clause.is_joined || conjoined[at] || is_new {
            return false;
        }
        if clause.is_alternative {
            return is_known(at);
        }
    }
    false
}

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
