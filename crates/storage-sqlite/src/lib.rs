//! The SQLite backend: one file, shared by the server, its workers and the admin commands.
//!
//! One thread writes and commits everything that is queued in one transaction, so that many submits share an fsync. A few
//! threads read, each from a snapshot. Writers of other processes are waited for.
//!
//! # Invariants
//!
//! - A write returns after its commit is on disk: WAL mode with `synchronous = FULL`. Tests:
//!   `committed_rows_are_there_when_the_file_is_opened_again`; in `storage`: `many_concurrent_submits_are_all_kept`; in `e2e`:
//!   `an_acknowledged_job_survives_kills_and_freezes_and_counts_once`.
//! - Processes that share a file claim each job once. Test: `two_processes_claim_each_job_once`.
//! - A page, a poll, a submit and a claim cost the same, however much is stored. Tests:
//!   `no_page_of_an_organization_sorts_all_its_jobs`, `no_queued_job_is_read_but_the_next`; in `e2e`:
//!   `lists_polls_and_submits_cost_the_same_with_many_stored_or_queued_jobs`.
//! - A revoked key is refused at once, although keys are cached: a commit of any process invalidates the cache. Test:
//!   `a_key_that_another_process_revokes_or_restricts_is_known_at_once_although_it_was_looked_up_before`.
//! - Health checks read the file, not SQLite's cache, and a database that was found damaged stays unusable. Tests:
//!   `a_damaged_root_of_any_table_or_index_is_found`, `damage_that_a_request_meets_is_remembered`,
//!   `damage_within_a_table_is_found_by_the_check_of_the_whole_store_and_remembered`.
//! - Only its owner can read a new database file. Test: `only_its_owner_reads_a_new_database_and_nobody_outside_its_group_an_old_one`.
mod admission;
mod backup;
mod connection;
mod error;
mod events;
mod export;
mod failures;
mod idempotency;
mod integrity;
mod jobs;
mod key_cache;
mod leftovers;
mod listing_store;
mod listings;
mod markup;
mod migrations;
mod nodes;
mod operators;
mod organizations;
mod packs;
mod pages;
mod permissions;
mod quota;
mod reader;
mod retention;
mod rows;
mod secrets;
mod sessions;
mod share_links;
mod stats;
#[cfg(feature = "testing")]
pub mod testing;
mod truth_page_store;
mod truth_pages;
mod turns;
mod uploads;
mod usage;
mod webhooks;
mod writer;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use aerie_domain::{
    ApiKey, Clock, ContentHash, Failure, Job, JobId, JobType, KeyHash, KeyId, KeyRecord, OrgChanges, OrgId,
    Organization, Scopes, UploadId, UsageEvent, UsageRange,
};
use aerie_storage::backend::{Damage, milliseconds};
use aerie_storage::{
    Annotation, AuthoritySecret, Claim, Credentials, IdempotencyKey, IdempotencyStore, JobFilter, JobOutput, JobPage,
    JobQueue, Lease, Leftovers, LinkSecret, MaintenanceStore, MarkupStore, NewJob, NewUpload, Node, NodeStore, Pack,
    PackRefusal, PackStore, QueueStats, RecordedAnswer, Replay, SeenNode, StoreError, StoreSize, SubmitRefusal,
    TenantStore, Upload, UploadLimits, UploadPart, UploadRefusal, UploadStore, UploadedPhoto, UsageCursor, UsageStore,
    UsageSum,
};
use async_trait::async_trait;
use jiff::Timestamp;
use serde_json::{Map, Value};

pub use backup::{DatabaseSummary, check_copy, check_database, copy_database, for_each_kept_media};
use connection::connect;
pub use export::Export;
use key_cache::KeyCache;
use reader::Readers;
use writer::Writer;

/// Number of reader threads: enough that one slow listing does not delay polls.
const READERS: usize = 3;

/// A database in a SQLite file.
pub struct SqliteStore {
    clock: Arc<dyn Clock>,
    writer: Writer,
    readers: Readers,
    keys: KeyCache,
    file: PathBuf,
    weights: RwLock<Arc<BTreeMap<String, u32>>>,
    damage: Arc<Damage>,
}

impl SqliteStore {
    /// Opens the database, creates it when it does not exist, and upgrades its schema.
    ///
    /// # Errors
    /// When it cannot be opened, belongs to another program, or has a newer schema than this version supports.
    pub fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<Self, StoreError> {
        Ok(Self::open_file(path, clock)?)
    }

