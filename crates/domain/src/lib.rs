//! What the service means, free of HTTP, SQL and media.
pub mod drone_footage;
pub mod failure;

pub use drone_footage::{Direction, DroneFootageRequest};
pub use failure::FailureCode;
