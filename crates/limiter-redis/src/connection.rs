//! Connections to a server or to a cluster, and what is wrong when there is none.

use std::fs;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{KeyId, RateLimits};
use aerie_storage::limiter::Counts;
use redis::aio::{ConnectionLike, MultiplexedConnection};
use redis::cluster::ClusterClientBuilder;
use redis::cluster_async::ClusterConnection;
use redis::{
    AsyncConnectionConfig, Client, Cmd, ErrorKind, Pipeline, RedisError, RedisFuture, RedisResult, ServerErrorKind,
    TlsCertificates, Value, cmd,
};
use rustls::crypto::ring;

use crate::info::Info;
use crate::scripts::Scripts;
use crate::url::RedisUrl;

/// Requests that wait for their turn on a connection, of which each node has one.
const WAITING: usize = 1024;

/// A connection that many requests share.
#[derive(Clone)]
pub(crate) struct Connection {
    to: To,
    scripts: Arc<Scripts>,
    pub(crate) info: Arc<Info>,
}

#[derive(Clone)]
enum To {
    Server(MultiplexedConnection),
    Cluster(ClusterConnection),
}

impl Connection {
    /// Connects, stores the scripts, and asks the server for its settings.
    pub(crate) async fn open(url: &RedisUrl, timeout: Duration) -> RedisResult<Self> {
        // Fails where the process has a provider already, which is the same one.
        let _ = ring::default_provider().install_default();
        let certificates = certificates(url)?;
        let client = match &certificates {
            Some(certificates) => Client::build_with_tls(url.info(), certificates.clone())?,
            None => Client::open(url.info())?,
        };
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(4 * timeout))
            .set_response_timeout(None)
            .set_pipeline_buffer_size(WAITING);
        let mut to = To::Server(client.get_multiplexed_async_connection_with_config(&config).await?);
        // A user who may not ask for settings can still count.
        let info: String = match cmd("INFO").query_async(&mut to).await {
            Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::NoPerm) => String::new(),
            answer => answer?,
        };
        let info = Info::parse(&info);
        if info.is_cluster {
            let mut builder = ClusterClientBuilder::new([url.info()]).connection_timeout(4 * timeout).retries(1);
            if let Some(certificates) = certificates {
                builder = builder.certs(certificates);
            }
            to = To::Cluster(builder.build()?.get_async_connection().await?);
        }
        let scripts = Scripts::load(&mut to).await?;
        Ok(Self { to, scripts: Arc::new(scripts), info: Arc::new(info) })
    }
}

impl Connection {
    pub(crate) async fn admit(mut self, key: KeyId, limits: RateLimits, given: Option<i64>) -> RedisResult<Counts> {
        self.scripts.admit(&mut self.to, key, limits, given).await
    }

    pub(crate) async fn owe(
        mut self,
        network: IpAddr,
        amounts: (Duration, Duration),
        given: Option<i64>,
    ) -> RedisResult<Duration> {
        self.scripts.owe(&mut self.to, network, amounts, given).await
    }

    /// Writes and reads as counting does, without effect.
    pub(crate) async fn probe(self) -> RedisResult<()> {
        let nobody = Ipv6Addr::UNSPECIFIED.into();
        self.owe(nobody, (Duration::ZERO, Duration::ZERO), None).await.map(|_| ())
    }
}

impl ConnectionLike for To {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            To::Server(connection) => connection.req_packed_command(cmd),
            To::Cluster(connection) => connection.req_packed_command(cmd),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            To::Server(connection) => connection.req_packed_commands(pipeline, offset, count),
            To::Cluster(connection) => connection.req_packed_commands(pipeline, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            To::Server(connection) => connection.get_db(),
            To::Cluster(connection) => connection.get_db(),
        }
    }
}

/// The authorities to trust instead of those of the operating system, if the URL names a file.
fn certificates(url: &RedisUrl) -> RedisResult<Option<TlsCertificates>> {
    let Some(file) = url.roots() else { return Ok(None) };
    let root_cert = fs::read(file).map_err(|error| {
        let why = format!("{}: {error}", file.display());
        RedisError::from((ErrorKind::InvalidClientConfig, "cannot read sslrootcert", why))
    })?;
    Ok(Some(TlsCertificates { client_tls: None, root_cert: Some(root_cert) }))
}

/// Whether the server may answer later without a change of the configuration.
pub(crate) fn is_away(error: &RedisError) -> bool {
    use ServerErrorKind::{BusyLoading, ClusterDown, MasterDown, ReadOnly, TryAgain};
    match error.kind() {
        // A certificate that is not trusted today is not trusted tomorrow.
        ErrorKind::Io => !error.to_string().contains("certificate"),
        ErrorKind::ClusterConnectionNotFound => true,
        ErrorKind::Server(kind) => {
            // The refusal of a database number has the reason in its text only.
            let is_loading = error.detail().is_some_and(|detail| detail.contains("loading the dataset"));
            is_loading || matches!(kind, BusyLoading | ClusterDown | MasterDown | ReadOnly | TryAgain)
        }
        _ => matches!(error.code(), Some("OOM" | "MISCONF" | "BUSY" | "NOREPLICAS")),
    }
}

/// What is wrong, with the remedy where there is one. Errors of `redis` quote responses of the server, and never the URL.
pub(crate) fn explain(error: &RedisError) -> String {
    let detail = error.detail().unwrap_or_default();
    match (error.kind(), error.code()) {
        (ErrorKind::AuthenticationFailed, _) | (_, Some("NOAUTH" | "WRONGPASS")) => {
            "user or password in the URL are wrong, or missing".to_owned()
        }
        (ErrorKind::Server(ServerErrorKind::ReadOnly), _) => "the server is a replica: name the primary".to_owned(),
        (ErrorKind::Server(ServerErrorKind::NoPerm), _) => {
            format!(
                "the user lacks a permission: {detail}; allow ~aerie:* and +@read +@write +@scripting +@connection +time +info +cluster"
            )
        }
        (_, Some("OOM")) => "the memory of the server is full: raise maxmemory".to_owned(),
        (_, Some("DENIED")) => "the server is in protected mode: set a password in it and in the URL".to_owned(),
        (ErrorKind::Parse, _) => format!("the server does not speak the protocol of Redis: {error}"),
        _ => error.to_string(),
    }
}
