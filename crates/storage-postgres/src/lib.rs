//! The PostgreSQL backend: one database, shared by the servers, workers and admin commands of a fleet.
//!
//! Every write is one transaction or one statement. What has to hold over all nodes (quotas, queue limits, idempotency keys)
//! is decided under a lock on the organization's row (`admission`); claims skip locked rows and wait for nobody
//! (`turns`). Locks are taken in the order: organization, jobs, counts, quota, failures.
mod access;
mod admission;
mod error;
mod events;
mod failures;
mod health;
mod idempotency;
mod import;
mod jobs;
mod keys;
mod leftovers;
mod limiter;
mod limits;
mod listing_store;
mod listings;
mod markup;
mod memory;
mod migrations;
mod nodes;
mod operators;
mod organizations;
mod packs;
mod pages;
mod pool;
mod pooling;
mod quota;
mod retention;
mod rows;
mod secrets;
mod sessions;
mod share_links;
mod stats;
#[cfg(feature = "testing")]
pub mod testing;
mod time;
mod tls;
mod truth_page_store;
mod truth_pages;
mod turns;
mod uploads;
mod url;
mod usage;
mod wakes;
mod webhooks;

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use aerie_domain::{
    ApiKey, ContentHash, Failure, Job, JobEvent, JobId, JobType, KeyHash, KeyId, KeyRecord, OrgChanges, OrgId,
    Organization, RateLimits, Scopes, UploadId, UsageEvent, UsageRange,
};
use aerie_storage::backend::{Damage, milliseconds};
use aerie_storage::{
    Annotation, AuthoritySecret, Claim, Counted, Credentials, Debtor, IdempotencyKey, IdempotencyStore, JobFilter,
    JobOutput, JobPage, JobQueue, Lease, Leftovers, Limiter, LinkSecret, MaintenanceStore, MarkupStore, NewJob,
    NewUpload, Node, NodeStore, Pack, PackRefusal, PackStore, QueueStats, RecordedAnswer, Replay, SeenNode,
    StoreConnections, StoreError, StoreSize, SubmitRefusal, TenantStore, Upload, UploadLimits, UploadPart,
    UploadRefusal, UploadStore, UploadedPhoto, UsageCursor, UsageStore, UsageSum, Verdict, Wakes,
};
use async_trait::async_trait;
use deadpool_postgres::{Client, Transaction};
use jiff::Timestamp;
use serde_json::{Map, Value};
use tokio::sync::watch;
use tokio_postgres::IsolationLevel;

use error::{Error, Result};
pub use import::Import;
use limiter::microseconds;
use migrations::MIGRATIONS;
use pool::Pool;
pub use time::TimeSource;
use turns::{Claimant, Weights};
pub use url::{PostgresUrl, without_password};
use wakes::Announcer;

/// A database on a PostgreSQL server.
pub struct PostgresStore {
    pool: Pool,
    url: PostgresUrl,
    announcer: Announcer,
    weights: RwLock<Arc<Weights>>,
    time: TimeSource,
    damage: Arc<Damage>,
    remembered: limiter::Remembered,
    written: health::Written,
}

impl PostgresStore {
    /// Opens the database with at most this many connections, and upgrades its schema.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses the role, the role may not write, or the schema is newer than this
    /// version supports, or of a build before 0.1.0, or the URL leads to a pooler that shares connections by transaction. Messages name
    /// the key and the remedy, never the password.
    pub async fn open(url: &PostgresUrl, connections: usize, time: TimeSource) -> Result<Self, StoreError> {
        Self::open_with(url, connections, time, MIGRATIONS).await
    }

    async fn open_with(
        url: &PostgresUrl,
        connections: usize,
        time: TimeSource,
        migrations: &[migrations::Migration],
    ) -> Result<Self, StoreError> {
        pooling::check(url).await?;
        let pool = Pool::new(url, connections)?;
        migrations::migrate(&pool, migrations).await?;
        let client = pool.client().await?;
        access::check(&client, url).await?;
        drop(client);
        let announcer = Announcer::start(pool.clone());
        Ok(Self {
            pool,
            url: url.clone(),
            announcer,
            weights: RwLock::default(),
            time,
            damage: Arc::default(),
            remembered: limiter::Remembered::default(),
            written: health::Written::default(),
        })
    }

    /// Whether time passes here as in the database: a clock of a test jumps.
    fn may_remember(&self) -> bool {
        self.time.given().is_none()
    }

    async fn client(&self) -> Result<Client, StoreError> {
        Ok(self.pool.client().await?)
    }

