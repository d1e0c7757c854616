//! The one thread that writes, and its group commit.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::oneshot;

use crate::StoreError;

/// Most writes in one transaction: a bound on how long the first of them waits for the last.
const MOST_IN_ONE_COMMIT: usize = 256;

/// As many writes in the last commit mean that more are on their way, and worth a wait.
const BUSY: usize = 4;

/// How long a commit waits for more writes, then: less than an fsync takes on most disks, and where it takes less, the
/// wait is what lets many writes share one.
const GATHER: Duration = Duration::from_millis(1);

/// A write that has its reply attached.
trait Write: Send {
    /// Does the work inside the transaction; whether it is to stay.
    fn run(&mut self, db: &Connection) -> bool;
    /// Tells the caller, once it is known whether the transaction was committed.
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
    F: FnOnce(&Connection) -> Result<T, StoreError> + Send,
{
    fn run(&mut self, db: &Connection) -> bool {
        let result = self.work.take().map(|work| work(db));
        let keep = matches!(result, Some(Ok(_)));
        self.result = result;
        keep
    }

    fn reply(self: Box<Self>, committed: Result<(), StoreError>) {
        let result = match (committed, self.result) {
            // An error that needed no commit to be true is told as it is.
            (_, Some(Err(error))) | (Err(error), _) => Err(error),
            (Ok(()), Some(Ok(value))) => Ok(value),
            (Ok(()), None) => Err(StoreError::Closed),
        };
        // A caller that has gone away wants no reply.
        let _ = self.caller.send(result);
    }
}

/// Hands writes to the thread; dropping it ends the thread after what is queued.
pub(super) struct Writer {
    queue: Option<Sender<Box<dyn Write>>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn start(connection: Connection) -> Self {
        let (queue, writes) = mpsc::channel();
        let thread =
            std::thread::Builder::new().name("store-writer".into()).spawn(move || run(connection, &writes)).ok();
        Self { queue: Some(queue), thread }
    }

    /// Runs `work` in a transaction of its own or of several, and returns when it is on disk. When `work` fails,
    /// nothing of it stays.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (caller, reply) = oneshot::channel();
        let write = Box::new(Pending { work: Some(work), result: None, caller });
        let queue = self.queue.as_ref().ok_or(StoreError::Closed)?;
        queue.send(write).map_err(|_| StoreError::Closed)?;
        reply.await.map_err(|_| StoreError::Closed)?
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
        let committed = commit(&mut connection, &mut batch, writes, gather);
        last = batch.len();
        if let Err(error) = &committed {
            tracing::error!(%error, writes = batch.len(), "writing to the database failed");
        }
        (all, commits) = (all + batch.len(), commits + 1);
        for write in batch {
            write.reply(committed.clone());
        }
    }
    tracing::info!(writes = all, commits, "the store is closed");
}

/// Runs the first write, and all that have queued up meanwhile or come within the time to gather, in one transaction.
fn commit(
    connection: &mut Connection,
    batch: &mut Vec<Box<dyn Write>>,
    writes: &Receiver<Box<dyn Write>>,
    gather: Duration,
) -> Result<(), StoreError> {
    let until = Instant::now() + gather;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut next = 0;
    while next < batch.len() {
        // Cached, which rusqlite's own savepoints are not.
        let now = |sql| transaction.prepare_cached(sql).and_then(|mut statement| statement.execute([]));
        now("SAVEPOINT one_write")?;
        if !batch[next].run(&transaction) {
            if transaction.is_autocommit() {
                // A full disk makes SQLite roll the whole transaction back: what ran before is gone as well.
                return Err(StoreError::Full);
            }
            now("ROLLBACK TO one_write")?;
        }
        now("RELEASE one_write")?;
        next += 1;
        if batch.len() < MOST_IN_ONE_COMMIT {
            batch.extend(following(writes, until));
        }
    }
    Ok(transaction.commit()?)
}

/// The next write, if there is one now or comes in time.
fn following(writes: &Receiver<Box<dyn Write>>, until: Instant) -> Option<Box<dyn Write>> {
    let wait = until.saturating_duration_since(Instant::now());
    if wait.is_zero() { writes.try_recv().ok() } else { writes.recv_timeout(wait).ok() }
}
