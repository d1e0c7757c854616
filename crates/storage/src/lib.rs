//! Storage without a backend: what a database keeps ([`Store`]), where media are ([`MediaStore`]), links to them
//! ([`MediaLinks`]), and how many requests a key may make ([`Limiter`]).
//!
//! [`Store`] is made of one trait per concern; take the one that you need:
//!
//! | trait | concern |
//! |---|---|
//! | [`JobQueue`] | submit, claim, lease, complete, list; the owner's steps of a markup |
//! | [`TenantStore`] | organizations, API keys, quotas, usage events |
//! | [`IdempotencyStore`] | answers to repeated requests |
//! | [`MaintenanceStore`] | health, statistics, retention, the secret of links, the API nodes and workers that use the store |
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
//! # Invariants
//!
//! - A job may run twice, but counts once: each claim increments its `attempt`, and only [`JobQueue::job_complete`], called by the
//!   holder of the lease, stores status, output and usage event, in one transaction. Tests:
//!   `completing_twice_is_refused_and_billed_once`, `a_completed_job_has_its_output_and_one_usage_event`; in `worker`:
//!   `a_failed_run_is_retried_and_counts_once`; in `e2e`: `an_acknowledged_job_survives_kills_and_freezes_and_counts_once`.
//! - A lost lease changes nothing: renew, complete, fail, retry and release compare job, worker, attempt and status. Tests:
//!   `a_lost_lease_cannot_be_renewed_completed_failed_or_returned`, `a_lease_with_another_worker_or_attempt_is_lost`.
//! - A job runs at most three times. A run that is released because its worker stops does not count. Tests:
//!   `after_three_lost_runs_the_job_fails`, `after_three_retried_runs_the_job_is_not_claimed_a_fourth_time`,
//!   `a_released_run_does_not_count_and_can_be_claimed_at_once`.
//! - A clock that is set back delays no job. Test: `a_lease_from_before_the_clock_was_set_back_does_not_block_a_job_for_hours`.
//! - The jobs of a listing are admitted together or not at all, under the same limits as single jobs. Tests:
//!   `jobs_of_a_listing_are_all_refused_where_one_has_no_room`, `concurrent_submits_for_listings_never_exceed_the_quota`,
//!   `a_repeated_request_for_a_listing_submits_nothing`.
//! - [`Leftovers`] record which media to check for deletion, so a bucket is never listed. A job's record is written before its first
//!   file in a bucket; files that cannot be deleted are checked again later. Tests:
//!   `files_that_no_job_needs_are_found_by_rows_without_listing_all_media`, `files_that_are_too_young_are_looked_at_again`,
//!   `files_that_cannot_be_deleted_do_not_keep_others_and_are_looked_at_again`.
//! - No file that a job references is deleted. Tests: `old_files_that_no_job_needs_are_deleted_and_no_others`,
//!   `a_job_that_is_queued_running_or_needed_by_an_active_video_does_not_expire`,
//!   `deleting_a_prefix_leaves_what_is_kept_and_its_neighbors`.
//! - An upload that a listing names does not expire. Test: `an_upload_is_kept_until_no_listing_names_it`.
//! - The files of a published pack are named by their SHA-256, and the pack by that of its manifest. Its row exists before its files,
//!   and it becomes current after them. Tests: `a_pack_is_used_once_its_files_are_stored_and_until_another_is_published`,
//!   `only_an_unused_pack_is_removed_and_nothing_is_added_meanwhile`, `a_path_that_leads_out_of_the_pack_is_refused`.
//! - Every change of a job's status and every review becomes one event: triggers insert it, and its deliveries, in the same
//!   transaction. On PostgreSQL, numbers are not assigned in the order of commits, so events are read in the order of transactions.
//!   Tests: `every_change_of_a_jobs_status_is_an_event_in_order`,
//!   `each_review_is_an_event_that_names_it_and_is_sent_to_those_who_want_it`,
//!   `events_of_concurrent_transactions_are_seen_once_each_by_a_client_that_continues`,
//!   `each_event_that_an_endpoint_wants_is_delivered_once`, `a_delivery_is_claimed_by_one_sender_and_again_when_that_is_gone`.
//! - A share link ends with its listing, and has a maximum number of reviews. Tests:
//!   `a_link_is_found_by_its_token_until_its_listing_is_deleted`, `of_concurrent_reviews_no_more_are_added_than_the_limit`.
//! - A truth page outlives its job: its files are kept until it is erased or expires, and one under legal hold does neither. Tests:
//!   `files_of_a_page_are_kept_after_their_job_expired_and_deleted_when_it_is_erased`,
//!   `a_page_under_legal_hold_is_revoked_but_neither_erased_nor_expired`.
//! - Sessions of clients and of operators are separate; a session ends when it is unused for long or too old. Tests:
//!   `a_session_is_over_when_it_was_not_used_for_long_and_in_any_case_after_a_while`,
//!   `sessions_of_operators_are_unknown_among_those_of_clients`.
//! - All implementations of [`Limiter`] give the same verdicts. A request that cannot be counted is not admitted. Test:
//!   `every_verdict_is_that_of_a_limiter_in_memory`.
//! - The secret that signs links is not shown by `Debug`. Test: `two_generated_secrets_differ_and_debug_shows_neither`.
//!
//! # Add a method
//!
//! The files of a concern have the same name here, in `storage-sqlite` and in `storage-postgres`. For a method of [`TenantStore`]:
//!
//! 1. Declare it in `tenants.rs` here, and say what it returns and when it is refused.
//! 2. In `tenants.rs` of each backend, implement it in `impl TenantStore`, with its SQL in a function of that file. SQLite:
//!    `self.writer.write` for a change, `self.readers.look_up` for a row found by its key, `self.readers.read` for everything
//!    else. PostgreSQL: `in_transaction!` or `with_client!`.
//! 3. Test it in the module of the concern in `contract/`, and list the test in `contract.rs`.
//!
//! # Add a storage backend
//!
//! For a database:
//!
//! 1. Create a crate `crates/storage-NAME` that depends on `aerie-storage`. List it in the workspace's `Cargo.toml`
//!    under `[workspace.dependencies]` and `[profile.dev.package]`, and in the lists of crates in `ARCHITECTURE.md`.
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
pub mod counted;
pub mod day_counts;
pub mod error;
pub mod events;
pub mod idempotency;
pub mod jobs;
pub mod limiter;
pub mod listings;
pub mod local_media;
pub mod maintenance;
pub mod media_link;
pub mod media_requests;
pub mod media_store;
pub mod memory_limiter;
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
pub mod webhooks;

