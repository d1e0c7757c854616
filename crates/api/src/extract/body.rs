//! JSON bodies.

use std::time::Duration;

use aerie_domain::{ListingChanges, ListingRequest, ValidationError};
use aerie_engine_api::kinds::markup::{AnnotateRequest, SelectRequest};
use aerie_engine_api::openapi::Presence;
use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use futures_util::StreamExt;
use serde_json::Value;

use crate::context::{self, IDEMPOTENCY_KEY};
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::extract::Parameters;
use crate::off_runtime;
use crate::requests::share_links::{ApprovalRequest, CommentRequest, ShareLinkRequest};
use crate::requests::webhooks::{WebhookChange, WebhookRequest};
use crate::transport::TooSlow;

/// Maximum size of a body, bytes.
const MAX_SIZE: usize = 1 << 20;

/// Maximum size of a form, bytes.
const MAX_FORM: usize = 64 << 10;

/// Time limit for reading a body.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Size of a body up to which it is parsed where it was received, bytes. A megabyte of small values takes tens of
/// milliseconds.
const SMALL: usize = 16 << 10;

/// A request that is read from a JSON body.
pub(crate) trait RequestBody: Sized + Send + 'static {
    fn from_body(body: &Value) -> Result<Self, ValidationError>;
}

impl RequestBody for AnnotateRequest {
    fn from_body(body: &Value) -> Result<Self, ValidationError> {
        AnnotateRequest::from_body(body)
    }
}

impl RequestBody for ListingRequest {
    fn from_body(body: &Value) -> Result<Self, ValidationError> {
        ListingRequest::from_body(body)
    }
}

impl RequestBody for ListingChanges {
    fn from_body(body: &Value) -> Result<Self, ValidationError> {
        ListingChanges::from_body(body)
    }
}

impl RequestBody for ShareLinkRequest {
    fn from_body(body: &Value) -> Result<Self, ValidationError> {
        ShareLinkRequest::from_body(body)
    }
}

impl RequestBody for ApprovalRequest {
    fn from_body(body: &Value) -> Result<Self, ValidationError> {
        ApprovalRequest::from_body(body)
    }
}

impl RequestBody for CommentRequest {
    fn from_body(body: &Value) -> Result<Self, ValidationError> {
        CommentRequest::from_body(body)
    }
}

impl RequestBody for SelectRequest {
    fn from_body(body: &Value) -> Result<Self, ValidationError> {
        SelectRequest::from_body(body)
    }
}

impl RequestBody for WebhookRequest {
    fn from_body(body: &Value) -> Result<Self, ValidationError> {
        WebhookRequest::from_body(body)
    }
}

impl RequestBody for WebhookChange {
    fn from_body(body: &Value) -> Result<Self, ValidationError> {
        WebhookChange::from_body(body)
    }
}

/// A valid JSON body.
pub(crate) struct ApiJson<T>(pub(crate) T);

impl<S: Send + Sync, T: RequestBody> FromRequest<S> for ApiJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        Ok(Self(read_json(request, Presence::Required, T::from_body).await?))
    }
}

/// Reads a request from a JSON body and notes the body for the idempotency check. An optional body that is missing or `null`
/// reads as `{}`.
pub(crate) async fn read_json<T: Send + 'static>(
    request: Request,
    presence: Presence,
    from_body: impl FnOnce(&Value) -> Result<T, ValidationError> + Send + 'static,
) -> Result<T, ApiError> {
    let is_json = is_json(request.headers());
    let is_noted = request.headers().contains_key(IDEMPOTENCY_KEY);
    let bytes = read_in_time(request.into_body()).await?;
    let is_small = bytes.len() <= SMALL;
    let parse = move || {
        let body = parse(&bytes, is_json, presence)?;
        let digest = is_noted.then(|| context::digest_of(&body));
        Ok::<_, ApiError>((from_body(&body)?, digest))
    };
    let (read, digest) = if is_small { parse() } else { off_runtime::run(parse).await? }?;
    if let Some(digest) = digest {
        context::note_body(digest);
    }
    Ok(read)
}

/// Reads a form that a browser sends.
pub(crate) async fn read_form(request: Request) -> Result<Parameters, ApiError> {
    let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if !content_type.is_some_and(|given| given.starts_with("application/x-www-form-urlencoded")) {
        return Err(refused("The Content-Type must be application/x-www-form-urlencoded"));
    }
    let bytes = read_in_time(request.into_body()).await?;
    if bytes.len() > MAX_FORM {
        return Err(refused("The form must be at most 64 KiB (65,536 bytes) long"));
    }
    Ok(Parameters::parse_bytes(&bytes))
}

async fn read_in_time(body: Body) -> Result<Vec<u8>, ApiError> {
    let read = tokio::time::timeout(TIME_LIMIT, read(body)).await;
    read.map_err(|_| refused("The body must arrive within 30 seconds"))?
}

fn parse(bytes: &[u8], is_json: bool, presence: Presence) -> Result<Value, ApiError> {
    Ok(match (bytes.is_empty(), presence) {
        (true, Presence::Optional) => empty(),
        (true, Presence::Required) => return Err(refused("A body is required: a JSON object")),
        (false, _) if !is_json => return Err(refused("The Content-Type must be application/json")),
        (false, _) => {
            let read = serde_json::from_slice(bytes);
            match read.map_err(|error| refused(format!("The body is not valid JSON: {error}")))? {
                Value::Null if presence == Presence::Optional => empty(),
                body => body,
            }
        }
    })
}

fn empty() -> Value {
    Value::Object(serde_json::Map::new())
}

fn refused(message: impl Into<String>) -> ApiError {
    ApiError::with_message(ApiErrorCode::ValidationError, message)
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(given) = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()) else { return false };
    let essence = given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

async fn read(body: Body) -> Result<Vec<u8>, ApiError> {
    let mut stream = body.into_data_stream();
    let mut bytes = Vec::new();
    while let Some(part) = stream.next().await {
        let part = part.map_err(|error| match error.into_inner().is::<TooSlow>() {
            true => refused("The body arrives too slowly"),
            false => refused("The body could not be read to its end"),
        })?;
        if bytes.len() + part.len() > MAX_SIZE {
            return Err(refused("The body must be at most 1 MiB (1,048,576 bytes) long"));
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}