    /// Returns the result of an operation after recording damage that it met.
    fn noting<T>(&self, result: Result<T>) -> Result<T, StoreError> {
        result.map_err(StoreError::from).inspect_err(|error| self.damage.record(error))
    }
}

/// Runs `$work` with a connection.
macro_rules! with_client {
    ($store:expr, $db:ident => $work:expr) => {{
        let client = $store.client().await?;
        let $db = &client;
        $store.noting($work.await)
    }};
}

/// Runs `$work` in a transaction, which is rolled back when it fails.
macro_rules! in_transaction {
    ($store:expr, $db:ident => $work:expr) => {{
        let mut client = $store.client().await?;
        let done = async {
            let transaction = client.transaction().await?;
            let $db = &transaction;
            let done = $work.await?;
            transaction.commit().await?;
            Ok(done)
        };
        $store.noting(done.await)
    }};
}

pub(crate) use {in_transaction, with_client};

/// Begins a transaction that reads one snapshot.
async fn snapshot(client: &mut Client) -> Result<Transaction<'_>> {
    let transaction = client.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true);
    Ok(transaction.start().await?)
}

#[async_trait]
impl JobQueue for PostgresStore {
    async fn job_submit(&self, job: NewJob) -> Result<Result<Job, SubmitRefusal>, StoreError> {
        let submitted = in_transaction!(self, db => admission::submit(db, &job, self.time.given()));
        if let Ok(Ok(job)) = &submitted {
            self.announcer.announce(Some(job.job_type));
        }
        submitted
    }

    async fn job_get(&self, org_id: Option<OrgId>, id: JobId) -> Result<Option<Job>, StoreError> {
        with_client!(self, db => jobs::get(db, org_id, id))
    }

    async fn job_list(&self, filter: JobFilter) -> Result<JobPage, StoreError> {
        let mut client = self.client().await?;
        self.noting(async { pages::list(&snapshot(&mut client).await?, &filter).await }.await)
    }

    async fn job_claim(&self, kinds: &[JobType], worker: &str, lease: Duration) -> Result<Option<Claim>, StoreError> {
        let mut client = self.client().await?;
        let weights = Arc::clone(&self.weights.read().unwrap_or_else(PoisonError::into_inner));
        let claimant = Claimant { worker, kinds, lease: milliseconds(lease), weights: &weights };
        self.noting(turns::claim(&mut client, &claimant, &self.time).await)
    }

    fn plan_weights_set(&self, weights: BTreeMap<String, u32>) {
        *self.weights.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(weights.into());
    }

    async fn job_heartbeat(&self, held: &Lease, lease: Duration) -> Result<(), StoreError> {
        with_client!(self, db => jobs::heartbeat(db, held, self.time.given(), milliseconds(lease)))
    }

    async fn job_complete(&self, held: &Lease, output: JobOutput) -> Result<(), StoreError> {
        in_transaction!(self, db => async {
            jobs::publish(db, held, &output, self.time.now(db).await?, JobEvent::Complete).await
        })
    }

    async fn job_ask_input(&self, held: &Lease, output: JobOutput) -> Result<(), StoreError> {
        in_transaction!(self, db => async {
            jobs::publish(db, held, &output, self.time.now(db).await?, JobEvent::AskInput).await
        })
    }

    async fn job_fail(&self, held: &Lease, failure: Failure) -> Result<(), StoreError> {
        in_transaction!(self, db => async { jobs::fail(db, held, &failure, self.time.now(db).await?).await })
    }

    async fn job_is_held(&self, held: &Lease) -> Result<bool, StoreError> {
        with_client!(self, db => jobs::is_held(db, held))
    }

    async fn job_cancel(&self, org_id: OrgId, id: JobId) -> Result<Option<Job>, StoreError> {
        in_transaction!(self, db => async { jobs::cancel(db, org_id, id, self.time.now(db).await?).await })
    }

    async fn job_retry(&self, held: &Lease, wait: Duration) -> Result<(), StoreError> {
        with_client!(self, db => jobs::hand_back(db, held, self.time.given(), milliseconds(wait), true))
    }

    async fn job_release(&self, held: &Lease) -> Result<(), StoreError> {
        with_client!(self, db => jobs::hand_back(db, held, self.time.given(), 0, false))?;
        self.announcer.announce(None);
        Ok(())
    }

    fn job_wakes(&self, kinds: &[JobType]) -> Option<watch::Receiver<Wakes>> {
        Some(wakes::listen(&self.url, kinds))
    }

    async fn job_delete(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        in_transaction!(self, db => async { jobs::delete(db, id, self.time.now(db).await?).await })
    }

