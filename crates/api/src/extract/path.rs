//! Paths.

use aerie_domain::{ApiErrorCode, JobId};
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;

use crate::error::ApiError;

/// The job that `{jobId}` in the path names.
pub(crate) struct ApiPath(pub(crate) JobId);

impl<S: Send + Sync> FromRequestParts<S> for ApiPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let wrong = || ApiError::with_message(ApiErrorCode::ValidationError, "`jobId` must be a UUID");
        let parameters = RawPathParams::from_request_parts(parts, state).await.map_err(|_| wrong())?;
        let id = parameters.iter().find(|(name, _)| *name == "jobId").and_then(|(_, value)| value.parse().ok());
        id.map(Self).ok_or_else(wrong)
    }
}
