//! `GET /console/`: the console, a page that is compiled in.
//!
//! `console/` in the repository has its source, and `lint/console.sh` checks that what is compiled in was built from it. Names of
//! files contain a hash of their content, so that browsers keep them for good.

use std::sync::{Arc, LazyLock};

use aerie_domain::ApiErrorCode;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::error::ApiError;
use crate::static_file::StaticFile;
use crate::{ApiState, Delivery};

const PAGE: &str = include_str!("../../console-assets/index.html");

/// The page's files, by their names before they have a hash.
const FILES: [(&str, &str, &[u8]); 3] = [
    ("app.js", "text/javascript; charset=utf-8", include_bytes!("../../console-assets/app.js")),
    ("app.css", "text/css; charset=utf-8", include_bytes!("../../console-assets/app.css")),
    ("icon.svg", "image/svg+xml", include_bytes!("../../console-assets/icon.svg")),
];

/// Everything comes from this server; pictures of photos that were not sent yet are made in the page. No markup is made of text.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

/// As [`POLICY`], where clients get media from a bucket.
const POLICY_WITH_BUCKET: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: https:; media-src 'self' https:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
     require-trusted-types-for 'script'; trusted-types 'none'";

/// The page and its files, with the names by which the page refers to them.
struct Console {
    page: StaticFile,
    files: Vec<(String, StaticFile)>,
}

static CONSOLE: LazyLock<std::io::Result<Console>> = LazyLock::new(|| {
    let mut page = PAGE.to_owned();
    let mut files = Vec::new();
    for (name, content_type, bytes) in FILES {
        let (stem, extension) = name.split_once('.').unwrap_or((name, ""));
        let hash: String = Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let hashed = format!("{stem}-{hash}.{extension}");
        page = page.replace(name, &hashed);
        files.push((hashed, StaticFile::new(content_type, Bytes::from_static(bytes))?));
    }
    Ok(Console { page: StaticFile::new("text/html; charset=utf-8", page.into())?, files })
});

/// Redirects from the root and from the path without a slash, because the page refers to its files by relative links.
pub(crate) async fn redirect_to_console() -> Response {
    // Relative, because a proxy may serve the page under another path.
    (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, "console/")]).into_response()
}

/// The page.
pub(crate) async fn show_console(State(state): State<Arc<ApiState>>, headers: HeaderMap) -> Result<Response, ApiError> {
    let mut response = console()?.page.response(&headers);
    let policy = if state.delivery == Delivery::Redirect { POLICY_WITH_BUCKET } else { POLICY };
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    Ok(response)
}

/// The page's files.
pub(crate) async fn show_console_file(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    let found = console()?.files.iter().find(|(known, _)| *known == name);
    let (_, file) = found.ok_or_else(|| ApiError::new(ApiErrorCode::NotFound))?;
    let mut response = file.response(&headers);
    let kept = HeaderValue::from_static("public, max-age=31536000, immutable");
    response.headers_mut().insert(header::CACHE_CONTROL, kept);
    Ok(response)
}

fn console() -> Result<&'static Console, ApiError> {
    CONSOLE.as_ref().map_err(ApiError::internal)
}
