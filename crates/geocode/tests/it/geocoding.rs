//! Looks up addresses of four real extracts and of the sample town in many spellings, and made-up ones, which must not
//! be found.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use aerie_geocode::{GeocodeError, geocode};

use crate::fixtures;

/// The database of the imported map, or of the sample town.
fn database(data: &Path) -> PathBuf {
    let [imported, sample] = ["pack", "sample"].map(|folder| data.join(folder).join("region.gpkg"));
    if imported.exists() { imported } else { sample }
}

/// Distinct full addresses of a pack, each with its points.
fn full_addresses(data: &Path) -> BTreeMap<String, Vec<[f64; 2]>> {
    let db = rusqlite::Connection::open(database(data)).unwrap();
    let mut statement = db
        .prepare(
            "SELECT coalesce(a.street, a.place), a.housenumber, a.postcode, a.city, r.minx, r.miny
             FROM addresses a JOIN rtree_addresses_geom r ON r.id = a.fid WHERE coalesce(a.street, a.place) IS NOT NULL",
        )
        .unwrap();
    let mut out: BTreeMap<String, Vec<[f64; 2]>> = BTreeMap::new();
    let mut rows = statement.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let (street, number): (String, String) = (row.get(0).unwrap(), row.get(1).unwrap());
        let (postcode, city): (Option<String>, Option<String>) = (row.get(2).unwrap(), row.get(3).unwrap());
        let town = [postcode, city].into_iter().flatten().collect::<Vec<_>>().join(" ");
        let address = if town.is_empty() { format!("{street} {number}") } else { format!("{street} {number}, {town}") };
        out.entry(address).or_default().push([row.get(4).unwrap(), row.get(5).unwrap()]);
    }
    out
}

fn meters(a: [f64; 2], lat: f64, lon: f64) -> f64 {
    ((a[1] - lat) * 111_200.0).hypot((a[0] - lon) * 111_300.0 * lat.to_radians().cos())
}

/// At least 99 % of all addresses of a data folder resolve to their own point or are listed as ambiguous.
pub(crate) fn assert_addresses_resolve(name: &str, data: &Path) {
    let pack = aerie_sample_town::open(data).unwrap();
    let all = full_addresses(data);
    let (mut found, mut listed, mut wrong) = (0, 0, Vec::new());
    for (address, points) in &all {
        let own = |lat: f64, lon: f64| points.iter().any(|p| meters(*p, lat, lon) <= 30.0);
        match geocode(&pack, address) {
            Ok(m) if own(m.lat, m.lon) => found += 1,
            Err(GeocodeError::Ambiguous { candidates }) if candidates.iter().any(|m| own(m.lat, m.lon)) => listed += 1,
            other => wrong.push(format!("{address}: {:?}", other.map(|m| m.matched).map_err(|e| e.to_string()))),
        }
    }
    let share = f64::from(found + listed) / all.len() as f64;
    eprintln!(
        "{name}: {} addresses, {found} found, {listed} listed as ambiguous, {} not: {:.2} %",
        all.len(),
        wrong.len(),
        share * 100.0
    );
    assert!(all.len() >= 3, "{name} holds addresses");
    assert!(share >= 0.99, "{name}: {wrong:#?}");
    assert!(f64::from(found) / all.len() as f64 > 0.9, "{name}: most addresses name one house");
}

#[test]
fn ninety_nine_of_a_hundred_sample_addresses_resolve_to_their_own_point_or_are_listed() {
    assert_addresses_resolve("sample town", fixtures::sample_town());
}

