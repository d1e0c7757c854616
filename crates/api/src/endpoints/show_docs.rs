//! `GET /docs/`: the contract to read and to try in a browser. Its script comes in a crate, so that it works offline.

use std::sync::Arc;

use aerie_domain::ApiErrorCode;
use axum::extract::Path;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use utoipa_swagger_ui::Config;

use crate::error::ApiError;

/// The page's script is ours and asks nobody but us; the page styles its parts as it goes.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The page's files are named relative to it, so that it needs the slash.
pub(crate) async fn redirect_to_docs() -> Response {
    // Relative, for those who reach us under another path by way of a proxy.
    (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, "docs/")]).into_response()
}

/// The page.
pub(crate) async fn show_docs() -> Result<Response, ApiError> {
    file("index.html")
}

/// What the page is made of.
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
