//! Matches a mapped address against the words of a text that name neither street nor house number: town, postcode, state, country,
//! apartment. Each must be explained.

use aerie_geodata::{names, postcode};
use rusqlite::{Connection, OptionalExtension};

use crate::numbers::NumberSpan;
use crate::query::{self, Before, Token};
use crate::rows::Row;
use crate::words::{COUNTRIES, STATES, STREET_WORDS, Sort, UNIT_WORDS};

/// Longest name of a town, words.
const MAX_SPAN: usize = 8;
/// Names of towns with fewer letters are not corrected.
const SHORTEST_TOWN: usize = 5;
/// Longest name of an apartment, characters.
const LONGEST_UNIT: usize = 6;

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
    /// Whether the map cannot say if a postcode or state is that of the address.
    pub(crate) is_unproven: bool,
    /// The apartment in the text.
    pub(crate) unit: Option<String>,
}

/// Words of a text outside a street and a house number.
pub(crate) struct Remainder<'a> {
    pub(crate) tokens: &'a [Token],
    /// Words of the street.
    pub(crate) street: (usize, usize),
    pub(crate) number: &'a NumberSpan,
}

/// What a run of words is.
enum Part {
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
    fn is_taken(&self, at: usize) -> bool {
        let (from, to) = self.street;
        (from..to).contains(&at) || (self.number.from..self.number.to).contains(&at)
    }

