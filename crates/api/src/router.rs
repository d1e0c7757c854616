//! All routes, and what every request passes. How to add one: `endpoints.rs`.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use aerie_domain::Scope;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::IntoResponse;
use axum::routing::{any, delete, get, post};
use futures_util::FutureExt;
use tower::ServiceExt;

use crate::endpoints::{
    check_health, create_key, documented, for_clients, get_media, get_metrics, get_session, list_keys, revoke_key,
    show_console, show_docs, show_shared_page, show_truth_page, sign_in, sign_out,
};
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::large_responses::{self, LargeResponses};
use crate::routes::{Audience, Routes};
use crate::transport::ClientAddress;
use crate::{
    ApiState, Environment, Operations, OperatorConsole, auth, base_path, document, identify, operator, protect,
    sessions, tus, unknown_paths,
};

/// State of the layers that requests pass: that of the service, and the large responses that are not read yet.
type Passage = (Arc<ApiState>, LargeResponses);

/// The router of the service, for clients.
pub fn router(state: Arc<ApiState>) -> Router {
    let mut routes = documented().merge(pages());
    // Elsewhere, metrics are on the other listener.
    if matches!(state.environment, Environment::Development) {
        routes = routes.add_undocumented(Audience::Anyone, "/metrics", get(get_metrics::get_metrics));
    }
    let console = state.console.then(console);
    served(routes, console, state)
}

/// Asks for a key where a route's audience needs one, and for a session in place of it on the routes of the console.
fn served(routes: Routes, console: Option<Routes>, state: Arc<ApiState>) -> Router {
    let passage = (Arc::clone(&state), LargeResponses::default());
    let (open, by_key) = routes.into_routers();
    let mut open = complete(open, &unknown_paths::TO_VIEWERS);
    let by_key = complete(by_key, &unknown_paths::TO_KEYS);
    let mut routes = by_key.layer(from_fn_with_state(passage.clone(), with_key)).fallback(not_found);
    if let Some(console) = console {
        let (pages, by_session) = console.into_routers();
        open = open.merge(complete(pages, &[]));
        let by_session = complete(by_session, &unknown_paths::TO_SESSIONS);
        routes = routes.merge(by_session.layer(from_fn_with_state(passage.clone(), with_session)));
    }
    layered(routes.merge(open.layer(from_fn_with_state(passage, with_neither))), state)
}

/// Adds the answers to wrong methods, and on paths without a route.
fn complete(routes: Router<Arc<ApiState>>, unknown: &[&str]) -> Router<Arc<ApiState>> {
    unknown
        .iter()
        .fold(routes, |routes, path| routes.route(path, any(not_found)))
        // Last, as it reaches only the routes before it.
        .method_not_allowed_fallback(async || ApiError::new(ApiErrorCode::MethodNotAllowed))
}

async fn not_found() -> ApiError {
    ApiError::new(ApiErrorCode::NotFound)
}

/// Routes for people without a key, that the document leaves out.
fn pages() -> Routes {
    let page = |routes: Routes, path, methods| routes.add_undocumented(Audience::Anyone, path, methods);
    let pages = [
        // For browsers and players, with a signed link.
        ("/media/{*key}", get(get_media::get_media)),
        // For developers and their tools.
        ("/openapi.json", document::route()),
        ("/docs", get(show_docs::redirect_to_docs)),
        ("/docs/", get(show_docs::show_docs)),
        ("/docs/{file}", get(show_docs::show_docs_file)),
        // Share links as a web page.
        ("/s/{token}", get(show_shared_page::show_shared_page)),
        ("/s/{token}/approvals", post(show_shared_page::approve_on_page)),
        ("/s/{token}/comments", post(show_shared_page::comment_on_page)),
        // Assets of truth pages.
        ("/t/assets/page.css", get(show_truth_page::show_style)),
        ("/t/assets/page.js", get(show_truth_page::show_script)),
    ];
    pages.into_iter().fold(Routes::new(), |routes, (path, methods)| page(routes, path, methods))
}

/// The routes of the console: its page, its sessions, and what clients use, for sessions.
fn console() -> Routes {
    let with_usage = Audience::Scoped(Scope::Usage);
    let session = get(get_session::get_session).post(sign_in::sign_in).delete(sign_out::sign_out);
    Routes::new()
        .add_undocumented(Audience::Anyone, "/", get(show_console::redirect_to_console))
        .add_undocumented(Audience::Anyone, "/console", get(show_console::redirect_to_console))
        .add_undocumented(Audience::Anyone, "/console/", get(show_console::show_console))
        .add_undocumented(Audience::Anyone, "/console/{file}", get(show_console::show_console_file))
        .add_undocumented(Audience::Anyone, "/console/styles/{file}", get(show_console::show_picture_of_style))
        .add_undocumented(Audience::Anyone, sessions::SESSION, session)
        .add_undocumented(with_usage, "/console/api/keys", get(list_keys::list_keys).post(create_key::create_key))
        .add_undocumented(with_usage, "/console/api/keys/{keyId}", delete(revoke_key::revoke_key))
        .nest_undocumented(sessions::API, for_clients())
}

