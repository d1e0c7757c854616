//! A store whose connection fails, for tests of its callers.
//!
//! [`Writer`], [`Readers`] and [`KeyCache`] stand in front of those of a production build, so that every method passes them.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aerie_domain::KeyHash;
use aerie_storage::backend::Damage;
use aerie_storage::{Credentials, StoreError};
use rusqlite::Connection;

use crate::error::Result;
use crate::{SqliteStore, key_cache, reader, writer};

type HeldWrite = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send>>;

/// The faults of a store, as yet none.
#[derive(Default)]
pub struct Faults {
    /// Writes that are answered before replies are lost.
    answered: Mutex<Option<usize>>,
    is_silent: AtomicBool,
    holds_writes: AtomicBool,
    held: Mutex<Vec<HeldWrite>>,
}

impl Faults {
    /// With a number, writes after the next so many take effect and return an error, as when the reply to a commit is lost.
    pub fn set_loses_replies_after(&self, answered: Option<usize>) {
        *locked(&self.answered) = answered;
    }

    /// Sets whether every read and write waits forever, as with a server that has vanished.
    pub fn set_silent(&self, is_silent: bool) {
        self.is_silent.store(is_silent, Ordering::SeqCst);
    }

    /// Sets whether writes return an error, and take effect only with [`Faults::write_held`], as when they arrive after the
    /// connection was lost.
    pub fn set_holds_writes(&self, holds: bool) {
        self.holds_writes.store(holds, Ordering::SeqCst);
    }

    /// Runs the writes that were held, in order, and returns their results.
    pub async fn write_held(&self) -> Vec<Result<(), StoreError>> {
        let held = std::mem::take(&mut *locked(&self.held));
        let mut results = Vec::new();
        for write in held {
            results.push(write.await);
        }
        results
    }

    async fn answer(&self) {
        if self.is_silent.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
    }

    fn loses_reply(&self) -> bool {
        match &mut *locked(&self.answered) {
            None => false,
            Some(0) => true,
            Some(left) => {
                *left -= 1;
                false
            }
        }
    }
}

fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

fn lost() -> StoreError {
    StoreError::Backend("the connection was lost".into())
}

impl SqliteStore {
    /// The same store with these faults.
    #[must_use]
    pub fn with_faults(mut self, faults: &Arc<Faults>) -> Self {
        self.writer.faults = Arc::clone(faults);
        self.readers.faults = Arc::clone(faults);
        self.keys.faults = Arc::clone(faults);
        self
    }
}

pub(crate) struct Writer {
    writer: Arc<writer::Writer>,
    faults: Arc<Faults>,
}

impl Writer {
    pub(crate) fn start(connection: Connection, damage: Arc<Damage>) -> Self {
        Self { writer: Arc::new(writer::Writer::start(connection, damage)), faults: Arc::default() }
    }

    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.faults.answer().await;
        if self.faults.holds_writes.load(Ordering::SeqCst) {
            let writer = Arc::clone(&self.writer);
            let write = Box::pin(async move { writer.write(work).await.map(drop) });
            locked(&self.faults.held).push(write);
            return Err(lost());
        }
        let written = self.writer.write(work).await;
        if self.faults.loses_reply() { Err(lost()) } else { written }
    }
}

pub(crate) struct Readers {
    readers: reader::Readers,
    faults: Arc<Faults>,
}

impl Readers {
    pub(crate) fn start(threads: usize, damage: Arc<Damage>, connect: impl Fn() -> Result<Connection>) -> Result<Self> {
        Ok(Self { readers: reader::Readers::start(threads, damage, connect)?, faults: Arc::default() })
    }

    pub(crate) async fn look_up<T: Send + 'static>(
        &self,
        work: impl Fn(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.faults.answer().await;
        self.readers.look_up(work).await
    }

    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.faults.answer().await;
        self.readers.read(work).await
    }
}

pub(crate) struct KeyCache {
    keys: key_cache::KeyCache,
    faults: Arc<Faults>,
}

impl KeyCache {
    pub(crate) fn new(connection: Connection) -> Result<Self> {
        Ok(Self { keys: key_cache::KeyCache::new(connection)?, faults: Arc::default() })
    }

    /// Finds nothing while the store is silent, so that the caller looks the key up and waits.
    pub(crate) fn find(&self, hash: KeyHash, now: i64) -> Option<Option<Credentials>> {
        if self.faults.is_silent.load(Ordering::SeqCst) { None } else { self.keys.find(hash, now) }
    }
}
