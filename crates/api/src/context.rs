//! The context of the request that is being answered: its id, the clock, and the digest of its body.

use std::sync::{Arc, OnceLock};

use aerie_domain::{Clock, RequestId};
use axum::http::HeaderName;
use jiff::Timestamp;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The header that makes a request take effect once.
pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

struct RequestContext {
    id: RequestId,
    clock: Arc<dyn Clock>,
    body_digest: OnceLock<[u8; 32]>,
}

// A task-local, because everything that answers names the request: handlers, extractors that refuse, fallbacks and the panic
// handler. Passing it as an argument would miss some of them.
tokio::task_local! {
    static CONTEXT: RequestContext;
}

/// Answers a request in a context of its own.
pub(crate) async fn scope<F: Future>(id: RequestId, clock: Arc<dyn Clock>, answer: F) -> F::Output {
    CONTEXT.scope(RequestContext { id, clock, body_digest: OnceLock::new() }, answer).await
}

/// Does work elsewhere in the context of the current request.
pub(crate) fn inherited<F: Future>(work: F) -> impl Future<Output = F::Output> {
    let known = CONTEXT.try_with(|context| (context.id, Arc::clone(&context.clock))).ok();
    async move {
        match known {
            Some((id, clock)) => scope(id, clock, work).await,
            None => work.await,
        }
    }
}

/// Id of the current request, and the time.
pub(crate) fn current() -> (RequestId, Timestamp) {
    let known = CONTEXT.try_with(|context| (context.id, context.clock.now()));
    known.unwrap_or_else(|_| {
        let now = Timestamp::now();
        (RequestId::new(now), now)
    })
}

/// SHA-256 of a request's body. Members are sorted: equal values, in whatever order they were sent, are equal texts.
pub(crate) fn digest_of(body: &Value) -> [u8; 32] {
    let mut sorted = body.clone();
    sorted.sort_all_objects();
    Sha256::digest(sorted.to_string().as_bytes()).into()
}

/// Records the digest of the request's body for [`body_digest`].
pub(crate) fn note_body(digest: [u8; 32]) {
    let _ = CONTEXT.try_with(|context| context.body_digest.set(digest));
}

/// SHA-256 of the request's body. Equal values have equal digests, however they are formatted.
pub(crate) fn body_digest() -> [u8; 32] {
    CONTEXT.try_with(|context| context.body_digest.get().copied()).ok().flatten().unwrap_or_default()
}