    fn open_file(path: &Path, clock: Arc<dyn Clock>) -> error::Result<Self> {
        permissions::restrict(path)?;
        let mut connection = connect(path)?;
        migrations::migrate(&mut connection, &path.display().to_string())?;
        let damage = Arc::new(Damage::default());
        let connect_reader = || {
            let reader = connect(path)?;
            reader.pragma_update(None, "query_only", true)?;
            Ok(reader)
        };
        let readers = Readers::start(READERS, Arc::clone(&damage), connect_reader)?;
        let keys = KeyCache::new(connect_reader()?)?;
        let writer = Writer::start(connection, Arc::clone(&damage));
        Ok(Self { clock, writer, readers, keys, file: path.to_owned(), weights: RwLock::default(), damage })
    }

    fn now(&self) -> i64 {
        self.clock.now().as_millisecond()
    }
}

#[async_trait]
impl JobQueue for SqliteStore {
    async fn job_submit(&self, job: NewJob) -> Result<Result<Job, SubmitRefusal>, StoreError> {
        let now = self.clock.now();
        self.writer.write(move |db| admission::submit(db, &job, now)).await
    }

    async fn job_get(&self, org_id: Option<OrgId>, id: JobId) -> Result<Option<Job>, StoreError> {
        self.readers.look_up(move |db| jobs::get(db, org_id, id)).await
    }

    async fn job_list(&self, filter: JobFilter) -> Result<JobPage, StoreError> {
        self.readers.read(move |db| pages::list(db, &filter)).await
    }

    async fn job_claim(&self, kinds: &[JobType], worker: &str, lease: Duration) -> Result<Option<Claim>, StoreError> {
        let now = self.now();
        // Idle workers ask once a second and must not take the write lock each time.
        let (kinds, worker) = (kinds.to_vec(), worker.to_owned());
        let wanted = kinds.clone();
        if !self.readers.read(move |db| turns::anything_to_claim(db, &wanted, now)).await? {
            return Ok(None);
        }
        let weights = Arc::clone(&self.weights.read().unwrap_or_else(PoisonError::into_inner));
        self.writer.write(move |db| jobs::claim(db, &kinds, &weights, &worker, now, milliseconds(lease))).await
    }

    fn plan_weights_set(&self, weights: BTreeMap<String, u32>) {
        *self.weights.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(weights);
    }

    async fn job_heartbeat(&self, held: &Lease, lease: Duration) -> Result<(), StoreError> {
        let (held, now) = (held.clone(), self.now());
        self.writer.write(move |db| jobs::heartbeat(db, &held, now + milliseconds(lease))).await
    }

    async fn job_complete(&self, held: &Lease, output: JobOutput) -> Result<(), StoreError> {
        let (held, now) = (held.clone(), self.clock.now());
        self.writer.write(move |db| jobs::complete(db, &held, &output, now)).await
    }

    async fn job_ask_input(&self, held: &Lease, output: JobOutput) -> Result<(), StoreError> {
        let (held, now) = (held.clone(), self.clock.now());
        self.writer.write(move |db| jobs::ask_input(db, &held, &output, now)).await
    }

    async fn job_fail(&self, held: &Lease, failure: Failure) -> Result<(), StoreError> {
        let (held, now) = (held.clone(), self.now());
        self.writer.write(move |db| jobs::fail(db, &held, &failure, now)).await
    }

    async fn job_is_held(&self, held: &Lease) -> Result<bool, StoreError> {
        let held = held.clone();
        self.readers.read(move |db| jobs::is_held(db, &held)).await
    }

    async fn job_cancel(&self, org_id: OrgId, id: JobId) -> Result<Option<Job>, StoreError> {
        let now = self.now();
        self.writer.write(move |db| jobs::cancel(db, org_id, id, now)).await
    }

    async fn job_retry(&self, held: &Lease, wait: Duration) -> Result<(), StoreError> {
        let (held, now) = (held.clone(), self.now());
        self.writer.write(move |db| jobs::hand_back(db, &held, now + milliseconds(wait), true)).await
    }

    async fn job_release(&self, held: &Lease) -> Result<(), StoreError> {
        let (held, now) = (held.clone(), self.now());
        self.writer.write(move |db| jobs::hand_back(db, &held, now, false)).await
    }

    async fn job_delete(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        let now = self.now();
        self.writer.write(move |db| jobs::delete(db, id, now)).await
    }

