//! Matches an address against the pack: every reading of the text is tried, and each word must be explained.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use aerie_geodata::house_number::{self, Fit};
use aerie_geodata::{Match, Pack, names};
use rusqlite::Connection;

use crate::account::Remainder;
use crate::error::GeocodeError;
use crate::house::{describe, select};
use crate::numbers::{self, NumberSpan};
use crate::query::{self, Token};
use crate::reading::{Hit, Reading, span_key};
use crate::rows::{Row, rows_of};
use crate::spellings::Spellings;
use crate::text::{MAX_SPAN, Text};
use crate::words::COUNTRIES;
use crate::{fuzzy, street_names};

/// Finds the one house that an address names.
///
/// # Errors
/// No house, or more than one, fits: the error says which part is wrong and lists similar addresses.
pub fn geocode(pack: &Pack, address: &str) -> Result<Match, GeocodeError> {
    // One transaction for all that is read: otherwise, each statement locks the file.
    let _reading = pack.db().unchecked_transaction()?;
    let text = Text::new(address);
    let found = find(pack, address, &text);
    if matches!(found, Ok(_) | Err(GeocodeError::Data(_) | GeocodeError::Ambiguous { .. })) {
        return found;
    }
    // Maps of Japan have the quarter in the name of the street or in the number.
    let Some(with_quarter) = query::with_quarter(&text.tokens) else { return found };
    match find(pack, &with_quarter, &Text::new(&with_quarter)) {
        other @ (Ok(_) | Err(GeocodeError::Ambiguous { .. })) => other,
        Err(_) => found,
    }
}

fn find(pack: &Pack, address: &str, text: &Text) -> Result<Match, GeocodeError> {
    let db = pack.db();
    let tokens = &text.tokens[..];
    let numbers = numbers::numbers(tokens);
    let unparsable = |why: &str| GeocodeError::Unparsable {
        address: address.chars().take(200).collect(),
        why: why.to_owned(),
        example: pack.example_address(),
    };
    if !tokens.iter().any(|t| t.text.bytes().any(|b| b.is_ascii_alphabetic())) {
        return Err(unparsable("it names no street"));
    }
    if numbers.is_empty() {
        return Err(unparsable("it has no house number"));
    }
    // A number as it is written is preferred to one of which a part is read as an apartment.
    let (written, split): (Vec<NumberSpan>, Vec<NumberSpan>) = numbers.into_iter().partition(|n| n.unit.is_none());
    let search = Search { db, text, levels: [&written, &split] };
    let mut outcome = search.try_all(&exact_readings(db, tokens)?)?;
    if !outcome.hits.is_empty() {
        return select(pack, tokens, outcome.hits);
    }
    // If both the street and the town exist as written, that street is meant: a missing number is final, and similar
    // names elsewhere are not searched.
    if let Some(e) = outcome.missing_number(db, text, true)? {
        return Err(e);
    }
    let shortened = search.try_nearest(&street_names::readings(db, tokens)?)?;
    if !shortened.hits.is_empty() {
        return shortened.select(pack, tokens, address);
    }
    let spellings = Spellings::open(db)?;
    let corrected = search.try_nearest(&fuzzy::readings(db, &spellings, tokens)?)?;
    if !corrected.hits.is_empty() {
        return corrected.select(pack, tokens, address);
    }
    if let Some(e) = outcome.missing_number(db, text, false)? {
        return Err(e);
    }
    if let Some(e) = outcome.unknown_town.take() {
        return Err(e);
    }
    if let Some(e) = outcome.elsewhere(db, text)? {
        return Err(e);
    }
    for outcome in [shortened, corrected] {
        for is_certain in [true, false] {
            if let Some(e) = outcome.missing_number(db, text, is_certain)? {
                return Err(e);
            }
        }
    }
    Err(GeocodeError::UnknownStreet {
        address: address.to_owned(),
        candidates: fuzzy::similar_streets(db, &spellings, tokens)?,
    })
}

/// Runs of words that are the name of a street; the longest first.
fn exact_readings(db: &Connection, tokens: &[Token]) -> rusqlite::Result<Vec<Reading>> {
    let mut known = db.prepare_cached("SELECT 1 FROM aerie_street_index WHERE key = ?1 LIMIT 1")?;
    let mut out = Vec::new();
    for length in (1..=MAX_SPAN.min(tokens.len())).rev() {
        for from in 0..=tokens.len() - length {
            let key = span_key(&tokens[from..from + length]);
            if !key.is_empty() && known.exists([&key])? {
                out.push(Reading { from, to: from + length, key, edits: 0, is_guess: false, needs_town: false });
            }
        }
    }
    Ok(out)
}

