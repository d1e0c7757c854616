//! Bodies.

use std::time::Duration;

use aerie_domain::{
    AnnotateRequest, ApiErrorCode, DroneFootageRequest, ImageEnhanceRequest, MarkupRequest, MarkupVideoRequest,
    SelectRequest, ValidationError, VideoClipRequest, VirtualStagingRequest,
};
use axum::body::{Body, BodyDataStream};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use futures_util::StreamExt;
use serde_json::Value;

use crate::context;
use crate::error::ApiError;
use crate::idempotency::IDEMPOTENCY_KEY;

/// Largest body in bytes.
const MOST: usize = 1 << 20;

/// Time for a whole body.
const WITHIN: Duration = Duration::from_secs(30);

/// How much of a body that is too large is still read, so that the client has sent it and reads the answer.
const MOST_DRAINED: usize = 16 << 20;

/// What can be read from a JSON body.
pub(crate) trait RequestBody: Sized {
    /// What a body that is missing counts as.
    const MISSING: Option<&'static str> = None;

    fn from_body(body: &Value) -> Result<Self, ValidationError>;
}

macro_rules! request_bodies {
    ($($request:ident),* $(,)?) => {$(
        impl RequestBody for $request {
            fn from_body(body: &Value) -> Result<Self, ValidationError> {
                $request::from_body(body)
            }
        }
    )*};
}

request_bodies! {
    AnnotateRequest, DroneFootageRequest, ImageEnhanceRequest, MarkupRequest, SelectRequest, VideoClipRequest,
    VirtualStagingRequest,
}

impl RequestBody for MarkupVideoRequest {
    const MISSING: Option<&'static str> = Some("{}");

    fn from_body(body: &Value) -> Result<Self, ValidationError> {
        MarkupVideoRequest::from_body(body)
    }
}

/// A JSON body.
pub(crate) struct ApiJson<T>(pub(crate) T);

impl<S: Send + Sync, T: RequestBody> FromRequest<S> for ApiJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let is_json = is_json(request.headers());
        let is_noted = request.headers().contains_key(IDEMPOTENCY_KEY);
        let read = tokio::time::timeout(WITHIN, read(request.into_body())).await;
        let mut bytes = read.map_err(|_| refused("The body must arrive within 30 seconds"))??;
        let is_missing = bytes.is_empty();
        if is_missing {
            let counts_as = T::MISSING.ok_or_else(|| refused("A body is required: a JSON object"))?;
            bytes = counts_as.as_bytes().to_vec();
        }
        if !is_json && !is_missing {
            return Err(refused("The Content-Type must be application/json"));
        }
        let mut body: Value =
            serde_json::from_slice(&bytes).map_err(|error| refused(format!("The body is not valid JSON: {error}")))?;
        // `null` counts as absent for a whole body, too.
        if body.is_null() && T::MISSING.is_some() {
            body = Value::Object(serde_json::Map::new());
        }
        if is_noted {
            context::note_body(&body);
        }
        Ok(Self(T::from_body(&body)?))
    }
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
        let part = part.map_err(|_| refused("The body could not be read to its end"))?;
        if bytes.len() + part.len() > MOST {
            drain(stream, bytes.len() + part.len()).await;
            return Err(refused("The body must be at most 1 MiB (1,048,576 bytes) long"));
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

async fn drain(mut stream: BodyDataStream, mut read: usize) {
    while let Some(Ok(part)) = stream.next().await {
        read += part.len();
        if read > MOST_DRAINED {
            return;
        }
    }
}
