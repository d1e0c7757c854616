//! Looks up addresses as people type them, from a table of cases: each is mapped as a small building among decoys (another number in
//! the street, the same street and number in another town) and must be found, or be refused, but never yield another house.
//!
//! `AERIE_ADDRESS_CASES` names the table: tab-separated, with a header of `country` (ISO 3166-1), `typed`, then how a map has the house,
//! `number`, `unit`, `street`, `postcode`, `town`, `state`, and `aside`: cases with 1 there are counted apart, and are not printed when they
//! are missed. The tests of other geocoders are a source of such cases.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;

use aerie_geocode::geocode;

use crate::fixtures::import;

/// A typed address, and the house that it means.
struct Case {
    country: String,
    typed: String,
    house: House,
    is_aside: bool,
}

/// A house as a map has it.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct House {
    pub(crate) country: String,
    pub(crate) number: String,
    pub(crate) unit: String,
    pub(crate) street: String,
    pub(crate) postcode: String,
    pub(crate) town: String,
    pub(crate) state: String,
}

fn cases(table: &str) -> Vec<Case> {
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().expect("a header").split('\t').collect();
    let read = |line: &str| {
        let cells: HashMap<&str, &str> = header.iter().copied().zip(line.split('\t')).collect();
        let cell = |name: &str| cells.get(name).map_or("", |text| text.trim()).to_owned();
        let house = House {
            country: cell("country").to_uppercase(),
            number: cell("number"),
            unit: cell("unit"),
            street: cell("street"),
            postcode: cell("postcode"),
            town: cell("town"),
            state: cell("state"),
        };
        Case { country: house.country.clone(), typed: cell("typed"), house, is_aside: cell("aside") == "1" }
    };
    lines.filter(|line| !line.trim().is_empty()).map(read).collect()
}

/// A longitude and latitude in each country, around which its houses stand.
fn middles() -> HashMap<String, [f64; 2]> {
    let list = include_str!("../../src/words/countries.txt");
    let middle = |line: &str| {
        let (code, rest) = line.split_once(": ")?;
        let first = rest.split_once('|')?.1.split(',').next()?;
        let bounds: Vec<f64> = first.split_whitespace().filter_map(|degrees| degrees.parse().ok()).collect();
        let [west, south, east, north] = bounds[..] else { return None };
        Some((code.to_owned(), [(west + east) / 2.0, (south + north) / 2.0]))
    };
    list.lines().filter_map(middle).collect()
}

/// Writes a map with all houses and the decoys of each; returns where each house stands, by its id.
fn map_of(houses: &BTreeSet<House>) -> (String, HashMap<i64, House>) {
    let middles = middles();
    let mut towns: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for house in houses {
        towns.entry(&house.country).or_default().insert(&house.town);
    }
    // Where two cases mean the same house, the map has what both know of it.
    let is_less = |a: &House, b: &House| {
        let parts = |h: &House| [h.postcode.clone(), h.town.clone(), h.state.clone()];
        let fits = parts(a).iter().zip(&parts(b)).all(|(a, b)| a.is_empty() || a == b);
        a != b && fits && (&a.country, &a.number, &a.street, &a.unit) == (&b.country, &b.number, &b.street, &b.unit)
    };
    let mut by_street: HashMap<&str, Vec<&House>> = HashMap::new();
    for house in houses {
        by_street.entry(&house.street).or_default().push(house);
    }
    let known = |house: &&House| !by_street[house.street.as_str()].iter().any(|other| is_less(house, other));
    let houses: BTreeSet<House> = houses.iter().filter(known).cloned().collect();
    let mut all: BTreeSet<House> = houses.clone();
    for house in &houses {
        let digits: String = house.number.chars().take_while(char::is_ascii_digit).collect();
        let next = digits.parse::<u32>().map_or_else(|_| "7".to_owned(), |n| (n + 2).to_string());
        all.insert(House { number: next, unit: String::new(), ..house.clone() });
        let other = towns[house.country.as_str()].iter().find(|town| **town != house.town && !town.is_empty());
        if let Some(town) = other.or(Some(&"Anderswo")) {
            let (town, postcode) = ((*town).to_owned(), String::new());
            all.insert(House { town, postcode, ..house.clone() });
        }
    }
    let mut count: HashMap<&str, usize> = HashMap::new();
    let placed = all.iter().map(|house| {
        let n = count.entry(&house.country).or_default();
        let [lon, lat] = middles.get(&house.country).copied().unwrap_or([0.0, 0.0]);
        let at = [lon - 0.6 + 0.012 * (*n % 100) as f64, lat - 0.3 + 0.006 * (*n / 100) as f64];
        *n += 1;
        (house.clone(), at)
    });
    let placed: Vec<(House, [f64; 2])> = placed.collect();
    (written(&placed), (1_i64..).zip(all).collect())
}

