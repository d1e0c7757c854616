//! Authentication by API key, and authorization by scope and enabled kinds.

use std::sync::Arc;

use aerie_domain::{ApiErrorCode, ApiKey, JobType, KeyHash, OrgId, Scope};
use aerie_storage::Credentials;
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;

use crate::error::ApiError;
use crate::transport::ClientAddress;
use crate::{ApiState, bad_keys, rate_limit, shared_paths, upload_paths};

/// Requests for addresses have limits of their own: typing makes many.
const ADDRESSES: &str = "/v1/addresses";

const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// The authenticated caller of a request under `/v1`.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub(crate) org_id: OrgId,
    /// The hash of the key.
    pub(crate) key: KeyHash,
    /// The key and its organization's terms when the request arrived.
    pub(crate) credentials: Arc<Credentials>,
}

/// Requires a valid key on every path under `/v1` except those of share links, known or not, and counts the request against the key's limits.
pub(crate) async fn authenticate<F: Future<Output = Response>>(
    state: &ApiState,
    mut request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let path = request.uri().path();
    if (path != "/v1" && !path.starts_with("/v1/")) || shared_paths::are_public(path) {
        return next(request).await;
    }
    let (key, credentials) = match credentials(state, request.headers()).await {
        Ok(Some((key, credentials))) => (key, Arc::new(credentials)),
        Ok(None) => {
            if request.headers().contains_key(X_API_KEY) {
                let address = request.extensions().get::<ClientAddress>().copied();
                bad_keys::slow_down(&state.bad_keys, &*state.limiter, address).await;
            }
            return ApiError::new(ApiErrorCode::Unauthorized).into_response();
        }
        Err(error) => return error.into_response(),
    };
    let plan = state.plans.limits(&credentials.org.plan);
    let (counted, rates) = if upload_paths::contain(path) {
        (credentials.key.id.for_uploads(), plan.uploads.rates)
    } else if path == ADDRESSES {
        (credentials.key.id.for_addresses(), plan.addresses)
    } else {
        (credentials.key.id, plan.rates)
    };
    let verdict = match state.limiter.request_admit(counted, rates).await {
        Ok(verdict) => verdict,
        Err(error) => return ApiError::from(error).into_response(),
    };
    let mut response = match verdict.retry_after {
        Some(seconds) => {
            state.metrics.rate_limited(if verdict.day.remaining == 0 { "day" } else { "minute" });
            rate_limit::refusal(seconds, &verdict).into_response()
        }
        None => {
            request.extensions_mut().insert(Caller { org_id: credentials.org.id, key, credentials });
            next(request).await
        }
    };
    rate_limit::add_headers(&verdict, response.headers_mut());
    response
}

/// The credentials of a request, if they are valid.
async fn credentials(state: &ApiState, headers: &HeaderMap) -> Result<Option<(KeyHash, Credentials)>, ApiError> {
    let mut given = headers.get_all(X_API_KEY).iter();
    let (Some(value), None) = (given.next(), given.next()) else { return Ok(None) };
    // A malformed key needs no lookup.
    let Some(key) = value.to_str().ok().and_then(|text| ApiKey::parse(text).ok()) else { return Ok(None) };
    let hash = key.hash();
    Ok(state.store.key_find(hash).await?.map(|found| (hash, found)))
}

/// What a route requires of a key and its organization.
#[derive(Debug, Clone, Copy)]
struct Needs {
    scope: Scope,
    kind: Option<JobType>,
}

/// Restricts a route to keys with this scope.
pub(crate) fn needs(scope: Scope, route: MethodRouter<Arc<ApiState>>) -> MethodRouter<Arc<ApiState>> {
    route.route_layer(from_fn_with_state(Needs { scope, kind: None }, permit))
}

/// Restricts a route to keys with the scope `generate` of organizations that have the kind enabled.
pub(crate) fn generates(kind: JobType, route: MethodRouter<Arc<ApiState>>) -> MethodRouter<Arc<ApiState>> {
    route.route_layer(from_fn_with_state(Needs { scope: Scope::Generate, kind: Some(kind) }, permit))
}

async fn permit(
    State(needs): State<Needs>,
    Extension(caller): Extension<Caller>,
    request: Request,
    next: Next,
) -> Response {
    let key = &caller.credentials.key;
    if !key.scopes.allow(needs.scope) {
        let message =
            format!("This request needs a key with the scope `{}`; this key has {}", needs.scope.as_str(), key.scopes);
        return ApiError::with_message(ApiErrorCode::Forbidden, message).into_response();
    }
    match needs.kind.map(|kind| check_enabled(&caller, kind)) {
        Some(Err(error)) => error.into_response(),
        _ => next.run(request).await,
    }
}

/// Refuses a kind that the organization does not have.
pub(crate) fn check_enabled(caller: &Caller, kind: JobType) -> Result<(), ApiError> {
    if caller.credentials.org.disabled.contains(&kind) {
        let message = format!("{kind} is not enabled for the organization");
        return Err(ApiError::with_message(ApiErrorCode::FeatureDisabled, message));
    }
    Ok(())
}