/// A text to look up.
struct Search<'a> {
    db: &'a Connection,
    text: &'a Text,
    /// House numbers as written, and those of which a part is read as an apartment.
    levels: [&'a [NumberSpan]; 2],
}

impl Search<'_> {
    /// Tries all readings.
    fn try_all(&self, readings: &[Reading]) -> rusqlite::Result<Outcome> {
        let mut outcome = Outcome::default();
        for numbers in self.levels {
            for reading in readings {
                outcome.try_reading(self.db, self.text, numbers, reading)?;
            }
            if !outcome.hits.is_empty() {
                break;
            }
        }
        Ok(outcome)
    }

    /// Tries the readings with the fewest edits that name a house.
    fn try_nearest(&self, readings: &[Reading]) -> rusqlite::Result<Outcome> {
        let mut outcome = Outcome::default();
        for nearest in readings.chunk_by(|a, b| a.edits == b.edits) {
            let found = self.try_all(nearest)?;
            outcome.missing.extend(found.missing);
            if !found.hits.is_empty() {
                outcome.hits = found.hits;
                break;
            }
        }
        Ok(outcome)
    }
}

#[derive(Default)]
struct Outcome {
    hits: Vec<Hit>,
    /// Readings whose street has no such house number, or none that fits the rest of the text.
    missing: Vec<(Reading, NumberSpan)>,
    /// The first of them that may be a street of another town.
    elsewhere: Option<(Reading, NumberSpan)>,
    unknown_town: Option<GeocodeError>,
}

/// Maximum number of houses in other towns that are kept for an error.
const MAX_ELSEWHERE: usize = 40;
/// Maximum number of streets on which a missing number is looked for, to name the nearest.
const MAX_MISSING: usize = 12;

impl Outcome {
    /// The house, if all hits are on one street: a name that is not written as it is mapped must mean only one.
    fn select(self, pack: &Pack, tokens: &[Token], address: &str) -> Result<Match, GeocodeError> {
        let fewest = self.hits.iter().map(Hit::guesses).min();
        let nearest = || self.hits.iter().filter(|hit| Some(hit.guesses()) == fewest);
        let streets: BTreeSet<String> = nearest().map(|hit| names::street_key(&hit.street)).collect();
        if streets.len() > 1 {
            let candidates = nearest().map(|h| describe(&h.row, &h.street)).collect::<BTreeSet<_>>();
            return Err(GeocodeError::UnknownStreet {
                address: address.to_owned(),
                candidates: candidates.into_iter().take(10).collect(),
            });
        }
        select(pack, tokens, self.hits)
    }

    /// The error for the first street that is where the text says, without the number: of one word if it is certain, else of several,
    /// as the letter of `19 b` may be a word of the street's name.
    fn missing_number(&self, db: &Connection, text: &Text, is_certain: bool) -> rusqlite::Result<Option<GeocodeError>> {
        let missing = self.missing.iter().filter(|(_, number)| (number.to - number.from == 1) == is_certain);
        for (reading, number) in missing.take(MAX_MISSING) {
            let remainder = Remainder { text, tokens: &text.tokens, street: (reading.from, reading.to), number };
            if let Some(e) = missing_number(db, &remainder, reading)? {
                return Ok(Some(e));
            }
        }
        Ok(None)
    }

    /// The error for a street that the map only has in other towns.
    fn elsewhere(&self, db: &Connection, text: &Text) -> rusqlite::Result<Option<GeocodeError>> {
        let Some((reading, number)) = &self.elsewhere else { return Ok(None) };
        let remainder = Remainder { text, tokens: &text.tokens, street: (reading.from, reading.to), number };
        let mut towns = BTreeSet::new();
        for row in rows_of(db, &reading.key, None)? {
            towns.extend(row.town.clone().map(|t| format!("{}, {t}", row.street_of(&reading.key))));
        }
        Ok(Some(GeocodeError::UnknownTown {
            town: remainder.rest().join(" "),
            street: format!("{} {}", raw(&text.tokens[reading.from..reading.to]), number.number),
            candidates: towns.into_iter().take(10).collect(),
        }))
    }

