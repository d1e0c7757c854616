//! Loads on a PostgreSQL database through the storage code, for `bench/queue.sh` and `bench/capacity.sh`, which start the server.
//! Not part of the binary.
pub mod admissions;
pub mod capacity;
mod captured;
pub mod claims;
pub mod clients;
pub mod fairness;
pub mod jobs;
pub mod kept;
pub mod pgbench;
pub mod report;
pub mod server;