    async fn job_has_active_child(&self, parent: JobId) -> Result<bool, StoreError> {
        self.readers.look_up(move |db| jobs::has_active_child(db, parent)).await
    }

    async fn job_listing_notes(
        &self,
        org_id: OrgId,
        kind: JobType,
        listing: &str,
        limit: u32,
    ) -> Result<Vec<Map<String, Value>>, StoreError> {
        let listing = listing.to_owned();
        self.readers.read(move |db| pages::notes(db, org_id, kind, &listing, limit)).await
    }
}

#[async_trait]
impl TenantStore for SqliteStore {
    async fn org_create(&self, name: &str, plan: &str) -> Result<Organization, StoreError> {
        let (name, plan, now) = (name.to_owned(), plan.to_owned(), self.clock.now());
        self.writer.write(move |db| organizations::create(db, &name, &plan, now)).await
    }

    async fn org_change(&self, id: OrgId, changes: OrgChanges) -> Result<Option<Organization>, StoreError> {
        self.writer.write(move |db| organizations::change(db, id, &changes)).await
    }

    async fn org_get(&self, id: OrgId) -> Result<Option<Organization>, StoreError> {
        self.readers.look_up(move |db| organizations::get(db, id)).await
    }

    async fn org_list(&self) -> Result<Vec<Organization>, StoreError> {
        self.readers.read(organizations::list).await
    }

    async fn quota_used(&self, org_id: OrgId, at: Timestamp) -> Result<u64, StoreError> {
        self.readers.look_up(move |db| quota::used(db, org_id, at)).await
    }

    async fn key_create(
        &self,
        org_id: OrgId,
        key: &ApiKey,
        scopes: Scopes,
        expires_at: Option<Timestamp>,
    ) -> Result<KeyRecord, StoreError> {
        let (hash, hint, now) = (key.hash(), key.hint(), self.clock.now());
        let terms = (scopes, expires_at);
        self.writer.write(move |db| organizations::key_create(db, org_id, hash, &hint, terms, now)).await
    }

    async fn key_create_within(
        &self,
        org_id: OrgId,
        key: &ApiKey,
        terms: (Scopes, Option<Timestamp>),
        limit: u32,
    ) -> Result<Option<KeyRecord>, StoreError> {
        let (hash, hint, now) = (key.hash(), key.hint(), self.clock.now());
        self.writer
            .write(move |db| {
                let has_room = organizations::active_keys(db, org_id, now)? < limit;
                has_room.then(|| organizations::key_create(db, org_id, hash, &hint, terms, now)).transpose()
            })
            .await
    }

    async fn key_list(&self, org_id: Option<OrgId>) -> Result<Vec<KeyRecord>, StoreError> {
        self.readers.read(move |db| organizations::key_list(db, org_id)).await
    }

    async fn key_revoke(&self, id: KeyId) -> Result<bool, StoreError> {
        let now = self.now();
        self.writer.write(move |db| organizations::key_revoke(db, id, now)).await
    }

    async fn key_expire(&self, id: KeyId, at: Timestamp) -> Result<bool, StoreError> {
        self.writer.write(move |db| organizations::key_expire(db, id, at.as_millisecond())).await
    }

    async fn key_find(&self, hash: KeyHash) -> Result<Option<Credentials>, StoreError> {
        let now = self.now();
        match self.keys.find(hash, now) {
            Some(found) => Ok(found),
            None => self.readers.look_up(move |db| organizations::key_find(db, hash, now)).await,
        }
    }
}

#[async_trait]
impl UsageStore for SqliteStore {
    async fn usage_list(
        &self,
        org_id: OrgId,
        range: UsageRange,
        after: Option<UsageCursor>,
        limit: u32,
    ) -> Result<Vec<UsageEvent>, StoreError> {
        self.readers.read(move |db| usage::list(db, org_id, range, after, limit)).await
    }

    async fn usage_sums(&self, range: UsageRange) -> Result<Vec<UsageSum>, StoreError> {
        self.readers.read(move |db| usage::sums(db, range)).await
    }
}

#[async_trait]
impl IdempotencyStore for SqliteStore {
    async fn answer_find(&self, org_id: OrgId, key: &IdempotencyKey) -> Result<Option<Replay>, StoreError> {
        let (key, now) = (key.clone(), self.clock.now());
        self.readers.look_up(move |db| idempotency::find(db, org_id, &key, now)).await
    }

