//! The embedded store: one SQLite file, shared by the server, its workers and the admin commands.
//!
//! One thread writes, and commits what has queued up meanwhile in one transaction, so that many submits share an fsync;
//! a few threads read, each from a snapshot of its own. Other processes' writers are waited for.
mod admission;
mod answers;
mod backup;
mod figures;
mod jobs;
mod keeping;
mod listing;
mod markup;
mod migrations;
mod organizations;
mod reader;
mod rows;
mod usage;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{
    ApiKey, Clock, Failure, Job, JobId, JobType, KeyHash, KeyId, KeyRecord, OrgChanges, OrgId, Organization, Scopes,
    UsageEvent, UsageRange,
};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use serde_json::{Map, Value};

use crate::{
    Annotation, Answer, Claim, Credentials, Earlier, JobFilter, JobOutput, JobPage, JobStore, Lease, NewJob, Once,
    QueueFigures, Refusal, StoreError, UsageCursor,
};
pub use backup::{check_database, copy_database, each_jobs_media};
use reader::Readers;
use writer::Writer;

/// How long another process's transaction is waited for.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Readers in the pool: enough that one slow listing does not keep polls waiting.
const READERS: usize = 3;

/// The embedded store.
pub struct SqliteStore {
    clock: Arc<dyn Clock>,
    writer: Writer,
    readers: Readers,
}

impl SqliteStore {
    /// Opens the database, creates it if it is not there, and brings its schema up to date.
    ///
    /// # Errors
    /// When it cannot be opened, is another program's, or has a newer schema than this version knows.
    pub fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<Self, StoreError> {
        let mut connection = connect(path)?;
        migrations::migrate(&mut connection, &path.display().to_string())?;
        let readers = Readers::start(READERS, || {
            let reader = connect(path)?;
            reader.pragma_update(None, "query_only", true)?;
            Ok(reader)
        })?;
        Ok(Self { clock, writer: Writer::start(connection), readers })
    }

    fn now(&self) -> i64 {
        self.clock.now().as_millisecond()
    }
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // A plan holds for every value of its parameters: otherwise SQLite plans some statements again at each use.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

#[async_trait]
impl JobStore for SqliteStore {
    async fn store_check(&self) -> Result<(), StoreError> {
        self.readers.read(|db| Ok(db.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?)).await
    }

    async fn store_check_writing(&self) -> Result<(), StoreError> {
        let now = self.now();
        self.writer.write(move |db| figures::check_writing(db, now)).await
    }

    async fn queue_figures(&self) -> Result<QueueFigures, StoreError> {
        self.readers.read(figures::queue).await
    }

    async fn duty_take(&self, name: &str, holder: &str, lasts: Duration) -> Result<bool, StoreError> {
        let (name, holder, now) = (name.to_owned(), holder.to_owned(), self.now());
        self.writer.write(move |db| keeping::duty_take(db, &name, &holder, now, milliseconds(lasts))).await
    }

    async fn jobs_expire(&self, org_id: OrgId, before: Timestamp, limit: u32) -> Result<Vec<JobId>, StoreError> {
        let (before, now) = (before.as_millisecond(), self.now());
        self.writer.write(move |db| keeping::expire(db, org_id, before, limit, now)).await
    }

    async fn engine_time_add(&self, kind: JobType, stages: Vec<(String, Duration)>) -> Result<(), StoreError> {
        self.writer.write(move |db| figures::add_engine_time(db, kind, &stages)).await
    }

    async fn job_submit(&self, job: NewJob) -> Result<Result<Job, Refusal>, StoreError> {
        let now = self.clock.now();
        self.writer.write(move |db| admission::submit(db, &job, now)).await
    }

    async fn job_get(&self, org_id: Option<OrgId>, id: JobId) -> Result<Option<Job>, StoreError> {
        self.readers.look_up(move |db| jobs::get(db, org_id, id)).await
    }

    async fn job_list(&self, filter: JobFilter) -> Result<JobPage, StoreError> {
        self.readers.read(move |db| listing::list(db, &filter)).await
    }

    async fn job_claim(&self, kinds: &[JobType], worker: &str, lease: Duration) -> Result<Option<Claim>, StoreError> {
        let now = self.now();
        // Idle workers ask once a second: they are not to take the one write lock for it.
        let (kinds, worker) = (kinds.to_vec(), worker.to_owned());
        let wanted = kinds.clone();
        if !self.readers.read(move |db| jobs::anything_to_claim(db, &wanted, now)).await? {
            return Ok(None);
        }
        self.writer.write(move |db| jobs::claim(db, &kinds, &worker, now, milliseconds(lease))).await
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

    async fn job_has_active_child(&self, parent: JobId) -> Result<bool, StoreError> {
        self.readers.look_up(move |db| jobs::has_active_child(db, parent)).await
    }

    async fn listing_notes(
        &self,
        org_id: OrgId,
        kind: JobType,
        listing: &str,
        limit: u32,
    ) -> Result<Vec<Map<String, Value>>, StoreError> {
        let listing = listing.to_owned();
        self.readers.read(move |db| listing::notes(db, org_id, kind, &listing, limit)).await
    }

    async fn markup_select(&self, org_id: OrgId, id: JobId, orientation: &str) -> Result<Option<Job>, StoreError> {
        let (orientation, now) = (orientation.to_owned(), self.clock.now());
        self.writer.write(move |db| markup::select(db, org_id, id, &orientation, now)).await
    }

    async fn markup_annotate(&self, org_id: OrgId, id: JobId, with: Annotation) -> Result<Option<Job>, StoreError> {
        let now = self.clock.now();
        self.writer.write(move |db| markup::annotate(db, org_id, id, &with, now)).await
    }

    async fn job_fail(&self, held: &Lease, failure: Failure) -> Result<(), StoreError> {
        let (held, now) = (held.clone(), self.now());
        self.writer.write(move |db| jobs::fail(db, &held, &failure, now)).await
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
        self.writer.write(move |db| jobs::delete(db, id)).await
    }

    async fn answer_find(&self, org_id: OrgId, once: &Once) -> Result<Option<Earlier>, StoreError> {
        let (once, now) = (once.clone(), self.clock.now());
        self.readers.look_up(move |db| answers::find(db, org_id, &once, now)).await
    }

    async fn answer_keep(&self, org_id: OrgId, once: &Once, answer: Answer) -> Result<(), StoreError> {
        let (once, now) = (once.clone(), self.clock.now());
        self.writer.write(move |db| answers::keep(db, org_id, &once, &answer, now)).await
    }

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
        self.readers.look_up(move |db| admission::quota_used(db, org_id, at)).await
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
        self.readers.look_up(move |db| organizations::key_find(db, hash, now)).await
    }

    async fn usage_list(
        &self,
        org_id: OrgId,
        range: UsageRange,
        after: Option<UsageCursor>,
        limit: u32,
    ) -> Result<Vec<UsageEvent>, StoreError> {
        self.readers.read(move |db| usage::list(db, org_id, range, after, limit)).await
    }
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 2)
}
