//! The configuration: `config.default.toml`, overridden by a file and by the command line.
pub(crate) mod capabilities;
mod content_credentials;
mod networks;
mod public_url;
mod truth_pages;

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use aerie_api::{ConnectionLimits, Delivery, Environment, MetricsReaders, Tls, Transport, TrustedProxies};
use aerie_domain::{Plans, Prices};
use aerie_engine_api::Sources;
use aerie_fetch::{Fetcher, Policy, Poster, SystemLookup};
use aerie_storage::{Limits, LinkSecret};
use aerie_storage_postgres::PostgresUrl;
use aerie_storage_s3::{Access, Bucket};
use anyhow::{Context, bail, ensure};
use ipnet::IpNet;
use serde::Deserialize;
use toml::{Table, Value};

use capabilities::Capabilities;
pub(crate) use content_credentials::ContentCredentials;
pub(crate) use truth_pages::TruthPages;

use crate::global::Global;
use crate::logging::LogFormat;

/// Upper bound on `[connections] most`; the system has no more file handles anyway.
const MOST_CONNECTIONS: usize = 1 << 20;

/// Address of the admin listener without `[admin] listen`, with the port that exporters of metrics commonly use.
const DEFAULT_ADMIN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9464);

const DEFAULTS: &str = include_str!("../../../config.default.toml");

/// Refusal of `[limiter] url` and `AERIE_LIMITER_URL`, without their values, which may contain a password.
const LIMITER_URL_REMOVED: &str = "the limiter on Redis was removed: requests are always counted where the database is";