    async fn answer_record(
        &self,
        org_id: OrgId,
        key: &IdempotencyKey,
        answer: RecordedAnswer,
    ) -> Result<(), StoreError> {
        let (key, now) = (key.clone(), self.clock.now());
        self.writer.write(move |db| idempotency::record(db, org_id, &key, &answer, now)).await
    }
}

#[async_trait]
impl MarkupStore for SqliteStore {
    async fn markup_select(&self, org_id: OrgId, id: JobId, orientation: &str) -> Result<Option<Job>, StoreError> {
        let (orientation, now) = (orientation.to_owned(), self.clock.now());
        self.writer.write(move |db| markup::select(db, org_id, id, &orientation, now)).await
    }

    async fn markup_annotate(
        &self,
        org_id: OrgId,
        id: JobId,
        annotation: Annotation,
    ) -> Result<Option<Job>, StoreError> {
        let now = self.clock.now();
        self.writer.write(move |db| markup::annotate(db, org_id, id, &annotation, now)).await
    }
}

#[async_trait]
impl MaintenanceStore for SqliteStore {
    async fn store_check(&self) -> Result<(), StoreError> {
        self.damage.check()?;
        self.readers.read(|db| Ok(db.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?)).await
    }

    async fn store_check_use(&self) -> Result<(), StoreError> {
        self.damage.check()?;
        let read = integrity::inspect(self.file.clone(), integrity::read_every_tree).await;
        read.inspect_err(|error| self.damage.record(error))?;
        let now = self.now();
        self.writer.write(move |db| stats::check_write(db, now)).await
    }

    async fn store_verify(&self) -> Result<(), StoreError> {
        let checked = integrity::inspect(self.file.clone(), integrity::quick_check).await;
        checked.inspect_err(|error| self.damage.record(error))
    }

    async fn queue_stats(&self) -> Result<QueueStats, StoreError> {
        self.readers.read(stats::queue).await
    }

    async fn store_size(&self) -> Result<StoreSize, StoreError> {
        self.readers.read(stats::size).await
    }

    async fn stage_time_add(&self, kind: JobType, stages: Vec<(String, Duration)>) -> Result<(), StoreError> {
        self.writer.write(move |db| stats::add_stage_time(db, kind, &stages)).await
    }

    async fn duty_acquire(&self, name: &str, holder: &str, duration: Duration) -> Result<bool, StoreError> {
        let (name, holder, now) = (name.to_owned(), holder.to_owned(), self.now());
        self.writer.write(move |db| retention::duty_acquire(db, &name, &holder, now, milliseconds(duration))).await
    }

    async fn job_expire(&self, org_id: OrgId, keep: Duration, limit: u32) -> Result<Vec<JobId>, StoreError> {
        let now = self.now();
        let before = now - milliseconds(keep);
        self.writer.write(move |db| retention::expire(db, org_id, before, limit, now)).await
    }

    async fn leftovers_expect(&self, org_id: OrgId, job_id: JobId, wait: Duration) -> Result<(), StoreError> {
        let due_at = self.now() + milliseconds(wait);
        let write = move |db: &_| leftovers::expect(db, &org_id.to_string(), &job_id.to_string(), due_at);
        self.writer.write(write).await
    }

    async fn leftovers_due(&self, limit: u32) -> Result<Vec<Leftovers>, StoreError> {
        let now = self.now();
        self.readers.read(move |db| leftovers::due(db, now, limit)).await
    }

    async fn leftovers_clear(&self, cleared: &[Leftovers]) -> Result<(), StoreError> {
        let cleared = cleared.to_vec();
        self.writer.write(move |db| leftovers::clear(db, &cleared)).await
    }

    async fn link_secret_init(&self, proposed: &LinkSecret) -> Result<LinkSecret, StoreError> {
        let (proposed, now) = (proposed.clone(), self.now());
        self.writer.write(move |db| secrets::init_link_secret(db, &proposed, now)).await
    }

    async fn authority_init(&self, proposed: &AuthoritySecret) -> Result<AuthoritySecret, StoreError> {
        let (proposed, now) = (proposed.clone(), self.now());
        self.writer.write(move |db| secrets::init_authority(db, &proposed, now)).await
    }
}

#[async_trait]
impl NodeStore for SqliteStore {
    async fn node_beat(&self, node: &Node) -> Result<(), StoreError> {
        let (node, now) = (node.clone(), self.now());
        self.writer.write(move |db| nodes::beat(db, &node, now)).await
    }

