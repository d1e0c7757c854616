//! Streets whose names people shorten: kinds and titles abbreviated, kinds, small words, directions or first names left out, the kind
//! on the other side of the name.

use std::cmp::Reverse;
use std::collections::HashMap;

use aerie_geodata::names;
use aerie_geodata::street_index::keys_with_word;
use rusqlite::Connection;

use crate::query::Token;
use crate::reading::Reading;
use crate::rows::name_of;
use crate::words::{STREET_WORDS, Sort};

/// Longest name of a street, words.
const MAX_SPAN: usize = 8;
/// Maximum number of streets read for a word, and compared with the text.
const MAX_OF_WORD: usize = 400;
const MAX_STREETS: usize = 60;
/// Costs of what a name leaves out.
const SHORTENED: usize = 1;
const KIND: usize = 2;
const SIDE: usize = 3;
const FIRST_NAME: usize = 5;

/// Runs of words that name a street with words shortened or left out, the nearest first.
pub(crate) fn readings(db: &Connection, tokens: &[Token]) -> rusqlite::Result<Vec<Reading>> {
    // Streets that share a word with the text, by how many they share.
    let mut shared: HashMap<String, usize> = HashMap::new();
    for token in tokens {
        let is_small = STREET_WORDS.is(&token.text, Sort::Small) || token.text.len() < 2;
        let is_number = token.text.bytes().all(|b| b.is_ascii_digit());
        let words = match (is_number, is_small) {
            (true, _) => ordinals(&token.text),
            (_, true) => continue,
            _ => vec![token.text.clone()],
        };
        // Kinds and directions tell streets apart only beside another word.
        let is_common = STREET_WORDS.groups(&token.text).iter().any(|group| matches!(group.1, Sort::Kind | Sort::Side));
        let keys: Result<Vec<_>, _> = words.iter().map(|word| keys_with_word(db, word, MAX_OF_WORD)).collect();
        for key in keys?.into_iter().flatten() {
            *shared.entry(key).or_default() += if is_common { 1 } else { 2 };
        }
    }
    let shared = shared.into_iter().filter(|(_, count)| *count > 1);
    let mut candidates: Vec<(usize, String)> = shared.map(|(key, count)| (count, key)).collect();
    candidates.sort_by(|a, b| (Reverse(a.0), a.1.len(), &a.1).cmp(&(Reverse(b.0), b.1.len(), &b.1)));
    let mut out = Vec::new();
    for (_, key) in candidates.into_iter().take(MAX_STREETS) {
        let Some(name) = name_of(db, &key)? else { continue };
        let mapped: Vec<String> = names::words(&name).into_iter().map(|word| word.folded).collect();
        for from in 0..tokens.len() {
            for to in from + 1..=tokens.len().min(from + MAX_SPAN) {
                if let Some(cost) = cost(&tokens[from..to], &mapped) {
                    let is_guess = cost >= FIRST_NAME;
                    out.push(Reading { from, to, key: key.clone(), edits: cost, is_guess, needs_town: cost >= SIDE });
                }
            }
        }
    }
    out.sort_by(|a, b| (a.edits, b.to - b.from, a.from, &a.key).cmp(&(b.edits, a.to - a.from, b.from, &b.key)));
    Ok(out)
}

/// `83rd` and `83e` for 83.
fn ordinals(word: &str) -> Vec<String> {
    let Ok(number) = word.parse::<u32>() else { return Vec::new() };
    if word.len() > 3 {
        return Vec::new();
    }
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    vec![format!("{number}{ending}"), word.to_owned()]
}

