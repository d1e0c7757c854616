//! `GET /metrics`: figures for Prometheus, for those who may see them.

use std::net::IpAddr;
use std::sync::Arc;

use aerie_domain::ApiErrorCode;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use ipnet::IpNet;
use sha2::{Digest, Sha256};

use crate::ApiState;
use crate::error::ApiError;
use crate::metrics::Given;
use crate::transport::ClientAddress;

const TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Who may see the figures.
#[derive(Debug, Clone, Default)]
pub struct MetricsReaders {
    networks: Vec<IpNet>,
    token: Option<[u8; 32]>,
}

impl MetricsReaders {
    /// Whoever comes from one of these networks, and whoever has the token, unless it is empty.
    #[must_use]
    pub fn new(networks: Vec<IpNet>, token: &str) -> Self {
        let token = (!token.is_empty()).then(|| Sha256::digest(token.as_bytes()).into());
        Self { networks, token }
    }

    fn admit(&self, address: Option<IpAddr>, headers: &HeaderMap) -> bool {
        // Hashes are compared, so that the time it takes tells nothing of the token.
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        let given = bearer.map(|bearer| <[u8; 32]>::from(Sha256::digest(bearer.trim().as_bytes())));
        if self.token.is_some() && given == self.token {
            return true;
        }
        // A proxy that is not trusted has an address of its own, and strangers behind it.
        let is_relayed = ["x-forwarded-for", "forwarded", "x-real-ip"].iter().any(|name| headers.contains_key(*name));
        let address = address.map(|address| address.to_canonical());
        !is_relayed && address.is_some_and(|address| self.networks.iter().any(|network| network.contains(&address)))
    }
}

/// Figures in the text format of OpenMetrics. Not in the document of the API: they are for whoever runs the service, and no
/// client's matter.
pub(crate) async fn get_metrics(State(state): State<Arc<ApiState>>, request: Request) -> Result<Response, ApiError> {
    let address = request.extensions().get().map(|ClientAddress(address)| *address);
    if !state.metrics_readers.admit(address, request.headers()) {
        let message = "Figures are for the networks in [metrics] allow_networks, and for whoever has the token";
        return Err(ApiError::with_message(ApiErrorCode::Forbidden, message));
    }
    let queue = state.store.queue_figures().await?;
    let given = Given { queue, room: &state.room, readiness: &state.readiness, now: state.clock.now() };
    let text = state.metrics.text(&given).map_err(ApiError::internal)?;
    Ok(([(header::CONTENT_TYPE, TEXT)], text).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_for_named_networks_and_for_whoever_has_the_token() {
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
        assert!(!readers.admit(Some(here), &with("x-forwarded-for", "10.0.0.1")), "a proxy that is not trusted");
        assert!(!readers.admit(Some(there), &with("authorization", "Bearer ")), "no token is no token");
        let readers = MetricsReaders::new(Vec::new(), "secret");
        assert!(readers.admit(Some(there), &with("authorization", "Bearer secret")));
        for wrong in ["Bearer secre", "Bearer secret1", "secret", "Basic secret"] {
            assert!(!readers.admit(Some(here), &with("authorization", wrong)), "{wrong}");
        }
    }
}
