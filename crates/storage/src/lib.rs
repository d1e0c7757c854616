//! Rows and bytes: where jobs, organizations, keys and usage are kept ([`JobStore`]), and where media lie
//! ([`MediaStore`]); and how often a key may ask ([`Limiter`]).
//!
//! # Adding a store
//!
//! Implement [`JobStore`] in a module of its own and add one line to `tests/job_store_contract.rs`: the suite there says
//! what every store has to do. Media go through `object_store`, so that another place for them is another constructor
//! of [`MediaStore`].
pub mod answer;
pub mod day_counts;
pub mod error;
pub mod figures;
pub mod job_store;
pub mod keeping;
pub mod limiter;
mod media_files;
pub mod media_link;
pub mod media_store;
pub mod room;
pub mod sqlite;

pub use answer::{Answer, Earlier, Once, Refusal};
pub use day_counts::DayCounts;
pub use error::StoreError;
pub use figures::{EngineTime, QueueFigures};
pub use job_store::{
    Annotation, Claim, Credentials, JobFilter, JobOutput, JobPage, JobStore, Lease, NewJob, UsageCursor,
};
pub use keeping::{SweepError, Swept};
pub use limiter::{Budget, Limiter, Verdict};
pub use media_files::MediaFile;
pub use media_link::{LinkError, MediaLinks};
pub use media_store::{Media, MediaError, MediaStore};
pub use room::{Disk, NoRoom, Room};
pub use sqlite::{SqliteStore, check_database, copy_database, each_jobs_media};
