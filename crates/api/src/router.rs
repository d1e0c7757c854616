//! All routes. Those that submit jobs come from the registry of kinds (`aerie_domain::kinds`).
//!
//! # Adding an endpoint
//!
//! To add `GET /v1/things`:
//!
//! 1. `endpoints/list_things.rs` (new): the response as a struct with `Serialize` and `ToSchema`, and the handler with its
//!    `#[utoipa::path]`. Copy the file of the endpoint that is most like it. `State`, `Caller`, and the extractors of
//!    `crate::extract` are its arguments; it returns `Result<Response, ApiError>`.
//! 2. `endpoints.rs`: `mod` it.
//! 3. `router.rs` (this file): add its route, inside `needs` with the scope that its key must have.
//! 4. `openapi.rs`: add its handler to `paths`; `openapi/examples.rs`: add an example of its response.
//! 5. Run `UPDATE_SCHEMAS=1 cargo test -p aerie-api` and review the change in `schemas/openapi.json`. A test compares the
//!    document with the code; others check that each operation under `/v1` names its key and its refusals, and that each
//!    example fits its schema.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use aerie_domain::{ApiErrorCode, JobType, Scope};
use axum::Router;
use axum::body::Body;
use axum::extract::{FromRef, Request, State};
use axum::http::Response;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::IntoResponse;
use axum::routing::{delete, get, patch, post};
use futures_util::FutureExt;
use tower::ServiceExt;

use crate::auth::{generates, needs};
use crate::endpoints::{
    annotate_markup, approve_shared_photo, cancel_job, change_listing, change_webhook, check_health,
    comment_on_shared_listing, continue_upload, create_key, create_listing, create_share_link, create_upload,
    create_webhook, delete_listing, delete_upload, delete_webhook, generate_listing, get_job, get_listing,
    get_listing_archive, get_markup, get_media, get_metrics, get_session, get_shared_listing, get_truth_page,
    get_upload, get_usage, get_webhook, list_addresses, list_deliveries, list_disclosure_profiles, list_jobs,
    list_keys, list_listings, list_reviews, list_share_links, list_webhooks, publish_truth_page, replay_delivery,
    revoke_key, revoke_share_link, revoke_truth_page, rotate_webhook_secret, select_markup, show_console, show_docs,
    show_shared_page, show_truth_page, sign_in, sign_out, stream_events, submit_job, test_webhook,
};
use crate::error::ApiError;
use crate::large_responses::{self, LargeResponses};
use crate::{
    ApiState, Environment, Operations, OperatorConsole, auth, base_path, document, identify, operator, protect,
    sessions, tus,
};

/// The router of the service, for clients.
pub fn router(state: Arc<ApiState>) -> Router {
    let routes = for_clients()
        .merge(shared())
        .merge(shown_truth_pages())
        // For browsers and players, with a signed link.
        .route("/media/{*key}", get(get_media::get_media))
        // For developers and their tools.
        .route("/openapi.json", document::route())
        .route("/docs", get(show_docs::redirect_to_docs))
        .route("/docs/", get(show_docs::show_docs))
        .route("/docs/{file}", get(show_docs::show_docs_file))
        // For operators. Elsewhere, clients reach this listener, and metrics are on the other one.
        .merge(match state.environment {
            Environment::Development => operations(),
            Environment::Staging | Environment::Production => health(),
        })
        // For people.
        .merge(if state.console { console() } else { Router::new() })
        .fallback(async || ApiError::new(ApiErrorCode::NotFound))
        // Last, as it reaches only the routes before it.
        .method_not_allowed_fallback(async || ApiError::new(ApiErrorCode::MethodNotAllowed));
    layered(routes, state)
}

/// The routes for clients, with a key.
fn for_clients() -> Router<Arc<ApiState>> {
    let routes = Router::new()
        .route("/v1/markup/jobs/{jobId}", needs(Scope::Read, get(get_markup::get_markup)))
        .route("/v1/markup/jobs/{jobId}/select", generates(JobType::Markup, post(select_markup::select_markup)))
        .route("/v1/markup/jobs/{jobId}/annotate", generates(JobType::Markup, post(annotate_markup::annotate_markup)))
        .route("/v1/jobs", needs(Scope::Read, get(list_jobs::list_jobs)))
        .route("/v1/jobs/{jobId}", needs(Scope::Read, get(get_job::get_job)))
        .route("/v1/jobs/{jobId}/cancel", needs(Scope::Generate, post(cancel_job::cancel_job)))
        .route("/v1/usage", needs(Scope::Usage, get(get_usage::get_usage)))
        .route(
            "/v1/uploads",
            needs(Scope::Generate, post(create_upload::create_upload).options(create_upload::describe_uploads)),
        )
        .route(
            "/v1/uploads/{uploadId}",
            needs(
                Scope::Generate,
                get(get_upload::get_upload)
                    .patch(continue_upload::continue_upload)
                    .delete(delete_upload::delete_upload)
                    .options(create_upload::describe_upload),
            ),
        )
        .route("/v1/events", needs(Scope::Read, get(stream_events::stream_events)))
        .merge(webhooks())
        .merge(listings())
        .route("/v1/addresses", needs(Scope::Read, get(list_addresses::list_addresses)))
        .merge(truth_pages());
    JobType::ALL
        .into_iter()
        .fold(routes, |routes, kind| routes.route(kind.kind().endpoint.path, generates(kind, submit_job::route(kind))))
}

