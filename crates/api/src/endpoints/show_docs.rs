//! `GET /docs/`: the reference of the API, a page that is compiled in and reads `/openapi.json`.

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::bundled_page::{BundledFile, BundledPage};
use crate::error::ApiError;

const PAGE: &str = include_str!("../../console-assets/reference.html");

const FILES: [BundledFile; 3] = [
    ("reference.js", "text/javascript; charset=utf-8", include_bytes!("../../console-assets/reference.js")),
    ("reference.css", "text/css; charset=utf-8", include_bytes!("../../console-assets/reference.css")),
    ("icon.svg", "image/svg+xml", include_bytes!("../../console-assets/icon.svg")),
];

/// Everything comes from this server, and no markup is made of text.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

static REFERENCE: BundledPage = BundledPage::new(PAGE, &FILES);

/// Redirects to the path with a slash, because the page refers to its files by relative links.
pub(crate) async fn redirect_to_docs() -> Response {
    // Relative, because a proxy may serve the page under another path.
    (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, "docs/")]).into_response()
}

/// The page.
pub(crate) async fn show_docs(headers: HeaderMap) -> Result<Response, ApiError> {
    REFERENCE.show(&headers, POLICY).await
}

/// The page's files.
pub(crate) async fn show_docs_file(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    REFERENCE.show_file(&name, &headers).await
}
