//! `GET /docs/`: interactive API documentation. Its scripts are compiled in, so that it works offline.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use aerie_domain::ApiErrorCode;
use axum::body::Bytes;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::sync::OnceCell;
use utoipa_swagger_ui::{Config, SwaggerFile};

use crate::error::ApiError;
use crate::static_file::StaticFile;

/// Scripts and requests are limited to this server; the page needs inline styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Redirects to the path with a slash, because the page refers to its files by relative links.
pub(crate) async fn redirect_to_docs() -> Response {
    // Relative, because a proxy may serve the page under another path.
    (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, "docs/")]).into_response()
}

/// The page.
pub(crate) async fn show_docs(headers: HeaderMap) -> Result<Response, ApiError> {
    file("index.html", &headers).await
}

/// The page's files.
pub(crate) async fn show_docs_file(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    file(&name, &headers).await
}

/// The files that were requested so far, by name. Only names of files are kept.
static FILES: LazyLock<Mutex<HashMap<String, Arc<OnceCell<StaticFile>>>>> = LazyLock::new(Mutex::default);

async fn file(name: &str, headers: &HeaderMap) -> Result<Response, ApiError> {
    let known = lock(&FILES).get(name).cloned();
    let cell = match known {
        Some(cell) => cell,
        None if found(name)?.is_some() => Arc::clone(lock(&FILES).entry(name.to_owned()).or_default()),
        None => return Err(ApiError::new(ApiErrorCode::NotFound)),
    };
    let made = async || {
        let name = name.to_owned();
        tokio::task::spawn_blocking(move || make(&name)).await.map_err(ApiError::internal)?
    };
    let mut response = cell.get_or_try_init(made).await?.response(headers);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    Ok(response)
}

fn make(name: &str) -> Result<StaticFile, ApiError> {
    let found = found(name)?.ok_or_else(|| ApiError::new(ApiErrorCode::NotFound))?;
    let bytes = match found.bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    };
    StaticFile::new(&found.content_type, bytes).map_err(ApiError::internal)
}

fn found(name: &str) -> Result<Option<SwaggerFile<'static>>, ApiError> {
    let config = Config::from("../openapi.json").validator_url("none");
    utoipa_swagger_ui::serve(name, Arc::new(config)).map_err(ApiError::internal)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
