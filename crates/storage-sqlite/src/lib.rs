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
mod job_rows;
mod jobs;
mod key_cache;
mod leftovers;
mod listings;
mod maintenance;
mod migrations;
mod operators;
mod packs;
mod pages;
mod permissions;
mod quota;
mod reader;
mod rows;
mod sessions;
mod share_links;
mod tenant_rows;
mod tenants;
#[cfg(feature = "testing")]
pub mod testing;
mod truth_pages;
mod turns;
mod uploads;
mod webhooks;
mod writer;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use aerie_domain::Clock;
use aerie_storage::StoreError;
use aerie_storage::backend::Damage;

pub use backup::{DatabaseSummary, check_copy, check_database, copy_database, for_each_kept_media};
use connection::connect;
pub use export::Export;
#[cfg(feature = "testing")]
use testing::{KeyCache, Readers, Writer};
#[cfg(not(feature = "testing"))]
use {key_cache::KeyCache, reader::Readers, writer::Writer};

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
