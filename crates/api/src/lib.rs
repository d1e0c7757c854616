//! HTTP: the contract's envelope, its checks in their order, and the media.
mod auth;
mod context;
mod endpoints;
mod envelope;
mod error;
mod extract;
mod job_view;
mod openapi;
mod router;
mod state;

pub use openapi::openapi;
pub use router::router;
pub use state::{ApiState, Environment};

/// Serves until `shutdown` is done, and then until the requests in progress are answered.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    listener: tokio::net::TcpListener,
    state: std::sync::Arc<ApiState>,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    axum::serve(listener, router(state)).with_graceful_shutdown(shutdown).await
}
