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
//! | [`NodeStore`] | the API nodes and workers that use the store |
//! | [`PackStore`] | the published packs, and which one workers use |
//! | [`UploadStore`] | photos that clients upload |
//! | [`ListingStore`] | properties with their photos, and their jobs |
//! | [`ShareStore`] | links that show a listing, and what their viewers say |
//! | [`EventStore`] | what happens to jobs |
//! | [`WebhookStore`] | endpoints that receive events, and their deliveries |
//! | [`SessionStore`] | sessions of the console and of that for operators |
//! | [`OperatorStore`] | keys of operators |
//! | [`TruthPageStore`] | public pages that show altered pictures beside their originals |
//!
//! # Add a storage backend
//!
//! For a database:
//!
//! 1. Create a crate `crates/storage-NAME` that depends on `aerie-storage`. List it in the workspace's `Cargo.toml`
//!    under `[workspace.dependencies]` and `[profile.dev.package]`, and in the table of crates in `ARCHITECTURE.md`.
//! 2. Implement these traits for one type; [`Store`] follows. Each method is one transaction that is durable when it
//!    returns. A method that takes a [`Lease`] matches job, worker, attempt and `running`, and returns
//!    [`StoreError::LeaseLost`] when no row matches. In tests, times come from the [`Clock`](aerie_domain::Clock) that the
//!    store is opened with; on a server that several machines share, otherwise from the database. [`backend`] has what
//!    backends share: use it rather than copying rules. The server, its workers and `aerie admin` are separate processes
//!    that use the database at the same time, so it cannot be in the memory of one process.
//! 3. Add `aerie-storage = { workspace = true, features = ["contract"] }` to its dev-dependencies, and this to a file
//!    in `tests/`:
//!
//!    ```text
//!    #![cfg(test)]
//!
//!    use std::path::Path;
//!    use std::sync::Arc;
//!
//!    use aerie_domain::Clock;
//!    use aerie_storage::Store;
//!
//!    async fn open(folder: &Path, clock: Arc<dyn Clock>) -> Arc<dyn Store> { ... }
//!
//!    aerie_storage::contract_tests!(open);
//!    ```
//!
//!    Every test must pass. What is true of this backend only is tested beside it.
//!    A suite that needs a server is ignored, with the reason, and run by a script: see
//!    `crates/storage-postgres/tests/postgres` and `e2e/postgres.sh`.
//! 4. Accept its scheme in `[store] url`: add a variant to `Database` in `crates/cli/src/config.rs`, and parse the URL in
//!    `database_of`. A URL may contain a password: no error, log line or `Debug` shows it. Document the scheme in
//!    `config.default.toml`.
//! 5. Add the crate to the dependencies in `crates/cli/Cargo.toml`, and open the backend in `open_store`
//!    (`crates/cli/src/data.rs`). The server, its workers and `aerie admin` then use it.
//! 6. `aerie backup` and `aerie restore` copy the file of a SQLite database and refuse others (`Config::database_file`).
//!    `aerie doctor` opens and checks every backend (`crates/cli/src/commands/doctor.rs`).
//! 7. A database that several machines share also counts requests: implement [`Limiter`] for the same type, run
//!    `aerie_storage::limiter_contract_tests!` on it, and return it from `open_store`.
//!
//! For media, any backend of `object_store` will do: see `crates/storage-s3`.
//!
//! 1. Create a crate `crates/storage-NAME` that opens the backend with [`MediaStore::new`], or with
//!    [`MediaStore::with_signer`] if it signs links to itself and keeps attributes of objects. Run
//!    `aerie_storage::media_contract_tests!` on it.
//! 2. Accept its scheme in `[media] url`: add a variant to `MediaPlace` in `crates/cli/src/config.rs`, and document the scheme
//!    in `config.default.toml`.
//! 3. Open it in `open_media`, and check it in `check_bucket` (`crates/cli/src/data.rs`). The compiler lists what else has to
//!    decide: `aerie doctor`, `aerie backup`.
pub mod authority;
pub mod backend;
pub mod capacity;
#[cfg(feature = "contract")]
#[expect(clippy::unwrap_used, reason = "tests")]
pub mod contract;
pub mod day_counts;
pub mod error;
pub mod events;
pub mod idempotency;
pub mod job_queue;
pub mod limiter;
pub mod listings;
pub mod local_media;
pub mod maintenance;
pub mod markup;
pub mod media_link;
pub mod media_requests;
pub mod media_store;
pub mod memory_limiter;
pub mod nodes;
pub mod operators;
pub mod pack_files;
pub mod pack_manifest;
pub mod packs;
pub mod retention;
pub mod sessions;
pub mod share_links;
pub mod store;
pub mod tenants;
pub mod truth_pages;
pub mod uploads;
pub mod usage;
pub mod webhooks;

pub use authority::AuthoritySecret;
pub use capacity::{Capacity, Disk, Limits, OutOfCapacity};
pub use day_counts::DayCounts;
pub use error::{EARLIER_BUILD, StoreError};
pub use events::{Event, EventPosition, EventStore, EventSubject, JobProgress, NotAPosition};
pub use idempotency::{IdempotencyKey, IdempotencyStore, RecordedAnswer, Replay};
pub use job_queue::{Claim, JobFilter, JobOutput, JobPage, JobQueue, Lease, NewJob, SubmitRefusal, Wakes};
pub use limiter::{Budget, Limiter, Verdict};
pub use listings::{
    BatchRefusal, ListingBatch, ListingFilter, ListingJob, ListingPage, ListingRefusal, ListingStore, ListingSummary,
    NewListing,
};
pub use local_media::LocalMedia;
pub use maintenance::{Leftovers, MaintenanceStore, QueueStats, StageTime, StoreSize};
pub use markup::{Annotation, MarkupStore};
pub use media_link::{LinkError, LinkSecret, MediaLinks};
pub use media_requests::MediaOperation;
pub use media_store::{
    DirectLink, MEDIA_CACHE_CONTROL, Media, MediaError, MediaFile, MediaStore, SignsLinks, media_type,
};
pub use memory_limiter::MemoryLimiter;
pub use nodes::{Node, NodeRole, NodeStore, SeenNode, StoreConnections};
pub use operators::OperatorStore;
pub use pack_files::PackSource;
pub use pack_manifest::{ManifestError, PackFile, PackManifest};
pub use packs::{Pack, PackRefusal, PackStore};
pub use retention::{SweepError, SweepReport};
pub use sessions::{Audience, Session, SessionLimits, SessionStore};
pub use share_links::{NewReview, NewShareLink, ReviewFilter, ReviewPage, ReviewRefusal, ShareLinkRefusal, ShareStore};
pub use store::Store;
pub use tenants::{Credentials, TenantStore};
pub use truth_pages::{NewTruthPage, TruthPage, TruthPageFile, TruthPageHeld, TruthPageStore};
pub use uploads::{NewUpload, Upload, UploadLimits, UploadPart, UploadRefusal, UploadStore, UploadedPhoto};
pub use usage::{UsageCursor, UsageStore, UsageSum};
pub use webhooks::{
    Attempt, Delivery, DeliveryState, DueDelivery, FAILING_AT_MOST, NewWebhook, OLD_SECRET, Settled, TEST_EVENT,
    Webhook, WebhookChanges, WebhookSecret, WebhookStore,
};
