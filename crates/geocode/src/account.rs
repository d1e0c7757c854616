//! Matches a mapped address against the words of a text that name neither street nor house number: town, postcode, state, country,
//! apartment. Each must be explained.

use aerie_geodata::names;
use rusqlite::Connection;

use crate::numbers::NumberSpan;
use crate::query::{self, Token};
use crate::rows::Row;
use crate::text::{MAX_SPAN, Text};
use crate::words::{COUNTRIES, STATES, STREET_WORDS, Sort, TOWN_WORDS};

/// How an address explains the rest of the text.
#[derive(Default)]
pub(crate) struct Accounted {
    /// Words that contradict it.
    pub(crate) unexplained: Vec<String>,
    /// A name that is not on the map, of a firm, a building or a quarter, which is left out.
    pub(crate) skipped: Option<String>,
    pub(crate) correction: Option<String>,
    pub(crate) town_named: bool,
    pub(crate) postcode_named: bool,
    /// The text has a postcode or state where the map has none.
    pub(crate) is_unproven: bool,
    /// The apartment in the text.
    pub(crate) unit: Option<String>,
}

/// Words of a text outside a street and a house number.
pub(crate) struct Remainder<'a> {
    pub(crate) text: &'a Text,
    pub(crate) tokens: &'a [Token],
    /// Words of the street.
    pub(crate) street: (usize, usize),
    pub(crate) number: &'a NumberSpan,
}

/// The meaning of a run of words.
pub(crate) enum Part {
    Town,
    Postcode,
    /// A postcode or state that the map does not have.
    Unproven,
    /// A letter for mail alone, whose postcode is not that of the place.
    Cedex,
    Unit(String),
    /// Adds nothing.
    Noise,
}

impl<'a> Remainder<'a> {
    pub(crate) fn is_taken(&self, at: usize) -> bool {
        let (from, to) = self.street;
        (from..to).contains(&at) || (self.number.from..self.number.to).contains(&at)
    }

