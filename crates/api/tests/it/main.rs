//! The contract, clause by clause, against the router over a real store.
//!
//! [`harness::Service`] has its own store, a clock that stands still, and two organizations.

#![cfg(test)]

mod harness;
#[path = "../../../fetch/tests/it/picture_server.rs"]
mod picture_server;
mod stalls;
mod text_fields;

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