/// The router of the admin listener: metrics and health, and on a server the console for operators, over plain HTTP.
pub fn admin_router(state: Operations, operators: Option<Arc<OperatorConsole>>) -> Router {
    operations()
        .with_state(state.clone())
        .merge(operators.map(operator::routes).unwrap_or_default())
        .fallback(not_found)
        .method_not_allowed_fallback(async || ApiError::new(ApiErrorCode::MethodNotAllowed))
        .layer(from_fn_with_state(state, pass_admin))
}

fn operations() -> Router<Operations> {
    Router::new()
        .route("/healthz", get(check_health::healthz))
        .route("/readyz", get(check_health::readyz))
        .route("/metrics", get(get_metrics::get_metrics))
}

/// Adds what every request passes, as one layer: for each request, a layer is cloned with all that is within it.
fn layered(routes: Router<Arc<ApiState>>, state: Arc<ApiState>) -> Router {
    let (base, of_pages) = (state.base_path().to_owned(), state.truth_pages.base_path().to_owned());
    let routes = routes.layer(from_fn_with_state(Arc::clone(&state), pass)).with_state(state);
    // Around the router, as the path and the method decide on the route.
    Router::new().fallback_service(
        routes.map_request(move |request| tus::with_given_method(base_path::removed([&base, &of_pages], request))),
    )
}

/// From the outside in: identification, transport security, panics. Then the layer of the route's audience follows.
async fn pass(State(state): State<Arc<ApiState>>, request: Request, next: Next) -> Response<Body> {
    let inner = |request| caught(next.run(request));
    let protected = |request| Box::pin(protect::protect(request, inner));
    let is_for_upload = tus::is_for_upload(&request);
    let mut response = identify::identify(&state.clock, &state.metrics, request, protected).await;
    if is_for_upload {
        tus::sign(&mut response);
    }
    response
}

/// Requires a key, and counts the request against its limits.
async fn with_key(State((state, large)): State<Passage>, request: Request, next: Next) -> Response<Body> {
    let address = request.extensions().get::<ClientAddress>().copied();
    let caller = auth::by_key(&state, request.headers(), address).await;
    auth::admit(&state, caller, request, |request| bounded(&large, request, next)).await
}

/// Requires a session of the console, and counts the request against the limits of its key.
async fn with_session(State((state, large)): State<Passage>, request: Request, next: Next) -> Response<Body> {
    let caller = auth::by_session(&state, request.method(), request.headers()).await;
    auth::admit(&state, caller, request, |request| bounded(&large, request, next)).await
}

/// Requires nothing.
async fn with_neither(State((_, large)): State<Passage>, request: Request, next: Next) -> Response<Body> {
    bounded(&large, request, next).await
}

/// Bounds the size of the head and the memory of the response. Panics are caught here, too, so that the response to one carries the rate
/// limit headers.
async fn bounded(large: &LargeResponses, request: Request, next: Next) -> Response<Body> {
    let endpoint = |request| protect::bound_head(request, |request| next.run(request));
    // Boxed, because a future is moved with all that it awaits.
    caught(Box::pin(large_responses::bound(large, request, endpoint))).await
}

/// As [`pass`], for the admin listener.
async fn pass_admin(State(state): State<Operations>, request: Request, next: Next) -> Response<Body> {
    let endpoint = |request| caught(Box::pin(protect::bound_head(request, |request| next.run(request))));
    identify::identify(&state.clock, &state.metrics, request, |request| protect::protect_admin(request, endpoint)).await
}

fn caught(respond: impl Future<Output = Response<Body>>) -> impl Future<Output = Response<Body>> {
    AssertUnwindSafe(respond).catch_unwind().map(|response| response.unwrap_or_else(panicked))
}

fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response<Body> {
    let message = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    ApiError::internal(format!("a handler panicked: {}", message.unwrap_or("no message"))).into_response()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use aerie_domain::SystemClock;
    use aerie_storage::{Capacity, DayCounts, LinkSecret, MediaLinks, MediaStore, MemoryLimiter};
    use aerie_storage_sqlite::SqliteStore;
    use axum::body::to_bytes;
    use axum::http::StatusCode;

    use super::*;
    use crate::{
        Addresses, BadKeys, DrawnOn, Fetching, InProgress, Measuring, Metrics, MetricsReaders, NoSuggestions, Streams,
        Suggestions,
    };

    fn poster() -> aerie_fetch::Poster {
        let lookup = Arc::new(aerie_fetch::SystemLookup);
        aerie_fetch::Poster::new(aerie_fetch::Policy::default(), lookup, std::time::Duration::from_secs(1), false)
            .unwrap()
    }

    struct Unmeasured;

    #[async_trait::async_trait]
    impl Measuring for Unmeasured {
        async fn measure(&self, _: &DrawnOn) -> Result<serde_json::Map<String, serde_json::Value>, crate::BadPolygon> {
            unreachable!("nothing is annotated here")
        }
    }

    struct Unmapped;

    #[async_trait::async_trait]
    impl Addresses for Unmapped {
        async fn suggest(&self, _: crate::TypedAddress) -> Result<Suggestions, NoSuggestions> {
            unreachable!("nothing is typed here")
        }
    }

    #[async_trait::async_trait]
    impl crate::Verifying for Unmeasured {
        async fn verify(&self, _: &str) -> crate::CredentialsCheck {
            unreachable!("nothing is published here")
        }
    }

    fn state(folder: &Path) -> Arc<ApiState> {
        Arc::new(ApiState {
            store: Arc::new(SqliteStore::open(&folder.join("test.db"), Arc::new(SystemClock)).unwrap()),
            media: MediaStore::in_memory(),
            delivery: Default::default(),
            links: MediaLinks::new(LinkSecret::new([7; 32])),
            clock: Arc::new(SystemClock),
            prices: [].into_iter().collect(),
            plans: [].into_iter().collect(),
            limiter: Arc::new(MemoryLimiter::new(DayCounts::in_memory(), Arc::new(SystemClock))),
            bad_keys: BadKeys::new(20),
            in_progress: InProgress::default(),
            fetching: Fetching::default(),
            webhooks: poster(),
            profiles: Arc::default(),
            truth_pages: crate::TruthPages::new(String::new(), None, 1, Arc::new(Unmeasured)),
            streams: Streams::default(),
            measuring: Arc::new(Unmeasured),
            addresses: Arc::new(Unmapped),
            console: true,
            base_url: String::new(),
            environment: Environment::Development,
            intake: aerie_fetch::Fetcher::new(aerie_fetch::Policy::default(), folder).unwrap(),
            capacity: Arc::new(Capacity::unlimited()),
            readiness: Arc::default(),
            metrics: Arc::new(Metrics::new(Environment::Development)),
            metrics_readers: MetricsReaders::default(),
            submitted: Arc::new(|| ()),
        })
    }

    /// Asserts the status of each path without credentials.
    async fn assert_statuses(router: Router, expected: &[(&str, u16)]) {
        for (path, status) in expected {
            let request = Request::get(*path).body(Body::empty()).unwrap();
            assert_eq!(router.clone().oneshot(request).await.unwrap().status(), *status, "{path}");
        }
    }

    #[tokio::test]
    async fn a_route_for_keys_needs_one_wherever_it_is_and_one_for_everybody_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let answer = get(async || "things");
        let routes = Routes::new()
            .add_undocumented(Audience::Scoped(Scope::Read), "/things", answer.clone())
            .add_undocumented(Audience::Anyone, "/v1/leaflets", answer.clone());
        let console = Routes::new().add_undocumented(Audience::Scoped(Scope::Read), "/console/things", answer);
        let router = served(routes, Some(console), state(folder.path()));
        assert_statuses(router, &[("/things", 401), ("/console/things", 401), ("/v1/leaflets", 200)]).await;
    }

    #[tokio::test]
    async fn without_credentials_paths_below_those_that_need_them_are_401_known_or_not() {
        let folder = tempfile::tempdir().unwrap();
        let token = "a".repeat(32);
        let shared = ["", "/", "/nothing", "/nothing/more"].map(|rest| format!("/v1/shared/{token}{rest}"));
        let mut expected = vec![
            ("/v1", 401),
            ("/v1/", 401),
            ("/v1/jobs", 401),
            ("/v1/jobs/1/nothing/more", 401),
            ("/v1/nothing", 401),
            ("/v1/shared", 401),
            ("/v1/shared/", 404),
            ("/console/api/v1/jobs", 401),
            ("/console/api/keys", 401),
            ("/console/api/nothing", 401),
            ("/console/api/", 401),
            ("/console/api/session/", 401),
            ("/console/api", 404),
            ("/console/apiary", 404),
            ("/console/", 200),
            ("/nothing", 404),
        ];
        expected.extend(shared.iter().map(|path| (path.as_str(), 404)));
        assert_statuses(router(state(folder.path())), &expected).await;
    }

    #[tokio::test]
    async fn a_panic_is_500_in_the_envelope_without_internal_details() {
        let folder = tempfile::tempdir().unwrap();
        let panics = async || -> StatusCode { panic!("a secret") };
        let router = layered(Router::new().route("/panic", get(panics)), state(folder.path()));
        let response = router.oneshot(Request::get("/panic").body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), 500);
        let id = response.headers()["x-request-id"].to_str().unwrap().to_owned();
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        let expected = serde_json::json!({"code": "INTERNAL_ERROR", "message": "Unexpected server error"});
        assert_eq!((&body["error"], &body["meta"]["request_id"]), (&expected, &serde_json::json!(id)));
    }
}
