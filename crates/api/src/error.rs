//! Errors of requests, from all sources, in the envelope.

use aerie_domain::{MarkupRefusal, ValidationError};
use aerie_storage::{LinkError, MediaError, OutOfCapacity, StoreError};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::envelope::{self, ErrorDetail};
use crate::error_code::ApiErrorCode;

/// Why a request is refused.
#[derive(Debug, Clone)]
pub(crate) struct ApiError {
    code: ApiErrorCode,
    message: String,
    /// Whole seconds, for `Retry-After`.
    retry_after: Option<u32>,
    /// Each reason, if there are several.
    details: Vec<ErrorDetail>,
}

impl ApiError {
    pub(crate) fn new(code: ApiErrorCode) -> Self {
        Self::with_message(code, code.default_message())
    }

    pub(crate) fn with_message(code: ApiErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), retry_after: None, details: Vec::new() }
    }

    /// Why.
    pub(crate) fn code(&self) -> ApiErrorCode {
        self.code
    }

    /// Why, in words.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// The status of the response.
    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.code.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Seconds after which the request may succeed.
    pub(crate) fn seconds_to_wait(&self) -> Option<u32> {
        self.retry_after
    }

    /// Adds each reason.
    pub(crate) fn details(self, details: Vec<ErrorDetail>) -> Self {
        Self { details, ..self }
    }

    /// Sets `Retry-After`, in seconds.
    pub(crate) fn retry_after(self, seconds: u32) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// An error of the service. The cause goes to the log under the request's id, not to the client.
    pub(crate) fn internal(error: impl std::fmt::Display) -> Self {
        tracing::error!(%error, "a request failed");
        Self::new(ApiErrorCode::InternalError)
    }
}

impl From<ValidationError> for ApiError {
    fn from(error: ValidationError) -> Self {
        Self::with_message(ApiErrorCode::ValidationError, error.to_string())
    }
}

impl From<MarkupRefusal> for ApiError {
    fn from(refusal: MarkupRefusal) -> Self {
        let code = match refusal {
            MarkupRefusal::InProgress | MarkupRefusal::VideoInProgress => ApiErrorCode::JobInProgress,
            MarkupRefusal::Failed
            | MarkupRefusal::Expired
            | MarkupRefusal::UnknownOrientation
            | MarkupRefusal::NotSelected
            | MarkupRefusal::AlreadyAnnotated
            | MarkupRefusal::OtherAnnotation
            | MarkupRefusal::NotAnnotated => ApiErrorCode::ValidationError,
        };
        Self::with_message(code, refusal.to_string())
    }
}

/// A full disk. The API has no 503, so the client is asked to retry later.
pub(crate) fn out_of_space() -> ApiError {
    let message = "The service is out of disk space; try again later";
    ApiError::with_message(ApiErrorCode::RateLimited, message).retry_after(60)
}

impl From<OutOfCapacity> for ApiError {
    fn from(reason: OutOfCapacity) -> Self {
        tracing::warn!(%reason, "refused a request");
        out_of_space()
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full => {
                tracing::error!(%error, "refused a request");
                out_of_space()
            }
            StoreError::MarkupRefused(refusal) => refusal.into(),
            other => Self::internal(other),
        }
    }
}

impl From<MediaError> for ApiError {
    fn from(error: MediaError) -> Self {
        match error {
            MediaError::NotFound => Self::with_message(ApiErrorCode::NotFound, "This file is no longer kept"),
            full if full.is_full_disk() => {
                tracing::error!(error = %full, "refused a request");
                out_of_space()
            }
            other => Self::internal(other),
        }
    }
}

impl From<LinkError> for ApiError {
    fn from(error: LinkError) -> Self {
        Self::with_message(ApiErrorCode::Forbidden, error.to_string())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = envelope::refusal(self.code, self.message, self.details);
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