    fn try_reading(
        &mut self,
        db: &Connection,
        text: &Text,
        numbers: &[NumberSpan],
        reading: &Reading,
    ) -> rusqlite::Result<()> {
        let tokens = &text.tokens[..];
        // If the name is that of a village without street names, further words name a street that is not known there.
        let is_locality = db.prepare_cached("SELECT 1 FROM aerie_localities WHERE key = ?1")?.exists([&reading.key])?;
        let outside = |n: &&NumberSpan| n.to <= reading.from || n.from >= reading.to;
        let mut is_hyphenated = None;
        for number in numbers.iter().filter(outside) {
            let remainder = Remainder { text, tokens, street: (reading.from, reading.to), number };
            let rows = rows_of(db, &reading.key, Some(house_number::base(&number.number)))?;
            let mut contradicted: Option<(Vec<String>, BTreeSet<String>)> = None;
            for row in rows {
                let Some(fit) = house_number::fit(&row.housenumber, &number.number) else { continue };
                if !may_be_split(number, reading, &row, tokens) {
                    continue;
                }
                // In Queens, 24-40 is no range.
                if fit != Fit::Exact {
                    let known = match is_hyphenated {
                        Some(known) => known,
                        None => *is_hyphenated.insert(has_hyphenated_numbers(&rows_of(db, &reading.key, None)?)),
                    };
                    if known {
                        continue;
                    }
                }
                let accounted = remainder.account(db, &row)?;
                let is_named = accounted.town_named || accounted.postcode_named;
                match accounted.unexplained {
                    words if words.is_empty() && reading.needs_town && !is_named => {}
                    words if words.is_empty() => {
                        let street = row.street_of(&reading.key);
                        let as_written = raw(&tokens[reading.from..reading.to]);
                        let correction = reading.is_guess.then(|| format!("read \"{as_written}\" as \"{street}\""));
                        let mismatch = u8::from(row.postcode.is_some() != accounted.postcode_named)
                            + u8::from(row.city.is_some() != accounted.town_named);
                        let own = number.unit.as_ref().filter(|unit| unit.is_named()).map(|unit| unit.text.clone());
                        self.hits.push(Hit {
                            words: (reading.from, reading.to),
                            row,
                            fit,
                            street,
                            correction: correction.or(accounted.correction),
                            skipped: accounted.skipped,
                            is_named,
                            is_unproven: accounted.is_unproven,
                            unit: own.or(accounted.unit),
                            mismatch,
                        });
                    }
                    words => {
                        let known = contradicted.get_or_insert_with(|| (words.clone(), BTreeSet::new()));
                        if words.len() < known.0.len() {
                            known.0 = words;
                        }
                        if known.1.len() < MAX_ELSEWHERE {
                            known.1.insert(describe(&row, &row.street_of(&reading.key)));
                        }
                    }
                }
            }
            // An error names the number as it is written.
            if !self.hits.is_empty() || number.unit.is_some() {
                continue;
            }
            self.missing.push((reading.clone(), number.clone()));
            if is_locality && !known_words(db, contradicted.as_ref().map_or(&[][..], |c| &c.0))? {
                continue;
            }
            self.elsewhere.get_or_insert((reading.clone(), number.clone()));
            let street_name = format!("{} {}", raw(&tokens[reading.from..reading.to]), number.number);
            if let Some((words, places)) = contradicted {
                let better = !matches!(&self.unknown_town, Some(GeocodeError::UnknownTown { town, .. }) if town.len() <= words.join(" ").len());
                if better {
                    self.unknown_town = Some(GeocodeError::UnknownTown {
                        town: words.join(" "),
                        street: street_name.clone(),
                        candidates: places.into_iter().take(10).collect(),
                    });
                }
            }
        }
        Ok(())
    }
}

/// Countries whose people write an apartment behind the number and a slash, and those who write it before them.
const BEHIND: [&str; 27] = [
    "at", "pl", "cz", "sk", "hu", "hr", "si", "rs", "ba", "me", "mk", "xk", "al", "bg", "ro", "md", "lt", "lv", "ee",
    "tr", "gr", "cy", "ge", "am", "il", "ch", "li",
];
const BEFORE: [&str; 16] =
    ["au", "nz", "in", "lk", "my", "sg", "hk", "pk", "bd", "za", "fj", "gb", "ie", "us", "ca", "ng"];

