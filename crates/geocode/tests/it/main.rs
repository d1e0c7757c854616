//! Addresses, places and suggestions.

#![cfg(test)]

mod fixtures;
mod geocoding;
#[path = "../../../import/tests/it/map.rs"]
#[expect(dead_code, reason = "the tests of imports use the rest")]
mod map;
mod measurements;
mod online_imagery;
mod peers;
mod perturbations;
mod perturbed;
mod places;
mod sample_town;
#[path = "../../../import/tests/it/server.rs"]
mod server;
mod services;
mod suggestions;
#[path = "../../../import/tests/it/test_data.rs"]
mod test_data;
mod typed;
