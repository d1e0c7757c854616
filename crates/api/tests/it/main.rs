//! The contract, clause by clause, against the router over a real store.
//!
//! [`harness::Service`] has its own store, a clock that stands still, and two organizations.

#![cfg(test)]

mod harness;
mod stalls;

mod addresses;
mod archives;
mod browser;
mod console;
mod control_characters;
mod envelope;
mod events;
mod hostile_urls;
mod isolation;
mod jobs;
mod kinds;
mod listings;
mod markup;
mod media;
mod operations;
mod operator;
mod order;
mod pictures;
mod previews;
mod schema;
mod served;
mod sharing;
mod slow_clients;
mod static_files;
mod submit;
mod tenancy;
mod transport;
mod truth_pages;
mod uploads;
mod usage;
mod webhooks;
