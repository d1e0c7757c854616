//! Reading a prompt clause by clause.

use super::grammar::Meaning;
use super::item::{Item, SPLITTING, Verb};
use super::negation::Forbidden;
use super::request::{Direction, Property, Refusal, Request};
use super::terms::{Context, Words};
use crate::class::Class;
use crate::clause::{Clause, clauses};
use crate::statement::{Statement, courtesies, ends_in_subject, is_listed, is_prohibition, is_question, order};

/// Factor on the degree of a request of which there shall not be too much.
const RESTRAINED: f32 = 0.5;

/// Number of requests to which "not too much" refers back, so that reading takes linear time.
const REMEMBERED: usize = 32;

/// Less of what was requested before.
const RESTRAINT: (Property, Direction) = (Property::Restraint, Direction::More);

/// A prompt, read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) requests: Vec<Request>,
    pub(super) understood: Vec<String>,
    pub(super) refused: Vec<(String, Refusal)>,
    pub(super) not_understood: Vec<String>,
    /// Clauses before the first request that only say what the photo shows ("a cloudy day").
    remarks: Vec<String>,
    /// Changes that are forbidden, and statements.
    forbidden: Forbidden,
}

impl Reading {
    /// Reads a prompt.
    pub(super) fn of(prompt: &str) -> Self {
        let clauses = with_subjects(clauses(prompt, SPLITTING));
        let courtesies = courtesies(&clauses, |words| Words::of(words).is_unknown());
        let words: Vec<Words> = clauses.iter().map(|clause| Words::of(order(&clause.words))).collect();
        let mut reading = Self::default();
        let mut context = Context::default();
        let (mut is_explaining, mut was_refused) = (false, false);
        // First request of the clause before this one.
        let mut latest = 0;
        // The clause before this one, without courtesies.
        let mut spoken: Option<usize> = None;
        for (i, clause) in clauses.iter().enumerate() {
            // "Don't touch the sky, only brighten".
            if !clause.is_joined || words[i].has(Item::Only) && !clause.is_alternative {
                context = Context::default();
            }
            if courtesies[i] {
                continue;
            }
            let is_continued = clauses.get(i + 1).is_some_and(|next| next.is_joined);
            let ordered = order(&clause.words);
            let is_reasoned = Statement::of(&clause.words).is_reason
                && words[i].is_silent(&clause.words)
                && !words[i].only_restrains(ordered);
            let is_rest = words[i].excludes_the_rest(&clause.words) && (is_continued || !reading.requests.is_empty());
            if is_reasoned || is_rest {
                reading.remarks.push(clause.text.clone());
                continue;
            }
            context.is_alternative = clause.is_alternative;
            context.is_contrast = clause.is_joined && !reading.requests.is_empty();
            let borrowed = match context.is_empty() {
                true => Context { is_contrast: context.is_contrast, ..following(&clauses, &words, i) },
                false => context,
            };
            let named = reading.requests.last().map(|last| last.property).filter(|_| clause.is_joined);
            let is_of_feature = words[i].is_color() && matches!(named, Some(Property::Sky | Property::Lawn))
                || named == Some(Property::Lawn) && (words[i].is_fresh(&clause.words) || is_alternative(clause));
            if let Some(before) = spoken.replace(i).filter(|_| clause.is_joined) {
                reading.revise(&words[before], &words[i], &clauses[before], clause);
                latest = latest.min(reading.requests.len());
            }
            // "Darker shadows, they look gray and milky": an explanation continues until something is asked.
            is_explaining = clause.is_joined
                && (reading.explains(clause, &words[i])
                    || is_explaining && !reading.keeps() && words[i].verb().is_none() && !words[i].statement.asks);
            // "Stage it with a sofa and a rug".
            was_refused &= clause.is_joined && words[i].names_things() && context.is_empty();
            let meaning = match words[i].meaning(borrowed) {
                _ if is_question(&clause.words) => Meaning::Unknown,
                _ if is_of_feature || is_explaining || was_refused => Meaning::Follow(1.0),
                Meaning::Follow(_) | Meaning::Unknown | Meaning::Requests(..) if words[i].only_restrains(ordered) => {
                    Meaning::Restraint
                }
                _ if clause.is_joined && words[i].only_states() => {
                    reading.remarks.push(clause.text.clone());
                    continue;
                }
                meaning => meaning,
            };
            context = words[i].context(context);
            // "Don't touch it, remove it or brighten it".
            let mut rest = clauses[i + 1..].iter().take(4).take_while(|clause| clause.is_joined);
            context.is_dangling |= words[i].is_verb_only() && rest.any(|clause| clause.is_alternative)
                || context.is_negated
                    && is_listed(&clauses, i, |at| words[at].statement.orders_nothing, |at| !words[at].is_unknown());
            let start = reading.requests.len();
            was_refused |= matches!(meaning, Meaning::Refused(_));
            if words[i].statement.orders_nothing {
                reading.forbidden.state(clause);
            }
            let meaning = reading.without_reasons(meaning, clause, &words[i]);
            reading.add(clause, meaning, &words[i], latest);
            if reading.requests.len() > start {
                latest = start;
            }
        }
        let forbidden = std::mem::take(&mut reading.forbidden);
        reading.requests.retain(|request| !forbidden.is_mere_reason(request));
        let is_answered = !reading.requests.is_empty() || !reading.refused.is_empty();
        let list = if is_answered { &mut reading.understood } else { &mut reading.not_understood };
        list.splice(0..0, std::mem::take(&mut reading.remarks));
        // "Hello?"
        if reading.understood.is_empty() && reading.refused.is_empty() && reading.not_understood.is_empty() {
            reading.not_understood = clauses.into_iter().map(|clause| clause.text).collect();
        }
        reading
    }