    async fn job_has_active_child(&self, parent: JobId) -> Result<bool, StoreError> {
        with_client!(self, db => jobs::has_active_child(db, parent))
    }

    async fn job_listing_notes(
        &self,
        org_id: OrgId,
        kind: JobType,
        listing: &str,
        limit: u32,
    ) -> Result<Vec<Map<String, Value>>, StoreError> {
        with_client!(self, db => pages::notes(db, org_id, kind, listing, limit))
    }
}

#[async_trait]
impl TenantStore for PostgresStore {
    async fn org_create(&self, name: &str, plan: &str) -> Result<Organization, StoreError> {
        with_client!(self, db => async { organizations::create(db, name, plan, self.time.now(db).await?).await })
    }

    async fn org_change(&self, id: OrgId, changes: OrgChanges) -> Result<Option<Organization>, StoreError> {
        in_transaction!(self, db => organizations::change(db, id, &changes))
    }

    async fn org_get(&self, id: OrgId) -> Result<Option<Organization>, StoreError> {
        with_client!(self, db => organizations::get(db, id))
    }

    async fn org_list(&self) -> Result<Vec<Organization>, StoreError> {
        with_client!(self, db => organizations::list(db))
    }

    async fn quota_used(&self, org_id: OrgId, at: Timestamp) -> Result<u64, StoreError> {
        with_client!(self, db => quota::used(db, org_id, at))
    }

    async fn key_create(
        &self,
        org_id: OrgId,
        key: &ApiKey,
        scopes: Scopes,
        expires_at: Option<Timestamp>,
    ) -> Result<KeyRecord, StoreError> {
        with_client!(self, db => async {
            keys::create(db, org_id, key, (scopes, expires_at), self.time.now(db).await?).await
        })
    }

    async fn key_create_within(
        &self,
        org_id: OrgId,
        key: &ApiKey,
        terms: (Scopes, Option<Timestamp>),
        limit: u32,
    ) -> Result<Option<KeyRecord>, StoreError> {
        in_transaction!(self, db => keys::create_within(db, org_id, key, terms, (limit, self.time.given())))
    }

    async fn key_list(&self, org_id: Option<OrgId>) -> Result<Vec<KeyRecord>, StoreError> {
        with_client!(self, db => keys::list(db, org_id))
    }

    async fn key_revoke(&self, id: KeyId) -> Result<bool, StoreError> {
        with_client!(self, db => keys::revoke(db, id, self.time.given()))
    }

    async fn key_expire(&self, id: KeyId, at: Timestamp) -> Result<bool, StoreError> {
        with_client!(self, db => keys::expire(db, id, at))
    }

    async fn key_find(&self, hash: KeyHash) -> Result<Option<Credentials>, StoreError> {
        with_client!(self, db => keys::find(db, hash, self.time.given()))
    }
}

#[async_trait]
impl UsageStore for PostgresStore {
    async fn usage_list(
        &self,
        org_id: OrgId,
        range: UsageRange,
        after: Option<UsageCursor>,
        limit: u32,
    ) -> Result<Vec<UsageEvent>, StoreError> {
        with_client!(self, db => usage::list(db, org_id, range, after, limit))
    }

    async fn usage_sums(&self, range: UsageRange) -> Result<Vec<UsageSum>, StoreError> {
        with_client!(self, db => usage::sums(db, range))
    }
}

#[async_trait]
impl IdempotencyStore for PostgresStore {
    async fn answer_find(&self, org_id: OrgId, key: &IdempotencyKey) -> Result<Option<Replay>, StoreError> {
        with_client!(self, db => idempotency::find(db, org_id, key, self.time.given()))
    }

    async fn answer_record(
        &self,
        org_id: OrgId,
        key: &IdempotencyKey,
        answer: RecordedAnswer,
    ) -> Result<(), StoreError> {
        in_transaction!(self, db => async {
            idempotency::record(db, org_id, key, &answer, self.time.now(db).await?).await
        })
    }
}

#[async_trait]
impl MarkupStore for PostgresStore {
    async fn markup_select(&self, org_id: OrgId, id: JobId, orientation: &str) -> Result<Option<Job>, StoreError> {
        in_transaction!(self, db => async {
            markup::select(db, org_id, id, orientation, self.time.now(db).await?).await
        })
    }

    async fn markup_annotate(
        &self,
        org_id: OrgId,
        id: JobId,
        annotation: Annotation,
    ) -> Result<Option<Job>, StoreError> {
        in_transaction!(self, db => async {
            markup::annotate(db, org_id, id, &annotation, self.time.now(db).await?).await
        })
    }
}

