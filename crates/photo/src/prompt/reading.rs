//! Reading a prompt clause by clause.

use super::grammar::Meaning;
use super::item::Verb;
use super::request::{Direction, Property, Refusal, Request};
use super::terms::{Context, Words};
use super::words::SPLITTING;
use crate::phrases::{Clause, clauses, is_courtesy};

/// Factor on the degree of a request of which there shall not be too much.
const RESTRAINED: f32 = 0.5;

/// Number of requests to which "not too much" refers back, so that reading takes linear time.
const REMEMBERED: usize = 32;

/// A prompt, read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) requests: Vec<Request>,
    pub(super) understood: Vec<String>,
    pub(super) refused: Vec<(String, Refusal)>,
    pub(super) not_understood: Vec<String>,
    /// Clauses before the first request that only say what the photo shows ("a cloudy day").
    remarks: Vec<String>,
    /// Whether the clause before was refused.
    was_refused: bool,
}

impl Reading {
    /// Reads a prompt.
    pub(super) fn of(prompt: &str) -> Self {
        let clauses = clauses(prompt, SPLITTING);
        let words: Vec<Words> = clauses.iter().map(|clause| Words::of(&clause.words)).collect();
        let mut reading = Self::default();
        let mut context = Context::default();
        let mut is_explaining = false;
        // First request of the clause before this one.
        let mut latest = 0;
        for (i, clause) in clauses.iter().enumerate() {
            if is_courtesy(&clause.words) {
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
            // "Darker shadows, they look gray and milky": an explanation continues until something is asked.
            is_explaining = clause.is_joined
                && (reading.explains(clause, &words[i])
                    || is_explaining && words[i].verb().is_none() && !words[i].asks);
            // "Stage it with a sofa and a rug".
            let goes_on_refused =
                clause.is_joined && reading.was_refused && words[i].names_things() && context.is_empty();
            let meaning = match words[i].meaning(borrowed) {
                _ if is_of_feature || is_explaining || goes_on_refused => Meaning::Follow(1.0),
                Meaning::Follow(_) | Meaning::Unknown if words[i].only_restrains(&clause.words) => Meaning::Restraint,
                _ if clause.is_joined && words[i].only_states() => {
                    reading.remarks.push(clause.text.clone());
                    continue;
                }
                meaning => meaning,
            };
            context = words[i].context(context);
            let start = reading.requests.len();
            reading.was_refused = matches!(meaning, Meaning::Refused(_)) || goes_on_refused;
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
        let is_alternative = clause.is_joined && ["instead", "rather", "statt"].contains(&clause.words[0].as_str());
        match meaning {
            // "Landscape instead of portrait": what it was before.
            Meaning::Unknown if is_alternative => return self.remarks.push(text),
            Meaning::Requests(requests, _) if is_alternative && requests == [(Property::Content, Direction::Keep)] => {
                return self.remarks.push(text);
            }
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
                if self.is_aside(clause)
                    && requests == [(Property::Content, Direction::Keep)]
                    && words.changes().iter().any(|(property, _)| is_tone(*property)) =>
            {
                self.restrain(latest, clause);
            }
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
            Meaning::Unknown if words.is_statement => return self.remarks.push(text),
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
            Meaning::Follow(_) | Meaning::Unknown => return self.not_understood.push(text),
        }
        self.understood.push(text);
    }

    /// Whether a clause says more about what the clause before it asked for ("the windows, they're just white").
    fn explains(&self, clause: &Clause, words: &Words) -> bool {
        use Property::{Contrast, Exposure, Highlights, Natural, Shadows, Sharpness, WhiteBalance, Windows};
        const THEY: [&str; 20] = [
            "they", "theyre", "it", "its", "sie", "es", "alles", "all", "just", "man", "you", "on", "no", "esta",
            "estan", "c", "est", "ist", "sind", "i",
        ];
        const BACK: [&str; 7] = ["back", "zuruck", "retrouver", "recuperer", "recupera", "recuperar", "wieder"];
        const LIKE: [&str; 6] = ["like", "as", "wie", "comme", "como", "feels"];
        let Some(last) = self.requests.last().filter(|_| clause.is_joined) else { return false };
        let starts_with = |list: &[&str]| clause.words.first().is_some_and(|word| list.contains(&word.as_str()));
        let shown = || words.qualities().into_iter().chain(words.faults());
        let shows = |properties: &[Property]| {
            !words.asks
                && words.verb().is_none()
                && words.changes().is_empty()
                && shown().next().is_some()
                && shown().all(|(property, _)| properties.contains(&property))
        };
        match last.property {
            Windows | Highlights | Shadows if starts_with(&THEY) && words.is_filler() => true,
            Windows | Highlights if starts_with(&THEY) && shows(&[WhiteBalance, Highlights, Exposure]) => true,
            Shadows if starts_with(&THEY) && shows(&[Contrast, Exposure]) => true,
            // "The curtain is blown out, get the texture back", "blurry, make it clearer".
            Windows | Highlights | Shadows
                if words.has_verb(Verb::Recover) || clause.words.iter().any(|word| BACK.contains(&word.as_str())) =>
            {
                words.properties().next().is_some() && words.properties().all(|property| property == Sharpness)
            }
            // "Blue sky without clouds".
            Property::Sky if last.direction == Direction::More && self.is_aside(clause) => {
                words.properties().all(|property| property == Property::Sky)
            }
            // "The blacks have no depth, make them richer".
            Shadows if last.direction == Direction::Less => {
                !words.changes().is_empty() && words.changes().iter().all(|(property, _)| *property == Property::Color)
            }
            Sharpness if words.is_clearer(&clause.words) => true,
            // "Airy, like in a magazine", "too vivid, feels like a cartoon".
            // "The white balance is good, leave it".
            _ if last.direction == Direction::Keep && words.is_verb_of_keeping() => true,
            // "Don't straighten, the tilt is wanted".
            property if last.direction == Direction::Keep && words.is_statement => shows(&[property]),
            _ if starts_with(&LIKE) && !words.asks => shows(&[Natural]) || words.is_comparison(&clause.words),
            _ => false,
        }
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
