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
mod job_rows;
mod jobs;
mod leftovers;
mod limiter;
mod limits;
mod listings;
mod maintenance;
mod memory;
mod migrations;
mod operators;
mod packs;
mod pages;
mod pool;
mod pooling;
mod quota;
mod rows;
mod sessions;
mod share_links;
mod tenants;
#[cfg(feature = "testing")]
pub mod testing;
mod time;
mod tls;
mod truth_pages;
mod turns;
mod uploads;
mod url;
mod wakes;
mod webhooks;

use std::sync::{Arc, RwLock};

use aerie_storage::StoreError;
use aerie_storage::backend::Damage;
use deadpool_postgres::{Client, Transaction};
use tokio_postgres::IsolationLevel;

use error::Result;
pub use import::Import;
use migrations::MIGRATIONS;
use pool::Pool;
pub use time::TimeSource;
use turns::Weights;
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
    remembered: limits::Remembered,
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
            remembered: limits::Remembered::default(),
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
