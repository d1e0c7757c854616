//! Reading a prompt clause by clause.

use super::grammar::Meaning;
use super::request::{Direction, Property, Refusal, Request};
use super::terms::{Context, Words};
use super::words::SPLITTING;
use crate::phrases::{Clause, clauses};

/// Factor on the degree of a request of which there shall not be too much.
const RESTRAINED: f32 = 0.5;

/// Number of requests to which "not too much" refers back, so that reading takes linear time.
const REMEMBERED: usize = 32;

/// Words that ask for nothing.
const COURTESIES: [&str; 35] = [
    "hi", "hey", "hello", "dear", "team", "all", "there", "thanks", "thank", "you", "please", "cheers", "regards",
    "best", "kind", "many", "again", "so", "guys", "morning", "good", "bitte", "danke", "hallo", "guten", "tag",
    "vielen", "dank", "merci", "bonjour", "beaucoup", "d", "avance", "gracias", "hola",
];

/// A prompt, read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) requests: Vec<Request>,
    pub(super) understood: Vec<String>,
    pub(super) refused: Vec<(String, Refusal)>,
    pub(super) not_understood: Vec<String>,
    /// Clauses before the first request that only say what the photo shows ("a cloudy day").
    remarks: Vec<String>,
}

impl Reading {
    /// Reads a prompt.
    pub(super) fn of(prompt: &str) -> Self {
        let clauses = clauses(prompt, SPLITTING);
        let words: Vec<Words> = clauses.iter().map(|clause| Words::of(&clause.words)).collect();
        let mut reading = Self::default();
        let mut context = Context::default();
        // First request of the clause before this one.
        let mut latest = 0;
        for (i, clause) in clauses.iter().enumerate() {
            if clause.words.iter().all(|word| COURTESIES.contains(&word.as_str())) {
                continue;
            }
            if !clause.is_joined {
                context = Context::default();
            }
            context.is_alternative = clause.is_alternative;
            context.is_contrast = clause.is_joined && !reading.requests.is_empty();
            let borrowed = match context.is_empty() {
                true => Context { is_contrast: context.is_contrast, ..following(&clauses, &words, i) },
                false => context,
            };
            let is_of_feature = clause.is_joined
                && words[i].is_color()
                && reading.requests.last().is_some_and(|last| matches!(last.property, Property::Sky | Property::Lawn));
            let meaning = if is_of_feature { Meaning::Follow(1.0) } else { words[i].meaning(borrowed) };
            context = words[i].context(context);
            let start = reading.requests.len();
            reading.add(clause, meaning, &words[i], latest);
            if reading.requests.len() > start {
                latest = start;
            }
        }
        let is_answered = !reading.requests.is_empty() || !reading.refused.is_empty();
        let list = if is_answered { &mut reading.understood } else { &mut reading.not_understood };
        list.splice(0..0, std::mem::take(&mut reading.remarks));
        reading
    }