/// House numbers that no street has do not resolve; returns how many were looked up.
pub(crate) fn assert_made_up_numbers_do_not_resolve(data: &Path) -> usize {
    let pack = aerie_sample_town::open(data).unwrap();
    let all = full_addresses(data);
    // Streets with their towns.
    let mut streets: BTreeSet<(String, String)> = BTreeSet::new();
    for address in all.keys() {
        let (line, town) = address.split_once(", ").unwrap_or((address, ""));
        let Some((street, _)) = line.rsplit_once(' ') else { continue };
        streets.insert((street.to_owned(), town.to_owned()));
    }
    let mut asked = 0;
    for (street, town) in streets {
        for number in ["0", "997", "12345x", "403z", "88888", "1-2-3"] {
            let address = format!("{street} {number}, {town}");
            asked += 1;
            let result = geocode(&pack, &address);
            assert!(result.is_err(), "{address} resolved to {:?}", result.map(|m| m.matched));
        }
    }
    asked
}

#[test]
fn no_made_up_house_number_of_the_sample_town_resolves() {
    let asked = assert_made_up_numbers_do_not_resolve(fixtures::sample_town());
    assert!(asked >= 60, "{asked}");
}

/// Numbers next to mapped ones that are not mapped do not resolve; returns how many were looked up.
pub(crate) fn assert_neighbors_do_not_resolve(data: &Path) -> usize {
    let pack = aerie_sample_town::open(data).unwrap();
    let all = full_addresses(data);
    let mut asked = 0;
    for address in all.keys() {
        let (line, town) = address.split_once(", ").unwrap_or((address, ""));
        let Some((street, number)) = line.rsplit_once(' ') else { continue };
        let Ok(n) = number.parse::<u32>() else { continue };
        for other in [format!("{}", n + 1), format!("{}", n + 2), format!("{n}q"), format!("{n}/7")] {
            let ranged = all.keys().any(|a| a.starts_with(street) && a.contains(['-', ';']));
            if all.contains_key(&format!("{street} {other}, {town}")) || ranged {
                continue;
            }
            asked += 1;
            let result = geocode(&pack, &format!("{street} {other}, {town}"));
            assert!(
                matches!(result, Err(GeocodeError::UnknownHouseNumber { .. })),
                "{street} {other}, {town}: {result:?}"
            );
        }
    }
    asked
}

