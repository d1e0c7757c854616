//! `GET /operator/`: the page of the console for operators, which is compiled in.

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::bundled_page::{BundledFile, BundledPage};
use crate::error::ApiError;

const PAGE: &str = include_str!("../../console-assets/operator.html");

const FILES: [BundledFile; 3] = [
    ("operator.js", "text/javascript; charset=utf-8", include_bytes!("../../console-assets/operator.js")),
    ("operator.css", "text/css; charset=utf-8", include_bytes!("../../console-assets/operator.css")),
    ("icon.svg", "image/svg+xml", include_bytes!("../../console-assets/icon.svg")),
];

/// Everything comes from this server. No markup is made of text.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

static BUNDLE: BundledPage = BundledPage::new(PAGE, &FILES);

/// Redirects from the root and from the path without a slash, because the page refers to its files by relative links.
pub(super) async fn redirect() -> Response {
    // Relative, because a proxy may serve the page under another path.
    (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, "operator/")]).into_response()
}

pub(super) async fn show(headers: HeaderMap) -> Result<Response, ApiError> {
    BUNDLE.show(&headers, POLICY).await
}

pub(super) async fn show_file(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    BUNDLE.show_file(&name, &headers).await
}
