//! HTTP: the contract's envelope, its checks in their order, and the media.
mod auth;
mod bad_keys;
mod context;
mod endpoints;
mod envelope;
mod error;
mod extract;
mod idempotency;
mod job_view;
mod measuring;
mod openapi;
mod pictures;
mod protect;
mod rate_limit;
mod router;
mod state;
mod submit;
mod transport;

pub use bad_keys::BadKeys;
pub use idempotency::InProgress;
pub use measuring::{DrawnOn, Measuring};
pub use openapi::openapi;
pub use pictures::Fetching;
pub use router::router;
pub use state::{ApiState, Environment};
pub use transport::{ConnectionLimits, Tls, TlsError, Transport, TrustedProxies, serve};
