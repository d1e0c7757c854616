//! Identifies and logs each request.

use std::sync::Arc;
use std::time::Instant;

use aerie_domain::{Clock, RequestId};
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use tracing::Instrument;

use crate::transport::ClientAddress;
use crate::{Metrics, context, shared_paths, unknown_paths};

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Assigns the request an id, logs and counts the response, and returns the id in a header. The query is not logged, because
/// it holds the signatures of links, nor is the token of a share link.
pub(crate) async fn identify<F: Future<Output = Response>>(
    clock: &Arc<dyn Clock>,
    metrics: &Metrics,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let started = Instant::now();
    let id = RequestId::new(clock.now());
    let client = request.extensions().get().map(|ClientAddress(client)| tracing::field::display(*client));
    let (method, path) = (request.method(), request.uri().path());
    let path = shared_paths::loggable(path);
    let span = tracing::info_span!("request", request_id = %id, %method, path = &*path, client);
    let route =
        request.extensions().get::<MatchedPath>().filter(|route| !unknown_paths::contain(route.as_str())).cloned();
    let method = method.clone();
    let answer = async {
        let response = next(request).await;
        let milliseconds = started.elapsed().as_secs_f64() * 1000.0;
        tracing::debug!(status = response.status().as_u16(), milliseconds, "answered");
        response
    };
    let mut response = context::scope(id, Arc::clone(clock), answer.instrument(span)).await;
    let route = route.as_ref().map(MatchedPath::as_str);
    metrics.answered(&method, route, response.status(), started.elapsed());
    if let Ok(value) = HeaderValue::from_str(&id.to_string()) {
        response.headers_mut().insert(X_REQUEST_ID, value);
    }
    response
}
