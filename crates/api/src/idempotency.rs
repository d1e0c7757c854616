//! `Idempotency-Key`: a request that is sent again gets the first response again and takes effect once.
//!
//! The response is stored in the same transaction as the effect, so that a crash cannot separate the two. Requests that are
//! being answered are known to this process only (see [`crate::in_progress`]). When other nodes answer an equal request at the
//! same time, the database decides whose takes effect; the others find out when theirs is refused, and repeat the response.

use aerie_domain::{PREVIEW, ValidationError};
use aerie_storage::{IdempotencyKey as RequestKey, RecordedAnswer, Replay};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use serde::Serialize;
use utoipa::IntoParams;

use crate::auth::Caller;
use crate::context::IDEMPOTENCY_KEY;
use crate::envelope::success;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::extract::Parameters;
use crate::in_progress::Held;
use crate::job_view::JobCreated;
use crate::{ApiState, context};

const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
const MAX_LENGTH: usize = 255;

/// The header of a request, if it has one, and the route that it applies to.
pub(crate) struct IdempotencyKey(Option<(String, String)>);

/// The header, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "documents the header; the extractor reads it")]
pub(crate) struct IdempotencyHeader {
    /// Makes the request take effect once, however often it is sent within 24 hours.
    #[param(rename = "Idempotency-Key", min_length = 1, max_length = 255, pattern = "^[!-~]([ -~]*[!-~])?$")]
    idempotency_key: Option<String>,
}

/// The right to answer a request. Another one with the same key is refused until this is dropped.
pub(crate) struct Turn {
    key: Option<RequestKey>,
    held: Option<Held>,
}

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let mut given = parts.headers.get_all(IDEMPOTENCY_KEY).iter();
        let Some(value) = given.next() else { return Ok(Self(None)) };
        let is_good = |text: &&str| {
            (1..=MAX_LENGTH).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')
        };
        match (value.to_str().ok().map(str::trim).filter(is_good), given.next()) {
            (Some(key), None) => {
                // A preview is another request than the job that it previews.
                let is_preview = Parameters::parse(parts.uri.query().unwrap_or_default()).boolean(PREVIEW);
                let query = if is_preview == Ok(true) { "?preview" } else { "" };
                let route = format!("{} {}{query}", parts.method, parts.uri.path());
                Ok(Self(Some((route, key.to_owned()))))
            }
            _ => {
                let message = format!("must be given once, with 1 to {MAX_LENGTH} printable ASCII characters");
                Err(ValidationError::new("Idempotency-Key", message).into())
            }
        }
    }
}

impl IdempotencyKey {
    /// Repeats the stored response, or else calls `respond`. Call it once the request has been validated, so that an invalid
    /// request is reported as invalid rather than as a repetition.
    pub(crate) async fn answer(
        self,
        state: &ApiState,
        caller: &Caller,
        respond: impl AsyncFnOnce(Turn) -> Result<Response, ApiError>,
    ) -> Result<Response, ApiError> {
        let Some((route, key)) = self.0 else { return respond(Turn { key: None, held: None }).await };
        let request = RequestKey { route: route.clone(), key: key.clone(), digest: context::body_digest() };
        let held = state.in_progress.hold(caller.org_id, route, key).ok_or_else(|| {
            let message = "A request with this Idempotency-Key is being answered; try again in a moment";
            ApiError::with_message(ApiErrorCode::JobInProgress, message)
        })?;
        let turn = Turn { key: Some(request.clone()), held: Some(held) };
        match state.store.answer_find(caller.org_id, &request).await? {
            None => respond(turn).await,
            Some(recorded) => replay(recorded),
        }
    }
}

impl Turn {
    /// The key under which the store keeps the response, if the request has one.
    pub(crate) fn key(&self) -> Option<&RequestKey> {
        self.key.as_ref()
    }

    /// Answers 200 with `data` and stores the response. Only for idempotent steps: the response is stored after the step, so
    /// that a crash between the two repeats the step.
    pub(crate) async fn success(&self, state: &ApiState, data: impl Serialize) -> Result<Response, ApiError> {
        let data = serde_json::to_value(data).map_err(ApiError::internal)?;
        if let (Some(key), Some(held)) = (&self.key, &self.held) {
            state
                .store
                .answer_record(held.org_id(), key, RecordedAnswer::Data { status: 200, data: data.clone() })
                .await?;
        }
        Ok(success(StatusCode::OK, data))
    }
}

/// The response to a repeated request.
pub(crate) fn replay(recorded: Replay) -> Result<Response, ApiError> {
    let mut response = match recorded {
        Replay::BodyMismatch => {
            let message = "was used with another body; use a new key for a new request";
            return Err(ValidationError::new("Idempotency-Key", message).into());
        }
        Replay::Answered(RecordedAnswer::Submitted(job_id)) => {
            success(StatusCode::ACCEPTED, JobCreated::queued(job_id))
        }
        Replay::Answered(RecordedAnswer::Data { status, data }) => {
            success(StatusCode::from_u16(status).unwrap_or(StatusCode::OK), data)
        }
    };
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    Ok(response)
}
