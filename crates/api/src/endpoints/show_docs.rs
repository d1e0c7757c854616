//! `GET /docs/`: interactive API documentation. Its scripts are compiled in, so that it works offline.

use std::sync::Arc;

use aerie_domain::ApiErrorCode;
use axum::extract::Path;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use utoipa_swagger_ui::Config;

use crate::error::ApiError;

/// Scripts and requests are limited to this server; the page needs inline styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Redirects to the path with a slash, because the page refers to its files by relative links.
pub(crate) async fn redirect_to_docs() -> Response {
    // Relative, because a proxy may serve the page under another path.
    (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, "docs/")]).into_response()
}

/// The page.
pub(crate) async fn show_docs() -> Result<Response, ApiError> {
    file("index.html")
}

/// The page's files.
pub(crate) async fn show_docs_file(Path(name): Path<String>) -> Result<Response, ApiError> {
    file(&name)
}

fn file(name: &str) -> Result<Response, ApiError> {
    let config = Config::from("../openapi.json").validator_url("none");
    let found = utoipa_swagger_ui::serve(name, Arc::new(config)).map_err(ApiError::internal)?;
    let found = found.ok_or_else(|| ApiError::new(ApiErrorCode::NotFound))?;
    let headers: [(HeaderName, &str); 2] =
        [(header::CONTENT_TYPE, &found.content_type), (header::CONTENT_SECURITY_POLICY, POLICY)];
    Ok((StatusCode::OK, headers, found.bytes.into_owned()).into_response())
}
