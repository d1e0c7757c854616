//! Reading: looking up single rows at once, on whichever thread asks, and longer reads on a few threads of their own.
//!
//! A row by its key is a few microseconds' work, less than it takes to wake another thread.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::StoreError;

type Read = Box<dyn FnOnce(&Connection) + Send>;

/// Connections for look-ups at once; as many threads at a time find one without waiting.
const AT_ONCE: usize = 8;

/// Hands reads to the threads; dropping it ends them.
pub(super) struct Readers {
    at_once: Mutex<Vec<Connection>>,
    queue: Option<Sender<Read>>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    /// Threads that read, as many as said, over connections of `connect`.
    pub(super) fn start(
        threads: usize,
        connect: impl Fn() -> Result<Connection, StoreError>,
    ) -> Result<Self, StoreError> {
        let connections = (0..threads).map(|_| connect()).collect::<Result<Vec<_>, StoreError>>()?;
        let at_once = (0..AT_ONCE).map(|_| {
            let connection = connect()?;
            // The thread that asks has others to serve: it is not to wait for anybody.
            connection.busy_timeout(Duration::ZERO)?;
            Ok(connection)
        });
        let at_once = Mutex::new(at_once.collect::<Result<Vec<_>, StoreError>>()?);
        let (queue, reads) = mpsc::channel::<Read>();
        let reads = Arc::new(Mutex::new(reads));
        let threads = connections
            .into_iter()
            .filter_map(|connection| {
                let reads = Arc::clone(&reads);
                std::thread::Builder::new().name("store-reader".into()).spawn(move || run(&connection, &reads)).ok()
            })
            .collect();
        Ok(Self { at_once, queue: Some(queue), threads })
    }

    /// Looks one row up: `work` is a single statement that finds its row by an index.
    pub(super) async fn look_up<T: Send + 'static>(
        &self,
        work: impl Fn(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let free = || self.at_once.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = free().pop();
        if let Some(connection) = connection {
            let result = work(&connection);
            free().push(connection);
            // Somebody holds the file for a moment: the threads wait for it.
            if !matches!(result, Err(StoreError::Busy)) {
                return result;
            }
        }
        self.read(work).await
    }

    /// Runs `work` in a read transaction: all that it sees is one snapshot.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (caller, reply) = oneshot::channel();
        let read: Read = Box::new(move |db| {
            let result = in_snapshot(db, work);
            let _ = caller.send(result);
        });
        let queue = self.queue.as_ref().ok_or(StoreError::Closed)?;
        queue.send(read).map_err(|_| StoreError::Closed)?;
        reply.await.map_err(|_| StoreError::Closed)?
    }
}

fn in_snapshot<T>(db: &Connection, work: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
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
        // The lock is held while waiting: the others wait for the lock instead of the queue, which comes to the same.
        let read = reads.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match read {
            Ok(read) => read(connection),
            Err(_) => return,
        }
    }
}
