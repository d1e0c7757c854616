//! Addresses, places and suggestions.

#![cfg(test)]

mod fixtures;
mod geocoding;
mod measurements;
mod online_imagery;
mod peers;
mod perturbations;
mod perturbed;
mod places;
mod sample_town;
mod services;
mod suggestions;
mod typed;
