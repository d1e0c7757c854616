//! Matches an address against the pack: every reading of the text is tried, and each word must be explained.

use std::collections::{BTreeMap, BTreeSet};

use aerie_geodata::house_number;
use aerie_geodata::{Match, Pack, names};
use rusqlite::{Connection, OptionalExtension};

use crate::error::GeocodeError;
use crate::fuzzy;
use crate::house::{describe, select};
use crate::query::{self, NumberSpan, Token};
use crate::reading::{Hit, Reading, span_key};
use crate::rows::{Row, rows_of};
use crate::spellings::Spellings;

/// Longest name of a street or town, words.
const MAX_SPAN: usize = 8;
/// Names of towns with fewer letters are not corrected.
const SHORTEST_TOWN: usize = 5;

/// How an address explains the rest of the text.
struct Accounted {
    /// Words that it does not explain.
    unexplained: Vec<String>,
    correction: Option<String>,
    town_named: bool,
    postcode_named: bool,
}

/// Finds the one house that an address names.
///
/// # Errors
/// No house, or more than one, fits: the error says which part is wrong and lists similar addresses.
pub fn geocode(pack: &Pack, address: &str) -> Result<Match, GeocodeError> {
    let db = pack.db();
    let tokens = query::tokens(address);
    let numbers = query::numbers(&tokens);
    let unparsable = |why: &str| GeocodeError::Unparsable {
        address: address.chars().take(200).collect(),
        why: why.to_owned(),
        example: pack.example_address(),
    };
    if !tokens.iter().any(|t| t.text.bytes().any(|b| b.is_ascii_alphabetic())) {
        return Err(unparsable("it names no street"));
    }
    let readings = exact_readings(db, &tokens)?;
    if numbers.is_empty() {
        return Err(unparsable("it has no house number"));
    }
    let mut outcome = Outcome::default();
    for reading in &readings {
        outcome.try_reading(db, &tokens, &numbers, reading)?;
    }
    if !outcome.hits.is_empty() {
        return select(pack, &tokens, outcome.hits);
    }
    // If both the street and the town exist as written, that street is meant: a missing number is final, and similar
    // names elsewhere are not searched.
    if let Some(e) = outcome.unknown_number.take() {
        return Err(e);
    }
    let spellings = Spellings::open(db)?;
    let similar = fuzzy::readings(db, &spellings, &tokens)?;
    let mut corrected = Outcome::default();
    let mut streets: BTreeSet<&str> = BTreeSet::new();
    let has_hit = |o: &Outcome| o.hits.iter().any(|h| h.correction.is_some());
    let mut level = 0;
    for reading in &similar {
        if reading.edits > level && has_hit(&corrected) {
            break;
        }
        level = reading.edits;
        let before = corrected.hits.len();
        corrected.try_reading(db, &tokens, &numbers, reading)?;
        if corrected.hits.len() > before {
            streets.insert(&reading.key);
        }
    }
    if streets.len() == 1 {
        return select(pack, &tokens, corrected.hits);
    }
    if streets.len() > 1 {
        let candidates = corrected.hits.iter().map(|h| describe(&h.row, &h.street)).collect::<BTreeSet<_>>();
        return Err(GeocodeError::UnknownStreet {
            address: address.to_owned(),
            candidates: candidates.into_iter().take(10).collect(),
        });
    }
    if let Some(e) = outcome.unknown_town.take().or(corrected.unknown_number.take()) {
        return Err(e);
    }
    Err(GeocodeError::UnknownStreet {
        address: address.to_owned(),
        candidates: fuzzy::similar_streets(db, &spellings, &tokens)?,
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
                out.push(Reading { from, to: from + length, key, edits: 0, needs_town: false });
            }
        }
    }
    Ok(out)
}

#[derive(Default)]
struct Outcome {
    hits: Vec<Hit>,
    unknown_number: Option<GeocodeError>,
    unknown_town: Option<GeocodeError>,
}

