//! Words of addresses in many languages, from the lists in `words/`: countries, states, kinds of streets, parts of houses.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use aerie_geodata::names;

/// Distance by which the bounds of a country may be missed, degrees: they are rounded outwards, but coasts are simplified.
const SLACK: f64 = 0.3;

/// A country.
pub(crate) struct Country {
    /// ISO 3166-1 code, lower case.
    pub(crate) code: String,
    /// West, south, east and north of each of its parts, degrees.
    bounds: Vec<[f64; 4]>,
}

impl Country {
    /// Whether a longitude and latitude may lie in it.
    pub(crate) fn may_contain(&self, at: [f64; 2]) -> bool {
        self.bounds.is_empty() || self.bounds.iter().any(|bounds| is_within(bounds, at, SLACK))
    }
}

fn is_within([west, south, east, north]: &[f64; 4], [lon, lat]: [f64; 2], slack: f64) -> bool {
    (west - slack..=east + slack).contains(&lon) && (south - slack..=north + slack).contains(&lat)
}

/// All countries, and which of them a folded name or code means.
pub(crate) struct Countries {
    all: Vec<Country>,
    names: HashMap<String, Vec<usize>>,
}

impl Countries {
    /// Countries with a folded name or code.
    pub(crate) fn named(&self, key: &str) -> impl Iterator<Item = &Country> {
        self.names.get(key).into_iter().flatten().map(|at| &self.all[*at])
    }

    /// Codes of all countries in which a longitude and latitude may lie.
    pub(crate) fn around(&self, at: [f64; 2]) -> impl Iterator<Item = &str> {
        let here =
            self.all.iter().filter(move |country| country.bounds.iter().any(|bounds| is_within(bounds, at, 0.0)));
        here.map(|country| country.code.as_str())
    }

    /// Whether a longitude and latitude lie near any country.
    pub(crate) fn is_land(&self, at: [f64; 2]) -> bool {
        self.all.iter().any(|country| !country.bounds.is_empty() && country.may_contain(at))
    }

    /// The country with a code, in lower case.
    pub(crate) fn with_code(&self, code: &str) -> Option<&Country> {
        self.all.iter().find(|country| country.code == code)
    }
}

pub(crate) static COUNTRIES: LazyLock<Countries> = LazyLock::new(|| {
    let mut countries = Countries { all: Vec::new(), names: HashMap::new() };
    for line in lines(include_str!("words/countries.txt")) {
        let Some((code, rest)) = line.split_once(": ") else { continue };
        let (names, bounds) = rest.split_once('|').unwrap_or((rest, ""));
        let bounds = bounds.split(',').filter_map(|part| {
            let degrees: Vec<f64> = part.split_whitespace().filter_map(|number| number.parse().ok()).collect();
            degrees.try_into().ok()
        });
        let at = countries.all.len();
        countries.all.push(Country { code: code.to_lowercase(), bounds: bounds.collect() });
        for name in names.split(';').chain([code]) {
            let known = countries.names.entry(names::letters(name)).or_default();
            if !known.contains(&at) {
                known.push(at);
            }
        }
    }
    countries
});

/// A state, province or county.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// ISO 3166-1 code of its country, lower case.
    pub(crate) country: String,
    /// Folded names and codes.
    pub(crate) keys: Vec<String>,
    /// Folded code, where people write one.
    pub(crate) code: Option<String>,
}

/// States, and which of them a folded name or code means.
pub(crate) struct States {
    all: Vec<State>,
    keys: HashMap<String, Vec<usize>>,
}

impl States {
    /// States with a folded name or code.
    pub(crate) fn named(&self, key: &str) -> impl Iterator<Item = &State> {
        self.keys.get(key).into_iter().flatten().map(|at| &self.all[*at])
    }
}

pub(crate) static STATES: LazyLock<States> = LazyLock::new(|| {
    let mut states = States { all: Vec::new(), keys: HashMap::new() };
    for line in lines(include_str!("words/states.txt")) {
        let Some((country, rest)) = line.split_once(": ") else { continue };
        for state in rest.split("; ") {
            let Some((code, names)) = state.split_once(' ') else { continue };
            let code = Some(names::letters(code)).filter(|code| !code.is_empty());
            let mut keys: Vec<String> = names.split('/').map(names::letters).chain(code.clone()).collect();
            keys.retain(|key| !key.is_empty());
            keys.sort();
            keys.dedup();
            for key in &keys {
                states.keys.entry(key.clone()).or_default().push(states.all.len());
            }
            states.all.push(State { country: country.to_lowercase(), keys, code });
        }
    }
    states
});