    /// The words from `at` up to the next that is taken, at most `MAX_SPAN`.
    pub(crate) fn run(&self, at: usize) -> &'a [Token] {
        let most = self.tokens.len().min(at + MAX_SPAN);
        let to = (at..most).find(|i| self.is_taken(*i)).unwrap_or(most);
        &self.tokens[at..to]
    }

    /// All words outside the street and the number, as written.
    pub(crate) fn rest(&self) -> Vec<&'a str> {
        let outside = (0..self.tokens.len()).filter(|at| !self.is_taken(*at));
        outside.map(|at| self.tokens[at].raw.as_str()).collect()
    }

    /// True if nothing but words such as `No.` stands between street and number. Other parts of the text may then be left out.
    fn is_compact(&self) -> bool {
        let (from, to) = self.street;
        let between = if self.number.from >= to { to..self.number.from } else { self.number.to..from };
        between.clone().all(|at| query::is_number_word(&self.tokens[at].text))
    }

    /// Matches an address.
    pub(crate) fn account(&self, db: &Connection, row: &Row) -> rusqlite::Result<Accounted> {
        let mut out = Accounted::default();
        let mut unexplained: Vec<usize> = Vec::new();
        let mut unproven: Vec<usize> = Vec::new();
        let mut is_cedex = false;
        let own_words = own_words(row);
        let mut at = 0;
        while at < self.tokens.len() {
            if self.is_taken(at) {
                at += 1;
                continue;
            }
            let (length, part) = match self.part(row, at, &own_words) {
                Some(found) => found,
                None => match self.corrected_town(db, row, at, &mut out)? {
                    Some(length) => (length, Part::Town),
                    None => {
                        unexplained.push(at);
                        at += 1;
                        continue;
                    }
                },
            };
            match part {
                Part::Town => out.town_named = true,
                Part::Postcode => out.postcode_named = true,
                Part::Unproven => unproven.extend(at..at + length),
                Part::Cedex => is_cedex = true,
                Part::Unit(unit) => out.unit = out.unit.or(Some(unit)),
                Part::Noise => {}
            }
            at += length;
        }
        // A code for mail is that of an office of the same department.
        if is_cedex {
            let department = row.postcodes.trim_matches('|').get(..2).unwrap_or_default().to_owned();
            unexplained.retain(|at| {
                let text = &self.tokens[*at].text;
                !(text.len() == 5 && text.starts_with(&department) && text.bytes().all(|b| b.is_ascii_digit()))
            });
        }
        // A postcode or state that the map lacks does not show which town is meant.
        out.is_unproven = !unproven.is_empty();
        if !out.town_named && !out.postcode_named {
            unexplained.append(&mut unproven);
            unexplained.sort_unstable();
        }
        if !unexplained.is_empty() {
            out.skipped = self.skippable(db, row, &unexplained, &out)?;
        }
        if out.skipped.is_none() {
            out.unexplained = unexplained.into_iter().map(|at| self.tokens[at].raw.clone()).collect();
        }
        Ok(out)
    }

    /// The words that may be left out, if those that an address does not explain are whole parts of the text without numbers, known
    /// to the map as nothing else: before the street the name of a firm or a building, elsewhere that of a quarter.
    fn skippable(
        &self,
        db: &Connection,
        row: &Row,
        unexplained: &[usize],
        found: &Accounted,
    ) -> rusqlite::Result<Option<String>> {
        let nameless = row.street.is_none() && row.place.is_none();
        if nameless || !self.is_compact() || !(found.town_named || found.postcode_named) {
            return Ok(None);
        }
        let own = [self.tokens[self.street.0].segment, self.tokens[self.number.from].segment];
        let mut names = Vec::new();
        for words in unexplained.chunk_by(|a, b| self.tokens[*a].segment == self.tokens[*b].segment && a + 1 == *b) {
            let segment = self.tokens[words[0]].segment;
            let end = words[0] + words.len();
            // `Patricia Apartments 1110 Cardero Street`
            let is_before_number = words[0] == 0 && end <= self.number.from && self.number.from < self.street.0;
            let folded: Vec<String> = words.iter().map(|at| self.tokens[*at].text.clone()).collect();
            // `Kering via Nizza`: the name of the street begins with its kind.
            let kind = &self.tokens[self.street.0].text;
            let is_before_kind = words[0] == 0
                && end == self.street.0
                && STREET_WORDS.is(kind, Sort::Kind)
                && kind.len() > 1
                && !self.is_part_of_street(db, &folded)?;
            // In East Asia the house comes last, then a name of the building.
            let is_east = query::is_east_asian(&self.tokens[self.street.0].raw);
            let is_behind = is_east && words[0] >= self.number.to && self.number.from >= self.street.1;
            // A postcode does not prove a town that the map does not know, but for the districts of East Asia.
            if !(found.town_named || is_east) {
                return Ok(None);
            }
            let is_apart = !own.contains(&segment) || is_before_number || is_before_kind || is_behind;
            let has_digits = words.iter().any(|at| self.tokens[*at].text.bytes().any(|b| b.is_ascii_digit()));
            if !is_apart || (has_digits && !is_behind) {
                return Ok(None);
            }
            let has_mark =
                TOWN_WORDS.settlement.contains(&folded[0]) || (self.tokens[words[0]].dotted && folded[0].len() == 1);
            if (has_mark && folded.len() > 1) || is_street_like(&folded) || self.is_known_place(db, &folded)? {
                return Ok(None);
            }
            names.push(words.iter().map(|at| self.tokens[*at].raw.as_str()).collect::<Vec<_>>().join(" "));
        }
        Ok(Some(names.join(", ")).filter(|name| !name.is_empty()))
    }

    /// Looks for one of the words in the names of all mapped streets.
    fn is_part_of_street(&self, db: &Connection, folded: &[String]) -> rusqlite::Result<bool> {
        let mut known = db.prepare_cached("SELECT 1 FROM aerie_street_words WHERE word = ?1")?;
        for word in folded {
            if STREET_WORDS.groups(word).iter().any(|group| group.1 != Sort::Small) || known.exists([word])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Looks for a mapped town or street, a state or a country that words name.
    fn is_known_place(&self, db: &Connection, folded: &[String]) -> rusqlite::Result<bool> {
        let key = names::locality_key_of(folded);
        let joined = folded.concat();
        let is_town = db.prepare_cached("SELECT 1 FROM aerie_localities WHERE key = ?1")?.exists([&key])?;
        let street = names::street_key_of(folded);
        let is_street =
            db.prepare_cached("SELECT 1 FROM aerie_street_index WHERE key = ?1 LIMIT 1")?.exists([&street])?;
        let is_state = STATES.named(&joined).next().is_some() || COUNTRIES.named(&joined).next().is_some();
        Ok(is_town || is_street || is_state)
    }
}

/// A mapped number may include a floor or a staircase (`13 A, 5. krs.`).
fn own_words(row: &Row) -> Vec<String> {
    if !row.housenumber.contains([' ', ',', '.']) {
        return Vec::new();
    }
    let words: Vec<String> = query::tokens(&row.housenumber).into_iter().skip(1).map(|t| t.text).collect();
    let has_word = words.iter().any(|w| w.len() > 1 && w.bytes().all(|b| b.is_ascii_alphabetic()));
    if has_word { words } else { Vec::new() }
}

/// Whether the last or only word of a name, or an ending of it, is a kind of street.
fn is_street_like(folded: &[String]) -> bool {
    let is_kind = |word: &String| STREET_WORDS.is(word, Sort::Kind) && word.len() > 2;
    folded.first().is_some_and(is_kind)
        || folded.last().is_some_and(is_kind)
        || folded.iter().any(|word| names::stem(word).is_some())
}
