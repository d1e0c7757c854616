//! A few threads that read.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::StoreError;

type Read = Box<dyn FnOnce(&Connection) + Send>;

/// Hands reads to the threads; dropping it ends them.
pub(super) struct Readers {
    queue: Option<Sender<Read>>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    pub(super) fn start(connections: Vec<Connection>) -> Self {
        let (queue, reads) = mpsc::channel::<Read>();
        let reads = Arc::new(Mutex::new(reads));
        let threads = connections
            .into_iter()
            .filter_map(|connection| {
                let reads = Arc::clone(&reads);
                std::thread::Builder::new().name("store-reader".into()).spawn(move || run(&connection, &reads)).ok()
            })
            .collect();
        Self { queue: Some(queue), threads }
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