    /// Returns the meaning without what a statement says of a kept property ("don't touch the sky, those clouds are
    /// real").
    fn without_reasons(&mut self, meaning: Meaning, clause: &Clause, words: &Words) -> Meaning {
        let is_stated = words.statement.orders_nothing;
        let meaning = if is_prohibition(&clause.words) { prohibited(meaning, words) } else { meaning };
        match meaning {
            Meaning::Requests(requests, degree) => {
                for (property, to) in &requests {
                    if *to == Direction::Keep {
                        self.forbidden.forbid(*property, words);
                    }
                }
                let (dropped, left): (Vec<_>, Vec<_>) = requests
                    .into_iter()
                    .partition(|(property, to)| is_stated && self.forbidden.forbids(*property, *to));
                if left.is_empty() && !dropped.is_empty() {
                    Meaning::Follow(1.0)
                } else {
                    Meaning::Requests(left, degree)
                }
            }
            Meaning::Restraint | Meaning::Refused(Refusal::Part) if is_stated && clause.is_joined && self.keeps() => {
                Meaning::Follow(1.0)
            }
            meaning => meaning,
        }
    }

    /// Returns whether the last request keeps something.
    fn keeps(&self) -> bool {
        self.requests.last().is_some_and(|last| last.direction == Direction::Keep)
    }

    /// Revises what the clause before asked for by what this one says of it.
    fn revise(&mut self, before: &Words, words: &Words, clause_before: &Clause, clause: &Clause) {
        let latest = self.requests.iter().rev().take(REMEMBERED);
        let start = self.requests.len() - latest.take_while(|request| request.clause == clause_before.text).count();
        // "The windows looked fake last time, please don't touch them".
        if words.is_verb_of_keeping() && words.refers_back && before.only_complains() && !self.keeps() {
            self.requests.truncate(start);
            self.request(clause, before.properties().map(|property| (property, Direction::Keep)), 1.0);
        }
        // "It's pitch black under the desk, bring some detail back in there".
        if words.is_detail() && before.is_dark_place() {
            let dark = self.requests[start..].iter_mut().filter(|request| request.property == Property::Exposure);
            dark.for_each(|request| request.property = Property::Shadows);
        }
        // "It's flat, give it some contrast".
        let is_washed = clause_before.words.iter().any(|word| word == "washed");
        if before.is_flat()
            && !is_washed
            && words.changes().is_empty()
            && words.faults().is_empty()
            && words.qualities().is_empty()
        {
            let mut named = words.properties();
            let other = match (named.next(), named.next()) {
                (Some(Property::Contrast), None) => Property::Color,
                (Some(Property::Color), None) => Property::Contrast,
                _ => return,
            };
            let revised = self.requests.split_off(start);
            self.requests.extend(revised.into_iter().filter(|request| request.property != other));
        }
    }

