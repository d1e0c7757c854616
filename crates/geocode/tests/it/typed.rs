//! Addresses of small invented towns, as people type them: apartments, parts of numbers, states, shortened streets.

use std::fs;

use aerie_geocode::{GeocodeError, geocode};
use aerie_geodata::Pack;

use crate::fixtures::import;
use crate::peers::{House, written};

/// Houses of a street, side by side 40 m apart: number and apartment.
fn street(name: &str, town: [&str; 3], [lon, lat]: [f64; 2], houses: &[(&str, &str)]) -> Vec<(House, [f64; 2])> {
    let [postcode, town, state] = town.map(str::to_owned);
    let house = |(at, (number, unit)): (usize, &(&str, &str))| {
        let house = House {
            number: (*number).to_owned(),
            unit: (*unit).to_owned(),
            street: name.to_owned(),
            postcode: postcode.clone(),
            town: town.clone(),
            state: state.clone(),
            country: String::new(),
        };
        (house, [lon + 5e-4 * at as f64, lat])
    };
    houses.iter().enumerate().map(house).collect()
}

/// Invented towns in Virginia, France, Poland, Russia, Japan and Brazil.
fn towns() -> (tempfile::TempDir, Pack, Vec<House>) {
    let [ash, ash_again] = [["22998", "Ashbrook", "VA"], ["21998", "Ashbrook", "MD"]];
    let houses = [
        street(
            "Quarry View Terrace",
            ash,
            [-77.6, 38.9],
            &[("118", "1"), ("118", "2"), ("118", "3"), ("118", "4"), ("140", "")],
        ),
        street("Fern Court", ash, [-77.6, 38.91], &[("12", ""), ("12 1/2", ""), ("14", "")]),
        street("82nd Street", ash, [-77.6, 38.92], &[("24-40", ""), ("24-44", ""), ("60-62", "")]),
        street("Main Street", ash, [-77.6, 38.94], &[("1", ""), ("76", ""), ("74-76", "")]),
        street("Main", ash, [-77.6, 38.95], &[("1", "")]),
        street("緑川町", ["", "架空市青空区", ""], [135.5, 34.7], &[("1", ""), ("1-3", ""), ("48-2", "")]),
        street("桜木町二丁目", ["", "架空市青空区", ""], [135.5, 34.71], &[("8-1", ""), ("5", "")]),
        street("West Harbor Boulevard", ash, [-77.6, 38.93], &[("7", ""), ("9", "")]),
        street("Fern Court", ash_again, [-76.6, 39.4], &[("14", "")]),
        street(
            "Rue des Aulnes",
            ["18998", "Bois-Clair", ""],
            [2.2, 46.8],
            &[("9", ""), ("9 bis", ""), ("9 ter", ""), ("11bis", "")],
        ),
        street("Avenue du Général Morel", ["18998", "Bois-Clair", ""], [2.2, 46.81], &[("3", "")]),
        street("Szeroka", ["99-998", "Nowa Sosna", ""], [19.4, 52.2], &[("10", ""), ("12", ""), ("14/16", "")]),
        street("Wąska", ["99-998", "Nowa Sosna", ""], [19.4, 52.21], &[("12/5", ""), ("12", "")]),
        street("улица Сосновая", ["199998", "Ольховка", ""], [37.6, 55.7], &[("10", ""), ("10 с2", ""), ("10 к2", "")]),
        street(
            "Avenida das Palmeiras",
            ["01999-000", "Vila Serena", "SP"],
            [-46.6, -23.5],
            &[("120", ""), ("122", "")],
        ),
    ];
    let houses = houses.concat();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("towns.osm");
    fs::write(&file, written(&houses)).unwrap();
    let data = folder.path().join("data");
    import(&data, &[file]).expect("the map is imported");
    let pack = aerie_sample_town::open(&data).unwrap();
    (folder, pack, houses.into_iter().map(|house| house.0).collect())
}

