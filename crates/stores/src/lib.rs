//! Rows and bytes: where jobs, organisations, keys and usage are kept ([`JobStore`]), and where media lie
//! ([`MediaStore`]).
//!
//! # Adding a store
//!
//! Implement [`JobStore`] in a module of its own and add one line to `tests/job_store_contract.rs`: the suite there says
//! what every store has to do. Media go through `object_store`, so that another place for them is another constructor
//! of [`MediaStore`].
pub mod error;
pub mod job_store;
pub mod media_link;
pub mod media_store;
pub mod sqlite;

pub use error::StoreError;
pub use job_store::{Annotation, Claim, JobFilter, JobOutput, JobPage, JobStore, Lease, NewJob};
pub use media_link::{LinkError, MediaLinks};
pub use media_store::{Media, MediaError, MediaStore};
pub use sqlite::SqliteStore;
