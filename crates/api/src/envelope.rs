//! The envelope of every response of `/v1`.

use std::fmt;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::context;
use crate::error_code::ApiErrorCode;

/// Metadata of the response.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Meta {
    /// Identifier of the request; also sent as `X-Request-Id`.
    #[schema(format = "uuid")]
    request_id: String,
    /// ISO 8601, UTC, with milliseconds.
    #[schema(format = "date-time")]
    timestamp: String,
}

impl Meta {
    pub(crate) fn current() -> Self {
        let (id, now) = context::current();
        Self { request_id: id.to_string(), timestamp: iso(now) }
    }
}

/// A response with a payload.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Envelope<T> {
    data: T,
    meta: Meta,
}

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListEnvelope<T> {
    data: Vec<T>,
    pagination: Pagination,
    meta: Meta,
}

/// Position of a page in its list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Pagination {
    /// Total matching jobs or listings.
    #[schema(minimum = 0)]
    pub(crate) total: u64,
    /// Page size used.
    #[schema(minimum = 1, maximum = 100)]
    pub(crate) limit: u32,
    /// Offset used.
    #[schema(minimum = 0)]
    pub(crate) offset: u64,
    /// Whether more results follow this page.
    pub(crate) has_more: bool,
}

/// An error.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorEnvelope {
    error: ErrorBody,
    meta: Meta,
}

/// Why a request was refused.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// Machine-readable code.
    #[schema(example = "VALIDATION_ERROR")]
    code: String,
    /// Human-readable text.
    message: String,
    /// Each reason, where a request for a whole listing may have several. Aerie extension.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    details: Vec<ErrorDetail>,
}

/// One of the reasons why a request for a listing was refused.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ErrorDetail {
    /// Identifier of the photo that is the reason, if one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) photo_id: Option<String>,
    /// The field of the request or of the listing, or the kind of job.
    #[schema(example = "photos[0].image_url")]
    pub(crate) field: String,
    /// Machine-readable code.
    #[schema(example = "INVALID_URL")]
    pub(crate) code: &'static str,
    /// Human-readable text, which follows the name of the field.
    pub(crate) message: String,
}

impl fmt::Display for ErrorDetail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.field, self.message)
    }
}

/// A timestamp in the API's format.
pub(crate) fn iso(time: Timestamp) -> String {
    format!("{time:.3}")
}

/// `data` in the envelope.
pub(crate) fn success<T: Serialize>(status: StatusCode, data: T) -> Response {
    json(status, &Envelope { data, meta: Meta::current() })
}

/// A page in the envelope.
pub(crate) fn page<T: Serialize>(data: Vec<T>, pagination: Pagination, meta: Meta) -> Response {
    json(StatusCode::OK, &ListEnvelope { data, pagination, meta })
}

/// An error in the envelope.
pub(crate) fn refusal(code: ApiErrorCode, message: String, details: Vec<ErrorDetail>) -> Response {
    let status = StatusCode::from_u16(code.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let error = ErrorBody { code: code.as_str().to_owned(), message, details };
    json(status, &ErrorEnvelope { error, meta: Meta::current() })
}

/// `body` as JSON without the envelope, for routes outside `/v1`.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    // Most bodies and all their headers fit without growing either.
    let mut bytes = Vec::with_capacity(1024);
    match serde_json::to_writer(&mut bytes, body) {
        Ok(()) => {
            let mut response = Response::new(Body::from(bytes));
            *response.status_mut() = status;
            *response.headers_mut() = HeaderMap::with_capacity(24);
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response
        }
        Err(error) => {
            tracing::error!(%error, "cannot serialize a response");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