#[test]
fn typed_addresses_yield_the_house_that_they_name() {
    let (_folder, pack, houses) = towns();
    for (typed, number, unit) in [
        ("118 Quarry View Terrace Unit 4, Ashbrook", "118", "4"),
        ("118 Quarry View Ter #3, Ashbrook, VA 22998", "118", "3"),
        ("Apt 2, 118 Quarry View Terrace, Ashbrook VA", "118", "2"),
        ("140 Quarry View Terrace Unit 9, Ashbrook", "140", ""),
        ("140 Quarry View Terrace Apt403, Ashbrook", "140", ""),
        ("140 Quarry View Terrace, Sixth Floor, Ashbrook", "140", ""),
        ("12A/74-76 Main Street, Ashbrook VA", "74-76", ""),
        ("緑川町１の３", "1-3", ""),
        ("架空市青空区緑川町48番地の2", "48-2", ""),
        ("青空区緑川町1", "1", ""),
        ("架空市青空区桜木町2-8-1", "8-1", ""),
        ("青空区桜木町2丁目8番1号", "8-1", ""),
        ("桜木町2-5", "5", ""),
        ("12½ Fern Ct, Ashbrook", "12 1/2", ""),
        ("12 1/2 Fern Court, Ashbrook", "12 1/2", ""),
        ("14 Fern Court, Ashbrook, VA 22998-1234", "14", ""),
        ("14 Fern Court, Ashbrook, Virginia", "14", ""),
        ("24-40 82nd St, Ashbrook", "24-40", ""),
        ("24-44 82 Street, Ashbrook, USA", "24-44", ""),
        ("7 W Harbor Blvd, Ashbrook", "7", ""),
        ("Harbor Offices, 7 West Harbor Boulevard, 2nd Floor, Ashbrook, VA", "7", ""),
        ("9 bis Rue des Aulnes, 18998 Bois-Clair", "9 bis", ""),
        ("9ter rue des aulnes 18998 Bois Clair France", "9 ter", ""),
        ("11 bis, rue des Aulnes, F-18998 Bois-Clair", "11bis", ""),
        ("3 av. du Gal Morel, BP 12, 18998 Bois-Clair", "3", ""),
        ("Szeroka 12/5, 99-998 Nowa Sosna", "12", ""),
        ("ul. Szeroka 12, Nowa Sosna", "12", ""),
        ("Szeroka 12 m. 5, 99-998 Nowa Sosna", "12", ""),
        ("Szeroka 14/16 m. 2, Nowa Sosna", "14/16", ""),
        ("ul. Wąska 12/5, Nowa Sosna", "12/5", ""),
        ("ул. Сосновая, д. 10 стр. 2, Ольховка", "10 с2", ""),
        ("Сосновая улица 10к2, г. Ольховка", "10 к2", ""),
        ("Avda. Palmeiras, 120, ap. 31 - Jardim Azul, Vila Serena - SP, 01999-000, Brasil", "120", ""),
    ] {
        let found = geocode(&pack, typed).unwrap_or_else(|e| panic!("{typed}: {e}"));
        let id: usize = found.address_id.trim_start_matches("way/").parse().unwrap();
        let house = &houses[id - 1];
        assert_eq!((house.number.as_str(), house.unit.as_str()), (number, unit), "{typed}: {}", found.matched);
    }
    let unmapped = geocode(&pack, "140 Quarry View Terrace Unit 9, Ashbrook").unwrap();
    assert!(unmapped.matched.contains("unit 9 is not on the map"), "{}", unmapped.matched);
    let left_out = geocode(&pack, "Harbor Offices, 7 West Harbor Boulevard, Ashbrook").unwrap();
    assert!(left_out.matched.contains("left out \"Harbor Offices\""), "{}", left_out.matched);
}

#[test]
fn a_name_that_holds_another_is_the_longer_one() {
    let (_folder, pack, _) = towns();
    assert_eq!(geocode(&pack, "1 Main St, Ashbrook, VA").expect("a house").street, "Main Street");
    assert_eq!(geocode(&pack, "1 Main, Ashbrook, VA").expect("a house").street, "Main");
}

#[test]
fn what_contradicts_the_map_is_refused() {
    let (_folder, pack, _) = towns();
    for typed in [
        "118 Quarry View Terrace Unit 9, Ashbrook",
        "14 Fern Court, Ashbrook, PA",
        "140 Quarry View Terrace, Ashbrook MD",
        "14 Fern Court, Ashbrook, MD 22998",
        "14 Fern Court, Ashbrook, VA 22997",
        "14 Fern Court, Ashbrook, Virginai",
        "7 East Harbor Boulevard, Ashbrook",
        "30 82nd Street, Ashbrook",
        "62 82nd Street, Ashbrook",
        "9 quater Rue des Aulnes, Bois-Clair",
        "11 Rue des Aulnes, Bois-Clair",
        "9 bis Rue des Aulnes, Ashbrook",
        "Szeroka 5/12, Nowa Sosna",
        "улица Сосновая 10 с3, Ольховка",
        "120 Avenida das Palmeiras, Vila Serena - RJ",
        "Szeroka 13, Floor 12, Nowa Sosna",
    ] {
        let outcome = geocode(&pack, typed);
        assert!(outcome.is_err(), "{typed}: {}", outcome.unwrap().matched);
    }
    let unknown = geocode(&pack, "118 Quarry View Terrace Unit 9, Ashbrook");
    let Err(GeocodeError::UnknownUnit { candidates, .. }) = unknown else { panic!("{unknown:?}") };
    assert_eq!(candidates, ["1", "2", "3", "4"]);
}

#[test]
fn an_address_that_fits_several_houses_lists_all_of_them() {
    let (_folder, pack, _) = towns();
    let listed = |typed: &str| match geocode(&pack, typed) {
        Err(GeocodeError::Ambiguous { candidates }) => candidates,
        other => panic!("{typed}: {other:?}"),
    };
    let apartments = listed("118 Quarry View Terrace, Ashbrook");
    assert_eq!(apartments.len(), 4);
    // Each can be asked for as it is listed.
    for house in &apartments {
        assert_eq!(geocode(&pack, &house.matched).unwrap().address_id, house.address_id, "{}", house.matched);
    }
    assert_eq!(listed("14 Fern Court, Ashbrook").len(), 2);
}