/// What a word in the name of a street is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    /// The kind of street.
    Kind,
    /// A direction.
    Side,
    /// Any other word that is shortened.
    Plain,
    /// A word that is left out.
    Small,
}

/// Words in names of streets.
pub(crate) struct StreetWords {
    groups: HashMap<String, Vec<(u16, Sort)>>,
}

impl StreetWords {
    /// Groups of words with the same meaning that a folded word is in.
    pub(crate) fn groups(&self, word: &str) -> &[(u16, Sort)] {
        self.groups.get(word).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn is(&self, word: &str, sort: Sort) -> bool {
        self.groups(word).iter().any(|group| group.1 == sort)
    }
}

pub(crate) static STREET_WORDS: LazyLock<StreetWords> = LazyLock::new(|| {
    let mut words = StreetWords { groups: HashMap::new() };
    for (at, line) in (0_u16..).zip(lines(include_str!("words/streets.txt"))) {
        let mut items = line.split_whitespace();
        let sort = match items.next() {
            Some("kind") => Sort::Kind,
            Some("side") => Sort::Side,
            Some("small") => Sort::Small,
            _ => Sort::Plain,
        };
        for word in items.map(names::letters) {
            words.groups.entry(word).or_default().push((at, sort));
        }
    }
    words
});

/// Words around the part of a house that an address names.
pub(crate) struct UnitWords {
    /// Before or after the number of an apartment.
    pub(crate) unit: HashSet<String>,
    /// Before or after the number of a floor, staircase or part of a building.
    pub(crate) floor: HashSet<String>,
    /// Parts of a house without a number.
    pub(crate) alone: HashSet<String>,
    /// Before the number of a box for mail.
    pub(crate) mailbox: HashSet<String>,
}

pub(crate) static UNIT_WORDS: LazyLock<UnitWords> = LazyLock::new(|| {
    let text = include_str!("words/units.txt");
    UnitWords {
        unit: list(text, "unit"),
        floor: list(text, "floor"),
        alone: list(text, "alone"),
        mailbox: list(text, "box"),
    }
});

/// Words beside the names of towns.
pub(crate) struct TownWords {
    /// Before or behind the name of a town, district or state.
    pub(crate) before: HashSet<String>,
    /// Before the name of a town or village.
    pub(crate) settlement: HashSet<String>,
}

pub(crate) static TOWN_WORDS: LazyLock<TownWords> = LazyLock::new(|| {
    let text = include_str!("words/towns.txt");
    let settlement = list(text, "settlement");
    TownWords { before: list(text, "before").union(&settlement).cloned().collect(), settlement }
});

/// The folded words of the lines that begin with a name.
fn list(text: &str, name: &str) -> HashSet<String> {
    let found = lines(text).filter_map(|line| line.split_once(' ')).filter(|(sort, _)| *sort == name);
    found.flat_map(|line| line.1.split_whitespace().map(names::letters)).collect()
}

/// Lines without comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_are_known_by_name_in_several_languages_and_by_place() {
        for name in ["deutschland", "germany", "allemagne", "germaniia", "de"] {
            assert!(COUNTRIES.named(name).any(|country| country.code == "de"), "{name}");
        }
        let codes = |at| {
            let all = ["de", "fr", "fi", "li", "us"].map(|code| COUNTRIES.with_code(code).unwrap());
            all.into_iter().filter(|c| c.may_contain(at)).map(|c| c.code.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(codes([24.9, 60.2]), ["fi"]);
        assert_eq!(codes([-77.6, 38.9]), ["us"]);
    }

    #[test]
    fn states_are_known_by_code_and_name() {
        for key in ["va", "virginia"] {
            assert!(STATES.named(key).any(|state| state.country == "us" && state.code.as_deref() == Some("va")));
        }
        assert!(STATES.named("clare").any(|state| state.country == "ie" && state.code.is_none()));
    }
}