    fn add(&mut self, clause: &Clause, meaning: Meaning, words: &Words, latest: usize) {
        let text = clause.text.clone();
        let request =
            |property, direction, degree| Request { clause: clause.text.clone(), property, direction, degree };
        match meaning {
            // "Warmer, but without turning it orange" asks for less warmth, not for the opposite.
            Meaning::Requests(requests, _)
                if words.prevents()
                    && requests.iter().any(|(property, to)| self.exceeding(*property, *to).is_some()) =>
            {
                for (property, to) in requests {
                    if let Some(earlier) = self.exceeding(property, to) {
                        earlier.degree *= RESTRAINED;
                    }
                }
                self.requests.push(request(Property::Restraint, Direction::More, 1.0));
            }
            // "More contrast without making it darker" asks for no light.
            Meaning::Requests(requests, _)
                if words.prevents()
                    && self.is_aside(clause)
                    && requests.iter().all(|(property, to)| is_tone(*property) && *to != Direction::Keep) =>
            {
                self.restrain(latest, clause);
            }
            Meaning::Requests(requests, degree) => {
                self.requests
                    .extend(requests.into_iter().map(|(property, direction)| request(property, direction, degree)));
            }
            Meaning::Limit(property, limit) => {
                if let Some(earlier) = self.exceeding(property, limit) {
                    earlier.degree *= RESTRAINED;
                    self.requests.push(request(Property::Restraint, Direction::More, 1.0));
                } else if self.is_aside(clause) {
                    self.restrain(latest, clause);
                } else {
                    self.requests.push(request(property, limit, RESTRAINED));
                }
            }
            Meaning::Follow(degree) if !self.requests.is_empty() => {
                self.requests[latest..].iter_mut().for_each(|earlier| earlier.degree *= degree);
            }
            Meaning::Follow(_) if !self.refused.is_empty() => {}
            Meaning::Follow(_) if words.only_corrects() => {
                self.requests.push(request(Property::Natural, Direction::More, 1.0));
            }
            Meaning::Follow(_) if words.only_lessens() => {
                self.requests.push(request(Property::Restraint, Direction::More, 1.0));
            }
            Meaning::Follow(_) if words.is_filler() => return self.remarks.push(text),
            Meaning::Restraint => {
                self.requests.iter_mut().rev().take(REMEMBERED).for_each(|earlier| earlier.degree *= RESTRAINED);
                self.requests.push(request(Property::Restraint, Direction::More, 1.0));
            }
            Meaning::Partly(requests, degree, refusal) => {
                self.requests
                    .extend(requests.into_iter().map(|(property, direction)| request(property, direction, degree)));
                self.refused.push((text.clone(), refusal));
            }
            Meaning::Refused(refusal) => return self.refused.push((text, refusal)),
            // "Landscape instead of portrait": what it was before.
            Meaning::Unknown
                if clause.is_joined && ["instead", "rather", "statt"].contains(&clause.words[0].as_str()) =>
            {
                return self.remarks.push(text);
            }
            Meaning::Follow(_) | Meaning::Unknown => return self.not_understood.push(text),
        }
        self.understood.push(text);
    }

    /// Whether a clause limits what the clauses before it asked for ("without making it dark").
    fn is_aside(&self, clause: &Clause) -> bool {
        clause.is_joined && !self.requests.is_empty() && SPLITTING.openers.contains(&clause.words[0].as_str())
    }

    /// Asks for less of the requests from `first` on.
    fn restrain(&mut self, first: usize, clause: &Clause) {
        self.requests[first..].iter_mut().for_each(|earlier| earlier.degree *= RESTRAINED);
        self.requests.push(Request {
            clause: clause.text.clone(),
            property: Property::Restraint,
            direction: Direction::More,
            degree: 1.0,
        });
    }

    /// The latest request that goes the other way than a limit.
    fn exceeding(&mut self, property: Property, limit: Direction) -> Option<&mut Request> {
        let exceeds =
            |r: &&mut Request| r.property == property && r.direction != limit && r.direction != Direction::Keep;
        self.requests.iter_mut().rev().take(REMEMBERED).find(exceeds).filter(|_| limit != Direction::Keep)
    }
}

/// Whether a property is light or color of the whole photo.
fn is_tone(property: Property) -> bool {
    use Property::{Color, Contrast, Exposure, Warmth, WhiteBalance};
    matches!(property, Exposure | Warmth | WhiteBalance | Contrast | Color)
}

/// The verb of a clause further on that holds for clause `i`, which only names things ("sky and lawn shall not change").
fn following(clauses: &[Clause], words: &[Words], i: usize) -> Context {
    if !words[i].is_elliptic() {
        return Context::default();
    }
    let goes_on = |words: &Words| words.begins_with_noun() || words.is_verb_only();
    let rest = clauses[i + 1..].iter().zip(&words[i + 1..]);
    let rest = rest.take_while(|(clause, words)| clause.is_joined && goes_on(words));
    rest.take(4)
        .map(|(_, words)| words.context(Context::default()))
        .find(|context| !context.is_empty())
        .unwrap_or_default()
}
