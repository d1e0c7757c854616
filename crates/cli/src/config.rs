//! The configuration: `config.default.toml`, with what a file and the command line say laid over it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use aerie_api::Environment;
use aerie_domain::Prices;
use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use toml::{Table, Value};

use crate::arguments::Global;

const DEFAULTS: &str = include_str!("../../../config.default.toml");

/// The configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    pub(crate) data_dir: PathBuf,
    pub(crate) listen: SocketAddr,
    pub(crate) base_url: String,
    pub(crate) workers: usize,
    pub(crate) environment: Environment,
    pub(crate) prices: Prices,
    store: Store,
    media: Media,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Store {
    url: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Media {
    url: String,
}

impl Config {
    /// Reads the configuration for a command.
    ///
    /// # Errors
    /// When the file cannot be read or says something that is not in `config.default.toml`.
    pub(crate) fn load(global: &Global) -> anyhow::Result<Self> {
        let mut config = match &global.config {
            None => Self::parse("")?,
            Some(file) => {
                let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
                Self::parse(&text).with_context(|| format!("{} is not a good configuration", file.display()))?
            }
        };
        if let Some(data) = &global.data {
            config.data_dir.clone_from(data);
        }
        // Children and later steps may have another working directory.
        config.data_dir = std::path::absolute(&config.data_dir)?;
        Ok(config)
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let mut merged: Table = DEFAULTS.parse()?;
        lay_over(&mut merged, text.parse()?);
        let config: Config = Value::Table(merged).try_into().map_err(|error: toml::de::Error| {
            // The position would be one in the merged text, which nobody has seen.
            anyhow::anyhow!("{}", error.message())
        })?;
        config.database_of(Path::new(""))?;
        config.media_of(Path::new(""))?;
        let base = &config.base_url;
        let is_url = base.starts_with("http://") || base.starts_with("https://");
        ensure!(
            base.is_empty() || (is_url && !base.ends_with('/')),
            "base_url must begin with http:// or https:// and not end with a slash"
        );
        Ok(config)
    }

    /// The database file.
    pub(crate) fn database(&self) -> anyhow::Result<PathBuf> {
        self.database_of(&self.data_dir)
    }

    /// The folder of finished media.
    pub(crate) fn media(&self) -> anyhow::Result<PathBuf> {
        self.media_of(&self.data_dir)
    }

    fn database_of(&self, data: &Path) -> anyhow::Result<PathBuf> {
        match self.store.url.strip_prefix("sqlite:") {
            Some(file) if !file.is_empty() => Ok(data.join(file)),
            _ => bail!("[store] url must be `sqlite:` and a file"),
        }
    }

    fn media_of(&self, data: &Path) -> anyhow::Result<PathBuf> {
        match self.media.url.strip_prefix("file:") {
            Some(folder) if !folder.is_empty() => Ok(data.join(folder)),
            _ => bail!("[media] url must be `file:` and a folder"),
        }
    }

    /// Refuses to serve where what is sent could be read on its way.
    pub(crate) fn check_listen(&self) -> anyhow::Result<()> {
        if self.listen.ip().is_loopback() {
            return Ok(());
        }
        match self.environment {
            Environment::Development => bail!(
                "environment = \"development\" listens on loopback alone, and {} is not: listen on 127.0.0.1, or set \
                 environment to \"staging\" or \"production\"",
                self.listen
            ),
            Environment::Staging | Environment::Production => bail!(
                "plain HTTP is served on loopback alone, and {} is not; this version has no TLS of its own and trusts \
                 no proxy yet: listen on 127.0.0.1 and let what ends TLS on this machine forward to it",
                self.listen
            ),
        }
    }
}

/// Lays the values of `above` over those of `below`, table by table.
fn lay_over(below: &mut Table, above: Table) {
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => lay_over(below, above),
            (_, value) => {
                below.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use aerie_domain::JobType;

    use super::*;

    #[test]
    fn the_defaults_are_a_good_configuration() {
        let config = Config::parse("").unwrap();
        assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(config.prices.cents(JobType::DroneFootage), 1500);
        assert!(JobType::ALL.into_iter().all(|kind| config.prices.cents(kind) > 0));
        config.check_listen().unwrap();
    }

    #[test]
    fn a_file_changes_what_it_names_and_nothing_else() {
        let config = Config::parse("workers = 3\n[prices]\ndrone_footage = 7").unwrap();
        assert_eq!((config.workers, config.prices.cents(JobType::DroneFootage)), (3, 7));
        assert_eq!(config.prices.cents(JobType::VideoClip), 500);
    }

    #[test]
    fn an_unknown_key_is_refused_by_name() {
        for (text, name) in [
            ("worker = 3", "worker"),
            ("[store]\nuri = 'x'", "uri"),
            ("[prices]\nballoon = 1", "balloon"),
            ("[tls]", "tls"),
        ] {
            let error = Config::parse(text).unwrap_err().to_string();
            assert!(error.contains(&format!("`{name}`")), "{error}");
        }
    }

    #[test]
    fn a_value_of_the_wrong_kind_is_refused() {
        for text in [
            "workers = -1",
            "listen = 'here'",
            "environment = 'prod'",
            "[prices]\nmarkup = -5",
            "[store]\nurl = 'postgres://x'",
            "[media]\nurl = 's3://x'",
            "base_url = 'http://x/'",
        ] {
            assert!(Config::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_loopback_is_listened_on() {
        for environment in ["development", "staging", "production"] {
            for (listen, good) in
                [("127.0.0.1:1", true), ("[::1]:1", true), ("0.0.0.0:1", false), ("192.168.1.5:1", false)]
            {
                let text = format!("environment = '{environment}'\nlisten = '{listen}'");
                assert_eq!(Config::parse(&text).unwrap().check_listen().is_ok(), good, "{text}");
            }
        }
    }
}
