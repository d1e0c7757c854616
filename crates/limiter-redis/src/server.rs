//! The server of a limiter: connected, or away until a new connection answers.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use redis::{RedisError, RedisResult};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use crate::connection::{Connection, explain, is_away};
use crate::url::RedisUrl;

/// The wait between attempts to connect. It doubles up to the second value while connections are lost soon.
const WAITS: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(8));

/// A connection that lasted so long was not lost soon.
const LASTING: Duration = Duration::from_secs(30);

pub(crate) struct Server {
    url: RedisUrl,
    /// Within which each call has to be answered.
    within: Duration,
    connected: Mutex<Option<Arc<Connected>>>,
    lost: Notify,
}

struct Connected {
    connection: Connection,
    since: Instant,
}

/// Why there is no connection.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It took too long.
    Slow(Duration),
    /// The server refused, or could not be reached.
    Redis(RedisError),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Slow(within) => write!(f, "no response within {within:?}"),
            Self::Redis(error) => f.write_str(&explain(error)),
        }
    }
}

impl Server {
    pub(crate) fn new(url: &RedisUrl, within: Duration) -> Self {
        Self { url: url.clone(), within, connected: Mutex::default(), lost: Notify::new() }
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.get().is_some()
    }

    fn get(&self) -> Option<Arc<Connected>> {
        self.connected.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Connects. The server has to answer one more request as fast as every request has to be answered.
    pub(crate) async fn connect(&self) -> Result<(), Fault> {
        let connection = connect(&self.url, self.within).await?;
        let connected = Connected { connection, since: Instant::now() };
        *self.connected.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(connected));
        Ok(())
    }

    /// Calls the server; returns nothing while it is away. A call that fails, or takes too long, means that it is away.
    pub(crate) async fn call<T, F>(&self, work: impl FnOnce(Connection) -> F) -> Option<T>
    where
        F: Future<Output = RedisResult<T>>,
    {
        let connected = self.get()?;
        let fault = match timeout(self.within, work(connected.connection.clone())).await {
            Ok(Ok(answer)) => return Some(answer),
            Ok(Err(error)) => Fault::Redis(error),
            Err(_) => Fault::Slow(self.within),
        };
        self.lose(&connected, &fault);
        None
    }

    /// Of the calls that a connection fails, the first one closes it.
    fn lose(&self, failed: &Arc<Connected>, fault: &Fault) {
        let mut connected = self.connected.lock().unwrap_or_else(PoisonError::into_inner);
        if connected.as_ref().is_some_and(|connected| Arc::ptr_eq(connected, failed)) {
            *connected = None;
            drop(connected);
            self.lost.notify_one();
            log_away(&self.url, fault);
        }
    }

    /// Connects again whenever the connection is lost.
    pub(crate) async fn keep_connected(&self) {
        let (mut wait, mut is_refused) = (WAITS.0, false);
        loop {
            while let Some(connected) = self.get() {
                self.lost.notified().await;
                wait = if connected.since.elapsed() > LASTING { WAITS.0 } else { (2 * wait).min(WAITS.1) };
            }
            sleep(wait).await;
            match self.connect().await {
                Ok(()) => {
                    is_refused = false;
                    tracing::info!(server = %self.url, "the server of [limiter] url is back: requests are counted there again");
                }
                // Waiting does not help: a password was changed, say.
                Err(Fault::Redis(error)) if !is_away(&error) && !is_refused => {
                    is_refused = true;
                    log_away(&self.url, &Fault::Redis(error));
                }
                Err(_) => {}
            }
        }
    }
}

/// Connects, with a call that has to be answered in time.
pub(crate) async fn connect(url: &RedisUrl, within: Duration) -> Result<Connection, Fault> {
    let at_most = 8 * within;
    let opened = timeout(at_most, Connection::open(url, within)).await.map_err(|_| Fault::Slow(at_most))?;
    let connection = opened.map_err(Fault::Redis)?;
    let probed = timeout(within, connection.clone().probe()).await.map_err(|_| Fault::Slow(within))?;
    probed.map_err(Fault::Redis)?;
    Ok(connection)
}

pub(crate) fn log_away(url: &RedisUrl, fault: &Fault) {
    tracing::warn!(
        server = %url,
        %fault,
        "the server of [limiter] url is away: until it is back, requests are counted where the database is; check the server \
         and [limiter] url"
    );
}
