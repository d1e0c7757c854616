//! The URL of a database: `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
//!
//! The password is shown neither by `Debug` nor by `Display`, and no error quotes the URL: in a malformed one, any part may
//! be the password.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

/// How long to wait for a connection, unless the URL says otherwise (`connect_timeout`).
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long sent data may remain unacknowledged before a connection counts as lost: shorter than a lease, so that a worker whose
/// server has vanished finds another in time.
const TCP_TIMEOUT: Duration = Duration::from_secs(10);

/// After this time without data, and then as often, the server is asked whether it is still there. Otherwise a connection that
/// waits for a response, or is idle in the pool, outlives a vanished server by hours.
const KEEPALIVE: Duration = Duration::from_secs(4);

/// With what the name of every connection begins, by which the server lists it; one that the URL gives follows.
pub(crate) const APPLICATION_NAME: &str = "aerie";

const EXPECTED: &str = "must be postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters of the password \
                        percent-encoded, and parameters as PostgreSQL documents them";

/// The URL of a database.
#[derive(Clone)]
pub struct PostgresUrl {
    pub(crate) config: Config,
    pub(crate) encryption: Encryption,
}

/// Whether connections use TLS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Encryption {
    /// No: the server is on this machine, or the URL says `sslmode=disable`.
    Off,
    /// Yes, with a certificate signed by an authority of this file or, without one, of the operating system.
    On(Option<PathBuf>),
}

impl PostgresUrl {
    /// Parses a URL. Its parameters are those of `tokio_postgres::Config`, and `sslmode` and `sslrootcert` of libpq.
    /// Connections to other machines use TLS, and the certificate is checked, unless `sslmode` is `disable`.
    ///
    /// # Errors
    /// What is wrong, without any part of the URL.
    pub fn parse(url: &str) -> Result<Self, String> {
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err(EXPECTED.to_owned());
        }
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        // It is part of a password that is not percent-encoded.
        if query.contains('@') {
            return Err(EXPECTED.to_owned());
        }
        let (mut mode, mut roots, mut others) = (None, None, Vec::new());
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
            match parameter.split_once('=') {
                Some(("sslmode", value)) => mode = Some(value),
                Some(("sslrootcert", value)) => roots = Some(PathBuf::from(value)),
                _ => others.push(parameter),
            }
        }
        let url = if others.is_empty() { base.to_owned() } else { format!("{base}?{}", others.join("&")) };
        let mut config: Config = url.parse().map_err(|_| EXPECTED.to_owned())?;
        if config.get_hosts().is_empty() {
            return Err(EXPECTED.to_owned());
        }
        let encryption = match mode {
            Some("disable") => Encryption::Off,
            Some("require" | "verify-ca" | "verify-full") => Encryption::On(roots),
            None if roots.is_none() && config.get_hosts().iter().all(is_local) => Encryption::Off,
            None => Encryption::On(roots),
            Some(_) => return Err("sslmode must be `disable`, `require` or `verify-full`".to_owned()),
        };
        config.ssl_mode(if encryption == Encryption::Off { SslMode::Disable } else { SslMode::Require });
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(TCP_TIMEOUT);
        }
        if !others.iter().any(|parameter| parameter.starts_with("keepalives")) {
            config.keepalives_idle(KEEPALIVE).keepalives_interval(KEEPALIVE);
        }
        // By it, a migration finds out that others use the database.
        match config.get_application_name().map(ToOwned::to_owned) {
            None => config.application_name(APPLICATION_NAME),
            Some(given) => config.application_name(format!("{APPLICATION_NAME} {given}")),
        };
        if config.get_hosts().len() > 1 {
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        Ok(Self { config, encryption })
    }

    /// The role that connections use, or a placeholder where it is the user of this process.
    pub(crate) fn role(&self) -> &str {
        self.config.get_user().unwrap_or("(this user)")
    }

    /// The name of the database.
    pub(crate) fn database(&self) -> &str {
        self.config.get_dbname().unwrap_or(self.role())
    }

    /// Hosts and ports.
    pub(crate) fn server(&self) -> String {
        let ports = self.config.get_ports();
        let hosts = self.config.get_hosts().iter().enumerate().map(|(at, host)| {
            let port = ports.get(at).or(ports.first()).unwrap_or(&5432);
            match host {
                Host::Tcp(name) => format!("{name}:{port}"),
                Host::Unix(folder) => format!("{}:{port}", folder.display()),
            }
        });
        hosts.collect::<Vec<_>>().join(",")
    }
}

