//! Finds the one house that an address names.
//!
//! [`geocode`] searches a region pack, [`locate`] also asks the online geocoders that the configuration names and fetches the map
//! around what they find. Nothing coarser than a house number is ever returned. [`suggest`] completes an address while it is typed.

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
