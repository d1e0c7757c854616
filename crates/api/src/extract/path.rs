//! Path parameters.

use std::str::FromStr;

use aerie_domain::{ApiErrorCode, JobId, ListingId, UploadId};
use axum::extract::{FromRequestParts, OptionalFromRequestParts, RawPathParams};
use axum::http::request::Parts;

use crate::error::ApiError;

/// The job that `{jobId}` in the path names. `Option<ApiPath>` is `None` on routes without `{jobId}`.
pub(crate) struct ApiPath(pub(crate) JobId);

/// The upload that `{uploadId}` in the path names.
pub(crate) struct UploadPath(pub(crate) UploadId);

/// The listing that `{listingId}` in the path names.
pub(crate) struct ListingPath(pub(crate) ListingId);

impl<S: Send + Sync> FromRequestParts<S> for UploadPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        required(parts, state, "uploadId").await.map(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ListingPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        required(parts, state, "listingId").await.map(Self)
    }
}

/// The id in the parameter `name`.
async fn required<S: Send + Sync, T: FromStr>(parts: &mut Parts, state: &S, name: &str) -> Result<T, ApiError> {
    let parameters = RawPathParams::from_request_parts(parts, state).await.map_err(|_| invalid(name))?;
    let id = parameters.iter().find(|(given, _)| *given == name).and_then(|(_, id)| id.parse().ok());
    id.ok_or_else(|| invalid(name))
}

impl<S: Send + Sync> FromRequestParts<S> for ApiPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let id = <Self as OptionalFromRequestParts<S>>::from_request_parts(parts, state).await?;
        id.ok_or_else(|| invalid("jobId"))
    }
}

impl<S: Send + Sync> OptionalFromRequestParts<S> for ApiPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Option<Self>, ApiError> {
        let parameters = RawPathParams::from_request_parts(parts, state).await.map_err(|_| invalid("jobId"))?;
        let Some((_, id)) = parameters.iter().find(|(name, _)| *name == "jobId") else { return Ok(None) };
        id.parse().map(|id| Some(Self(id))).map_err(|_| invalid("jobId"))
    }
}

fn invalid(name: &str) -> ApiError {
    ApiError::with_message(ApiErrorCode::ValidationError, format!("`{name}` must be a UUID"))
}
