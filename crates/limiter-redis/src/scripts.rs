//! The scripts that count, each of which is one atomic step of the server.
//!
//! The part of a key's name in braces decides on which server of a cluster it is: both keys of a script are on one.

use std::net::IpAddr;
use std::time::Duration;

use aerie_domain::{KeyId, RateLimits};
use aerie_storage::limiter::Counts;
use redis::aio::ConnectionLike;
use redis::{Cmd, ErrorKind, RedisResult, ServerErrorKind, cmd};

const ADMIT: &str = include_str!("admit.lua");
const OWE: &str = include_str!("owe.lua");

/// The hashes by which a server knows its scripts.
#[derive(Debug, Clone)]
pub(crate) struct Scripts {
    admit: String,
    owe: String,
}

impl Scripts {
    /// Stores the scripts in the server.
    pub(crate) async fn load(connection: &mut (impl ConnectionLike + Send)) -> RedisResult<Self> {
        let load = |script: &str| {
            let mut load = cmd("SCRIPT");
            load.arg("LOAD").arg(script);
            load
        };
        let admit = load(ADMIT).query_async(connection).await?;
        let owe = load(OWE).query_async(connection).await?;
        Ok(Self { admit, owe })
    }

    /// Admits and counts a request, or refuses it. `given` is the time in microseconds; without it, the clock of the server counts.
    pub(crate) async fn admit(
        &self,
        connection: &mut (impl ConnectionLike + Send),
        key: KeyId,
        limits: RateLimits,
        given: Option<i64>,
    ) -> RedisResult<Counts> {
        let (minute, day) = (format!("aerie:minute:{{{}}}", key.0), format!("aerie:day:{{{}}}", key.0));
        let arguments = |call: &mut Cmd| {
            call.arg(2).arg(&minute).arg(&day).arg(limits.per_minute).arg(limits.per_day).arg(text(given));
        };
        let (is_admitted, now, in_minute, in_day, frees_with): (bool, i64, u32, u32, i64) =
            run(connection, &self.admit, ADMIT, arguments).await?;
        Ok(Counts { is_admitted, now, in_minute, in_day, frees_with: Some(frees_with).filter(|time| *time >= 0) })
    }

    /// Adds to the debt of a network, and returns it.
    pub(crate) async fn owe(
        &self,
        connection: &mut (impl ConnectionLike + Send),
        network: IpAddr,
        (cost, most): (Duration, Duration),
        given: Option<i64>,
    ) -> RedisResult<Duration> {
        let key = format!("aerie:debt:{{{network}}}");
        let micros = |duration: Duration| u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let arguments = |call: &mut Cmd| {
            call.arg(1).arg(&key).arg(micros(cost)).arg(micros(most)).arg(text(given));
        };
        Ok(Duration::from_micros(run(connection, &self.owe, OWE, arguments).await?))
    }
}

/// Runs a script by its hash or, where the server has forgotten it, by its text, which the server then remembers.
async fn run<T: redis::FromRedisValue>(
    connection: &mut (impl ConnectionLike + Send),
    hash: &str,
    script: &str,
    arguments: impl Fn(&mut Cmd),
) -> RedisResult<T> {
    let mut call = cmd("EVALSHA");
    call.arg(hash);
    arguments(&mut call);
    match call.query_async(connection).await {
        Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::NoScript) => {
            let mut call = cmd("EVAL");
            call.arg(script);
            arguments(&mut call);
            call.query_async(connection).await
        }
        answer => answer,
    }
}

fn text(given: Option<i64>) -> String {
    given.map(|time| time.to_string()).unwrap_or_default()
}
