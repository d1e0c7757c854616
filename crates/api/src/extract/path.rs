//! Path parameters.

use aerie_domain::{ApiErrorCode, JobId, UploadId};
use axum::extract::{FromRequestParts, OptionalFromRequestParts, RawPathParams};
use axum::http::request::Parts;

use crate::error::ApiError;

/// The job that `{jobId}` in the path names. `Option<ApiPath>` is `None` on routes without `{jobId}`.
pub(crate) struct ApiPath(pub(crate) JobId);

/// The upload that `{uploadId}` in the path names.
pub(crate) struct UploadPath(pub(crate) UploadId);

impl<S: Send + Sync> FromRequestParts<S> for UploadPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let invalid = || ApiError::with_message(ApiErrorCode::ValidationError, "`uploadId` must be a UUID");
        let parameters = RawPathParams::from_request_parts(parts, state).await.map_err(|_| invalid())?;
        let id = parameters.iter().find(|(name, _)| *name == "uploadId").and_then(|(_, id)| id.parse().ok());
        id.map(Self).ok_or_else(invalid)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ApiPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let id = <Self as OptionalFromRequestParts<S>>::from_request_parts(parts, state).await?;
        id.ok_or_else(invalid)
    }
}

impl<S: Send + Sync> OptionalFromRequestParts<S> for ApiPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Option<Self>, ApiError> {
        let parameters = RawPathParams::from_request_parts(parts, state).await.map_err(|_| invalid())?;
        let Some((_, id)) = parameters.iter().find(|(name, _)| *name == "jobId") else { return Ok(None) };
        id.parse().map(|id| Some(Self(id))).map_err(|_| invalid())
    }
}

fn invalid() -> ApiError {
    ApiError::with_message(ApiErrorCode::ValidationError, "`jobId` must be a UUID")
}
