//! Suggests addresses while one is typed: streets for the beginning of a name, houses once there is a number.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use aerie_geodata::geodesy::distance;
use aerie_geodata::gpkg;
use aerie_geodata::street_index::Form;
use aerie_geodata::{Match, Pack, Precision, house_number};
use rusqlite::Connection;

use crate::direct;
use crate::error::GeocodeError;
use crate::house::describe;
use crate::numbers::{self, NumberSpan};
use crate::query::{self, Token};
use crate::reading::span_key;
use crate::rest::{Rest, edits_to_beginning};
use crate::rows::{Row, rows_between};
use crate::search::geocode;
use crate::spellings::Spellings;

/// Maximum number of words that are read.
const MAX_WORDS: usize = 12;
/// Longest name of a street, words.
const MAX_SPAN: usize = 6;
/// Maximum number of streets that a run of words may begin.
const MAX_STREETS: usize = 100;
/// Maximum number of addresses read for a street, and for a request.
const MAX_ROWS_OF_STREET: usize = 1_000;
const MAX_ROWS: usize = 5_000;
/// Runs of words with fewer letters begin a street only where no longer word is there.
const SHORT: usize = 3;
/// Runs of words with fewer letters are not corrected.
const SHORTEST_CORRECTED: usize = 4;
/// Runs of words with this many letters or more may have two typos.
const LONG: usize = 10;
/// Maximum distance between an address and the house that its text resolves to, meters.
const SAME_PLACE: f64 = 30.0;

/// A suggested address.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// The address. That of a house resolves to it.
    pub address: String,
    /// Identity of the mapped address, which stands in place of an address; `None` for a street.
    pub id: Option<String>,
    /// Latitude in degrees, WGS 84.
    pub lat: f64,
    /// Longitude in degrees, WGS 84.
    pub lon: f64,
    /// What is suggested.
    pub kind: SuggestionKind,
    /// Town or village.
    pub locality: Option<String>,
    /// Postcode, where there is only one.
    pub postcode: Option<String>,
}

/// What is suggested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuggestionKind {
    /// A building with the number.
    Building,
    /// A point with the number, with no mapped building around it.
    AddressPoint,
    /// A street, which has no number yet.
    Street,
}

/// Suggests addresses for a text that may be incomplete, the best first.
///
/// # Errors
/// The pack cannot be read.
pub fn suggest(pack: &Pack, text: &str, limit: usize) -> Result<Vec<Suggestion>, GeocodeError> {
    match direct::find(pack, text) {
        Ok(Some(found)) => return Ok(vec![of_match(pack, text.trim().to_owned(), &found)?]),
        Err(error @ GeocodeError::Data(_)) => return Err(error),
        // Nothing is there.
        Err(_) => return Ok(Vec::new()),
        Ok(None) => {}
    }
    let db = pack.db();
    let mut tokens = query::tokens(text);
    tokens.truncate(MAX_WORDS);
    let spellings = Spellings::open(db)?;
    let mut search = Search { db, tokens: &tokens, rows_left: MAX_ROWS, houses: Vec::new(), streets: BTreeMap::new() };
    search.add(&begun(&spellings, &tokens)?)?;
    if !search.has_explained() {
        search.add(&corrected(&spellings, &tokens)?)?;
    }
    let mut found = search.finish(pack, limit)?;
    // Of a name that is in every town, not all houses were read.
    if !found.iter().any(|suggestion| suggestion.id.is_some()) && !numbers::numbers(&tokens).is_empty() {
        found.splice(0..0, named(pack, text)?);
        found.truncate(limit);
    }
    Ok(found)
}

/// The house that a complete address names.
fn named(pack: &Pack, text: &str) -> Result<Option<Suggestion>, GeocodeError> {
    let found = match geocode(pack, text) {
        Ok(found) => found,
        Err(error @ GeocodeError::Data(_)) => return Err(error),
        Err(_) => return Ok(None),
    };
    let Some(row) = direct::row_with_id(pack, &found.address_id)? else { return Ok(None) };
    of_house(pack, &row, &found.street).map(Some)
}

/// One way to read the text: which words begin the name of which street.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Begun {
    edits: usize,
    /// Whether the name goes on after the words.
    is_longer: bool,
    /// Fewer words of the text.
    shortness: Reverse<usize>,
    from: usize,
    to: usize,
    key: String,
}

/// Runs of words without the house numbers among them.
fn spans(tokens: &[Token]) -> Vec<(usize, usize, String, String)> {
    let is_letter = |byte: u8| byte.is_ascii_alphabetic();
    let mut out = Vec::new();
    for length in 1..=MAX_SPAN.min(tokens.len()) {
        for from in 0..=tokens.len() - length {
            let words = &tokens[from..from + length];
            let plain: String = words.iter().map(|word| word.text.as_str()).collect();
            if plain.bytes().any(is_letter) {
                out.push((from, from + length, span_key(words), plain));
            }
        }
    }
    if out.iter().any(|(_, _, _, plain)| plain.len() >= SHORT) {
        out.retain(|(_, _, _, plain)| plain.len() >= SHORT);
    }
    out
}

