//! `GET /openapi.json`: the OpenAPI document. Not among the endpoints, because it is made from them.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::{MethodRouter, get};
use tokio::sync::OnceCell;
use utoipa::openapi::Server;

use crate::error::ApiError;
use crate::static_file::StaticFile;
use crate::{ApiState, openapi};

/// The route of the document, which is made when it is first asked for.
pub(crate) fn route() -> MethodRouter<Arc<ApiState>> {
    let document: Arc<OnceCell<StaticFile>> = Arc::default();
    get(async move |State(state): State<Arc<ApiState>>, headers: HeaderMap| show(&document, &state, &headers).await)
}

async fn show(document: &OnceCell<StaticFile>, state: &ApiState, headers: &HeaderMap) -> Result<Response, ApiError> {
    let base = state.base_path().to_owned();
    let made = async || {
        let make = move || StaticFile::new("application/json", serde_json::to_vec(&under(&base))?.into());
        tokio::task::spawn_blocking(make).await.map_err(ApiError::internal)?.map_err(ApiError::internal)
    };
    Ok(document.get_or_try_init(made).await?.response(headers))
}

/// The document of a service that clients reach under a path.
fn under(base: &str) -> utoipa::openapi::OpenApi {
    let mut document = openapi::openapi();
    if !base.is_empty() {
        // Relative to the address of the document.
        document.servers = Some(vec![Server::new(base)]);
    }
    document
}