#[test]
fn neighbors_of_sample_house_numbers_that_are_not_mapped_do_not_resolve() {
    let asked = assert_neighbors_do_not_resolve(fixtures::sample_town());
    assert!(asked > 300, "{asked}");
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn the_same_house_is_found_in_every_spelling() {
    let pack = aerie_sample_town::open(fixtures::imported(aerie_test_data::EXTRACTS[0])).unwrap();
    for (spellings, want) in [
        (
            &[
                "Dorfstrasse 24, 9495 Triesen",
                "9495 Triesen, Dorfstrasse 24",
                "24 Dorfstrasse, Triesen",
                "Triesen Dorfstr. 24",
                "dorfstraße 24 triesen",
                "DORFSTRASSE 24, FL-9495 TRIESEN, LIECHTENSTEIN",
                "Dorf-Strasse Nr. 24, Triesen",
                "Dorfstrasse 24, Treisen",
            ][..],
            [47.1080672, 9.526329],
        ),
        (
            &[
                "Bühelstrasse 19b, Triesenberg",
                "Buehelstrasse 19 B, 9497 Triesenberg",
                "Buhelstr. 19b Triesenberg",
                "Triesenberg, 19b Bühelstr",
                "Bu\u{308}helstrasse 19b, Triesenberg",
                "Bühelstrase 19b, Triesenberg",
                "Bühelstrasse 19b",
            ],
            [47.1195756, 9.5392518],
        ),
        (&["Wiesengass 29, 9494 Schaan", "Wieseng. 29, Schaan", "Wiesengas 29, Schaan"], [47.1638389, 9.5044360]),
    ] {
        for address in spellings {
            let m = geocode(&pack, address).unwrap_or_else(|e| panic!("{address}: {e}"));
            assert!(meters([want[1], want[0]], m.lat, m.lon) < 1.0, "{address} gave {m:?}");
        }
    }
    let corrected = geocode(&pack, "Wangrbergstrasse 33, Triesenberg").unwrap();
    assert!(corrected.matched.contains("read \""), "a corrected name is reported: {}", corrected.matched);
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn an_address_that_contradicts_the_map_says_what_is_wrong() {
    let pack = aerie_sample_town::open(fixtures::imported(aerie_test_data::EXTRACTS[0])).unwrap();
    let says = |address: &str, words: &[&str]| {
        let e = geocode(&pack, address).expect_err(address).to_string();
        assert!(words.iter().all(|w| e.contains(w)), "{address}: {e}");
    };
    says("Dorfstrasse 24, 9490 Vaduz", &["Vaduz", "Dorfstrasse 24, 9495 Triesen"]);
    says("Dorfstrasse 24, 8000 Triesen", &["8000", "9495 Triesen"]);
    says("Wiesengass 2900, Schaan", &["2900", "Wiesengass, Schaan", "nearest numbers"]);
    says("Blumenallee 3, Triesen", &["no street", "Blumenallee"]);
    says("Wiesengass, Schaan", &["no house number"]);
    says("9494", &["names no street"]);
    says("", &["names no street"]);
}

#[test]
fn the_same_sample_house_is_found_in_every_spelling() {
    let pack = aerie_sample_town::open(fixtures::sample_town()).unwrap();
    let want = geocode(&pack, "12 Larkspur Lane, 10001 Featherstone Vale").unwrap();
    for address in [
        "Larkspur Lane 12, 10001 Featherstone Vale",
        "10001 Featherstone Vale, 12 Larkspur Lane",
        "Featherstone Vale Larkspur Ln. 12",
        "12 larkspur ln featherstone vale",
        "12 LARKSPUR LANE, FEATHERSTONE VALE, USA",
        "12 Larkspur-Lane, Featherstone Vale",
        "12 Larkspr Lane, Featherstone Vale",
        "12 Lrakspur Lane, Featherstone Vale",
        "12 Larkspur Lane, Fetherstone Vale",
        "12 Larkspur Lane",
    ] {
        let m = geocode(&pack, address).unwrap_or_else(|e| panic!("{address}: {e}"));
        assert_eq!(m.address_id, want.address_id, "{address} gave {m:?}");
    }
    let corrected = geocode(&pack, "12 Larkspr Lane, Featherstone Vale").unwrap();
    assert!(corrected.matched.contains("read \""), "a corrected name is reported: {}", corrected.matched);
}

#[test]
fn an_address_that_contradicts_the_sample_town_says_what_is_wrong() {
    let pack = aerie_sample_town::open(fixtures::sample_town()).unwrap();
    let says = |address: &str, words: &[&str]| {
        let e = geocode(&pack, address).expect_err(address).to_string();
        assert!(words.iter().all(|w| e.contains(w)), "{address}: {e}");
    };
    says("12 Larkspur Lane, 10001 Springfield", &["Springfield", "12 Larkspur Lane, 10001 Featherstone Vale"]);
    says("12 Larkspur Lane, 90210 Featherstone Vale", &["90210", "10001 Featherstone Vale"]);
    says("2900 Larkspur Lane, Featherstone Vale", &["2900", "Larkspur Lane, Featherstone Vale", "nearest numbers"]);
    says("3 Blumenallee, Featherstone Vale", &["no street", "Blumenallee"]);
    says("Larkspur Lane, Featherstone Vale", &["no house number"]);
    says("10001", &["names no street"]);
    says("", &["names no street"]);
}

#[test]
fn hostile_text_is_refused_without_harm() {
    let pack = aerie_sample_town::open(fixtures::sample_town()).unwrap();
    let long = "Lane 12 ".repeat(5_000);
    let marks = "'; DROP TABLE addresses; --".to_owned();
    for text in [
        long,
        marks,
        "\0\u{202e}🏠 12".to_owned(),
        "1".repeat(400),
        "99999999999999999999 Larkspur Lane".to_owned(),
        "12-".to_owned() + &"9".repeat(30),
    ] {
        assert!(geocode(&pack, &text).is_err());
    }
    assert!(geocode(&pack, "12 Larkspur Lane, Featherstone Vale").is_ok());
}