/// Streets that runs of words name, or begin.
fn begun(spellings: &Spellings<'_>, tokens: &[Token]) -> rusqlite::Result<Vec<Begun>> {
    let mut out = BTreeSet::new();
    for (from, to, key, plain) in spans(tokens) {
        let mut keys = BTreeSet::new();
        for form in Form::ALL {
            spellings.begun_by(form, &form.of(&key, &plain), MAX_STREETS, &mut keys)?;
        }
        out.extend(keys.into_iter().map(|found| {
            let is_longer = found != key;
            Begun { edits: 0, is_longer, shortness: Reverse(to - from), from, to, key: found }
        }));
    }
    Ok(out.into_iter().collect())
}

/// Streets that runs of words begin but for a typo, or name but for two.
fn corrected(spellings: &Spellings<'_>, tokens: &[Token]) -> rusqlite::Result<Vec<Begun>> {
    let mut out = BTreeSet::new();
    for (from, to, key, plain) in spans(tokens) {
        if plain.len() < SHORTEST_CORRECTED {
            continue;
        }
        let mut keys = BTreeSet::new();
        for form in [Form::Key, Form::Plain] {
            let written = form.of(&key, &plain);
            if written.len() >= SHORTEST_CORRECTED {
                spellings.nearly_begun_by(form, &written, &mut keys)?;
            }
        }
        if plain.len() >= LONG {
            spellings.find(Form::Plain, &plain, 2, &mut keys)?;
        }
        for found in keys {
            let Some(name) = spellings.plain(&found)? else { continue };
            let most = if plain.len() >= LONG { 2 } else { 1 };
            let edits = edits_to_beginning(&plain, &name, most);
            let edits = edits.into_iter().chain(edits_to_beginning(&key, &found, most)).min();
            if let Some(edits) = edits {
                let is_longer = name.len() > plain.len() + 1;
                out.insert(Begun { edits, is_longer, shortness: Reverse(to - from), from, to, key: found });
            }
        }
    }
    Ok(out.into_iter().take(MAX_STREETS).collect())
}

/// How well an address fits, the best first.
type Rank = (usize, usize, bool, u8, Reverse<usize>);

/// A house that may be meant.
struct House {
    rank: Rank,
    /// Integer and text of its number.
    number: (u32, String),
    row: Row,
    street: String,
}

/// A street that may be meant.
struct Street {
    rank: Rank,
    houses: usize,
    row: Row,
    name: String,
}

struct Search<'a> {
    db: &'a Connection,
    tokens: &'a [Token],
    /// Number of addresses that may still be read.
    rows_left: usize,
    houses: Vec<House>,
    /// By name and place.
    streets: BTreeMap<(String, Option<String>), Street>,
}

