//! Wakes the workers of the kind on all machines after a submit, by `NOTIFY` and `LISTEN`.
//!
//! Never in the transaction of a submit: a transaction that notifies holds a lock of the whole server until it is committed, so
//! that submits would be committed one by one. Workers poll, too; a lost notification only delays a job.
//!
//! # Invariants
//!
//! - A submit wakes the workers of its kind at once; many submits share one notification. Tests:
//!   `a_submit_on_one_node_wakes_another_at_once_and_many_are_reported_together`, `a_submit_wakes_only_workers_of_its_kind`,
//!   `a_node_that_loses_the_connection_by_which_it_listens_opens_another`.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::mem::take;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aerie_domain::JobType;
use aerie_storage::Wakes;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio_postgres::{AsyncMessage, Client, Connection, NoTls};

use crate::error::{Error, Result};
use crate::pool::{Pool, row};
use crate::tls::Tls;
use crate::url::{Encryption, PostgresUrl};

/// Sends a notification with the kinds of the jobs, separated by commas; none: jobs of any kind. It need not be on disk, and must not wait for a standby.
const SEND: &str = "SELECT set_config('synchronous_commit', 'off', true), pg_notify('aerie_jobs', $1)";

const LISTEN: &str = "LISTEN aerie_jobs";

/// Time between two notifications of one process. The first submit after a pause is announced at once.
const SPACING: Duration = Duration::from_millis(50);

/// Interval and timeout of the check that the connection is not half open.
const CHECK_EVERY: Duration = Duration::from_secs(15);
const CHECK_TIMEOUT: Duration = Duration::from_secs(10);

/// Time before a lost connection is replaced: doubles each time.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Jobs that the next notification announces.
#[derive(Debug, Default)]
struct Announced {
    kinds: BTreeSet<JobType>,
    of_any_kind: bool,
}

impl Announced {
    /// What the notification says.
    fn payload(&self) -> String {
        if self.of_any_kind {
            return String::new();
        }
        self.kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(",")
    }
}

/// Whether a notification announces jobs of one of these kinds.
fn concerns(payload: &str, kinds: &[&str]) -> bool {
    payload.is_empty() || payload.split(',').any(|kind| kinds.contains(&kind))
}

/// Announces submits until it is dropped.
pub(crate) struct Announcer {
    due: Arc<Notify>,
    jobs: Arc<Mutex<Announced>>,
    sending: JoinHandle<()>,
}

impl Announcer {
    pub(crate) fn start(pool: Pool) -> Self {
        let due = Arc::new(Notify::new());
        let jobs = Arc::new(Mutex::new(Announced::default()));
        let (submitted, submitted_jobs) = (Arc::clone(&due), Arc::clone(&jobs));
        let send = async move {
            loop {
                submitted.notified().await;
                let payload = take(&mut *lock(&submitted_jobs)).payload();
                let sent = async { row(&pool.client().await?, SEND, &[&payload]).await }.await;
                if let Err(Error(error)) = sent {
                    tracing::debug!(%error, "workers were not notified of a job: they poll");
                }
                tokio::time::sleep(SPACING).await;
            }
        };
        Self { due, jobs, sending: tokio::spawn(send) }
    }

    /// Announces that a job can be claimed, of this kind or, without one, of any. Does not wait.
    pub(crate) fn announce(&self, kind: Option<JobType>) {
        {
            let mut jobs = lock(&self.jobs);
            jobs.of_any_kind |= kind.is_none();
            jobs.kinds.extend(kind);
        }
        // Several before the next notification count as one.
        self.due.notify_one();
    }
}

fn lock(jobs: &Mutex<Announced>) -> MutexGuard<'_, Announced> {
    jobs.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Announcer {
    fn drop(&mut self) {
        self.sending.abort();
    }
}

/// Listens for jobs of these kinds on a connection of its own, which is replaced when it is lost, until all receivers are dropped.
pub(crate) fn listen(url: &PostgresUrl, kinds: &[JobType]) -> watch::Receiver<Wakes> {
    let (wakes, receiver) = watch::channel(Wakes::default());
    let url = url.clone();
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    tokio::spawn(async move {
        let mut wait = FIRST_WAIT;
        while !wakes.is_closed() {
            let lost = tokio::select! {
                lost = session(&url, &kinds, &wakes) => lost,
                () = wakes.closed() => return,
            };
            let why = lost.err().map_or_else(|| "closed by the server".to_owned(), |Error(error)| error.to_string());
            let was_listening = wakes.borrow().is_listening;
            wakes.send_modify(|wakes| wakes.is_listening = false);
            wait = if was_listening { FIRST_WAIT } else { (wait * 2).min(LONGEST_WAIT) };
            tracing::warn!(why, "cannot listen for new jobs: polling for them instead");
            tokio::time::sleep(wait).await;
        }
    });
    receiver
}

/// Connects and listens until the connection is lost.
async fn session(url: &PostgresUrl, kinds: &[&str], wakes: &watch::Sender<Wakes>) -> Result<()> {
    match &url.encryption {
        Encryption::Off => {
            let (client, connection) = url.config.connect(NoTls).await?;
            forward(&client, connection, kinds, wakes).await
        }
        Encryption::On(roots) => {
            let tls = Tls::new(roots.as_deref()).map_err(aerie_storage::StoreError::Unusable)?;
            let (client, connection) = url.config.connect(tls).await?;
            forward(&client, connection, kinds, wakes).await
        }
    }
}

async fn forward<S, T>(
    client: &Client,
    mut connection: Connection<S, T>,
    kinds: &[&str],
    wakes: &watch::Sender<Wakes>,
) -> Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    let receive = async {
        while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
            if let AsyncMessage::Notification(sent) = message?
                && concerns(sent.payload(), kinds)
            {
                wakes.send_modify(|wakes| wakes.number += 1);
            }
        }
        Ok(())
    };
    let keep = async {
        client.batch_execute(LISTEN).await?;
        // A job may have been submitted before.
        wakes.send_modify(|wakes| *wakes = Wakes { number: wakes.number + 1, is_listening: true });
        loop {
            tokio::time::sleep(CHECK_EVERY).await;
            let checked = tokio::time::timeout(CHECK_TIMEOUT, client.batch_execute("SELECT 1")).await;
            checked.map_err(|_| aerie_storage::StoreError::Backend("the server does not respond".to_owned()))??;
        }
    };
    tokio::select! {
        lost = receive => lost,
        lost = keep => lost,
    }
}
