//! Authentication by API key, or by session in the console, and authorization by scope and enabled kinds.

use std::sync::Arc;

use aerie_domain::{ApiKey, JobType, KeyHash, OrgId, Scope, SessionHash};
use aerie_storage::{Counted, Credentials};
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, Method};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;

use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::transport::ClientAddress;
use crate::{ApiState, bad_keys, rate_limit, sessions, upload_paths};

/// Requests for addresses have limits of their own: typing makes many.
const ADDRESSES: &str = "/v1/addresses";

const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// The authenticated caller of a request.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub(crate) org_id: OrgId,
    /// The hash of the key.
    pub(crate) key: KeyHash,
    /// The key and its organization's terms when the request arrived.
    pub(crate) credentials: Arc<Credentials>,
    /// The session, of a request from the console.
    pub(crate) session: Option<SessionHash>,
}

/// Counts the request of a caller against the limits of the key, and lets it pass with the caller in its extensions.
pub(crate) async fn admit<F: Future<Output = Response>>(
    state: &ApiState,
    caller: Result<Caller, ApiError>,
    mut request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let caller = match caller {
        Ok(caller) => caller,
        Err(error) => return error.into_response(),
    };
    let plan = state.plans.limits(&caller.credentials.org.plan);
    let (key, is_console) = (caller.credentials.key.id, caller.session.is_some());
    let public = sessions::public_path(request.uri().path());
    let (counted, rates) = if upload_paths::contain(public) {
        (Counted::Uploads(key), plan.uploads.rates)
    } else if public == ADDRESSES {
        (Counted::Addresses(key), plan.addresses)
    } else if is_console {
        (Counted::Console(key), sessions::RATES)
    } else {
        (Counted::Key(key), plan.rates)
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
            request.extensions_mut().insert(caller);
            next(request).await
        }
    };
    rate_limit::add_headers(&verdict, response.headers_mut());
    if is_console {
        sessions::localize(&mut response, state.base_path());
    }
    response
}

/// The caller whose key a request has.
pub(crate) async fn by_key(
    state: &ApiState,
    headers: &HeaderMap,
    address: Option<ClientAddress>,
) -> Result<Caller, ApiError> {
    if let Some((key, credentials)) = credentials(state, headers).await? {
        return Ok(Caller { org_id: credentials.org.id, key, credentials: Arc::new(credentials), session: None });
    }
    if headers.contains_key(X_API_KEY) {
        bad_keys::slow_down(&state.bad_keys, &*state.limiter, address).await;
    }
    Err(ApiError::new(ApiErrorCode::Unauthorized))
}

/// The caller whose session a request has.
pub(crate) async fn by_session(state: &ApiState, method: &Method, headers: &HeaderMap) -> Result<Caller, ApiError> {
    let session = sessions::require(state, method, headers).await?;
    let (org_id, id) = (session.credentials.org.id, session.token.hash());
    Ok(Caller { org_id, key: session.key, credentials: Arc::new(session.credentials), session: Some(id) })
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
