//! Path parameters.

use std::str::FromStr;

use aerie_domain::{ApiErrorCode, DeliveryId, JobId, ListingId, UploadId, WebhookId};
use axum::extract::{FromRequestParts, OptionalFromRequestParts, RawPathParams};
use axum::http::request::Parts;

use crate::error::ApiError;

/// The job that `{jobId}` in the path names. `Option<ApiPath>` is `None` on routes without `{jobId}`.
pub(crate) struct ApiPath(pub(crate) JobId);

/// The upload that `{uploadId}` in the path names.
pub(crate) struct UploadPath(pub(crate) UploadId);

/// The webhook that `{webhookId}` in the path names.
pub(crate) struct WebhookPath(pub(crate) WebhookId);

/// The delivery that `{webhookId}` and `{deliveryId}` in the path name.
pub(crate) struct DeliveryPath(pub(crate) WebhookId, pub(crate) DeliveryId);

/// The listing that `{listingId}` in the path names.
pub(crate) struct ListingPath(pub(crate) ListingId);

impl<S: Send + Sync> FromRequestParts<S> for UploadPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        required(parts, state, "uploadId").await.map(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for WebhookPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        required(parts, state, "webhookId").await.map(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for DeliveryPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        Ok(Self(required(parts, state, "webhookId").await?, required(parts, state, "deliveryId").await?))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ListingPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        required(parts, state, "listingId").await.map(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ApiPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        required(parts, state, "jobId").await.map(Self)
    }
}

impl<S: Send + Sync> OptionalFromRequestParts<S> for ApiPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Option<Self>, ApiError> {
        Ok(id(parts, state, "jobId").await?.map(Self))
    }
}

async fn required<T: FromStr, S: Send + Sync>(parts: &mut Parts, state: &S, name: &str) -> Result<T, ApiError> {
    id(parts, state, name).await?.ok_or_else(|| invalid(name))
}

/// The id that a parameter of the path is; `None` on routes without it.
async fn id<T: FromStr, S: Send + Sync>(parts: &mut Parts, state: &S, name: &str) -> Result<Option<T>, ApiError> {
    let parameters = RawPathParams::from_request_parts(parts, state).await.map_err(|_| invalid(name))?;
    let Some((_, id)) = parameters.iter().find(|(given, _)| *given == name) else { return Ok(None) };
    id.parse().map(Some).map_err(|_| invalid(name))
}

fn invalid(name: &str) -> ApiError {
    ApiError::with_message(ApiErrorCode::ValidationError, format!("`{name}` must be a UUID"))
}
