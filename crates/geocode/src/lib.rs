//! Finds the one house that an address names.
//!
//! [`geocode`] searches a region pack, [`locate`] also asks the online geocoders that the configuration names and fetches the map
//! around what they find. Nothing coarser than a house number is ever returned. [`suggest`] completes an address while it is typed.
//!
//! # Invariants
//!
//! - Never the wrong house: an address resolves to a mapped house number or not at all. Tests:
//!   `a_geocoder_never_gives_another_house_nor_anything_coarser`, `none_of_a_thousand_made_up_house_numbers_resolves`,
//!   `neighbors_of_real_house_numbers_that_are_not_mapped_do_not_resolve`,
//!   `ninety_nine_of_a_hundred_real_addresses_resolve_to_their_own_point_or_are_listed`,
//!   `nineteen_of_twenty_perturbed_addresses_are_found_and_never_a_wrong_house`,
//!   `a_street_that_is_not_mapped_is_not_taken_for_another`.
//! - A suggested address resolves to the house that it was suggested for; its identifier is added where the text is ambiguous. Tests:
//!   `every_address_suggested_in_the_sample_town_resolves_to_its_place`,
//!   `every_suggested_address_of_real_extracts_resolves_to_its_place`.

mod account;
mod coordinates;
mod direct;
mod error;
mod fuzzy;
mod house;
mod locate;
mod near;
mod nominatim;
mod numbers;
mod query;
mod reading;
mod rest;
mod rows;
mod search;
mod spellings;
mod street_names;
mod suggest;
mod text;
mod towns;
mod units;
mod words;

pub use error::GeocodeError;
pub use locate::{FetchMap, Located, locate};
pub use search::geocode;
pub use suggest::{Suggestion, SuggestionKind, suggest};
