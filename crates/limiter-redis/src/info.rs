//! The settings of a server on which counts depend.

/// What the command `INFO` says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Info {
    /// Name and version.
    pub(crate) version: String,
    /// Whether the keys are spread over several servers.
    pub(crate) is_cluster: bool,
    /// What should be set in another way.
    pub(crate) advice: Vec<&'static str>,
}

impl Info {
    /// Reads lines of the form `name:value`. Without any, nothing is known.
    pub(crate) fn parse(text: &str) -> Self {
        let value = |name: &str| {
            text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).unwrap_or_default().trim()
        };
        let version = match (value("valkey_version"), value("redis_version")) {
            ("", "") => "a server of unknown version".to_owned(),
            ("", version) => format!("Redis {version}"),
            (version, _) => format!("Valkey {version}"),
        };
        let mut advice = Vec::new();
        if !matches!(value("maxmemory_policy"), "" | "noeviction") && value("maxmemory") != "0" {
            advice.push("set maxmemory-policy noeviction: a key that is evicted has its limits anew");
        }
        if value("aof_enabled") == "0" {
            advice.push("set appendonly yes: otherwise every key has its limits anew when the server restarts");
        }
        Self { version, is_cluster: value("redis_mode") == "cluster", advice }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_lose_counts_are_named() {
        let info = |policy, maxmemory, aof| {
            let text = format!(
                "# Server\r\nredis_version:7.2.4\r\nvalkey_version:8.1.3\r\nredis_mode:cluster\r\nmaxmemory:{maxmemory}\r\n\
                 maxmemory_policy:{policy}\r\naof_enabled:{aof}\r\n"
            );
            Info::parse(&text)
        };
        let good = info("noeviction", 1000, 1);
        assert_eq!((good.version.as_str(), good.is_cluster, good.advice.len()), ("Valkey 8.1.3", true, 0));
        assert!(info("allkeys-lru", 0, 1).advice.is_empty(), "nothing is evicted without a limit");
        let bad = info("allkeys-lru", 1000, 0).advice;
        assert!(bad[0].contains("noeviction") && bad[1].contains("appendonly"), "{bad:?}");
        assert_eq!(Info::parse("").advice.len(), 0);
        assert_eq!(Info::parse("redis_version:7.0.15\r\n").version, "Redis 7.0.15");
    }
}