    /// Adds requests of a clause.
    fn request(&mut self, clause: &Clause, requests: impl IntoIterator<Item = (Property, Direction)>, degree: f32) {
        let text = &clause.text;
        self.requests.extend(requests.into_iter().map(|(property, direction)| Request {
            clause: text.clone(),
            property,
            direction,
            degree,
        }));
    }

    fn add(&mut self, clause: &Clause, meaning: Meaning, words: &Words, latest: usize) {
        let text = clause.text.clone();
        let is_alternative = is_alternative(clause);
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
                    self.exceeding(property, to).into_iter().for_each(|earlier| earlier.degree *= RESTRAINED);
                }
                self.request(clause, [RESTRAINT], 1.0);
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
                self.request(clause, requests, degree);
            }
            Meaning::Limit(property, limit) => {
                if let Some(earlier) = self.exceeding(property, limit) {
                    earlier.degree *= RESTRAINED;
                    self.request(clause, [RESTRAINT], 1.0);
                } else if self.is_aside(clause) {
                    self.restrain(latest, clause);
                } else {
                    self.request(clause, [(property, limit)], RESTRAINED);
                }
            }
            Meaning::Follow(degree) if !self.requests.is_empty() => {
                self.requests[latest..].iter_mut().for_each(|earlier| earlier.degree *= degree);
            }
            Meaning::Follow(_) if !self.refused.is_empty() => {}
            Meaning::Follow(_) if words.only_corrects() => {
                self.request(clause, [(Property::Natural, Direction::More)], 1.0);
            }
            Meaning::Follow(_) if words.only_lessens() => {
                self.request(clause, [RESTRAINT], 1.0);
            }
            Meaning::Follow(_) if words.is_filler() => return self.remarks.push(text),
            Meaning::Unknown if words.statement.is_stated => return self.remarks.push(text),
            Meaning::Restraint => {
                self.requests.iter_mut().rev().take(REMEMBERED).for_each(|earlier| earlier.degree *= RESTRAINED);
                self.request(clause, [RESTRAINT], 1.0);
            }
            Meaning::Partly(requests, degree, refusal) => {
                self.request(clause, requests, degree);
                self.refused.push((text.clone(), refusal));
            }
            Meaning::Refused(refusal) => return self.refused.push((text, refusal)),
            Meaning::Follow(_) | Meaning::Unknown => return self.not_understood.push(text),
        }
        self.understood.push(text);
    }

    /// Returns whether a clause says more about what the clause before it asked for ("the windows, they're just
    /// white").
    fn explains(&self, clause: &Clause, words: &Words) -> bool {
        use Property::{Contrast, Exposure, Highlights, Natural, Shadows, Sharpness, WhiteBalance, Windows};
        let Some(last) = self.requests.last().filter(|_| clause.is_joined) else { return false };
        // "Der ist ausgefressen".
        let is_article = matches!(clause.words[0].as_str(), "der" | "die" | "das");
        let of_them = Class::They.begins(&clause.words) || is_article && Class::Being.begins(&clause.words[1..]);
        let shown = || words.qualities().into_iter().chain(words.faults());
        let shows = |properties: &[Property]| {
            words.asks_nothing()
                && shown().next().is_some()
                && shown().all(|(property, _)| properties.contains(&property))
        };
        match last.property {
            Windows | Highlights | Shadows if of_them && words.is_filler() => true,
            Windows | Highlights if of_them && shows(&[WhiteBalance, Highlights, Exposure]) => true,
            // "The curtain is blown out, get the texture back", "blurry, make it clearer".
            Windows | Highlights | Shadows if words.has_verb(Verb::Recover) || Class::Back.is_in(&clause.words) => {
                words.names_only(Sharpness)
            }
            // "Get the yellow out, the walls are white".
            Property::Warmth | WhiteBalance if words.statement.is_stated && last.direction != Direction::Keep => {
                shows(&[WhiteBalance]) && words.faults().is_empty()
            }
            // "Blue sky without clouds".
            Property::Sky if last.direction == Direction::More && self.is_aside(clause) => {
                words.names_only(Property::Sky) && !matches!(clause.words[0].as_str(), "dont" | "never")
            }
            // "The blacks have no depth, make them richer".
            Shadows if last.direction == Direction::Less => {
                !words.changes().is_empty() && words.changes().iter().all(|(property, _)| *property == Property::Color)
            }
            Sharpness if words.is_clearer(&clause.words) => true,
            Shadows if last.direction == Direction::More && words.is_detail() => true,
            // "The white balance is good, leave it".
            _ if last.direction == Direction::Keep && words.is_verb_of_keeping() => true,
            // "Add contrast, it looks flat".
            Contrast | Property::Color if last.direction == Direction::More && words.is_flat() => words.asks_nothing(),
            // "Hands off the grass, it really is that color".
            property if last.direction == Direction::Keep && Class::It.begins(&clause.words) => {
                words.asks_nothing() && shown().all(|(p, _)| p == property || p == Natural)
            }
            // "Airy, like in a magazine".
            _ if Class::Like.begins(&clause.words) && !words.statement.asks => {
                shows(&[Natural]) || words.only_compares()
            }
            _ => false,
        }
    }

    /// Returns whether a clause limits what the clauses before it asked for ("without making it dark").
    fn is_aside(&self, clause: &Clause) -> bool {
        clause.is_joined && !self.requests.is_empty() && SPLITTING.opens(&clause.words[0])
    }

    /// Asks for less of the requests from `first` on.
    fn restrain(&mut self, first: usize, clause: &Clause) {
        self.requests[first..].iter_mut().for_each(|earlier| earlier.degree *= RESTRAINED);
        self.request(clause, [RESTRAINT], 1.0);
    }

    /// Returns the latest request that goes the other way than a limit.
    fn exceeding(&mut self, property: Property, limit: Direction) -> Option<&mut Request> {
        let exceeds =
            |r: &&mut Request| r.property == property && r.direction != limit && r.direction != Direction::Keep;
        self.requests.iter_mut().rev().take(REMEMBERED).find(exceeds).filter(|_| limit != Direction::Keep)
    }
}