#[async_trait]
impl MaintenanceStore for PostgresStore {
    async fn store_check(&self) -> Result<(), StoreError> {
        self.damage.check()?;
        with_client!(self, db => async {
            pool::row(db, "SELECT 1", &[]).await?;
            Ok::<_, Error>(())
        })
    }

    async fn store_check_use(&self) -> Result<(), StoreError> {
        self.damage.check()?;
        let client = self.client().await?;
        self.noting(health::check_use(&client, &self.written, self.time.given()).await)
    }

    async fn store_verify(&self) -> Result<(), StoreError> {
        let client = self.client().await?;
        self.noting(health::verify(&client).await)
    }

    async fn queue_stats(&self) -> Result<QueueStats, StoreError> {
        let mut client = self.client().await?;
        self.noting(async { stats::queue(&snapshot(&mut client).await?).await }.await)
    }

    async fn store_size(&self) -> Result<StoreSize, StoreError> {
        with_client!(self, db => stats::size(db))
    }

    async fn stage_time_add(&self, kind: JobType, stages: Vec<(String, Duration)>) -> Result<(), StoreError> {
        in_transaction!(self, db => stats::add_stage_time(db, kind, stages))
    }

    async fn duty_acquire(&self, name: &str, holder: &str, duration: Duration) -> Result<bool, StoreError> {
        with_client!(self, db => retention::duty_acquire(db, name, holder, self.time.given(), milliseconds(duration)))
    }

    async fn job_expire(&self, org_id: OrgId, keep: Duration, limit: u32) -> Result<Vec<JobId>, StoreError> {
        in_transaction!(self, db => retention::expire(db, org_id, milliseconds(keep), limit, self.time.given()))
    }

    async fn leftovers_expect(&self, org_id: OrgId, job_id: JobId, wait: Duration) -> Result<(), StoreError> {
        with_client!(self, db => leftovers::expect(db, (org_id, job_id), self.time.given(), milliseconds(wait)))
    }

    async fn leftovers_due(&self, limit: u32) -> Result<Vec<Leftovers>, StoreError> {
        with_client!(self, db => leftovers::due(db, self.time.given(), limit))
    }

    async fn leftovers_clear(&self, cleared: &[Leftovers]) -> Result<(), StoreError> {
        with_client!(self, db => leftovers::clear(db, cleared))
    }

    async fn link_secret_init(&self, proposed: &LinkSecret) -> Result<LinkSecret, StoreError> {
        with_client!(self, db => secrets::init_link_secret(db, proposed, self.time.given()))
    }

    async fn authority_init(&self, proposed: &AuthoritySecret) -> Result<AuthoritySecret, StoreError> {
        with_client!(self, db => secrets::init_authority(db, proposed, self.time.given()))
    }
}

#[async_trait]
impl NodeStore for PostgresStore {
    async fn node_beat(&self, node: &Node) -> Result<(), StoreError> {
        with_client!(self, db => nodes::beat(db, node, self.time.given()))
    }

    async fn node_remove(&self, name: &str) -> Result<(), StoreError> {
        with_client!(self, db => nodes::remove(db, name))
    }

    async fn node_list(&self) -> Result<Vec<SeenNode>, StoreError> {
        with_client!(self, db => nodes::list(db, self.time.given()))
    }

    fn store_connections(&self) -> Option<StoreConnections> {
        Some(self.pool.connections())
    }
}

#[async_trait]
impl UploadStore for PostgresStore {
    async fn upload_create(
        &self,
        new: NewUpload,
        limits: UploadLimits,
        keep: Duration,
    ) -> Result<Result<Upload, UploadRefusal>, StoreError> {
        let times = (self.time.given(), milliseconds(keep));
        in_transaction!(self, db => uploads::create(db, &new, limits, times))
    }

    async fn upload_get(&self, org_id: OrgId, id: UploadId) -> Result<Option<Upload>, StoreError> {
        with_client!(self, db => uploads::get(db, org_id, id, self.time.given()))
    }

    async fn upload_append(
        &self,
        org_id: OrgId,
        id: UploadId,
        part: UploadPart,
        keep: Duration,
    ) -> Result<Result<Upload, UploadRefusal>, StoreError> {
        in_transaction!(self, db => async {
            let times = (self.time.now(db).await?.as_millisecond(), milliseconds(keep));
            uploads::append(db, org_id, id, part, times).await
        })
    }

