//! Counts requests and bad keys on a Redis or Valkey server, for all nodes, and in the database while that server is away.
//!
//! Each request is one call of a script (`scripts`), which decides and counts in one step, by the clock of the server. The counts of an
//! API key are a list of times, of about 10 bytes for each request of the last minute, and the count of the day; they expire by
//! themselves.
//!
//! A call that fails or is not answered in time means that the server is away (`server`). The node then counts with another limiter,
//! that of the database, until the server answers again. Each side counts by itself; a node subtracts what it knows of one side
//! from the limits on the other (`known`). A single node therefore never admits more than the limits say. Of several
//! nodes, one does not know the requests that others were admitted after its own last request of the key: at most as many
//! again as the limits say.
mod connection;
mod info;
mod known;
mod scripts;
mod server;
mod url;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_domain::{Clock, KeyId, RateLimits};
use aerie_storage::{Limiter, StoreError, Verdict};
use async_trait::async_trait;
use tokio::task::JoinHandle;

use connection::is_away;
use known::Known;
use server::{Fault, Server, log_away};
pub use url::RedisUrl;

/// Time within which a server has to answer.
pub const TIMEOUT: Duration = Duration::from_millis(250);

/// Counts on a server and, while it is away, with another limiter.
pub struct RedisLimiter {
    server: Arc<Server>,
    fallback: Arc<dyn Limiter>,
    /// What this node knows of the counts of each.
    by_server: Known,
    by_fallback: Known,
    /// The time, instead of that of the server.
    clock: Option<Arc<dyn Clock>>,
    connecting: JoinHandle<()>,
}

/// A server that can count, as `aerie doctor` reports it.
#[derive(Debug, Clone)]
pub struct Checked {
    /// Name and version.
    pub version: String,
    /// Settings to change: some lose counts.
    pub advice: Vec<&'static str>,
}

impl RedisLimiter {
    /// Connects to a server that has to answer within a time. A server that cannot be reached is logged and tried again later.
    ///
    /// # Errors
    /// When the server refuses what the URL says, such as the password. Messages name the key and never show the password.
    pub async fn open(url: &RedisUrl, fallback: Arc<dyn Limiter>, within: Duration) -> Result<Self, StoreError> {
        Self::open_with(url, fallback, within, None).await
    }

    /// Like [`open`](Self::open), with a clock for tests.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub async fn open_with(
        url: &RedisUrl,
        fallback: Arc<dyn Limiter>,
        within: Duration,
        clock: Option<Arc<dyn Clock>>,
    ) -> Result<Self, StoreError> {
        let server = Arc::new(Server::new(url, within));
        match server.connect().await {
            Ok(()) => {}
            Err(Fault::Redis(error)) if !is_away(&error) => return Err(unusable(url, &Fault::Redis(error))),
            Err(fault) => log_away(url, &fault),
        }
        let connecting = {
            let server = Arc::clone(&server);
            tokio::spawn(async move { server.keep_connected().await })
        };
        let (by_server, by_fallback) = Default::default();
        Ok(Self { server, fallback, by_server, by_fallback, clock, connecting })
    }

    /// Connects once and reports what was found.
    ///
    /// # Errors
    /// When the server cannot be reached or used, with the remedy.
    pub async fn check(url: &RedisUrl) -> Result<Checked, StoreError> {
        let connection = server::connect(url, TIMEOUT).await.map_err(|fault| unusable(url, &fault))?;
        Ok(Checked { version: connection.info.version.clone(), advice: connection.info.advice.clone() })
    }

    /// The time in microseconds, if it is not that of the server.
    fn given(&self) -> Option<i64> {
        self.clock.as_ref().map(|clock| clock.now().as_microsecond())
    }
}

impl Drop for RedisLimiter {
    fn drop(&mut self) {
        self.connecting.abort();
    }
}

fn unusable(url: &RedisUrl, fault: &Fault) -> StoreError {
    StoreError::Unusable(format!("[limiter] url: cannot count on {url}: {fault}"))
}

#[async_trait]
impl Limiter for RedisLimiter {
    async fn request_admit(&self, key: KeyId, limits: RateLimits) -> Result<Verdict, StoreError> {
        let rest = self.by_fallback.rest(key, limits, Instant::now());
        let counted = self.server.call(|server| server.admit(key, rest.limits, self.given())).await;
        if let Some(counts) = counted {
            let verdict = counts.verdict(rest.limits);
            self.by_server.learn(key, &verdict, Instant::now());
            return Ok(rest.of_plan(verdict));
        }
        let rest = self.by_server.rest(key, limits, Instant::now());
        let verdict = self.fallback.request_admit(key, rest.limits).await?;
        self.by_fallback.learn(key, &verdict, Instant::now());
        Ok(rest.of_plan(verdict))
    }

    async fn bad_key_add(&self, network: IpAddr, cost: Duration, most: Duration) -> Result<Duration, StoreError> {
        let amounts = (cost, most);
        match self.server.call(|server| server.owe(network, amounts, self.given())).await {
            Some(debt) => Ok(debt),
            None => self.fallback.bad_key_add(network, cost, most).await,
        }
    }

    /// Counts on the server expire by themselves.
    async fn limiter_sweep(&self) -> Result<(), StoreError> {
        let now = Instant::now();
        self.by_server.sweep(now);
        self.by_fallback.sweep(now);
        self.fallback.limiter_sweep().await
    }

    fn limiter_up(&self) -> Option<bool> {
        Some(self.server.is_connected())
    }
}
