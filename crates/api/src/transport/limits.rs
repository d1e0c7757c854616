//! Limits on connections.

use std::time::Duration;

/// Limits on the number of connections and on their duration.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// Connections at once. One eighth more are answered with 429; others wait.
    pub most: usize,
    /// Connections at once from one address; more are closed. Trusted proxies and loopback are unlimited.
    pub most_per_address: usize,
    /// Time for the TLS handshake, for the head of a request, and between requests.
    pub head_within: Duration,
    /// Time within which the client must read part of a response.
    pub stalled_after: Duration,
    /// Time for requests in progress at shutdown.
    pub ends_within: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            most: 1024,
            most_per_address: 128,
            head_within: seconds(30),
            stalled_after: seconds(30),
            ends_within: seconds(10),
        }
    }
}