pub use authority::AuthoritySecret;
pub use capacity::{Capacity, Disk, Limits, OutOfCapacity};
pub use counted::{Counted, Debtor};
pub use day_counts::DayCounts;
pub use error::{EARLIER_BUILD, StoreError};
pub use events::{Event, EventPosition, EventStore, EventSubject, JobProgress, NotAPosition};
pub use idempotency::{IdempotencyKey, IdempotencyStore, RecordedAnswer, Replay};
pub use jobs::{Annotation, Claim, JobFilter, JobOutput, JobPage, JobQueue, Lease, NewJob, SubmitRefusal, Wakes};
pub use limiter::{Budget, Limiter, Verdict};
pub use listings::{
    BatchRefusal, ListingBatch, ListingFilter, ListingJob, ListingPage, ListingRefusal, ListingStore, ListingSummary,
    NewListing,
};
pub use local_media::LocalMedia;
pub use maintenance::{
    Leftovers, MaintenanceStore, Node, NodeRole, QueueStats, SeenNode, StageTime, StoreConnections, StoreSize,
};
pub use media_link::{LinkError, LinkSecret, MediaLinks};
pub use media_requests::MediaOperation;
pub use media_store::{
    DirectLink, MEDIA_CACHE_CONTROL, Media, MediaError, MediaFile, MediaStore, SignsLinks, media_type,
};
pub use memory_limiter::MemoryLimiter;
pub use operators::OperatorStore;
pub use pack_files::PackSource;
pub use pack_manifest::{ManifestError, PackFile, PackManifest};
pub use packs::{Pack, PackRefusal, PackStore};
pub use retention::{SweepError, SweepReport};
pub use sessions::{Audience, Session, SessionLimits, SessionStore};
pub use share_links::{NewReview, NewShareLink, ReviewFilter, ReviewPage, ReviewRefusal, ShareLinkRefusal, ShareStore};
pub use store::Store;
pub use tenants::{Credentials, TenantStore, UsageCursor, UsageSum};
pub use truth_pages::{NewTruthPage, TruthPage, TruthPageFile, TruthPageHeld, TruthPageStore};
pub use uploads::{NewUpload, Upload, UploadLimits, UploadPart, UploadRefusal, UploadStore, UploadedPhoto};
pub use webhooks::{
    Attempt, Delivery, DeliveryState, DueDelivery, FAILING_AT_MOST, NewWebhook, OLD_SECRET, Settled, TEST_EVENT,
    Webhook, WebhookChanges, WebhookSecret, WebhookStore,
};
