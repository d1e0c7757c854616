//! Who asks.

use std::sync::Arc;

use aerie_domain::{ApiErrorCode, ApiKey, OrgId};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::ApiState;
use crate::error::ApiError;

const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Who asks: put beside every request under `/v1` that has a good key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Caller {
    pub(crate) org_id: OrgId,
}

/// Asks for a good key on every path under `/v1`, whether there is anything at it or not.
pub(crate) async fn authenticate(State(state): State<Arc<ApiState>>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if path != "/v1" && !path.starts_with("/v1/") {
        return next.run(request).await;
    }
    match caller(&state, request.headers()).await {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(error) => error.into_response(),
    }
}

async fn caller(state: &ApiState, headers: &HeaderMap) -> Result<Caller, ApiError> {
    let unauthorized = || ApiError::new(ApiErrorCode::Unauthorized);
    let mut given = headers.get_all(X_API_KEY).iter();
    let (Some(value), None) = (given.next(), given.next()) else { return Err(unauthorized()) };
    let key = value.to_str().ok().and_then(|text| ApiKey::parse(text).ok()).ok_or_else(unauthorized)?;
    let found = state.store.key_find(key.hash()).await?.ok_or_else(unauthorized)?;
    Ok(Caller { org_id: found.org_id })
}
