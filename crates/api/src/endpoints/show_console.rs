//! `GET /console/`: the console, a page that is compiled in.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::bundled_page::{BundledFile, BundledPage};
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::{ApiState, Delivery};

const PAGE: &str = include_str!("../../console-assets/index.html");

const FILES: [BundledFile; 3] = [
    ("app.js", "text/javascript; charset=utf-8", include_bytes!("../../console-assets/app.js")),
    ("app.css", "text/css; charset=utf-8", include_bytes!("../../console-assets/app.css")),
    ("icon.svg", "image/svg+xml", include_bytes!("../../console-assets/icon.svg")),
];

macro_rules! pictures_of_styles {
    ($($name:literal)*) => {
        [$((concat!($name, ".webp"), include_bytes!(concat!("../../console-assets/styles/", $name, ".webp")))),*]
    };
}

/// Rooms in each style, which the page shows beside its name.
const STYLES: [(&str, &[u8]); 14] = pictures_of_styles!(
    "art-deco" "boho" "coastal" "contemporary" "farmhouse" "industrial" "japandi" "luxury" "midcentury" "minimalist" "modern"
    "scandinavian" "traditional" "transitional"
);

/// Everything comes from this server; pictures of photos that were not sent yet are made in the page. No markup is made of text.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

/// As [`POLICY`], where clients get media from a bucket.
const POLICY_WITH_BUCKET: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: https:; media-src 'self' https:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
     require-trusted-types-for 'script'; trusted-types 'none'";

static CONSOLE: BundledPage = BundledPage::new(PAGE, &FILES);

/// Redirects from the root and from the path without a slash, because the page refers to its files by relative links.
pub(crate) async fn redirect_to_console(State(state): State<Arc<ApiState>>) -> Response {
    let to = match state.base_path() {
        // Relative, because a proxy may serve the page under another path.
        "" => "console/".to_owned(),
        // Not relative: the browser may be at the path itself, without a slash after it.
        base => format!("{base}/console/"),
    };
    (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, to)]).into_response()
}

/// The page.
pub(crate) async fn show_console(State(state): State<Arc<ApiState>>, headers: HeaderMap) -> Result<Response, ApiError> {
    let policy = if state.delivery == Delivery::Redirect { POLICY_WITH_BUCKET } else { POLICY };
    CONSOLE.show(&headers, policy).await
}

/// The page's files.
pub(crate) async fn show_console_file(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    CONSOLE.show_file(&name, &headers).await
}

/// The picture of a style.
pub(crate) async fn show_picture_of_style(Path(name): Path<String>) -> Result<Response, ApiError> {
    let found = STYLES.iter().find(|(known, _)| *known == name);
    let (_, bytes) = found.ok_or_else(|| ApiError::new(ApiErrorCode::NotFound))?;
    Ok(([(header::CONTENT_TYPE, "image/webp"), (header::CACHE_CONTROL, "public, max-age=86400")], *bytes)
        .into_response())
}
