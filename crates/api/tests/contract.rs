//! The contract, clause by clause, against the router over a real store.
//!
//! [`harness::Service`] holds a store in a folder of its own, a clock that stands still, and two organisations.
#[path = "contract/harness.rs"]
mod harness;

#[path = "contract/envelope.rs"]
mod envelope;
#[path = "contract/jobs.rs"]
mod jobs;
#[path = "contract/media.rs"]
mod media;
#[path = "contract/schema.rs"]
mod schema;
#[path = "contract/submit.rs"]
mod submit;
#[path = "contract/transport.rs"]
mod transport;
#[path = "contract/usage.rs"]
mod usage;