/// Whether a part of what is written may be an apartment where an address lies.
fn may_be_split(number: &NumberSpan, reading: &Reading, row: &Row, tokens: &[Token]) -> bool {
    let Some(unit) = &number.unit else { return true };
    let named = || tokens.iter().filter(|token| token.text.len() > 2).flat_map(|token| COUNTRIES.named(&token.text));
    let is_named = |codes: &[&str]| named().any(|own| codes.contains(&own.code.as_str()) && row.may_be_in(&own.code));
    let may_be_in = |codes: &[&str]| row.is_in(codes) || is_named(codes);
    let is_behind_street = number.from >= reading.to;
    match (unit.is_before, unit.by_slash) {
        // A Czech house has a number in the town and one in the street.
        (true, true) if is_behind_street => may_be_in(&["cz", "sk"]),
        (true, _) => !is_behind_street && may_be_in(&BEFORE),
        (false, true) => is_behind_street && may_be_in(&BEHIND),
        (false, false) => is_behind_street && may_be_in(&["nl"]),
    }
}

/// Whether numbers of a street that look like ranges are none: some overlap, or do not rise on one side.
fn has_hyphenated_numbers(rows: &[Row]) -> bool {
    let mut ranges: BTreeSet<(u32, u32)> = BTreeSet::new();
    for row in rows {
        let number = house_number::normal(&row.housenumber);
        let Some((from, to)) = number.split_once('-') else { continue };
        let (Ok(first), Ok(last)) = (from.parse::<u32>(), to.parse::<u32>()) else { continue };
        if house_number::range(&number).is_none() {
            return true;
        }
        ranges.insert((first, last));
    }
    let sorted: Vec<&(u32, u32)> = ranges.iter().collect();
    sorted.windows(2).any(|pair| pair[1].0 < pair[0].1)
}

/// Whether there are words and all of them are towns on the map or numbers.
fn known_words(db: &Connection, words: &[String]) -> rusqlite::Result<bool> {
    let mut known = db.prepare_cached("SELECT 1 FROM aerie_localities WHERE key = ?1")?;
    for word in words {
        if !word.bytes().all(|b| b.is_ascii_digit()) && !known.exists([names::locality_key(word)])? {
            return Ok(false);
        }
    }
    Ok(!words.is_empty())
}

/// The error for a street that is where the text says, without the number.
fn missing_number(
    db: &Connection,
    remainder: &Remainder<'_>,
    reading: &Reading,
) -> rusqlite::Result<Option<GeocodeError>> {
    let number = &remainder.number.number;
    let mut here: BTreeMap<(u32, u32, String), String> = BTreeMap::new();
    let asked = house_number::base(number);
    if asked == 0 && !number.starts_with('0') {
        return Ok(None);
    }
    let mut street = None;
    let mut towns: BTreeSet<String> = BTreeSet::new();
    let mut places: HashMap<[Option<String>; 6], bool> = HashMap::new();
    for row in rows_of(db, &reading.key, None)? {
        // All houses of a place explain the same words.
        let around = format!("{} {}", row.localities, row.postcodes);
        let place = [&row.city, &row.town, &Some(around), &row.state, &row.street, &row.place].map(Clone::clone);
        let is_here = match places.get(&place) {
            Some(is_here) => *is_here,
            None => {
                let accounted = remainder.account(db, &row)?;
                *places.entry(place).or_insert(accounted.unexplained.is_empty() && accounted.skipped.is_none())
            }
        };
        if is_here {
            let base = house_number::base(&row.housenumber);
            let name = row.street_of(&reading.key);
            towns.extend(row.town.clone().filter(|t| *t != name));
            street.get_or_insert(name);
            here.insert((base.abs_diff(asked), base, row.housenumber.clone()), row.housenumber);
        }
    }
    let mut candidates: Vec<String> = Vec::new();
    for number in here.into_values() {
        if !candidates.contains(&number) {
            candidates.push(number);
        }
    }
    candidates.truncate(6);
    candidates.sort_by_key(|n| (house_number::base(n), n.clone()));
    let towns: Vec<String> = towns.into_iter().collect();
    let street =
        street.map(|street| if towns.is_empty() { street } else { format!("{street}, {}", towns.join(" or ")) });
    Ok(street.map(|street| GeocodeError::UnknownHouseNumber { number: number.clone(), street, candidates }))
}

fn raw(tokens: &[Token]) -> String {
    tokens.iter().map(|t| t.raw.as_str()).collect::<Vec<_>>().join(" ")
}
