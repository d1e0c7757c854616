//! The thread that writes, and its group commit.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use aerie_storage::StoreError;
use aerie_storage::backend::Damage;
use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::oneshot;

use crate::error::Result;

/// Maximum number of writes in one transaction: bounds how long the first of them waits for the last.
const MAX_BATCH: usize = 256;

/// When the last commit had this many writes, more are likely to follow: worth a wait.
const BUSY: usize = 4;

/// How long a commit then waits for more writes: less than an fsync on most disks; where an fsync is faster, the wait lets
/// many writes share one.
const GATHER: Duration = Duration::from_millis(1);

/// A write and where its result goes.
trait Write: Send {
    /// Does the work inside the transaction; returns whether to keep it.
    fn run(&mut self, db: &Connection) -> bool;
    /// Sends the result, once it is known whether the transaction was committed.
    fn reply(self: Box<Self>, committed: Result<(), StoreError>);
}

struct Pending<T, F> {
    work: Option<F>,
    result: Option<Result<T, StoreError>>,
    caller: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Write for Pending<T, F>
where
    T: Send,
    F: FnOnce(&Connection) -> Result<T> + Send,
{
    fn run(&mut self, db: &Connection) -> bool {
        let result = self.work.take().map(|work| work(db).map_err(StoreError::from));
        let keep = matches!(result, Some(Ok(_)));
        self.result = result;
        keep
    }

    fn reply(self: Box<Self>, committed: Result<(), StoreError>) {
        let result = match (committed, self.result) {
            // An error of the work itself holds whether the commit succeeded or not.
            (_, Some(Err(error))) | (Err(error), _) => Err(error),
            (Ok(()), Some(Ok(value))) => Ok(value),
            (Ok(()), None) => Err(StoreError::Closed),
        };
        // The caller may have gone away.
        let _ = self.caller.send(result);
    }
}

/// Sends writes to the thread; dropping it ends the thread once the queue is empty.
pub(crate) struct Writer {
    queue: Option<Sender<Box<dyn Write>>>,
    thread: Option<JoinHandle<()>>,
    damage: Arc<Damage>,
}

impl Writer {
    /// Starts the thread. Damage that it meets is recorded.
    pub(crate) fn start(connection: Connection, damage: Arc<Damage>) -> Self {
        let (queue, writes) = mpsc::channel();
        let thread =
            std::thread::Builder::new().name("store-writer".into()).spawn(move || run(connection, &writes)).ok();
        Self { queue: Some(queue), thread, damage }
    }

    /// Runs `work` in a transaction, perhaps together with other writes, and returns when it is on disk. When `work` fails,
    /// it is rolled back.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (caller, reply) = oneshot::channel();
        let write = Box::new(Pending { work: Some(work), result: None, caller });
        let queue = self.queue.as_ref().ok_or(StoreError::Closed)?;
        queue.send(write).map_err(|_| StoreError::Closed)?;
        reply.await.map_err(|_| StoreError::Closed)?.inspect_err(|error| self.damage.record(error))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(mut connection: Connection, writes: &Receiver<Box<dyn Write>>) {
    let (mut all, mut commits, mut last) = (0, 0, 0);
    while let Ok(first) = writes.recv() {
        let mut batch = vec![first];
        let gather = if last < BUSY { Duration::ZERO } else { GATHER };
        let committed = commit(&mut connection, &mut batch, writes, gather).map_err(StoreError::from);
        last = batch.len();
        if let Err(error) = &committed {
            tracing::error!(%error, writes = batch.len(), "writing to the database failed");
        }
        (all, commits) = (all + batch.len(), commits + 1);
        for write in batch {
            write.reply(committed.clone());
        }
    }
    tracing::info!(writes = all, commits, "store closed");
}

/// Runs the first write in one transaction with all that are queued or arrive within `gather`.
fn commit(
    connection: &mut Connection,
    batch: &mut Vec<Box<dyn Write>>,
    writes: &Receiver<Box<dyn Write>>,
    gather: Duration,
) -> Result<()> {
    let until = Instant::now() + gather;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut next = 0;
    while next < batch.len() {
        // Prepared once; rusqlite's own savepoints are not.
        let now = |sql| transaction.prepare_cached(sql).and_then(|mut statement| statement.execute([]));
        now("SAVEPOINT one_write")?;
        if !batch[next].run(&transaction) {
            if transaction.is_autocommit() {
                // On a full disk, SQLite rolls back the whole transaction, earlier writes included.
                return Err(StoreError::Full.into());
            }
            now("ROLLBACK TO one_write")?;
        }
        now("RELEASE one_write")?;
        next += 1;
        if batch.len() < MAX_BATCH {
            batch.extend(following(writes, until));
        }
    }
    Ok(transaction.commit()?)
}

/// The next write, if there is one before `until`.
fn following(writes: &Receiver<Box<dyn Write>>, until: Instant) -> Option<Box<dyn Write>> {
    let wait = until.saturating_duration_since(Instant::now());
    if wait.is_zero() { writes.try_recv().ok() } else { writes.recv_timeout(wait).ok() }
}
