//! `GET /openapi.json`: the OpenAPI document. Not among the endpoints, because it is made from them.

use axum::http::HeaderMap;
use axum::response::Response;
use tokio::sync::OnceCell;

use crate::error::ApiError;
use crate::openapi;
use crate::static_file::StaticFile;

/// Returns the document.
pub(crate) async fn show_document(headers: HeaderMap) -> Result<Response, ApiError> {
    static DOCUMENT: OnceCell<StaticFile> = OnceCell::const_new();
    let made = async || {
        let make = || StaticFile::new("application/json", serde_json::to_vec(&openapi::openapi())?.into());
        tokio::task::spawn_blocking(make).await.map_err(ApiError::internal)?.map_err(ApiError::internal)
    };
    Ok(DOCUMENT.get_or_try_init(made).await?.response(&headers))
}
