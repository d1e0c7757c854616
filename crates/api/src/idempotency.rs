//! `Idempotency-Key`: a request that is sent again is answered as the first time, and takes effect once.
//!
//! The answer is kept in the transaction that takes effect, so that no kill can part them. What is being answered at the
//! moment is known to this process alone: after a crash nothing is in the way of trying again.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use aerie_domain::{ApiErrorCode, OrgId, ValidationError};
use aerie_storage::{Answer, Earlier, Once};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use serde::Serialize;
use utoipa::IntoParams;

use crate::auth::Caller;
use crate::envelope::success;
use crate::error::ApiError;
use crate::submit::JobCreated;
use crate::{ApiState, context};

pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
const LONGEST: usize = 255;

/// Requests with an `Idempotency-Key` that are being answered: organization, route and key.
#[derive(Debug, Default, Clone)]
pub struct InProgress(Arc<Mutex<HashSet<(OrgId, String, String)>>>);

/// The header of a request, if there is one, and the route that it holds for.
pub(crate) struct IdempotencyKey(Option<(String, String)>);

/// The header, for the contract for machines.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "says what the header may be; the extractor reads it")]
pub(crate) struct IdempotencyHeader {
    /// Marks a request that takes effect once, however often it is sent within 24 hours.
    #[param(rename = "Idempotency-Key", min_length = 1, max_length = 255, pattern = "^[!-~]([ -~]*[!-~])?$")]
    idempotency_key: Option<String>,
}

/// The right to answer a request; another one with the same key is refused until this is dropped.
pub(crate) struct Turn {
    once: Option<Once>,
    held: Option<(InProgress, (OrgId, String, String))>,
}

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let mut given = parts.headers.get_all(IDEMPOTENCY_KEY).iter();
        let Some(value) = given.next() else { return Ok(Self(None)) };
        let is_good = |text: &&str| {
            (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')
        };
        match (value.to_str().ok().map(str::trim).filter(is_good), given.next()) {
            (Some(key), None) => {
                let route = format!("{} {}", parts.method, parts.uri.path());
                Ok(Self(Some((route, key.to_owned()))))
            }
            _ => {
                let message = format!("must be given once, with 1 to {LONGEST} printable ASCII characters");
                Err(ValidationError::new("Idempotency-Key", message).into())
            }
        }
    }
}

impl IdempotencyKey {
    /// Answers the request as it was answered before, or else has `respond` do it. Called when the request's shape is
    /// known to be good: what is wrong with it is told rather than what came before it.
    pub(crate) async fn answer(
        self,
        state: &ApiState,
        caller: &Caller,
        respond: impl AsyncFnOnce(Turn) -> Result<Response, ApiError>,
    ) -> Result<Response, ApiError> {
        let Some((route, key)) = self.0 else { return respond(Turn { once: None, held: None }).await };
        let once = Once { route: route.clone(), key: key.clone(), digest: context::body_digest() };
        let place = (caller.org_id, route, key);
        if !state.in_progress.0.lock().unwrap_or_else(PoisonError::into_inner).insert(place.clone()) {
            let message = "A request with this Idempotency-Key is being answered; try again in a moment";
            return Err(ApiError::with_message(ApiErrorCode::JobInProgress, message));
        }
        let turn = Turn { once: Some(once.clone()), held: Some((state.in_progress.clone(), place)) };
        match state.store.answer_find(caller.org_id, &once).await? {
            None => respond(turn).await,
            Some(earlier) => again(earlier),
        }
    }
}

impl Turn {
    /// What the store is to keep the answer under, if the request has a key.
    pub(crate) fn once(&self) -> Option<&Once> {
        self.once.as_ref()
    }

    /// Answers 200 with `data`, and keeps the answer. For steps that may be taken twice without harm: the answer is kept
    /// after the step, so that a kill between the two has it taken again.
    pub(crate) async fn success(&self, state: &ApiState, data: impl Serialize) -> Result<Response, ApiError> {
        let data = serde_json::to_value(data).map_err(ApiError::internal)?;
        if let (Some(once), Some((_, (org_id, ..)))) = (&self.once, &self.held) {
            state.store.answer_keep(*org_id, once, Answer::Data { status: 200, data: data.clone() }).await?;
        }
        Ok(success(StatusCode::OK, data))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some((in_progress, place)) = self.held.take() {
            in_progress.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&place);
        }
    }
}

/// The answer to a request that has come before.
pub(crate) fn again(earlier: Earlier) -> Result<Response, ApiError> {
    let mut response = match earlier {
        Earlier::OtherRequest => {
            let message = "was used for another body; a new request needs a new one";
            return Err(ValidationError::new("Idempotency-Key", message).into());
        }
        Earlier::Answered(Answer::Submitted(job_id)) => success(StatusCode::ACCEPTED, JobCreated::queued(job_id)),
        Earlier::Answered(Answer::Data { status, data }) => {
            success(StatusCode::from_u16(status).unwrap_or(StatusCode::OK), data)
        }
    };
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    Ok(response)
}
