//! Suggestions while an address is typed, on the sample town and on real extracts. `AERIE_ADDRESSES` sets the number of addresses per
//! extract, or `all`.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use aerie_geocode::{Suggestion, SuggestionKind, locate, suggest};
use aerie_geodata::{Pack, Sources};
use aerie_import::overpass::surroundings;
use aerie_math::Rng;

use crate::fixtures;

fn sample() -> Pack {
    aerie_sample_town::open(fixtures::sample_town()).unwrap()
}

fn texts(suggestions: &[Suggestion]) -> Vec<&str> {
    suggestions.iter().map(|suggestion| suggestion.address.as_str()).collect()
}

#[test]
fn the_beginning_of_a_street_gives_streets_and_a_number_gives_its_houses() {
    let pack = sample();
    let streets = suggest(&pack, "Larks", 10).unwrap();
    assert_eq!(texts(&streets), ["Larkspur Lane, 10001 Featherstone Vale"]);
    let street = &streets[0];
    assert_eq!((street.kind, &street.id), (SuggestionKind::Street, &None));
    let place = (street.locality.as_deref(), street.postcode.as_deref());
    assert_eq!(place, (Some("Featherstone Vale"), Some("10001")));
    for text in [
        "12 Larks",
        "12 Larkspur Lane",
        "Larkspur Ln 12",
        "12 larkspur lane, feath",
        "10001 Featherstone Vale, 12 Larkspur",
    ] {
        let found = suggest(&pack, text, 10).unwrap();
        let best = found.first().unwrap_or_else(|| panic!("{text} gives nothing"));
        assert_eq!(
            (best.address.as_str(), best.kind),
            ("12 Larkspur Lane, 10001 Featherstone Vale", SuggestionKind::Building),
            "{text}"
        );
        assert!(best.id.is_some(), "{text}");
    }
    let begun = suggest(&pack, "Larkspur Lane 1", 20).unwrap();
    assert!(begun.len() > 3, "{:?}", texts(&begun));
    assert!(begun.iter().all(|found| found.address.starts_with('1')), "{:?}", texts(&begun));
    assert!(suggest(&pack, "Larkspur Lane 12", 20).unwrap().iter().all(|found| found.address.starts_with("12 ")));
}

#[test]
fn typos_and_missing_accents_are_tolerated_and_unknown_names_give_nothing() {
    let pack = sample();
    for text in ["Lrakspur", "Larkspr La", "Larkspur Lane, Fetherstone", "12 Larkspxr Lane"] {
        let found = suggest(&pack, text, 10).unwrap();
        assert!(found.first().is_some_and(|best| best.address.contains("Larkspur Lane")), "{text}: {found:?}");
    }
    for text in ["", " ", ",", "Blumenallee", "Blumenallee 3", "zzzz", "99999 Nowhere"] {
        assert_eq!(suggest(&pack, text, 10).unwrap(), [], "{text}");
    }
    let hostile = [
        "Lane 12 ".repeat(5_000),
        "'; DROP TABLE addresses; --".to_owned(),
        "\0\u{202e}🏠 12".to_owned(),
        "1".repeat(400),
    ];
    for text in hostile {
        suggest(&pack, &text, 20).unwrap();
    }
}

#[test]
fn coordinates_and_ids_are_suggested_as_what_is_there() {
    let pack = sample();
    let house = suggest(&pack, "12 Larkspur Lane", 1).unwrap().remove(0);
    let by_id = suggest(&pack, house.id.as_ref().unwrap(), 5).unwrap();
    assert_eq!((by_id.len(), by_id[0].lat, by_id[0].lon), (1, house.lat, house.lon));
    assert_eq!(suggest(&pack, "10.5, 10.5", 5).unwrap(), []);
}

#[test]
fn every_address_suggested_in_the_sample_town_resolves_to_its_place() {
    let pack = sample();
    check(pack, "sample town");
}

fn how_many() -> usize {
    match std::env::var("AERIE_ADDRESSES").as_deref() {
        Ok("all") => usize::MAX,
        Ok(number) => number.parse().expect("AERIE_ADDRESSES is a number or `all`"),
        Err(_) => 200,
    }
}

/// Types addresses of a pack letter by letter; every suggested house must resolve to its place, and each address must be suggested by
/// the time it is typed.
pub(crate) fn check(mut pack: Pack, name: &str) {
    let all: Vec<(String, String, Option<String>, f64, f64)> = pack
        .db()
        .prepare(
            "SELECT street, housenumber, coalesce(city, town), miny, minx FROM addresses JOIN rtree_addresses_geom ON id = fid
             WHERE street IS NOT NULL AND street NOT LIKE '%;%' ORDER BY fid",
        )
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let mut rng = Rng::from_name(name);
    let (mut suggested, mut times, mut missed) = (BTreeSet::new(), Vec::new(), Vec::new());
    let asked = how_many().min(all.len());
    for _ in 0..asked {
        let (street, number, town, lat, lon) = &all[rng.below(all.len())];
        let whole = format!("{street} {number}{}", town.as_ref().map_or(String::new(), |town| format!(", {town}")));
        let letters: Vec<char> = whole.chars().collect();
        for typed in [3, 5, street.chars().count(), street.chars().count() + 2, letters.len()] {
            let text: String = letters.iter().take(typed).collect();
            let started = Instant::now();
            let found = suggest(&pack, &text, 10).unwrap();
            times.push(started.elapsed());
            let is_there = found.iter().any(|house| {
                let dy = (house.lat - lat) * 111_200.0;
                house.id.is_some() && dy.hypot((house.lon - lon) * 111_200.0 * lat.to_radians().cos()) <= 75.0
            });
            if typed == letters.len() && !is_there {
                missed.push(format!("{whole}: {:?}", texts(&found)));
            }
            suggested.extend(found.into_iter().filter_map(|house| {
                let at = (house.lat.to_bits(), house.lon.to_bits());
                house.id.map(|id| (house.address, id, at))
            }));
        }
    }
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    eprintln!(
        "{name}: {asked} addresses, {} requests, p50 {:?}, p95 {:?}, p99 {:?}; {} houses suggested; {} not suggested when typed: {:#?}",
        times.len(),
        at(50),
        at(95),
        at(99),
        suggested.len(),
        missed.len(),
        missed
    );
    assert!(suggested.len() * 2 > asked, "{}", suggested.len());
    for (address, id, at) in suggested {
        for text in [&address, &id] {
            let located =
                locate(pack, &Sources::default(), surroundings, text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((located.found.lat.to_bits(), located.found.lon.to_bits()), at, "{text} of {address}");
            pack = located.pack;
        }
    }
    // Several houses with one address may all be listed, but not more than fit.
    assert!(missed.len() * 50 <= asked, "{missed:#?}");
    assert!(cfg!(debug_assertions) || at(50) < Duration::from_millis(20), "{:?}", at(50));
}
