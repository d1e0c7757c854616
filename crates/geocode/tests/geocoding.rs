//! Addresses of four real extracts, looked up in many spellings; and made-up ones, which must not be found.

#![cfg(test)]

#[path = "../../import/tests/support/test_data.rs"]
#[expect(unreachable_pub, reason = "shared by several test crates")]
mod test_data;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use aerie_geocode::{GeocodeError, geocode};

/// Distinct full addresses of a pack, each with the points that bear it.
fn full_addresses(data: &Path) -> BTreeMap<String, Vec<[f64; 2]>> {
    let db = rusqlite::Connection::open(data.join("pack/region.gpkg")).unwrap();
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

fn opened(extract: &str, data: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    test_data::import(folder.path(), &[data.join("osm").join(extract)]).unwrap();
    folder
}

#[test]
fn ninety_nine_of_a_hundred_real_addresses_resolve_to_their_own_point_or_are_listed() {
    let Some(data) = test_data::folder("geocoding") else { return };
    for extract in test_data::EXTRACTS {
        let folder = opened(extract, &data);
        let pack = aerie_sample_town::open(folder.path()).unwrap();
        let all = full_addresses(folder.path());
        let (mut found, mut listed, mut wrong) = (0, 0, Vec::new());
        for (address, points) in &all {
            let own = |lat: f64, lon: f64| points.iter().any(|p| meters(*p, lat, lon) <= 30.0);
            match geocode(&pack, address) {
                Ok(m) if own(m.lat, m.lon) => found += 1,
                Err(GeocodeError::Ambiguous { candidates }) if candidates.iter().any(|m| own(m.lat, m.lon)) => {
                    listed += 1
                }
                other => wrong.push(format!("{address}: {:?}", other.map(|m| m.matched).map_err(|e| e.to_string()))),
            }
        }
        let share = f64::from(found + listed) / all.len() as f64;
        eprintln!(
            "{extract}: {} addresses, {found} found, {listed} listed as ambiguous, {} not: {:.2} %",
            all.len(),
            wrong.len(),
            share * 100.0
        );
        assert!(all.len() >= 3, "{extract} holds addresses");
        assert!(share >= 0.99, "{extract}: {wrong:#?}");
        assert!(f64::from(found) / all.len() as f64 > 0.9, "{extract}: most addresses name one house");
    }
}

#[test]
fn none_of_a_thousand_made_up_house_numbers_resolves() {
    let Some(data) = test_data::folder("geocoding") else { return };
    let mut asked = 0;
    for extract in test_data::EXTRACTS {
        let folder = opened(extract, &data);
        let pack = aerie_sample_town::open(folder.path()).unwrap();
        let all = full_addresses(folder.path());
        // Streets with their towns, and what each number there is.
        let mut streets: BTreeSet<(String, String)> = BTreeSet::new();
        for address in all.keys() {
            let (line, town) = address.split_once(", ").unwrap_or((address, ""));
            let Some((street, _)) = line.rsplit_once(' ') else { continue };
            streets.insert((street.to_owned(), town.to_owned()));
        }
        for (street, town) in streets {
            for number in ["0", "997", "12345x", "403z", "88888", "1-2-3"] {
                let address = format!("{street} {number}, {town}");
                asked += 1;
                let result = geocode(&pack, &address);
                assert!(result.is_err(), "{address} resolved to {:?}", result.map(|m| m.matched));
            }
        }
    }
    eprintln!("{asked} made-up house numbers, none resolved");
    assert!(asked >= 1_000);
}

#[test]
fn neighbors_of_real_house_numbers_that_are_not_mapped_do_not_resolve() {
    let Some(data) = test_data::folder("geocoding") else { return };
    let folder = opened(test_data::EXTRACTS[1], &data);
    let pack = aerie_sample_town::open(folder.path()).unwrap();
    let all = full_addresses(folder.path());
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
    assert!(asked > 300, "{asked}");
}

#[test]
fn the_same_house_is_found_in_every_spelling() {
    let Some(data) = test_data::folder("geocoding") else { return };
    let folder = opened(test_data::EXTRACTS[0], &data);
    let pack = aerie_sample_town::open(folder.path()).unwrap();
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
    let mended = geocode(&pack, "Wangrbergstrasse 33, Triesenberg").unwrap();
    assert!(mended.matched.contains("read \""), "a mended name is told: {}", mended.matched);
}

#[test]
fn an_address_that_contradicts_the_map_says_what_is_wrong() {
    let Some(data) = test_data::folder("geocoding") else { return };
    let folder = opened(test_data::EXTRACTS[0], &data);
    let pack = aerie_sample_town::open(folder.path()).unwrap();
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
fn hostile_text_is_refused_without_harm() {
    let folder = tempfile::tempdir().unwrap();
    let pack = aerie_sample_town::open(folder.path()).unwrap();
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
