//! What words outside the street and the number are: a town, a postcode, a state, a country.

use aerie_geodata::{names, postcode};
use rusqlite::{Connection, OptionalExtension};

use crate::account::{Accounted, Part, Remainder};
use crate::query::{self, Before, Token};
use crate::rows::Row;
use crate::words::{COUNTRIES, STATES, STREET_WORDS, Sort, TOWN_WORDS, UNIT_WORDS};

/// Names of towns with fewer letters are not corrected.
const SHORTEST_TOWN: usize = 5;

impl Remainder<'_> {
    /// What the words at a place are, and how many.
    pub(crate) fn part(&self, row: &Row, at: usize, own_words: &[String]) -> Option<(usize, Part)> {
        let run = self.run(at);
        // `ap. 31` is no state, but `SC 29401` is one.
        let words = &*UNIT_WORDS;
        let is_unit_word = words.unit.contains(&run[0].text) || words.floor.contains(&run[0].text);
        let is_numbered = run.get(1).is_some_and(|next| next.text.starts_with(|c: char| c.is_ascii_digit()));
        if is_unit_word
            && is_numbered
            && let Some((length, part)) = self.unit(row, at, run)
        {
            return Some((length, part));
        }
        for length in (1..=run.len()).rev() {
            if let Some(part) = self.part_of(row, at, length, own_words) {
                return Some((length, part));
            }
        }
        if let Some((length, part)) = self.unit(row, at, run) {
            return Some((length, part));
        }
        // A letter directly behind the number is part of it.
        if at == self.number.to && run[0].raw.chars().count() == 1 && !run[0].dotted {
            return None;
        }
        // `in Berlin`, `г. Москва`, `р. п. Чернь`: words before a town.
        let before = run.iter().take(3).take_while(|word| TOWN_WORDS.before.contains(&word.text)).count();
        for from in 1..=before.min(run.len() - 1) {
            for length in (from + 1..=run.len()).rev() {
                if let Some(part @ Part::Town) = self.part_of(row, at + from, length - from, own_words) {
                    return Some((length, part));
                }
            }
            if let Some(part @ (Part::Noise | Part::Unproven)) = self.part_of(row, at + from, 1, own_words) {
                return Some((from + 1, part));
            }
        }
        // `Praha 10`, `København K`: a district.
        let is_letter = run[0].text.len() == 1 && run[0].raw.chars().all(char::is_uppercase);
        let is_district = is_letter || (run[0].text.len() <= 2 && run[0].text.bytes().all(|b| b.is_ascii_digit()));
        // `Сысерть г`: a word behind it.
        let is_behind_town =
            at > 0 && (is_district || TOWN_WORDS.before.contains(&run[0].text)) && !self.is_taken(at - 1) && {
                let is_beside = self.tokens[at - 1].segment == run[0].segment;
                is_beside && matches!(self.part_of(row, at - 1, 1, own_words), Some(Part::Town))
            };
        is_behind_town.then_some((1, Part::Noise))
    }

    fn part_of(&self, row: &Row, at: usize, length: usize, own_words: &[String]) -> Option<Part> {
        let words = &self.tokens[at..at + length];
        let span = self.text.span(at, length);
        let (key, joined) = (&span.key, &span.joined);
        if row.is_around(key) {
            let is_town = [&row.city, &row.town].into_iter().flatten().any(|own| names::locality_key(own) == *key);
            let is_state = row.state.as_deref().is_some_and(|state| names::locality_key(state) == *key)
                || STATES.named(key).any(|state| row.may_be_in(&state.country))
                || span.is_country;
            return Some(if is_state && !is_town { Part::Noise } else { Part::Town });
        }
        if words.len() <= 3 {
            let mapped = row.postcodes.trim_matches('|');
            if mapped.split('|').any(|own| postcode::is_same(own, joined)) {
                return Some(Part::Postcode);
            }
            // Only the first half of a British postcode.
            let is_outward =
                |own: &str| own.len() == joined.len() + 3 && own.starts_with(joined.as_str()) && row.may_be_in("gb");
            if span.is_outward && mapped.split('|').any(is_outward) {
                return Some(Part::Postcode);
            }
            if mapped.is_empty() && span.is_outward && row.may_be_in("gb") && at > self.number.from {
                return Some(Part::Unproven);
            }
            if mapped.is_empty() && words[0].before != Before::Hash && span.is_postcode {
                return Some(Part::Unproven);
            }
        }
        if is_same_name(row, words) || (words.len() == 1 && is_ward(row, &words[0].raw)) {
            return Some(Part::Town);
        }
        // A letter directly after the number is part of it, not a country or the beginning of a town.
        let is_own = words.len() == 1 && own_words.contains(joined);
        if at == self.number.to && joined.len() == 1 && joined.bytes().all(|b| b.is_ascii_alphabetic()) && !is_own {
            return None;
        }
        if is_own || (words.len() == 1 && query::is_number_word(joined) && self.is_before_number(at)) {
            return Some(Part::Noise);
        }
        let state = span.is_state.then(|| self.state(row, key, at + length - 1)).flatten();
        match state {
            Some(Ok(part)) => return Some(part),
            Some(Err(())) => return None,
            None => {}
        }
        let is_country = span.is_country && COUNTRIES.named(joined).any(|country| row.may_be_in(&country.code));
        let is_placed = joined.len() > 3 || self.is_end_or_code(at + length) || self.is_segment(at, length);
        (is_country && is_placed).then_some(Part::Noise)
    }

    /// Whether words are all that is between commas.
    fn is_segment(&self, at: usize, length: usize) -> bool {
        let segment = self.tokens[at].segment;
        self.tokens.iter().filter(|token| token.segment == segment).count() == length
    }

    fn is_before_number(&self, at: usize) -> bool {
        self.tokens.get(at + 1).is_some_and(|next| next.number.is_some() || self.number.from == at + 1)
    }

    /// Whether the text ends at a word, or goes on with a postcode or a country: a short code may stand before it.
    fn is_end_or_code(&self, at: usize) -> bool {
        let rest = &self.tokens[at.min(self.tokens.len())..];
        rest.first().is_none_or(|next| next.text.bytes().any(|b| b.is_ascii_digit()))
            || (rest.len() <= 3 && (at..self.tokens.len()).all(|at| self.text.span(at, 1).is_country))
            || self.is_taken(at)
    }

    /// What the name or code of a state is, if it is one: an error if the address lies in another.
    fn state(&self, row: &Row, key: &str, last: usize) -> Option<Result<Part, ()>> {
        let mut known = STATES.named(key).peekable();
        known.peek()?;
        let is_code = key.len() <= 3;
        if is_code && !self.is_end_or_code(last + 1) && self.tokens[last].raw.chars().any(char::is_lowercase) {
            return None;
        }
        let tag = row.state.as_deref().map(names::locality_key);
        let town = row.city.as_deref().or(row.town.as_deref()).map(names::locality_key).unwrap_or_default();
        let mut is_other = false;
        for state in known {
            if !row.may_be_in(&state.country) {
                is_other = true;
                continue;
            }
            if let Some(tag) = &tag {
                if state.keys.contains(tag) {
                    return Some(Ok(Part::Noise));
                }
                let is_state_of_country = STATES.named(tag).any(|other| other.country == state.country);
                is_other |= is_state_of_country;
                if !is_state_of_country && !is_code {
                    return Some(Ok(Part::Unproven));
                }
                continue;
            }
            if state.keys.iter().any(|key| row.is_around(key)) {
                return Some(Ok(Part::Noise));
            }
            // The map names another state around it.
            let around = row.localities.split('|').filter(|key| key.len() > 3 && *key != town);
            let mut others = around.flat_map(|key| STATES.named(key)).filter(|other| other.country == state.country);
            if others.next().is_none() && postcode::may_be_in(&state.country, state.code.as_deref(), &row.postcodes) {
                return Some(Ok(Part::Unproven));
            }
            is_other = true;
        }
        // The same letters may be the code of a country.
        let is_country = COUNTRIES.named(key).any(|country| row.may_be_in(&country.code));
        (is_other && !is_country).then_some(Err(()))
    }

    /// A town with a typo; sets the correction.
    pub(crate) fn corrected_town(
        &self,
        db: &Connection,
        row: &Row,
        at: usize,
        out: &mut Accounted,
    ) -> rusqlite::Result<Option<usize>> {
        // If the town stands for the street, a further word is the intended street, not a typo.
        let nameless = row.street.is_none() && row.place.is_none();
        if out.correction.is_some() || nameless {
            return Ok(None);
        }
        let run = self.run(at);
        for length in (1..=run.len().min(3)).rev() {
            let words = &run[..length];
            let span = self.text.span(at, length);
            let key = &span.key;
            let cut_short = words.iter().any(|word| word.dotted || word.segment != words[0].segment);
            let is_letter = at == self.number.to && words[0].text.len() == 1;
            if is_letter || key.len() < SHORTEST_TOWN || !key.bytes().all(|b| b.is_ascii_alphabetic()) || cut_short {
                continue;
            }
            // States and countries are never corrected, nor read as towns.
            if span.is_state || span.is_country {
                continue;
            }
            let most = if key.len() >= 10 { 2 } else { 1 };
            let state = row.state.as_deref().map(names::locality_key).unwrap_or_default();
            let near = row.localities.split('|').filter(|own| *own != state).find(|own| {
                let slips = names::edit_distance(key, own, most);
                own.len() >= SHORTEST_TOWN && slips.is_some_and(|n| n < 2 || own.as_bytes()[0] == key.as_bytes()[0])
            });
            let Some(near) = near else { continue };
            // A town that exists under exactly this name is not a typo of another.
            let mut known = db.prepare_cached("SELECT name FROM aerie_localities WHERE key = ?1")?;
            if known.exists([key])? {
                continue;
            }
            let name: Option<String> = known.query_row([near], |r| r.get(0)).optional()?;
            let written = words.iter().map(|t| t.raw.as_str()).collect::<Vec<_>>().join(" ");
            out.correction = Some(format!("read \"{written}\" as \"{}\"", name.unwrap_or_else(|| near.to_owned())));
            return Ok(Some(length));
        }
        Ok(None)
    }
}

