//! `GET /t/{code}`: a truth page, its files and its QR codes, for anybody who has the address.

use std::sync::{Arc, LazyLock};

use aerie_disclosure::qr;
use aerie_storage::{MediaError, TruthPage, media_type, truth_pages};
use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::ApiState;
use crate::binary::Binary;
use crate::conditional::has_current;
use crate::envelope::ErrorEnvelope;
use crate::error::ApiError;
use crate::static_file::StaticFile;
use crate::transport::ClientAddress;
use crate::truth_page;

/// Files of pages change only by being revoked, so that a copy is asked for again each time.
const CACHE: &str = "private, no-cache";
/// A file is shown, and nothing in it is run.
const FILE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// Show a truth page
///
/// Aerie extension. A page for people, without a key: an altered photo beside its original, what was done, and whether the files are still
/// those that were published. Requests are limited by the address of the client.
#[utoipa::path(
    get,
    path = "/t/{code}",
    operation_id = "show_truth_page",
    tag = "Truth pages",
    params(("code" = String, Path, description = "Code of the page, as in its address")),
    responses(
        (status = 200, description = "The page", content_type = "text/html", body = String),
        (status = 404, description = "There is no page with this code", content_type = "text/html", body = String),
        (status = 410, description = "The page was revoked", content_type = "text/html", body = String),
        (status = 429, description = "The client made too many requests", content_type = "text/html", body = String),
        (status = 500, description = "Unexpected server error", body = ErrorEnvelope),
    )
)]
pub(crate) async fn show_truth_page(
    State(state): State<Arc<ApiState>>,
    client: Option<Extension<ClientAddress>>,
    Path(code): Path<String>,
) -> Result<Response, ApiError> {
    match found(&state, client, &code).await? {
        Ok(page) => truth_page::page(&state, &page).await,
        Err(refusal) => Ok(refusal),
    }
}

/// Get a file of a truth page
///
/// Aerie extension. A file of a truth page, without a key: `original`, `result`, `mask`, further ones with a number such as `result-2`, and
/// the QR code of its address as `qr.svg` or `qr.png`.
#[utoipa::path(
    get,
    path = "/t/{code}/{file}",
    operation_id = "get_truth_page_file",
    tag = "Truth pages",
    params(
        ("code" = String, Path, description = "Code of the page, as in its address"),
        ("file" = String, Path, description = "Name of the file", example = "original"),
    ),
    responses(
        (status = 200, description = "The file", content_type = "application/octet-stream", body = inline(Binary)),
        (status = 304, description = "The client has the current version"),
        (status = 404, description = "There is no such page or file", content_type = "text/html", body = String),
        (status = 410, description = "The page was revoked", content_type = "text/html", body = String),
        (status = 429, description = "The client made too many requests", content_type = "text/html", body = String),
        (status = 500, description = "Unexpected server error", body = ErrorEnvelope),
    )
)]
pub(crate) async fn get_truth_page_file(
    State(state): State<Arc<ApiState>>,
    client: Option<Extension<ClientAddress>>,
    Path((code, name)): Path<(String, String)>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let page = match found(&state, client, &code).await? {
        Ok(page) => page,
        Err(refusal) => return Ok(refusal),
    };
    let url = state.truth_pages.url(&page.code);
    let mut response = match name.as_str() {
        "qr.svg" => made("image/svg+xml", qr::svg(&url).map_err(ApiError::internal)?),
        "qr.png" => made("image/png", qr::png(&url).map_err(ApiError::internal)?),
        _ => match stored(&state, &page, &name, &method, &headers).await? {
            Some(response) => response,
            None => return Ok(truth_page::unknown()),
        },
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(FILE_POLICY));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(CACHE));
    if !page.indexable {
        headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
    }
    Ok(response)
}

/// The public page with this code, or the response to a client who does not get it.
async fn found(
    state: &ApiState,
    client: Option<Extension<ClientAddress>>,
    code: &str,
) -> Result<Result<TruthPage, Response>, ApiError> {
    if let Err(retry_after) = truth_page::admit(state, client.map(|Extension(client)| client)).await? {
        return Ok(Err(truth_page::too_many(retry_after)));
    }
    // A malformed code is looked up, too, so that the response says nothing about the form.
    let code = if truth_pages::is_code(code) { code } else { "" };
    Ok(match state.store.truth_page_find(code).await? {
        None => Err(truth_page::unknown()),
        Some(page) if page.is_public() => Ok(page),
        Some(_) => Err(truth_page::gone()),
    })
}

fn made(content_type: &'static str, content: impl Into<Bytes>) -> Response {
    let content: Bytes = content.into();
    ([(header::CONTENT_TYPE, HeaderValue::from_static(content_type))], Body::from(content)).into_response()
}

/// A file of the page; `None` if there is none of that name.
async fn stored(
    state: &ApiState,
    page: &TruthPage,
    name: &str,
    method: &Method,
    headers: &HeaderMap,
) -> Result<Option<Response>, ApiError> {
    let Some(file) = page.file(name) else { return Ok(None) };
    let etag = format!("\"{}\"", file.sha256);
    if has_current(headers, &etag) {
        return Ok(Some((StatusCode::NOT_MODIFIED, [(header::ETAG, etag)]).into_response()));
    }
    let media = match state.media.media_get(&file.key, None).await {
        Ok(media) => media,
        Err(MediaError::NotFound) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let content = if method == Method::HEAD { Body::empty() } else { Body::from_stream(media.content) };
    let described = [
        (header::CONTENT_TYPE, media_type(&file.key).to_owned()),
        (header::CONTENT_LENGTH, media.size.to_string()),
        (header::ETAG, etag),
    ];
    Ok(Some((described, content).into_response()))
}

static STYLE: LazyLock<std::io::Result<StaticFile>> = LazyLock::new(|| {
    StaticFile::new("text/css; charset=utf-8", Bytes::from_static(include_bytes!("../truth_page/assets/page.css")))
});
static SCRIPT: LazyLock<std::io::Result<StaticFile>> = LazyLock::new(|| {
    StaticFile::new(
        "text/javascript; charset=utf-8",
        Bytes::from_static(include_bytes!("../truth_page/assets/page.js")),
    )
});

/// The style of the pages.
pub(crate) async fn show_style(headers: HeaderMap) -> Result<Response, ApiError> {
    STYLE.as_ref().map(|file| file.response(&headers)).map_err(ApiError::internal)
}

/// Their script.
pub(crate) async fn show_script(headers: HeaderMap) -> Result<Response, ApiError> {
    SCRIPT.as_ref().map(|file| file.response(&headers)).map_err(ApiError::internal)
}