impl Search<'_> {
    /// Whether an address explains all words.
    fn has_explained(&self) -> bool {
        self.houses.iter().map(|house| house.rank).chain(self.streets.values().map(|s| s.rank)).any(|r| r.0 == 0)
    }

    /// Adds what the readings name, the best ones first.
    fn add(&mut self, readings: &[Begun]) -> rusqlite::Result<()> {
        let numbers = numbers::numbers(self.tokens);
        for reading in readings {
            let outside = |number: &&NumberSpan| {
                number.unit.is_none() && (number.to <= reading.from || number.from >= reading.to)
            };
            let mut found = 0;
            for number in numbers.iter().filter(outside) {
                found += self.add_houses(reading, number)?;
            }
            if found == 0 {
                self.add_streets(reading)?;
            }
            if self.rows_left == 0 {
                break;
            }
        }
        Ok(())
    }

    fn read(&mut self, key: &str, from: u32, to: u32) -> rusqlite::Result<Vec<Row>> {
        let rows = rows_between(self.db, key, (from, to), self.rows_left.min(MAX_ROWS_OF_STREET))?;
        self.rows_left -= rows.len();
        Ok(rows)
    }

    /// Houses with a number, or with one that it begins if it is the last word; returns how many fit.
    fn add_houses(&mut self, reading: &Begun, number: &NumberSpan) -> rusqlite::Result<usize> {
        let asked = house_number::base(&number.number);
        let mut ranges = vec![(asked, asked)];
        let is_begun = number.to == self.tokens.len() && number.number.bytes().all(|byte| byte.is_ascii_digit());
        if is_begun && (1..100).contains(&asked) {
            ranges.push((asked * 10, asked * 10 + 9));
        }
        let rest = Rest::new(self.tokens, &[(reading.from, reading.to), (number.from, number.to)]);
        let mut found = 0;
        for (from, to) in ranges {
            for row in self.read(&reading.key, from, to)? {
                let own = house_number::normal(&row.housenumber);
                let fit = match house_number::fit(&row.housenumber, &number.number) {
                    Some(_) if own == number.number => 0,
                    Some(_) => 1,
                    None if own.starts_with(&number.number) => 2,
                    None => continue,
                };
                let Some((unexplained, named)) = rest.fit(&row) else { continue };
                found += usize::from(unexplained == 0);
                let street = row.street_of(&reading.key);
                let rank = (unexplained, reading.edits, reading.is_longer, fit, Reverse(named));
                self.houses.push(House { rank, number: (house_number::base(&own), own), row, street });
            }
        }
        Ok(found)
    }

    /// The streets of a name, one of each place.
    fn add_streets(&mut self, reading: &Begun) -> rusqlite::Result<()> {
        let rest = Rest::new(self.tokens, &[(reading.from, reading.to)]);
        for row in self.read(&reading.key, 0, u32::MAX)? {
            let Some((unexplained, named)) = rest.fit(&row) else { continue };
            let name = row.street_of(&reading.key);
            // The town that stands for a street that has no name is no street.
            if row.street.is_none() && row.place.is_none() {
                continue;
            }
            let rank = (unexplained, reading.edits, reading.is_longer, 0, Reverse(named));
            let place = (name.clone(), place_of(&row));
            let street = self.streets.entry(place).or_insert(Street { rank, houses: 0, row, name });
            street.rank = street.rank.min(rank);
            street.houses += 1;
        }
        Ok(())
    }

    fn finish(mut self, pack: &Pack, limit: usize) -> Result<Vec<Suggestion>, GeocodeError> {
        let mut ranked: Vec<(Rank, Reverse<usize>, Candidate)> = Vec::new();
        self.houses.sort_by(|a, b| (a.rank, &a.number, a.row.fid).cmp(&(b.rank, &b.number, b.row.fid)));
        ranked.extend(self.houses.into_iter().map(|house| (house.rank, Reverse(usize::MAX), Candidate::House(house))));
        ranked.extend(self.streets.into_values().map(|s| (s.rank, Reverse(s.houses), Candidate::Street(s))));
        // Stable: houses stay in the order of their numbers.
        ranked.sort_by_key(|(rank, houses, _)| (*rank, *houses));
        let fewest = ranked.first().map_or(0, |(rank, _, _)| rank.0);
        let mut out: Vec<Suggestion> = Vec::new();
        for (rank, _, candidate) in ranked {
            if out.len() >= limit || rank.0 > fewest {
                break;
            }
            let suggestion = match candidate {
                Candidate::House(house) => of_house(pack, &house.row, &house.street)?,
                Candidate::Street(street) => of_street(&street),
            };
            let is_known = |known: &Suggestion| match &suggestion.id {
                Some(id) => known.id.as_ref() == Some(id),
                None => known.address == suggestion.address,
            };
            if !out.iter().any(is_known) {
                out.push(suggestion);
            }
        }
        Ok(out)
    }
}

enum Candidate {
    House(House),
    Street(Street),
}

/// Town and postcode of an address, as they are shown.
fn place_of(row: &Row) -> Option<String> {
    let place = [postcode_of(row), locality_of(row)].into_iter().flatten().collect::<Vec<_>>().join(" ");
    Some(place).filter(|place| !place.is_empty())
}

fn locality_of(row: &Row) -> Option<String> {
    row.city.clone().or_else(|| row.town.clone())
}

fn postcode_of(row: &Row) -> Option<String> {
    let mut inferred = row.postcodes.split('|').filter(|code| !code.is_empty());
    row.postcode.clone().or_else(|| {
        let only = inferred.next().map(str::to_uppercase);
        only.filter(|_| inferred.next().is_none())
    })
}

fn of_street(street: &Street) -> Suggestion {
    let place = place_of(&street.row).filter(|place| *place != street.name);
    Suggestion {
        address: place.map_or(street.name.clone(), |place| format!("{}, {place}", street.name)),
        id: None,
        lat: street.row.at[1],
        lon: street.row.at[0],
        kind: SuggestionKind::Street,
        locality: locality_of(&street.row),
        postcode: postcode_of(&street.row),
    }
}

/// The house by its address, or, where that means another house or several, with its identity added.
fn of_house(pack: &Pack, row: &Row, street: &str) -> Result<Suggestion, GeocodeError> {
    let text = describe(row, street);
    match geocode(pack, &text) {
        Ok(found) if distance([found.lon, found.lat], row.at) <= SAME_PLACE => {
            return of_match(pack, text, &found);
        }
        Err(error @ GeocodeError::Data(_)) => return Err(error),
        _ => {}
    }
    let id = gpkg::osm_id(row.fid);
    let text = format!("{text} ({id})");
    match direct::find(pack, &text)? {
        Some(found) => of_match(pack, text, &found),
        None => Err(GeocodeError::NothingThere { at: id }),
    }
}

fn of_match(pack: &Pack, address: String, found: &Match) -> Result<Suggestion, GeocodeError> {
    let row = direct::row_with_id(pack, &found.address_id)?;
    Ok(Suggestion {
        address,
        // The id of a city model stands for no address.
        id: Some(found.address_id.clone()).filter(|id| !id.starts_with("model/")),
        lat: found.lat,
        lon: found.lon,
        kind: if found.precision == Precision::Building {
            SuggestionKind::Building
        } else {
            SuggestionKind::AddressPoint
        },
        locality: row.as_ref().and_then(locality_of),
        postcode: row.as_ref().and_then(postcode_of),
    })
}
