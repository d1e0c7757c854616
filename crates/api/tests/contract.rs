//! The contract, clause by clause, against the router over a real store.
//!
//! [`harness::Service`] has its own store, a clock that stands still, and two organizations.

#![cfg(test)]

#[path = "contract/harness.rs"]
mod harness;
#[path = "../../fetch/tests/support/picture_server.rs"]
mod picture_server;
#[path = "contract/stalls.rs"]
mod stalls;
#[path = "support/text_fields.rs"]
mod text_fields;

#[path = "contract/addresses.rs"]
mod addresses;
#[path = "contract/archives.rs"]
mod archives;
#[path = "contract/browser.rs"]
mod browser;
#[path = "contract/console.rs"]
mod console;
#[path = "contract/control_characters.rs"]
mod control_characters;
#[path = "contract/envelope.rs"]
mod envelope;
#[path = "contract/events.rs"]
mod events;
#[path = "contract/hostile_urls.rs"]
mod hostile_urls;
#[path = "contract/isolation.rs"]
mod isolation;
#[path = "contract/jobs.rs"]
mod jobs;
#[path = "contract/kinds.rs"]
mod kinds;
#[path = "contract/listings.rs"]
mod listings;
#[path = "contract/markup.rs"]
mod markup;
#[path = "contract/media.rs"]
mod media;
#[path = "contract/operations.rs"]
mod operations;
#[path = "contract/operator.rs"]
mod operator;
#[path = "contract/order.rs"]
mod order;
#[path = "contract/pictures.rs"]
mod pictures;
#[path = "contract/previews.rs"]
mod previews;
#[path = "contract/schema.rs"]
mod schema;
#[path = "contract/served.rs"]
mod served;
#[path = "contract/sharing.rs"]
mod sharing;
#[path = "contract/slow_clients.rs"]
mod slow_clients;
#[path = "contract/static_files.rs"]
mod static_files;
#[path = "contract/submit.rs"]
mod submit;
#[path = "contract/tenancy.rs"]
mod tenancy;
#[path = "contract/transport.rs"]
mod transport;
#[path = "contract/truth_pages.rs"]
mod truth_pages;
#[path = "contract/uploads.rs"]
mod uploads;
#[path = "contract/usage.rs"]
mod usage;
#[path = "contract/webhooks.rs"]
mod webhooks;
