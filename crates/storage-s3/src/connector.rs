//! HTTP connections to the service.

use std::time::Duration;

use object_store::client::{HttpClient, HttpConnector};
use object_store::{ClientConfigKey, ClientOptions, Error, Result};

/// How long to wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long to wait for a response from the moment that its request is begun, body included, and then for each next piece of
/// it: a slow uplink must send a part of an upload in this time. There is no limit on a whole response: media are streamed to
/// clients as fast as they read.
const READ_TIMEOUT: Duration = Duration::from_secs(60);

/// How soon a server is noticed that vanished without closing its connections.
const VANISHED: Duration = Duration::from_secs(10);
const PROBE_EVERY: Duration = Duration::from_secs(5);
const PROBES: u32 = 2;

/// Connects as Aerie needs it: `object_store` has no options for connections whose server has vanished.
#[derive(Debug)]
pub(crate) struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> Result<HttpClient> {
        let allow_http = options.get_config_value(&ClientConfigKey::AllowHttp).is_some_and(|value| value == "true");
        let client = reqwest::Client::builder()
            .user_agent(concat!("aerie/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(READ_TIMEOUT)
            .tcp_keepalive(PROBE_EVERY)
            .tcp_keepalive_interval(PROBE_EVERY)
            .tcp_keepalive_retries(PROBES)
            .tcp_user_timeout(VANISHED)
            .https_only(!allow_http)
            .build();
        client.map(HttpClient::new).map_err(|error| Error::Generic { store: "S3", source: error.into() })
    }
}
