//! Storage without a backend: what a database keeps ([`Store`]), where media are ([`MediaStore`]), links to them
//! ([`MediaLinks`]), and how many requests a key may make ([`Limiter`]).
//!
//! [`Store`] is made of one trait per concern; take the one that you need:
//!
//! | trait | concern |
//! |---|---|
//! | [`JobQueue`] | submit, claim, lease, complete, list |
//! | [`TenantStore`] | organizations, API keys, quotas |
//! | [`UsageStore`] | usage events |
//! | [`IdempotencyStore`] | answers to repeated requests |
//! | [`MarkupStore`] | the owner's steps of a markup |
//! | [`MaintenanceStore`] | health, statistics, retention, the secret of links |
//!
//! # Add a storage backend
//!
//! For a database:
//!
//! 1. Create a crate `crates/storage-NAME` that depends on `aerie-storage`, and list it under `[workspace.dependencies]`.
//! 2. Implement the six traits for one type; [`Store`] follows. Each method is one transaction that is durable when it
//!    returns. A method that takes a [`Lease`] matches job, worker, attempt and `running`, and returns
//!    [`StoreError::LeaseLost`] when no row matches. Times come from the [`Clock`](aerie_domain::Clock) that the store is
//!    opened with.
//! 3. Add `aerie-storage = { workspace = true, features = ["contract"] }` to its dev-dependencies, and this to a test file:
//!
//!    ```ignore
//!    async fn open(folder: &Path, clock: Arc<dyn Clock>) -> Arc<dyn Store> { ... }
//!
//!    aerie_storage::contract_tests!(open);
//!    ```
//!
//!    Every test must pass. What is true of this backend only is tested beside it.
//! 4. Open it in `Data::open` (`crates/cli/src/data.rs`) for its scheme in `[store] url`, accept the scheme in
//!    `Config::parse` (`crates/cli/src/config.rs`), and document it in `config.default.toml`.
//!
//! For media, any backend of `object_store` will do: open it with [`MediaStore::new`], run
//! `aerie_storage::media_contract_tests!` on it (as `crates/storage/tests/media.rs` does for S3), and open it in `Data::open`
//! for its scheme in `[media] url`. Its capacity is [`Capacity::unlimited`].
pub mod capacity;
#[cfg(feature = "contract")]
#[expect(clippy::unwrap_used, reason = "tests")]
pub mod contract;
pub mod day_counts;
pub mod error;
pub mod idempotency;
pub mod job_queue;
pub mod limiter;
pub mod local_media;
pub mod maintenance;
pub mod markup;
pub mod media_link;
pub mod media_store;
pub mod retention;
pub mod store;
pub mod tenants;
pub mod usage;

pub use capacity::{Capacity, Disk, Limits, OutOfCapacity};
pub use day_counts::DayCounts;
pub use error::StoreError;
pub use idempotency::{IdempotencyKey, IdempotencyStore, RecordedAnswer, Replay};
pub use job_queue::{Claim, JobFilter, JobOutput, JobPage, JobQueue, Lease, NewJob, SubmitRefusal};
pub use limiter::{Budget, Limiter, Verdict};
pub use local_media::LocalMedia;
pub use maintenance::{MaintenanceStore, QueueStats, StageTime};
pub use markup::{Annotation, MarkupStore};
pub use media_link::{LinkError, LinkSecret, MediaLinks};
pub use media_store::{Media, MediaError, MediaFile, MediaStore};
pub use retention::{SweepError, SweepReport};
pub use store::Store;
pub use tenants::{Credentials, TenantStore};
pub use usage::{UsageCursor, UsageStore};
