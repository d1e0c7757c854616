//! What belongs to one request: its id, from the response to the worker's log.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use aerie_domain::{Clock, RequestId};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use jiff::Timestamp;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tracing::Instrument;

use crate::ApiState;
use crate::transport::ClientAddress;

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

struct RequestContext {
    id: RequestId,
    clock: Arc<dyn Clock>,
    body_digest: OnceLock<[u8; 32]>,
}

// A task-local, for whatever answers has to name the request: handlers, extractors that refuse, fallbacks and the panic
// handler alike. Handing it through all of them would leave some out.
tokio::task_local! {
    static CONTEXT: RequestContext;
}

/// Id of the request that is being answered, and the time.
pub(crate) fn current() -> (RequestId, Timestamp) {
    let known = CONTEXT.try_with(|context| (context.id, context.clock.now()));
    known.unwrap_or_else(|_| {
        let now = Timestamp::now();
        (RequestId::new(now), now)
    })
}

/// Notes what the request's body says, for [`body_digest`].
pub(crate) fn note_body(body: &Value) {
    // Members of an object come in the order of their names, in whichever they were sent.
    let digest = Sha256::digest(body.to_string().as_bytes()).into();
    let _ = CONTEXT.try_with(|context| context.body_digest.set(digest));
}

/// SHA-256 of what the request's body says: the same for the same values, however they are written.
pub(crate) fn body_digest() -> [u8; 32] {
    CONTEXT.try_with(|context| context.body_digest.get().copied()).ok().flatten().unwrap_or_default()
}

/// Gives the request an id, logs how it went, and sends the id along. The query is not logged: links are signed there.
pub(crate) async fn identify(State(state): State<Arc<ApiState>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = RequestId::new(state.clock.now());
    let context = RequestContext { id, clock: Arc::clone(&state.clock), body_digest: OnceLock::new() };
    let client = request.extensions().get().map(|ClientAddress(client)| tracing::field::display(*client));
    let (method, path) = (request.method(), request.uri().path());
    let span = tracing::info_span!("request", request_id = %id, %method, path, client);
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = method.clone();
    let answer = async {
        let response = next.run(request).await;
        let milliseconds = started.elapsed().as_secs_f64() * 1000.0;
        tracing::debug!(status = response.status().as_u16(), milliseconds, "answered");
        response
    };
    let mut response = CONTEXT.scope(context, answer.instrument(span)).await;
    let route = route.as_ref().map(MatchedPath::as_str);
    state.metrics.answered(&method, route, response.status(), started.elapsed());
    if let Ok(value) = HeaderValue::from_str(&id.to_string()) {
        response.headers_mut().insert(X_REQUEST_ID, value);
    }
    response
}