    async fn node_remove(&self, name: &str) -> Result<(), StoreError> {
        let name = name.to_owned();
        self.writer.write(move |db| nodes::remove(db, &name)).await
    }

    async fn node_list(&self) -> Result<Vec<SeenNode>, StoreError> {
        let now = self.now();
        self.readers.read(move |db| nodes::list(db, now)).await
    }
}

#[async_trait]
impl UploadStore for SqliteStore {
    async fn upload_create(
        &self,
        new: NewUpload,
        limits: UploadLimits,
        keep: Duration,
    ) -> Result<Result<Upload, UploadRefusal>, StoreError> {
        let times = (self.clock.now(), milliseconds(keep));
        self.writer.write(move |db| uploads::create(db, &new, limits, times)).await
    }

    async fn upload_get(&self, org_id: OrgId, id: UploadId) -> Result<Option<Upload>, StoreError> {
        let now = self.now();
        self.readers.read(move |db| uploads::get(db, org_id, id, now)).await
    }

    async fn upload_append(
        &self,
        org_id: OrgId,
        id: UploadId,
        part: UploadPart,
        keep: Duration,
    ) -> Result<Result<Upload, UploadRefusal>, StoreError> {
        let times = (self.now(), milliseconds(keep));
        self.writer.write(move |db| uploads::append(db, org_id, id, part, times)).await
    }

    async fn upload_complete(
        &self,
        org_id: OrgId,
        id: UploadId,
        photo: UploadedPhoto,
        keep: Duration,
    ) -> Result<Option<Upload>, StoreError> {
        let times = (self.now(), milliseconds(keep));
        self.writer.write(move |db| uploads::complete(db, org_id, id, &photo, times)).await
    }

    async fn upload_use(&self, org_id: OrgId, id: UploadId, keep: Duration) -> Result<Option<Upload>, StoreError> {
        let times = (self.now(), milliseconds(keep));
        self.writer.write(move |db| uploads::renew(db, org_id, id, times)).await
    }

    async fn upload_delete(&self, org_id: OrgId, id: UploadId) -> Result<bool, StoreError> {
        let now = self.now();
        self.writer.write(move |db| uploads::delete(db, org_id, id, now)).await
    }

    async fn upload_expire(&self, limit: u32) -> Result<usize, StoreError> {
        let now = self.now();
        self.writer.write(move |db| uploads::expire(db, limit, now)).await
    }

    async fn upload_files(&self, org_id: OrgId, id: UploadId) -> Result<Vec<String>, StoreError> {
        self.readers.read(move |db| uploads::files(db, org_id, id)).await
    }

    async fn upload_bytes_used(&self, org_id: OrgId, at: Timestamp) -> Result<u64, StoreError> {
        self.readers.read(move |db| uploads::bytes_used(db, org_id, at)).await
    }
}

#[async_trait]
impl PackStore for SqliteStore {
    async fn pack_add(&self, id: ContentHash, manifest: &str) -> Result<Result<(), PackRefusal>, StoreError> {
        let (manifest, now) = (manifest.to_owned(), self.now());
        self.writer.write(move |db| packs::add(db, id, &manifest, now)).await
    }

    async fn pack_publish(&self, id: ContentHash) -> Result<Result<(), PackRefusal>, StoreError> {
        let now = self.now();
        self.writer.write(move |db| packs::publish(db, id, now)).await
    }

    async fn pack_use(&self, id: Option<ContentHash>) -> Result<Result<(), PackRefusal>, StoreError> {
        let now = self.now();
        self.writer.write(move |db| packs::set_current(db, id, now)).await
    }

    async fn pack_current(&self) -> Result<Option<ContentHash>, StoreError> {
        self.readers.look_up(packs::current).await
    }

    async fn pack_list(&self) -> Result<Vec<Pack>, StoreError> {
        self.readers.read(packs::list).await
    }

    async fn pack_remove(&self, id: ContentHash) -> Result<Result<(), PackRefusal>, StoreError> {
        let now = self.now();
        self.writer.write(move |db| packs::remove(db, id, now)).await
    }

    async fn pack_forget(&self, id: ContentHash) -> Result<(), StoreError> {
        self.writer.write(move |db| packs::forget(db, id)).await
    }

    async fn job_pack_set(&self, held: &Lease, pack: Option<ContentHash>) -> Result<(), StoreError> {
        let held = held.clone();
        self.writer.write(move |db| jobs::set_pack(db, &held, pack)).await
    }
}