/// What the words leave out of a name, as a cost; `None` if they are not that name.
fn cost(typed: &[Token], mapped: &[String]) -> Option<usize> {
    let is_kind = |word: &str| STREET_WORDS.is(word, Sort::Kind);
    let typed_cuts = cuts(typed.len(), |at| is_kind(&typed[at].text));
    let mapped_cuts = cuts(mapped.len(), |at| is_kind(&mapped[at]));
    let mut best: Option<usize> = None;
    for (from, to) in &typed_cuts {
        let kinds: Vec<&str> = typed[..*from].iter().chain(&typed[*to..]).map(|t| t.text.as_str()).collect();
        for (start, end) in &mapped_cuts {
            let own: Vec<&str> = mapped[..*start].iter().chain(&mapped[*end..]).map(String::as_str).collect();
            let kind = match (kinds.is_empty(), own.is_empty()) {
                (true, true) => 0,
                (false, false) if same_kinds(&kinds, &own) => 0,
                (false, false) => continue,
                _ => KIND,
            };
            let has_kind = !own.is_empty() || !kinds.is_empty();
            let core = core_cost(&typed[*from..*to], &mapped[*start..*end], true, has_kind);
            let total = core.map(|core| core + kind);
            best = [best, total].into_iter().flatten().min();
        }
    }
    best
}

/// Ways to cut kinds off both ends of a name, as the rest of it.
fn cuts(length: usize, is_kind: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let mut out = vec![(0, length)];
    let first = length > 1 && is_kind(0);
    let last = length > 1 && is_kind(length - 1);
    if first {
        out.push((1, length));
    }
    if last {
        out.push((0, length - 1));
    }
    out
}

fn same_kinds(typed: &[&str], mapped: &[&str]) -> bool {
    let same = |a: &&str, b: &&str| {
        a == b || STREET_WORDS.groups(a).iter().any(|g| g.1 == Sort::Kind && STREET_WORDS.groups(b).contains(g))
    };
    typed.iter().all(|a| mapped.iter().any(|b| same(a, b))) && mapped.iter().all(|b| typed.iter().any(|a| same(a, b)))
}

/// Least cost at which words are a name without its kind.
fn core_cost(typed: &[Token], mapped: &[String], is_first: bool, has_kind: bool) -> Option<usize> {
    match (typed.split_first(), mapped.split_first()) {
        (None, None) => Some(0),
        (None, Some((word, rest))) => {
            // Nothing but a direction may follow.
            (STREET_WORDS.is(word, Sort::Side) && !is_first)
                .then(|| core_cost(typed, rest, false, has_kind))
                .flatten()
                .map(|cost| cost + SIDE)
        }
        (Some((word, rest)), None) => {
            let is_small = STREET_WORDS.is(&word.text, Sort::Small) && !is_first && word.text.len() > 1;
            is_small.then(|| core_cost(rest, mapped, false, has_kind)).flatten().map(|cost| cost + SHORTENED)
        }
        (Some((word, words)), Some((own, others))) => {
            let mut best: Option<usize> = None;
            let mut add = |cost: Option<usize>, more: usize| {
                best = [best, cost.map(|cost| cost + more)].into_iter().flatten().min();
            };
            if let Some(more) = word_cost(word, own, others.is_empty() && is_first) {
                add(core_cost(words, others, false, has_kind), more);
            }
            if STREET_WORDS.is(own, Sort::Small) {
                add(core_cost(typed, others, false, has_kind), SHORTENED);
            }
            if STREET_WORDS.is(&word.text, Sort::Small) && word.text.len() > 1 {
                add(core_cost(words, mapped, false, has_kind), SHORTENED);
            }
            if STREET_WORDS.is(own, Sort::Side) && !others.is_empty() {
                add(core_cost(typed, others, false, has_kind), SIDE);
            }
            // `Via Mazzini` for `Via Giuseppe Mazzini`.
            let is_name = own.len() > 1 && !own.bytes().any(|b| b.is_ascii_digit());
            if is_first && has_kind && is_name && !others.is_empty() && word.text.len() > 3 {
                add(core_cost(typed, others, false, has_kind), FIRST_NAME);
            }
            best
        }
    }
}