/// Returns true if a Chinese or Japanese word is the town without its city or county: `下京区` in `京都市下京区`.
fn is_ward(row: &Row, word: &str) -> bool {
    let is_town = word.chars().count() > 1 && word.ends_with(['区', '區', '市', '町', '村', '镇', '鎮', '乡', '鄉']);
    let mut towns = [&row.city, &row.town].into_iter().flatten();
    let is_larger = |rest: &str| rest.ends_with(['市', '郡', '县', '縣', '県', '府', '都']);
    is_town && towns.any(|town| town.strip_suffix(word).is_some_and(is_larger))
}

/// Whether words name the town of an address with a word shortened (`Frankfurt a. M.`) or left out.
fn is_same_name(row: &Row, words: &[Token]) -> bool {
    let typed: Vec<&str> =
        words.iter().map(|word| word.text.as_str()).filter(|w| !STREET_WORDS.is(w, Sort::Small)).collect();
    for all in row.words_of_towns() {
        let own: Vec<&str> = all.iter().map(String::as_str).filter(|w| !STREET_WORDS.is(w, Sort::Small)).collect();
        let same = |short: &&str, long: &&str| {
            short == long
                || long.starts_with(*short) && short.len() <= 2
                || STREET_WORDS.groups(short).iter().any(|g| STREET_WORDS.groups(long).contains(g))
        };
        let rest = all.get(typed.len());
        let is_cut =
            rest.is_some_and(|next| STREET_WORDS.is(next, Sort::Small)) && typed.iter().zip(&own).all(|(a, b)| a == b);
        if is_cut && own.len() > typed.len() && !typed.is_empty() {
            return true;
        }
        if own.len() == typed.len() && own.len() > 1 && typed.iter().zip(&own).all(|(short, long)| same(short, long)) {
            return typed.iter().zip(&own).any(|(short, long)| short == long && short.len() > 2);
        }
    }
    false
}
