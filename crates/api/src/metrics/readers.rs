//! Access control of `GET /metrics`.

use std::net::IpAddr;

use axum::http::{HeaderMap, header};
use ipnet::IpNet;
use sha2::{Digest, Sha256};

/// Headers that proxies add.
const RELAYED: [&str; 6] =
    ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "forwarded", "x-real-ip", "via"];

/// Who may read the metrics.
#[derive(Debug, Clone, Default)]
pub struct MetricsReaders {
    networks: Vec<IpNet>,
    token: Option<[u8; 32]>,
}

impl MetricsReaders {
    /// Clients in these networks, and clients with the token unless it is empty.
    #[must_use]
    pub fn new(networks: Vec<IpNet>, token: &str) -> Self {
        let token = (!token.is_empty()).then(|| Sha256::digest(token.as_bytes()).into());
        Self { networks, token }
    }

    /// Whether a request from this address with these headers may read the metrics.
    pub(crate) fn admit(&self, address: Option<IpAddr>, headers: &HeaderMap) -> bool {
        // Comparing hashes keeps the comparison's duration from revealing the token.
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        let given = bearer.map(|bearer| <[u8; 32]>::from(Sha256::digest(bearer.trim().as_bytes())));
        if self.token.is_some() && given == self.token {
            return true;
        }
        // An untrusted proxy in an allowed network may relay requests from outside.
        let is_relayed = RELAYED.iter().any(|name| headers.contains_key(*name));
        let address = address.map(|address| address.to_canonical());
        !is_relayed && address.is_some_and(|address| self.networks.iter().any(|network| network.contains(&address)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_for_the_allowed_networks_and_for_clients_with_the_token() {
        let loopback = || vec!["127.0.0.0/8".parse().unwrap()];
        let here: IpAddr = "127.0.0.1".parse().unwrap();
        let mapped: IpAddr = "::ffff:127.0.0.1".parse().unwrap();
        let there: IpAddr = "10.0.0.1".parse().unwrap();
        let with =
            |name: &'static str, value: &str| HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())]);
        let none = HeaderMap::new();
        let readers = MetricsReaders::new(loopback(), "");
        assert!(readers.admit(Some(here), &none) && readers.admit(Some(mapped), &none));
        assert!(!readers.admit(Some(there), &none) && !readers.admit(None, &none));
        for (name, value) in [("x-forwarded-for", "10.0.0.1"), ("x-forwarded-proto", "https"), ("via", "1.1 proxy")] {
            assert!(!readers.admit(Some(here), &with(name, value)), "an untrusted proxy: {name}");
        }
        assert!(!readers.admit(Some(there), &with("authorization", "Bearer ")), "an empty token admits nobody");
        let readers = MetricsReaders::new(Vec::new(), "secret");
        assert!(readers.admit(Some(there), &with("authorization", "Bearer secret")));
        for wrong in ["Bearer secre", "Bearer secret1", "secret", "Basic secret"] {
            assert!(!readers.admit(Some(here), &with("authorization", wrong)), "{wrong}");
        }
    }
}