/// The routes of the console: its page, its sessions, and what clients use, for sessions.
fn console() -> Router<Arc<ApiState>> {
    Router::new()
        .route("/", get(show_console::redirect_to_console))
        .route("/console", get(show_console::redirect_to_console))
        .route("/console/", get(show_console::show_console))
        .route("/console/{file}", get(show_console::show_console_file))
        .route("/console/styles/{file}", get(show_console::show_picture_of_style))
        .route(sessions::SESSION, get(get_session::get_session).post(sign_in::sign_in).delete(sign_out::sign_out))
        .route("/console/api/keys", needs(Scope::Usage, get(list_keys::list_keys).post(create_key::create_key)))
        .route("/console/api/keys/{keyId}", needs(Scope::Usage, delete(revoke_key::revoke_key)))
        .nest(sessions::API, for_clients())
}

/// The routes of listings.
fn listings() -> Router<Arc<ApiState>> {
    Router::new()
        .route(
            "/v1/listings",
            needs(Scope::Read, get(list_listings::list_listings))
                .merge(needs(Scope::Generate, post(create_listing::create_listing))),
        )
        .route(
            "/v1/listings/{listingId}",
            needs(Scope::Read, get(get_listing::get_listing)).merge(needs(
                Scope::Generate,
                patch(change_listing::change_listing).delete(delete_listing::delete_listing),
            )),
        )
        .route("/v1/listings/{listingId}/generate", needs(Scope::Generate, post(generate_listing::generate_listing)))
        .route("/v1/listings/{listingId}/archive", needs(Scope::Read, get(get_listing_archive::get_listing_archive)))
        .route(
            "/v1/listings/{listingId}/share-links",
            needs(Scope::Read, get(list_share_links::list_share_links))
                .merge(needs(Scope::Generate, post(create_share_link::create_share_link))),
        )
        .route(
            "/v1/listings/{listingId}/share-links/{shareLinkId}",
            needs(Scope::Generate, delete(revoke_share_link::revoke_share_link)),
        )
        .route("/v1/listings/{listingId}/reviews", needs(Scope::Read, get(list_reviews::list_reviews)))
}

/// The routes of share links for their viewers, who have no key: as JSON, and as a web page.
fn shared() -> Router<Arc<ApiState>> {
    Router::new()
        .route("/v1/shared/{token}", get(get_shared_listing::get_shared_listing))
        .route("/v1/shared/{token}/approvals", post(approve_shared_photo::approve_shared_photo))
        .route("/v1/shared/{token}/comments", post(comment_on_shared_listing::comment_on_shared_listing))
        .route("/s/{token}", get(show_shared_page::show_shared_page))
        .route("/s/{token}/approvals", post(show_shared_page::approve_on_page))
        .route("/s/{token}/comments", post(show_shared_page::comment_on_page))
}

/// The routes of truth pages for their owners.
fn truth_pages() -> Router<Arc<ApiState>> {
    Router::new()
        .route(
            "/v1/jobs/{jobId}/truth-page",
            needs(Scope::Read, get(get_truth_page::get_truth_page)).merge(needs(
                Scope::Generate,
                post(publish_truth_page::publish_truth_page).delete(revoke_truth_page::revoke_truth_page),
            )),
        )
        .route("/v1/disclosure-profiles", needs(Scope::Read, get(list_disclosure_profiles::list_disclosure_profiles)))
}

/// Truth pages for anybody.
fn shown_truth_pages() -> Router<Arc<ApiState>> {
    Router::new()
        .route("/t/assets/page.css", get(show_truth_page::show_style))
        .route("/t/assets/page.js", get(show_truth_page::show_script))
        .route("/t/{code}", get(show_truth_page::show_truth_page))
        .route("/t/{code}/{file}", get(show_truth_page::get_truth_page_file))
}

/// The routes of webhooks: reading them needs another scope than changing them.
fn webhooks() -> Router<Arc<ApiState>> {
    let (read, change) = (|route| needs(Scope::Read, route), |route| needs(Scope::Generate, route));
    Router::new()
        .route(
            "/v1/webhooks",
            read(get(list_webhooks::list_webhooks)).merge(change(post(create_webhook::create_webhook))),
        )
        .route(
            "/v1/webhooks/{webhookId}",
            read(get(get_webhook::get_webhook))
                .merge(change(patch(change_webhook::change_webhook).delete(delete_webhook::delete_webhook))),
        )
        .route("/v1/webhooks/{webhookId}/rotate-secret", change(post(rotate_webhook_secret::rotate_webhook_secret)))
        .route("/v1/webhooks/{webhookId}/test", change(post(test_webhook::test_webhook)))
        .route("/v1/webhooks/{webhookId}/deliveries", read(get(list_deliveries::list_deliveries)))
        .route(
            "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay",
            change(post(replay_delivery::replay_delivery)),
        )
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

fn operations<S>() -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    Operations: FromRef<S>,
{
    health().route("/metrics", get(get_metrics::get_metrics))
}

fn health<S>() -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    Operations: FromRef<S>,
{
    Router::new().route("/healthz", get(check_health::healthz)).route("/readyz", get(check_health::readyz))
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
