//! A Redis server of a test: in a folder of its own, on a free port of this machine.

use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_domain::{KeyId, RateLimits};
use aerie_limiter_redis::{RedisLimiter, RedisUrl};
use aerie_storage::{Limiter, StoreError, Verdict};
use async_trait::async_trait;
use jiff::Timestamp;
use redis::FromRedisValue;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// Within which a server has to answer where the test is not about that: these machines are busy.
pub(crate) const PATIENT: Duration = Duration::from_secs(10);

pub(crate) const PASSWORD: &str = "s3cr3t@:/";
const ENCODED: &str = "s3cr3t%40%3A%2F";

/// A server, which is killed when it is dropped.
pub(crate) struct Server {
    pub(crate) port: u16,
    arguments: Vec<String>,
    folder: TempDir,
    process: Option<Child>,
}

impl Server {
    /// Starts a server that writes what it counts to a file.
    pub(crate) async fn start() -> Self {
        Self::start_with(&["--requirepass", PASSWORD, "--appendonly", "yes"]).await
    }

    pub(crate) async fn start_with(arguments: &[&str]) -> Self {
        let port = free_port();
        let arguments = arguments.iter().map(ToString::to_string).collect();
        let mut server = Self { port, arguments, folder: tempfile::tempdir().unwrap(), process: None };
        server.restart().await;
        server
    }

    /// Starts the process again, and waits until it accepts connections.
    pub(crate) async fn restart(&mut self) {
        let program = std::env::var("AERIE_TEST_REDIS_SERVER").unwrap_or_else(|_| "redis-server".to_owned());
        let port = self.port.to_string();
        let process = Command::new(&program)
            .args(["--bind", "127.0.0.1", "--port", &port, "--save", "", "--loglevel", "warning", "--dir"])
            .arg(self.folder.path())
            .args(&self.arguments)
            .stdout(Stdio::null())
            .spawn();
        self.process = Some(process.unwrap_or_else(|error| panic!("cannot start {program}: {error}")));
        let until = Instant::now() + Duration::from_secs(10);
        while std::net::TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_err() {
            assert!(Instant::now() < until, "{program} does not start");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    pub(crate) fn freeze(&self) {
        self.signal(Signal::STOP);
    }

    pub(crate) fn resume(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        let process = self.process.as_ref().unwrap();
        kill_process(Pid::from_child(process), signal).unwrap();
    }

    pub(crate) fn url(&self) -> RedisUrl {
        RedisUrl::parse(&format!("redis://:{ENCODED}@127.0.0.1:{}", self.port)).unwrap()
    }

    /// A limiter of a node that counts here or nowhere.
    pub(crate) async fn node(&self) -> Arc<RedisLimiter> {
        let node = RedisLimiter::open(&self.url(), Arc::new(Nowhere), PATIENT).await.unwrap();
        // A server that was restarted reads its file first.
        wait_until_up(&node, true).await;
        Arc::new(node)
    }

    /// The answer to a command.
    pub(crate) async fn ask<T: FromRedisValue>(&self, command: &[&str]) -> T {
        self.ask_as(&format!(":{ENCODED}@"), command).await
    }

    /// The answer to a command of a server without password.
    pub(crate) async fn ask_openly<T: FromRedisValue>(&self, command: &[&str]) -> T {
        self.ask_as("", command).await
    }

    async fn ask_as<T: FromRedisValue>(&self, user: &str, command: &[&str]) -> T {
        let url = format!("redis://{user}127.0.0.1:{}", self.port);
        let mut connection = redis::Client::open(url).unwrap().get_multiplexed_async_connection().await.unwrap();
        let mut asked = redis::cmd(command[0]);
        asked.arg(&command[1..]);
        asked.query_async(&mut connection).await.unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

pub(crate) fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

/// A limiter that cannot count.
pub(crate) struct Nowhere;

#[async_trait]
impl Limiter for Nowhere {
    async fn request_admit(&self, _: KeyId, _: RateLimits) -> Result<Verdict, StoreError> {
        Err(StoreError::Closed)
    }

    async fn bad_key_add(&self, _: IpAddr, _: Duration, _: Duration) -> Result<Duration, StoreError> {
        Err(StoreError::Closed)
    }

    async fn limiter_sweep(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

pub(crate) fn new_key() -> KeyId {
    KeyId::new(Timestamp::UNIX_EPOCH)
}

/// Waits until the limiter counts on its server, or no longer does.
pub(crate) async fn wait_until_up(limiter: &RedisLimiter, is_up: bool) {
    let until = Instant::now() + Duration::from_secs(20);
    while limiter.limiter_up() != Some(is_up) {
        assert!(Instant::now() < until, "the server is still {}", if is_up { "away" } else { "there" });
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
