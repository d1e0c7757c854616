//! Memory of responses that wait until their clients read them.
//!
//! Files and usage are streamed, and static files are shared. Other responses, such as pages of jobs, are in memory as a whole.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

use aerie_domain::{OrgId, ShareLinkId};
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::Request;
use axum::response::{IntoResponse, Response};

use crate::auth::Caller;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;

/// Size up to which a response is not counted, bytes.
const SMALL: usize = 32 << 10;

/// Maximum size of an organization's larger responses together, and of those of all organizations, bytes.
const MAX_PER_ORGANIZATION: usize = 8 << 20;
const MAX_TOTAL: usize = 64 << 20;

/// `Retry-After` for a client with too many unread responses, seconds.
const RETRY_AFTER: u32 = 5;

/// Bytes of large responses that are not sent yet, by organization.
#[derive(Debug, Default, Clone)]
pub(crate) struct LargeResponses(Arc<Mutex<HashMap<OrgId, usize>>>);

/// What a response to a viewer of a share link counts for, in its extensions: the link, as if it were an organization, so that
/// viewers who do not read leave the organization's own requests alone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owner(OrgId);

impl Owner {
    pub(crate) fn of(link: ShareLinkId) -> Self {
        Self(OrgId(link.0))
    }
}

/// A response that is being sent, counted until its last byte is.
struct Counted {
    bytes: Bytes,
    all: LargeResponses,
    org_id: OrgId,
}

impl LargeResponses {
    fn count(&self, org_id: OrgId, bytes: Bytes) -> Option<Counted> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (total, own) = (all.values().sum::<usize>(), all.get(&org_id).copied().unwrap_or(0));
        // One response is always allowed.
        if own > 0 && (own + bytes.len() > MAX_PER_ORGANIZATION || total + bytes.len() > MAX_TOTAL) {
            return None;
        }
        all.insert(org_id, own + bytes.len());
        Some(Counted { bytes, all: self.clone(), org_id })
    }
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut all = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut own) = all.entry(self.org_id) {
            *own.get_mut() -= self.bytes.len();
            if *own.get() == 0 {
                own.remove();
            }
        }
    }
}

/// Refuses with 429 what would exceed the limits.
pub(crate) async fn bound<F: Future<Output = Response>>(
    all: &LargeResponses,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let caller = request.extensions().get().map(|caller: &Caller| caller.org_id);
    let response = next(request).await;
    let caller = caller.or_else(|| response.extensions().get().map(|Owner(org_id)| *org_id));
    let size = response.body().size_hint().exact().and_then(|size| usize::try_from(size).ok());
    let (Some(org_id), Some(size)) = (caller, size.filter(|size| *size > SMALL)) else { return response };
    let (parts, body) = response.into_parts();
    match to_bytes(body, size).await {
        Ok(bytes) => match all.count(org_id, bytes) {
            // Its owner is dropped with the last copy of the bytes, when the connection has sent them or ended.
            Some(counted) => Response::from_parts(parts, Body::from(Bytes::from_owner(counted))),
            None => {
                let message = "Too many large responses are being sent; read them before you request more";
                ApiError::with_message(ApiErrorCode::RateLimited, message).retry_after(RETRY_AFTER).into_response()
            }
        },
        Err(error) => ApiError::internal(error).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unread_responses_of_an_organization_are_limited_and_one_is_always_allowed() {
        let all = LargeResponses::default();
        let [org, other] = [(); 2].map(|()| OrgId::new(jiff::Timestamp::now()));
        let page = |size: usize| Bytes::from(vec![0; size]);
        let whole = all.count(org, page(MAX_PER_ORGANIZATION + 1)).unwrap();
        assert!(all.count(org, page(SMALL)).is_none());
        let theirs = all.count(other, page(SMALL)).unwrap();
        let sent = Bytes::from_owner(whole);
        let rest = sent.slice(1..2);
        drop(sent);
        assert!(all.count(org, page(SMALL)).is_none(), "part of it is not sent yet");
        drop(rest);
        assert!(all.count(org, page(SMALL)).is_some());
        drop(theirs);
        assert!(all.0.lock().unwrap().is_empty());
    }
}
