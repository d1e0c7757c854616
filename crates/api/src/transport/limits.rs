//! Limits on connections.

use std::time::Duration;

/// Limits on the number of connections, on their duration and on their rate.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// Connections at once. For another one, the one that has waited longest for a request is closed. If none waits, one eighth
    /// more are accepted, and only their health checks are answered; other requests get 429.
    pub most: usize,
    /// Connections at once from one address or IPv6 /56; more are closed. Trusted proxies and loopback are unlimited.
    pub most_per_address: usize,
    /// Time for the TLS handshake, for the head of a request, and between requests.
    pub head_within: Duration,
    /// Minimum rate of request bodies and responses, bytes per second, while the server waits for the client.
    pub least_per_second: u32,
    /// Waiting time over which the rate of a request body is measured.
    pub body_window: Duration,
    /// Waiting time over which the rate of a response is measured.
    pub response_window: Duration,
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
            least_per_second: 1024,
            body_window: seconds(10),
            response_window: seconds(30),
            ends_within: seconds(10),
        }
    }
}

impl ConnectionLimits {
    /// Limits for a listener that only monitoring uses.
    #[must_use]
    pub fn admin() -> Self {
        Self { most: 32, most_per_address: 16, ..Self::default() }
    }
}
