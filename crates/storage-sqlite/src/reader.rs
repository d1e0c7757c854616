//! Reads: single rows on the caller's thread, longer reads on threads of their own.
//!
//! Looking up a row by its key takes a few microseconds, less than waking another thread.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use aerie_storage::StoreError;
use aerie_storage::backend::Damage;
use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::error::Result;

type Read = Box<dyn FnOnce(&Connection) + Send>;

/// Connections for look-ups on callers' threads.
const LOOK_UPS: usize = 8;

/// Sends reads to the threads; dropping it ends them.
pub(crate) struct Readers {
    look_ups: Mutex<Vec<Connection>>,
    queue: Option<Sender<Read>>,
    threads: Vec<JoinHandle<()>>,
    damage: Arc<Damage>,
}

impl Readers {
    /// Starts `threads` threads, each with a connection from `connect`. Damage that they meet is recorded.
    pub(crate) fn start(threads: usize, damage: Arc<Damage>, connect: impl Fn() -> Result<Connection>) -> Result<Self> {
        let connections = (0..threads).map(|_| connect()).collect::<Result<Vec<_>>>()?;
        let look_ups = (0..LOOK_UPS).map(|_| {
            let connection = connect()?;
            // The caller's thread serves others, too, and must not wait.
            connection.busy_timeout(Duration::ZERO)?;
            Ok(connection)
        });
        let look_ups = Mutex::new(look_ups.collect::<Result<Vec<_>>>()?);
        let (queue, reads) = mpsc::channel::<Read>();
        let reads = Arc::new(Mutex::new(reads));
        let threads = connections
            .into_iter()
            .filter_map(|connection| {
                let reads = Arc::clone(&reads);
                std::thread::Builder::new().name("store-reader".into()).spawn(move || run(&connection, &reads)).ok()
            })
            .collect();
        Ok(Self { look_ups, queue: Some(queue), threads, damage })
    }

    /// Looks up one row: `work` is a single statement that finds its row by an index.
    pub(crate) async fn look_up<T: Send + 'static>(
        &self,
        work: impl Fn(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let free = || self.look_ups.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = free().pop();
        if let Some(connection) = connection {
            let result = work(&connection).map_err(StoreError::from);
            free().push(connection);
            // Another process has locked the file; the threads can wait for it.
            if !matches!(result, Err(StoreError::Busy)) {
                return result.inspect_err(|error| self.damage.record(error));
            }
        }
        self.read(work).await
    }

    /// Runs `work` in a read transaction, so that it sees one snapshot.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (caller, reply) = oneshot::channel();
        let damage = Arc::clone(&self.damage);
        let read: Read = Box::new(move |db| {
            let result = in_snapshot(db, work);
            let result = result.map_err(StoreError::from).inspect_err(|error| damage.record(error));
            let _ = caller.send(result);
        });
        let queue = self.queue.as_ref().ok_or(StoreError::Closed)?;
        queue.send(read).map_err(|_| StoreError::Closed)?;
        reply.await.map_err(|_| StoreError::Closed)?
    }
}

fn in_snapshot<T>(db: &Connection, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    let snapshot = db.unchecked_transaction()?;
    let result = work(&snapshot)?;
    snapshot.finish()?;
    Ok(result)
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.queue.take();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn run(connection: &Connection, reads: &Mutex<Receiver<Read>>) {
    loop {
        // Held while waiting: the other threads wait for the lock instead of the queue.
        let read = reads.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match read {
            Ok(read) => read(connection),
            Err(_) => return,
        }
    }
}