/// A map of small buildings at these longitudes and latitudes, with ids in order from 1.
pub(crate) fn written(houses: &[(House, [f64; 2])]) -> String {
    let mut xml = String::from("<osm version=\"0.6\">\n");
    for (id, (_, [lon, lat])) in (1_i64..).zip(houses) {
        for (corner, (dx, dy)) in (0_i64..).zip([(0.0, 0.0), (1e-4, 0.0), (1e-4, 1e-4), (0.0, 1e-4)]) {
            let node = id * 4 + corner;
            writeln!(xml, "<node id=\"{node}\" version=\"1\" lat=\"{:.7}\" lon=\"{:.7}\"/>", lat + dy, lon + dx)
                .unwrap();
        }
    }
    for (id, (house, _)) in (1_i64..).zip(houses) {
        writeln!(xml, "<way id=\"{id}\" version=\"1\">").unwrap();
        for corner in [0, 1, 2, 3, 0] {
            writeln!(xml, "<nd ref=\"{}\"/>", id * 4 + corner).unwrap();
        }
        let tags = [
            ("building", "house"),
            ("addr:housenumber", &house.number),
            ("addr:street", &house.street),
            ("addr:postcode", &house.postcode),
            ("addr:city", &house.town),
            ("addr:state", &house.state),
            ("addr:unit", &house.unit),
        ];
        for (key, value) in tags.iter().filter(|(_, value)| !value.is_empty()) {
            let value = value.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
            writeln!(xml, "<tag k=\"{key}\" v=\"{value}\"/>").unwrap();
        }
        xml.push_str("</way>\n");
    }
    xml.push_str("</osm>\n");
    xml
}

#[derive(Default, Clone, Copy)]
struct Count {
    right: usize,
    refused: usize,
    wrong: usize,
}

/// Looks up all cases of the table and prints a row for each country; fails on one wrong house.
pub(crate) fn look_up_table() {
    let table = std::env::var("AERIE_ADDRESS_CASES").expect("AERIE_ADDRESS_CASES names a table");
    let cases = cases(&fs::read_to_string(&table).expect("the table is read"));
    let (xml, places) = map_of(&cases.iter().map(|case| case.house.clone()).collect());
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("houses.osm");
    fs::write(&map, xml).unwrap();
    let data = folder.path().join("data");
    import(&data, &[map]).expect("the map is imported");
    let pack = aerie_sample_town::open(&data).unwrap();

    let mut counts: BTreeMap<(bool, String), Count> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in &cases {
        let outcome = geocode(&pack, &case.typed);
        for name in [case.country.clone(), "all".to_owned()] {
            let count = counts.entry((case.is_aside, name)).or_default();
            match &outcome {
                Ok(found) if is_meant(&places[&id_of(&found.address_id)], &case.house) => count.right += 1,
                Ok(_) => count.wrong += 1,
                Err(_) => count.refused += 1,
            }
        }
        match outcome {
            Ok(found) if !is_meant(&places[&id_of(&found.address_id)], &case.house) => {
                wrong.push(format!("{} ({}): {:?}", case.typed, case.country, places[&id_of(&found.address_id)]));
            }
            Err(e) if !case.is_aside => eprintln!("missed, {}: {} | {:?} | {e}", case.country, case.typed, case.house),
            _ => {}
        }
    }
    for is_aside in [false, true] {
        eprintln!("{:<8} {:>7} {:>7} {:>7}", if is_aside { "aside" } else { "tuned on" }, "right", "refused", "wrong");
        let mut rows: Vec<_> = counts.iter().filter(|((aside, _), _)| *aside == is_aside).collect();
        rows.sort_by_key(|(_, c)| std::cmp::Reverse(c.right + c.refused + c.wrong));
        for ((_, country), c) in rows {
            let share = 100.0 * c.right as f64 / (c.right + c.refused + c.wrong) as f64;
            eprintln!("{country:<8} {:>7} {:>7} {:>7}  {share:.1} %", c.right, c.refused, c.wrong);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn id_of(id: &str) -> i64 {
    id.rsplit('/').next().and_then(|n| n.parse().ok()).unwrap_or_default()
}

/// Whether a house is the one that is meant: the same, but for a postcode or state that only one of two cases names.
fn is_meant(found: &House, meant: &House) -> bool {
    let fold = |text: &str| text.to_lowercase().replace(' ', "");
    let same = |a: &str, b: &str| a.is_empty() || b.is_empty() || fold(a) == fold(b);
    fold(&found.number) == fold(&meant.number)
        && fold(&found.street) == fold(&meant.street)
        && same(&found.town, &meant.town)
        && same(&found.postcode, &meant.postcode)
        && same(&found.unit, &meant.unit)
}
