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
use axum::routing::{delete, get, post};
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
use crate::{
    ApiState, Environment, Operations, OperatorConsole, auth, base_path, document, identify, operator, protect,
    sessions, tus,
};

/// The router of the service, for clients.
pub fn router(state: Arc<ApiState>) -> Router {
    let mut routes = documented().merge(pages());
    // Elsewhere, metrics are on the other listener.
    if matches!(state.environment, Environment::Development) {
        routes = routes.add_undocumented(Audience::Anyone, "/metrics", get(get_metrics::get_metrics));
    }
    if state.console {
        routes = routes.merge(console());
    }
    let routes = routes
        .router()
        .fallback(async || ApiError::new(ApiErrorCode::NotFound))
        // Last, as it reaches only the routes before it.
        .method_not_allowed_fallback(async || ApiError::new(ApiErrorCode::MethodNotAllowed));
    layered(routes, state)
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
        .fallback(async || ApiError::new(ApiErrorCode::NotFound))
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
    let passage = (Arc::clone(&state), LargeResponses::default());
    let (base, of_pages) = (state.base_path().to_owned(), state.truth_pages.base_path().to_owned());
    let routes = routes.layer(from_fn_with_state(passage, pass)).with_state(state);
    // Around the router, as the path and the method decide on the route.
    Router::new().fallback_service(
        routes.map_request(move |request| tus::with_given_method(base_path::removed([&base, &of_pages], request))),
    )
}

/// From the outside in: identification, transport security, panics, authentication, memory of the response, size of the head.
async fn pass(
    State((state, large)): State<(Arc<ApiState>, LargeResponses)>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let (state, large) = (&*state, &large);
    let endpoint = |request| protect::bound_head(request, |request| next.run(request));
    // Panics are caught inside, too, so that the response to one carries the rate limit headers. Boxed, because a future is
    // moved with all that it awaits.
    let bounded = |request| caught(Box::pin(large_responses::bound(large, request, endpoint)));
    let authenticated = |request| caught(Box::pin(auth::authenticate(state, request, bounded)));
    let protected = |request| Box::pin(protect::protect(request, authenticated));
    let is_for_upload = tus::is_for_upload(&request);
    let mut response = identify::identify(&state.clock, &state.metrics, request, protected).await;
    if is_for_upload {
        tus::sign(&mut response);
    }
    response
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

    #[tokio::test]
    async fn a_panic_is_500_in_the_envelope_without_internal_details() {
        let folder = tempfile::tempdir().unwrap();
        let state = Arc::new(ApiState {
            store: Arc::new(SqliteStore::open(&folder.path().join("test.db"), Arc::new(SystemClock)).unwrap()),
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
            intake: aerie_fetch::Fetcher::new(aerie_fetch::Policy::default(), folder.path()).unwrap(),
            capacity: Arc::new(Capacity::unlimited()),
            readiness: Arc::default(),
            metrics: Arc::new(Metrics::new(Environment::Development)),
            metrics_readers: MetricsReaders::default(),
            submitted: Arc::new(|| ()),
        });
        let panics = async || -> StatusCode { panic!("a secret") };
        let router = layered(Router::new().route("/panic", get(panics)), state);
        let response = router.oneshot(Request::get("/panic").body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), 500);
        let id = response.headers()["x-request-id"].to_str().unwrap().to_owned();
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        let expected = serde_json::json!({"code": "INTERNAL_ERROR", "message": "Unexpected server error"});
        assert_eq!((&body["error"], &body["meta"]["request_id"]), (&expected, &serde_json::json!(id)));
    }
}