/// A URL that [`PostgresUrl::parse`] accepts, without its password.
#[must_use]
pub fn without_password(url: &str) -> String {
    let (base, query) = url.split_once('?').unwrap_or((url, ""));
    let base = match base.rsplit_once('@') {
        Some((before, place)) => {
            let (scheme, user) = before.split_once("://").unwrap_or(("postgres", before));
            let role = user.split(':').next().unwrap_or_default();
            format!("{scheme}://{role}@{place}")
        }
        None => base.to_owned(),
    };
    let others: Vec<&str> =
        query.split('&').filter(|parameter| !parameter.is_empty() && !parameter.starts_with("password=")).collect();
    if others.is_empty() { base } else { format!("{base}?{}", others.join("&")) }
}

fn is_local(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback()),
    }
}

/// Without the password.
impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "postgres://{}@{}/{}", self.role(), self.server(), self.database())
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_never_shown() {
        let url = PostgresUrl::parse("postgres://aerie:s3cr%40t@db.example:5433/media").unwrap();
        for shown in [url.to_string(), format!("{url:?}")] {
            assert_eq!(shown, "postgres://aerie@db.example:5433/media");
        }
    }

    #[test]
    fn a_url_without_its_password_keeps_everything_else() {
        for (url, expected) in [
            (
                "postgres://aerie:s3cr%40t@db:5433/media?sslmode=disable",
                "postgres://aerie@db:5433/media?sslmode=disable",
            ),
            ("postgresql://aerie:s3:cr/3t@db/media", "postgresql://aerie@db/media"),
            (
                "postgres://aerie@db/media?password=s3cr3t&connect_timeout=3",
                "postgres://aerie@db/media?connect_timeout=3",
            ),
            ("postgres://db/media?password=s3cr3t", "postgres://db/media"),
        ] {
            assert_eq!(without_password(url), expected);
        }
    }

    #[test]
    fn connections_are_recognized_although_the_url_names_them() {
        let name = |url: &str| PostgresUrl::parse(url).unwrap().config.get_application_name().map(ToOwned::to_owned);
        assert_eq!(name("postgres://a@db/a").as_deref(), Some("aerie"));
        assert_eq!(name("postgres://a@db/a?application_name=node%201").as_deref(), Some("aerie node 1"));
    }

    #[test]
    fn a_malformed_url_is_refused_without_quoting_it() {
        for url in [
            "postgres://",
            "postgres://aerie:s3cr3t",
            "postgres://aerie:s3cr3t@h:port/db",
            "postgres://aerie:s3?cr3t@h/db",
            "postgres://aerie:s3cr3t@h/db?sslmode=s3cr3t",
            "mysql://aerie:s3cr3t@h/db",
        ] {
            if let Err(error) = PostgresUrl::parse(url) {
                assert!(error.contains("must be") && !error.contains("cr3t"), "{url}: {error}");
            } else {
                assert_eq!(url, "postgres://aerie:s3cr3t", "accepted");
            }
        }
    }

    #[test]
    fn connections_to_other_machines_are_encrypted_unless_the_url_says_otherwise() {
        let encryption = |url: &str| PostgresUrl::parse(url).unwrap().encryption;
        for local in ["postgres://a@localhost/a", "postgres://a@127.0.0.1/a", "postgres://a@%2Frun%2Fpostgresql/a"] {
            assert_eq!(encryption(local), Encryption::Off, "{local}");
        }
        assert_eq!(encryption("postgres://a@db.example/a"), Encryption::On(None));
        assert_eq!(encryption("postgres://a@localhost/a?sslmode=require"), Encryption::On(None));
        assert_eq!(encryption("postgres://a@db.example/a?sslmode=disable"), Encryption::Off);
        let own = encryption("postgres://a@db.example/a?sslrootcert=/etc/ca.pem&connect_timeout=3");
        assert_eq!(own, Encryption::On(Some("/etc/ca.pem".into())));
    }
}