    async fn upload_complete(
        &self,
        org_id: OrgId,
        id: UploadId,
        photo: UploadedPhoto,
        keep: Duration,
    ) -> Result<Option<Upload>, StoreError> {
        let times = (self.time.given(), milliseconds(keep));
        in_transaction!(self, db => uploads::complete(db, org_id, id, &photo, times))
    }

    async fn upload_use(&self, org_id: OrgId, id: UploadId, keep: Duration) -> Result<Option<Upload>, StoreError> {
        with_client!(self, db => uploads::renew(db, org_id, id, (self.time.given(), milliseconds(keep))))
    }

    async fn upload_delete(&self, org_id: OrgId, id: UploadId) -> Result<bool, StoreError> {
        in_transaction!(self, db => async {
            uploads::delete(db, org_id, id, self.time.now(db).await?.as_millisecond()).await
        })
    }

    async fn upload_expire(&self, limit: u32) -> Result<usize, StoreError> {
        in_transaction!(self, db => async {
            uploads::expire(db, limit, self.time.now(db).await?.as_millisecond()).await
        })
    }

    async fn upload_files(&self, org_id: OrgId, id: UploadId) -> Result<Vec<String>, StoreError> {
        with_client!(self, db => uploads::files(db, org_id, id))
    }

    async fn upload_bytes_used(&self, org_id: OrgId, at: Timestamp) -> Result<u64, StoreError> {
        with_client!(self, db => uploads::bytes_used(db, org_id, at))
    }
}

#[async_trait]
impl PackStore for PostgresStore {
    async fn pack_add(&self, id: ContentHash, manifest: &str) -> Result<Result<(), PackRefusal>, StoreError> {
        in_transaction!(self, db => packs::add(db, id, manifest, self.time.given()))
    }

    async fn pack_publish(&self, id: ContentHash) -> Result<Result<(), PackRefusal>, StoreError> {
        in_transaction!(self, db => packs::publish(db, id, self.time.given()))
    }

    async fn pack_use(&self, id: Option<ContentHash>) -> Result<Result<(), PackRefusal>, StoreError> {
        in_transaction!(self, db => packs::set_current(db, id, self.time.given()))
    }

    async fn pack_current(&self) -> Result<Option<ContentHash>, StoreError> {
        with_client!(self, db => packs::current(db))
    }

    async fn pack_list(&self) -> Result<Vec<Pack>, StoreError> {
        with_client!(self, db => packs::list(db))
    }

    async fn pack_remove(&self, id: ContentHash) -> Result<Result<(), PackRefusal>, StoreError> {
        in_transaction!(self, db => packs::remove(db, id, self.time.given()))
    }

    async fn pack_forget(&self, id: ContentHash) -> Result<(), StoreError> {
        with_client!(self, db => packs::forget(db, id))
    }

    async fn job_pack_set(&self, held: &Lease, pack: Option<ContentHash>) -> Result<(), StoreError> {
        with_client!(self, db => jobs::set_pack(db, held, pack))
    }
}

#[async_trait]
impl Limiter for PostgresStore {
    async fn request_admit(&self, counted: Counted, limits: RateLimits) -> Result<Verdict, StoreError> {
        if let Some(verdict) = self.remembered.verdict(counted, limits) {
            return Ok(verdict);
        }
        let client = self.client().await?;
        // Others may have been refused while this one waited for a connection.
        if let Some(verdict) = self.remembered.verdict(counted, limits) {
            return Ok(verdict);
        }
        let asked = Instant::now();
        let counts = self.noting(limits::admit(&client, counted, limits, self.time.given()).await)?;
        if self.may_remember() {
            self.remembered.counted(counted, limits, counts, asked);
        }
        Ok(counts.verdict(limits))
    }

    async fn debt_add(&self, debtor: Debtor, cost: Duration, most: Duration) -> Result<Duration, StoreError> {
        if self.remembered.owes_most(debtor) {
            return Ok(most);
        }
        let client = self.client().await?;
        if self.remembered.owes_most(debtor) {
            return Ok(most);
        }
        let asked = Instant::now();
        let amounts = (microseconds(cost), microseconds(most));
        let debt = self.noting(limits::owe(&client, debtor, amounts, self.time.given()).await)?;
        let debt = Duration::from_micros(u64::try_from(debt).unwrap_or(0)).min(most);
        if self.may_remember() {
            self.remembered.owes(debtor, debt, (cost, most), asked);
        }
        Ok(debt)
    }

    async fn limiter_sweep(&self) -> Result<(), StoreError> {
        with_client!(self, db => limits::sweep(db, self.time.given()))
    }
}