/// Returns the meaning of a clause by which somebody forbids a change ("the MLS forbids sky replacement").
fn prohibited(meaning: Meaning, words: &Words) -> Meaning {
    let kept = |properties: Vec<Property>| {
        Meaning::Requests(properties.into_iter().map(|property| (property, Direction::Keep)).collect(), 1.0)
    };
    match meaning {
        Meaning::Requests(requests, _) => kept(requests.into_iter().map(|(property, _)| property).collect()),
        Meaning::Restraint if words.properties().next().is_some() => kept(words.properties().collect()),
        Meaning::Refused(_) => kept(vec![Property::Content]),
        meaning => meaning,
    }
}

/// Returns whether a property is light or color of the whole photo.
fn is_tone(property: Property) -> bool {
    use Property::{Color, Contrast, Exposure, Warmth, WhiteBalance};
    matches!(property, Exposure | Warmth | WhiteBalance | Contrast | Color)
}

/// Returns whether a clause says what something is not, or shall replace.
fn is_alternative(clause: &Clause) -> bool {
    clause.is_joined && ["instead", "rather", "statt"].contains(&clause.words[0].as_str())
}

/// Returns clauses in which a verb stays with the subject before it ("so the neighbours dont laugh").
fn with_subjects(clauses: Vec<Clause>) -> Vec<Clause> {
    let mut merged: Vec<Clause> = Vec::with_capacity(clauses.len());
    for clause in clauses {
        match merged.last_mut() {
            Some(before) if clause.is_joined && clause.words[0] == "dont" && ends_in_subject(&before.words) => {
                before.extend(clause);
            }
            _ => merged.push(clause),
        }
    }
    merged
}

/// Returns the verb of a clause further on that holds for clause `i`, which only names things ("sky and lawn shall not
/// change").
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
