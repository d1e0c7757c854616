//! Rates over four real extracts, and over the whole sample town: `make measure`. The tests have a small case of each on the sample town.

use std::collections::BTreeMap;

use crate::geocoding::{
    assert_addresses_resolve, assert_made_up_numbers_do_not_resolve, assert_neighbors_do_not_resolve,
};
use crate::perturbed::{assert_found, how_many, look_up_perturbed, look_up_unmapped_streets};
use crate::{fixtures, peers, suggestions};

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn ninety_nine_of_a_hundred_real_addresses_resolve_to_their_own_point_or_are_listed() {
    for extract in aerie_test_data::EXTRACTS {
        assert_addresses_resolve(extract, fixtures::imported(extract));
    }
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn none_of_a_thousand_made_up_house_numbers_resolves() {
    let asked: usize = aerie_test_data::EXTRACTS
        .into_iter()
        .map(|e| assert_made_up_numbers_do_not_resolve(fixtures::imported(e)))
        .sum();
    eprintln!("{asked} made-up house numbers, none resolved");
    assert!(asked >= 1_000);
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn neighbors_of_real_house_numbers_that_are_not_mapped_do_not_resolve() {
    let asked = assert_neighbors_do_not_resolve(fixtures::imported(aerie_test_data::EXTRACTS[1]));
    eprintln!("{asked} numbers next to mapped ones, none resolved");
    assert!(asked > 300, "{asked}");
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn nineteen_of_twenty_perturbed_addresses_are_found_and_never_a_wrong_house() {
    let mut counts = BTreeMap::new();
    for extract in aerie_test_data::EXTRACTS {
        look_up_perturbed(extract, fixtures::imported(extract), &mut counts);
    }
    assert_found(&counts);
}

#[test]
#[ignore = "needs AERIE_ADDRESS_CASES"]
fn typed_addresses_of_a_table_are_found_and_never_yield_another_house() {
    peers::look_up_table();
}

/// Addresses that are not on the map must not resolve to ones that are: each street is removed from the map in turn.
#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn a_street_that_is_not_mapped_is_not_taken_for_another() {
    let streets = how_many().div_ceil(3);
    let extracts = aerie_test_data::EXTRACTS.into_iter();
    let asked: usize = extracts.map(|e| look_up_unmapped_streets(fixtures::imported(e), streets)).sum();
    assert!(asked > 500, "{asked}");
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn every_suggested_address_of_real_extracts_resolves_to_its_place() {
    for extract in aerie_test_data::EXTRACTS {
        suggestions::check(aerie_sample_town::open(fixtures::imported(extract)).unwrap(), extract);
    }
}

#[test]
fn a_street_taken_off_the_sample_town_is_not_taken_for_another() {
    let asked = look_up_unmapped_streets(fixtures::sample_town(), how_many().div_ceil(3));
    assert!(asked > 300, "{asked}");
}
