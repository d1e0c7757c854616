//! Requests with an `Idempotency-Key` that are being answered.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use aerie_domain::OrgId;

/// Organization, route and key of the requests with an `Idempotency-Key` that this process is answering. Nothing of it
/// survives a crash, so nothing prevents a retry.
#[derive(Debug, Default, Clone)]
pub struct InProgress(Arc<Mutex<HashSet<Request>>>);

type Request = (OrgId, String, String);

/// The right to answer a request. Another one with the same key is refused until this is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    in_progress: InProgress,
    request: Request,
}

impl InProgress {
    /// Claims a request, unless an equal one is being answered.
    pub(crate) fn hold(&self, org_id: OrgId, route: String, key: String) -> Option<Held> {
        let request = (org_id, route, key);
        let is_new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(request.clone());
        is_new.then(|| Held { in_progress: self.clone(), request })
    }
}

impl Held {
    pub(crate) fn org_id(&self) -> OrgId {
        self.request.0
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.in_progress.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.request);
    }
}
