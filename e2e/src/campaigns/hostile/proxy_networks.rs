//! Lists of networks that add up to every address, in the settings that grant trust.

use std::path::Path;

use crate::Server;
use crate::campaigns::{Finding, Tenant};

const KEYS: [&str; 3] = ["[proxy] trusted", "[metrics] allow_networks", "[intake] allow_networks"];

/// Lists that must be refused.
const EVERYBODY: [&str; 6] = [
    "'0.0.0.0/0'",
    "'0.0.0.0/1', '128.0.0.0/1'",
    "'::/1', '8000::/1'",
    "'::ffff:0:0/96'",
    "'0.0.0.0/2', '64.0.0.0/2', '192.0.0.0/2'",
    "'2000::/4', '3000::/4'",
];

/// A list that must be accepted.
const PRIVATE: &str = "'10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', '::ffff:10.0.0.0/104'";

/// Starts a server with each list; it must refuse and name the key, or start.
pub(super) fn check(data: &Path) -> Finding {
    let tenant = Tenant::new(data, "");
    let config = data.with_extension("networks.toml");
    let start = |key: &str, networks: &str| {
        let setting = key.replace(' ', "\n");
        let text =
            format!("environment = \"production\"\nbase_url = \"https://a.example\"\n{setting} = [{networks}]\n");
        std::fs::write(&config, text).expect("a file");
        let arguments = ["--config", config.to_str().unwrap_or_default()];
        Server::try_restart(&arguments, data, 0, &tenant.org, &tenant.key)
    };
    let mut wrong = Vec::new();
    for key in KEYS {
        // The log is that of all servers so far, so that the refusal must be its last line.
        let is_refused =
            |log: &str| log.lines().last().is_some_and(|line| line.contains(key) && line.contains("list only"));
        for networks in EVERYBODY {
            match start(key, networks) {
                Err(log) if is_refused(&log) => {}
                Err(_) => wrong.push(format!("{key} = [{networks}] is refused without its name")),
                Ok(_) => wrong.push(format!("{key} = [{networks}] is accepted")),
            }
        }
        if start(key, PRIVATE).is_err() {
            wrong.push(format!("{key} = [{PRIVATE}] is refused"));
        }
    }
    Finding {
        held: wrong.is_empty(),
        measured: format!(
            "{} lists of networks that add up to everybody in {} settings, and private ones: {} wrong{}",
            KEYS.len() * EVERYBODY.len(),
            KEYS.len(),
            wrong.len(),
            wrong.first().map(|first| format!(", first {first}")).unwrap_or_default(),
        ),
    }
}