/// Cost at which one word stands for another.
fn word_cost(typed: &Token, mapped: &str, is_only: bool) -> Option<usize> {
    let text = typed.text.as_str();
    if text == mapped || names::street_key_of(&[text.to_owned()]) == names::street_key_of(&[mapped.to_owned()]) {
        return Some(0);
    }
    if STREET_WORDS.groups(text).iter().any(|group| STREET_WORDS.groups(mapped).contains(group)) {
        return Some(0);
    }
    let ending = |word: &str| word.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned();
    let digits = |word: &str| word.bytes().take_while(u8::is_ascii_digit).count();
    if digits(text) > 0 && digits(text) == digits(mapped) && text[..digits(text)] == mapped[..digits(mapped)] {
        let plain = |e: &str| {
            matches!(e, "" | "st" | "nd" | "rd" | "th" | "e" | "er" | "o" | "a" | "eme" | "ia" | "ja" | "ya" | "i")
        };
        return (plain(&ending(text)) && plain(&ending(mapped))).then_some(SHORTENED);
    }
    let number = |word: &str| word.parse::<u32>().ok().or_else(|| roman(word));
    if let (Some(a), Some(b)) = (number(text), number(mapped)) {
        return (a == b && (text.len() > 1 || mapped.len() > 1)).then_some(SHORTENED);
    }
    // `G. Mazzini`, `Gius. Mazzini`
    let is_begun = mapped.len() > text.len() && mapped.starts_with(text) && !is_only;
    (is_begun && (typed.dotted || text.len() == 1) && !text.bytes().any(|b| b.is_ascii_digit())).then_some(SHORTENED)
}

/// The value of a Roman numeral below 50.
fn roman(word: &str) -> Option<u32> {
    let value = |b: u8| match b {
        b'i' => Some(1),
        b'v' => Some(5),
        b'x' => Some(10),
        _ => None,
    };
    let values: Vec<u32> = word.bytes().map(value).collect::<Option<_>>()?;
    let signed = values.iter().enumerate().map(|(at, own)| {
        let is_before_greater = values.get(at + 1).is_some_and(|next| next > own);
        if is_before_greater { -i64::from(*own) } else { i64::from(*own) }
    });
    u32::try_from(signed.sum::<i64>()).ok().filter(|sum| *sum > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tokens;

    fn cost_of(typed: &str, mapped: &str) -> Option<usize> {
        let mapped: Vec<String> = names::words(mapped).into_iter().map(|word| word.folded).collect();
        cost(&tokens(typed), &mapped)
    }

    #[test]
    fn shortened_names_are_recognized() {
        for (typed, mapped) in [
            ("Avda. de América", "Avenida de América"),
            ("Avda América", "Avenida de América"),
            ("Pça. da Sé", "Praça da Sé"),
            ("ул. Ленина", "улица Ленина"),
            ("Ленина улица", "улица Ленина"),
            ("Ленина", "улица Ленина"),
            ("ul. Długa", "Długa"),
            ("83 street", "83rd Street"),
            ("W 83 St", "West 83rd Street"),
            ("83rd Street", "West 83rd Street"),
            ("Via G. Mazzini", "Via Giuseppe Mazzini"),
            ("Via XX Settembre", "Via 20 Settembre"),
            ("P.za Garibaldi", "Piazza Garibaldi"),
            ("Rue du Gal Leclerc", "Rue du Général Leclerc"),
        ] {
            assert!(cost_of(typed, mapped).is_some_and(|cost| cost < FIRST_NAME), "{typed}: {mapped}");
        }
        assert!(cost_of("Via Mazzini", "Via Giuseppe Mazzini").is_some_and(|cost| cost >= FIRST_NAME));
    }

    #[test]
    fn other_names_are_not() {
        for (typed, mapped) in [
            ("Park Avenue", "Park Street"),
            ("Rue Lavigne", "Rue Delavigne"),
            ("Rue de la Paix", "Avenue de la Paix"),
            ("West 83rd Street", "East 83rd Street"),
            ("83rd Street", "84th Street"),
            ("Hauptstraße", "Neue Hauptstraße"),
            ("Via Pio IX", "Via Pio XI"),
        ] {
            assert_eq!(cost_of(typed, mapped), None, "{typed}: {mapped}");
        }
    }
}
