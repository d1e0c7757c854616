//! HTTP: the contract's envelope, its checks in their order, and the media.
mod auth;
mod context;
mod endpoints;
mod envelope;
mod error;
mod extract;
mod job_view;
mod openapi;
mod pictures;
mod protect;
mod router;
mod state;
mod submit;
mod transport;

pub use openapi::openapi;
pub use router::router;
pub use state::{ApiState, Environment};
pub use transport::{ConnectionLimits, Tls, TlsError, Transport, TrustedProxies, serve};