/// The configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    pub(crate) data_dir: PathBuf,
    pub(crate) listen: SocketAddr,
    pub(crate) base_url: String,
    pub(crate) workers: usize,
    worker_memory: u32,
    pub(crate) log: LogFormat,
    pub(crate) environment: Environment,
    pub(crate) prices: Prices,
    pub(crate) plans: Plans,
    pub(crate) capabilities: Capabilities,
    pub(crate) limiter: Limiter,
    tls: TlsFiles,
    proxy: Proxy,
    intake: IntakeNetworks,
    connections: Connections,
    admin: Admin,
    pub(crate) sources: Sources,
    store: Store,
    media: Media,
    metrics: Metrics,
    pub(crate) credentials: ContentCredentials,
    pub(crate) truth_pages: TruthPages,
    pub(crate) console: Console,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Console {
    pub(crate) enabled: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Limiter {
    pub(crate) bad_keys_per_minute: u32,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct TlsFiles {
    cert: PathBuf,
    key: PathBuf,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Proxy {
    trusted: Vec<IpNet>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct IntakeNetworks {
    /// Absent: depends on the environment.
    allow_networks: Option<Vec<IpNet>>,
    ca_file: PathBuf,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Connections {
    most: NonZeroU32,
    most_per_address: NonZeroU32,
    head_seconds: NonZeroU32,
    min_bytes_per_second: NonZeroU32,
    body_seconds: NonZeroU32,
    stalled_seconds: NonZeroU32,
    stop_seconds: NonZeroU32,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Admin {
    /// Absent: depends on the environment.
    listen: Option<SocketAddr>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Store {
    /// May contain a password.
    url: Secret,
    connections: NonZeroU32,
    /// The URL in the file, if an environment variable overrides it.
    #[serde(skip)]
    overridden: Option<Secret>,
}

/// Where media are.
#[derive(Clone)]
pub(crate) enum MediaPlace {
    /// In this folder.
    Folder(PathBuf),
    /// In a bucket.
    Bucket(Box<(Bucket, Access)>),
}

/// Where the database is.
#[derive(Debug, Clone)]
pub(crate) enum Database {
    /// In this file.
    Sqlite(PathBuf),
    /// On a PostgreSQL server.
    Postgres(Box<PostgresUrl>),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Media {
    url: String,
    endpoint: String,
    region: String,
    access_key_id: String,
    secret_access_key: Secret,
    allow_http: bool,
    delivery: Delivery,
    budget_gib: f64,
    reserve_gib: f64,
    link_secret: Secret,
    sweep_minutes: NonZeroU32,
}

/// A secret that `Debug` does not show.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
struct Secret(String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Metrics {
    allow_networks: Vec<IpNet>,
    token: String,
}

impl Config {
    /// Reads the configuration for a command.
    ///
    /// # Errors
    /// When the file cannot be read, or has a key that is not in `config.default.toml`.
    pub(crate) fn load(global: &Global) -> anyhow::Result<Self> {
        let mut config = match &global.config {
            None => Self::parse("")?,
            Some(file) => {
                let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
                Self::parse(&text).with_context(|| format!("{} is not a valid configuration", file.display()))?
            }
        };
        if let Some(data) = &global.data {
            config.data_dir.clone_from(data);
        }
        config.log = global.log.unwrap_or(config.log);
        config.take_secrets(|name| std::env::var(name).ok())?;
        // Child processes may have another working directory.
        config.data_dir = std::path::absolute(&config.data_dir)?;
        ensure!(
            config.data_dir.to_str().is_some(),
            "the path of the data folder, {}, must be UTF-8; choose another with --data",
            config.data_dir.display()
        );
        Ok(config)
    }

    /// Overrides secrets by environment variables, so that they need not be in a file.
    fn take_secrets(&mut self, variable: impl Fn(&str) -> Option<String>) -> anyhow::Result<()> {
        let given = |name: &str| variable(name).filter(|value| !value.is_empty());
        if let Some(url) = given("AERIE_STORE_URL") {
            self.store.overridden = Some(std::mem::replace(&mut self.store.url, Secret(url)));
            self.database_of(Path::new("")).context("AERIE_STORE_URL")?;
        }
        ensure!(given("AERIE_LIMITER_URL").is_none(), "AERIE_LIMITER_URL: {LIMITER_URL_REMOVED}; remove the variable");
        if let Some(secret) = given("AERIE_LINK_SECRET") {
            self.media.link_secret = Secret(secret);
            ensure!(self.link_secret().is_some(), "AERIE_LINK_SECRET must be 64 hexadecimal digits");
        }
        Ok(())
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let mut merged: Table = DEFAULTS.parse()?;
        let overrides: Table = text.parse()?;
        let limiter_url = overrides.get("limiter").and_then(|limiter| limiter.get("url"));
        ensure!(limiter_url.is_none(), "[limiter] url: {LIMITER_URL_REMOVED}; remove the key");
        merge(&mut merged, overrides);
        let config: Config = Value::Table(merged).try_into().map_err(|error: toml::de::Error| {
            // Without the position: it would refer to the merged text, which the user has not seen.
            anyhow::anyhow!("{}", error.message())
        })?;
        config.database_of(Path::new(""))?;
        let is_bucket = matches!(config.media_of(Path::new(""))?, MediaPlace::Bucket(_));
        ensure!(
            !is_bucket || config.media.budget_gib == 0.0,
            "[media] budget_gib applies to media in a folder: set a quota on the bucket instead"
        );
        ensure!(
            config.media.access_key_id.is_empty() == config.media.secret_access_key.0.is_empty(),
            "[media] needs both access_key_id and secret_access_key, or neither"
        );
        ensure!(config.limiter.bad_keys_per_minute > 0, "[limiter] bad_keys_per_minute must be at least 1");
        let is_size = |gib: f64| (0.0..1e6).contains(&gib);
        ensure!(
            is_size(config.media.budget_gib) && is_size(config.media.reserve_gib),
            "[media] budget_gib and reserve_gib must be numbers of GiB, 0 or more"
        );
        ensure!(
            config.media.link_secret.0.is_empty() || config.link_secret().is_some(),
            "[media] link_secret must be 64 hexadecimal digits, such as `openssl rand -hex 32` prints, or empty"
        );
        config.credentials.check()?;
        config.truth_pages.check()?;
        config.sources.check().map_err(anyhow::Error::msg)?;
        config.check_networks()?;
        if !config.base_url.is_empty() {
            public_url::check("base_url", &config.base_url)?;
        }
        Ok(config)
    }

    /// Returns where the database is.
    pub(crate) fn database(&self) -> anyhow::Result<Database> {
        self.database_of(&self.data_dir)
    }

    /// Returns where the database is that the file names, if `AERIE_STORE_URL` names another.
    pub(crate) fn database_in_file(&self) -> anyhow::Result<Database> {
        let mut config = self.clone();
        if let Some(url) = config.store.overridden.take() {
            config.store.url = url;
        }
        config.database()
    }

    /// Returns the path of the database file.
    ///
    /// # Errors
    /// When the database is on a server.
    pub(crate) fn database_file(&self) -> anyhow::Result<PathBuf> {
        match self.database()? {
            Database::Sqlite(file) => Ok(file),
            Database::Postgres(url) => bail!("the database is on a server, {url}, and not in a file"),
        }
    }

    /// Maximum number of connections of this process to a database server.
    pub(crate) fn connections(&self) -> usize {
        usize::try_from(self.store.connections.get()).unwrap_or(usize::MAX)
    }

    /// The same configuration with another data folder, and the default database in it.
    pub(crate) fn in_folder(&self, data_dir: &Path) -> anyhow::Result<Self> {
        let store = Self::parse("")?.store;
        Ok(Self { data_dir: data_dir.to_owned(), store, ..self.clone() })
    }

    /// Returns where finished media are.
    pub(crate) fn media(&self) -> anyhow::Result<MediaPlace> {
        self.media_of(&self.data_dir)
    }

    /// Returns a place for media by its URL, with access as it is configured.
    pub(crate) fn media_at(&self, url: &str) -> anyhow::Result<MediaPlace> {
        let mut config = self.clone();
        url.clone_into(&mut config.media.url);
        config.media()
    }

    /// Returns the folder of finished media.
    ///
    /// # Errors
    /// When they are in a bucket.
    pub(crate) fn media_folder(&self) -> anyhow::Result<PathBuf> {
        match self.media()? {
            MediaPlace::Folder(folder) => Ok(folder),
            MediaPlace::Bucket(place) => bail!("media are in the bucket {}, and not in a folder", place.0),
        }
    }

    /// Returns how clients get media.
    pub(crate) fn delivery(&self) -> Delivery {
        self.media.delivery
    }

    /// Memory limit of a job in bytes.
    pub(crate) fn job_memory(&self) -> u64 {
        match self.worker_memory {
            0 => aerie_confinement::share_of_machine(self.workers),
            mib => u64::from(mib) << 20,
        }
    }

    /// Limits on the use of the local disks.
    pub(crate) fn disk_limits(&self) -> Limits {
        let bytes = |gib: f64| (gib * f64::from(1 << 30)) as u64;
        let budget = Some(bytes(self.media.budget_gib)).filter(|budget| *budget > 0);
        Limits { reserve: bytes(self.media.reserve_gib), budget }
    }

    /// The secret that signs links, when it is configured.
    pub(crate) fn link_secret(&self) -> Option<LinkSecret> {
        LinkSecret::from_hex(&self.media.link_secret.0)
    }

    /// Interval between sweeps of expired media.
    pub(crate) fn sweep_every(&self) -> Duration {
        Duration::from_secs(60 * u64::from(self.media.sweep_minutes.get()))
    }

    /// Returns where the admin listener belongs, if there is one.
    pub(crate) fn admin_address(&self) -> Option<SocketAddr> {
        match (self.admin.listen, self.environment) {
            (None, Environment::Development) => None,
            (listen, _) => Some(listen.unwrap_or(DEFAULT_ADMIN)),
        }
    }

    /// Returns whether the operator chose the address of the admin listener.
    pub(crate) fn is_admin_configured(&self) -> bool {
        self.admin.listen.is_some()
    }

    /// Returns who may read `/metrics`.
    pub(crate) fn metrics_readers(&self) -> MetricsReaders {
        MetricsReaders::new(networks::canonical(&self.metrics.allow_networks), &self.metrics.token)
    }

    /// Builds the fetcher of image URLs, restricted to the networks that the configuration allows.
    pub(crate) fn intake(&self) -> Result<Fetcher, String> {
        Fetcher::new(self.intake_policy()?, &self.data_dir)
    }

    /// Sends to webhooks; over plain HTTP in development only.
    pub(crate) fn poster(&self) -> Result<Poster, String> {
        let may_be_plain = self.environment == Environment::Development;
        Poster::new(self.intake_policy()?, Arc::new(SystemLookup), aerie_webhooks::ANSWER_WITHIN, may_be_plain)
    }

    fn intake_policy(&self) -> Result<Policy, String> {
        let file = &self.intake.ca_file;
        let trusted = match file.as_os_str().is_empty() {
            true => Vec::new(),
            false => {
                std::fs::read(file).map_err(|e| format!("cannot read [intake] ca_file {}: {e}", file.display()))?
            }
        };
        Ok(Policy::new(self.intake_networks()).trusting(trusted))
    }

    fn intake_networks(&self) -> Vec<IpNet> {
        match (&self.intake.allow_networks, self.environment) {
            (Some(networks), _) => networks::canonical(networks),
            (None, Environment::Development) => {
                vec![
                    IpNet::new_assert(Ipv4Addr::LOCALHOST.into(), 8).trunc(),
                    IpNet::from(IpAddr::from(Ipv6Addr::LOCALHOST)),
                ]
            }
            (None, Environment::Staging | Environment::Production) => Vec::new(),
        }
    }

    fn database_of(&self, data: &Path) -> anyhow::Result<Database> {
        let url = self.store.url.0.as_str();
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return PostgresUrl::parse(url)
                .map(|url| Database::Postgres(Box::new(url)))
                .map_err(|why| anyhow::anyhow!("[store] url: {why}"));
        }
        match url.strip_prefix("sqlite:") {
            Some(file) if !file.is_empty() => Ok(Database::Sqlite(data.join(file))),
            _ => bail!(
                "[store] url must be `sqlite:` followed by a file name, or postgres://USER:PASSWORD@HOST:PORT/DATABASE"
            ),
        }
    }

    fn media_of(&self, data: &Path) -> anyhow::Result<MediaPlace> {
        if self.media.url.starts_with("s3:") {
            let bucket = Bucket::parse(&self.media.url).map_err(|why| anyhow::anyhow!("[media] url {why}"))?;
            return Ok(MediaPlace::Bucket(Box::new((bucket, self.media.access()))));
        }
        match self.media.url.strip_prefix("file:") {
            Some(folder) if !folder.is_empty() => Ok(MediaPlace::Folder(data.join(folder))),
            _ => bail!("[media] url must be `file:` followed by a folder name, or s3://BUCKET/PREFIX"),
        }
    }

    /// Returns whether this server terminates TLS.
    pub(crate) fn has_tls(&self) -> bool {
        !self.tls.cert.as_os_str().is_empty()
    }

    /// Returns the certificate file, if this server terminates TLS.
    pub(crate) fn certificate(&self) -> Option<&Path> {
        self.has_tls().then_some(self.tls.cert.as_path())
    }

    /// Returns whether a proxy terminates TLS in front of this server.
    pub(crate) fn behind_proxy(&self) -> bool {
        !self.proxy.trusted.is_empty()
    }

    /// Returns how clients reach the server.
    ///
    /// # Errors
    /// When traffic would be unencrypted beyond loopback, or the certificate cannot be used.
    pub(crate) fn transport(&self) -> anyhow::Result<Transport> {
        self.check_listen()?;
        let tls = match self.has_tls() {
            true => Some(Tls::open(&self.tls.cert, &self.tls.key).context("[tls]")?),
            false => None,
        };
        let proxies = TrustedProxies::from(networks::canonical(&self.proxy.trusted));
        Ok(Transport { tls, proxies, limits: self.connections.limits() })
    }

    /// Refuses lists of networks that add up to every address.
    fn check_networks(&self) -> anyhow::Result<()> {
        let [proxies, readers, pictures] = [
            "clients there could name any address and claim to use TLS; list only your proxies",
            "anybody there could read the metrics; list only the networks of your monitoring, or set [metrics] token",
            "image URLs could lead anywhere in your network; list only the networks of your picture servers",
        ];
        networks::check("[proxy] trusted", &self.proxy.trusted, proxies)?;
        networks::check("[metrics] allow_networks", &self.metrics.allow_networks, readers)?;
        let intake = self.intake.allow_networks.as_deref().unwrap_or_default();
        networks::check("[intake] allow_networks", intake, pictures)
    }

    fn check_listen(&self) -> anyhow::Result<()> {
        let is_loopback = self.listen.ip().is_loopback();
        let has_proxy = self.behind_proxy();
        ensure!(self.has_tls() != self.tls.key.as_os_str().is_empty(), "[tls] needs both `cert` and `key`, or neither");
        let is_plain = self.base_url.starts_with("http://");
        ensure!(
            !(is_plain && (self.has_tls() || has_proxy)),
            "base_url must begin with https:// when [tls] or [proxy] is set"
        );
        if self.environment == Environment::Development {
            ensure!(
                is_loopback,
                "environment = \"development\" listens on loopback only, and {} is not loopback: listen on 127.0.0.1, or set \
                 environment to \"staging\" or \"production\"",
                self.listen
            );
            ensure!(
                !has_proxy,
                "environment = \"development\" trusts no proxy: set environment to \"staging\" or \"production\""
            );
        }
        ensure!(
            is_loopback || self.has_tls() || has_proxy,
            "plain HTTP is served on loopback only, and {} is not loopback: set [tls] cert and key, list the proxy that \
             terminates TLS in [proxy] trusted, or listen on 127.0.0.1",
            self.listen
        );
        Ok(())
    }
}

impl Media {
    fn access(&self) -> Access {
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Access {
            endpoint: given(&self.endpoint),
            region: given(&self.region),
            key: given(&self.access_key_id).map(|id| (id, self.secret_access_key.0.clone())),
            allow_http: self.allow_http,
        }
    }
}

impl Connections {
    fn limits(&self) -> ConnectionLimits {
        let number = |number: NonZeroU32| usize::try_from(number.get()).unwrap_or(usize::MAX);
        let seconds = |seconds: NonZeroU32| Duration::from_secs(seconds.get().into());
        ConnectionLimits {
            most: number(self.most).min(MOST_CONNECTIONS),
            most_per_address: number(self.most_per_address),
            head_within: seconds(self.head_seconds),
            least_per_second: self.min_bytes_per_second.get(),
            body_window: seconds(self.body_seconds),
            response_window: seconds(self.stalled_seconds),
            ends_within: seconds(self.stop_seconds),
        }
    }
}

/// Overrides the values of `base` with those of `overrides`, table by table.
fn merge(base: &mut Table, overrides: Table) {
    for (key, value) in overrides {
        match (base.get_mut(&key), value) {
            (Some(Value::Table(base)), Value::Table(overrides)) => merge(base, overrides),
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests;