impl Outcome {
    fn try_reading(
        &mut self,
        db: &Connection,
        tokens: &[Token],
        numbers: &[NumberSpan],
        reading: &Reading,
    ) -> rusqlite::Result<()> {
        // If the name is that of a village without street names, further words name a street that is not known there.
        let is_locality = db.prepare_cached("SELECT 1 FROM aerie_localities WHERE key = ?1")?.exists([&reading.key])?;
        let outside = |n: &&NumberSpan| n.to <= reading.from || n.from >= reading.to;
        for number in numbers.iter().filter(outside) {
            let rest: Vec<(usize, &Token)> = tokens
                .iter()
                .enumerate()
                .filter(|(i, _)| !(reading.from..reading.to).contains(i) && !(number.from..number.to).contains(i))
                .collect();
            let rows = rows_of(db, &reading.key, Some(house_number::base(&number.number)))?;
            let mut contradicted: Option<(Vec<String>, BTreeSet<String>)> = None;
            for row in rows {
                let Some(fit) = house_number::fit(&row.housenumber, &number.number) else { continue };
                let street = row.street_of(&reading.key);
                let accounted = account(db, &rest, &row, number)?;
                let is_named = accounted.town_named || accounted.postcode_named;
                match accounted.unexplained {
                    words if words.is_empty() && reading.needs_town && !is_named => {}
                    words if words.is_empty() => {
                        let as_written = raw(&tokens[reading.from..reading.to]);
                        let correction = (reading.edits > 0).then(|| format!("read \"{as_written}\" as \"{street}\""));
                        let mismatch = u8::from(row.postcode.is_some() != accounted.postcode_named)
                            + u8::from(row.city.is_some() != accounted.town_named);
                        self.hits.push(Hit {
                            row,
                            fit,
                            street,
                            correction: correction.or(accounted.correction),
                            mismatch,
                        });
                    }
                    words => {
                        let known = contradicted.get_or_insert_with(|| (words.clone(), BTreeSet::new()));
                        if words.len() < known.0.len() {
                            known.0 = words;
                        }
                        known.1.insert(describe(&row, &street));
                    }
                }
            }
            if !self.hits.is_empty() {
                continue;
            }
            if self.unknown_number.is_none() {
                self.unknown_number = missing_number(db, &rest, reading, number)?;
            }
            if is_locality && !known_words(db, contradicted.as_ref().map_or(&[][..], |c| &c.0))? {
                continue;
            }
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
            if self.unknown_number.is_none() && self.unknown_town.is_none() {
                let mut towns = BTreeSet::new();
                for row in rows_of(db, &reading.key, None)? {
                    towns.extend(row.town.clone().map(|t| format!("{}, {t}", row.street_of(&reading.key))));
                }
                let rest: Vec<&str> = rest.iter().map(|t| t.1.raw.as_str()).collect();
                self.unknown_town = Some(GeocodeError::UnknownTown {
                    town: rest.join(" "),
                    street: street_name,
                    candidates: towns.into_iter().take(10).collect(),
                });
            }
        }
        Ok(())
    }
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
    rest: &[(usize, &Token)],
    reading: &Reading,
    number: &NumberSpan,
) -> rusqlite::Result<Option<GeocodeError>> {
    let mut here: BTreeMap<(u32, u32, String), String> = BTreeMap::new();
    let asked = house_number::base(&number.number);
    let mut street = None;
    let mut towns: BTreeSet<String> = BTreeSet::new();
    for row in rows_of(db, &reading.key, None)? {
        if account(db, rest, &row, number)?.unexplained.is_empty() {
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
    Ok(street.map(|street| GeocodeError::UnknownHouseNumber { number: number.number.clone(), street, candidates }))
}

fn raw(tokens: &[Token]) -> String {
    tokens.iter().map(|t| t.raw.as_str()).collect::<Vec<_>>().join(" ")
}

/// Matches an address against the rest of the text: its town, its postcode, a country, an apartment.
fn account(db: &Connection, rest: &[(usize, &Token)], row: &Row, number: &NumberSpan) -> rusqlite::Result<Accounted> {
    let has = |list: &str, key: &str| !key.is_empty() && list.contains(&format!("|{key}|"));
    let mut unexplained = Vec::new();
    let mut unproven: Vec<String> = Vec::new();
    let (mut town_named, mut postcode_named, mut correction) = (false, false, None);
    // If the town stands for the street, a further word is the intended street, not a typo.
    let nameless = row.street.is_none() && row.place.is_none();
    // A mapped number may include a floor or a staircase (`13 A, 5. krs.`).
    let mut own_words: Vec<String> = query::tokens(&row.housenumber).into_iter().skip(1).map(|t| t.text).collect();
    if !own_words.iter().any(|w| w.len() > 1 && w.bytes().all(|b| b.is_ascii_alphabetic())) {
        own_words.clear();
    }
    let mut at = 0;
    'words: while at < rest.len() {
        for length in (1..=MAX_SPAN.min(rest.len() - at)).rev() {
            let span = &rest[at..at + length];
            if span.windows(2).any(|w| w[1].0 != w[0].0 + 1) {
                continue;
            }
            let words: Vec<String> = span.iter().map(|t| t.1.text.clone()).collect();
            let key = names::locality_key_of(&words);
            let joined = words.concat();
            if has(&row.localities, &key) {
                town_named = true;
                at += length;
                continue 'words;
            }
            let postcode = length <= 3 && has(&row.postcodes, &joined);
            postcode_named |= postcode;
            let own = length == 1 && own_words.contains(&joined);
            // A letter directly after the number is part of it, not a country or the beginning of a town.
            if span[0].0 == number.to
                && words[0].len() == 1
                && words[0].bytes().all(|b| b.is_ascii_alphabetic())
                && !own
            {
                continue;
            }
            if postcode || own || query::is_country(&joined) || (length == 1 && query::is_number_word(&joined)) {
                at += length;
                continue 'words;
            }
            if length == 2 && query::is_flat_word(&words[0]) {
                at += length;
                continue 'words;
            }
            let cut_short = span.iter().any(|t| t.1.dotted);
            let plain = key.len() >= SHORTEST_TOWN && key.bytes().all(|b| b.is_ascii_alphabetic());
            if correction.is_none() && plain && !cut_short && !nameless {
                let most = if key.len() >= 10 { 2 } else { 1 };
                let near = row.localities.split('|').find(|l| {
                    let slips = names::edit_distance(&key, l, most);
                    l.len() >= SHORTEST_TOWN && slips.is_some_and(|n| n < 2 || l.as_bytes()[0] == key.as_bytes()[0])
                });
                // A town that exists under exactly this name is not a typo of another.
                if let Some(near) = near.filter(|_| length <= 3) {
                    let known = db.prepare_cached("SELECT 1 FROM aerie_localities WHERE key = ?1")?.exists([&key])?;
                    if !known {
                        let name: Option<String> = db
                            .prepare_cached("SELECT name FROM aerie_localities WHERE key = ?1")?
                            .query_row([near], |r| r.get(0))
                            .optional()?;
                        let written = span.iter().map(|t| t.1.raw.as_str()).collect::<Vec<_>>().join(" ");
                        correction =
                            Some(format!("read \"{written}\" as \"{}\"", name.unwrap_or_else(|| near.to_owned())));
                        town_named = true;
                        at += length;
                        continue 'words;
                    }
                }
            }
        }
        let word = rest[at].1;
        let plain = (4..=6).contains(&word.text.len()) && word.text.bytes().all(|b| b.is_ascii_digit());
        if plain && row.postcodes.trim_matches('|').is_empty() {
            unproven.push(word.raw.clone());
        } else {
            unexplained.push(word.raw.clone());
        }
        at += 1;
    }
    // If the map has no postcodes at all, the town alone must do.
    if !town_named {
        unexplained.append(&mut unproven);
    }
    Ok(Accounted { unexplained, correction, town_named, postcode_named })
}