    /// The words from `at` up to the next that is taken, at most `MAX_SPAN`.
    fn run(&self, at: usize) -> &'a [Token] {
        let most = self.tokens.len().min(at + MAX_SPAN);
        let to = (at..most).find(|i| self.is_taken(*i)).unwrap_or(most);
        &self.tokens[at..to]
    }

    /// All words outside the street and the number, as written.
    pub(crate) fn rest(&self) -> Vec<&'a str> {
        let outside = (0..self.tokens.len()).filter(|at| !self.is_taken(*at));
        outside.map(|at| self.tokens[at].raw.as_str()).collect()
    }

    /// Whether street and number stand together, so that another part of the text may be left out.
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
        // What the map does not have must not be all that tells towns apart.
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
            let has_mark = is_settlement(&folded[0]) || self.tokens[words[0]].dotted && folded[0].len() == 1;
            if (has_mark && folded.len() > 1) || is_street_like(&folded) || self.is_known_place(db, &folded)? {
                return Ok(None);
            }
            names.push(words.iter().map(|at| self.tokens[*at].raw.as_str()).collect::<Vec<_>>().join(" "));
        }
        Ok(Some(names.join(", ")).filter(|name| !name.is_empty()))
    }

    /// Whether one of the words is part of the name of a street of the map.
    fn is_part_of_street(&self, db: &Connection, folded: &[String]) -> rusqlite::Result<bool> {
        let mut known = db.prepare_cached("SELECT 1 FROM aerie_street_words WHERE word = ?1")?;
        for word in folded {
            if STREET_WORDS.groups(word).iter().any(|group| group.1 != Sort::Small) || known.exists([word])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether words name a town of the map, a street of it, a state or a country.
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

    /// What the words at a place are, and how many.
    fn part(&self, row: &Row, at: usize, own_words: &[String]) -> Option<(usize, Part)> {
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
            let words = &run[..length];
            if let Some(part) = self.part_of(row, at, words, own_words) {
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
        let before = run.iter().take(3).take_while(|word| is_before_town(&word.text)).count();
        for from in 1..=before.min(run.len() - 1) {
            for length in (from + 1..=run.len()).rev() {
                if let Some(part @ Part::Town) = self.part_of(row, at + from, &run[from..length], own_words) {
                    return Some((length, part));
                }
            }
            if let Some(part @ (Part::Noise | Part::Unproven)) =
                self.part_of(row, at + from, &run[from..=from], own_words)
            {
                return Some((from + 1, part));
            }
        }
        // `Praha 10`, `København K`: a district.
        let is_district =
            run[0].text.len() <= 2 && (run[0].number.is_some() || run[0].raw.chars().all(char::is_uppercase));
        // `Сысерть г`: a word behind it.
        let is_behind_town = at > 0 && (is_district || is_before_town(&run[0].text)) && !self.is_taken(at - 1) && {
            let last = &self.tokens[at - 1..at];
            last[0].segment == run[0].segment && matches!(self.part_of(row, at - 1, last, own_words), Some(Part::Town))
        };
        is_behind_town.then_some((1, Part::Noise))
    }

    fn part_of(&self, row: &Row, at: usize, words: &[Token], own_words: &[String]) -> Option<Part> {
        let has = |list: &str, key: &str| !key.is_empty() && list.contains(&format!("|{key}|"));
        let folded: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
        let key = names::locality_key_of(&folded);
        let joined = folded.concat();
        if has(&row.localities, &key) {
            let is_town = [&row.city, &row.town].into_iter().flatten().any(|own| names::locality_key(own) == key);
            let is_state = row.state.as_deref().is_some_and(|state| names::locality_key(state) == key)
                || STATES.named(&key).any(|state| row.may_be_in(&state.country))
                || COUNTRIES.named(&joined).next().is_some();
            return Some(if is_state && !is_town { Part::Noise } else { Part::Town });
        }
        if words.len() <= 3 {
            let mapped = row.postcodes.trim_matches('|');
            if mapped.split('|').any(|own| postcode::is_same(own, &joined)) {
                return Some(Part::Postcode);
            }
            // Only the first half of a British postcode.
            let is_outward =
                |own: &str| own.len() == joined.len() + 3 && own.starts_with(&joined) && row.may_be_in("gb");
            if postcode::is_outward(&joined) && mapped.split('|').any(is_outward) {
                return Some(Part::Postcode);
            }
            if mapped.is_empty() && postcode::is_outward(&joined) && row.may_be_in("gb") && at > self.number.from {
                return Some(Part::Unproven);
            }
            if mapped.is_empty() && words[0].before != Before::Hash && postcode::is_likely(&joined) {
                return Some(Part::Unproven);
            }
        }
        if is_same_name(row, words) {
            return Some(Part::Town);
        }
        // A letter directly after the number is part of it, not a country or the beginning of a town.
        let is_own = words.len() == 1 && own_words.contains(&joined);
        if at == self.number.to && joined.len() == 1 && joined.bytes().all(|b| b.is_ascii_alphabetic()) && !is_own {
            return None;
        }
        if is_own || (words.len() == 1 && query::is_number_word(&joined) && self.is_before_number(at)) {
            return Some(Part::Noise);
        }
        match self.state(row, &key, at + words.len() - 1) {
            Some(Ok(part)) => return Some(part),
            Some(Err(())) => return None,
            None => {}
        }
        let is_country = COUNTRIES.named(&joined).any(|country| row.may_be_in(&country.code));
        let is_placed = joined.len() > 3 || self.is_end_or_code(at + words.len()) || self.is_segment(at, words.len());
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
            || rest.len() <= 3 && rest.iter().all(|word| COUNTRIES.named(&word.text).next().is_some())
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
        let has = |key: &String| row.localities.contains(&format!("|{key}|"));
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
            if state.keys.iter().any(has) {
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

    /// An apartment, a floor or a box for mail.
    fn unit(&self, row: &Row, at: usize, run: &[Token]) -> Option<(usize, Part)> {
        let words = &*UNIT_WORDS;
        let first = &run[0];
        let value = |token: &Token| {
            token.text.len() <= LONGEST_UNIT && (query::is_short_code(&token.text)) && !token.text.is_empty()
        };
        let is_alone = |token: &Token| words.alone.contains(&token.text);
        let is_floor_number = |token: &Token| {
            let digits = token.text.bytes().take_while(u8::is_ascii_digit).count();
            (1..=2).contains(&digits) && (token.text.len() == digits || token.text.len() <= digits + 3)
        };
        if at > self.number.from
            && first.raw.ends_with(['楼', '樓', '層', '层', '階', '室', '房', '幢', '座', '栋', '棟'])
        {
            return Some((1, Part::Noise));
        }
        // An apartment without a word for it, where the map has that one.
        let is_beside = at == self.number.to || at + 1 == self.number.from || at == self.street.1;
        if let Some(next) = run.get(1).filter(|next| is_beside && next.before == Before::Dash) {
            let joined = format!("{}{}", first.text, next.text);
            if row.has_unit(&joined) {
                return Some((2, Part::Unit(joined)));
            }
        }
        // `C2 1845 West 10th Avenue`
        let is_first = at == 0 && at + 1 == self.number.from && self.number.from < self.street.0;
        let is_mixed = first.text.len() <= 3 && first.text.starts_with(|c: char| c.is_ascii_alphabetic());
        if is_first && is_mixed && value(first) && first.text.len() > 1 {
            return Some((1, Part::Unit(first.text.clone())));
        }
        if is_beside && value(first) && row.has_unit(&first.text) {
            return Some((1, Part::Unit(first.text.clone())));
        }
        let is_joined = at + 1 == self.number.from && self.tokens[self.number.from].before == Before::Dash;
        if is_joined && value(first) && first.segment == self.tokens[self.number.from].segment {
            return Some((1, Part::Unit(first.text.clone())));
        }
        if words.mailbox.contains(&first.text) || (first.text == "p" && run.get(1).is_some_and(|t| t.text == "o")) {
            let start =
                if first.text == "p" || run.get(1).is_some_and(|t| words.mailbox.contains(&t.text)) { 2 } else { 1 };
            let start = start + usize::from(first.text == "p" && run.get(2).is_some_and(|t| t.text == "box"));
            let numbers = run[start.min(run.len())..].iter().take(3).take_while(|t| {
                let plain = t.text.strip_prefix("no").or(t.text.strip_prefix('n')).unwrap_or(&t.text);
                plain.bytes().all(|b| b.is_ascii_digit()) && t.segment == first.segment
            });
            let count = numbers.count();
            if count > 0 {
                return Some((start + count, Part::Noise));
            }
        }
        if first.text == "cedex" {
            let office = run.get(1).filter(|t| t.text.len() <= 2 && t.text.bytes().all(|b| b.is_ascii_digit()));
            return Some((1 + usize::from(office.is_some()), Part::Cedex));
        }
        let is_short = |t: &Token| first.text.len() > 1 || (t.text.len() <= 3 && t.segment == first.segment);
        if words.unit.contains(&first.text) {
            let skip = 1 + usize::from(
                run.get(1).is_some_and(|t| query::is_number_word(&t.text) && run.get(2).is_some_and(value)),
            );
            if let Some(own) = run.get(skip).filter(|t| value(t) && is_short(t)) {
                let mut length = skip + 1;
                let mut text = own.text.clone();
                // `4 B`, `3-5`
                if let Some(more) = run
                    .get(length)
                    .filter(|t| t.segment == own.segment && t.text.len() == 1 || t.before == Before::Dash && value(t))
                {
                    text.push_str(&more.text);
                    length += 1;
                }
                return Some((length, Part::Unit(text)));
            }
        }
        let is_of_floor = |t: &&Token| is_floor_number(t) || t.text.len() == 1 || is_alone(t);
        if words.floor.contains(&first.text) && run.get(1).is_some_and(|t| is_of_floor(&t)) {
            return Some((2, Part::Noise));
        }
        // `3rd floor`, `2. OG`, `1er étage`
        if is_floor_number(first) && run.get(1).is_some_and(|t| words.floor.contains(&t.text)) {
            return Some((2, Part::Noise));
        }
        if first.text.len() <= 3
            && value(first)
            && run.get(1).is_some_and(|t| words.unit.contains(&t.text) && t.text.len() > 1)
            && at >= self.number.to
        {
            return Some((2, Part::Unit(first.text.clone())));
        }
        if first.before == Before::Hash && value(first) {
            return Some((1, Part::Unit(first.text.clone())));
        }
        // Behind the number: `3-II`, `12, 3º B`, `12 3º izq`.
        if at == self.number.to
            && first.before == Before::Dash
            && value(first)
            && !first.text.bytes().all(|b| b.is_ascii_digit())
        {
            return Some((1, Part::Unit(first.text.clone())));
        }
        let is_ordinal = first.raw.ends_with(['º', 'ª', '°']) || query::is_ordinal(&first.text);
        if is_ordinal && at >= self.number.to && at <= self.number.to + 2 {
            let door =
                run.get(1).filter(|t| t.text.len() <= 2 || is_alone(t)).filter(|t| t.segment <= first.segment + 1);
            return Some((1 + usize::from(door.is_some()), Part::Noise));
        }
        if is_alone(first) && (first.text.len() > 2 || at >= self.number.to && at <= self.number.to + 3) {
            let with_floor = run.get(1).is_some_and(|t| words.floor.contains(&t.text));
            return Some((1 + usize::from(with_floor), Part::Noise));
        }
        None
    }

    /// A town with a typo; sets the correction.
    fn corrected_town(
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
            let folded: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
            let key = names::locality_key_of(&folded);
            let cut_short = words.iter().any(|word| word.dotted || word.segment != words[0].segment);
            let is_letter = at == self.number.to && words[0].text.len() == 1;
            if is_letter || key.len() < SHORTEST_TOWN || !key.bytes().all(|b| b.is_ascii_alphabetic()) || cut_short {
                continue;
            }
            // States and countries are never corrected, nor read as towns.
            if STATES.named(&key).next().is_some() || COUNTRIES.named(&key).next().is_some() {
                continue;
            }
            let most = if key.len() >= 10 { 2 } else { 1 };
            let state = row.state.as_deref().map(names::locality_key).unwrap_or_default();
            let near = row.localities.split('|').filter(|own| *own != state).find(|own| {
                let slips = names::edit_distance(&key, own, most);
                own.len() >= SHORTEST_TOWN && slips.is_some_and(|n| n < 2 || own.as_bytes()[0] == key.as_bytes()[0])
            });
            let Some(near) = near else { continue };
            // A town that exists under exactly this name is not a typo of another.
            let mut known = db.prepare_cached("SELECT name FROM aerie_localities WHERE key = ?1")?;
            if known.exists([&key])? {
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

/// Whether a word may stand before the name of a town, district or state, and adds nothing.
fn is_before_town(word: &str) -> bool {
    const WORDS: [&str; 47] = [
        "in",
        "a",
        "en",
        "at",
        "of",
        "the",
        "city",
        "ville",
        "stadt",
        "comun",
        "g",
        "gor",
        "gorod",
        "m",
        "misto",
        "s",
        "st",
        "d",
        "pos",
        "p",
        "pgt",
        "selo",
        "derevnia",
        "rn",
        "raion",
        "obl",
        "oblast",
        "county",
        "co",
        "prov",
        "provincia",
        "de",
        "do",
        "da",
        "and",
        "r",
        "rp",
        "x",
        "khutor",
        "poselok",
        "posiolok",
        "stanitsa",
        "aul",
        "smt",
        "o",
        "t",
        "c",
    ];
    WORDS.contains(&word)
}

/// Whether a word says that the next one is the name of a town or village.
fn is_settlement(word: &str) -> bool {
    matches!(
        word,
        "pgt"
            | "rp"
            | "gorod"
            | "poselok"
            | "posiolok"
            | "selo"
            | "khutor"
            | "derevnia"
            | "stanitsa"
            | "aul"
            | "smt"
            | "misto"
    )
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

/// Whether words name the town of an address with a word shortened (`Frankfurt a. M.`) or left out.
fn is_same_name(row: &Row, words: &[Token]) -> bool {
    let towns = [&row.city, &row.town].into_iter().flatten();
    let typed: Vec<&str> =
        words.iter().map(|word| word.text.as_str()).filter(|w| !STREET_WORDS.is(w, Sort::Small)).collect();
    for town in towns {
        let own = names::words(town);
        let own: Vec<&str> =
            own.iter().map(|w| w.folded.as_str()).filter(|w| !STREET_WORDS.is(w, Sort::Small)).collect();
        let same = |short: &&str, long: &&str| {
            short == long
                || long.starts_with(*short) && short.len() <= 2
                || STREET_WORDS.groups(short).iter().any(|g| STREET_WORDS.groups(long).contains(g))
        };
        let rest = names::words(town).into_iter().map(|w| w.folded).nth(typed.len());
        let is_cut =
            rest.is_some_and(|next| STREET_WORDS.is(&next, Sort::Small)) && typed.iter().zip(&own).all(|(a, b)| a == b);
        if is_cut && own.len() > typed.len() && !typed.is_empty() {
            return true;
        }
        if own.len() == typed.len() && own.len() > 1 && typed.iter().zip(&own).all(|(short, long)| same(short, long)) {
            return typed.iter().zip(&own).any(|(short, long)| short == long && short.len() > 2);
        }
    }
    false
}
