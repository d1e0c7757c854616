//! Path parameters.

use std::str::FromStr;

use aerie_domain::{DeliveryId, JobId, KeyId, ListingId, OrgId, ShareLinkId, UploadId, WebhookId};
use axum::extract::{FromRequestParts, OptionalFromRequestParts, RawPathParams};
use axum::http::request::Parts;

use crate::error::ApiError;
use crate::error_code::ApiErrorCode;

/// Declares extractors, each of the id in a parameter of the path.
macro_rules! id_in_path {
    ($($(#[$doc:meta])* $name:ident($id:ty) $parameter:literal)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name(pub(crate) $id);

        impl<S: Send + Sync> FromRequestParts<S> for $name {
            type Rejection = ApiError;

            async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
                required(parts, state, $parameter).await.map(Self)
            }
        }
    )*};
}

id_in_path! {
    /// The job that `{jobId}` names. `Option<ApiPath>` is `None` on routes without `{jobId}`.
    ApiPath(JobId) "jobId"
    /// The upload that `{uploadId}` names.
    UploadPath(UploadId) "uploadId"
    /// The listing that `{listingId}` names.
    ListingPath(ListingId) "listingId"
    /// The key that `{keyId}` names.
    KeyPath(KeyId) "keyId"
    /// The webhook that `{webhookId}` names.
    WebhookPath(WebhookId) "webhookId"
    /// The organization that `{organizationId}` names.
    OrganizationPath(OrgId) "organizationId"
}

/// The delivery that `{webhookId}` and `{deliveryId}` name.
pub(crate) struct DeliveryPath(pub(crate) WebhookId, pub(crate) DeliveryId);

impl<S: Send + Sync> FromRequestParts<S> for DeliveryPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        Ok(Self(required(parts, state, "webhookId").await?, required(parts, state, "deliveryId").await?))
    }
}

/// The key that `{organizationId}` and `{keyId}` name.
pub(crate) struct OrganizationKeyPath(pub(crate) OrgId, pub(crate) KeyId);

impl<S: Send + Sync> FromRequestParts<S> for OrganizationKeyPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        Ok(Self(required(parts, state, "organizationId").await?, required(parts, state, "keyId").await?))
    }
}

/// The share link that `{listingId}` and `{shareLinkId}` name.
pub(crate) struct ShareLinkPath(pub(crate) ListingId, pub(crate) ShareLinkId);

impl<S: Send + Sync> FromRequestParts<S> for ShareLinkPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        Ok(Self(required(parts, state, "listingId").await?, required(parts, state, "shareLinkId").await?))
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
